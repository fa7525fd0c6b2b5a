//! Every law, under every way of reading.

use testkit::corpus::cases;
use testkit::cuts::Random;
use testkit::reading_modes::{self, ReadingMode};
use testkit::{eager, extent, laws, show};

/// Checks an input under every way of reading.
fn check<'m>(modes: impl IntoIterator<Item = &'m ReadingMode>, input: &[u8], name: &str) {
    for setup in modes {
        if let Err(why) = laws::all(&setup.spec, input) {
            panic!("{name}, under {}: {why}", setup.name);
        }
        if let Err(why) = eager::prompt(&setup.spec, input) {
            panic!("{name}, under {}: prompt: input {}: {why}", setup.name, show::input(input));
        }
    }
}

#[test]
fn the_corpus_obeys_the_laws() {
    let modes = reading_modes::all();
    for (at, case) in cases("json").iter().enumerate() {
        check(extent::modes(&modes, at), &case.bytes(), &case.name);
    }
}

#[test]
fn every_beginning_of_a_rich_text_obeys_the_laws() {
    let text = "Sure <think>hm</think>!\n```json\n{'title': \"It's \\ud83d\\ude00\", tone: Calm,\n \
        \"a\": [1 2.5, tru, \"x\" + 'y',], // ok\n \"b\": {\"c\" None}\n}\n```\nbye";
    let modes = reading_modes::all();
    for end in 0..=text.len() {
        check(extent::modes(&modes, end), &text.as_bytes()[..end], "a beginning");
    }
}

/// Inputs put together from pieces of the corpus, without an expected value.
#[test]
fn splices_of_the_corpus_obey_the_laws() {
    const SEED: u64 = 20_261_120;
    const INPUTS: usize = 400;
    let cases: Vec<Vec<u8>> = cases("json").iter().map(|case| case.bytes()).collect();
    let setups = reading_modes::all();
    let mut random = Random::new(SEED);
    for at in 0..INPUTS {
        let input = splice(&cases, &mut random);
        let setup = &setups[random.below(setups.len())];
        if let Err(why) = laws::all(&setup.spec, &input) {
            panic!("splice {at} of seed {SEED}, under {}: {why}", setup.name);
        }
    }
}

fn splice(cases: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut input = Vec::new();
    for _ in 0..2 + random.below(4) {
        let case = &cases[random.below(cases.len())];
        let start = random.below(case.len() + 1);
        let end = case.len().min(start + random.below(24));
        let at = random.below(input.len() + 1);
        input.splice(at..at, case[start..end].iter().copied());
    }
    input
}
