//! `xml_field`, against an independent reader of whole texts.

use testkit::fielded::{compare, is_counted, members, spec};
use testkit::generate::Rng;
use testkit::generate::fields::{sample, spoilt};
use testkit::laws;
use testkit::oracle::Json;
use testkit::oracle::fields::table::{self, FormatCase};
use testkit::oracle::fields::{Format, Schema};
use testkit::record::run_whole;

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
