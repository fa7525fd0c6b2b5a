//! What operators see: health, counters, and an end that waits for the streams.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use patchwire_web::upstream::{Chat, Delta, UpstreamError};
use patchwire_web::{Limits, Options, serve_until};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::{Duration, sleep};

use crate::support::{
    Events, Model, PassedTo, app, ask, body_of, bytes_of, chat, connect, get, once, post_to, reply,
    send, text,
};

/// The counters and their numbers.
pub(crate) async fn counters(app: &axum::Router) -> BTreeMap<String, f64> {
    let response = send(app, get("/metrics")).await;
    assert!(response.headers()["content-type"].to_str().unwrap().starts_with("text/plain"));
    let body = String::from_utf8(bytes_of(response).await.to_vec()).unwrap();
    let lines = body.lines().filter(|line| !line.starts_with('#'));
    let counter = |line: &str| {
        let (name, number) = line.rsplit_once(' ').expect("a name and a number");
        (name.to_owned(), number.parse().expect("a number"))
    };
    lines.map(counter).collect()
}

#[tokio::test]
async fn answers_are_counted() {
    let usage = json!({"prompt_tokens": 7, "completion_tokens": 3});
    let model = Model(move |chat: Chat| {
        if chat.body.text("model").as_deref() == Some("broken") {
            let said = [text("{\"a\": 1"), Err(UpstreamError::Broken("reset".to_owned()))];
            return Ok(stream::iter(said).boxed());
        }
        if chat.body.text("model").as_deref() == Some("none") {
            return Err(UpstreamError::Unreachable("nobody".to_owned()));
        }
        let said = [text("{\"a\": 1,}"), Ok(Delta::Fact("usage".to_owned(), usage.clone()))];
        Ok(stream::iter(said).boxed())
    });
    let app = app(Limits::default(), model);
    ask(&app, "{}").await.1.rest().await;
    ask(&app, "{}").await.1.rest().await;
    ask(&app, "{\"model\":\"broken\"}").await.1.rest().await;
    assert_eq!(send(&app, crate::support::post("{\"model\":\"none\"}")).await.status(), 502);
    // A client that leaves.
    ask(&app, "{}").await.1.take(1).await;
    let counters = counters(&app).await;
    for (name, number) in [
        ("patchwire_streams_active", 0.0),
        ("patchwire_streams_total{endpoint=\"/v1/fields\"}", 4.0),
        ("patchwire_answers_total{outcome=\"repaired\"}", 3.0),
        ("patchwire_answers_total{outcome=\"upstream_broken\"}", 1.0),
        ("patchwire_notices_total{code=\"trailing_comma\"}", 3.0),
        ("patchwire_upstream_errors_total{code=\"upstream_broken\"}", 1.0),
        ("patchwire_upstream_errors_total{code=\"upstream_unreachable\"}", 1.0),
        ("patchwire_responses_total{code=\"upstream_unreachable\"}", 1.0),
        ("gen_ai_client_token_usage_total{gen_ai_token_type=\"input\"}", 21.0),
        ("gen_ai_client_token_usage_total{gen_ai_token_type=\"output\"}", 9.0),
        ("patchwire_time_to_first_patch_seconds_count", 4.0),
        ("gen_ai_client_operation_duration_seconds_count", 4.0),
    ] {
        assert_eq!(counters.get(name), Some(&number), "{name}: {counters:#?}");
    }
}

#[tokio::test]
async fn answers_that_are_passed_on_are_counted_too() {
    let body = concat!(
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"[1,]\"}}]}\n\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}\n\n",
        "data: [DONE]\n\n",
    );
    let model =
        PassedTo(|_| Ok(reply("text/event-stream", vec![Ok(Bytes::from_static(body.as_bytes()))])));
    let app = app(Limits::default(), model);
    for asked in ["{\"patchwire\":{}}", "{}"] {
        bytes_of(send(&app, post_to("/v1/chat/completions", asked)).await).await;
    }
    let counters = counters(&app).await;
    for (name, number) in [
        ("patchwire_streams_total{endpoint=\"/v1/chat/completions\"}", 2.0),
        ("patchwire_answers_total{outcome=\"repaired\"}", 1.0),
        ("patchwire_time_to_first_patch_seconds_count", 1.0),
        ("gen_ai_client_token_usage_total{gen_ai_token_type=\"input\"}", 5.0),
    ] {
        assert_eq!(counters.get(name), Some(&number), "{name}: {counters:#?}");
    }
}

