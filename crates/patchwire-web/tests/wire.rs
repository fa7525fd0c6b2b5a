//! The protocols of `wire`.

use core::time::Duration;

use futures_util::StreamExt as _;
use patchwire_web::{Limits, Options, router};
use serde_json::{Value as Json, json};

use crate::support::{always, app, bytes_of, get, once, post, refused, send, text};

const SAID: &[&str] = &["<think>Hm.</think>", "{\"title\": \"Caf", "é ", "☃\", ", "\"n\": [1, 2]}"];

/// The data of each event. Every event has a number.
async fn asked(body: &Json) -> Vec<String> {
    let app = app(Limits::default(), always(SAID));
    let response = send(&app, post(body.to_string())).await;
    assert_eq!(response.status(), 200);
    let is_ui = body["patchwire"]["wire"] == "ui-message";
    assert_eq!(response.headers().contains_key("x-vercel-ai-ui-message-stream"), is_ui);
    let body = String::from_utf8(bytes_of(response).await.to_vec()).unwrap();
    let events = body.split_terminator("\n\n").enumerate().map(|(at, event)| {
        assert!(event.starts_with(&format!("id: {}\n", at + 1)), "{event}");
        event.split_once("data: ").unwrap().1.to_owned()
    });
    events.collect()
}

fn options(wire: &str) -> Json {
    json!({"model": "m", "patchwire": {"wire": wire, "tags": "think"}})
}

fn read(lines: &[String]) -> Vec<Json> {
    lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The value that operations of RFC 6902 or of `ops` make.
fn folded<'o>(operations: impl IntoIterator<Item = &'o Json>) -> Json {
    let mut root = Json::Null;
    for op in operations {
        let path = op["path"].as_str().unwrap();
        let (parent, key) = path.rsplit_once('/').unwrap_or(("", ""));
        if op["op"] == "append-text" {
            let Some(Json::String(text)) = root.pointer_mut(path) else { panic!("{op}") };
            *text += op["text"].as_str().unwrap();
        } else if path.is_empty() {
            root = op["value"].clone();
        } else {
            match root.pointer_mut(parent).unwrap() {
                Json::Object(members) => drop(members.insert(key.to_owned(), op["value"].clone())),
                Json::Array(items) => items.push(op["value"].clone()),
                other => panic!("{other}"),
            }
        }
    }
    root
}

fn value() -> Json {
    json!({"title": "Café ☃", "n": [1, 2]})
}

#[tokio::test]
async fn each_protocol_gives_the_value() {
    let own = read(&asked(&options("own")).await);
    assert_eq!(own.last().unwrap()["value"], value());
    assert_eq!(own, read(&asked(&json!({"patchwire": {"tags": "think"}})).await));

    let compact = read(&asked(&options("compact")).await);
    assert_eq!(compact.last().unwrap()["value"], value());
    assert!(compact.iter().any(|line| line.as_str() == Some("é ")), "{compact:?}");

    let ops = read(&asked(&options("ops")).await);
    assert_eq!(folded(&ops), value());

    let patches = read(&asked(&options("json-patch")).await);
    assert_eq!(folded(patches.iter().flat_map(|patch| patch.as_array().unwrap())), value());

    let ui = asked(&options("ui-message")).await;
    assert_eq!(ui.last().unwrap(), "[DONE]");
    let ui = read(&ui[..ui.len() - 1]);
    let answer = ui.iter().rfind(|part| part["type"] == "data-answer").unwrap();
    assert_eq!((&ui[0]["type"], &answer["data"]), (&json!("start"), &value()));
}

#[tokio::test]
async fn ag_ui_and_the_ai_sdk_send_requests_of_their_own() {
    let run = json!({
        "threadId": "t-7", "runId": "r-8", "state": {}, "tools": [], "context": [],
        "messages": [{"id": "1", "role": "user", "content": "Go."}],
        "forwardedProps": {"patchwire": {"wire": "ag-ui", "tags": "think"}},
    });
    let events = read(&asked(&run).await);
    let named = json!({"type": "RUN_STARTED", "threadId": "t-7", "runId": "r-8"});
    assert_eq!((&events[0], &events.last().unwrap()["type"]), (&named, &json!("RUN_FINISHED")));
    let snapshots = events.iter().filter(|event| event["type"] == "STATE_SNAPSHOT");
    let snapshots =
        snapshots.map(|event| json!({"op": "add", "path": "", "value": event["snapshot"]}));
    let deltas = events.iter().filter_map(|event| event["delta"].as_array()).flatten().cloned();
    let all: Vec<Json> = snapshots.chain(deltas).collect();
    assert_eq!(folded(&all), value());

    let chat = json!({
        "id": "c", "trigger": "submit-message", "patchwire": {"wire": "ui-message"},
        "messages": [{"id": "1", "role": "user", "parts": [{"type": "text", "text": "Go."}]}],
    });
    assert!(asked(&chat).await.len() > 5);
}

