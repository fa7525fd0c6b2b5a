//! Requests and responses that are passed on as they are.

use patchwire_chat::sources::Protocol;
use patchwire_chat::{Endpoint, Forward, Key, Options, Passed, Target};
use serde_json::json;
use tokio_stream::StreamExt as _;

use crate::server::{Reply, Server};

fn request(target: Target, wants_key: bool) -> Passed {
    let headers = [("anthropic-beta".parse().unwrap(), "b".parse().unwrap())];
    Passed {
        target,
        query: Some("beta=true".to_owned()),
        headers: headers.into_iter().collect(),
        wants_key,
        body: "{ \"a\" : 1.0 }".into(),
    }
}

#[tokio::test]
async fn a_response_comes_back_whatever_it_is() {
    let server = Server::start([Reply::error(418, "{\"error\": "), Reply::of(["a", "b"])]).await;
    let endpoint = Endpoint::openai(&server.url).unwrap().with_key(Key::new("sk-own"));
    let forward = Forward::new(endpoint, Options::default()).unwrap();
    let refused = forward.pass(request(Target::Endpoint, true)).await.unwrap();
    assert_eq!(refused.status, 418);
    let chunks: Vec<_> = refused.body.map(Result::unwrap).collect().await;
    assert_eq!(chunks.concat(), b"{\"error\": ");
    let streamed = forward.pass(request(Target::Endpoint, false)).await.unwrap();
    assert_eq!(streamed.headers["content-type"], "text/event-stream");
    let asked = server.asked();
    assert_eq!(
        (&*asked[0].path, asked[0].query.as_deref()),
        ("/v1/chat/completions", Some("beta=true"))
    );
    assert_eq!(asked[0].body, json!({"a": 1.0}));
    assert_eq!(
        (&asked[0].headers["authorization"], &asked[0].headers["anthropic-beta"]),
        (&"Bearer sk-own".parse().unwrap(), &"b".parse().unwrap())
    );
    assert!(!asked[1].headers.contains_key("authorization"));
}

#[tokio::test]
async fn the_models_are_beside_the_endpoint() {
    for (protocol, base, name, path) in [
        (Protocol::OpenAiChat, "/v1", None, "/v1/models"),
        (
            Protocol::OpenAiChat,
            "/api/v1/chat/completions",
            Some("meta/llama 3"),
            "/api/v1/models/meta/llama%203",
        ),
        (Protocol::Anthropic, "", Some("c"), "/v1/models/c"),
    ] {
        let server = Server::start([Reply::of(["{}"])]).await;
        let endpoint = Endpoint::new(protocol, &format!("{}{base}", server.url)).unwrap();
        let forward = Forward::new(endpoint.with_key(Key::new("sk-own")), Options::default());
        let request = request(Target::Models(name.map(str::to_owned)), true);
        forward.unwrap().pass(request).await.unwrap();
        let asked = server.asked().remove(0);
        assert_eq!(asked.path, path);
        assert_eq!(asked.headers.contains_key("x-api-key"), protocol == Protocol::Anthropic);
        assert_eq!(
            asked.headers.contains_key("anthropic-version"),
            protocol == Protocol::Anthropic
        );
    }
}

#[tokio::test]
async fn nobody_there_is_an_error() {
    let endpoint = Endpoint::openai("http://me:secret@127.0.0.1:9/v1?key=secret").unwrap();
    let forward = Forward::new(endpoint, Options::default()).unwrap();
    let error = forward.pass(request(Target::Endpoint, true)).await.unwrap_err();
    assert!(!error.to_string().contains("secret"), "{error}");
}

#[tokio::test]
async fn a_key_does_not_come_back() {
    let echoed = "{\"error\":{\"message\":\"wrong key sk-own-0123456789 (sk-other-0123456789)\"}}";
    let streamed = ["data: sk-own-0", "123456789\n\ndata: [DONE]\n\n"];
    let reply = || [Reply::error(401, echoed), Reply::of(streamed), Reply::error(401, echoed)];
    let server = Server::start(reply()).await;
    let endpoint = Endpoint::openai(&server.url).unwrap().with_key(Key::new("sk-own-0123456789"));
    let forward = Forward::new(endpoint, Options::default()).unwrap();
    for expected in
        ["{\"error\":{\"message\":\"wrong key [key] ([key])\"}}", "data: [key]\n\ndata: [DONE]\n\n"]
    {
        let response = forward.pass(request(Target::Endpoint, true)).await.unwrap();
        let chunks: Vec<_> = response.body.map(Result::unwrap).collect().await;
        assert_eq!(chunks.concat(), expected.as_bytes());
    }
    let error = forward.open("{}".to_owned(), Default::default()).await.unwrap_err().to_string();
    assert!(error.contains("wrong key [key] ([key])"), "{error}");
}

#[tokio::test]
async fn a_key_in_a_header_or_a_code_does_not_come_back() {
    let echoed = r#"{"error":{"message":"no","code":"c-sk-own-0123456789"}}"#;
    let reply = || Reply { request_id: Some("req-sk-own-0123456789"), ..Reply::error(401, echoed) };
    let server = Server::start([reply(), reply()]).await;
    let endpoint = Endpoint::openai(&server.url).unwrap().with_key(Key::new("sk-own-0123456789"));
    let forward = Forward::new(endpoint, Options::default()).unwrap();
    let response = forward.pass(request(Target::Endpoint, true)).await.unwrap();
    assert_eq!(response.headers["x-request-id"], "req-[key]");
    let error = forward.open("{}".to_owned(), Default::default()).await.unwrap_err().to_string();
    assert!(error.contains("c-[key]: no"), "{error}");
}

#[tokio::test]
async fn an_error_without_a_key_is_passed_on_byte_for_byte() {
    let long = format!("{{ \"error\": \"{}\" }}", "x".repeat(100_000));
    let server = Server::start([Reply::error(400, &long)]).await;
    let forward = Forward::new(Endpoint::openai(&server.url).unwrap(), Options::default()).unwrap();
    let response = forward.pass(request(Target::Endpoint, false)).await.unwrap();
    let chunks: Vec<_> = response.body.map(Result::unwrap).collect().await;
    assert_eq!(chunks.concat(), long.as_bytes());
}

#[tokio::test]
async fn a_redirect_is_no_response() {
    let reply = Reply { location: Some("https://a.example/v1"), ..Reply::error(308, "") };
    let server = Server::start([reply]).await;
    let forward = Forward::new(Endpoint::openai(&server.url).unwrap(), Options::default()).unwrap();
    let error = forward.pass(request(Target::Endpoint, false)).await.unwrap_err();
    assert!(error.to_string().contains("redirects to `https://a.example/v1`"), "{error}");
}
