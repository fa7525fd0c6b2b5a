//! The streams as their own packages read them: see `tests/js/read.mjs`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use patchwire::{Limit, Limits, Spec};
use patchwire_wire::{AgUi, JsonPatch, Message, Ops, Protocol, Sse, UiMessage};
use serde_json::{Value, json};

use crate::layers::two_attempts;
use crate::streams::{Cuts, written};
use crate::{cases, compact};

type Make = fn() -> Box<dyn Protocol>;

const WIRES: [(&str, Make); 4] = [
    ("ops", || Box::new(Ops::default())),
    ("json-patch", || Box::new(JsonPatch::default())),
    ("ag-ui", || Box::new(AgUi::new("t", "r"))),
    ("ui-message", || Box::new(UiMessage::default())),
];

#[test]
fn their_own_packages_read_the_value() {
    let Some(folder) = packages() else { return };
    let streams = folder.join("streams.ndjson");
    fs::write(&streams, all_streams()).expect("the scratch directory can be written to");
    let output = Command::new("node").current_dir(&folder).arg("read.mjs").arg(&streams).output();
    let output = output.expect("node was there before");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
}

#[test]
fn the_page_shows_the_consumer_that_is_tested() {
    let page = include_str!("../../../docs/wire.md").replace("\r\n", "\n");
    let script = include_str!("js/read.mjs").replace("\r\n", "\n");
    let consumers: Vec<&str> = page
        .split("```js\n")
        .skip(1)
        .map(|after| after.split_once("```").expect("fences are closed").0)
        .collect();
    assert_eq!(consumers.len(), 2);
    for consumer in consumers {
        assert!(script.contains(consumer), "{consumer}");
    }
}

/// A folder with the script and the packages it reads with; none, and a word why, without node or without
/// the registry.
#[expect(clippy::print_stderr, reason = "whoever runs the test is to know that it did nothing")]
fn packages() -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/js");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("js");
    fs::create_dir_all(&folder).expect("the scratch directory can be written to");
    let lock = fs::read(own.join("package-lock.json")).expect("the lock file is there");
    let is_there = fs::read(folder.join("installed.json")).is_ok_and(|known| known == lock);
    for file in ["package.json", "package-lock.json", "read.mjs"] {
        fs::copy(own.join(file), folder.join(file)).expect("the file can be copied");
    }
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("NOT TESTED: there is no `node`, so nobody else's packages read the streams");
        return None;
    }
    if is_there {
        return Some(folder);
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let options = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    match Command::new(npm).args(options).current_dir(&folder).output() {
        Ok(output) if output.status.success() => {
            fs::write(folder.join("installed.json"), lock).expect("it can be written");
            Some(folder)
        }
        Ok(output) => {
            let why = String::from_utf8_lossy(&output.stderr);
            eprintln!("NOT TESTED: `npm ci` cannot get the packages: {why}");
            None
        }
        Err(error) => {
            eprintln!("NOT TESTED: `npm` cannot be run: {error}");
            None
        }
    }
}

fn all_streams() -> String {
    let mut out = String::new();
    // Every other one is enough to learn that a package reads what the tests beside this one read.
    let cases = cases::all();
    for (case, seed) in cases.iter().filter(|case| case.is_main).step_by(2).zip(1..) {
        for (wire, protocol) in WIRES {
            let written = written(&case.spec, &case.input, Cuts::Random(seed), protocol());
            // A value that JavaScript guards against; and streams that broke, which ours read.
            let is_guarded = written.want_text.contains("__proto__") && wire != "ag-ui";
            if written.is_whole && !is_guarded {
                let want = format!(r#"{{"value":{}}}"#, written.want_text);
                push(&mut out, &case.name, wire, &written.messages, &want);
            }
        }
    }
    for (case, seed) in cases.iter().filter(|case| case.is_main).step_by(3).zip(1..) {
        if !case.input.windows(5).any(|window| window == b"proto") {
            let (messages, want) = compact::short(&case.spec, &case.input, Cuts::Random(seed));
            push(&mut out, &case.name, "compact", &messages, &want);
        }
    }
    let limits = Limits::default().with(Limit::Depth, 1);
    let spec = Spec::builder().limits(limits).build().expect("it contradicts nothing");
    for (wire, protocol) in &WIRES[2..] {
        let written = written(&spec, br#"{"a": "xyz", "b": []}"#, Cuts::Bytes, protocol());
        let want = json!({"value": {"a": "xyz"}, "error": "limit `depth` reached"});
        push(&mut out, "broken", wire, &written.messages, &want.to_string());
    }
    for (wire, protocol) in WIRES {
        let messages = two_attempts(&mut *protocol());
        let want = if matches!(wire, "ag-ui" | "ui-message") { with_calls(wire) } else { value() };
        push(&mut out, "two attempts", wire, &messages, &want.to_string());
    }
    out
}

fn value() -> Value {
    json!({"value": {"title": "Draft", "n": [1, 2]}})
}

fn with_calls(wire: &str) -> Value {
    let mut want = value();
    want["text"] = json!("One moment.  There.");
    want["reasoning"] = json!("again");
    let call = json!(["search", {"q": "café", "n": [1, {"deep": true}], "none": {}}]);
    // AG-UI keeps the void call, beside the result that says so.
    let void = json!(["search", {"q": "old"}]);
    want["calls"] = if wire == "ag-ui" { json!([void, call]) } else { json!([call]) };
    want
}

fn push(out: &mut String, name: &str, wire: &str, messages: &[Message], want: &str) {
    let mut sse = Sse::plain();
    let stream: String = match wire {
        "ag-ui" | "ui-message" => messages.iter().map(|message| sse.frame(message)).collect(),
        _ => messages.iter().map(|message| format!("{message}\n")).collect(),
    };
    let (name, stream) = (json!(name), json!(stream));
    writeln!(out, r#"{{"name":{name},"wire":"{wire}","stream":{stream},"want":{want}}}"#)
        .expect("a string can be written to");
}
