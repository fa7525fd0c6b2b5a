use std::process::Command;

use crate::run::{lines, patchwire};

/// To bless: `patchwire demo > crates/patchwire-cli/tests/golden/demo.txt`.
const GOLDEN: &str = include_str!("golden/demo.txt");
/// To bless: `patchwire demo tags > crates/patchwire-cli/tests/golden/demo-tags.txt`.
const TAGS: &str = include_str!("golden/demo-tags.txt");

#[test]
fn what_is_piped_is_the_same_each_time() {
    for args in [&["demo"][..], &["demo", "json"], &["demo", "--speed", "0.01"]] {
        assert_eq!(patchwire(args, "").ok(), GOLDEN.replace("\r\n", "\n"));
    }
    assert_eq!(patchwire(&["demo", "tags"], "").ok(), TAGS.replace("\r\n", "\n"));
}

/// To bless: `patchwire demo NAME > crates/patchwire-cli/tests/golden/demo-NAME.txt`.
const FORMATS: [(&str, &str); 5] = [
    ("xml_field", include_str!("golden/demo-xml_field.txt")),
    ("hybrid", include_str!("golden/demo-hybrid.txt")),
    ("markdown", include_str!("golden/demo-markdown.txt")),
    ("yaml_literal", include_str!("golden/demo-yaml_literal.txt")),
    ("text", include_str!("golden/demo-text.txt")),
];

#[test]
fn each_format_has_its_own() {
    for (name, golden) in FORMATS {
        assert_eq!(patchwire(&["demo", name], "").ok(), golden.replace("\r\n", "\n"), "{name}");
        let hyphened = patchwire(&["demo", &name.replace('_', "-"), "--json"], "").ok();
        let last = lines(&hyphened).pop().expect("there are events");
        assert_eq!(last["event"], "final", "{name}");
    }
}

/// What each was made to show: text that looks like the format, and a value that is none.
#[test]
fn the_formats_show_what_is_hard() {
    let value = |name| {
        let events = lines(&patchwire(&["demo", name, "--json"], "").ok());
        events.last().expect("there are events")["value"].clone()
    };
    let field = value("xml_field");
    assert!(field["note"].as_str().is_some_and(|text| text.starts_with("A </field> in")));
    assert_eq!(field["stars"]["clear"][1].to_string(), "4.5");
    let hybrid = value("hybrid");
    assert!(hybrid["script"].as_str().is_some_and(|text| text.contains("\n### not a header")));
    assert_eq!((&hybrid["steps"][1]["min"], &hybrid["safe"]), (&4.into(), &true.into()));
    let yaml = value("yaml_literal");
    assert_eq!(yaml["tip"], "A cold oven saves no time.\nSteam helps.");
    assert_eq!((&yaml["done"], &yaml["times"][1]["min"]), (&"yes".into(), &40.into()));
    assert!(
        value("markdown")["summary"].as_str().is_some_and(|text| text.contains("\n## Verdict"))
    );
}

#[test]
fn it_fits_on_80_columns() {
    let before_the_value = |text: &'static str| text.split("\nThe value").next().unwrap_or(text);
    let formats = FORMATS.iter().flat_map(|(_, golden)| before_the_value(golden).lines());
    for line in GOLDEN.lines().chain(TAGS.lines()).chain(formats) {
        assert!(line.chars().count() <= 80 && line.trim_end() == line, "{line}");
    }
}

#[test]
fn colours_are_for_who_wants_them() {
    let coloured = |name, value| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_patchwire"));
        command.arg("demo").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env(name, value);
        let output = command.output().expect("the command was built");
        output.stdout.contains(&b'\x1b')
    };
    assert!(!coloured("NO_COLOR", "1"));
    assert!(coloured("CLICOLOR_FORCE", "1"));
}

#[test]
fn as_json_it_is_what_parse_prints() {
    let events = lines(&patchwire(&["demo", "--json"], "").ok());
    let last = events.last().expect("there are events");
    assert_eq!((&last["event"], &last["outcome"]), (&"final".into(), &"repaired".into()));
    assert_eq!(last["value"]["days"][0]["budget"].to_string(), "45.5");
    assert!(events.iter().filter(|event| event["event"] == "patch").count() > 50);
}

#[test]
fn the_tags_show_what_can_go_wrong() {
    let out = patchwire(&["demo", "tags", "--json"], "").ok();
    let reasons: Vec<String> = lines(&out)
        .iter()
        .filter(|event| event["event"] == "element_close")
        .map(|event| event["reason"].as_str().expect("there is one").to_owned())
        .collect();
    assert_eq!(reasons, ["observed", "observed", "reopened", "observed"]);
    let stray = lines(&out).into_iter().find(|event| event["event"] == "stray");
    assert_eq!(stray.expect("there is one")["name"], "scratch_pad");
    let last = lines(&out).pop().expect("there are events");
    let text = last["text"].as_str().expect("it is text");
    assert!(text.starts_with("Pack light: ") && text.ends_with(" pastel!"), "{text}");
    assert!(!text.contains("Monday") && !text.contains('<'), "{text}");
}
