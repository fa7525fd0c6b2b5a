//! OpenAI's and Anthropic's own endpoints: bytes pass as they are, and deltas get the events of their fields.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use bytes::Bytes;
use futures_util::FutureExt as _;
use hyper::{Request, header};
use patchwire_web::upstream::{Endpoint, Passed, UpstreamError};
use patchwire_web::{Limits, Options, router};
use serde_json::{Value as Json, json};

use crate::support::{PassedTo, app, body_of, bytes_of, get, post_to, refused, reply, send};

const CHAT: &str = "/v1/chat/completions";
const MESSAGES: &str = "/v1/messages";

/// Everything that a stream may have beside its deltas.
const CHAT_BODY: &str = concat!(
    ": hello\r\n\r\n",
    "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":7,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null},\"logprobs\":null,\"finish_reason\":null}]}\r\n\r\n",
    "id: 3\nevent: message\nretry: 10\ndata: { \"id\" : \"c1\", \"choices\" : [ {\"index\":0,\"delta\" : {\"content\":\"{\\\"title\\\": \\\"Caf\\u00e9 \" , \"x\" : 1.0e2 } } ] , \"odd\" : [ ] }\n\n",
    ": between\n",
    "data: {\"id\":\"c1\",\ndata: \"choices\":[{\"index\":0,\"delta\":{\"content\":\"☃\\\", \\\"n\\\": [1\"},\"finish_reason\":null}]}\r\r",
    "data: {\"choices\":[{\"index\":0,\"delta\":{ }}]}\n\n",
    "data:{\"choices\":[{\"index\":0,\"delta\":{\"content\":\", 2]}\"}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":9}}\n\n",
    "data: [DONE]\n\n",
);

const MESSAGE_BODY: &str = concat!(
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m1\",\"role\":\"assistant\",\"content\":[],\"usage\":{\"input_tokens\":3,\"output_tokens\":1}}}\n\n",
    "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n",
    "event: ping\ndata: {\"type\": \"ping\"}\n\n",
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"{\\\"title\\\": \\\"Caf\\u00e9 \"}}\n\n",
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"☃\\\", \\\"n\\\": [1, 2]}\"} }\n\n",
    "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
    "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":9}}\n\n",
    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
);

/// A server that always sends this body, in chunks of this many bytes.
fn always(kind: &'static str, body: &str, chunk: usize) -> axum::Router {
    let body = Bytes::copy_from_slice(body.as_bytes());
    app(
        Limits::default(),
        PassedTo(move |_| {
            Ok(reply(
                kind,
                body.chunks(chunk).map(|chunk| Ok(Bytes::copy_from_slice(chunk))).collect(),
            ))
        }),
    )
}

fn streams(body: &str, chunk: usize) -> axum::Router {
    always("text/event-stream; charset=utf-8", body, chunk)
}

async fn ask(app: &axum::Router, path: &str, body: &str) -> String {
    let response = send(app, post_to(path, body.to_owned())).await;
    assert_eq!(response.status(), 200);
    String::from_utf8(bytes_of(response).await.to_vec()).expect("it is text")
}

/// The members that were added, in order. Everything else has to be as it was.
fn added(original: &str, edited: &str) -> Vec<(String, Json)> {
    let (mut original, mut edited, mut added) = (original, edited, Vec::new());
    while original != edited {
        let same = original.bytes().zip(edited.bytes()).take_while(|(a, b)| a == b).count();
        (original, edited) = (&original[same..], &edited[same..]);
        // A brace is the first byte that differs: members stand before it.
        for name in ["patches", "answer"] {
            let begin = edited.trim_start_matches(',');
            let Some(rest) = begin.strip_prefix(&format!("\"{name}\":")) else { continue };
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Json>();
            let value = values.next().expect("a value").expect("it is JSON");
            edited = &rest[values.byte_offset()..];
            added.push((name.to_owned(), value));
        }
        assert!(
            !added.is_empty() && original.starts_with('}') && edited.starts_with('}'),
            "{original}\n{edited}"
        );
    }
    added
}

