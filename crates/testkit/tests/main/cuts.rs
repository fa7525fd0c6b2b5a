//! The ways to cut an input, themselves.

use testkit::cuts::{Cuts, Random, all, in_two};

fn joined(cuts: &Cuts, input: &[u8]) -> Vec<u8> {
    cuts.chunks(input).flatten().copied().collect()
}

#[test]
fn chunks_join_to_the_input() {
    let input = b"0123456789";
    let mut random = Random::new(1);
    let some = (0..50).map(|_| Cuts::random(10, 4, &mut random));
    let others =
        [Cuts::none(), Cuts::bytewise(10), Cuts::every(3, 10), Cuts::lengths([0, 4, 0, 6])];
    for cuts in in_two(10).chain(all(10)).chain(some).chain(others) {
        assert_eq!(joined(&cuts, input), input, "{cuts}");
    }
}

#[test]
fn all_cuttings_are_distinct_and_all_there() {
    let cuttings: Vec<Cuts> = all(6).collect();
    assert_eq!(cuttings.len(), 32);
    for (at, cuts) in cuttings.iter().enumerate() {
        assert!(!cuttings[..at].contains(cuts));
    }
    assert_eq!(all(0).count(), 1);
    assert_eq!(Cuts::bytewise(3).chunks(b"abc").count(), 3);
}

#[test]
fn the_same_seed_gives_the_same_numbers() {
    let numbers = |seed| {
        let mut random = Random::new(seed);
        [random.next_number(), random.next_number(), random.next_number()]
    };
    assert_eq!(numbers(7), numbers(7));
    assert_ne!(numbers(7), numbers(8));
}
