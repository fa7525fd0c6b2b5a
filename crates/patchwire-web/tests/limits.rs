use axum::body::Body;
use bytes::Bytes;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use patchwire_web::Limits;
use patchwire_web::upstream::{Chat, Delta, Opening, Upstream};
use serde_json::json;
use tokio::time::{Duration, Instant, sleep};

use crate::support::{
    Events, Model, PassedTo, always, app, ask, bytes_of, deltas, get, once, post, post_to, refused,
    reply, send, text,
};

#[tokio::test]
async fn a_body_that_is_too_long_is_refused_whether_it_says_so_or_not() {
    let app = app(Limits { body_bytes: 64, ..Limits::default() }, always(&["[]"]));
    let long = format!("{{\"model\": \"{}\"}}", "m".repeat(64));
    let pieces: Vec<Bytes> = long.as_bytes().chunks(10).map(Bytes::copy_from_slice).collect();
    let streamed = Body::from_stream(stream::iter(pieces).map(Ok::<_, std::io::Error>));
    let mut says_so = post(long);
    says_so.headers_mut().insert("content-length", "77".parse().unwrap());
    for request in [says_so, post(streamed)] {
        let (status, code, message) = refused(&app, request).await;
        assert_eq!((status, code.as_str()), (413, "body_too_large"));
        assert!(message.contains("more than 64 bytes; send less"), "{message}");
    }
    assert_eq!(ask(&app, "{}").await.1.rest().await.last().unwrap().name, "final");
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let app = app(Limits::default(), always(&[]));
    let never = Body::from_stream(stream::pending::<Result<Bytes, std::io::Error>>());
    let begun = Instant::now();
    let (status, code, message) = refused(&app, post(never)).await;
    assert_eq!((status, code.as_str()), (408, "body_too_slow"));
    assert!(message.contains("within 10 s"), "{message}");
    assert_eq!(begun.elapsed().as_secs(), 10);
}

#[tokio::test]
async fn a_body_that_breaks_off_is_said() {
    let app = app(Limits::default(), always(&[]));
    let broken = Body::from_stream(stream::iter([Err::<Bytes, _>(std::io::Error::other("reset"))]));
    let (status, code, _) = refused(&app, post(broken)).await;
    assert_eq!((status, code.as_str()), (400, "body_broken"));
}

#[tokio::test]
async fn with_all_streams_taken_the_next_client_has_to_wait() {
    let (says, model) = once();
    let app = app(Limits { streams: 1, ..Limits::default() }, model);
    let (_, mut events) = ask(&app, "{}").await;
    let full = send(&app, get("/v1/streams/json/fields?speed=0")).await;
    assert_eq!(full.headers()["retry-after"], "1");
    let (status, code, message) = crate::support::problem(full).await;
    assert_eq!((status, code.as_str()), (503, "busy"));
    assert!(message.contains("all 1 streams are taken"), "{message}");
    says.send(text("[1]")).await.unwrap();
    drop(says);
    events.rest().await;
    drop(events);
    let next = send(&app, get("/v1/streams/json/fields?speed=0")).await;
    assert_eq!(Events::of(next).rest().await.last().unwrap().name, "final");
}

#[tokio::test]
async fn whoever_is_away_gives_up_its_stream_to_the_next() {
    let (says, model) = once();
    let app = app(Limits { streams: 1, ..Limits::default() }, model);
    let (name, mut events) = ask(&app, "{}").await;
    says.send(text("[1")).await.unwrap();
    events.take(1).await;
    drop(events);
    let next = send(&app, get("/v1/streams/json/fields?speed=0")).await;
    says.closed().await;
    assert_eq!(Events::of(next).rest().await.last().unwrap().name, "final");
    assert_eq!(refused(&app, get(&format!("/v1/fields/{name}"))).await.1, "stream_gone");
}