#[tokio::test(start_paused = true)]
async fn a_growing_string_is_repeated_every_quarter_of_a_second() {
    for (wire, more, wait) in [
        ("json-patch", "", 250),
        ("ag-ui", "", 250),
        ("json-patch", ",\"resend_ms\":40", 40),
        ("ag-ui", ",\"resend_ms\":2000", 2000),
    ] {
        let (says, model) = once();
        let app = app(Limits::default(), model);
        let body = format!("{{\"patchwire\":{{\"wire\":\"{wire}\"{more}}}}}");
        let said = tokio::spawn(async move {
            says.send(text("{\"a\": \"0123456789")).await.unwrap();
            tokio::time::sleep(Duration::from_millis(10_000)).await;
            for part in ["abc", "def"] {
                says.send(text(part)).await.unwrap();
            }
            tokio::time::sleep(Duration::from_millis(10_000)).await;
            says.send(text("g\"}")).await.unwrap();
        });
        let response = send(&app, post(body)).await;
        let mut chunks = response.into_body().into_data_stream();
        let begun = tokio::time::Instant::now();
        let mut seen = None;
        while let Some(chunk) = chunks.next().await {
            let chunk = String::from_utf8(chunk.unwrap().to_vec()).unwrap();
            if chunk.contains("0123456789abcdef\"") {
                seen.get_or_insert_with(|| begun.elapsed());
            }
        }
        said.await.unwrap();
        let late = seen.expect("it was repeated") - Duration::from_millis(10_000);
        let wanted = Duration::from_millis(wait);
        assert!(late >= wanted && late < wanted + Duration::from_millis(5), "{wire}: {late:?}");
    }
}

#[tokio::test]
async fn an_answer_that_breaks_off_says_so_in_its_protocol() {
    use patchwire_web::upstream::UpstreamError;
    for (wire, last) in [
        ("own", json!({"event": "error", "code": "upstream_broken"})),
        ("compact", json!({"event": "error", "code": "upstream_broken"})),
        ("ops", json!({"op": "error", "code": "upstream_broken"})),
        ("json-patch", json!({"event": "error", "code": "upstream_broken"})),
        ("ag-ui", json!({"type": "RUN_ERROR", "code": "upstream_broken"})),
        ("ui-message", json!({"type": "error"})),
    ] {
        let model = crate::support::Model(|_| {
            let said = [text("{\"a\": \"b"), Err(UpstreamError::Broken("reset".to_owned()))];
            Ok(futures_util::stream::iter(said).boxed())
        });
        let app = app(Limits::default(), model);
        let body = bytes_of(send(&app, post(options(wire).to_string())).await).await;
        let body = String::from_utf8(body.to_vec()).unwrap();
        let data = body.split("data: ").map(|data| data.split("\n\n").next().unwrap());
        let events: Vec<Json> = data.filter_map(|data| serde_json::from_str(data).ok()).collect();
        let is_last = |event: &&Json| {
            last.as_object().unwrap().iter().all(|(name, value)| event[name] == *value)
        };
        assert_eq!(events.iter().filter(is_last).count(), 1, "{wire}: {body}");
    }
}

#[tokio::test]
async fn what_a_protocol_has_no_place_for_is_refused() {
    let app = router(Options::default()).unwrap();
    for (body, says) in [
        (r#"{"patchwire":{"wire":"agui"}}"#, "`wire` is one of own, compact"),
        (r#"{"patchwire":{"wire":"ops","raw":true}}"#, "`raw` is not part of the protocol ops"),
        (r#"{"patchwire":{"wire":"ops","resend_ms":1}}"#, "`resend_ms` is for ag-ui"),
    ] {
        let (status, code, message) = refused(&app, post(body)).await;
        assert_eq!((status, code.as_str()), (400, "bad_body"), "{body}");
        assert!(message.contains(says), "{message}");
    }
    let chat = crate::support::post_to(
        "/v1/chat/completions",
        r#"{"model":"json","patchwire":{"wire":"ag-ui"}}"#,
    );
    assert!(refused(&app, chat).await.2.contains("the form `own`"));
    let mut request = post(r#"{"model":"json"}"#);
    request.headers_mut().insert("patchwire", "{\"wire\":\"ops\"}".parse().unwrap());
    let response = send(&app, request).await;
    let name = response.headers()["patchwire-stream"].to_str().unwrap().to_owned();
    assert!(bytes_of(response).await.starts_with(b"id: 1\nevent: op\n"));
    // The stream has the same numbers and the same protocol for a client that comes back.
    let again = send(&app, get(&format!("/v1/fields/{name}"))).await;
    assert!(bytes_of(again).await.starts_with(b"id: 1\nevent: op\n"));
}
