//! The built-in streams over HTTP.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use patchwire::TagSet;
use serde::Deserialize;
use serde_json::json;

use crate::answer_events::Costs;
use crate::budget::{Meter, OverBudget};
use crate::chat_request;
use crate::problem::Problem;
use crate::session;
use crate::sse;
use crate::state::Server;
use crate::streams::{Chunk, Cuts, Playback};

/// Lists the streams.
pub(crate) async fn list(State(server): State<Server>) -> Json<serde_json::Value> {
    let streams: Vec<_> = server.streams.iter().map(|stream| &stream.about).collect();
    Json(json!({"streams": streams}))
}

/// The model behind the gateway, if there is one, and the formats and tag sets for its answers.
pub(crate) async fn upstream(State(server): State<Server>) -> Json<serde_json::Value> {
    let about = server.options.upstream.as_ref().map(|upstream| upstream.about());
    Json(
        json!({"upstream": about, "formats": chat_request::format_names(), "tags": TagSet::PRESETS}),
    )
}

/// The text of a stream.
pub(crate) async fn text(
    State(server): State<Server>,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    let text = server.streams.get(&name)?.text.bytes();
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    Ok(([(header::CONTENT_TYPE, plain)], text).into_response())
}

/// How a stream is played.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlaybackQuery {
    chunk: Option<String>,
    cut: Option<String>,
    speed: Option<f64>,
    #[serde(default)]
    chunks: bool,
}

/// The greatest speed.
pub(crate) const FASTEST: f64 = 1e6;

/// Plays a stream. Its events are the same each time, so a client that returns gets them from a new
/// playback, after its last event.
pub(crate) async fn fields(
    State(server): State<Server>,
    Path(name): Path<String>,
    headers: HeaderMap,
    query: Result<Query<PlaybackQuery>, QueryRejection>,
) -> Result<Response, Problem> {
    let recorded = server.streams.get(&name)?.clone();
    let Query(wanted) = query.map_err(|error| bad_query(&error))?;
    let chunk = Chunk::read(wanted.chunk.as_deref(), wanted.cut.as_deref());
    let text = recorded.text.bytes();
    let cuts = chunk.and_then(|chunk| Cuts::new(chunk, &text));
    let speed = match wanted.speed.unwrap_or(1.0) {
        speed if (0.0..=FASTEST).contains(&speed) => speed,
        speed => {
            let what = format!("`speed` is a number from 0 to 1000000, not {speed}");
            return Err(Problem::BadQuery(what));
        }
    };
    let cuts = cuts.map_err(Problem::BadQuery)?;
    let mut play =
        Playback::new(&recorded.spec, text, cuts).with_speed(speed).with_chunks(wanted.chunks);
    let passed = sse::last_event(&headers)?.unwrap_or(0);
    let slot = server.sessions.slot()?;
    let Costs { pool, budget, .. } = server.costs("/v1/streams");
    if passed > 0 {
        let (skipped, follows) = pool.read(&budget, move |meter| skip(play, passed, meter)).await?;
        if !follows {
            return Ok(sse::response(None));
        }
        play = skipped;
    }
    let events = session::events(play.events(pool, budget));
    let events = session::counted(events, server.metrics.begin("/v1/streams"));
    Ok(sse::response(Some(server.sessions.unnamed(events, passed + 1, slot))))
}

/// Reads up to the event after the passed ones; whether there is one.
fn skip(
    mut play: Playback,
    passed: u64,
    meter: &Meter<'_>,
) -> Result<(Playback, bool), OverBudget> {
    let follows = play.skip(passed);
    meter.check()?;
    Ok((play, follows))
}

fn bad_query(error: &QueryRejection) -> Problem {
    let said = error.body_text();
    let what = said.rsplit_once("query string: ").map_or(&*said, |(_, what)| what);
    Problem::BadQuery(format!("the query cannot be used: {what}"))
}
