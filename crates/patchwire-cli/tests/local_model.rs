//! `patchwire chat` against a real server, where `PATCHWIRE_LOCAL_MODEL` says that one is there.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use crate::run::{lines, patchwire};
use crate::serve::Server;

#[test]
fn local_model_answers_are_read_as_they_are_written() {
    let Ok(url) = std::env::var("PATCHWIRE_LOCAL_MODEL") else { return };
    let schema = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("local-model.json");
    let written = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "n": {"enum": [1, 2, 3]}},
        "required": ["name", "n"]
    });
    fs::write(&schema, written.to_string()).expect("the folder is there");
    let schema = schema.to_str().expect("it is text");
    let args = [
        "chat",
        "Say anything.",
        "--endpoint",
        &url,
        "--model",
        "tiny",
        "--schema",
        schema,
        "--set",
        "max_tokens=1500",
        "--max-retries",
        "5",
    ];
    let run = patchwire(&args, "");
    let events = lines(&run.out);
    let last = events.last().expect("there is a last event");
    let patches = events.iter().filter(|event| event["event"] == "patch").count();
    assert!(patches >= 3, "{}", run.out);
    // Of a model of noise not every answer has an end; what has one is of the schema.
    if run.status == Some(0) {
        assert_eq!(last["event"], "final");
        assert!(last["value"]["n"].is_u64(), "{last}");
    } else {
        let broken = run.err.contains("the provider reports");
        // A name of blanks says nothing.
        let blank = run.status == Some(1) && run.err.contains("name");
        assert!(broken || blank, "{}", run.err);
    }
}

#[test]
fn local_model_behind_the_gateway() {
    let Ok(url) = std::env::var("PATCHWIRE_LOCAL_MODEL") else { return };
    let server = Server::start(&["--upstream", &url]);
    let grammar = "root ::= \"### title\\n\" text \"\\n\\n### body\\n\" text \"\\n\"\ntext ::= [a-zA-Z] char{20,60} [a-z.]\nchar ::= [a-zA-Z ,.;0-9]\n";
    let body = json!({
        "model": "tiny",
        "max_tokens": 400,
        "grammar": grammar,
        "messages": [{"role": "user", "content": "Say anything."}],
        "patchwire": {
            "format": "markdown",
            "schema": {"type": "object", "properties": {"title": {"type": "string"}, "body": {"type": "string"}}}
        }
    });
    let answer = server.ask(&body.to_string(), "");
    let events: Vec<serde_json::Value> = answer
        .lines()
        .filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
        .collect();
    let last = events.last().expect("there are events");
    assert_eq!(last["event"], "final", "{answer}");
    for name in ["title", "body"] {
        let deltas: String = events
            .iter()
            .filter(|event| event["event"] == "patch" && event["path"] == name)
            .filter_map(|event| event["delta"].as_str())
            .collect();
        assert!(deltas.len() > 20, "{answer}");
        assert_eq!(last["value"][name], deltas.as_str(), "{answer}");
    }
}
