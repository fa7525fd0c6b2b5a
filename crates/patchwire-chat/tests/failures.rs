//! What goes wrong, by its type, and what is said of it.

use std::time::Duration;

use patchwire::OwnedEvent;
use patchwire_async::{DeltasError, Error, ResponseEvent};
use patchwire_chat::sources::Protocol;
use patchwire_chat::{Chat, ChatError, Endpoint, Key, Options};

use crate::answers::{chat, spec};
use crate::server::{Reply, Server, good};

/// Asks once, and gives the error.
pub(crate) async fn failure(chat: &Chat) -> ChatError {
    let mut response = chat.ask("Greet.").max_retries(0).send();
    let error = response.answer().await.expect_err("it fails");
    drop(response);
    match error.into_source() {
        Ok(error) => error,
        Err(Error::Rejected { rejection, .. }) => panic!("rejected: {rejection}"),
        Err(other) => panic!("{other}"),
    }
}

async fn failure_of(reply: Reply) -> ChatError {
    let server = Server::start([reply]).await;
    failure(&chat(&server, Protocol::OpenAiChat)).await
}

#[tokio::test]
async fn an_error_in_place_of_a_stream_says_what_the_server_says() {
    let error = failure_of(Reply::error(
        401,
        r#"{"error":{"message":"bad key sk-…","code":"invalid_api_key"}}"#,
    ))
    .await;
    let said = error.to_string();
    assert!(
        said.contains("status 401: invalid_api_key: bad key") && said.contains("http://127"),
        "{said}"
    );
    assert!(!error.is_transient());
    assert!(failure_of(Reply::error(429, "slow down")).await.is_transient());
    // However long the body is.
    let error = failure_of(Reply::error(500, &"x".repeat(1 << 20))).await;
    assert!(error.to_string().len() < 1_000);
}

/// Asks as often as it takes. Why attempts failed, whether there was an answer, and how often the
/// server was asked.
async fn attempts(replies: impl IntoIterator<Item = Reply>) -> (Vec<String>, bool, usize) {
    let server = Server::start(replies).await;
    let options = Options { backoff: Duration::from_millis(1), ..Options::default() };
    let endpoint = Endpoint::openai(&server.url).unwrap();
    let chat = Chat::with_options(endpoint, "m", spec(), options).unwrap();
    let mut response = chat.ask("Greet.").max_retries(3).send();
    let mut reasons = Vec::new();
    while let Some(event) = response.next().await {
        if let Ok(ResponseEvent::Rejected(rejection)) = event {
            reasons.push(rejection.reason.to_string());
        }
    }
    (reasons, response.answer().await.is_ok(), server.asked().len())
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_said() {
    let busy = Reply { retry_after: Some("0"), ..Reply::error(429, "slow down") };
    let replies = [busy, Reply::error(503, "too many"), good(Protocol::OpenAiChat)];
    let (reasons, answered, asked) = attempts(replies).await;
    assert!(answered && asked == 3, "{reasons:?}");
    assert!(reasons[0].contains("status 429: slow down"), "{reasons:?}");
    assert!(reasons[1].contains("status 503: too many"), "{reasons:?}");
}

#[tokio::test]
async fn what_will_not_pass_is_not_tried_again() {
    let (reasons, answered, asked) = attempts([Reply::error(401, "bad key")]).await;
    assert!(!answered && asked == 1 && reasons.len() == 1, "{asked} {reasons:?}");
    assert!(reasons[0].contains("status 401: bad key"), "{reasons:?}");
    // Nobody waits for an hour.
    let full = Reply { retry_after: Some("3600"), ..Reply::error(429, "quota") };
    let (reasons, answered, asked) = attempts([full]).await;
    assert!(!answered && asked == 1);
    assert!(reasons[0].contains("left alone for 3600 s"), "{reasons:?}");
}

/// An hour by its clock, however late it is by ours.
#[tokio::test]
async fn a_server_may_say_until_when_to_wait() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT";
    let until = |time| Reply {
        retry_after: Some(time),
        date: Some(date),
        ..Reply::error(503, "maintenance")
    };
    let (reasons, answered, asked) = attempts([until("Sun, 06 Nov 1994 09:49:37 GMT")]).await;
    assert!(!answered && asked == 1, "{reasons:?}");
    assert!(reasons[0].contains("left alone for 3600 s"), "{reasons:?}");
    let (reasons, answered, asked) = attempts([until(date), good(Protocol::OpenAiChat)]).await;
    assert!(answered && asked == 2, "{reasons:?}");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://me:secret@{}/v1?key=secret", listener.local_addr().unwrap());
    drop(listener);
    let endpoint = Endpoint::openai(&url).unwrap().with_key(Key::new("sk-secret"));
    let error = failure(&Chat::new(endpoint, "m", spec()).unwrap()).await;
    assert!(matches!(error, ChatError::Unreachable { .. }) && !error.is_transient());
    let said = format!("{error} {error:?}");
    assert!(said.contains("127.0.0.1") && !said.contains("secret"), "{said}");
}

