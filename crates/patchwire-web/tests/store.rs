//! Several gateways with one store: any of them goes on with any stream.

#[path = "support/reached_store.rs"]
mod reached_store;
#[path = "support/store_suite.rs"]
mod store_suite;

use core::sync::atomic::Ordering;
use core::time::Duration;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use http_body_util::BodyExt as _;
use hyper::Request;
use patchwire_web::store::{
    MemoryStore, Page, Position, Store, StoreError, StoreSettings, StreamName, Times,
};
use patchwire_web::upstream::{Delta, Deltas, Upstream, UpstreamError};
use patchwire_web::{Limits, Options, router};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use self::reached_store::Reached;
use crate::support::{self, Events, Model, after, bytes_of, get, post, refused, send, text};

#[tokio::test(start_paused = true)]
async fn the_store_in_memory_does_what_every_store_does() {
    store_suite::run(&MemoryStore::default()).await;
}

const SAID: [&str; 7] = [
    "Sure! {\"title\": ",
    "\"A mi",
    "ll\", \"rows\": [",
    "{\"n\": 1}, ",
    "{\"n\": 2}",
    "]}",
    "\nDone.",
];
const BODY: &str = r#"{"model": "m", "messages": [{"role": "user", "content": "Go."}]}"#;
const BODY_AGAIN: &str = r#"{"model": "m", "messages": [], "patchwire": {"max_retries": 2}}"#;

/// A request of each way of reading, and of each protocol.
const BODIES: [&str; 7] = [
    BODY,
    BODY_AGAIN,
    r#"{"model": "m", "messages": [], "patchwire": {"raw": true}}"#,
    r#"{"model": "m", "messages": [], "patchwire": {"wire": "compact"}}"#,
    r#"{"model": "m", "messages": [], "patchwire": {"wire": "ag-ui"}}"#,
    r#"{"model": "m", "messages": [], "patchwire": {"wire": "ui-message"}}"#,
    r#"{"model": "m", "messages": [], "patchwire": {"wire": "json-patch"}}"#,
];

/// Says so many pieces at once, and each of the rest for a permit of the gate.
fn gated(gate: &Arc<Semaphore>, at_once: usize) -> impl Upstream {
    let gate = Arc::clone(gate);
    Model(move |_| Ok(pieces(&gate, at_once)))
}

fn pieces(gate: &Arc<Semaphore>, at_once: usize) -> Deltas {
    let gate = Arc::clone(gate);
    let pieces = stream::iter(SAID).enumerate().then(move |(at, said)| {
        let gate = Arc::clone(&gate);
        async move {
            if at >= at_once {
                gate.acquire().await.expect("it is open").forget();
            }
            text(said)
        }
    });
    pieces.boxed()
}

fn settings() -> StoreSettings {
    StoreSettings { lease: Duration::from_secs(3), ..StoreSettings::default() }
}

fn instance(store: impl Store, upstream: impl Upstream) -> Router {
    instance_with(store, upstream, settings(), Limits::default())
}

fn instance_with(
    store: impl Store,
    upstream: impl Upstream,
    settings: StoreSettings,
    limits: Limits,
) -> Router {
    let options = Options::default().with_limits(limits).with_upstream(upstream);
    router(options.with_store(store, settings)).expect("it is sound")
}

/// A model that nobody should ask.
fn nobody() -> impl Upstream {
    Model(|_| Err(UpstreamError::Unreachable("nobody is there".to_owned())))
}

fn open() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(1000))
}

async fn begin(app: &Router, body: &'static str) -> (String, Events<Body>) {
    support::ask(app, body).await
}

fn rest(name: &str, id: u64) -> Request<Body> {
    after(get(&format!("/v1/fields/{name}")), id)
}

async fn metrics(app: &Router) -> String {
    String::from_utf8(bytes_of(send(app, get("/metrics")).await).await.into()).expect("it is text")
}

/// The whole body of an undisturbed stream.
async fn undisturbed(body: &'static str) -> Bytes {
    let app = support::app(Limits::default(), gated(&open(), 0));
    bytes_of(send(&app, post(body)).await).await
}

