//! A server that plays one answer a request, and keeps what it was asked.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use patchwire_chat::sources::Protocol;
use serde_json::Value as Json;
use tokio_stream::StreamExt as _;

/// What is answered.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) location: Option<&'static str>,
    pub(crate) request_id: Option<&'static str>,
    pub(crate) retry_after: Option<&'static str>,
    /// What time it is there.
    pub(crate) date: Option<&'static str>,
    pub(crate) kind: &'static str,
    pub(crate) coding: Option<&'static str>,
    pub(crate) chunks: Vec<String>,
    /// The body goes on for ever, in silence.
    pub(crate) hangs: bool,
}

impl Reply {
    /// A stream of these chunks.
    pub(crate) fn of(chunks: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let chunks = chunks.into_iter().map(Into::into).collect();
        Self {
            status: 200,
            location: None,
            request_id: None,
            retry_after: None,
            date: None,
            kind: "text/event-stream",
            coding: None,
            chunks,
            hangs: false,
        }
    }

    /// An error.
    pub(crate) fn error(status: u16, body: &str) -> Self {
        Self { status, ..Self::of([body]) }
    }
}

/// What was asked.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) query: Option<String>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Json,
}

#[derive(Clone, Default)]
struct Script {
    replies: Arc<Mutex<VecDeque<Reply>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
    /// Bodies that hang, and whose client is there.
    open: Arc<AtomicUsize>,
}

pub(crate) struct Server {
    pub(crate) url: String,
    script: Script,
}

impl Server {
    pub(crate) async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        let script = Script::default();
        script.replies.lock().unwrap().extend(replies);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().fallback(answer).with_state(script.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, script }
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.script.asked.lock().unwrap().clone()
    }

    /// How many bodies are being sent.
    pub(crate) fn open(&self) -> usize {
        self.script.open.load(Ordering::SeqCst)
    }
}

async fn answer(
    State(script): State<Script>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    // A request of GET has no body.
    let body = if body.is_empty() {
        Json::Null
    } else {
        serde_json::from_slice(&body).expect("requests are JSON")
    };
    let query = uri.query().map(str::to_owned);
    let asked = Asked { path: uri.path().to_owned(), query, headers, body };
    script.asked.lock().unwrap().push(asked);
    let reply = script.replies.lock().unwrap().pop_front().expect("there is a reply left");
    let held = reply.hangs.then(|| Arc::clone(&script.open));
    let chunks = tokio_stream::iter(reply.chunks).map(Ok::<_, Infallible>);
    let rest = silence(held);
    let mut response = Response::new(Body::from_stream(chunks.chain(rest)));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap();
    response.headers_mut().insert("content-type", reply.kind.parse().unwrap());
    if let Some(location) = reply.location {
        response.headers_mut().insert("location", location.parse().unwrap());
    }
    if let Some(coding) = reply.coding {
        response.headers_mut().insert("content-encoding", coding.parse().unwrap());
    }
    if let Some(id) = reply.request_id {
        response.headers_mut().insert("x-request-id", id.parse().unwrap());
    }
    if let Some(wait) = reply.retry_after {
        response.headers_mut().insert("retry-after", wait.parse().unwrap());
    }
    if let Some(date) = reply.date {
        response.headers_mut().insert("date", date.parse().unwrap());
    }
    response
}

/// Nothing; for ever, and counted, if there is a count.
fn silence(
    open: Option<Arc<AtomicUsize>>,
) -> impl tokio_stream::Stream<Item = Result<String, Infallible>> {
    let (sender, receiver) = tokio::sync::mpsc::channel(1);
    if let Some(open) = open {
        open.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(async move {
            sender.closed().await;
            open.fetch_sub(1, Ordering::SeqCst);
        });
    }
    tokio_stream::wrappers::ReceiverStream::new(receiver)
}

/// The answer `{"title": "Grüße", "n": 3}` after some thought, in a protocol.
pub(crate) fn good(protocol: Protocol) -> Reply {
    let parts = ["{\"title\": \"Gr", "üße\", \"n\"", ": 3}"];
    let sse = |data: Json| format!("data: {data}\n\n");
    let json = |text: &str| serde_json::from_str::<Json>(text).expect("it is JSON");
    let content = |part: &str| match protocol {
        Protocol::OpenAiResponses => {
            sse(serde_json::json!({"type": "response.output_text.delta", "delta": part}))
        }
        Protocol::Anthropic => sse(serde_json::json!({
            "type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": part}
        })),
        Protocol::Ollama => {
            format!("{}\n", serde_json::json!({"message": {"content": part}, "done": false}))
        }
        _ => sse(serde_json::json!({"choices": [{"delta": {"content": part}}]})),
    };
    let (first, last) = match protocol {
        Protocol::OpenAiResponses => (
            sse(json(r#"{"type":"response.reasoning_text.delta","delta":"Hm."}"#)),
            sse(json(r#"{"type":"response.completed","response":{"status":"completed"}}"#)),
        ),
        Protocol::Anthropic => (
            sse(json(
                r#"{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"Hm."}}"#,
            )),
            sse(json(r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#))
                + &sse(json(r#"{"type":"message_stop"}"#)),
        ),
        Protocol::Ollama => (
            "{\"message\":{\"thinking\":\"Hm.\"}}\n".to_owned(),
            "{\"done\":true,\"done_reason\":\"stop\"}\n".to_owned(),
        ),
        _ => (
            sse(json(r#"{"choices":[{"delta":{"reasoning":"Hm."}}]}"#)),
            sse(json(r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#)) + "data: [DONE]\n\n",
        ),
    };
    let middle = parts.map(content);
    Reply::of([first].into_iter().chain(middle).chain([last]))
}