#[tokio::test]
async fn errors_that_are_passed_on_are_counted_as_errors() {
    let model = PassedTo(|_| {
        let body = Bytes::from_static(b"{\"error\":{\"message\":\"no\"}}");
        let mut reply = reply("application/json", vec![Ok(body)]);
        reply.status = StatusCode::INTERNAL_SERVER_ERROR;
        Ok(reply)
    });
    let app = app(Limits::default(), model);
    for path in ["/v1/chat/completions", "/v1/messages"] {
        for asked in ["{\"patchwire\":{}}", "{}"] {
            let response = send(&app, post_to(path, asked)).await;
            assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
            bytes_of(response).await;
        }
    }
    let counters = counters(&app).await;
    for name in ["patchwire_upstream_errors_total", "patchwire_responses_total"] {
        let name = format!("{name}{{code=\"upstream_refused\"}}");
        assert_eq!(counters.get(name.as_str()), Some(&4.0), "{name}: {counters:#?}");
    }
}

#[tokio::test]
async fn a_server_that_stops_lets_its_streams_end() {
    let (says, model) = once();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let limits = Limits { grace_time: Duration::from_secs(20), ..Limits::default() };
    let options = Options::default().with_limits(limits).with_upstream(model);
    let server = tokio::spawn(serve_until(listener, options, async {
        let _ = stopped.await;
    }));
    let health = || async {
        let request = hyper::Request::get("/healthz").header("host", "localhost");
        let request = request.body(http_body_util::Full::default()).unwrap();
        connect(address, request).await.status().as_u16()
    };
    assert_eq!(health().await, 200);
    says.send(text("{\"a\": ")).await.unwrap();
    let mut events = Events::of(connect(address, chat("m")).await);
    events.take(1).await;
    stop.send(()).unwrap();
    while health().await == 200 {
        sleep(Duration::from_millis(5)).await;
    }
    // No other stream begins, and this one goes on.
    let other = connect(address, chat("m")).await;
    assert_eq!(
        (other.status().as_u16(), &other.headers()["retry-after"]),
        (503, &"1".parse().unwrap())
    );
    drop(other);
    says.send(text("1}")).await.unwrap();
    drop(says);
    let last = events.rest().await.pop().unwrap();
    assert_eq!((last.name.as_str(), &last.data["value"]), ("final", &json!({"a": 1})));
    drop(events);
    assert_eq!(server.await.unwrap().unwrap().aborted, 0);
}

#[tokio::test]
async fn a_stream_that_does_not_end_in_time_is_ended() {
    let (says, model) = once();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let limits = Limits { grace_time: Duration::from_millis(100), ..Limits::default() };
    let options = Options::default().with_limits(limits).with_upstream(model);
    let (stop, stopped) = oneshot::channel::<()>();
    let server = tokio::spawn(serve_until(listener, options, async {
        let _ = stopped.await;
    }));
    says.send(text("{\"a\": ")).await.unwrap();
    let mut events = Events::of(connect(address, chat("m")).await);
    events.take(1).await;
    stop.send(()).unwrap();
    let last = events.rest().await.pop().unwrap();
    assert_eq!(last.data["code"], "shutting_down");
    drop(events);
    assert_eq!(server.await.unwrap().unwrap().aborted, 0);
}

#[tokio::test]
async fn a_server_that_runs_is_healthy() {
    let app = app(Limits::default(), crate::support::always(&[]));
    let response = send(&app, get("/healthz")).await;
    assert_eq!(
        (response.status().as_u16(), body_of(response).await),
        (200, json!({"status": "ok"}))
    );
}
