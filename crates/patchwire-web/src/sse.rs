//! What a stream of events looks like as a response.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;
use crate::session::Reader;

/// The name of a response, to come back to it.
pub(crate) const STREAM: HeaderName = HeaderName::from_static("patchwire-stream");

/// The number of the last event that the client has; none if it asks from the start.
pub(crate) fn last_event(headers: &HeaderMap) -> Result<Option<u64>, Problem> {
    let Some(id) = headers.get("last-event-id") else { return Ok(None) };
    let id = id.to_str().ok().and_then(|id| id.trim().parse().ok());
    id.map(Some).ok_or(Problem::BadEventId)
}

/// The events of a reader. Where there are none any more, a status that tells browsers not to ask again.
pub(crate) fn response(reader: Option<Reader>) -> Response {
    let Some(reader) = reader else { return StatusCode::NO_CONTENT.into_response() };
    let mut response = Body::from_stream(reader).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Proxies that gather a response before they pass it on are asked not to.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
