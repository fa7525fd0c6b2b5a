//! What the presets make of texts of models, at every cut.

use std::collections::BTreeSet;

use testkit::cuts::{Cuts, in_two};
use testkit::event_log::{run_cut, run_whole};
use testkit::preset_cases::cases;

#[test]
fn each_text_means_what_its_case_says() {
    let read = |case: &testkit::preset_cases::PresetCase| {
        let answer = case.spec().parse(&case.input).expect("no limit is near");
        case.difference(&answer)
    };
    let wrong: Vec<String> = cases().iter().filter_map(read).collect();
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn each_text_gives_the_same_events_at_every_cut() {
    for case in cases() {
        let (spec, input) = (case.spec(), case.input.as_bytes());
        let whole = run_whole(&spec, input);
        for cuts in in_two(input.len()).chain([Cuts::bytewise(input.len())]) {
            let difference = whole.difference(&run_cut(&spec, input, &cuts));
            assert_eq!(difference, None, "{} ({}), {cuts}", case.name, case.preset);
        }
    }
}

#[test]
fn each_preset_has_a_case_and_each_case_a_name() {
    let cases = cases();
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len(), "a name comes twice");
    for preset in patchwire::TagSet::PRESETS {
        // Trees and edits have corpora and tests of their own.
        let elsewhere = ["hermes", "edit-blocks"].contains(preset);
        assert!(elsewhere || cases.iter().any(|case| case.preset == *preset), "{preset}");
    }
}
