//! A thousand streams at once, in a process that counts its own memory.

mod support;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use futures_util::{StreamExt as _, future, stream};
use http_body_util::BodyExt as _;
use patchwire_web::upstream::{Chat, Delta, Deltas, Endpoint, Opening, Passed, Passing, Upstream};
use patchwire_web::{Limits, Options, ServeError, Stopped, serve_until};
use peak_alloc::PeakAlloc;
use serde_json::{Value as Json, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Mutex, Semaphore, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::Duration;

use support::{Closing, Emitted, Events, Model, chat, connect};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// One test at a time: they share the machine's sockets and this process's memory.
static ALONE: Mutex<()> = Mutex::const_new(());

const STREAMS: usize = 1000;
/// Items of an answer.
const ITEMS: usize = 24;
/// Most bytes that a stream may take, of server and client together, with everything that they share.
const MOST_EACH: usize = 160 << 10;

/// What the answer of one stream is: its own name, in every field.
fn answer(name: &str) -> Json {
    let items: Vec<Json> =
        (0..ITEMS).map(|at| json!({"of": format!("{name}/{at}"), "at": at})).collect();
    json!({"id": name, "items": items, "end": name})
}

/// How many answers are being read.
#[derive(Clone)]
struct Live(Arc<watch::Sender<usize>>);

impl Live {
    fn new() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }

    fn one_more(&self) -> Alive {
        self.0.send_modify(|live| *live += 1);
        Alive(self.clone())
    }

    async fn is(&self, wanted: usize) {
        let mut live = self.0.subscribe();
        live.wait_for(|live| *live == wanted).await.expect("the sender is ours");
    }
}

/// One answer that is being read; not any more when it is dropped.
struct Alive(Live);

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.0.send_modify(|live| *live -= 1);
    }
}

/// Says the answer of a name in small pieces, the first at once, the rest when the gate opens.
fn says(name: &str, live: &Live, gate: Arc<Semaphore>) -> Deltas {
    let text = Bytes::from(answer(name).to_string());
    let alive = live.one_more();
    let pieces = stream::unfold((0, alive, gate), move |(at, alive, gate)| {
        let text = text.clone();
        async move {
            if at > 0 {
                drop(gate.acquire().await.ok()?);
                // Other streams have their turn between any two pieces.
                tokio::task::yield_now().await;
            }
            let end = text.len().min(at + 3 + at % 7);
            (at < text.len()).then(|| (Ok(Delta::Text(text.slice(at..end))), (end, alive, gate)))
        }
    });
    pieces.boxed()
}

/// Says the answers through each endpoint.
struct Everywhere {
    live: Live,
    gate: Arc<Semaphore>,
}

impl Upstream for Everywhere {
    fn open(&self, chat: Chat) -> Opening {
        let name = chat.body.text("model").expect("the test names its stream");
        let said = says(&name, &self.live, Arc::clone(&self.gate));
        Box::pin(async move { Ok(said) })
    }

    fn pass(&self, request: Passed) -> Passing {
        let body: Json = serde_json::from_slice(&request.body).expect("JSON");
        let name = body["model"].as_str().expect("the test names its stream").to_owned();
        let is_chat = request.endpoint == Endpoint::ChatCompletions;
        let event = move |text: &str| {
            let event = match (is_chat, text) {
                (true, "") => {
                    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
                }
                (true, text) => json!({"choices": [{"index": 0, "delta": {"content": text}}]}),
                (false, "") => {
                    json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}})
                }
                (false, text) => {
                    json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": text}})
                }
            };
            Ok(Bytes::from(format!("data: {event}\n\n")))
        };
        let said = says(&name, &self.live, Arc::clone(&self.gate)).map(move |said| match said? {
            Delta::Text(text) => event(str::from_utf8(&text).expect("it is ASCII")),
            _ => Ok(Bytes::new()),
        });
        let said = said.chain(stream::iter([event("")]));
        Box::pin(async move { Ok(support::reply_of("text/event-stream", said.boxed())) })
    }
}

struct Running {
    address: SocketAddr,
    live: Live,
    gate: Arc<Semaphore>,
    stop: oneshot::Sender<()>,
    server: JoinHandle<Result<Stopped, ServeError>>,
}

async fn start() -> Running {
    let sockets = rlimit::increase_nofile_limit(8192).expect("sockets");
    assert!(sockets > 3 * STREAMS as u64, "{sockets} open files are too few for this test");
    let limits = Limits {
        streams: STREAMS,
        connections: 2 * STREAMS,
        resume_time: Duration::ZERO,
        resume_bytes: 16 << 10,
        ..Limits::default()
    };
    let (live, gate) = (Live::new(), Arc::new(Semaphore::new(0)));
    let model = Everywhere { live: live.clone(), gate: Arc::clone(&gate) };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("it is bound");
    let (stop, stopped) = oneshot::channel();
    let server = tokio::spawn(serve_until(
        listener,
        Options::default().with_limits(limits).with_upstream(model),
        async {
            // A test that is over stops its server, too.
            let _ = stopped.await;
        },
    ));
    Running { address, live, gate, stop, server }
}

