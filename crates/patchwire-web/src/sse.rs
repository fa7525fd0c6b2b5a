//! Responses of server-sent events.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use crate::problem::Problem;
use crate::session::Reader;
use crate::wire_event::WireEvent;

/// The header with the name of a stream, for resuming it.
pub(crate) const STREAM: HeaderName = HeaderName::from_static("patchwire-stream");

/// The number of the last event that the client has; `None` if it begins.
pub(crate) fn last_event(headers: &HeaderMap) -> Result<Option<u64>, Problem> {
    let Some(id) = headers.get("last-event-id") else { return Ok(None) };
    let id = id.to_str().ok().and_then(|id| id.trim().parse().ok());
    id.map(Some).ok_or(Problem::BadEventId)
}

/// An event without a number, which a client that comes back does not count.
pub(crate) fn unnumbered(event: &WireEvent) -> Bytes {
    let WireEvent { name, data } = event;
    match *name {
        "" => format!("data: {data}\n\n").into(),
        name => format!("event: {name}\ndata: {data}\n\n").into(),
    }
}

/// A response with the events of a reader. Without a reader, status 204 tells browsers not to
/// reconnect.
pub(crate) fn response(reader: Option<Reader>) -> Response {
    let Some(reader) = reader else { return StatusCode::NO_CONTENT.into_response() };
    let mut response = Body::from_stream(reader).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Asks proxies not to buffer the response.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
