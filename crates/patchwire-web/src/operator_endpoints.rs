//! What operators look at: whether the server takes requests, and its counters.

use core::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::state::Server;

/// `GET /healthz`: 200, or 503 while the server lets its last streams end.
pub(crate) async fn health(State(server): State<Server>) -> Response {
    let (status, body) = if server.is_draining.load(Ordering::Acquire) {
        (StatusCode::SERVICE_UNAVAILABLE, "{\"status\":\"draining\"}")
    } else {
        (StatusCode::OK, "{\"status\":\"ok\"}")
    };
    text(status, "application/json", body.to_owned())
}

/// `GET /metrics`, in the text form of Prometheus.
pub(crate) async fn metrics(State(server): State<Server>) -> Response {
    text(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", server.metrics.print())
}

fn text(status: StatusCode, kind: &'static str, body: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (status, headers, body).into_response()
}
