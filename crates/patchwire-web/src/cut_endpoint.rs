//! A text of the client's, read in the pieces that it asks for: `POST /v1/cut`.
//!
//! This is how the page shows of an answer that has just come that cuts do not matter to it either.

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::chat_request;
use crate::gateway;
use crate::json_members;
use crate::problem::Problem;
use crate::sse;
use crate::state::Server;
use crate::streams::{Chunk, Cuts, Playback};

/// What is to be read, and how.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object such as {\"text\": \"[1]\", \"cut\": [2]}")]
struct CutRequest {
    text: String,
    /// Byte offsets where it is cut and nowhere else.
    #[serde(default)]
    cut: Vec<usize>,
    patchwire: Option<Box<RawValue>>,
}

/// Reads the text, and tells its events. Nothing of it is kept.
pub(crate) async fn read(
    State(server): State<Server>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let body = gateway::read(&server, &headers, body).await?;
    let play = playback(&body, server.options.limits.answer_bytes).map_err(Problem::BadBody)?;
    let slot = server.sessions.slot()?;
    Ok(sse::response(Some(server.sessions.unnamed(Box::pin(play.events()), 1, slot))))
}

fn playback(body: &[u8], answer_bytes: u64) -> Result<Playback, String> {
    let CutRequest { text, cut, patchwire } = json_members::read(body)
        .map_err(|error| format!("the body says no text that could be cut: {error}"))?;
    let spec = chat_request::spec_of(patchwire.as_deref(), answer_bytes)?;
    let cuts = Cuts::new(Chunk::at(cut)?, text.as_bytes())?;
    Ok(Playback::new(&spec, Bytes::from(text), cuts))
}
