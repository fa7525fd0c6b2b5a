//! Response bodies in the view: what is not part of the text, and how they end.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::{ByteMessage, Session};
use crate::args::InputForm;
use crate::settings::Settings;
use crate::source::{Source, Stream};
use crate::watch::view::tests::{SIZES, golden, picture_of};
use crate::watch::view::{Palette, Screen};
use crate::watch::watched_stream::WatchedStream as _;

/// A file with a body.
fn body(name: &str, form: InputForm, text: &str) -> Stream {
    let name = format!("patchwire-watched-{}-{name}", std::process::id());
    let file: PathBuf = std::env::temp_dir().join(name);
    fs::write(&file, text).expect("the folder for such files can be written to");
    let stream = Source::open(Some(&file), form).expect("it is there").next_stream();
    let stream = stream.expect("it is read").expect("there is one");
    fs::remove_file(&file).expect("it is there");
    stream.by_events()
}

fn events(events: &[Json]) -> String {
    let events = events.iter().map(|event| format!("data: {event}\n\n"));
    events.chain(["data: [DONE]\n\n".to_owned()]).collect()
}

fn says(delta: &Json) -> Json {
    json!({"choices": [{"delta": delta}]})
}

/// The session of a stream after its first `most` events, one every 25 ms.
fn watched(mut stream: Stream, most: usize) -> Session {
    let mut session = Session::new(&mut stream, &Settings::default());
    session.content_mut().info.name = "body.sse".to_owned();
    let mut at = 0;
    while let Some(piece) = stream.next_chunk().expect("it is read").filter(|_| at < most) {
        let arrived = Duration::from_millis(25 * at as u64);
        session.take(ByteMessage::Chunk(piece.to_vec()), arrived);
        at += 1;
    }
    if at < most {
        session.take(ByteMessage::End, Duration::from_millis(25 * at as u64));
    }
    session.refresh();
    session
}

fn openai() -> String {
    let mut all = vec![says(&json!({"role": "assistant", "content": ""}))];
    for part in ["Two facts ", "and a list."] {
        all.push(says(&json!({"reasoning_content": part})));
    }
    let call = json!([{"index": 0, "id": "call_1", "function": {"name": "forecast"}}]);
    all.push(says(&json!({"tool_calls": call})));
    for part in ["{\"place\": \"水", "車\"}"] {
        let call = json!([{"index": 0, "function": {"arguments": part}}]);
        all.push(says(&json!({"tool_calls": call})));
    }
    for part in ["{\"title\": ", "\"The mill\", ", "'n': 7}"] {
        all.push(says(&json!({"content": part})));
    }
    all.push(json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}));
    all.push(json!({"choices": [], "usage": {"prompt_tokens": 31, "completion_tokens": 17}}));
    events(&all)
}

#[test]
fn a_body_is_watched_as_what_it_says() {
    let stream = || body("openai.sse", InputForm::OpenaiChat, &openai());
    let session = watched(stream(), usize::MAX);
    let counters = &session.content().model.counters;
    let said = "Two facts and a list.{\"place\": \"水車\"}{\"title\": \"The mill\", 'n': 7}";
    // Each event is one chunk. Only the answer's bytes count.
    assert_eq!((counters.chunks, counters.bytes), (12, said.len() as u64));
    let mut screen = Screen::new(Palette::new(true));
    golden("body", &SIZES.map(|size| (size, picture_of(session.content(), &mut screen, size))));
    let left = session.leave().unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(left.ended.value().to_string(), r#"{"title":"The mill","n":7}"#);
    // Inside the arguments.
    let session = watched(stream(), 5);
    let picture = picture_of(session.content(), &mut Screen::new(Palette::new(true)), SIZES[0]);
    assert!(picture.contains("● call") && picture.contains("place      水▌"), "{picture}");
}

#[test]
fn each_protocol_is_watched() {
    let text = "{\"title\": \"The mill\"}";
    let anthropic = [
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 3}}}),
        json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": text}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
               "usage": {"output_tokens": 5}}),
        json!({"type": "message_stop"}),
    ];
    let responses = [
        json!({"type": "response.output_text.delta", "delta": text}),
        json!({"type": "response.completed", "response":
               {"status": "completed", "usage": {"input_tokens": 3, "output_tokens": 5}}}),
    ];
    let ollama = [
        json!({"message": {"role": "assistant", "content": text}, "done": false}),
        json!({"done": true, "done_reason": "stop", "prompt_eval_count": 3, "eval_count": 5}),
    ];
    let ollama: String = ollama.iter().map(|line| format!("{line}\n")).collect();
    for (form, text) in [
        (InputForm::Anthropic, events(&anthropic).replace("data: [DONE]\n\n", "")),
        (InputForm::OpenaiResponses, events(&responses).replace("data: [DONE]\n\n", "")),
        (InputForm::Ollama, ollama),
    ] {
        let session = watched(body("any", form, &text), usize::MAX);
        let picture = picture_of(session.content(), &mut Screen::new(Palette::new(true)), SIZES[0]);
        assert!(picture.contains("✓ complete") && picture.contains("The mill"), "{picture}");
        assert!(picture.contains("3 tokens in, 5 out"), "{form:?}: {picture}");
    }
}

#[test]
fn calls_are_an_answer_where_nothing_else_is_wanted() {
    let call = json!([{"index": 0, "id": "c", "function": {"name": "now", "arguments": "{}"}}]);
    let text = events(&[says(&json!({"tool_calls": call}))]);
    let session = watched(body("calls", InputForm::OpenaiChat, &text), usize::MAX);
    let picture = picture_of(session.content(), &mut Screen::new(Palette::new(true)), SIZES[0]);
    assert!(picture.contains("✓ tool calls") && picture.contains("now · c"), "{picture}");
}

#[test]
fn how_a_body_ends_is_said() {
    let refuses =
        [says(&json!({"refusal": "I do not write "})), says(&json!({"refusal": "this."}))];
    let stops = [
        says(&json!({"content": "{\"a\": \"so"})),
        json!({"choices": [{"delta": {}, "finish_reason": "length"}]}),
    ];
    let fails = [json!({"error": {"type": "overloaded", "message": "try again"}})];
    let whole = openai();
    let cut = whole.split_once("data: {\"choices\":[{\"delta\":{},").expect("it has an end").0;
    for (text, says) in [
        (events(&refuses), ["✗ refused", "✗ refusal  I do not write this."]),
        (events(&stops), ["… truncated", "… stopped  cut at the greatest length"]),
        (events(&fails), ["✗ failed", "overloaded: try again"]),
        (cut.to_owned(), ["✗ cut off", "connection was cut"]),
        (String::new(), ["✗ failed", "the body is empty"]),
        ("{\"a\": 1}\n".to_owned(), ["✗ failed", "the body is one JSON object"]),
        ("data: no\n\n".to_owned(), ["✗ failed", "the body cannot be read"]),
    ] {
        let session = watched(body("ends", InputForm::OpenaiChat, &text), usize::MAX);
        assert!(session.is_over());
        let picture = picture_of(session.content(), &mut Screen::new(Palette::new(true)), SIZES[0]);
        let is_said = says.iter().all(|says| picture.contains(says));
        assert!(is_said, "{says:?}\n{picture}");
    }
}
