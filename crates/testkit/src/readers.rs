//! Readers of JSON with slips that commands compare: patchwire, and the libraries of others where they are
//! installed.

use std::io::Write;
use std::process::{Command, Stdio};

use patchwire::Spec;
use serde_json::Value;

/// Answers each line, a text as JSON, with the text of a value as JSON, or with `null` if it has none.
const JSON_REPAIR: &str = "
import sys, json, json_repair
def read(text):
    try: return json.dumps(json_repair.loads(text))
    except Exception: return None
for line in sys.stdin: print(json.dumps(read(json.loads(line))))";

/// A program for node with the package of npm, which answers lines as that for python does.
const JSONREPAIR: &str = "
const { jsonrepair } = require('jsonrepair')
const read = text => { try { return jsonrepair(text) } catch { return null } }
const lines = require('fs').readFileSync(0, 'utf8').split('\\n').filter(line => line)
console.log(lines.map(line => JSON.stringify(read(JSON.parse(line)))).join('\\n'))";

/// The value that the lenient parser of patchwire gives, with its finalizer; none if it finds no value.
#[must_use]
pub fn patchwire(text: &str) -> Option<Value> {
    let mut parser = Spec::json().parser();
    parser.feed(text, |_| {}).ok()?;
    let answer = parser.finish(|_| {}).ok()?;
    let value = answer.value();
    value.exists().then(|| serde_json::from_str(&value.to_string()).ok())?
}

/// What the Python package `json_repair` gives for each text; none if `python3` does not have it.
#[must_use]
pub fn json_repair(texts: &[&str]) -> Option<Vec<Option<Value>>> {
    answers(Command::new("python3").args(["-c", JSON_REPAIR]), texts)
}

/// What the npm package `jsonrepair` gives for each text; none if `node` does not find it in `node_modules` or
/// in `NODE_PATH`.
#[must_use]
pub fn jsonrepair(texts: &[&str]) -> Option<Vec<Option<Value>>> {
    answers(Command::new("node").args(["-e", JSONREPAIR]), texts)
}

/// The answers of a program that answers each line with one line; none if it answers fewer.
fn answers(program: &mut Command, texts: &[&str]) -> Option<Vec<Option<Value>>> {
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = program.spawn().ok()?;
    let lines: String = texts.iter().map(|text| format!("{}\n", Value::from(*text))).collect();
    let mut input = child.stdin.take();
    let writer = std::thread::spawn(move || {
        // A program that is not there closes the pipe.
        input.as_mut().map(|input| input.write_all(lines.as_bytes()).is_ok())
    });
    let output = child.wait_with_output();
    let _ = writer.join();
    let output = String::from_utf8(output.ok()?.stdout).ok()?;
    let found: Vec<Option<Value>> = output.lines().map(answered).collect();
    (found.len() == texts.len()).then_some(found)
}

fn answered(line: &str) -> Option<Value> {
    let text: Option<String> = serde_json::from_str(line).ok()?;
    serde_json::from_str(&text?).ok()
}
