//! Known errors of other readers of these formats, by name: each text in one piece, at every cut in two,
//! and byte by byte.

use patchwire::{Event, wire::IncludeValues};
use testkit::cuts::{Cuts, in_two};
use testkit::event_log::{run_cut, run_whole};
use testkit::field_agreement::{members, notices, spec};
use testkit::oracle::fields::{Format, Schema, Type};
use testkit::oracle::{Json, foreign};

const FORMATS: [Format; 4] = Format::ALL;
const SECTIONS: [Format; 2] = [Format::Hybrid, Format::Markdown];

fn schema() -> Schema {
    Schema::new([
        ("a", Type::Str),
        ("b", Type::Str),
        ("j", Type::List),
        ("note", Type::Str),
        ("notes", Type::Str),
    ])
}

/// The text gives these fields, however it is cut.
#[track_caller]
fn gives(format: Format, text: &str, want: &str) {
    let spec = spec(format, Some(&schema()));
    let whole = run_whole(&spec, text.as_bytes());
    assert!(whole.result.is_ok(), "{text:?}: {:?}", whole.result);
    let got = members(&whole).map(|members| Json::Object(members).sorted());
    let want = foreign::read(want.as_bytes()).map(|want| want.sorted());
    assert_eq!(got, want, "{}: {text:?}", format.name());
    for cuts in in_two(text.len()).chain([Cuts::bytewise(text.len())]) {
        let found = whole.difference(&run_cut(&spec, text.as_bytes(), &cuts));
        assert_eq!(found, None, "{}: {text:?}, {cuts}", format.name());
    }
}

/// The fields `a` and `b` with these texts, in the layout of the format; the prefix of `a`'s lines is the
/// one that the format needs.
fn written(format: Format, a: &str, b: &str) -> String {
    match format {
        Format::XmlField => format!(
            "<agently_output>\n<field name=\"a\" type=\"text\">\n{a}\n</field>\n\
             <field name=\"b\" type=\"text\">\n{b}\n</field>\n</agently_output>\n"
        ),
        Format::Hybrid | Format::Markdown => format!("### a\n{a}\n\n### b\n{b}\n"),
        Format::YamlLiteral => {
            let indented = |text: &str| -> String {
                let line =
                    |line: &str| if line.is_empty() { "\n".into() } else { format!("  {line}\n") };
                text.split('\n').map(line).collect()
            };
            let (a, b) = (indented(a), indented(b));
            format!("<<<BEGIN AGENTLY_YAML>>>\na: |-\n{a}b: |-\n{b}<<<END AGENTLY_YAML>>>\n")
        }
    }
}

fn object(a: &str, b: &str) -> String {
    serde_json::json!({ "a": a, "b": b }).to_string()
}

/// Deltas of only whitespace were dropped, and with them blank lines and indents.
#[test]
fn blank_lines_and_deltas_of_blanks_are_kept() {
    for a in ["x\n\ny", "x\n\n\n\n  y  z", "x \t y\n \t\nz", "- x\n\n    code\n\n- y"] {
        for format in FORMATS {
            gives(format, &written(format, a, "z"), &object(a, "z"));
        }
    }
}

