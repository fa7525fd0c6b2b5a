//! Clients, and a model that says what a test has it say.
#![allow(dead_code, reason = "each test binary uses some of it")]

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Mutex;

use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use patchwire_web::upstream::{
    Chat, Delta, Deltas, Opening, Passed, Passing, Reply, ReplyBody, Upstream, UpstreamError,
};
use patchwire_web::{Limits, Options, router};
use serde_json::Value as Json;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tower::ServiceExt as _;

/// An event as it came over the wire.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Emitted {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) data: Json,
}

/// A body, event by event.
pub(crate) struct Events<B> {
    body: B,
    /// What came of an event that is not whole yet.
    begun: Vec<u8>,
    waiting: VecDeque<Emitted>,
    pub(crate) heartbeats: usize,
}

impl<B> Events<B>
where
    B: hyper::body::Body<Data = Bytes> + Unpin,
    B::Error: core::fmt::Debug,
{
    pub(crate) fn of(response: Response<B>) -> Self {
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
        Self {
            body: response.into_body(),
            begun: Vec::new(),
            waiting: VecDeque::new(),
            heartbeats: 0,
        }
    }

    /// The next event; none after the last.
    pub(crate) async fn next(&mut self) -> Option<Emitted> {
        loop {
            if let Some(emitted) = self.waiting.pop_front() {
                return Some(emitted);
            }
            let frame = self.body.frame().await?.expect("the body does not break");
            self.begun.extend_from_slice(&frame.into_data().expect("a body of data"));
            self.read();
        }
    }

    /// Reads what is whole.
    fn read(&mut self) {
        let Some(end) = self.begun.windows(2).rposition(|pair| pair == b"\n\n") else { return };
        let rest = self.begun.split_off(end + 2);
        let whole = String::from_utf8(core::mem::replace(&mut self.begun, rest));
        for block in whole.expect("events are UTF-8").split_terminator("\n\n") {
            if block.starts_with(':') {
                self.heartbeats += 1;
            } else {
                self.waiting.push_back(read(block));
            }
        }
    }

    pub(crate) async fn take(&mut self, count: usize) -> Vec<Emitted> {
        let mut emitted = Vec::new();
        for _ in 0..count {
            emitted.push(self.next().await.expect("there are more events"));
        }
        emitted
    }

    /// The number of the last event that can be had without waiting.
    pub(crate) async fn available(&mut self) -> u64 {
        let mut last = 0;
        while let Some(Some(emitted)) = self.next().now_or_never() {
            last = emitted.id;
        }
        last
    }

    pub(crate) async fn rest(&mut self) -> Vec<Emitted> {
        let mut emitted = Vec::new();
        while let Some(one) = self.next().await {
            emitted.push(one);
        }
        emitted
    }
}

fn read(block: &str) -> Emitted {
    let lines: Vec<&str> = block.lines().collect();
    let [id, name, data] = lines[..] else { panic!("an event has three lines: {block}") };
    let field = |line: &str, name: &str| line.strip_prefix(name).expect(name).to_owned();
    let data: Json = serde_json::from_str(&field(data, "data: ")).expect("the data is JSON");
    let emitted = Emitted {
        id: field(id, "id: ").parse().expect("a number"),
        name: field(name, "event: "),
        data,
    };
    assert_eq!(emitted.data["event"], emitted.name.as_str());
    emitted
}

/// Says what a test has it say, each time it is asked.
pub(crate) struct Model<F>(pub(crate) F);

impl<F> Upstream for Model<F>
where
    F: Fn(Chat) -> Result<Deltas, UpstreamError> + Send + Sync + 'static,
{
    fn open(&self, chat: Chat) -> Opening {
        let opened = (self.0)(chat);
        async move { opened }.boxed()
    }
}

/// What a model says: closed when nobody listens any more.
pub(crate) type Says = mpsc::Sender<Result<Delta, UpstreamError>>;

pub(crate) fn text(text: &str) -> Result<Delta, UpstreamError> {
    Ok(Delta::Text(Bytes::copy_from_slice(text.as_bytes())))
}

pub(crate) fn deltas(said: mpsc::Receiver<Result<Delta, UpstreamError>>) -> Deltas {
    stream::unfold(said, |mut said| async move { Some((said.recv().await?, said)) }).boxed()
}

/// A model that is asked once, and what it says. Nothing waits in between.
pub(crate) fn once() -> (Says, impl Upstream) {
    let (says, said) = mpsc::channel(1);
    let said = Mutex::new(Some(said));
    let model = Model(move |_| {
        let said = said.lock().expect("no test panics here").take();
        said.map(deltas).ok_or_else(|| UpstreamError::Unreachable("asked twice".to_owned()))
    });
    (says, model)
}

/// A model that always says the same, at once.
pub(crate) fn always(said: &'static [&'static str]) -> impl Upstream {
    Model(move |_| Ok(stream::iter(said.iter().map(|said| text(said))).boxed()))
}

