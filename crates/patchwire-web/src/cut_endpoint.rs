//! `POST /v1/cut`: reads a text of the client, cut where the client says.
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
use crate::streams::{Chunk, Cuts, Playback};

/// The body of the request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object such as {\"text\": \"[1]\", \"cut\": [2]}")]
struct CutRequest {
    text: String,
    /// Byte offsets of the cuts; without any, the text is one chunk.
    #[serde(default)]
    cut: Vec<usize>,
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
    let CutRequest { text, cut, patchwire } = json_members::read(body)
        .map_err(|error| format!("the body says no text that could be cut: {error}"))?;
    let spec = chat_request::spec_of(patchwire.as_deref(), answer_bytes, meter)?;
    let cuts = Cuts::new(Chunk::at(cut)?, text.as_bytes())?;
    let options_bytes = patchwire.map_or(0, |own| own.get().len());
    Ok(Playback::new(&spec, Bytes::from(text), cuts).with_options_bytes(options_bytes))
}