#[tokio::test(start_paused = true)]
async fn a_store_changes_no_byte() {
    for body in BODIES {
        let app = instance(MemoryStore::default(), gated(&open(), 0));
        let stored = bytes_of(send(&app, post(body)).await).await;
        assert_eq!(stored, undisturbed(body).await, "{body}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_gets_exactly_the_rest_at_another_instance() {
    // The bodies of patchwire's own events, whose numbers the test reads.
    for body in &BODIES[..3] {
        for at_once in 0..=SAID.len() {
            check_the_rest(body, at_once).await;
        }
    }
}

/// Says so many pieces, and then the others: whatever a client has by then, it gets what follows.
async fn check_the_rest(body: &'static str, at_once: usize) {
    let whole = String::from_utf8(undisturbed(body).await.into()).unwrap();
    let count = whole.matches("id: ").count();
    let store = MemoryStore::default();
    let gate = Arc::new(Semaphore::new(0));
    let first = instance(store.clone(), gated(&gate, at_once));
    let second = instance(store, nobody());
    let (name, mut events) = begin(&first, body).await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    let had = events.available().await;
    let mut readers = Vec::new();
    for id in 0..=had {
        let response = send(&second, rest(&name, id)).await;
        if id == count as u64 {
            assert_eq!(response.status(), 204);
            continue;
        }
        assert_eq!(response.status(), 200, "{body} after {id}, with {at_once} pieces");
        readers.push((id, response));
    }
    gate.add_permits(100);
    for (id, response) in readers {
        let got = String::from_utf8(bytes_of(response).await.into()).unwrap();
        let from = whole.find(&format!("id: {}\n", id + 1)).unwrap();
        assert_eq!(got, whole[from..], "{body} after {id}, with {at_once} pieces");
    }
}

/// What a client has seen, every other instance has too.
#[tokio::test(start_paused = true)]
async fn no_event_is_sent_before_its_entry_is_in_the_store() {
    for body in &BODIES[..3] {
        let store = MemoryStore::default();
        let (slow, said) = (Reached::slow(&store), Arc::new(Semaphore::new(0)));
        let first = instance(slow.clone(), gated(&said, 0));
        let second = instance(store, nobody());
        let (name, mut events) = begin(&first, body).await;
        let mut other = Events::of(send(&second, rest(&name, 0)).await);
        let (mut own, mut stored) = (0, 0);
        for _ in SAID {
            said.add_permits(1);
            tokio::time::sleep(Duration::from_millis(1)).await;
            assert_eq!(events.available().await, 0, "{body}: an event behind {own} came early");
            slow.appends.add_permits(1);
            tokio::time::sleep(Duration::from_millis(1)).await;
            own = events.available().await.max(own);
            stored = other.available().await.max(stored);
            assert_eq!(own, stored, "{body}");
        }
        assert!(own > 3, "{body}: {own} events");
        slow.appends.add_permits(100);
        assert_eq!(events.rest().await.pop().map(|last| last.name), Some("final".to_owned()));
    }
}

/// What the store keeps of a whole answer.
async fn kept(app: &Router, store: &MemoryStore) -> Page {
    let (name, mut events) = begin(app, BODY).await;
    events.rest().await;
    let name = StreamName::read(&name).expect("a name");
    store.read(&name, Position::FIRST, 1 << 20).await.expect("it is kept")
}

#[tokio::test(start_paused = true)]
async fn each_entry_is_timed() {
    let store = MemoryStore::default();
    let app = instance(store.clone(), gated(&open(), 0));
    let page = kept(&app, &store).await;
    // The first entry, the request, begins the answer and is not appended.
    let count = page.entries.len() - 1;
    let metrics = metrics(&app).await;
    let counted = format!("patchwire_store_append_seconds_count {count}\n");
    assert!(count > 0 && metrics.contains(&counted), "{counted} is not in\n{metrics}");
}

#[tokio::test(start_paused = true)]
async fn an_answer_of_another_version_is_refused() {
    const OWN: &str = env!("CARGO_PKG_VERSION");
    let store = MemoryStore::default();
    let app = instance(store.clone(), gated(&open(), 0));
    let page = kept(&app, &store).await;
    let other_version = "7".repeat(OWN.len());
    let mut request = page.entries[0].bytes.to_vec();
    let at = request.windows(OWN.len()).position(|part| part == OWN.as_bytes());
    let at = at.expect("the request has the version");
    request[at..at + OWN.len()].copy_from_slice(other_version.as_bytes());
    let other = StreamName::read(&"7".repeat(32)).expect("a name");
    let times = Times { lease: Duration::from_secs(3), keep: Duration::from_secs(60) };
    store.create(&other, request.into(), times).await.expect("it is new");
    let (status, code, message) = refused(&app, rest(other.as_str(), 0)).await;
    assert_eq!((status, &*code), (410, "other_version"));
    assert!(message.contains(&other_version) && message.contains("again"), "{message}");
}

#[tokio::test(start_paused = true)]
async fn an_instance_that_dies_is_noticed_in_time() {
    let store = MemoryStore::default();
    let (reached, gate) = (Reached::new(&store), Arc::new(Semaphore::new(0)));
    let first = instance(reached.clone(), gated(&gate, 3));
    let second = instance(store, nobody());
    let (name, mut events) = begin(&first, BODY).await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    let had = events.available().await;
    reached.set(false);
    drop(events);
    let begun = Instant::now();
    let mut rest = Events::of(send(&second, rest(&name, had)).await);
    let last = rest.rest().await.pop().expect("an error");
    assert_eq!((last.id, &*last.name), (had + 1, "error"));
    assert_eq!(last.data["code"], "upstream_lost");
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
    // It stays so for all.
    assert_eq!(send(&second, self::rest(&name, last.id)).await.status(), 204);
    let metrics = metrics(&second).await;
    let counted = "patchwire_store_takeovers_total{verdict=\"ended\"} 1\n";
    assert!(metrics.contains(counted), "{metrics}");
}

#[tokio::test(start_paused = true)]
async fn another_instance_asks_again_and_the_one_that_was_still_writes_nothing() {
    let store = MemoryStore::default();
    let (reached, gate) = (Reached::new(&store), Arc::new(Semaphore::new(0)));
    let first = instance(reached.clone(), gated(&gate, 3));
    let follows = Reached::new(&store);
    let second = instance(follows.clone(), gated(&open(), 0));
    let third = instance(store, nobody());
    let (name, mut events) = begin(&first, BODY_AGAIN).await;
    tokio::time::sleep(Duration::from_millis(1)).await;
    let had = events.available().await;
    reached.set(false);
    let got = bytes_of(send(&second, rest(&name, had)).await).await;
    // Whoever writes an answer is pushed nothing of it.
    let feeds = follows.feeds.lock().unwrap().clone();
    assert!(!feeds.is_empty() && feeds.iter().all(|feed| feed.is_written_here()));
    // The first one wakes up, and the model goes on there.
    gate.add_permits(100);
    reached.set(true);
    let own = events.rest().await;
    let all = String::from_utf8(bytes_of(send(&third, rest(&name, 0)).await).await.into()).unwrap();
    assert!(all.ends_with(std::str::from_utf8(&got).unwrap()), "{all}");
    let after_reset = all.split("event: reset\n").nth(1).expect("a reset");
    // Nobody has to do what another instance does.
    assert!(all.contains("the server that asked the model is gone"), "{all}");
    assert!(all.contains("asks the model again") && !all.contains("send the request"), "{all}");
    for (app, counted) in [
        (&first, "patchwire_store_fenced_total 1\n"),
        (&second, "patchwire_store_fenced_total 0\n"),
        (&second, "patchwire_store_takeovers_total{verdict=\"asked_again\"} 1\n"),
    ] {
        let metrics = metrics(app).await;
        assert!(metrics.contains(counted), "{counted} is not in\n{metrics}");
    }
    let data = |body: &str| -> Vec<String> {
        let lines = body.lines().filter(|line| line.starts_with("data: "));
        // From the second attempt on, patches say which it is.
        lines.map(|line| line.replace(",\"attempt\":2", "")).collect()
    };
    let whole = String::from_utf8(undisturbed(BODY_AGAIN).await.into()).unwrap();
    assert_eq!(data(after_reset)[1..], data(&whole), "{all}");
    // And so for the client that stayed.
    let names: Vec<_> = own.iter().map(|event| &*event.name).collect();
    assert!(names.contains(&"reset") && names.last() == Some(&"final"), "{names:?}");
    let numbers: Vec<_> = own.iter().map(|event| event.id).collect();
    assert_eq!(numbers, (had + 1..=had + own.len() as u64).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn a_request_with_a_key_is_repeated_only_with_a_key() {
    for brings_key in [false, true] {
        let store = MemoryStore::default();
        let (reached, gate) = (Reached::new(&store), Arc::new(Semaphore::new(0)));
        let first = instance(reached.clone(), gated(&gate, 2));
        let model = Model(|chat: patchwire_web::upstream::Chat| {
            assert_eq!(chat.credentials.iter().count(), 1, "the key comes along");
            Ok(pieces(&open(), 0))
        });
        let second = instance(store, model);
        let with_key = |mut request: Request<Body>| {
            request.headers_mut().insert("authorization", "Bearer sk-1".parse().unwrap());
            request
        };
        let response = send(&first, with_key(post(BODY_AGAIN))).await;
        let name = response.headers()["patchwire-stream"].to_str().unwrap().to_owned();
        tokio::time::sleep(Duration::from_millis(1)).await;
        reached.set(false);
        let back = rest(&name, 0);
        let back = if brings_key { with_key(back) } else { back };
        let last = Events::of(send(&second, back).await).rest().await.pop().expect("an end");
        match brings_key {
            true => assert_eq!(last.name, "final"),
            false => assert_eq!(last.data["code"], "upstream_lost"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_fails_ends_a_stream_with_an_error_without_a_number() {
    for error in [
        StoreError::Full("maxmemory".to_owned()),
        StoreError::Unreachable("refused".to_owned()),
        StoreError::Lost { last: 0 },
    ] {
        let reached = Reached::new(&MemoryStore::default()).says(error.clone());
        let gate = Arc::new(Semaphore::new(0));
        let app = instance(reached.clone(), gated(&gate, 3));
        let response = send(&app, post(BODY)).await;
        let name = response.headers()["patchwire-stream"].to_str().unwrap().to_owned();
        tokio::time::sleep(Duration::from_millis(1)).await;
        reached.set(false);
        gate.add_permits(100);
        let body = String::from_utf8(bytes_of(response).await.into()).unwrap();
        let last = body.split_terminator("\n\n").last().unwrap();
        assert!(last.starts_with("event: error\ndata: "), "{body}");
        assert!(last.contains(error.code()) && last.contains("again"), "{last}");
        // New requests and clients that come back are told so, too.
        let (status, code, _) = refused(&app, post(BODY)).await;
        let status_of = if matches!(error, StoreError::Lost { .. }) { 410 } else { 503 };
        assert_eq!((status, &*code), (status_of, error.code()));
        let (_, code, _) = refused(&app, rest(&name, 1)).await;
        assert_eq!(code, error.code());
        let metrics = metrics(&app).await;
        let counted = format!("patchwire_store_errors_total{{code=\"{}\"}}", error.code());
        assert!(metrics.contains(&counted), "{metrics}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_is_cancelled_at_any_instance() {
    let store = MemoryStore::default();
    let (alive, held) = (Arc::new(()), Arc::new(Semaphore::new(0)));
    let model = {
        let (alive, held) = (Arc::clone(&alive), Arc::clone(&held));
        Model(move |_| {
            let alive = Arc::clone(&alive);
            let said = pieces(&held, 3).map(move |said| {
                let _alive = &alive;
                said
            });
            Ok(said.boxed())
        })
    };
    let first = instance(store.clone(), model);
    let second = instance(store, nobody());
    let (name, mut events) = begin(&first, BODY).await;
    let mut other = Events::of(send(&second, rest(&name, 0)).await);
    tokio::time::sleep(Duration::from_millis(1)).await;
    let mut request = get(&format!("/v1/fields/{name}"));
    *request.method_mut() = hyper::Method::DELETE;
    assert_eq!(send(&second, request).await.status(), 204);
    for events in [&mut events, &mut other] {
        let last = events.rest().await.pop().expect("an error");
        assert_eq!(last.data["code"], "cancelled");
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    // The one here, and the one that the model keeps.
    assert_eq!(Arc::strong_count(&alive), 2, "the model's stream is dropped");
    tokio::time::sleep(Duration::from_secs(20)).await;
    let (status, code, _) = refused(&second, rest(&name, 0)).await;
    assert_eq!((status, &*code), (410, "stream_gone"));
}

#[tokio::test(start_paused = true)]
async fn cancelling_is_tried_a_hundred_times_while_the_writer_appends() {
    for (outrun, status) in [(99, 204), (100, 503_u16)] {
        let store = MemoryStore::default();
        let reached = Reached::new(&store);
        let second = instance(reached.clone(), nobody());
        let first = instance(store, gated(&Arc::new(Semaphore::new(0)), 3));
        let (name, _events) = begin(&first, BODY).await;
        reached.outrun.store(outrun, Ordering::Release);
        let mut request = get(&format!("/v1/fields/{name}"));
        *request.method_mut() = hyper::Method::DELETE;
        match status {
            503 => assert_eq!(refused(&second, request).await.1, "store_unreachable"),
            _ => assert_eq!(send(&second, request).await.status(), status),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn names_are_all_that_is_looked_up() {
    let app = instance(MemoryStore::default(), nobody());
    for name in ["x", "0123456789abcdef0123456789abcdef", "other:0123456789abcdef0123456789a", "*"]
    {
        let (status, code, _) = refused(&app, rest(name, 0)).await;
        assert_eq!((status, &*code), (410, "stream_gone"), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_event_that_never_was_is_refused() {
    let app = instance(MemoryStore::default(), gated(&open(), 0));
    let (name, mut events) = begin(&app, BODY).await;
    let count = events.rest().await.len() as u64;
    assert_eq!(send(&app, rest(&name, count)).await.status(), 204);
    let (status, code, _) = refused(&app, rest(&name, count + 1)).await;
    assert_eq!((status, &*code), (400, "bad_event_id"));
}

#[tokio::test(start_paused = true)]
async fn an_answer_without_readers_is_written_to_its_end() {
    let store = MemoryStore::default();
    let gate = Arc::new(Semaphore::new(0));
    let app = instance(store, gated(&gate, 1));
    let (name, events) = begin(&app, BODY).await;
    drop(events);
    tokio::time::sleep(Duration::from_secs(60)).await;
    gate.add_permits(100);
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(bytes_of(send(&app, rest(&name, 0)).await).await, undisturbed(BODY).await);
}

#[tokio::test(start_paused = true)]
async fn limits_hold_for_the_writer() {
    let long = Model(|_| Ok(stream::repeat_with(|| text("\"0123456789\" ")).boxed()));
    let small = StoreSettings { answer_bytes: 4096, ..settings() };
    let app = instance_with(MemoryStore::default(), long, small, Limits::default());
    let (_, mut events) = begin(&app, BODY).await;
    let last = events.rest().await.pop().expect("an error");
    assert_eq!(last.data["code"], "store_limit");
    let gate = Arc::new(Semaphore::new(0));
    let limits = Limits { stream_time: Duration::from_secs(20), ..Limits::default() };
    let app = instance_with(MemoryStore::default(), gated(&gate, 2), settings(), limits);
    let (name, events) = begin(&app, BODY).await;
    drop(events);
    tokio::time::sleep(Duration::from_secs(21)).await;
    let last = Events::of(send(&app, rest(&name, 0)).await).rest().await.pop().expect("an error");
    assert_eq!(last.data["code"], "time_limit");
}

/// A quarter of the lease, as the page on the store says.
#[tokio::test(start_paused = true)]
async fn a_lease_is_renewed_four_times_before_it_ends() {
    let reached = Reached::new(&MemoryStore::default());
    let gate = Arc::new(Semaphore::new(0));
    let settings = StoreSettings { lease: Duration::from_secs(10), ..settings() };
    let app = instance_with(reached.clone(), gated(&gate, 1), settings, Limits::default());
    let begun = Instant::now();
    let (_, events) = begin(&app, BODY).await;
    tokio::time::sleep(Duration::from_millis(10_100)).await;
    let renewals = reached.renewals.lock().unwrap().clone();
    // A timer of tokio is up to a millisecond late.
    let tenths: Vec<_> = renewals.iter().map(|at| (*at - begun).as_millis() / 100).collect();
    assert_eq!(tenths, [25, 50, 75, 100]);
    drop(events);
}

#[tokio::test(start_paused = true)]
async fn deltas_without_content_are_counted_anew_in_each_attempt() {
    let attempts = Mutex::new(["Sorry.", "[1]"].into_iter());
    let model = Model(move |_| {
        let said = attempts.lock().unwrap().next().expect("it is asked twice");
        let empty = || Ok(Delta::Text(Bytes::new()));
        // The first attempt ends without content, and the second one begins so.
        Ok(stream::iter([empty(), empty(), text(said), empty(), empty()]).boxed())
    });
    let limits = Limits { empty_deltas: 3, ..Limits::default() };
    let app = instance_with(MemoryStore::default(), model, settings(), limits);
    let (_, mut events) = begin(&app, BODY_AGAIN).await;
    let last = events.rest().await.pop().expect("an end");
    assert_eq!((&*last.name, &last.data["value"]), ("final", &serde_json::json!([1])));
}

#[tokio::test(start_paused = true)]
async fn who_reads_slowly_misses_nothing() {
    let items: String = (0..20_000).map(|at| format!("{{\"at\": {at}}}, ")).collect();
    let said: &'static str = Box::leak(format!("[{items}0]").into_boxed_str());
    let model = move || {
        Model(move |_| {
            let pieces = said.as_bytes().chunks(50);
            let pieces = pieces.map(|piece| text(std::str::from_utf8(piece).expect("ASCII")));
            Ok(stream::iter(pieces).boxed())
        })
    };
    let store = MemoryStore::default();
    let (first, second) = (instance(store.clone(), model()), instance(store, nobody()));
    let response = send(&first, post(BODY)).await;
    let name = response.headers()["patchwire-stream"].to_str().unwrap().to_owned();
    // The answer is written long before its client reads.
    tokio::time::sleep(Duration::from_secs(5)).await;
    let other = send(&second, rest(&name, 0)).await;
    let plain = support::app(Limits::default(), model());
    let whole = bytes_of(send(&plain, post(BODY)).await).await;
    assert!(bytes_of(response).await == whole, "the first client's");
    assert!(bytes_of(other).await == whole, "the second client's");
}

#[tokio::test(start_paused = true)]
async fn a_model_that_cannot_be_asked_leaves_nothing_behind() {
    let app = instance(MemoryStore::default(), nobody());
    let (status, code, _) = refused(&app, post(BODY)).await;
    assert_eq!((status, &*code), (502, "upstream_unreachable"));
}

#[tokio::test(start_paused = true)]
async fn a_stopping_instance_ends_its_streams_without_a_number_and_others_go_on() {
    let store = MemoryStore::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("it is bound");
    let gate = Arc::new(Semaphore::new(0));
    let options =
        Options::default().with_upstream(gated(&gate, 3)).with_store(store.clone(), settings());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let server = tokio::spawn(patchwire_web::serve_until(listener, options, stopped.map(|_| ())));
    let mut response = support::connect(address, support::chat("m")).await;
    let name = response.headers()["patchwire-stream"].to_str().unwrap().to_owned();
    let mut body = Vec::new();
    let frame = response.body_mut().frame().await.expect("a frame").expect("it does not break");
    body.extend_from_slice(&frame.into_data().expect("data"));
    drop(stop);
    while let Some(Ok(frame)) = response.body_mut().frame().await {
        body.extend_from_slice(&frame.into_data().expect("data"));
    }
    server.await.expect("no panic").expect("it ran");
    let body = String::from_utf8(body).unwrap();
    let last = body.split_terminator("\n\n").last().unwrap();
    assert!(last.starts_with("event: error\ndata: ") && last.contains("shutting_down"), "{body}");
    let second = instance(store, nobody());
    let last = Events::of(send(&second, rest(&name, 0)).await).rest().await.pop().expect("an end");
    assert_eq!(last.data["code"], "upstream_lost");
}