#[tokio::test]
async fn of_absent_clients_those_with_all_events_lose_their_streams_first() {
    let (says, said) = tokio::sync::mpsc::channel(1);
    let said = std::sync::Mutex::new(Some(said));
    let model = Model(move |_: Chat| {
        let live = said.lock().unwrap().take();
        Ok(live.map_or_else(|| stream::iter([text("[]")]).boxed(), deltas))
    });
    let app = app(Limits { streams: 2, ..Limits::default() }, model);
    let (live, events) = ask(&app, "{}").await;
    drop(events);
    let (emitted, mut events) = ask(&app, "{}").await;
    events.rest().await;
    drop(events);
    drop(Events::of(send(&app, post("{}")).await));
    assert!(!says.is_closed());
    assert_eq!(refused(&app, get(&format!("/v1/fields/{emitted}"))).await.1, "stream_gone");
    assert!(send(&app, get(&format!("/v1/fields/{live}"))).await.status().is_success());
}

/// Never answers.
struct Silent;

impl Upstream for Silent {
    fn open(&self, _: Chat) -> Opening {
        core::future::pending().boxed()
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_that_does_not_answer_is_not_waited_for_and_keeps_no_stream() {
    let app = app(Limits { streams: 1, ..Limits::default() }, Silent);
    for _ in 0..2 {
        let begun = Instant::now();
        let (status, code, message) = refused(&app, post("{}")).await;
        assert_eq!((status, code.as_str()), (504, "upstream_timeout"));
        assert!(message.contains("within 60 s"), "{message}");
        assert_eq!(begun.elapsed().as_secs(), 60);
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_takes_too_long_is_ended_and_says_so() {
    let (says, model) = once();
    let app = app(Limits::default(), model);
    let (_, mut events) = ask(&app, "{}").await;
    says.send(text("[1")).await.unwrap();
    let emitted = events.rest().await;
    let last = emitted.last().unwrap();
    assert_eq!((last.name.as_str(), &last.data["code"]), ("error", &json!("time_limit")));
    assert!(last.data["message"].as_str().unwrap().contains("600 s"), "{last:?}");
    assert_eq!(last.id, emitted.len() as u64);
    says.closed().await;
}

#[tokio::test(start_paused = true)]
async fn who_does_not_read_keeps_the_model_for_no_longer() {
    let (says, model) = once();
    let app = app(Limits { streams: 1, ..Limits::default() }, model);
    let (_, events) = ask(&app, "{}").await;
    says.send(text("[1")).await.unwrap();
    // The reader is there and never reads.
    says.closed().await;
    assert!(send(&app, get("/v1/streams/json/fields?speed=0")).await.status().is_success());
    drop(events);
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_an_error_of_the_engine() {
    let app =
        app(Limits { answer_bytes: 10, ..Limits::default() }, always(&["[1, 2, 3", ", 4, 5]"]));
    let emitted = ask(&app, "{}").await.1.rest().await;
    let last = emitted.last().unwrap();
    assert_eq!((last.name.as_str(), &last.data["code"]), ("error", &json!("limit_total")));
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_silent_is_heard_to_live() {
    let (says, model) = once();
    let app = app(Limits { heartbeat: Duration::from_secs(15), ..Limits::default() }, model);
    let (_, mut events) = ask(&app, "{}").await;
    tokio::spawn(async move {
        sleep(Duration::from_secs(50)).await;
        // After an event the time begins again.
        for part in ["[1", ", 2", "]"] {
            says.send(text(part)).await.unwrap();
            sleep(Duration::from_secs(14)).await;
        }
    });
    events.take(1).await;
    assert_eq!(events.heartbeats, 3);
    let rest = events.rest().await;
    assert_eq!((events.heartbeats, rest.last().unwrap().name.as_str()), (3, "final"));
}

/// The code and the message of the last event.
async fn last_error(app: &axum::Router) -> (String, String) {
    let last = ask(app, "{}").await.1.rest().await.pop().unwrap();
    assert_eq!(last.name, "error", "{last:?}");
    let word = |name: &str| last.data[name].as_str().unwrap().to_owned();
    (word("code"), word("message"))
}

#[tokio::test]
async fn a_stream_that_goes_on_without_content_ends() {
    for empty in [
        Delta::Text(Bytes::new()),
        Delta::Reasoning(Bytes::new()),
        Delta::Fact("usage".to_owned(), json!(7)),
    ] {
        let model = Model(move |_: Chat| {
            let begin = stream::iter([text("[1")]);
            Ok(begin.chain(stream::repeat(Ok(empty.clone()))).boxed())
        });
        let app = app(Limits { empty_deltas: 1000, ..Limits::default() }, model);
        let (code, message) = last_error(&app).await;
        assert_eq!(code, "upstream_empty");
        assert!(message.contains("1000 deltas in a row had none"), "{message}");
    }
}

#[tokio::test]
async fn deltas_without_content_may_come_between_others() {
    let model = Model(|_: Chat| {
        let part = |at: usize| if at.is_multiple_of(3) { text("[") } else { text("") };
        Ok(stream::iter((0..60).map(part)).boxed())
    });
    let app = app(Limits { empty_deltas: 2, ..Limits::default() }, model);
    assert_eq!(ask(&app, "{}").await.1.rest().await.last().unwrap().name, "final");
}

#[tokio::test]
async fn a_request_that_takes_too_much_of_the_processor_is_refused() {
    let app = app(Limits { work_time: Duration::ZERO, ..Limits::default() }, always(&["[]"]));
    let mut cut = post(r#"{"text": "[1]"}"#);
    *cut.uri_mut() = "/v1/cut".parse().unwrap();
    let resumed = crate::support::after(get("/v1/streams/json/fields?speed=0"), 3);
    for request in [post("{}"), cut, resumed] {
        let (status, code, message) = refused(&app, request).await;
        assert_eq!((status, code.as_str()), (422, "work_limit"));
        assert!(message.contains("more than 0 ms of the processor's time"), "{message}");
    }
}

#[tokio::test]
async fn a_stream_that_takes_too_much_of_the_processor_ends() {
    let model = Model(|_: Chat| {
        let long = Bytes::from("[1],".repeat(10_000));
        Ok(stream::repeat_with(move || Ok(Delta::Text(long.clone()))).boxed())
    });
    let work_time = Duration::from_millis(200);
    let app = app(Limits { work_time, answer_bytes: u64::MAX, ..Limits::default() }, model);
    assert_eq!(last_error(&app).await.0, "work_limit");
}

/// A model that makes no delta keeps the gateway busy, too.
#[tokio::test]
async fn the_time_of_the_model_itself_counts() {
    let model = Model(|_: Chat| {
        let busy = stream::poll_fn(|cx| {
            let begun = std::time::Instant::now();
            while begun.elapsed() < Duration::from_millis(2) {
                core::hint::spin_loop();
            }
            cx.waker().wake_by_ref();
            core::task::Poll::Pending
        });
        Ok(busy.boxed())
    });
    let work_time = Duration::from_millis(100);
    let app = app(Limits { work_time, ..Limits::default() }, model);
    assert_eq!(last_error(&app).await.0, "work_limit");
}

#[tokio::test]
async fn requests_beyond_those_that_may_wait_are_refused() {
    let limits = Limits { workers: 1, waiting: 1, ..Limits::default() };
    let app = app(limits, always(&["[]"]));
    // Each takes some milliseconds to read.
    let long = format!("{{\"patchwire\":{{\"ensure\":[{}\"a\"]}}}}", "\"a.b.c\",".repeat(20_000));
    let all = futures_util::future::join_all((0..12).map(|_| send(&app, post(long.clone())))).await;
    let busy = all.iter().filter(|response| response.status() == 503);
    assert!(busy.clone().count() > 0);
    assert!(busy.clone().all(|response| response.headers()["retry-after"] == "1"));
    assert!(all.iter().any(|response| response.status() == 200));
    let mut all = all;
    all.retain(|response| response.status() == 503);
    let (_, code, message) = crate::support::problem(all.pop().unwrap()).await;
    assert_eq!(code, "busy");
    assert!(message.contains("1 requests wait"), "{message}");
}

/// How often another task had its turn while `work` ran. On one thread, work that keeps the thread lets it have
/// none.
async fn turns_during(work: impl Future<Output = ()>) -> usize {
    let turns = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&turns);
    let other = tokio::spawn(async move {
        loop {
            counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            tokio::task::yield_now().await;
        }
    });
    work.await;
    other.abort();
    turns.load(std::sync::atomic::Ordering::Relaxed)
}

#[tokio::test(flavor = "current_thread")]
async fn long_work_leaves_the_thread_of_the_connections_to_others() {
    let properties: serde_json::Map<String, serde_json::Value> =
        (0..4000).map(|at| (format!("p{at}"), json!({"type": "string"}))).collect();
    let schema = json!({"type": "object", "properties": properties});
    let answer: &'static str = Box::leak(
        json!({"text": "\u{1f600} \"x\" ".repeat(60_000), "list": vec![1; 60_000]})
            .to_string()
            .into(),
    );
    let parts: &'static [&'static str] = Box::leak(vec![answer].into());
    let app = app(Limits::default(), always(parts));
    let body = json!({"patchwire": {"schema": schema, "strict": true, "valid": true}}).to_string();
    let request = turns_during(async {
        let response = send(&app, post(body.clone())).await;
        assert_eq!(response.status(), 200);
    });
    let request = request.await;
    assert!(request > 100, "reading the request: {request} turns");
    let mut events = Events::of(send(&app, post(body)).await);
    let mut last = events.next().await.unwrap();
    let stream = turns_during(async {
        while let Some(event) = events.next().await {
            last = event;
        }
    });
    let stream = stream.await;
    assert_eq!(last.name, "final");
    assert!(stream > 100, "reading the answer: {stream} turns");
    let mut cut = post(json!({"text": answer}).to_string());
    *cut.uri_mut() = "/v1/cut".parse().unwrap();
    let cut = turns_during(async {
        let events = Events::of(send(&app, cut).await).rest().await;
        assert_eq!(events.last().unwrap().name, "final");
    });
    let cut = cut.await;
    assert!(cut > 100, "cutting a text: {cut} turns");
}

/// A stream that is passed on and ends with neither a finish reason nor a blank line behind its last event.
#[tokio::test(flavor = "current_thread")]
async fn the_end_of_a_stream_that_is_passed_on_leaves_the_thread_to_others_too() {
    let said =
        json!({"text": "\u{1f600} \"x\" ".repeat(60_000), "list": vec![1; 60_000]}).to_string();
    let event = json!({"choices": [{"index": 0, "delta": {"content": said}}]});
    let body = Bytes::from(format!("data: {event}"));
    let app = app(
        Limits::default(),
        PassedTo(move |_| {
            let chunks: Vec<_> = body.chunks(64 << 10).map(|chunk| body.slice_ref(chunk)).collect();
            Ok(reply("text/event-stream", chunks.into_iter().map(Ok).collect()))
        }),
    );
    let asked = r#"{"patchwire": {}}"#;
    let response = send(&app, post_to("/v1/chat/completions", asked)).await;
    let mut edited = Bytes::new();
    let turns = turns_during(async { edited = bytes_of(response).await });
    let turns = turns.await;
    let edited = String::from_utf8(edited.to_vec()).unwrap();
    assert!(edited.contains(r#""path":"list[59999]""#) && edited.contains("upstream_broken"));
    assert!(turns > 100, "reading the end: {turns} turns");
}