/// A key goes to the host that it was given for.
#[tokio::test]
async fn redirects_are_not_followed() {
    let reply = Reply { location: Some("http://127.0.0.1:1/elsewhere"), ..Reply::error(307, "") };
    let error = failure_of(reply).await;
    assert!(matches!(&error, ChatError::Redirect { .. }) && !error.is_transient());
    let said = error.to_string();
    assert!(said.contains("redirects to `http://127.0.0.1:1/elsewhere`"), "{said}");
    for (location, says) in [
        ("/v2/chat", "/v2/chat`"),
        ("https://a.example/?key=secret", "another address"),
        ("https://secret@a.example/", "another address"),
        ("//[", "another address"),
    ] {
        let error = failure_of(Reply { location: Some(location), ..Reply::error(302, "") }).await;
        let said = error.to_string();
        assert!(said.contains(says) && !said.contains("secret"), "{said}");
    }
}

#[tokio::test]
async fn a_stream_that_is_cut_keeps_what_came() {
    let event = "data: {\"choices\":[{\"delta\":{\"content\":\"{\\\"title\\\": \\\"so fa\"}}]}\n\n";
    let server = Server::start([Reply::of([event])]).await;
    let chat = chat(&server, Protocol::OpenAiChat);
    let mut response = chat.ask("Greet.").max_retries(0).send();
    let mut seen = String::new();
    while let Some(event) = response.next().await {
        match event {
            Ok(ResponseEvent::Parsed(OwnedEvent::Patch(patch))) => seen.push_str(&patch.delta),
            Ok(_) => {}
            Err(error) => {
                let source = error.as_source().expect("the source's");
                assert!(matches!(source, ChatError::Stream(DeltasError::Cut)), "{source}");
                assert!(source.is_transient());
            }
        }
    }
    assert_eq!(seen, "so fa");
}

#[tokio::test]
async fn a_body_in_another_protocol_is_an_error_that_says_so() {
    let error = failure_of(Reply::of(["data: <html>\n\n"])).await;
    assert!(error.to_string().contains("is this the right protocol?"), "{error}");
}