pub(crate) fn app(limits: Limits, upstream: impl Upstream) -> Router {
    router(Options::default().with_limits(limits).with_upstream(upstream)).expect("it is sound")
}

pub(crate) fn get(path: &str) -> Request<Body> {
    let request = Request::get(path).header(header::HOST, "localhost:3000");
    request.body(Body::empty()).expect("a request")
}

pub(crate) fn post(body: impl Into<Body>) -> Request<Body> {
    Request::post("/v1/fields")
        .header(header::HOST, "localhost:3000")
        .header(header::CONTENT_TYPE, "application/json")
        .body(body.into())
        .expect("a request")
}

pub(crate) fn after(mut request: Request<Body>, id: u64) -> Request<Body> {
    request.headers_mut().insert("last-event-id", HeaderValue::from(id));
    request
}

pub(crate) async fn send(app: &Router, request: Request<Body>) -> Response<Body> {
    app.clone().oneshot(request).await.expect("routes do not fail")
}

/// Asks, and gives the response's name with its events.
pub(crate) async fn ask(app: &Router, body: &'static str) -> (String, Events<Body>) {
    let response = send(app, post(body)).await;
    let name = response.headers().get("patchwire-stream").map(|name| name.to_str().unwrap().into());
    (name.unwrap_or_else(|| panic!("{}", response.status())), Events::of(response))
}

/// A body that is JSON.
pub(crate) async fn body_of(response: Response<Body>) -> Json {
    let body = response.into_body().collect().await.expect("the body does not break").to_bytes();
    serde_json::from_slice(&body).expect("the body is JSON")
}

/// The status, and the code and message of the error.
pub(crate) async fn refused(app: &Router, request: Request<Body>) -> (u16, String, String) {
    problem(send(app, request).await).await
}

pub(crate) async fn problem<B>(response: Response<B>) -> (u16, String, String)
where
    B: hyper::body::Body,
    B::Error: core::fmt::Debug,
{
    let status = response.status().as_u16();
    assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json", "{status}");
    let body = response.into_body().collect().await.expect("the body does not break").to_bytes();
    let body: Json = serde_json::from_slice(&body).expect("the body is JSON");
    let word = |name: &str| body["error"][name].as_str().expect(name).to_owned();
    (status, word("code"), word("message"))
}

/// A connection of its own, closed when the body is dropped.
pub(crate) async fn connect(
    address: SocketAddr,
    request: Request<Full<Bytes>>,
) -> Response<Closing> {
    let stream = TcpStream::connect(address).await.expect("the server listens");
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.expect("HTTP");
    let task = tokio::spawn(async move {
        // A connection that the server ended is what some tests are about.
        let _ = connection.await;
    });
    let response = sender.send_request(request).await.expect("a response");
    response.map(|body| Closing { body, connection: task })
}

/// A body whose connection is closed with it.
pub(crate) struct Closing {
    body: Incoming,
    connection: tokio::task::JoinHandle<()>,
}

impl hyper::body::Body for Closing {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: core::pin::Pin<&mut Self>,
        cx: &mut core::task::Context<'_>,
    ) -> core::task::Poll<Option<Result<hyper::body::Frame<Bytes>, hyper::Error>>> {
        core::pin::Pin::new(&mut self.body).poll_frame(cx)
    }
}

impl Drop for Closing {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

/// A chat request over a socket.
pub(crate) fn chat(model: &str) -> Request<Full<Bytes>> {
    let body = serde_json::json!({"model": model}).to_string();
    Request::post("/v1/fields")
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Full::from(body))
        .expect("a request")
}

/// A model's server: it answers requests that are passed on as a test has it answer.
pub(crate) struct PassedTo<F>(pub(crate) F);

impl<F> Upstream for PassedTo<F>
where
    F: Fn(Passed) -> Result<Reply, UpstreamError> + Send + Sync + 'static,
{
    fn open(&self, _: Chat) -> Opening {
        async { Err(UpstreamError::Unreachable("it is not asked here".to_owned())) }.boxed()
    }

    fn pass(&self, request: Passed) -> Passing {
        let reply = (self.0)(request);
        async move { reply }.boxed()
    }
}

/// A response of the model's server, in these chunks.
pub(crate) fn reply(kind: &'static str, chunks: Vec<Result<Bytes, UpstreamError>>) -> Reply {
    reply_of(kind, stream::iter(chunks).boxed())
}

pub(crate) fn reply_of(kind: &'static str, body: ReplyBody) -> Reply {
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(kind))];
    Reply::new(StatusCode::OK, kind.into_iter().collect(), body)
}

pub(crate) fn post_to(path: &str, body: impl Into<Body>) -> Request<Body> {
    let mut request = post(body);
    *request.uri_mut() = path.parse().expect("a path");
    request
}

/// The whole body of a response.
pub(crate) async fn bytes_of(response: Response<Body>) -> Bytes {
    response.into_body().collect().await.expect("the body does not break").to_bytes()
}
