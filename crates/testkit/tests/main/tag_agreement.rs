//! Every law and the proof that no cutting matters, for texts with elements.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use testkit::corpus::cases as inputs;
use testkit::oracle::tags::table::{self, TagCase};
use testkit::pairs::{Proof, prove};
use testkit::reading_modes::{self, ReadingMode};
use testkit::{extent, laws, tag_agreement};

/// Longest case that is proven here; longer ones are for `--bin prove`.
const PROVEN: usize = 256;

/// Each case with its own profile; some have no tag set.
fn cases() -> Vec<(TagCase, ReadingMode)> {
    let sets = tag_agreement::sets();
    let own = |case: TagCase| {
        let set = sets.get(&case.profile)?;
        let spec = tag_agreement::spec(set, case.start_in.as_deref());
        Some((case, ReadingMode { name: "its own profile", spec }))
    };
    table::cases().into_iter().filter_map(own).collect()
}

/// All failures are listed together, because their common cause is easier to see that way.
fn none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The laws that do not hold, each with the shortest input it was seen with.
fn check<'s>(tried: impl IntoIterator<Item = (String, &'s ReadingMode, Vec<u8>)>) {
    let mut wrong: BTreeMap<(&str, &str), (usize, String)> = BTreeMap::new();
    for (name, setup, input) in tried {
        for (law, holds) in laws::ALL {
            let held = catch_unwind(AssertUnwindSafe(|| holds(&setup.spec, &input)));
            let Err(why) = held.unwrap_or_else(|_| Err("a panic".to_owned())) else { continue };
            let text = String::from_utf8_lossy(&input);
            let line = format!("{name}, under {}, {law}: {text:?}\n  {why}", setup.name);
            let seen = wrong.entry((setup.name, law)).or_insert((usize::MAX, String::new()));
            *seen = (input.len(), line).min(seen.clone());
        }
    }
    none(&wrong.into_values().map(|(_, line)| line).collect::<Vec<_>>());
}

#[test]
fn cases_obey_the_laws_under_their_own_profile() {
    let cases = cases();
    check(cases.iter().map(|(case, own)| (case.name.clone(), own, case.input.text().into_bytes())));
}

#[test]
fn cases_obey_the_laws_under_every_tag_set() {
    let (cases, setups) = (table::cases(), reading_modes::tagged());
    check(setups.iter().flat_map(|setup| {
        cases.iter().map(move |case| (case.name.clone(), setup, case.input.text().into_bytes()))
    }));
}

#[test]
fn no_cutting_of_the_cases_matters() {
    let (mut proof, mut wrong) = (Proof::default(), Vec::new());
    let setups = reading_modes::tagged();
    for (case, own) in cases() {
        let text = case.input.text();
        let input = &text.as_bytes()[..text.len().min(PROVEN)];
        for setup in setups.iter().chain([&own]) {
            let proven = catch_unwind(AssertUnwindSafe(|| prove(&setup.spec, input)));
            match proven.unwrap_or_else(|_| Err("a panic".to_owned())) {
                Ok(more) => proof = proof.and(more),
                Err(why) => wrong.push(format!("{}, under {}: {why}", case.name, setup.name)),
            }
        }
    }
    none(&wrong);
    assert!(proof.pairs > 1_000_000, "{proof:?}");
}

/// Texts of another corpus without markers.
#[test]
fn json_in_an_element_is_cut_like_any_other() {
    let setup = reading_modes::tagged().into_iter().find(|setup| setup.name == "scratchpad_json");
    let setup = setup.expect("a setup of that name");
    let forms = [("<output>", "</output>"), ("<think>a</think>\n", ""), ("x <output>", "")];
    let cases = inputs("json");
    check(cases.iter().enumerate().flat_map(|(at, case)| {
        let of_sample = move |form: usize| extent::is_whole() || form == at % forms.len();
        let taken = forms.iter().enumerate().filter(move |(form, _)| of_sample(*form));
        taken.map(|(_, (head, tail))| {
            let input = [head.as_bytes(), &case.bytes(), tail.as_bytes()].concat();
            (case.name.clone(), &setup, input)
        })
    }));
}
