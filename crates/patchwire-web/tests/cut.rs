//! `POST /v1/cut`: a text of the client's, cut anywhere.

use axum::body::Body;
use hyper::Request;
use patchwire_web::{Limits, samples};
use serde_json::{Value as Json, json};
use tokio::time::{Duration, sleep};

use crate::support::{Emitted, Events, always, app, get, post, refused, send};

fn request(body: &Json) -> Request<Body> {
    let mut request = post(body.to_string());
    *request.uri_mut() = "/v1/cut".parse().unwrap();
    request
}

async fn read(body: &Json) -> Vec<Emitted> {
    let app = app(Default::default(), always(&[]));
    Events::of(send(&app, request(body)).await).rest().await
}

/// The deltas of neighbours joined, and without numbers: what has to be the same for all cuts.
fn joined(emitted: &[Emitted]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for one in emitted {
        let delta = one.data["delta"].as_str().unwrap_or_default().to_owned();
        let place =
            ["kind", "pointer", "channel", "element"].map(|name| one.data[name].to_string());
        let place = format!("{} {}", one.name, place.concat());
        match all.last_mut() {
            Some((last, text)) if !delta.is_empty() && *last == place => *text += &delta,
            _ => all.push((place, delta)),
        }
    }
    all
}

#[tokio::test]
async fn a_text_is_read_in_the_pieces_that_are_asked_for_and_nothing_changes() {
    for (name, schema) in [
        ("json", Json::Null),
        ("text", Json::Null),
        (
            "hybrid",
            json!({"summary": "str", "script": "str", "steps": [{"do": "str", "min": "number"}],
            "safe": "bool", "verdict": "str"}),
        ),
        ("markdown", json!({"summary": "str", "verdict": "str"})),
    ] {
        let sample = samples::by_name(name).unwrap();
        let mut own = json!({"format": name});
        if !schema.is_null() {
            own["schema"] = schema;
        }
        let text = sample.text;
        let whole = read(&json!({"text": text, "patchwire": own})).await;
        let answer = sample.spec().unwrap().parse(text).unwrap();
        let value: Json = serde_json::from_str(&answer.value().to_string()).unwrap();
        assert_eq!(whole.last().unwrap().data["value"], value, "{}", sample.name);
        let ids: Vec<u64> = whole.iter().map(|one| one.id).collect();
        assert_eq!(ids, (1..=whole.len() as u64).collect::<Vec<_>>());
        for at in (0..=text.len()).step_by(13) {
            let cut = read(&json!({"text": text, "cut": [at], "patchwire": own})).await;
            assert_eq!(joined(&cut), joined(&whole), "{} at {at}", sample.name);
        }
    }
}

#[tokio::test]
async fn a_cut_may_be_in_a_letter_and_there_may_be_many() {
    let text = "{\"a\": \"é😀\"}";
    let every: Vec<usize> = (1..text.len()).collect();
    let emitted = read(&json!({"text": text, "cut": every})).await;
    assert_eq!(emitted.last().unwrap().data["value"], json!({"a": "é😀"}));
    assert_eq!(joined(&emitted), joined(&read(&json!({"text": text})).await));
}

#[tokio::test]
async fn a_text_is_played_in_chunks_that_are_told() {
    let body = json!({"text": "[\"one two\"]", "chunk": "4", "chunks": true, "speed": 1000});
    let emitted = read(&body).await;
    let chunks: Vec<&Json> =
        emitted.iter().filter(|one| one.name == "chunk").map(|one| &one.data["span"]).collect();
    assert_eq!(chunks, [&json!([0, 4]), &json!([4, 8]), &json!([8, 11])]);
    assert_eq!(emitted.last().unwrap().data["value"], json!(["one two"]));
    let tokens = read(&json!({"text": "[\"one two\"]", "chunk": "tokens"})).await;
    assert_eq!(joined(&tokens), joined(&read(&json!({"text": "[\"one two\"]"})).await));
}

#[tokio::test]
async fn what_cannot_be_cut_is_said() {
    let app = app(Default::default(), always(&[]));
    for (body, says) in [
        (json!([]), "no text that could be cut"),
        (json!({"cut": [1]}), "missing field `text`"),
        (json!({"text": "{}", "cut": [2, 1]}), "offsets that rise"),
        (json!({"text": "{}", "cut": [3]}), "the text has 2 bytes"),
        (json!({"text": "{}", "patchwire": {"format": "xml"}}), "no format is called `xml`"),
        (json!({"text": "{}", "patchwire": {"prompt": true}}), "none is asked here"),
        (json!({"text": "{}", "sped": 1}), "unknown field `sped`"),
        (json!({"text": "{}", "speed": -1}), "`speed` is a number from 0 to 1000000, not -1"),
        (json!({"text": "{}", "cut": [1], "chunk": "all"}), "leave one out"),
        (json!({"text": "{}", "chunk": "0"}), "from 1 on, not `0`"),
    ] {
        let (status, code, message) = refused(&app, request(&body)).await;
        assert_eq!((status, code.as_str()), (400, "bad_body"), "{body}");
        assert!(message.contains(says), "{body}: {message}");
    }
    let mut form = request(&json!({"text": "{}"}));
    form.headers_mut().insert("content-type", "text/plain".parse().unwrap());
    assert_eq!(refused(&app, form).await.1, "not_json");
    let mut other = request(&json!({"text": "{}"}));
    other.headers_mut().insert("origin", "https://evil.example".parse().unwrap());
    assert_eq!(refused(&app, other).await.1, "origin_not_allowed");
    let mut asks = get("/v1/cut");
    *asks.method_mut() = hyper::Method::GET;
    assert_eq!(refused(&app, asks).await.1, "method_not_allowed");
}

#[tokio::test(start_paused = true)]
async fn the_limits_of_the_server_hold_for_texts_too() {
    let limits = Limits { body_bytes: 64, answer_bytes: 10, streams: 1, ..Limits::default() };
    let app = app(limits, always(&["[]"]));
    let long = request(&json!({"text": "x".repeat(64)}));
    assert_eq!(refused(&app, long).await.1, "body_too_large");
    let over = request(&json!({"text": "[1, 2, 3, 4, 5]"}));
    let emitted = Events::of(send(&app, over).await).rest().await;
    let last = emitted.last().unwrap();
    assert_eq!((last.name.as_str(), &last.data["code"]), ("error", &json!("limit_total")));
    // A text that is being read is a stream like any other, and is over when nobody reads it.
    sleep(Duration::from_secs(1)).await;
    let taken = send(&app, request(&json!({"text": "[]"}))).await;
    assert_eq!(refused(&app, request(&json!({"text": "[]"}))).await.1, "busy");
    drop(taken);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(send(&app, request(&json!({"text": "[]"}))).await.status(), 200);
}
