//! `xml_field`, against an independent reader of whole texts.

use patchwire::{Limit, Limits, Spec};
use testkit::eager::{Alphabet, check_xml_field};
use testkit::event_log::run_whole;
use testkit::field_agreement::{compare, declared, is_counted, members, spec};
use testkit::generate::Rng;
use testkit::generate::fields::{sample, spoilt};
use testkit::oracle::Json;
use testkit::oracle::fields::table::{self, FormatCase};
use testkit::oracle::fields::{Format, Schema, Type};
use testkit::{extent, laws, pairs};

/// Longest case whose cuttings are all proven here; longer ones are for `--bin prove`.
const MOST_PROVEN: usize = 180;

fn cases() -> impl Iterator<Item = FormatCase> {
    let all = table::cases().into_iter().chain(table::decided());
    all.filter(|case| case.format == Format::XmlField)
}

#[test]
fn each_case_gives_its_fields() {
    let mut wrong = Vec::new();
    for case in cases() {
        let run = run_whole(&spec(Format::XmlField, Some(&case.schema)), case.input.as_bytes());
        let got = members(&run).map(|members| Json::Object(members).sorted());
        let want = case.expected.clone().sorted();
        if got.as_ref() != Ok(&want) {
            wrong.push(format!("{}: {:?}\n  want {want}\n  got  {got:?}", case.name, case.input));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn each_case_obeys_the_laws() {
    let mut wrong = Vec::new();
    for case in cases() {
        for schema in [Some(&case.schema), None] {
            if let Err(why) = laws::all(&spec(Format::XmlField, schema), case.input.as_bytes()) {
                wrong.push(format!("{}: {why}", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn generated_documents_are_read_back() {
    let mut rng = Rng::new(11);
    for _ in 0..2_000 {
        let sample = sample(&mut rng, Format::XmlField);
        agree(Some(&sample.schema), &sample.text);
        let run = run_whole(&spec(Format::XmlField, Some(&sample.schema)), sample.text.as_bytes());
        let members = members(&run).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(Json::Object(members).sorted(), sample.object().sorted(), "{:?}", sample.text);
    }
}

#[test]
fn spoilt_texts_are_read_as_the_oracle_reads_them() {
    let mut rng = Rng::new(12);
    for _ in 0..20_000 {
        let (schema, text) = spoilt(&mut rng, Format::XmlField);
        agree(Some(&schema), &text);
    }
}

fn agree(schema: Option<&Schema>, text: &str) {
    compare(Format::XmlField, schema, text, is_counted).unwrap_or_else(|why| panic!("{why}"));
}

/// All inputs of some symbols after a start in a root tag.
fn eager(start: &str, symbols: &[&str], most: usize) {
    let schema = Schema::new([("a", Type::Str), ("b", Type::Str), ("j", Type::Any)]);
    let start = format!("<agently_output>{start}");
    match check_xml_field(Some(&schema), Alphabet { start: &start, symbols, most }) {
        Ok(explored) => assert!(explored.inputs > symbols.len(), "{explored:?}"),
        Err(why) => panic!("{why}"),
    }
}

const FIELD: &str = "<field name=\"a\">";

fn eager_in_field(start: &str, symbols: &[&str], most: usize) {
    eager(&format!("{FIELD}{start}"), symbols, most);
}

#[test]
fn nothing_is_held_but_what_may_close_a_field() {
    eager_in_field("", &["<", "\n", " ", "x", "/"], 4);
    eager_in_field("x", &["</field>", " ", "<", "x"], 11);
    eager_in_field("x</field", &[" ", ">", "/", "<", "x"], 4);
    eager_in_field("x</field>", &["<field", " ", "/", ">", "x"], 8);
    eager_in_field("x</field>", &["</agently_output", "<!--", ">", "\n", "x"], 18);
    eager_in_field("x</field>", &["`", "\n", " ", "<", "x"], 5);
}

#[test]
fn nothing_is_held_but_what_may_open_the_next_field() {
    eager_in_field("x\n", &["<field", " ", "/", ">", "x"], 7);
    eager_in_field("x\n <field ", &["name=", "b", "\"", ">", " "], 7);
    eager_in_field("x\n <field name=", &["b", "&", "\"", "x", ">"], 3);
    eager_in_field("x\n <field name='", &["&amp", ";", "b", "'"], 5);
    eager_in_field("x\n<field x=", &["b", "\"", "'", " ", ">"], 3);
}

#[test]
fn nothing_is_held_but_what_may_end_a_section() {
    eager_in_field("", &["<![CDATA[", " ", "<", "x"], 11);
    eager_in_field("<![CDATA[", &["]", ">", "<", " ", "x"], 5);
    eager_in_field("<![CDATA[x]]>", &["</field>", " ", "]", "<"], 10);
    eager_in_field("<![CDATA[x]]></field>", &["<field ", "</agently_output>", " ", "]"], 18);
}

#[test]
fn nothing_is_held_between_fields() {
    eager("", &["<", "/", "field", " ", ">", "x"], 8);
    eager("", &["<!--", "-", ">", "<", "`"], 7);
    eager("<field", &[" ", "name=", "a", "\"", "/", ">"], 8);
}

#[test]
fn nothing_is_held_in_a_field_of_json() {
    let field = "<field name=\"j\" type=\"json\">";
    eager(&format!("{field}\""), &["\"", "\\", "</field>", "x"], 10);
    eager(&format!("{field}```\n[\"\", "), &["\"", "\n", "]", "x"], 5);
}

#[test]
fn no_cutting_of_the_cases_matters() {
    for case in cases().filter(|case| case.input.len() <= MOST_PROVEN) {
        for schema in [Some(&case.schema), None] {
            if let Err(why) = pairs::prove(&spec(Format::XmlField, schema), case.input.as_bytes()) {
                panic!("{}: {why}", case.name);
            }
        }
    }
}

#[test]
fn spoilt_texts_obey_the_laws() {
    let mut rng = Rng::new(13);
    for at in 0..extent::inputs(200) {
        let (schema, text) = spoilt(&mut rng, Format::XmlField);
        let tight = Limits::default().with(Limit::Held, 3);
        let builder = Spec::builder().format(patchwire::Format::XmlField).limits(tight);
        let tight = builder.schema(declared(&schema)).build().expect("the settings agree");
        for spec in [spec(Format::XmlField, Some(&schema)), spec(Format::XmlField, None), tight] {
            if let Err(why) = laws::all(&spec, text.as_bytes()) {
                panic!("text {at}: {why}");
            }
        }
    }
}
