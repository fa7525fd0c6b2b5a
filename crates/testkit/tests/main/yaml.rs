//! YAML documents: the cases, the laws, and the oracle.

use patchwire::{Answer, Code, Format, Limits, Spec};
use testkit::cuts::in_two;
use testkit::differential::yaml::{notices, spec, streamed, value, wrong};
use testkit::eager::{Alphabet, check_yaml};
use testkit::event_log::{run_cut, run_whole};
use testkit::field_agreement::declared;
use testkit::generate::Rng;
use testkit::generate::fields::spoilt::every;
use testkit::generate::fields::yaml::{self, YamlShape};
use testkit::generate::fields::{Sample, spoilt};
use testkit::oracle::fields::table::{FormatCase, cases, decided, regressions};
use testkit::oracle::fields::{self as oracle, Schema, Type};
use testkit::{laws, pairs, reading_modes, show};

const SEED: u64 = 20_261_123;

fn tight(schema: &Schema) -> Spec {
    let limits: Limits = reading_modes::tight();
    let builder = Spec::builder().format(Format::YamlLiteral).limits(limits);
    builder.schema(declared(schema)).build().expect("the settings agree")
}

fn all_cases() -> Vec<FormatCase> {
    let all = cases().into_iter().chain(decided()).chain(regressions());
    all.filter(|case| case.format == oracle::Format::YamlLiteral).collect()
}

/// Cases of documents that other readers reject: what is expected is only what is sure.
const REJECTED: [&str; 1] = ["rejected_behind_a_field"];

#[test]
fn documents_give_what_the_cases_say() {
    for case in all_cases() {
        let spec = streamed(Some(&case.schema));
        let answer = spec.parse(&case.input).expect("no limit");
        let name = format!("{}: {:?}", case.name, case.input);
        if REJECTED.contains(&&*case.name) {
            continue;
        }
        assert_eq!(value(&answer), case.expected.sorted(), "{name}");
        let found = notices(&answer);
        let is_late = found.contains(&"missing_root") || found.contains(&"format_fallback");
        for code in case.notices.iter().filter(|code| !(is_late && **code == "missing_field")) {
            let same = |found: &&&str| {
                **found == code || code == "duplicate_key" && **found == "duplicate_field"
            };
            assert!(found.iter().any(|it| same(&it)), "{name}: no {code} in {found:?}");
        }
    }
}

#[test]
fn cases_cut_anywhere_are_the_same() {
    for case in all_cases() {
        for spec in [spec(Some(&case.schema)), spec(None)] {
            let input = case.input.as_bytes();
            let whole = run_whole(&spec, input);
            for cuts in in_two(input.len()) {
                let found = whole.difference(&run_cut(&spec, input, &cuts));
                assert_eq!(found, None, "{}, {cuts}", case.name);
            }
        }
    }
}

#[test]
fn the_cases_obey_the_laws() {
    for case in all_cases() {
        for spec in [spec(Some(&case.schema)), spec(None), tight(&case.schema)] {
            if let Err(why) = laws::all(&spec, case.input.as_bytes()) {
                panic!("{}: {why}", case.name);
            }
        }
    }
}

#[test]
fn no_cutting_of_the_cases_matters() {
    for case in all_cases() {
        for spec in [spec(Some(&case.schema)), spec(None)] {
            if let Err(why) = pairs::prove(&spec, case.input.as_bytes()) {
                panic!("{}: {why}", case.name);
            }
        }
    }
}

/// Whole, and in pieces: the answers must be the same.
fn read(spec: &Spec, text: &str, rng: &mut Rng) -> Answer {
    let whole = spec.parse(text).expect("no limit");
    let mut parser = spec.parser();
    let mut from = 0;
    for cut in rng.cuts(text.len()).into_iter().chain([text.len()]) {
        parser.feed(&text.as_bytes()[from..cut], |_| {}).expect("no limit");
        from = cut;
    }
    let cut = parser.finish(|_| {}).expect("no limit");
    let name = show::input(text.as_bytes());
    assert_eq!(value(&whole), value(&cut), "{name}");
    assert_eq!(whole.notices(), cut.notices(), "{name}");
    whole
}

#[test]
fn well_formed_documents_are_read_as_they_are_meant() {
    for shape in YamlShape::ALL {
        let mut rng = Rng::new(SEED);
        for at in 0..2_500 {
            let sample = yaml::sample(&mut rng, shape);
            let answer = read(&spec(Some(&sample.schema)), &sample.text, &mut rng);
            let name = format!("document {at} of seed {SEED}, {shape:?}:\n{}", sample.text);
            assert_eq!(value(&answer), sample.object().sorted(), "{name}\n{:?}", sample.text);
            quiet(&answer, &sample, shape, &name);
        }
    }
}

