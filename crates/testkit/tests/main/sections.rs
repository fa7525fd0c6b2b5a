//! Sections under headers: the cases, the laws, and the oracle.

use patchwire::{Leniency, Limit, Limits, Spec, SpecBuilder, Strictness, TagSet};
use testkit::cuts::{Cuts, in_two};
use testkit::differential::sections::{difference, fields, notices};
use testkit::eager::{Alphabet, check_sections};
use testkit::event_log::{run_cut, run_whole};
use testkit::field_agreement::{declared, finds_fields};
use testkit::generate::Rng;
use testkit::generate::fields::sample;
use testkit::generate::fields::spoilt::{self, every};
use testkit::oracle::Json;
use testkit::oracle::fields::table::{self, FormatCase};
use testkit::oracle::fields::{FieldsReading, Format, Schema, Type, Value, read};
use testkit::{extent, hostile, laws, pairs};

const SEED: u64 = 20_261_123;
const FORMATS: [Format; 2] = [Format::Hybrid, Format::Markdown];

fn builder(format: Format) -> SpecBuilder {
    let format = match format {
        Format::Hybrid => patchwire::Format::Hybrid,
        _ => patchwire::Format::Markdown,
    };
    Spec::builder().format(format).without_tags()
}

fn spec(format: Format, schema: &Schema) -> Spec {
    builder(format).schema(declared(schema)).build().expect("the settings agree")
}

fn agrees(spec: &Spec, text: &str, reading: &FieldsReading, name: &str) {
    for cuts in [Cuts::none(), Cuts::bytewise(text.len())] {
        let run = run_cut(spec, text.as_bytes(), &cuts);
        assert!(run.result.is_ok(), "{name}: {:?} of {text:?}", run.result);
        if let Some(why) = difference(&run, reading) {
            panic!("{name}, {cuts}:\n{text}\n{text:?}\n  {why}");
        }
    }
}

fn cases() -> impl Iterator<Item = FormatCase> {
    let all = table::cases().into_iter().chain(table::decided()).chain(table::regressions());
    all.filter(|case| FORMATS.contains(&case.format))
}

#[test]
fn sections_give_what_the_cases_say() {
    for case in cases() {
        let spec = spec(case.format, &case.schema);
        let reading = read(case.format, &case.input, Some(&case.schema));
        let name = format!("{} {}", case.format.name(), case.name);
        agrees(&spec, &case.input, &reading, &name);
        let got = Json::Object(fields(&run_whole(&spec, case.input.as_bytes()))).sorted();
        let not_json = |value: &Value| value.known().is_none();
        if !reading.fields.iter().any(|field| not_json(&field.value))
            || case.name == "bad_json_no_value"
        {
            assert_eq!(got, case.expected.sorted(), "{name}");
        }
        let run = run_whole(&spec, case.input.as_bytes());
        let (noticed, is_late) = (notices(&run), finds_fields(&run));
        let is_emitted = |code: &&String| !(is_late && **code == "missing_field");
        let emitted = case.notices.iter().filter(is_emitted);
        let missing: Vec<_> = emitted.filter(|code| !noticed.contains(code.as_str())).collect();
        let known = reading.is_sure() || case.name == "bad_json_no_value";
        assert!(missing.is_empty() || !known, "{name}: no {missing:?} in {noticed:?}");
    }
}

#[test]
fn no_cut_in_two_of_the_cases_matters() {
    for case in cases() {
        let spec = spec(case.format, &case.schema);
        let input = case.input.as_bytes();
        let whole = run_whole(&spec, input);
        for cuts in in_two(input.len()).chain([Cuts::bytewise(input.len())]) {
            let found = whole.difference(&run_cut(&spec, input, &cuts));
            assert_eq!(found, None, "{}, {cuts}", case.name);
        }
    }
}

#[test]
fn the_cases_obey_the_laws() {
    for case in cases() {
        for (name, spec) in ways(&case.schema) {
            if let Err(why) = laws::all(&spec, case.input.as_bytes()) {
                panic!("{}, under {name}: {why}", case.name);
            }
        }
    }
}

/// Ways of reading that differ.
fn ways(schema: &Schema) -> Vec<(&'static str, Spec)> {
    let schema = || declared(schema);
    let tight = || Limits::default().with(Limit::Held, 3);
    let [hybrid, markdown] = FORMATS.map(|format| move || builder(format));
    let ways = [
        ("hybrid", hybrid().schema(schema())),
        ("markdown", markdown().schema(schema())),
        ("free", hybrid()),
        ("tight", hybrid().schema(schema()).limits(tight())),
        ("tight_free", markdown().limits(tight())),
        ("tagged", hybrid().schema(schema()).tags(TagSet::think())),
        ("bare", hybrid().schema(schema()).without_value().without_raw()),
        ("strict", hybrid().schema(schema()).strictness(Strictness::Strict)),
        (
            "exact",
            hybrid()
                .schema(schema())
                .forbid(Leniency::HeaderNames)
                .forbid(Leniency::HeaderEchoes)
                .forbid(Leniency::ScaffoldLines),
        ),
    ];
    ways.into_iter().map(|(name, way)| (name, way.build().expect("the settings agree"))).collect()
}

