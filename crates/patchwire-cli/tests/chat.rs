//! `patchwire chat`, against a server that plays its answers.

use std::net::TcpListener;

use serde_json::{Value, json};

use crate::body::samples::{ANTHROPIC, CALLS, called, stopped};
use crate::model::{Server, refuses, says};
use crate::run::{Run, Scratch, lines, patchwire};

fn ask(url: &str, more: &[&str], input: &str) -> Run {
    let args = [&["chat", "--endpoint", url, "--model", "m-1"], more].concat();
    patchwire(&args, input)
}

fn value(out: &str) -> Value {
    lines(out).pop().expect("there is a last line")["value"].clone()
}

#[test]
fn the_fields_of_an_answer_come_as_events() {
    let server = Server::start(vec![says(r#"{"title": "Rain falls", "lines": [1, 2]}"#)]);
    let out = ask(&server.url, &["Write.", "--set", "temperature=0.5"], "").ok();
    let events = lines(&out);
    let deltas: Vec<&str> = events
        .iter()
        .filter(|event| event["event"] == "patch" && event["path"] == "title")
        .filter_map(|event| event["delta"].as_str())
        .collect();
    assert!(deltas.len() > 1, "{out}");
    assert_eq!(deltas.concat(), "Rain falls");
    assert_eq!(value(&out), json!({"title": "Rain falls", "lines": [1, 2]}));
    let asked = server.asked().remove(0);
    assert!(asked.starts_with("POST /v1/chat/completions"), "{asked}");
    assert!(asked.contains("\"temperature\":0.5") && asked.contains("Write."), "{asked}");
    assert!(!asked.to_lowercase().contains("authorization"), "{asked}");
}

#[test]
fn the_prompt_may_come_from_stdin() {
    let server = Server::start(vec![says("[1]")]);
    let out = ask(&server.url, &["--no-instructions", "--system", "Be brief."], "From a pipe.\n");
    assert_eq!(value(&out.ok()), json!([1]));
    let asked = server.asked().remove(0);
    assert!(asked.contains(r#"{"content":"From a pipe.","role":"user"}"#), "{asked}");
    assert!(asked.contains("Be brief."), "{asked}");
}

#[test]
fn an_answer_that_falls_short_is_asked_for_again() {
    let server = Server::start(vec![says(r#"{"a": 1}"#), says(r#"{"a": 1, "b": "x"}"#)]);
    let out = ask(&server.url, &["Go.", "--ensure", "b"], "").ok();
    assert_eq!(value(&out), json!({"a": 1, "b": "x"}));
    let names: Vec<Value> = lines(&out).iter().map(|event| event["event"].clone()).collect();
    assert!(
        names.contains(&json!("attempt_failed")) && names.contains(&json!("reset")),
        "{names:?}"
    );
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn calls_of_tools_are_an_answer_and_not_asked_for_again() {
    let head = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
    let calls = || Server::start(vec![format!("{head}{}", called("{\"q\": [1, 2]}"))]);
    for strictness in ["lenient", "strict"] {
        let server = calls();
        let out = ask(&server.url, &["Go.", "--strictness", strictness], "").ok();
        let events = lines(&out);
        let names: Vec<&Value> = events.iter().map(|event| &event["event"]).collect();
        assert_eq!(names.first(), Some(&&json!("tool_call")), "{out}");
        assert_eq!(names[names.len() - 2..], [&json!("facts"), &json!("final")], "{out}");
        assert_eq!(server.asked().len(), 1);
        let server = calls();
        let out = ask(&server.url, &["Go.", "--watch", "--strictness", strictness], "").ok();
        assert_eq!(out.trim_end(), CALLS);
        drop(server.asked());
    }
    // Where a value is asked for they are none, and the model waits for its tools all the same.
    let server = calls();
    let run = ask(&server.url, &["Go.", "--ensure", "title"], "");
    let (status, _, error) = run.failed();
    assert_eq!(status, Some(3));
    assert!(error.contains("no value: only tool calls"), "{error}");
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn what_never_passes_is_named() {
    let server = Server::start(vec![says(r#"{"a": 1}"#), says(r#"{"a": 2}"#)]);
    let run = ask(&server.url, &["Go.", "--ensure", "b", "--max-retries", "1"], "");
    let (status, _, error) = run.failed();
    assert_eq!(status, Some(1));
    assert!(error.contains("2 attempts") && error.contains('b'), "{error}");
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn each_attempt_is_recorded_and_can_be_read_again() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("chat-recorded.ndjson");
    drop(std::fs::remove_file(&file));
    let file = file.to_str().expect("it is text");
    let server = Server::start(vec![says(r#"{"a": 1}"#), says(r#"{"b": "Grüße"}"#)]);
    ask(&server.url, &["Go.", "--ensure", "b", "--record", file], "").ok();
    drop(server.asked());
    let recorded = lines(&std::fs::read_to_string(file).expect("it was written"));
    assert_eq!(recorded.len(), 2);
    assert_eq!(recorded[1]["deltas"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        (&recorded[0]["source"], &recorded[0]["provider"]),
        (&json!("m-1"), &json!("openai-chat"))
    );
    let again = patchwire(&["final", file, "--input", "recording"], "").ok();
    assert_eq!(lines(&again), [json!({"a": 1}), json!({"b": "Grüße"})]);
}

/// What the model wrote is recorded: an attempt that never answered, broke before its first word or calls
/// tools is no answer to be rated, and one that is empty is.
#[test]
fn attempts_without_an_answer_leave_no_line() {
    let file = Scratch::new("chat-attempts.ndjson", "");
    let events = |events: &str| format!("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{events}");
    let thought = "data: {\"choices\":[{\"delta\":{\"reasoning\":\"Hm.\"}}]}\n\n";
    let server = Server::start(vec![
        refuses(503, "busy").replace("\r\nconnection", "\r\nretry-after: 0\r\nconnection"),
        events(thought),
        events(&stopped("stop")),
        says("[1]"),
    ]);
    ask(&server.url, &["Go.", "--record", file.path()], "").ok();
    assert_eq!(server.asked().len(), 4);
    let recorded = lines(&std::fs::read_to_string(file.path()).expect("it was written"));
    let deltas: Vec<&Value> = recorded.iter().map(|line| &line["deltas"]).collect();
    assert_eq!(deltas, [&json!([]), &json!(["[1]"])]);
    let server = Server::start(vec![events(&called("{}"))]);
    ask(&server.url, &["Go.", "--record", file.path()], "").ok();
    drop(server.asked());
    let rated = patchwire(&["rate", "--input", "recording", "--json", file.path()], "").ok();
    let rated = lines(&rated);
    assert_eq!((&rated[0]["streams"], &rated[0]["parsed"]), (&json!(2), &json!(1)));
    // What cannot be written is said before anything is asked.
    let run = ask("http://127.0.0.1:1/v1", &["Go.", "--record", "/no/such/folder/r.ndjson"], "");
    let (status, out, error) = run.failed();
    assert_eq!((status, out), (Some(2), ""));
    assert!(error.contains("cannot write the recording /no/such/folder/r.ndjson"), "{error}");
}

#[test]
fn an_endpoint_that_refuses_says_why() {
    let body = r#"{"error":{"message":"no such model","code":"model_not_found"}}"#;
    let server = Server::start(vec![refuses(404, body)]);
    let run = ask(&server.url, &["Go.", "--max-retries", "0"], "");
    let (status, out, error) = run.failed();
    assert_eq!(status, Some(3));
    assert_eq!(lines(out)[0]["cause"], "source");
    assert!(error.contains("status 404: model_not_found: no such model"), "{error}");
    drop(server.asked());
}

#[test]
fn what_is_no_stream_of_the_protocol_is_asked_for_once_and_said() {
    let head = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
    for (body, says) in [
        (ANTHROPIC, "a stream of the protocol anthropic; `--protocol anthropic` reads that"),
        ("<html>no</html>", "begins \"<html>no</html>\"; check that `--endpoint` is the address"),
    ] {
        let server = Server::start(vec![format!("{head}{body}")]);
        let run = ask(&server.url, &["Go."], "");
        let (status, out, error) = run.failed();
        assert_eq!((status, lines(out).len()), (Some(3), 1), "{out}");
        assert!(error.contains("not of the protocol openai-chat: it is "), "{error}");
        assert!(error.contains(says), "{error}");
        assert_eq!(server.asked().len(), 1);
    }
}

#[test]
fn a_key_is_sent_where_it_is_asked_for() {
    let server = Server::start(vec![says("[1]")]);
    // Whatever variable is there will do.
    let path = std::env::var("PATH").expect("there is one");
    ask(&server.url, &["Go.", "--key-env", "PATH"], "").ok();
    let asked = server.asked().remove(0);
    assert!(asked.contains(&format!("Bearer {}", path.trim())), "{asked}");
}

#[test]
fn what_cannot_be_asked_is_said_before_anything_is_sent() {
    let args = ["Go.", "--key-env", "PATCHWIRE_NO_SUCH_VARIABLE"];
    let run = ask("http://127.0.0.1:1/v1", &args, "");
    let (status, _, error) = run.failed();
    assert_eq!(status, Some(2));
    assert!(error.contains("PATCHWIRE_NO_SUCH_VARIABLE is not set"), "{error}");
    let run = ask("localhost:11434", &["Go."], "");
    assert_eq!(run.failed().0, Some(2));
    assert!(run.err.contains("http://"), "{}", run.err);
    let run = ask("http://127.0.0.1:1/v1", &["Go.", "--protocol", "smtp"], "");
    assert_eq!(run.status, Some(2));
    assert!(run.err.contains("openai-responses"), "{}", run.err);
}

#[test]
fn an_empty_prompt_is_not_sent() {
    for (args, input) in [(&[""][..], ""), (&[" \n"], ""), (&["-"], " \n"), (&[], "")] {
        let run = ask("http://127.0.0.1:1/v1", args, input);
        let (status, out, error) = run.failed();
        assert_eq!((status, out), (Some(2), ""), "{args:?}");
        assert!(error.contains("no prompt: give one after `chat`, or on stdin"), "{error}");
    }
    // Who sets the messages has said it.
    let server = Server::start(vec![says("[1]")]);
    let messages = r#"messages=[{"role":"user","content":"Hi."}]"#;
    assert_eq!(value(&ask(&server.url, &["", "--set", messages], "").ok()), json!([1]));
    drop(server.asked());
}

#[test]
fn an_event_that_is_too_long_says_what_can_be_done() {
    let head = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
    let server = Server::start(vec![format!("{head}data: {}\n\n", "x".repeat((8 << 20) + 1))]);
    let run = ask(&server.url, &["Go."], "");
    let (status, out, error) = run.failed();
    assert_eq!((status, lines(out).len()), (Some(3), 1));
    assert!(error.contains("an event of more than 8388608 bytes"), "{error}");
    assert!(error.contains("ask for less at once") && !error.contains("decoder"), "{error}");
    drop(server.asked());
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("http://{}/v1", listener.local_addr().expect("it is bound"));
    drop(listener);
    let run = ask(&url, &["Go.", "--max-retries", "0"], "");
    let (status, out, error) = run.failed();
    assert_eq!(status, Some(3));
    assert_eq!(lines(out)[0]["cause"], "source");
    assert!(error.contains("cannot reach http://127.0.0.1"), "{error}");
}

#[test]
fn where_there_is_no_terminal_watching_prints_the_value_and_nothing_else() {
    let server = Server::start(vec![says(r#"{"a": 1}"#), says(r#"{"a": 1, "b": "x"}"#)]);
    let out = ask(&server.url, &["Go.", "--watch", "--ensure", "b"], "").ok();
    assert_eq!(out, "{\"a\":1,\"b\":\"x\"}\n");
    assert_eq!(server.asked().len(), 2);
    let server = Server::start(vec![refuses(404, r#"{"error":{"message":"no such model"}}"#)]);
    let run = ask(&server.url, &["Go.", "--watch", "--exit", "--max-retries", "0"], "");
    let (status, out, error) = run.failed();
    assert_eq!((status, out), (Some(3), ""));
    assert!(error.contains("no such model"), "{error}");
    drop(server.asked());
}

#[test]
fn why_an_attempt_broke_is_in_its_event() {
    let busy = refuses(503, r#"{"error":{"message":"try again later"}}"#);
    let server = Server::start(vec![busy, says("[1]")]);
    let out = ask(&server.url, &["Go."], "").ok();
    let first = &lines(&out)[0];
    assert_eq!((&first["event"], &first["cause"]), (&json!("attempt_failed"), &json!("source")));
    assert!(first["reason"].as_str().is_some_and(|it| it.contains("try again later")), "{first}");
    drop(server.asked());
}

#[test]
fn an_answer_that_was_cut_at_its_length_says_so() {
    let answer = says(r#"{"a": "half"#).replace(
        "data: [DONE]",
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]",
    );
    let server = Server::start(vec![answer]);
    let run = ask(&server.url, &["Go."], "");
    assert_eq!(run.status, Some(0), "{}", run.err);
    assert!(
        run.err.contains("note: the answer is incomplete: cut at the greatest length"),
        "{}",
        run.err
    );
    let facts = &lines(&run.out).into_iter().rev().nth(1).expect("there are events");
    assert_eq!(
        (&facts["event"], &facts["facts"]["stop_reason"]),
        (&json!("facts"), &json!("length"))
    );
    drop(server.asked());
}

#[test]
fn what_a_server_says_is_one_line_of_signs() {
    let body = r#"{"error":{"message":"a\u001b[31mred\u202e\nline"}}"#;
    let server = Server::start(vec![refuses(400, body)]);
    let url = server.url.replace("//", "//me:secret@");
    let run = ask(&url, &["Go."], "");
    let (status, out, error) = run.failed();
    assert_eq!((status, error.lines().count()), (Some(3), 1), "{error}");
    assert!(error.contains("a␛[31mred<U+202E>↵line"), "{error}");
    assert!(!error.contains("secret") && !out.contains("secret"), "{error} {out}");
    drop(server.asked());
}

#[test]
fn plain_prints_what_the_model_writes() {
    let server = Server::start(vec![says("Rain <b>falls</b>.")]);
    let out = ask(&server.url, &["Write.", "--plain", "--format", "text"], "").ok();
    assert_eq!(out, "Rain <b>falls</b>.\n");
    drop(server.asked());
    // An attempt that does not pass is followed by the next one, and by the reason.
    let server = Server::start(vec![says("{\"a\": 1}\n"), says(r#"{"a": 1, "b": "x"}"#)]);
    let run = ask(&server.url, &["Go.", "--plain", "--ensure", "b"], "");
    assert_eq!(
        run.failed(),
        (Some(0), "{\"a\": 1}\n{\"a\": 1, \"b\": \"x\"}\n", "note: attempt 2 begins: b is missing")
    );
    assert_eq!(server.asked().len(), 2);
    // Calls are named.
    let events = called("{}");
    let events = format!("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{events}");
    let server = Server::start(vec![events]);
    let run = ask(&server.url, &["Go.", "--plain", "--format", "text"], "");
    drop(server.asked());
    let note = "the model calls find; without `--plain` the calls are printed";
    assert_eq!((run.status, run.out.as_str()), (Some(0), ""), "{}", run.err);
    assert!(run.err.contains(note), "{}", run.err);
}

#[test]
fn nobody_is_asked_again_where_nobody_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = listener.local_addr().expect("it is bound").port();
    drop(listener);
    let began = std::time::Instant::now();
    for host in ["127.0.0.1", "localhost"] {
        let run = ask(&format!("http://{host}:{port}/v1"), &["Go."], "");
        assert_eq!(run.status, Some(3), "{}", run.err);
        assert!(
            run.err.contains("cannot reach http://") && !run.out.contains("retrying"),
            "{}",
            run.out
        );
        assert_eq!(
            lines(&run.out).iter().filter(|it| it["event"] == "attempt_failed").count(),
            1,
            "{}",
            run.out
        );
    }
    // Retries would wait 3.5 seconds.
    assert!(began.elapsed() < std::time::Duration::from_secs(3));
}
