use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use patchwire_async::CallKey;
use patchwire_web::upstream::{Chat, Delta, UpstreamError};
use patchwire_web::{Options, router};
use serde_json::{Value as Json, json};

use crate::support::{Emitted, Events, Model, always, app, ask, post, refused, send, text};

#[tokio::test]
async fn the_fields_of_an_answer_are_emitted_in_order_and_numbered() {
    let app = app(Default::default(), always(&["{\"title\": \"Hel", "lo\", \"n\": [1", "2]}"]));
    let (_, mut events) = ask(&app, "{}").await;
    let emitted = events.rest().await;
    let shown: Vec<String> = emitted
        .iter()
        .map(|one| {
            let word = |name: &str| one.data[name].as_str().unwrap_or_default().to_owned();
            format!("{} {} {} {}{}", one.id, one.name, word("kind"), word("path"), word("delta"))
        })
        .collect();
    let expected = [
        "1 patch open ",
        "2 patch open title",
        "3 patch delta titleHel",
        "4 patch delta titlelo",
        "5 patch done title",
        "6 patch open n",
        "7 patch done n[0]",
        "8 patch done n",
        "9 patch done ",
        "10 root_complete  ",
        "11 final  ",
    ];
    assert_eq!(shown, expected);
    assert_eq!(emitted[10].data["value"], json!({"title": "Hello", "n": [12]}));
}

#[tokio::test]
async fn reasoning_calls_and_facts_are_emitted_too() {
    let model = Model(|_| {
        let call = |id: Option<&str>, arguments: &'static str| {
            let (id, name) = (id.map(str::to_owned), id.map(|_| "find".to_owned()));
            let arguments = Bytes::from_static(arguments.as_bytes());
            Ok(Delta::Call { key: CallKey::from(0), id, name, arguments })
        };
        let said = [
            Ok(Delta::Reasoning("Two.".into())),
            text("[1]"),
            call(Some("c1"), "{\"q\": \"a"),
            call(None, "b\"}"),
            Ok(Delta::Fact("usage".to_owned(), json!({"output_tokens": 7}))),
        ];
        Ok(stream::iter(said).boxed())
    });
    let app = app(Default::default(), model);
    let emitted = ask(&app, "{}").await.1.rest().await;
    let [.., facts, last] = &emitted[..] else { panic!("{emitted:?}") };
    assert_eq!(facts.data, json!({"event": "facts", "facts": {"usage": {"output_tokens": 7}}}));
    assert_eq!((&last.data["value"], &last.data["reasoning"]), (&json!([1]), &json!("Two.")));
    let call = emitted.iter().find(|one| one.name == "tool_call").unwrap();
    assert_eq!((&call.data["id"], &call.data["name"]), (&json!("c1"), &json!("find")));
    let is_argument = |one: &&Emitted| one.data["path"] == "q" && one.data["kind"] == "done";
    let argument = emitted.iter().find(is_argument).unwrap();
    assert_eq!(argument.data["call"], call.data["call"]);
    assert_eq!(argument.data["value"], "ab");
}

