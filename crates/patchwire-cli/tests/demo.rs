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

#[test]
fn it_fits_on_80_columns() {
    for line in GOLDEN.lines().chain(TAGS.lines()) {
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
