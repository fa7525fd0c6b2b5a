//! `POST /v1/cut`: reads a text of the client, cut where and played as the client says.
//!
//! The page uses it to show that chunk boundaries make no difference.

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::answer_events::Costs;
use crate::budget::Meter;
use crate::chat_request::{self, RequestError};
use crate::json_members;
use crate::problem::Problem;
use crate::request_parts;
use crate::session;
use crate::sse;
use crate::state::Server;
use crate::stream_endpoints::FASTEST;
use crate::streams::{Chunk, Cuts, Playback};

/// The body of the request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object such as {\"text\": \"[1]\", \"cut\": [2]}")]
struct CutRequest {
    text: String,
    /// Byte offsets of the cuts; without any, and without `chunk`, the text is one chunk.
    #[serde(default)]
    cut: Vec<usize>,
    /// How the text is cut otherwise: `tokens`, `all`, or a number of bytes.
    chunk: Option<String>,
    /// How fast the chunks come, as a multiple of a model's speed; by default without pauses.
    #[serde(default)]
    speed: f64,
    /// Whether an event is sent for each chunk.
    #[serde(default)]
    chunks: bool,
    patchwire: Option<Box<RawValue>>,
}

/// Reads the text, and sends its events. The text is not stored.
pub(crate) async fn read(
    State(server): State<Server>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let body = request_parts::body(&server, &headers, body).await?;
    let Costs { pool, budget, .. } = server.costs("/v1/cut");
    let most = server.options.limits.answer_bytes;
    let play = pool.read(&budget, move |meter| playback(&body, most, meter)).await?;
    let slot = server.sessions.slot()?;
    let events = session::events(play.events(pool, budget));
    let events = session::counted(events, server.metrics.begin("/v1/cut"));
    Ok(sse::response(Some(server.sessions.unnamed(events, 1, slot))))
}

fn playback(body: &[u8], answer_bytes: u64, meter: &Meter<'_>) -> Result<Playback, RequestError> {
    let CutRequest { text, cut, chunk, speed, chunks, patchwire } = json_members::read(body)
        .map_err(|error| format!("the body says no text that could be cut: {error}"))?;
    let spec = chat_request::spec_of(patchwire.as_deref(), answer_bytes, meter)?;
    let chunk = match chunk {
        None => Chunk::at(cut)?,
        Some(_) if !cut.is_empty() => {
            return Err("`cut` says where to cut, `chunk` how; leave one out".to_owned().into());
        }
        Some(chunk) => Chunk::read(Some(&chunk), None)?,
    };
    if !(0.0..=FASTEST).contains(&speed) {
        return Err(format!("`speed` is a number from 0 to {FASTEST}, not {speed}").into());
    }
    let cuts = Cuts::new(chunk, text.as_bytes())?;
    let options_bytes = patchwire.map_or(0, |own| own.get().len());
    let play = Playback::new(&spec, Bytes::from(text), cuts).with_options_bytes(options_bytes);
    Ok(play.with_speed(speed).with_chunks(chunks))
}