/// The texts of the deltas by their place, and the answer.
fn folded(added: &[(String, Json)]) -> (BTreeMap<String, String>, Json) {
    let mut texts = BTreeMap::<String, String>::new();
    let mut answer = Json::Null;
    for (name, value) in added {
        match name.as_str() {
            "answer" => answer = value.clone(),
            _ => {
                for event in value.as_array().expect("a list") {
                    if let (Some(place), Some(delta)) =
                        (event["pointer"].as_str(), event["delta"].as_str())
                    {
                        *texts.entry(place.to_owned()).or_default() += delta;
                    }
                }
            }
        }
    }
    (texts, answer)
}

#[tokio::test]
async fn without_the_member_every_byte_passes() {
    for (path, body) in [(CHAT, CHAT_BODY), (MESSAGES, MESSAGE_BODY)] {
        assert_eq!(ask(&streams(body, 7), path, "{\"stream\":true}").await, body);
        let json = " {\"odd\": 1.50 } ";
        assert_eq!(ask(&always("application/json", json, 3), path, "{}").await, json);
        assert_eq!(ask(&always("text/html", "<p>", 3), path, "{}").await, "<p>");
    }
}

#[tokio::test]
async fn a_body_cut_anywhere_gives_the_same_bytes() {
    for (path, body) in [(CHAT, CHAT_BODY), (MESSAGES, MESSAGE_BODY)] {
        let asked = "{\"stream\":true,\"patchwire\":{\"format\":\"json\"}}";
        let whole = ask(&streams(body, usize::MAX), path, asked).await;
        let (texts, answer) = folded(&added(body, &whole));
        assert_eq!(texts["/title"], "Café ☃", "{path}");
        assert_eq!(
            (&answer["event"], &answer["value"]),
            (&json!("final"), &json!({"title": "Café ☃", "n": [1, 2]}))
        );
        for chunk in 1..40 {
            assert_eq!(ask(&streams(body, chunk), path, asked).await, whole, "{path} {chunk}");
        }
        let cut = Arc::new(Mutex::new(0));
        let (at, bytes) = (Arc::clone(&cut), Bytes::from_static(body.as_bytes()));
        let app = app(
            Limits::default(),
            PassedTo(move |_| {
                let at = *at.lock().unwrap();
                Ok(reply("text/event-stream", vec![Ok(bytes.slice(..at)), Ok(bytes.slice(at..))]))
            }),
        );
        for at in 0..=body.len() {
            *cut.lock().unwrap() = at;
            assert_eq!(ask(&app, path, asked).await, whole, "{path} {at}");
        }
    }
}

#[tokio::test]
async fn each_choice_has_a_reader_of_its_own() {
    let chunk = |index: usize, text: &str, reason: Json| json!({"index": index, "delta": {"content": text}, "finish_reason": reason});
    let body: String = [
        json!({"choices": [chunk(1, "{\"b\": \"", Json::Null), chunk(0, "{\"a\": \"", Json::Null)]}),
        json!({"choices": [chunk(0, "zero\"}", Json::Null)]}),
        json!({"choices": [chunk(1, "one\"", json!("length"))]}),
        json!({"choices": [chunk(0, "", json!("stop")), chunk(7, "none", Json::Null)]}),
    ].iter().map(|event| format!("data: {event}\n\n")).collect();
    let body = body + "data: [DONE]\n\n";
    let edited = ask(&streams(&body, 11), CHAT, "{\"patchwire\":{}}").await;
    let mut answers = BTreeMap::new();
    for data in edited.lines().filter_map(|line| line.strip_prefix("data: ")) {
        let Ok(event) = serde_json::from_str::<Json>(data) else { continue };
        for choice in event["choices"].as_array().expect("a list") {
            if let Some(answer) = choice["delta"].get("answer") {
                answers.insert(choice["index"].as_u64().unwrap(), answer.clone());
            }
            for patch in choice["delta"]["patches"].as_array().into_iter().flatten() {
                let place = patch["pointer"].as_str().unwrap_or_default();
                let own = match choice["index"].as_u64() {
                    Some(0) => "/a",
                    Some(1) => "/b",
                    _ => "",
                };
                assert!(place.is_empty() || place == own, "{choice}");
            }
        }
    }
    assert_eq!(answers[&0]["value"], json!({"a": "zero"}));
    assert_eq!(answers[&1]["value"], json!({"b": "one"}));
    assert_eq!(answers[&7]["value"], Json::Null);
    assert_eq!(answers.len(), 3);
}

