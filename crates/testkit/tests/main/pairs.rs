//! The proof that no cutting matters, and the same by force.

use testkit::corpus::cases;
use testkit::extent;
use testkit::pairs::{Proof, brute, prove};
use testkit::reading_modes::{self, ReadingMode};

/// Longest case that is proven here; longer ones are for `--bin prove`.
const PROVEN: usize = 256;
/// The same under the ways of reading that differ little.
const PROVEN_UNDER_OTHERS: usize = 64;
/// Longest case whose cuttings are all run here.
const FORCED: usize = 11;

#[test]
fn no_cutting_of_the_corpus_matters() {
    let proof = prove_corpus(&reading_modes::main(), PROVEN);
    assert!(proof.pairs > 200_000, "{proof:?}");
}

#[test]
fn nor_does_it_under_the_other_ways_of_reading() {
    prove_corpus(&reading_modes::others(), PROVEN_UNDER_OTHERS);
}

fn prove_corpus(setups: &[ReadingMode], most: usize) -> Proof {
    let mut proof = Proof::default();
    for setup in setups {
        for (at, case) in cases("json").iter().enumerate() {
            if !extent::modes(setups, at).any(|mode| mode.name == setup.name) {
                continue;
            }
            let input = case.bytes();
            let input = &input[..input.len().min(most)];
            match prove(&setup.spec, input) {
                Ok(more) => proof = proof.and(more),
                Err(why) => panic!("{}, under {}: {why}", case.name, setup.name),
            }
        }
    }
    proof
}

#[test]
fn force_agrees_with_the_proof() {
    let long = [
        "{\"a\":\"\\ud83d\\u00\"",
        "a<t>{\"a\":[1,]}</t",
        "```\n{a:tru,'b':1",
        "{\"a\":\"x\"y\",\"b\"",
    ];
    for setup in reading_modes::main() {
        let short = cases("json").into_iter().map(|case| case.bytes());
        let short = short.filter(|input| input.len() <= FORCED);
        for input in short.chain(long.map(|input| input.as_bytes().to_vec())) {
            if let Err(why) = brute(&setup.spec, &input) {
                panic!("under {}: {why}", setup.name);
            }
        }
    }
}