/// A well-formed document needs no repair.
fn quiet(answer: &Answer, sample: &Sample, shape: YamlShape, name: &str) {
    let fine = ["missing_field", "unknown_field", "yaml_multi_document", "yaml_comment_truncated"];
    for notice in answer.notices() {
        let late = notice.code == Code::Deferred
            && (shape != YamlShape::BLOCKS
                || ["[]", "{", "[ ]", "[\n"].iter().any(|it| sample.text.contains(it)));
        assert!(fine.contains(&notice.code.name()) || late, "{notice:?} in {name}");
    }
}

/// Differences between the engine and the oracle, shortest input first.
fn differences(
    texts: impl Iterator<Item = (Option<Schema>, String)>,
    rng: &mut Rng,
) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for (schema, text) in texts {
        let answer = read(&streamed(schema.as_ref()), &text, rng);
        let reading = oracle::read(oracle::Format::YamlLiteral, &text, schema.as_ref());
        if let Some(why) = wrong(&answer, &reading) {
            let (value, notices) = (value(&answer), notices(&answer));
            found
                .push((text, format!("{why}\n  engine {value} {notices:?}\n  oracle {reading:?}")));
        }
    }
    found.sort_by_key(|(text, _)| text.len());
    found
}

fn none(found: &[(String, String)]) {
    let shown: Vec<String> =
        found.iter().take(40).map(|(text, why)| format!("{text:?}\n  {why}")).collect();
    assert!(found.is_empty(), "{} differences\n{}", found.len(), shown.join("\n"));
}

#[test]
fn spoilt_documents_are_what_the_oracle_reads() {
    let mut rng = Rng::new(SEED);
    let texts: Vec<_> =
        (0..12_000).map(|_| spoilt(&mut rng, oracle::Format::YamlLiteral)).collect();
    let declared = texts.into_iter().map(|(schema, text)| (Some(schema), text));
    none(&differences(declared, &mut rng));
}

#[test]
fn spoilt_documents_without_a_schema_are_what_the_oracle_reads() {
    let mut rng = Rng::new(SEED + 1);
    let texts: Vec<_> =
        (0..6_000).map(|_| (None, spoilt(&mut rng, oracle::Format::YamlLiteral).1)).collect();
    none(&differences(texts.into_iter(), &mut rng));
}

#[test]
fn every_small_document_is_what_the_oracle_reads() {
    let schema = spoilt::schema();
    let texts = every(oracle::Format::YamlLiteral, 4);
    let declared = texts.into_iter().map(|text| (Some(schema.clone()), text));
    none(&differences(declared, &mut Rng::new(SEED)));
}

#[test]
fn spoilt_documents_obey_the_laws() {
    let mut rng = Rng::new(SEED);
    for at in 0..150 {
        let (schema, text) = spoilt(&mut rng, oracle::Format::YamlLiteral);
        let spec = match at % 4 {
            0 => tight(&schema),
            1 => spec(None),
            _ => spec(Some(&schema)),
        };
        if let Err(why) = laws::all(&spec, text.as_bytes()) {
            panic!("text {at} of seed {SEED}: {why}");
        }
        let short = (0..=text.len().min(80)).rev().find(|end| text.is_char_boundary(*end));
        if let Err(why) = pairs::prove(&spec, &text.as_bytes()[..short.unwrap_or(0)]) {
            panic!("text {at} of seed {SEED}: {why}");
        }
    }
}

fn eager(start: &str, symbols: &[&str], most: usize) {
    let schema = Schema::new([("a", Type::Str), ("b", Type::Str), ("j", Type::Any)]);
    let start = format!("<<<BEGIN AGENTLY_YAML>>>\n{start}");
    if let Err(why) = check_yaml(&spec(Some(&schema)), Alphabet { start: &start, symbols, most }) {
        panic!("from {start:?}: {why}");
    }
}

#[test]
fn nothing_is_held_but_what_may_be_no_content() {
    eager("a: |\n  x", &["\n", "  ", "x", "<", "#"], 6);
    eager("a: |+\n", &["\n", "  ", "x", "<"], 7);
    eager("a: >\n  x", &["\n", "  ", "x", " "], 7);
    eager("a: >+\n  x", &["\n", "  ", "x", " "], 7);
    eager("a: |-\n  x", &["\n", "  ", "x"], 7);
    eager("a: x", &["\n", " ", "x", ":", "#", "-"], 6);
    eager("j: x", &["\n", " ", "1", ":", "#"], 6);
    eager("a: \"x", &["\n", " ", "\\", "n", "\"", "x"], 6);
    eager("a: 'x", &["\n", " ", "'", "x"], 7);
}