#[tokio::test]
async fn without_streaming_the_message_has_the_answer() {
    let text = "Sure! {\"a\": 1,}";
    let message = |text: &str| json!({"role": "assistant", "content": text});
    let chat = json!({"id": "c", "choices": [
        {"index": 0, "message": message(text), "finish_reason": "stop"},
        {"index": 1, "message": message("{\"b\": \"é\"}"), "finish_reason": "stop"},
    ], "usage": {"total_tokens": 5}});
    let pretty = serde_json::to_string_pretty(&chat).unwrap();
    let edited = ask(&always("application/json", &pretty, 9), CHAT, "{\"patchwire\":{}}").await;
    let answers: Vec<Json> = serde_json::from_str::<Json>(&edited).unwrap()["choices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|choice| choice["message"]["answer"].clone())
        .collect();
    assert_eq!(
        (&answers[0]["outcome"], &answers[0]["value"]),
        (&json!("repaired"), &json!({"a": 1}))
    );
    assert_eq!(answers[1]["value"], json!({"b": "é"}));
    let added = added_to_whole(&pretty, &edited);
    assert_eq!(added, 2);

    let whole = json!({"type": "message", "id": "m", "content": [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "text", "text": text},
        {"type": "tool_use", "id": "t", "name": "find", "input": {"q": "x"}},
    ], "stop_reason": "tool_use"})
    .to_string();
    let edited = ask(&always("application/json", &whole, 9), MESSAGES, "{\"patchwire\":{}}").await;
    assert_eq!(added_to_whole(&whole, &edited), 1);
    let answer = serde_json::from_str::<Json>(&edited).unwrap()["answer"].clone();
    assert_eq!((&answer["value"], &answer["reasoning"]), (&json!({"a": 1}), &json!("Hm.")));
    assert_eq!(answer["calls"][0]["name"], "find", "{answer}");
}

/// How many answers were added. Everything else has to be as it was, up to whitespace before the brace.
fn added_to_whole(original: &str, edited: &str) -> usize {
    let mut rest = edited.to_owned();
    let mut count = 0;
    while let Some(at) = rest.find(",\"answer\":") {
        let mut values = serde_json::Deserializer::from_str(&rest[at + 10..]).into_iter::<Json>();
        values.next().expect("a value").expect("it is JSON");
        let end = at + 10 + values.byte_offset();
        rest.replace_range(at..end, "");
        count += 1;
    }
    assert_eq!(rest, original);
    count
}

