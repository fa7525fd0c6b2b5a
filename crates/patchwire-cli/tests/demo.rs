use std::process::Command;

use crate::run::{lines, patchwire};

/// To bless: `patchwire demo > crates/patchwire-cli/tests/golden/demo.txt`.
const GOLDEN: &str = include_str!("golden/demo.txt");

#[test]
fn what_is_piped_is_the_same_each_time() {
    for args in [&["demo"][..], &["demo", "json"], &["demo", "--speed", "0.01"]] {
        assert_eq!(patchwire(args, "").ok(), GOLDEN.replace("\r\n", "\n"));
    }
}

#[test]
fn it_fits_on_80_columns() {
    assert!(GOLDEN.lines().all(|line| line.chars().count() <= 80));
    assert!(GOLDEN.lines().all(|line| line.trim_end() == line));
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
