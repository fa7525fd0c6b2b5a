//! The formats, through every command that reads.

use crate::run::{Scratch, lines, patchwire};

const SCHEMA: &str = r#"{"title": "str", "count": "int"}"#;

/// Texts that say the same in each format, and its other names.
const SAME: [(&[&str], &str); 4] = [
    (
        &["xml_field", "xml-field"],
        "<answer_fields><field name=\"title\" type=\"text\">Hi</field>\
         <field name=\"count\" type=\"json\">3</field></answer_fields>",
    ),
    (&["hybrid"], "### title\nHi\n\n### count\n3\n"),
    (&["markdown", "flat_markdown", "flat-markdown"], "### title\nHi\n\n### count\n3\n"),
    (
        &["yaml_literal", "yaml-literal"],
        "<<<BEGIN ANSWER_YAML>>>\ntitle: Hi\ncount: 3\n<<<END ANSWER_YAML>>>\n",
    ),
];

#[test]
fn every_command_reads_every_format() {
    let schema = Scratch::new("formats.json", SCHEMA);
    for (names, text) in SAME {
        for name in names {
            let shared = ["--format", name, "--schema", schema.path()];
            let run = |command| {
                let args: Vec<&str> = [command].into_iter().chain(shared).collect();
                patchwire(&args, text).ok()
            };
            let value = &lines(&run("final"))[0];
            assert_eq!(value["title"], "Hi", "{name}");
            assert_eq!(value["count"].to_string().trim_matches('"'), "3", "{name}");
            let events = lines(&run("parse"));
            let deltas: String = events
                .iter()
                .filter(|event| event["path"] == "title")
                .filter_map(|event| event["delta"].as_str())
                .collect();
            assert_eq!(deltas, "Hi", "{name}");
            assert_eq!(events.last().expect("there are events")["event"], "final", "{name}");
            assert!(run("check").contains("no difference"), "{name}");
            assert!(run("trace").contains("title is complete"), "{name}");
        }
    }
}

#[test]
fn without_a_schema_every_name_is_declared() {
    for (names, text) in SAME {
        let out = patchwire(&["final", "--format", names[0]], text).ok();
        assert!(out.starts_with("{\"title\":\"Hi\",\"count\":"), "{out}");
    }
}

#[test]
fn the_names_on_the_wire_can_be_others() {
    let text = "<out><field name=\"a\" type=\"text\">1</field></out>";
    let out = patchwire(&["final", "--format", "xml_field", "--root-tag", "out"], text).ok();
    assert_eq!(out, "{\"a\":\"1\"}\n");
    let text = "<<<BEGIN OUT>>>\na: b\n<<<END OUT>>>\n";
    let out = patchwire(&["final", "--format", "yaml_literal", "--document-name", "OUT"], text);
    assert_eq!(out.ok(), "{\"a\":\"b\"}\n");
    for name in ["", "<out>", "a b"] {
        let run = patchwire(&["final", "--format", "xml_field", "--root-tag", name], text);
        assert_eq!(run.status, Some(2), "{name}");
    }
}

#[test]
fn without_a_field_there_is_no_value() {
    for (name, sought) in [
        ("xml_field", "<field name"),
        ("hybrid", "### name"),
        ("markdown", "### name"),
        ("yaml_literal", "<<<BEGIN"),
    ] {
        let run = patchwire(&["final", "--format", name], "Sorry, I cannot.\n");
        let (status, out, err) = run.failed();
        assert_eq!((status, out), (Some(3), ""), "{name}");
        assert!(err.contains(sought), "{err}");
    }
}
