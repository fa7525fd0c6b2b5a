//! The tag oracle against cases that were worked out by hand, and against its own laws.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use testkit::generate::{Rng, tags as generate};
use testkit::oracle::tags::table::{self, TagCase};
use testkit::oracle::tags::{Profile, Reading, Step, read};

/// Profiles that need more than a tag set can express: trees, headers, lines, token kinds, diagrams.
const NO_TAG_SETS: [&str; 7] =
    ["edit", "harmony", "hermes-xml", "mermaid", "tokens", "xml-any", "xml-known"];

/// Cases that the page decides otherwise: here the whole text is in a fence that begins with an
/// opener, and such a fence hides nothing.
const AGAINST_THE_PAGE: [&str; 0] = [];

#[test]
fn names_are_unique() {
    let mut names = BTreeSet::new();
    for case in table::cases() {
        assert!(names.insert(case.name.clone()), "{}", case.name);
    }
}

#[test]
fn the_oracle_agrees_with_every_case() {
    let profiles: BTreeMap<_, _> = table::profiles().into_iter().collect();
    let mut disagreeing = Vec::new();
    for case in table::cases() {
        let Some(profile) = profiles.get(&case.profile) else {
            assert!(NO_TAG_SETS.contains(&case.profile.as_str()), "no profile {}", case.profile);
            continue;
        };
        let reading = read(profile, &case.input.text(), case.start_in.as_deref());
        let differences = differences(&case, &reading);
        if AGAINST_THE_PAGE.contains(&case.name.as_str()) {
            assert!(!differences.is_empty(), "{}: agrees again", case.name);
        } else {
            disagreeing.extend(differences);
        }
    }
    assert!(disagreeing.is_empty(), "{}", disagreeing.join("\n"));
}

fn differences(case: &TagCase, reading: &Reading) -> Vec<String> {
    let wanted: [(&str, Option<Value>, Value); 6] = [
        ("channels", case.channels.as_ref().map(|want| json!(want)), channels(reading)),
        ("steps", case.steps.as_ref().map(|want| json!(want)), steps(reading)),
        ("notices", case.notices.as_ref().map(|want| json!(want)), json!(reading.notices)),
        ("reclassify", case.reclassify.clone(), reclassify(reading)),
        ("params", case.params.as_ref().map(|want| json!(want)), params(reading)),
        ("segments", case.segments.as_ref().map(|want| json!(want)), segments(case, reading)),
    ];
    let wanted = wanted.into_iter().filter_map(|(what, want, got)| Some((what, want?, got)));
    let differs = wanted.filter(|(_, want, got)| want != got);
    differs
        .map(|(what, want, got)| format!("{}: {what}\n  want {want}\n  got  {got}", case.name))
        .collect()
}

fn channels(reading: &Reading) -> Value {
    let channels = reading.channels().into_iter();
    let texts: BTreeMap<_, _> = channels.map(|name| (name, reading.channel(name))).collect();
    json!(texts)
}

fn steps(reading: &Reading) -> Value {
    let emitted = |step: &&Step| !matches!(step, Step::Reclassify { .. });
    reading.steps.iter().filter(emitted).map(Step::row).collect()
}

fn reclassify(reading: &Reading) -> Value {
    let mut all = reading.steps.iter().filter_map(|step| match step {
        Step::Reclassify { from, to, channel } => Some(json!([from, to, channel])),
        _ => None,
    });
    all.next().unwrap_or_default()
}

fn params(reading: &Reading) -> Value {
    let first = reading.steps.iter().find_map(|step| match step {
        Step::Open { params, .. } => Some(params.clone()),
        _ => None,
    });
    json!(first.map(|params| params.into_iter().collect::<BTreeMap<_, _>>()))
}

