use hyper::{Method, StatusCode};
use patchwire_web::Limits;
use tokio::time::{Duration, sleep};

use crate::support::{Events, after, app, ask, get, once, post, refused, send, text};

const KEPT: Duration = Duration::from_secs(30);

fn limits() -> Limits {
    Limits { resume_time: KEPT, ..Limits::default() }
}

/// Says an object with so many numbers, each in a delta of its own.
fn says_numbers(says: crate::support::Says, most: u32) {
    tokio::spawn(async move {
        for number in 0..most {
            let open = if number == 0 { "[" } else { "," };
            if says.send(text(&format!("{open}{number}"))).await.is_err() {
                return;
            }
        }
        // Whoever listens to the end hears it.
        let _ = says.send(text("]")).await;
    });
}

#[tokio::test(start_paused = true)]
async fn a_client_that_comes_back_gets_exactly_the_rest() {
    // The same stream, once without a break.
    let (says, model) = once();
    says_numbers(says, 50);
    let whole = ask(&app(limits(), model), "{}").await.1.rest().await;
    for (read, had) in [(1, 1), (20, 20), (20, 7), (53, 52)] {
        let (says, model) = once();
        says_numbers(says, 50);
        let app = app(limits(), model);
        let (name, mut events) = ask(&app, "{}").await;
        assert_eq!(events.take(read).await, whole[..read]);
        drop(events);
        sleep(KEPT / 2).await;
        let back = send(&app, after(get(&format!("/v1/fields/{name}")), had as u64)).await;
        assert_eq!(Events::of(back).rest().await, whole[had..], "read {read}, had {had}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_has_everything_learns_so_until_its_stream_is_forgotten() {
    let (says, model) = once();
    says_numbers(says, 3);
    let app = app(limits(), model);
    let (name, mut events) = ask(&app, "{}").await;
    let last = events.rest().await.last().unwrap().id;
    let path = format!("/v1/fields/{name}");
    assert_eq!(send(&app, after(get(&path), last)).await.status(), StatusCode::NO_CONTENT);
    let (status, code, _) = refused(&app, after(get(&path), last + 1)).await;
    assert_eq!((status, code.as_str()), (400, "bad_event_id"));
    drop(events);
    sleep(KEPT + Duration::from_secs(1)).await;
    let (status, code, message) = refused(&app, after(get(&path), last)).await;
    assert_eq!((status, code.as_str()), (410, "stream_gone"));
    assert!(message.contains("send the request again"), "{message}");
}

#[tokio::test(start_paused = true)]
async fn events_that_are_kept_no_longer_are_an_error_and_later_ones_are_there() {
    let (says, model) = once();
    says_numbers(says, 50);
    let app = app(Limits { resume_bytes: 1000, ..limits() }, model);
    let (name, mut events) = ask(&app, "{}").await;
    let emitted = events.take(40).await;
    drop(events);
    let path = format!("/v1/fields/{name}");
    let (status, code, message) = refused(&app, after(get(&path), 3)).await;
    assert_eq!((status, code.as_str()), (410, "window_passed"));
    assert!(message.starts_with("events up to 3"), "{message}");
    let mut rest = Events::of(send(&app, after(get(&path), 39)).await);
    assert_eq!(rest.next().await.unwrap(), emitted[39]);
    assert_eq!(rest.rest().await.last().unwrap().name, "final");
}

#[tokio::test(start_paused = true)]
async fn while_nobody_reads_the_model_is_not_asked_for_more() {
    let (says, model) = once();
    let app = app(limits(), model);
    let (name, mut events) = ask(&app, "{}").await;
    says.send(text("[1")).await.unwrap();
    assert_eq!(events.next().await.unwrap().data["kind"], "open");
    drop(events);
    // One delta fits into the channel; the next waits for somebody who reads.
    says.send(text(",2")).await.unwrap();
    assert!(says.try_send(text(",3")).is_err());
    let mut back = Events::of(send(&app, after(get(&format!("/v1/fields/{name}")), 1)).await);
    assert_eq!(back.next().await.unwrap().data["path"], "[0]");
    says.send(text(",3]")).await.unwrap();
    drop(says);
    let rest = back.rest().await;
    assert_eq!(rest.last().unwrap().data["value"].to_string(), "[1,2,3]");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_come_back_frees_the_model() {
    let (says, model) = once();
    let app = app(limits(), model);
    let (name, mut events) = ask(&app, "{}").await;
    says.send(text("[1")).await.unwrap();
    events.take(1).await;
    drop(events);
    sleep(KEPT - Duration::from_secs(1)).await;
    assert!(!says.is_closed());
    says.closed().await;
    let (_, code, _) = refused(&app, get(&format!("/v1/fields/{name}"))).await;
    assert_eq!(code, "stream_gone");
}

#[tokio::test(start_paused = true)]
async fn who_comes_back_in_time_is_waited_for_again() {
    let (says, model) = once();
    let app = app(limits(), model);
    let (name, mut events) = ask(&app, "{}").await;
    says.send(text("[1")).await.unwrap();
    events.take(1).await;
    drop(events);
    for _ in 0..5 {
        sleep(KEPT - Duration::from_secs(1)).await;
        drop(Events::of(send(&app, after(get(&format!("/v1/fields/{name}")), 1)).await));
    }
    assert!(!says.is_closed());
    says.closed().await;
}

#[tokio::test]
async fn the_last_to_come_reads_alone() {
    let (says, model) = once();
    let app = app(limits(), model);
    let (name, mut first) = ask(&app, "{}").await;
    says.send(text("[1")).await.unwrap();
    first.take(1).await;
    let waits = tokio::spawn(async move { first.rest().await });
    tokio::task::yield_now().await;
    let back = send(&app, after(get(&format!("/v1/fields/{name}")), 0)).await;
    // Where the connection of the first is only half dead, it ends now.
    assert_eq!(waits.await.unwrap(), []);
    says.send(text("]")).await.unwrap();
    drop(says);
    assert_eq!(Events::of(back).rest().await.last().unwrap().name, "final");
}

#[tokio::test]
async fn an_answer_can_be_given_up() {
    let (says, model) = once();
    let app = app(limits(), model);
    let (name, mut events) = ask(&app, "{}").await;
    says.send(text("[1")).await.unwrap();
    events.take(1).await;
    let path = format!("/v1/fields/{name}");
    let delete = |path: &str| {
        let mut request = get(path);
        *request.method_mut() = Method::DELETE;
        request
    };
    assert_eq!(send(&app, delete(&path)).await.status(), StatusCode::NO_CONTENT);
    says.closed().await;
    assert_eq!(events.next().await, None);
    assert_eq!(refused(&app, delete(&path)).await.1, "stream_gone");
    assert_eq!(refused(&app, post("{}")).await.1, "upstream_unreachable");
}
