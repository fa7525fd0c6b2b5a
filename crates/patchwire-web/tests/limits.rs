use axum::body::Body;
use bytes::Bytes;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use patchwire_web::Limits;
use patchwire_web::upstream::{Chat, Opening, Upstream};
use serde_json::json;
use tokio::time::{Duration, Instant, sleep};

use crate::support::{
    Events, Model, always, app, ask, deltas, get, once, post, refused, send, text,
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
async fn with_all_streams_taken_the_next_is_emitted_to_wait() {
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
async fn of_those_away_those_who_have_been_emitted_all_give_up_first() {
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