#[tokio::test]
async fn the_request_passes_without_the_member_and_with_its_headers() {
    let seen = Arc::new(Mutex::new(Vec::<Passed>::new()));
    let sees = Arc::clone(&seen);
    let app = app(
        Limits::default(),
        PassedTo(move |request| {
            sees.lock().unwrap().push(request);
            Ok(reply("application/json", vec![]))
        }),
    );
    let body = "{ \"model\":\"m\", \"patchwire\": {\"format\": \"json\"} , \"n\" : 1.0 }";
    let mut request = post_to("/v1/messages?beta=true", body.to_owned());
    for (name, value) in [
        ("x-api-key", "sk-1"),
        ("anthropic-version", "2023-06-01"),
        ("anthropic-beta", "b"),
        ("cookie", "no"),
        ("authorization", "Bearer "),
    ] {
        request.headers_mut().insert(name, value.parse().unwrap());
    }
    drop(send(&app, request).await);
    let mut request = get("/v1/models/meta/llama");
    request.headers_mut().insert("authorization", "Bearer patchwire".parse().unwrap());
    drop(send(&app, request).await);
    let seen = seen.lock().unwrap();
    let [message, models] = &seen[..] else { panic!("{seen:?}") };
    assert_eq!(message.body, "{ \"model\":\"m\" , \"n\" : 1.0 }");
    assert_eq!(
        (&message.endpoint, message.query.as_deref(), message.has_key),
        (&Endpoint::Messages, Some("beta=true"), true)
    );
    let mut names: Vec<_> = message.headers.keys().map(|name| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["anthropic-beta", "anthropic-version", "x-api-key"]);
    assert_eq!(models.endpoint, Endpoint::Models(Some("meta/llama".to_owned())));
    assert!(!models.has_key && models.headers.is_empty());
}

#[tokio::test]
async fn an_answer_that_ends_badly_says_so() {
    let part = "data: {\"id\":\"c1\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"{\\\"a\\\": 1\"}}]}\n\n";
    let answers = |edited: &str| -> Vec<Json> {
        let events = edited.lines().filter_map(|line| line.strip_prefix("data: "));
        let events = events.filter_map(|data| serde_json::from_str::<Json>(data).ok());
        events.filter_map(|event| event.pointer("/choices/0/delta/answer").cloned()).collect()
    };
    let asked = "{\"patchwire\":{}}";
    // The end of the stream without the end of the choice.
    let edited = ask(&streams(&format!("{part}data: [DONE]\n\n"), 5), CHAT, asked).await;
    assert!(
        edited.starts_with(&part[..part.len() - 6]) && edited.ends_with("data: [DONE]\n\n"),
        "{edited}"
    );
    let answer = &answers(&edited)[0];
    assert_eq!((&answer["event"], &answer["value"]), (&json!("final"), &json!({"a": 1})));
    // The end of the connection.
    for (body, code) in [
        (part.to_owned(), "upstream_broken"),
        (part.trim_end().to_owned(), "upstream_broken"),
        (format!("{part}data: {{\"error\":{{\"message\":\"busy\"}}}}\n\n"), "upstream_broken"),
        ("<html>no</html>".to_owned(), "upstream_foreign"),
        (MESSAGE_BODY.to_owned(), "upstream_foreign"),
        (String::new(), "upstream_foreign"),
    ] {
        let edited = ask(&streams(&body, 5), CHAT, asked).await;
        let answers = answers(&edited);
        assert_eq!(answers.len(), 1, "{edited}");
        assert_eq!(answers[0]["code"], code, "{edited}");
    }
    // The connection breaks.
    let broken = || UpstreamError::Broken("reset".to_owned());
    let app = app(
        Limits::default(),
        PassedTo(move |_| {
            Ok(reply(
                "text/event-stream",
                vec![
                    Ok(Bytes::from_static(part.as_bytes())),
                    Ok(Bytes::from_static(b"data: {")),
                    Err(broken()),
                ],
            ))
        }),
    );
    let edited = ask(&app, CHAT, asked).await;
    assert_eq!(answers(&edited)[0]["code"], "upstream_broken");
    let last = edited.trim_end().rsplit("data: ").next().unwrap();
    assert_eq!(serde_json::from_str::<Json>(last).unwrap()["error"]["code"], "upstream_broken");
    let plain = send(&app, post_to(CHAT, "{}")).await;
    let body = http_body_util::BodyExt::collect(plain.into_body()).await;
    assert!(body.is_err(), "a body that breaks off does not end well");
}

#[tokio::test]
async fn a_long_delta_has_its_events_in_several() {
    let list: Vec<u32> = (0..3000).collect();
    let chunk = |text: &str| {
        let event = json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]});
        format!("data: {event}\n\n")
    };
    let body = chunk(&json!(list).to_string())
        + "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let edited = ask(&streams(&body, 1 << 20), CHAT, "{\"patchwire\":{}}").await;
    let events: Vec<Json> = edited
        .lines()
        .filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
        .collect();
    assert!(events.len() > 5, "{}", events.len());
    let mut items = 0;
    let mut next = 0;
    for event in &events {
        for patch in event["choices"][0]["delta"]["patches"].as_array().into_iter().flatten() {
            assert_eq!(patch["index"], next);
            next += 1;
        }
        let patches = &event["choices"][0]["delta"]["patches"];
        assert!(patches.to_string().len() < 100_000);
        items += patches
            .as_array()
            .into_iter()
            .flatten()
            .filter(|patch| patch["kind"] == "done" && patch["pointer"] != "")
            .count();
        assert!(event["id"] == "c" || event.get("id").is_none());
    }
    assert_eq!(items, 3000);
    assert_eq!(events.last().unwrap()["choices"][0]["delta"]["answer"]["value"], json!(list));
    let content: String = events
        .iter()
        .filter_map(|event| event["choices"][0]["delta"]["content"].as_str())
        .collect();
    assert_eq!(content, json!(list).to_string());
}