/// The server is asked once, and what it sent is said.
#[tokio::test]
async fn what_is_of_another_protocol_is_named_and_not_asked_for_again() {
    let page =
        Reply { kind: "text/html", ..Reply::of(["<!doctype html>\n<title>Proxy</title>\n"]) };
    let json = r#"{"id": "m1", "model": "m-1", "content": [{"type": "text", "text": "Hi"}]}"#;
    let whole = Reply { kind: "application/json", ..Reply::of([json]) };
    for (reply, says) in [
        (good(Protocol::Anthropic), "it is a stream of the protocol anthropic"),
        (good(Protocol::OpenAiResponses), "it is a stream of the protocol openai-responses"),
        (good(Protocol::Ollama), "it is a stream of the protocol ollama"),
        (page, "it is no stream of events, and begins \"<!doctype html>"),
        (whole.clone(), "it is one JSON text and no stream, and begins \"{"),
        (Reply { kind: "text/plain", ..whole }, "it is one JSON text and no stream"),
    ] {
        let (reasons, answered, asked) = attempts([reply]).await;
        assert!(!answered && asked == 1 && reasons.len() == 1, "{asked} {reasons:?}");
        assert!(reasons[0].contains("is not of the protocol openai-chat"), "{reasons:?}");
        assert!(reasons[0].contains(says), "{says}: {reasons:?}");
    }
    // An error that is not framed as one is an error.
    let busy = r#"{"error": {"message": "no such model", "code": "model_not_found"}}"#;
    let (reasons, _, asked) = attempts([Reply::of([busy])]).await;
    assert!(asked == 1 && reasons[0].contains("model_not_found: no such model"), "{reasons:?}");
}

#[tokio::test]
async fn a_coding_that_was_not_asked_for_is_named() {
    let error = failure_of(Reply { coding: Some("br"), ..Reply::of(["..."]) }).await;
    assert!(matches!(&error, ChatError::Encoded { .. }) && !error.is_transient(), "{error}");
    assert!(error.to_string().contains("`br`"), "{error}");
    let plain = Reply { coding: Some("identity"), ..good(Protocol::OpenAiChat) };
    assert!(attempts([plain]).await.1);
}

/// It may have been cut before it said anything.
#[tokio::test]
async fn what_says_nothing_yet_is_asked_for_again() {
    for begun in
        ["", ": ping\n\n", "data: {\"choices\":[{\"delta\":{\"role\"", "data: {\"choices\":[]}\n\n"]
    {
        let replies = [Reply::of([begun]), good(Protocol::OpenAiChat)];
        let (reasons, answered, asked) = attempts(replies).await;
        assert!(answered && asked == 2, "{begun:?}: {reasons:?}");
        assert!(reasons[0].contains("in the middle of the answer"), "{reasons:?}");
    }
}

#[tokio::test]
async fn silence_has_an_end() {
    let reply = Reply { hangs: true, ..Reply::of(["data: {\"choices\":[]}\n\n"]) };
    let server = Server::start([reply]).await;
    let options = Options { idle_timeout: Duration::from_millis(50), ..Options::default() };
    let endpoint = Endpoint::openai(&server.url).unwrap();
    let chat = Chat::with_options(endpoint, "m", spec(), options).unwrap();
    let error = failure(&chat).await;
    let ChatError::Stream(DeltasError::Body(body)) = &error else { panic!("{error}") };
    assert!(body.is_timeout() && error.is_transient());
}

/// The model stops writing when nobody reads.
#[tokio::test]
async fn dropping_the_response_closes_the_connection() {
    let event = "data: {\"choices\":[{\"delta\":{\"content\":\"{\\\"title\\\": \\\"so fa\"}}]}\n\n";
    let reply = Reply { hangs: true, ..Reply::of([event]) };
    let server = Server::start([reply]).await;
    let mut response = chat(&server, Protocol::OpenAiChat).ask("Greet.").send();
    response.next().await.unwrap().unwrap();
    assert_eq!(server.open(), 1);
    drop(response);
    while server.open() > 0 {
        tokio::task::yield_now().await;
    }
}

/// Nobody listens, but the address names no machine in particular: the server may be starting.
#[cfg(unix)]
#[tokio::test]
async fn a_connection_refused_elsewhere_may_succeed_later() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://0.0.0.0:{}/v1", listener.local_addr().unwrap().port());
    drop(listener);
    let error = failure(&Chat::new(Endpoint::openai(&url).unwrap(), "m", spec()).unwrap()).await;
    assert!(matches!(error, ChatError::Unreachable { .. }) && error.is_transient(), "{error}");
}
