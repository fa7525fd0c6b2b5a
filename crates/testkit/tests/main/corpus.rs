//! The expectations of the corpus for its inputs.

use std::collections::BTreeSet;

use patchwire::Answer;
use testkit::corpus::{read_cases, root};
use testkit::oracle::{Json, foreign};
use testkit::reading_modes;

#[test]
fn names_are_unique_in_a_file() {
    for file in ["valid", "nasty", "regressions", "slips", "open", "repair", "readers", "minimal"] {
        let mut names = BTreeSet::new();
        for case in read_cases(&root().join(format!("json/{file}.ndjson"))) {
            assert!(names.insert(case.name.clone()), "{file}: {}", case.name);
        }
    }
}

#[test]
fn valid_texts_give_what_they_say_without_notices() {
    for case in read_cases(&root().join("json/valid.ndjson")) {
        for setup in [reading_modes::lenient(), reading_modes::strict()] {
            let Some(want) = &case.want else { continue };
            let name = format!("{} under {}", case.name, setup.name);
            let answer =
                setup.spec.parse(case.bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(codes(&answer), case.notices.clone().unwrap_or_default(), "{name}");
            let want = foreign::read(want.get().as_bytes());
            assert_eq!(Ok(Json::of(answer.value())), want, "{name}");
        }
    }
}

fn codes(answer: &Answer) -> Vec<String> {
    let mut codes: Vec<String> = Vec::new();
    for notice in answer.notices() {
        if !codes.iter().any(|code| code == notice.code.name()) {
            codes.push(notice.code.name().to_owned());
        }
    }
    codes
}