#[test]
fn no_cutting_of_the_cases_matters() {
    for case in cases().filter(|case| case.input.len() <= 100) {
        for (name, spec) in ways(&case.schema) {
            if let Err(why) = pairs::prove(&spec, case.input.as_bytes()) {
                panic!("{}, under {name}: {why}", case.name);
            }
        }
    }
}

#[test]
fn sections_are_what_the_oracle_reads() {
    for format in FORMATS {
        let mut rng = Rng::new(SEED);
        for at in 0..2_000 {
            let sample = sample(&mut rng, format);
            let reading = read(format, &sample.text, Some(&sample.schema));
            let name = format!("{} {at} of seed {SEED}", format.name());
            agrees(&spec(format, &sample.schema), &sample.text, &reading, &name);
        }
    }
}

#[test]
fn spoilt_sections_are_what_the_oracle_reads() {
    for format in FORMATS {
        let mut rng = Rng::new(SEED);
        for at in 0..6_000 {
            let (schema, text) = spoilt::spoilt(&mut rng, format);
            let reading = read(format, &text, Some(&schema));
            let name = format!("{} {at} of seed {SEED}, {schema:?}", format.name());
            agrees(&spec(format, &schema), &text, &reading, &name);
        }
    }
}

#[test]
fn all_short_sections_are_what_the_oracle_reads() {
    let schema = spoilt::schema();
    for format in FORMATS {
        let spec = spec(format, &schema);
        for text in every(format, 5) {
            agrees(&spec, &text, &read(format, &text, Some(&schema)), format.name());
        }
    }
}

#[test]
fn generated_sections_obey_the_laws() {
    let mut rng = Rng::new(SEED);
    for at in 0..extent::inputs(300) {
        let format = FORMATS[at as usize % 2];
        let (schema, text) = spoilt::spoilt(&mut rng, format);
        let ways = ways(&schema);
        for (name, spec) in &ways {
            if let Err(why) = laws::all(spec, text.as_bytes()) {
                panic!("text {at} of seed {SEED}, under {name}, {schema:?}: {why}");
            }
        }
        let (name, spec) = &ways[rng.below(ways.len())];
        let short = &text.as_bytes()[..text.len().min(60)];
        if let Err(why) = pairs::prove(spec, short) {
            panic!("text {at} of seed {SEED}, under {name}, {schema:?}: {why}");
        }
    }
}

/// All inputs of some symbols after a start, under one way of reading.
fn eager(way: &str, start: &str, symbols: &[&str], most: usize) {
    let schema = Schema::new([("a", Type::Str), ("b", Type::Str), ("a_b", Type::Str)]);
    let ways = ways(&schema);
    let (_, spec) = ways.iter().find(|(name, _)| *name == way).expect("a way of that name");
    if let Err(why) = check_sections(spec, Alphabet { start, symbols, most }) {
        panic!("{way}, from {start:?}: {why}");
    }
}

#[test]
fn nothing_is_held_but_what_may_be_a_header() {
    // Where as few bytes may be held as a header has, one of them may be sure before the cap is met.
    eager("tight", "# a\nx", &[" ", "a", "\n", "\r", "x"], 7);
    for way in ["hybrid", "free", "exact"] {
        eager(way, "### a\nx", &["#", " ", "a", "\n", "\r", "x"], 6);
        eager(way, "### a\nx\n### ", &["#", " ", "b", "_", "*", "\n", ":"], 5);
        eager(way, "### a\nx\n### b", &["#", " ", "[", "text]", ":", "\n", "_"], 8);
        eager(way, "### a\n", &["<!--", " ", "(", "text)", "-->", "x", "\n"], 12);
        eager(way, "### a\nx\n", &["`", "```", "\n", "### b", " ", "x", ">"], 9);
        eager(way, "x", &["#", " ", "a", "\n", "\r", "x"], 6);
    }
}

#[test]
fn small_hostile_sections_obey_the_laws() {
    let schema = Schema::new([("a", Type::Str), ("b", Type::Str), ("j", Type::Any)]);
    for shape in hostile::sections::SHAPES {
        let input = (shape.make)(56);
        for (name, spec) in ways(&schema) {
            if let Err(why) = laws::all(&spec, &input) {
                panic!("{}, under {name}: {why}", shape.name);
            }
        }
    }
}
