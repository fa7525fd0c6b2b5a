//! A model's server that answers what its request asks for: `kind:items:pause` names one of some answers, how many items it has, and
//! the milliseconds between two of its pieces.

use core::convert::Infallible;
use core::time::Duration;
use std::net::SocketAddr;

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use http_body_util::{BodyExt as _, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value as Json, json};
use tokio::net::TcpListener;
use tokio::time::sleep;

/// Serves until the process ends.
pub(crate) async fn serve() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("it is bound");
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let _ = stream.set_nodelay(true);
            tokio::spawn(async move {
                let server = hyper::server::conn::http1::Builder::new();
                // A gateway that is killed closes its connection.
                let _ = server.serve_connection(TokioIo::new(stream), service_fn(answer)).await;
            });
        }
    });
    address
}

type Body =
    StreamBody<std::pin::Pin<Box<dyn Stream<Item = Result<Frame<Bytes>, Infallible>> + Send>>>;

async fn answer(request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
    let body = request.into_body().collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let body: Json = serde_json::from_slice(&body).unwrap_or_default();
    let name = body["model"].as_str().unwrap_or_default();
    let mut parts = name.split(':').map(|part| part.parse::<u64>().unwrap_or_default());
    let [kind, items, pause] = [(); 3].map(|()| parts.next().unwrap_or_default());
    let pause = Duration::from_millis(pause);
    let events = stream::iter(events(kind, items)).then(move |event| async move {
        if !pause.is_zero() {
            sleep(pause).await;
        }
        Ok(Frame::data(event))
    });
    let body: Body = StreamBody::new(events.boxed());
    Ok(Response::builder()
        .header("content-type", "text/event-stream")
        .body(body)
        .expect("a response"))
}

/// The events of an answer: reasoning, text in pieces, for every third kind a tool call, and usage.
fn events(kind: u64, items: u64) -> Vec<Bytes> {
    let mut all = Vec::new();
    for word in ["Let ", "me ", "think. "] {
        all.push(chunk(&json!({"reasoning_content": word}), Json::Null));
    }
    let text = text(kind, items);
    let mut at = 0;
    while at < text.len() {
        let end = text.len().min(at + 3 + (at + kind as usize) % 9);
        all.push(chunk(&json!({"content": text[at..end]}), Json::Null));
        at = end;
    }
    if kind.is_multiple_of(3) {
        for (at, part) in ["{\"q\":", "\"mill\"", "}"].into_iter().enumerate() {
            let mut call = json!({"index": 0, "function": {"arguments": part}});
            if at == 0 {
                call["id"] = "call-1".into();
                call["function"]["name"] = "find".into();
            }
            all.push(chunk(&json!({"tool_calls": [call]}), Json::Null));
        }
    }
    all.push(chunk(&json!({}), "stop".into()));
    let usage =
        json!({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": all.len()}});
    all.push(format!("data: {usage}\n\n").into());
    all.push("data: [DONE]\n\n".into());
    all
}

fn chunk(delta: &Json, finish: Json) -> Bytes {
    let chunk = json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    format!("data: {chunk}\n\n").into()
}

/// ASCII, so that it can be cut anywhere.
fn text(kind: u64, items: u64) -> String {
    let items: Vec<Json> = (0..items)
        .map(|at| json!({"of": format!("answer {kind}, item {at}"), "at": at, "odd": at % 2 == 1}))
        .collect();
    format!("Sure! {}", json!({"id": kind, "items": items, "end": format!("of {kind}")}))
}