impl Running {
    /// All streams, each with its first event read: from then on all are open at the same time.
    async fn open_all(&self) -> Vec<(String, Emitted, Events<Closing>)> {
        let one = |number: usize| async move {
            let name = format!("stream-{number}");
            let mut events = Events::of(connect(self.address, chat(&name)).await);
            let first = events.next().await.expect("the first event");
            (name, first, events)
        };
        let opened = stream::iter(0..STREAMS).map(one).buffer_unordered(64).collect().await;
        self.live.is(STREAMS).await;
        opened
    }

    async fn stop(self) -> Stopped {
        self.stop.send(()).expect("the server runs");
        self.server.await.expect("it does not panic").expect("it ran")
    }
}

/// Looks at the events of one stream as they come, and keeps none.
struct Checked {
    name: String,
    next: u64,
    /// The deltas of the text that grows.
    text: String,
}

impl Checked {
    fn new(name: String) -> Self {
        Self { name, next: 1, text: String::new() }
    }

    /// Every text is that of this stream, and no event is missing. Whether it was the last.
    fn event(&mut self, emitted: &Emitted) -> bool {
        assert_eq!(emitted.id, self.next, "{}", self.name);
        self.next += 1;
        self.text += emitted.data["delta"].as_str().unwrap_or_default();
        if let ("done", Some(text)) =
            (emitted.data["kind"].as_str().unwrap_or_default(), emitted.data["value"].as_str())
        {
            let rest = text.strip_prefix(&self.name).expect("it is of this stream");
            assert!(rest.is_empty() || rest.starts_with('/'), "{}: {text}", self.name);
            assert_eq!(core::mem::take(&mut self.text), text);
        }
        let is_last = emitted.name == "final";
        if is_last {
            assert_eq!(emitted.data["value"], answer(&self.name));
        }
        is_last
    }
}

