//! Requests to the gateway from arbitrary bytes, in this process and without sockets. The fuzz target `gateway` and a
//! test of its findings use it.
//!
//! ```text
//! byte 0        what the rest is, and the options of a request
//! byte 1        how many numbers follow, at most 8
//! 1 byte each   a number: the length of a piece of the answer, and where a reader leaves
//! the rest      the document
//! ```

use std::sync::LazyLock;

use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use patchwire_web::upstream::{Chat, Delta, Deltas, UpstreamError};
use patchwire_web::{Limits, Options, router};
use serde_json::{Value as Json, json};
use tokio::runtime::{Builder, Runtime};

use crate::support::{Emitted, Events, Model, after, get, post, problem, send};

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().enable_all().build().expect("a runtime"));

/// Built once. Each request says what the model answers.
static APP: LazyLock<Router> = LazyLock::new(|| {
    let limits = Limits { answer_bytes: 64 << 10, empty_deltas: 100, ..Limits::default() };
    router(Options::default().with_limits(limits).with_upstream(Model(|chat: Chat| says(&chat))))
        .expect("it is sound")
});

/// The deltas of the request's member `says`: a list of a kind and a text each.
fn says(chat: &Chat) -> Result<Deltas, UpstreamError> {
    let parts: Vec<(char, String)> =
        chat.body.get("says").and_then(|says| serde_json::from_str(says).ok()).unwrap_or_default();
    let delta = |(kind, text): (char, String)| match kind {
        'r' => Ok(Delta::Reasoning(text.into())),
        'f' => Ok(Delta::Fact("usage".to_owned(), text.into())),
        'c' => Ok(Delta::Call {
            key: 0.into(),
            id: None,
            name: Some("tool".to_owned()),
            arguments: text.into(),
        }),
        'e' => Err(UpstreamError::Broken(text)),
        _ => Ok(Delta::Text(Bytes::from(text))),
    };
    Ok(stream::iter(parts.into_iter().map(delta)).boxed())
}

/// Makes a request of the bytes, and checks what comes of it. Panics if that is wrong.
pub(crate) fn gateway(data: &[u8]) {
    let [mode, count, rest @ ..] = data else { return };
    let (numbers, document) = rest.split_at(usize::from(*count % 9).min(rest.len()));
    RUNTIME.block_on(async {
        match mode % 4 {
            0 => check(post(document.to_vec())).await,
            1 => check(at("/v1/cut", document.to_vec())).await,
            2 => check_head(document).await,
            _ => check_answer(mode / 4, numbers, document).await,
        }
    });
}

fn at(path: &str, body: Vec<u8>) -> Request<Body> {
    let mut request = post(body);
    *request.uri_mut() = path.parse().expect("a path");
    request
}

/// A request gets a stream of events, or an error that says what to do.
async fn check(request: Request<Body>) {
    let response = send(&APP, request).await;
    check_response(response).await;
}

async fn check_response(response: Response<Body>) {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).cloned();
    if status.is_client_error() || status.is_server_error() {
        assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR);
        let (_, code, message) = problem(response).await;
        assert!(!code.is_empty() && !message.is_empty());
    } else if kind.is_some_and(|kind| kind == "text/event-stream") {
        check_events(&Events::of(response).rest().await, 1);
    }
}

/// The numbers rise, nothing is missing, and the last event is the only end.
fn check_events(emitted: &[Emitted], first: u64) {
    for (one, number) in emitted.iter().zip(first..) {
        assert_eq!(one.id, number);
    }
    let (last, before) = emitted.split_last().expect("there is an end");
    let is_end = |one: &Emitted| matches!(&*one.name, "final" | "error");
    assert!(is_end(last), "{last:?}");
    assert!(!before.iter().any(is_end));
    assert_ne!(last.data["code"], "work_failed");
}

