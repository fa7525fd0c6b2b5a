//! Answers in each protocol become fields.

use patchwire::schema::{int, object, str};
use patchwire::{OwnedEvent, Spec};
use patchwire_async::ResponseEvent;
use patchwire_chat::sources::Protocol;
use patchwire_chat::{Chat, Endpoint, Key};
use serde_json::json;

use crate::server::{Reply, Server, good};

pub(crate) fn spec() -> Spec {
    let schema = object().field("title", str("one line").required()).field("n", int(""));
    Spec::builder().schema(schema).build().unwrap()
}

pub(crate) fn chat(server: &Server, protocol: Protocol) -> Chat {
    let endpoint = Endpoint::new(protocol, &server.url).unwrap().with_key(Key::new(" sk-secret\n"));
    Chat::new(endpoint, "m-1", spec()).unwrap()
}

#[tokio::test]
async fn every_protocol_becomes_the_same_fields() {
    for protocol in Endpoint::PROTOCOLS {
        let server = Server::start([good(protocol)]).await;
        let mut response = chat(&server, protocol).ask("Greet.").send();
        let mut title = String::new();
        while let Some(event) = response.next().await {
            match event.unwrap() {
                ResponseEvent::Parsed(OwnedEvent::Patch(patch)) if patch.path == *"title" => {
                    title.push_str(&patch.delta)
                }
                _ => {}
            }
        }
        assert_eq!(title, "Grüße", "{protocol}");
        let answer = response.answer().await.unwrap();
        assert_eq!(answer.value().to_string(), r#"{"title":"Grüße","n":3}"#, "{protocol}");
        assert_eq!(answer.reasoning(), "Hm.", "{protocol}");
        assert!(answer.facts().contains_key("stop_reason"), "{protocol}");
    }
}

#[tokio::test]
async fn a_failing_answer_is_asked_for_again_with_what_was_wrong() {
    let bad = Reply::of([
        "data: {\"choices\":[{\"delta\":{\"content\":\"{\\\"n\\\": 1}\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    ]);
    let busy = Reply::error(503, r#"{"error":{"message":"busy"}}"#);
    let server = Server::start([busy, bad, good(Protocol::OpenAiChat)]).await;
    let chat = chat(&server, Protocol::OpenAiChat);
    let mut response =
        chat.ask("Greet.").settings(json!({"temperature": 0.5})).max_retries(2).send();
    let mut resets = 0;
    while let Some(event) = response.next().await {
        resets += u32::from(matches!(event.unwrap(), ResponseEvent::Reset { .. }));
    }
    assert_eq!(response.data::<serde_json::Value>().await.unwrap()["n"], 3);
    let prompts: Vec<String> = server
        .asked()
        .iter()
        .map(|asked| asked.body["messages"][0]["content"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(prompts.len(), 3);
    assert!(resets >= 1);
    assert_eq!(prompts[0], prompts[1]);
    assert!(prompts[2].contains("title"), "{}", prompts[2]);
    assert_ne!(prompts[2], prompts[1]);
    assert!(server.asked().iter().all(|asked| asked.body["temperature"] == 0.5));
}

/// Some servers do not stream, and some say what is wrong with status 200.
#[tokio::test]
async fn an_answer_that_comes_all_at_once_is_read_too() {
    let body = json!({"choices": [{"message": {"content": "{\"title\": \"Hi\",\n\"n\": 1}"}, "finish_reason": "stop"}]});
    let body = serde_json::to_string_pretty(&body).unwrap();
    let reply = Reply { kind: "application/json; charset=utf-8", ..Reply::of([body]) };
    let server = Server::start([reply]).await;
    let mut response = chat(&server, Protocol::OpenAiChat).ask("Greet.").send();
    assert_eq!(response.data::<serde_json::Value>().await.unwrap(), json!({"title": "Hi", "n": 1}));

    let body = "{\n\"error\": {\"message\": \"no such model\"}\n}";
    let reply = Reply { kind: "application/json", ..Reply::of([body]) };
    let server = Server::start([reply]).await;
    let mut response = chat(&server, Protocol::OpenAiChat).ask("Greet.").max_retries(0).send();
    let error = response.answer().await.expect_err("it is an error");
    let source = error.as_source().expect("the source's").to_string();
    assert_eq!(source, "the provider reports no such model");
}