#[tokio::test]
async fn what_is_wrong_is_said() {
    let app = streams(CHAT_BODY, 7);
    for (body, says) in [
        ("{\"patchwire\":{\"shema\":1}}", "unknown field `shema`"),
        ("{\"patchwire\":7}", "an object such as"),
        ("{\"patchwire\":{\"prompt\":true}}", "`/v1/fields`"),
        ("{\"patchwire\":{\"raw\":true}}", "leave it out"),
    ] {
        let (status, code, message) = refused(&app, post_to(CHAT, body)).await;
        assert_eq!((status, code.as_str()), (400, "bad_body"), "{body}");
        assert!(message.contains(says), "{message}");
    }
    let mut request = post_to(CHAT, "{}");
    request.headers_mut().insert("content-type", "text/plain".parse().unwrap());
    assert_eq!(refused(&app, request).await.0, 415);
    let foreign = always("text/html", "<p>", 3);
    let (status, code, _) = refused(&foreign, post_to(CHAT, "{\"patchwire\":{}}")).await;
    assert_eq!((status, code.as_str()), (502, "upstream_foreign"));
    let other = always("application/json", "{\"fine\":true}", 3);
    assert_eq!(refused(&other, post_to(CHAT, "{\"patchwire\":{}}")).await.1, "upstream_foreign");
    // What the model's server refuses passes as it is.
    let reply = |_| {
        let mut reply =
            reply("application/json", vec![Ok(Bytes::from_static(b"{\"error\": \"no\"}"))]);
        reply.status = hyper::StatusCode::IM_A_TEAPOT;
        reply.headers.insert("retry-after", header::HeaderValue::from_static("9"));
        reply.headers.insert("set-cookie", header::HeaderValue::from_static("a=b"));
        Ok(reply)
    };
    let app = crate::support::app(Limits::default(), PassedTo(reply));
    let response = send(&app, post_to(CHAT, "{\"patchwire\":{}}")).await;
    assert_eq!(
        (response.status().as_u16(), &response.headers()["retry-after"]),
        (418, &header::HeaderValue::from_static("9"))
    );
    assert!(!response.headers().contains_key("set-cookie"));
    assert_eq!(bytes_of(response).await, "{\"error\": \"no\"}");
}