/// Reads to the end.
async fn read((name, first, mut events): (String, Emitted, Events<Closing>)) {
    let mut checked = Checked::new(name);
    assert!(!checked.event(&first));
    let mut is_last = false;
    while let Some(emitted) = events.next().await {
        assert!(!is_last, "the answer is the last event");
        is_last = checked.event(&emitted);
    }
    assert!(is_last, "{} ends in an answer", checked.name);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_streams_at_once_lose_and_mix_nothing_in_bounded_memory() {
    let _alone = ALONE.lock().await;
    let running = start().await;
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let opened = running.open_all().await;
    running.gate.add_permits(STREAMS);
    // Each reads to its own end, or panics.
    future::join_all(opened.into_iter().map(read)).await;
    running.live.is(0).await;
    let each = (MEMORY.peak_usage() - before) / STREAMS;
    assert!(each <= MOST_EACH, "{each} bytes a stream");
    assert_eq!(running.stop().await.aborted, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_streams_learn_that_the_server_stops() {
    let _alone = ALONE.lock().await;
    let running = start().await;
    let opened = running.open_all().await;
    let live = running.live.clone();
    let last = |(_, _, mut events): (String, Emitted, Events<Closing>)| async move {
        events.rest().await.pop().expect("there is an end")
    };
    let (stopped, ends) =
        tokio::join!(running.stop(), future::join_all(opened.into_iter().map(last)));
    assert_eq!(stopped.aborted, 0);
    assert!(ends.iter().all(|end| end.data["code"] == "shutting_down"), "{:?}", ends.first());
    live.is(0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_clients_that_vanish_free_their_streams() {
    let _alone = ALONE.lock().await;
    let running = start().await;
    let opened = running.open_all().await;
    drop(opened);
    running.live.is(0).await;
    // And there is room for as many again.
    let again = running.open_all().await;
    assert_eq!(again.len(), STREAMS);
    drop(again);
    running.live.is(0).await;
    assert_eq!(running.stop().await.aborted, 0);
}

/// The events of a stream that is passed on, one at a time.
async fn read_passed((name, is_chat, mut events): (String, bool, Lines)) {
    let at = if is_chat { "/choices/0/delta" } else { "/delta" };
    let (mut content, mut text, mut last) = (String::new(), String::new(), Json::Null);
    while let Some(event) = events.next().await {
        let delta = event.pointer(at).expect("a delta");
        let said = if is_chat { &delta["content"] } else { &delta["text"] };
        content += said.as_str().unwrap_or_default();
        for patch in delta["patches"].as_array().into_iter().flatten() {
            text += patch["delta"].as_str().unwrap_or_default();
            if let ("done", Some(whole)) =
                (patch["kind"].as_str().unwrap_or_default(), patch["value"].as_str())
            {
                let rest = whole.strip_prefix(&name).expect("it is of this stream");
                assert!(rest.is_empty() || rest.starts_with('/'), "{name}: {whole}");
                assert_eq!(core::mem::take(&mut text), whole);
            }
        }
        assert!(last.is_null(), "{name}: the answer comes last");
        last = delta["answer"].clone();
    }
    assert_eq!((content, &last["value"]), (answer(&name).to_string(), &answer(&name)));
}

/// A body, JSON by JSON.
struct Lines {
    body: Closing,
    begun: Vec<u8>,
}

impl Lines {
    async fn next(&mut self) -> Option<Json> {
        loop {
            if let Some(end) = self.begun.windows(2).position(|pair| pair == b"\n\n") {
                let rest = self.begun.split_off(end + 2);
                let event = core::mem::replace(&mut self.begun, rest);
                let data = event.strip_prefix(b"data: ").expect("data");
                return Some(serde_json::from_slice(data).expect("JSON"));
            }
            let frame = self.body.frame().await?.expect("the body does not break");
            self.begun.extend_from_slice(&frame.into_data().expect("a body of data"));
        }
    }
}

/// A thousand streams, of which each third uses another endpoint.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_streams_of_all_endpoints_lose_and_mix_nothing() {
    let _alone = ALONE.lock().await;
    let running = start().await;
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let (address, live) = (running.address, running.live.clone());
    let one = |number: usize| async move {
        let name = format!("stream-{number}");
        let path = ["/v1/fields", "/v1/chat/completions", "/v1/messages"][number % 3];
        if number.is_multiple_of(3) {
            let mut events = Events::of(connect(address, chat(&name)).await);
            let first = events.next().await.expect("the first event");
            return Ok((name, first, events));
        }
        let body = json!({"model": name, "stream": true, "patchwire": {}}).to_string();
        let request = hyper::Request::post(path)
            .header("host", "localhost")
            .header("content-type", "application/json")
            .body(http_body_util::Full::from(body));
        let response = connect(address, request.expect("a request")).await;
        assert_eq!(response.status(), 200);
        Err((name, number % 3 == 1, Lines { body: response.into_body(), begun: Vec::new() }))
    };
    let opened: Vec<_> = stream::iter(0..STREAMS).map(one).buffer_unordered(64).collect().await;
    live.is(STREAMS).await;
    running.gate.add_permits(STREAMS);
    let all = opened.into_iter().map(|opened| async move {
        match opened {
            Ok(events) => read(events).await,
            Err(passed) => read_passed(passed).await,
        }
    });
    future::join_all(all).await;
    live.is(0).await;
    let each = (MEMORY.peak_usage() - before) / STREAMS;
    assert!(each <= MOST_EACH, "{each} bytes a stream");
    assert_eq!(running.stop().await.aborted, 0);
}

/// Clients that read nothing.
const SLOW: usize = 100;
/// Most bytes that such a client may cost.
const MOST_SLOW: usize = 256 << 10;

/// A client that sends its request and reads nothing, with the least buffer that the system gives.
async fn reads_nothing(address: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(2048).expect("a size");
    let mut stream = socket.connect(address).await.expect("the server listens");
    let head = "POST /v1/fields HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    stream
        .write_all(format!("{head}Content-Length: 2\r\n\r\n{{}}").as_bytes())
        .await
        .expect("it reads");
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_read_nothing_of_long_answers_cost_no_more_than_their_window() {
    let _alone = ALONE.lock().await;
    rlimit::increase_nofile_limit(8192).expect("sockets");
    let read = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&read);
    let long = Bytes::from("y".repeat(60_000));
    let model = Model(move |_: Chat| {
        let (long, counted) = (long.clone(), Arc::clone(&counted));
        let begin = stream::iter([Bytes::from("{\"a\": \"")]);
        let pieces = begin.chain(stream::repeat(long)).inspect(move |piece| {
            counted.fetch_add(piece.len(), Ordering::Relaxed);
        });
        Ok(pieces.map(|piece| Ok(Delta::Text(piece))).boxed())
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("it is bound");
    // Nobody is refused because others wait for a thread.
    let limits = Limits { waiting: SLOW, ..Limits::default() };
    let server = tokio::spawn(serve_until(
        listener,
        Options::default().with_limits(limits).with_upstream(model),
        core::future::pending(),
    ));
    let before = MEMORY.current_usage();
    let clients: Vec<TcpStream> =
        stream::iter(0..SLOW).map(|_| reads_nothing(address)).buffer_unordered(16).collect().await;
    // All have begun, and none is read from any more.
    let mut last = 0;
    loop {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let now = read.load(Ordering::Relaxed);
        if now >= SLOW * 60_000 && now == last {
            break;
        }
        last = now;
    }
    let each = MEMORY.current_usage().saturating_sub(before) / SLOW;
    assert!(each <= MOST_SLOW, "{each} bytes a client, {} of the answer read", last / SLOW);
    drop(clients);
    server.abort();
}
