//! The folder in which a table is made: what is kept, what is made anew, and what is never touched.

use std::fs;
use std::thread::yield_now;

use serde_json::json;

use super::{Folder, OUTPUTS, json_lines, stopped_run};
use crate::run::spawn;

/// More rows than parts of three rows take at once.
fn twenty() -> String {
    let outputs: Vec<Option<&str>> = OUTPUTS.iter().copied().cycle().take(20).collect();
    json_lines(&outputs)
}

const ARGS: [&str; 5] = ["@in.jsonl", "--part-rows", "3", "--out", "@out.jsonl"];

#[test]
fn a_folder_of_somebody_else_is_refused_and_left() {
    for (file, words) in
        [("thesis.txt", "`thesis.txt`"), ("part-000000.jsonl", "`part-000000.jsonl`")]
    {
        let folder = Folder::new(&format!("foreign-{file}"));
        folder.write("in.jsonl", json_lines(&OUTPUTS));
        fs::create_dir(folder.0.join("out.jsonl.partial")).expect("it can be made");
        let foreign = format!("out.jsonl.partial/{file}");
        folder.write(&foreign, "years of work");
        let run = folder.batch(&["@in.jsonl", "--out", "@out.jsonl"]);
        let (status, _, err) = run.failed();
        assert_eq!(status, Some(2));
        for word in ["out.jsonl.partial", words, "move it away", "`--out`"] {
            assert!(err.contains(word), "{err}");
        }
        assert_eq!(folder.read(&foreign), b"years of work");
        assert!(!folder.has("out.jsonl"));
    }
}

/// What is put beside the parts stays, also if the parts are of other settings.
#[test]
fn a_file_beside_the_parts_is_left() {
    let folder = Folder::new("beside");
    folder.write("in.jsonl", twenty());
    stopped_run(&folder, &ARGS, "out.jsonl");
    let own = "out.jsonl.partial/notes.txt";
    folder.write(own, "mine");
    for more in [&[][..], &["--as", "other"]] {
        let run = folder.batch(&[&ARGS[..], more].concat());
        assert!(run.failed().2.contains("`notes.txt`"), "{}", run.err);
        assert_eq!(folder.read(own), b"mine");
    }
    fs::remove_file(folder.0.join(own)).expect("it is there");
    let notes = folder.converts(&ARGS);
    assert!(notes.contains("rows of an earlier run, and "), "{notes}");
}

/// A run that ended before it said what its parts depend on left an empty folder.
#[test]
fn an_empty_folder_is_used() {
    let folder = Folder::new("bare");
    folder.write("in.jsonl", twenty());
    fs::create_dir(folder.0.join("out.jsonl.partial")).expect("it can be made");
    folder.converts(&ARGS);
    assert_eq!(folder.rows("out.jsonl").len(), 20);
    assert!(!folder.has("out.jsonl.partial"));
}

#[test]
fn a_second_run_names_the_first() {
    let folder = Folder::new("two-runs");
    let outputs: Vec<Option<&str>> = OUTPUTS.iter().copied().cycle().take(60_000).collect();
    folder.write("in.jsonl", json_lines(&outputs));
    let args = ["@in.jsonl", "--part-rows", "20", "--out", "@out.jsonl"];
    let (schema, files) = (folder.path("schema.json"), folder.files(&args));
    let fixed = ["batch", "--column", "output", "--schema", &schema];
    let all: Vec<&str> = fixed.into_iter().chain(files.iter().map(String::as_str)).collect();
    let mut first = spawn(&all);
    while !folder.has("out.jsonl.partial/part-000000.jsonl") {
        assert!(first.try_wait().expect("it runs").is_none(), "it ended before it was seen");
        yield_now();
    }
    let second = folder.batch(&args);
    let (status, _, err) = second.failed();
    assert_eq!(status, Some(2));
    for word in ["out.jsonl", &*format!("process {}", first.id()), "wait"] {
        assert!(err.contains(word), "{err}");
    }
    // What a killed run leaves holds up nobody.
    first.kill().expect("it was started");
    first.wait().expect("it ends");
    let notes = folder.converts(&args);
    assert!(notes.contains("rows of an earlier run, and "), "{notes}");
    assert_eq!(folder.rows("out.jsonl").len(), 60_000);
}

/// What shapes a row and is in a file, not in the line of the command.
#[test]
fn parts_are_not_used_if_a_file_of_the_settings_has_changed() {
    let limited = |most| json!({"type": "object", "properties": {"count": {"type": "integer", "maximum": most}}});
    let tags = |name| {
        format!(
            "name = \"own\"\n[[family]]\nname = \"{name}\"\nopen = \"<{name}>\"\nclose = \"</{name}>\"\n\
             channel = \"reasoning\"\n"
        )
    };
    let tools =
        |kind| json!([{"name": "find", "parameters": {"properties": {"n": {"type": kind}}}}]);
    let changes = [
        ("schema.json", limited(5).to_string(), limited(50).to_string()),
        ("tags.toml", tags("aside"), tags("hint")),
        ("tools.json", tools("integer").to_string(), tools("string").to_string()),
    ];
    for (file, before, after) in changes {
        let folder = Folder::new(&format!("changed-{file}"));
        folder.write("in.jsonl", twenty());
        folder.write("tags.toml", tags("aside"));
        folder.write("tools.json", tools("integer").to_string());
        folder.write(file, &before);
        let more = ["--tags", "@tags.toml", "--tools", "@tools.json", "--valid"];
        let args = [&ARGS[..], &more].concat();
        stopped_run(&folder, &args, "out.jsonl");
        folder.write(file, &after);
        let notes = folder.converts(&args);
        assert!(notes.contains(": 20 rows, "), "{file}: {notes}");
    }
}

#[test]
fn an_error_that_no_rerun_cures_leaves_no_folder() {
    let folder = Folder::new("cleared");
    let mut text = json_lines(&OUTPUTS[..1]).repeat(20);
    text.push_str("{\"output\": \"[1]\", \"id\": \"\\ud800\"}\n");
    folder.write("in.jsonl", text);
    let run = folder.batch(&ARGS);
    assert_eq!(run.status, Some(2), "{}", run.err);
    assert!(!folder.has("out.jsonl.partial") && !folder.has("out.jsonl"), "{}", run.err);
}