/// A document that is a request: method and path, headers, a blank line, a body.
async fn check_head(document: &[u8]) {
    let (head, body) = document
        .windows(2)
        .position(|pair| pair == b"\n\n")
        .map_or((document, &b""[..]), |end| (&document[..end], &document[end + 2..]));
    let mut lines = head.split(|byte| *byte == b'\n');
    let mut words = lines.next().unwrap_or_default().splitn(2, |byte| *byte == b' ');
    let method = words.next().and_then(|method| Method::from_bytes(method).ok());
    let target = words.next().and_then(|target| str::from_utf8(target).ok()?.parse().ok());
    let (Some(method), Some(target)) = (method, target) else { return };
    let mut request = Request::new(Body::from(body.to_vec()));
    (*request.method_mut(), *request.uri_mut()) = (method, target);
    for line in lines {
        let mut parts = line.splitn(2, |byte| *byte == b':');
        let name = parts.next().and_then(|name| HeaderName::from_bytes(name).ok());
        let value = parts.next().map(<[u8]>::trim_ascii);
        let value = value.and_then(|value| HeaderValue::from_bytes(value).ok());
        if let (Some(name), Some(value)) = (name, value) {
            request.headers_mut().append(name, value);
        }
    }
    // A stream that is played at the speed of a model takes seconds.
    if request.uri().path().ends_with("/fields") && request.method() == Method::GET {
        return;
    }
    if request.method() == Method::HEAD {
        let status = send(&APP, request).await.status();
        assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR);
        return;
    }
    check(request).await;
}

const FORMATS: [&str; 6] = ["json", "xml_field", "hybrid", "markdown", "yaml_literal", "text"];

fn options(number: u8) -> Json {
    let mut options = json!({"format": FORMATS[usize::from(number) % FORMATS.len()]});
    if number & 8 != 0 {
        options["tags"] = "think".into();
    }
    if number & 16 != 0 {
        options["schema"] = json!({"a": "str", "b": ["int"], "c": {"d": "number"}});
        options["strict"] = true.into();
    }
    options["raw"] = (number & 32 != 0).into();
    options
}

/// An answer, once read by one reader, and once by a reader that leaves and comes back.
async fn check_answer(options_of: u8, numbers: &[u8], document: &[u8]) {
    let body = body(&options(options_of), numbers, document);
    let response = send(&APP, post(body.clone())).await;
    if response.status() != StatusCode::OK {
        return check_response(response).await;
    }
    let whole = Events::of(response).rest().await;
    check_events(&whole, 1);
    let leaves = usize::from(*numbers.last().unwrap_or(&0)) % whole.len();
    let response = send(&APP, post(body)).await;
    let name = response.headers()["patchwire-stream"].to_str().expect("a name").to_owned();
    let mut events = Events::of(response);
    let mut again = events.take(leaves).await;
    drop(events);
    let path = format!("/v1/fields/{name}");
    let rest = send(&APP, after(get(&path), leaves as u64)).await;
    again.extend(Events::of(rest).rest().await);
    assert_eq!(again, whole);
    let end = send(&APP, after(get(&path), whole.len() as u64)).await;
    assert_eq!(end.status(), StatusCode::NO_CONTENT);
    let mut cancel = get(&path);
    *cancel.method_mut() = Method::DELETE;
    assert_eq!(send(&APP, cancel).await.status(), StatusCode::NO_CONTENT);
}

/// A request whose member `says` has the document in pieces, each of the length that a number gives. The number also
/// says what the piece is: most are text.
fn body(options: &Json, numbers: &[u8], document: &[u8]) -> String {
    let text = String::from_utf8_lossy(document);
    let mut rest: &str = &text;
    let mut says = Vec::new();
    for number in numbers.iter().chain([&255]) {
        let most = if *number == 255 { rest.len() } else { usize::from(*number).min(rest.len()) };
        let end = (0..=most).rev().find(|end| rest.is_char_boundary(*end)).unwrap_or_default();
        let (piece, after) = rest.split_at(end);
        let kind = match number % 16 {
            1 => "r",
            2 => "f",
            3 => "c",
            4 => "e",
            _ => "t",
        };
        says.push(json!([kind, piece]));
        rest = after;
    }
    json!({"model": "m", "says": says, "patchwire": options}).to_string()
}