/// The texts of a channel, one for each run. No case has one that another element parts.
fn segments(case: &TagCase, reading: &Reading) -> Value {
    let channels = case.segments.iter().flat_map(|segments| segments.keys());
    let texts_of = |of: &str| -> Vec<String> {
        let texts = reading.steps.iter().filter_map(|step| match step {
            Step::Text { channel, text } if channel == of => Some(text.clone()),
            _ => None,
        });
        texts.collect()
    };
    let texts: BTreeMap<_, _> = channels.map(|of| (of.clone(), texts_of(of))).collect();
    json!(texts)
}

#[test]
fn every_reading_accounts_for_its_text() {
    std::thread::scope(|scope| {
        for (name, profile) in table::profiles() {
            scope.spawn(move || generated_readings_account_for_their_texts(&name, &profile));
        }
    });
}

fn generated_readings_account_for_their_texts(name: &str, profile: &Profile) {
    let mut rng = Rng::new(name.bytes().map(u64::from).sum());
    for _ in 0..20_000 {
        let start_in = generate::start_in(&mut rng, profile);
        let text = generate::text(&mut rng, profile);
        let reading = read(profile, &text, start_in);
        if let Err(why) = accounts_for(&reading, &text, start_in) {
            panic!("{name} in {start_in:?}: {why}\n{text:?}\n{reading:#?}");
        }
    }
}

/// Whether the steps cover the text in order, and elements close once and inner first.
fn accounts_for(reading: &Reading, text: &str, start_in: Option<&str>) -> Result<(), String> {
    let mut at = 0;
    let mut open: Vec<&str> = start_in.into_iter().collect();
    let mut texts_touch = false;
    for (step, span) in reading.steps.iter().zip(&reading.spans) {
        if span.start != at {
            return Err(format!("{step:?} begins at {} and not at {at}", span.start));
        }
        at = span.end;
        match step {
            Step::Open { name, .. } => open.push(name),
            Step::Close { name, .. } if open.pop() != Some(name) => {
                return Err(format!("{name} is not the innermost"));
            }
            Step::Text { text: emitted, .. } if *emitted != text[span.clone()] || texts_touch => {
                return Err(format!("{emitted:?} is not the text there, or not all of it"));
            }
            Step::Reclassify { to, .. } if *to > at => return Err("still to come".to_owned()),
            _ => {}
        }
        texts_touch = matches!(step, Step::Text { .. });
    }
    let is_all = at == text.len() && open.is_empty();
    if is_all { Ok(()) } else { Err(format!("ends at {at} with {open:?} open")) }
}

#[test]
fn generated_texts_reach_everything() {
    let mut reached = BTreeMap::new();
    for (_, profile) in table::profiles() {
        let mut rng = Rng::new(1);
        for _ in 0..2_000 {
            let start_in = generate::start_in(&mut rng, &profile);
            let reading = read(&profile, &generate::text(&mut rng, &profile), start_in);
            for step in &reading.steps {
                *reached.entry(kind(step)).or_insert(0) += 1;
            }
            for notice in &reading.notices {
                let code = notice.split(':').next().unwrap_or_default();
                *reached.entry(code.to_owned()).or_insert(0) += 1;
            }
        }
    }
    let rare: Vec<_> = EVERYTHING.iter().filter(|kind| reached.get(**kind) < Some(&5)).collect();
    assert!(rare.is_empty(), "{rare:?} of {reached:?}");
}

/// Steps, reasons and notices.
const EVERYTHING: [&str; 18] = [
    "open",
    "text",
    "stray",
    "comment",
    "reclassify",
    "observed",
    "end_of_input",
    "reopened",
    "close_through",
    "mismatched",
    "sibling_opener",
    "interrupted",
    "stray_closer",
    "unclosed_element",
    "mismatched_marker",
    "fence_hid_markers",
    "comment_hid_markers",
    "json_string_unclosed",
];

fn kind(step: &Step) -> String {
    match step {
        Step::Close { reason, .. } => reason.name().to_owned(),
        step => step.row()[0].as_str().unwrap_or_default().to_owned(),
    }
}