#[tokio::test]
async fn an_endpoint_that_is_not_spoken_is_not_found() {
    // A model that passes nothing on.
    let app = app(Limits::default(), crate::support::always(&["{}"]));
    for request in [post_to(CHAT, "{}"), post_to(MESSAGES, "{}"), get("/v1/models")] {
        let (status, code, message) = refused(&app, request).await;
        assert_eq!((status, code.as_str()), (404, "endpoint_not_spoken"));
        assert!(message.contains("/v1/fields"), "{message}");
    }
    for path in ["/v1/responses", "/v1/embeddings"] {
        let (status, code, message) = refused(&app, post_to(path, "{}")).await;
        assert_eq!((status, code.as_str()), (404, "endpoint_not_spoken"));
        assert!(message.contains(path) && message.contains("/v1/chat/completions"), "{message}");
    }
}

/// The built-in streams are a model's server, too.
#[tokio::test]
async fn the_built_in_streams_speak_chat_completions() {
    let app = router(Options::default()).unwrap();
    let models = body_of(send(&app, get("/v1/models")).await).await;
    assert_eq!(models["data"][0]["object"], "model");
    let name = models["data"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(
        body_of(send(&app, get(&format!("/v1/models/{name}"))).await).await["id"],
        name.as_str()
    );
    let whole = json!({"model": name, "patchwire": {}}).to_string();
    let whole = body_of(send(&app, post_to(CHAT, whole)).await).await;
    let answer = &whole["choices"][0]["message"]["answer"];
    assert_eq!(answer["event"], "final");
    let streamed = json!({"model": name, "stream": true, "patchwire": {}}).to_string();
    let streamed = ask(&app, CHAT, &streamed).await;
    let last: Json =
        serde_json::from_str(streamed.trim_end().rsplit("data: ").nth(1).unwrap()).unwrap();
    assert_eq!(&last["choices"][0]["delta"]["answer"], answer);
    let (status, code, _) = refused(&app, post_to(CHAT, "{\"model\":\"none\"}")).await;
    assert_eq!((status, code.as_str()), (404, "no_model"));
    assert_eq!(refused(&app, post_to(MESSAGES, "{}")).await.1, "endpoint_not_spoken");
    let _: Request<Body> = get("/v1/models");
}

#[tokio::test]
async fn a_response_without_a_content_type_is_what_was_asked_for() {
    let whole = r#"{"choices":[{"message":{"content":"[1]"},"finish_reason":"stop"}]}"#;
    for (body, asked) in [
        (CHAT_BODY, r#"{"stream":true,"patchwire":{}}"#),
        (whole, r#"{"patchwire":{}}"#),
        (whole, r#"{"stream":false,"patchwire":{}}"#),
    ] {
        let untyped = PassedTo(move |_| {
            let mut reply = reply("", vec![Ok(Bytes::from_static(body.as_bytes()))]);
            reply.headers.clear();
            Ok(reply)
        });
        let answer = ask(&app(Limits::default(), untyped), CHAT, asked).await;
        assert!(answer.contains("\"answer\":{\"event\":\"final\""), "{answer}");
    }
    // An empty one says as little, and is not quoted.
    let empty = always("", "<p>", 3);
    let (_, code, message) = refused(&empty, post_to(CHAT, "{\"patchwire\":{}}")).await;
    assert!(code == "upstream_foreign" && !message.contains("``"), "{message}");
}

#[tokio::test]
async fn a_coding_is_passed_back_and_no_fields_are_read_in_it() {
    let coded = |coding: &'static str| {
        app(
            Limits::default(),
            PassedTo(move |_| {
                let mut reply =
                    reply("text/event-stream", vec![Ok(Bytes::from_static(b"\x1f\x8b"))]);
                reply.headers.insert("content-encoding", header::HeaderValue::from_static(coding));
                Ok(reply)
            }),
        )
    };
    let passed = send(&coded("gzip"), post_to(CHAT, "{}")).await;
    assert_eq!(passed.headers()["content-encoding"], "gzip");
    let asked = || post_to(CHAT, "{\"patchwire\":{}}");
    let (status, code, message) = refused(&coded("gzip"), asked()).await;
    assert_eq!((status, code.as_str()), (502, "upstream_encoded"));
    assert!(message.contains("`gzip`"), "{message}");
    assert_eq!(send(&coded("Identity"), asked()).await.status(), 200);
}

#[tokio::test]
async fn a_stream_without_anything_of_the_protocol_is_no_answer() {
    for path in [CHAT, MESSAGES] {
        for (body, code) in [
            ("", "upstream_foreign"),
            ("event: ping\ndata: {\"hello\":1}\n\n", "upstream_foreign"),
            ("event: ping\ndata: {\"hello\":1}", "upstream_foreign"),
            ("event: ping\ndata: {\"hello\":", "upstream_broken"),
        ] {
            let body = ask(&streams(body, 3), path, r#"{"stream":true,"patchwire":{}}"#).await;
            assert!(body.contains(&format!("\"code\":\"{code}\"")), "{body}");
        }
    }
}

#[tokio::test]
async fn without_a_model_a_bad_body_is_said_to_be_bad() {
    let app = router(Options::default()).unwrap();
    let (status, code, message) = refused(&app, post_to(CHAT, "[]")).await;
    assert_eq!((status, code.as_str()), (400, "bad_body"));
    assert!(message.contains("it has to be an object, not a list"), "{message}");
}

/// A client that reads as fast as the model writes waits once in a while, so that others have their turn.
#[tokio::test]
async fn a_fast_client_lets_others_have_their_turn() {
    use http_body_util::BodyExt as _;
    let chunk = "x".repeat(8 << 10);
    let body = always("text/event-stream", &chunk.repeat(40), 8 << 10);
    let mut body = send(&body, post_to(CHAT, "{\"stream\":true}")).await.into_body();
    let (mut read, mut turns) = (0, Vec::new());
    loop {
        match body.frame().now_or_never() {
            Some(Some(frame)) => read += frame.unwrap().into_data().unwrap().len(),
            Some(None) => break,
            None => turns.push(read),
        }
    }
    assert_eq!(
        (read, turns),
        (320 << 10, vec![64 << 10, 128 << 10, 192 << 10, 256 << 10, 320 << 10])
    );
}

/// The limit of an answer is for the answer: what stands around it has a mebibyte more.
#[tokio::test]
async fn what_stands_around_an_answer_has_room_of_its_own() {
    let padded = |pad: usize| {
        let choice = json!({"message": {"content": "[1]"}, "finish_reason": "stop"});
        let body = json!({"choices": [choice], "pad": "x".repeat(pad)}).to_string();
        let limits = Limits { answer_bytes: 64, ..Limits::default() };
        let whole = move |_| Ok(reply("application/json", vec![Ok(body.clone().into())]));
        app(limits, PassedTo(whole))
    };
    let asked = r#"{"stream":false,"patchwire":{}}"#;
    let edited: Json = serde_json::from_str(&ask(&padded(600_000), CHAT, asked).await).unwrap();
    assert_eq!(edited["choices"][0]["message"]["answer"]["value"], json!([1]));
    let (status, code, message) = refused(&padded(1_100_000), post_to(CHAT, asked)).await;
    assert_eq!((status, code.as_str()), (502, "upstream_broken"));
    assert!(message.contains("the response has more than 1048640 bytes"), "{message}");
}

/// Some servers leave out the blank lines between events.
#[tokio::test]
async fn behind_the_end_nothing_is_read() {
    let delta = |index: u32| {
        let choice = json!({"index": index, "delta": {"content": "[1]"}, "finish_reason": "stop"});
        json!({"choices": [choice]})
    };
    for (end, first) in [("[DONE]", delta(0)), ("{\"error\":{}}", json!({}))] {
        let body = format!("data: {first}\ndata: {end}\ndata: {}\n\n", delta(5));
        let edited = ask(&streams(&body, 9), CHAT, "{\"stream\":true,\"patchwire\":{}}").await;
        assert_eq!(edited.matches("\"answer\":").count(), 1, "{edited}");
        assert!(edited.ends_with(&format!("data: {end}\ndata: {}\n\n", delta(5))), "{edited}");
    }
}