/// `### note` was taken for the header before its line ended, and `s` began its content.
#[test]
fn a_header_is_decided_when_its_line_ends() {
    for format in SECTIONS {
        let text = "### notes\nx\n### note\ny\n";
        gives(format, text, r#"{"notes": "x", "note": "y"}"#);
        gives(format, "### note\nx\n### notebook\ny\n", r#"{"note": "x\n### notebook\ny"}"#);
        gives(format, "### note\nx\n### b", r#"{"note": "x", "b": ""}"#);
        gives(format, "### note\nx\n### b and more\ny", r#"{"note": "x\n### b and more\ny"}"#);
    }
}

/// A `</field>` in prose or code ended the field, or nothing after it was shown.
#[test]
fn a_closer_in_prose_or_code_ends_no_field() {
    for a in [
        "close it with </field> and go on",
        "```xml\n<field name=\"x\">x</field>\n```\nso",
        "</field>",
        "</field></field> x </field",
        "see <field name=\"b\"> in a line",
    ] {
        gives(Format::XmlField, &written(Format::XmlField, a, "z"), &object(a, "z"));
    }
    let shown = "use </field> to close";
    let text = format!("<agently_output><field name=\"a\">{shown}");
    let run = run_whole(&spec(Format::XmlField, Some(&schema())), text.as_bytes());
    let got = members(&run).map(|members| Json::Object(members).to_string());
    assert_eq!(got.as_deref(), Ok(r#"{"a":"use </field> to close"}"#));
}

/// A header in a code block opened a section.
#[test]
fn headers_in_fences_are_content() {
    for a in [
        "```md\n### b\nx\n```",
        "~~~\n```\n### b\n~~~\nafter",
        "````\n```\n### b\n```\n````",
        "- ```sh\n### b\n  ```",
    ] {
        for format in SECTIONS {
            gives(format, &written(format, a, "z"), &object(a, "z"));
        }
    }
}

/// The marker that ends the document, or its first bytes, were shown as text of the last field.
#[test]
fn the_end_marker_never_leaks_into_a_field() {
    let end = "<<<END AGENTLY_YAML>>>";
    for (value, want) in [
        ("|\n  x\n", "x\n"),
        ("|-\n  x\n", "x"),
        (">\n  x\n  ", "x\n"),
        ("x\n", "x"),
        ("\"x\"\n", "x"),
    ] {
        let text = format!("<<<BEGIN AGENTLY_YAML>>>\na: {value}{end}\nbye");
        gives(Format::YamlLiteral, &text, &serde_json::json!({ "a": want }).to_string());
        let spec = spec(Format::YamlLiteral, Some(&schema()));
        let mut parser = spec.parser();
        for byte in text.as_bytes().chunks(1) {
            let check = |event: Event<'_>| {
                if let Event::Patch(patch) = event {
                    assert!(!patch.delta.contains('<'), "{text:?}: {:?}", patch.delta);
                }
            };
            parser.feed(byte, check).expect("no limit");
        }
    }
    // Text that only begins like the marker is text, all of it.
    let text = format!("<<<BEGIN AGENTLY_YAML>>>\na: |-\n  <<<END AGENTLY\n{end}\n");
    gives(Format::YamlLiteral, &text, r#"{"a": "<<<END AGENTLY"}"#);
}

/// A field whose key or indent was cut by the end of a chunk was not there.
#[test]
fn no_yaml_field_is_lost_at_a_split() {
    let text = "Sure:\n```yaml\nnote: |\n  one\n\n  two\na: >-\n  three\n  four\n\"b\": 'it''s'\n\
                j:\n  - 1\n  - [2, 3]\nnotes: plain: words # no\n```\n";
    let want = r#"{"note": "one\n\ntwo\n", "a": "three four", "b": "it's", "j": [1, [2, 3]],
                   "notes": "plain: words"}"#;
    gives(Format::YamlLiteral, text, want);
    gives(Format::YamlLiteral, &text.replace('\n', "\r\n"), want);
}

/// One field that could not be read made all of the answer an error.
#[test]
fn one_bad_field_leaves_its_neighbours_alone() {
    let texts = [
        (
            Format::XmlField,
            "<agently_output>\n<field name=\"a\">x</field>\n<field name=\"j\" type=\"json\">no list\
             </field>\n<field name=\"b\">y</field>\n</agently_output>",
        ),
        (Format::Hybrid, "### a\nx\n### j\nno list\n### b\ny\n"),
        (
            Format::YamlLiteral,
            "<<<BEGIN AGENTLY_YAML>>>\na: x\nj: !t [1, }\nb: y\n<<<END AGENTLY_YAML>>>\n",
        ),
    ];
    for (format, text) in texts {
        let spec = spec(format, Some(&schema()));
        let whole = run_whole(&spec, text.as_bytes());
        assert!(!notices(&whole).is_empty(), "{text:?}");
        let members = members(&whole).expect("patches that fit");
        for (name, want) in [("a", "x"), ("b", "y")] {
            let found = members.iter().find(|(known, _)| known == name).map(|(_, value)| value);
            assert_eq!(found, Some(&Json::String(want.to_owned())), "{name} of {text:?}");
        }
        for cuts in in_two(text.len()).chain([Cuts::bytewise(text.len())]) {
            let found = whole.difference(&run_cut(&spec, text.as_bytes(), &cuts));
            assert_eq!(found, None, "{text:?}, {cuts}");
        }
    }
}

/// Who looked at the fields on the way got another result in the end.
#[test]
fn looking_on_changes_nothing() {
    for format in FORMATS {
        let text = written(format, "x </field>\n\n### note\n  y", "z");
        let spec = spec(format, Some(&schema()));
        let (mut alone, mut looked_at) = (spec.parser(), spec.parser());
        let (mut one, mut other) = (Vec::new(), Vec::new());
        for byte in text.as_bytes().chunks(1) {
            alone
                .feed(byte, |event| one.push(event.wire(IncludeValues::All).to_string()))
                .expect("fine");
            looked_at
                .feed(byte, |event| other.push(event.wire(IncludeValues::All).to_string()))
                .expect("fine");
            drop((looked_at.value().to_string(), looked_at.held(), looked_at.clone()));
        }
        let alone = alone.finish(|event| one.push(event.wire(IncludeValues::All).to_string()));
        let looked_at =
            looked_at.finish(|event| other.push(event.wire(IncludeValues::All).to_string()));
        assert_eq!(one, other, "{text:?}");
        let value = |answer: patchwire::Answer| answer.value().to_string();
        assert_eq!(alone.map(value), looked_at.map(value), "{text:?}");
    }
}

/// Whatever object was found was taken for the answer.
#[test]
fn an_object_that_shares_no_key_with_the_schema_is_not_taken() {
    for format in FORMATS {
        for text in ["{\"x\": 1}", "```json\n{\"name\": \"f\", \"arguments\": {}}\n```\n", "[1, 2]"]
        {
            gives(format, text, "{}");
            let answer = spec(format, Some(&schema())).parse(text).expect("no limit");
            let value = answer.value();
            assert!(!value.exists() || value.is_empty(), "{}: {text:?}: {value}", format.name());
        }
    }
}