#[tokio::test]
async fn the_model_gets_the_body_and_the_keys_and_nothing_prints_the_keys() {
    let asked: Arc<Mutex<Vec<Chat>>> = Arc::default();
    let asks = Arc::clone(&asked);
    let model = Model(move |chat| {
        asks.lock().unwrap().push(chat);
        Ok(stream::iter([text("{}")]).boxed())
    });
    let app = app(Default::default(), model);
    let body = r#"{"model":"m","temperature":0.10,"patchwire":{"format":"json"},"stream":false}"#;
    let mut request = post(body);
    for (name, key) in [("authorization", "Bearer sk-1"), ("x-api-key", "k2"), ("cookie", "c")] {
        request.headers_mut().insert(name, key.parse().unwrap());
    }
    Events::of(send(&app, request).await).rest().await;
    let asked = asked.lock().unwrap();
    let [chat] = &asked[..] else { panic!("asked once") };
    let sent = serde_json::to_string(&chat.body).unwrap();
    assert_eq!(sent, r#"{"model":"m","temperature":0.10,"stream":true}"#);
    let keys: Vec<_> = chat.credentials.iter().map(|(name, key)| (name.as_str(), key)).collect();
    assert_eq!(
        keys.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        ["authorization", "x-api-key"]
    );
    assert_eq!(keys[0].1, "Bearer sk-1");
    assert!(keys.iter().all(|(_, key)| key.is_sensitive()));
    let printed = format!("{chat:?} {keys:?}");
    assert!(!printed.contains("sk-1") && !printed.contains("k2"), "{printed}");
}

#[tokio::test]
async fn a_schema_decides_how_the_answer_is_read() {
    let said = &["### title\nHi\n\n", "### n\n", "3\n"];
    let app = app(Default::default(), always(said));
    let body = r#"{"patchwire":{"format":"hybrid","schema":{"title":"str","n":"int"}}}"#;
    let emitted = ask(&app, body).await.1.rest().await;
    assert_eq!(emitted.last().unwrap().data["value"], json!({"title": "Hi", "n": 3}));
}

#[tokio::test]
async fn without_a_model_those_that_come_along_answer() {
    let app = router(Options::default()).unwrap();
    let emitted = ask(&app, r#"{"model":"json"}"#).await.1.rest().await;
    assert_eq!(emitted.last().unwrap().data["value"]["title"], "Two days in São Paulo");
    let (status, code, message) = refused(&app, post(r#"{"model":"gpt"}"#)).await;
    assert_eq!((status, code.as_str()), (404, "no_model"));
    assert!(message.starts_with("no model is behind this server: "), "{message}");
    assert!(message.contains("called `gpt`; there are json, xml_field"), "{message}");
    let (status, code, message) = refused(&app, post("{}")).await;
    assert_eq!((status, code.as_str()), (404, "no_model"));
    assert!(message.contains("`model` is missing"), "{message}");
}

#[tokio::test]
async fn what_the_model_refuses_is_passed_on_where_the_client_can_mend_it() {
    let refusal = |status| {
        let message = "no".to_owned();
        UpstreamError::Refused { status, message, retry_after: None }
    };
    for (error, status, code) in [
        (refusal(401), 401, "upstream_refused"),
        (refusal(429), 429, "upstream_refused"),
        (refusal(500), 502, "upstream_refused"),
        (refusal(503), 503, "upstream_refused"),
        (UpstreamError::Foreign("a page".to_owned()), 502, "upstream_foreign"),
        (UpstreamError::Unreachable("no route".to_owned()), 502, "upstream_unreachable"),
        (UpstreamError::Timeout { seconds: 3 }, 504, "upstream_timeout"),
        (UpstreamError::Broken("reset".to_owned()), 502, "upstream_broken"),
    ] {
        let app = app(Default::default(), Model(move |_| Err(error.clone())));
        let (is, word, _) = refused(&app, post("{}")).await;
        assert_eq!((is, word.as_str()), (status, code));
    }
}

#[tokio::test]
async fn how_long_the_model_wants_to_be_left_alone_is_passed_on() {
    let second = Duration::from_secs(1);
    for (status, wait, header) in [
        (429, Some(7 * second), Some("7")),
        (503, Some(second / 2), Some("1")),
        (529, Some(Duration::ZERO), Some("0")),
        (503, Some(Duration::MAX), Some("18446744073709551615")),
        (429, None, None),
    ] {
        let message = "slow down".to_owned();
        let error = UpstreamError::Refused { status, message, retry_after: wait };
        let app = app(Default::default(), Model(move |_| Err(error.clone())));
        let response = send(&app, post("{}")).await;
        let emitted = response.headers().get("retry-after").map(|wait| wait.to_str().unwrap());
        assert_eq!(emitted, header, "{status} {wait:?}");
    }
}

#[tokio::test]
async fn a_stream_that_breaks_off_ends_in_an_error_that_says_so() {
    let model = Model(|_| {
        let said = [text("{\"a\": \"b"), Err(UpstreamError::Broken("reset".to_owned()))];
        Ok(stream::iter(said).boxed())
    });
    let emitted = ask(&app(Default::default(), model), "{}").await.1.rest().await;
    let last = emitted.last().unwrap();
    assert_eq!((last.name.as_str(), &last.data["code"]), ("error", &json!("upstream_broken")));
    assert_eq!(emitted[2].data["delta"], "b");
}

#[tokio::test]
async fn what_is_wrong_with_a_body_is_said() {
    let app = app(Default::default(), always(&[]));
    for (body, says) in [
        ("", "no chat request"),
        ("[1]", "an object"),
        (r#"{"patchwire":{"format":"xml"}}"#, "no format is called `xml`"),
        (r#"{"patchwire":{"shema":1}}"#, "unknown field `shema`"),
    ] {
        let (status, code, message) = refused(&app, post(body)).await;
        assert_eq!((status, code.as_str()), (400, "bad_body"), "{body}");
        assert!(message.contains(says), "{body}: {message}");
    }
    let mut request = post("{}");
    request.headers_mut().insert("content-type", "text/plain".parse().unwrap());
    let (status, code, message) = refused(&app, request).await;
    assert_eq!((status, code.as_str()), (415, "not_json"));
    assert!(message.contains("Content-Type: application/json"), "{message}");
}

/// The text of the deltas of each field, and the last event.
fn folded(emitted: &[Emitted]) -> (BTreeMap<String, String>, Json) {
    let mut fields = BTreeMap::<String, String>::new();
    for one in emitted {
        if let (Some(pointer), Some(delta)) =
            (one.data["pointer"].as_str(), one.data["delta"].as_str())
        {
            *fields.entry(pointer.to_owned()).or_default() += delta;
        }
    }
    (fields, emitted.last().expect("there is an end").data.clone())
}

/// A long delta is read in parts, and elsewhere than a short one.
#[tokio::test]
async fn one_long_delta_gives_what_many_short_ones_give() {
    let long = "é\u{1f600} \\\"x\\\" ".repeat(3000);
    let whole =
        format!("<think>{long}</think>{{\"a\": \"{long}\", \"b\": [1, {{\"c\": \"{long}\"}}]}}");
    let call = json!({"q": "r".repeat(20_000)}).to_string();
    let answer = |parts: usize| {
        let (whole, call) = (whole.clone(), call.clone());
        Model(move |_: Chat| {
            let texts = whole
                .as_bytes()
                .chunks(parts)
                .map(|part| Delta::Text(Bytes::copy_from_slice(part)));
            let reasoning = whole.as_bytes().chunks(parts);
            let reasoning = reasoning.map(|part| Delta::Reasoning(Bytes::copy_from_slice(part)));
            let calls = call.as_bytes().chunks(parts).enumerate().map(|(at, part)| Delta::Call {
                key: 3.into(),
                id: (at == 0).then(|| "id".to_owned()),
                name: (at == 0).then(|| "search".to_owned()),
                arguments: Bytes::copy_from_slice(part),
            });
            let all: Vec<_> = texts.chain(reasoning).chain(calls).map(Ok).collect();
            Ok(stream::iter(all).boxed())
        })
    };
    let body = r#"{"patchwire": {"tags": "think"}}"#;
    let read =
        async |parts| ask(&app(Default::default(), answer(parts)), body).await.1.rest().await;
    let short = read(1000).await;
    let (fields, last) = folded(&short);
    assert_eq!(last["event"], "final");
    assert!(fields.values().map(String::len).sum::<usize>() > 80_000);
    for parts in [4096, 4097, 50_000, usize::MAX] {
        assert_eq!(folded(&read(parts).await), (fields.clone(), last.clone()), "{parts}");
    }
}
