//! Patches to a browser, as server-sent events; and a response kept where no type can be named.
//!
//! `cargo run -p patchwire-async --example axum -- serve`, then
//! `curl -N -X POST localhost:3000/v1/fields`
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::sse::{Event, Sse};
use axum::routing::post;
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use patchwire::Spec;
use patchwire_async::{BoxFields, TokenStreamExt as _};
use tokio_stream::wrappers::IntervalStream;

type Chunk = Result<Bytes, std::io::Error>;

fn upstream() -> impl Stream<Item = Chunk> + Send + 'static {
    stream::iter(["{\"title\": \"Hel", "lo\", ", "\"n\": 1}"].map(|text| Ok(Bytes::from(text))))
}

/// At most thirty deltas of a field a second. Numbered, for `Last-Event-ID`.
async fn fields(State(spec): State<Spec>) -> Sse<impl Stream<Item = Result<Event, axum::Error>>> {
    let frames = IntervalStream::new(tokio::time::interval(Duration::from_millis(33)));
    let events = upstream().fields(spec).coalesce(frames).enumerate();
    let events = events.map(|(number, event)| match event {
        Ok(event) => Event::default().event(event.name()).id(number.to_string()).json_data(&event),
        Err(error) => Ok(Event::default().event("error").data(error.to_string())),
    });
    Sse::new(events).keep_alive(axum::response::sse::KeepAlive::default())
}

fn app(spec: Spec) -> Router {
    Router::new().route("/v1/fields", post(fields)).with_state(spec)
}

/// An entry of a job table.
struct Job {
    events: BoxFields<'static>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let mut job = Job { events: upstream().fields(Spec::json()).boxed() };
    while let Some(event) = job.events.next().await {
        println!("{}", event?);
    }
    if std::env::args().nth(1).as_deref() == Some("serve") {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
        axum::serve(listener, app(Spec::json())).await?;
    }
    Ok(())
}
