//! Error responses in JSON, which say what to do.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::budget::OverBudget;
use crate::chat_request::RequestError;
use crate::store::StoreError;
use crate::upstream::UpstreamError;

/// Why a request fails.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    #[error("nothing is here; GET / is the page, and GET /v1/streams lists what can be watched")]
    NotFound,
    #[error(
        "nothing is spoken at `{0}`: this server passes on `/v1/chat/completions`, `/v1/messages` and `/v1/models`, and \
         has `/v1/fields` of its own; set your client to one of them"
    )]
    NotSpoken(String),
    #[error("this address does not take that method; the header Allow says which it takes")]
    MethodNotAllowed,
    #[error(
        "this server is not called `{0}`; use localhost or an address, or allow the name when the \
         server is started"
    )]
    HostNotAllowed(String),
    #[error("a request has to say which host it is for; add a Host header")]
    NoHost,
    #[error(
        "a request has one Host header, a name or an address with a port or none, and its target is on that host"
    )]
    BadHost,
    #[error("pages of `{0}` may not use this server; allow that origin when the server is started")]
    OriginNotAllowed(String),
    #[error("the body has to be JSON and to say so; send `Content-Type: application/json`")]
    NotJson,
    #[error("the body has more than {most} bytes; send less")]
    BodyTooLarge { most: usize },
    #[error("the body did not come within {seconds} s; send it in one go, and try again")]
    BodyTooSlow { seconds: u64 },
    #[error("the body broke off; send it again")]
    BodyBroken,
    #[error("{0}")]
    BadBody(String),
    #[error("{0}")]
    BadQuery(String),
    #[error(
        "the header Last-Event-ID names no event of this stream; send the `id` of the last one you have"
    )]
    BadEventId,
    #[error("no stream is called `{name}`; there are {known}")]
    UnknownStream { name: String, known: String },
    #[error("all {most} streams are taken; try again in a second")]
    Busy { most: usize },
    #[error(
        "this server is being stopped and takes no more requests; send it to another one, or again later"
    )]
    Draining,
    #[error("all threads for work are taken, and {most} requests wait; try again in a second")]
    Overloaded { most: usize },
    #[error(transparent)]
    WorkLimit(#[from] OverBudget),
    #[error("this server failed while it worked on the request; that is a bug of patchwire")]
    WorkFailed,
    #[error("this address has {most} connections, and may have no more; close some, or reuse them")]
    TooManyConnections { most: usize },
    #[error("no such response, or it is kept no longer; send the request again")]
    StreamGone,
    #[error("events up to {last} are kept no longer; send the request again")]
    WindowPassed { last: u64 },
    #[error("the machine gives no random numbers; try again")]
    NoRandomness,
    #[error(
        "the stream was begun by patchwire {version}, whose events may differ from those of this server; send the request again"
    )]
    OtherVersion { version: String },
    #[error(transparent)]
    Store(StoreError),
    #[error(transparent)]
    Upstream(#[from] UpstreamError),
}

impl Problem {
    /// The code, for programs.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::NotSpoken(_) => "endpoint_not_spoken",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::HostNotAllowed(_) | Self::NoHost => "host_not_allowed",
            Self::BadHost => "bad_host",
            Self::OriginNotAllowed(_) => "origin_not_allowed",
            Self::NotJson => "not_json",
            Self::BodyTooLarge { .. } => "body_too_large",
            Self::BodyTooSlow { .. } => "body_too_slow",
            Self::BodyBroken => "body_broken",
            Self::BadBody(_) => "bad_body",
            Self::BadQuery(_) => "bad_query",
            Self::BadEventId => "bad_event_id",
            Self::UnknownStream { .. } => "unknown_stream",
            Self::Busy { .. } | Self::Overloaded { .. } => "busy",
            Self::Draining => "shutting_down",
            Self::WorkLimit(_) => OverBudget::CODE,
            Self::WorkFailed => "work_failed",
            Self::TooManyConnections { .. } => "too_many_connections",
            Self::StreamGone => "stream_gone",
            Self::WindowPassed { .. } => "window_passed",
            Self::NoRandomness => "no_randomness",
            Self::OtherVersion { .. } => "other_version",
            Self::Store(error) => error.code(),
            Self::Upstream(error) => error.code(),
        }
    }

    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::NotFound | Self::NotSpoken(_) | Self::UnknownStream { .. } => {
                StatusCode::NOT_FOUND
            }
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::HostNotAllowed(_) => StatusCode::MISDIRECTED_REQUEST,
            Self::OriginNotAllowed(_) => StatusCode::FORBIDDEN,
            Self::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::BodyTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BodyTooSlow { .. } => StatusCode::REQUEST_TIMEOUT,
            Self::NoHost
            | Self::BadHost
            | Self::BodyBroken
            | Self::BadBody(_)
            | Self::BadQuery(_)
            | Self::BadEventId => StatusCode::BAD_REQUEST,
            Self::Busy { .. } | Self::Draining | Self::Overloaded { .. } => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::WorkLimit(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooManyConnections { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::StreamGone | Self::WindowPassed { .. } | Self::OtherVersion { .. } => {
                StatusCode::GONE
            }
            Self::Store(error) => error.status(),
            Self::NoRandomness | Self::WorkFailed => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Upstream(error) => error.status(),
        }
    }
}

impl Problem {
    /// After how many seconds a retry may succeed, if that is known.
    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Busy { .. }
            | Self::Draining
            | Self::Overloaded { .. }
            | Self::TooManyConnections { .. } => Some(1),
            Self::Store(StoreError::Unreachable(_) | StoreError::Full(_)) => Some(5),
            // Rounds up to whole seconds.
            Self::Upstream(error) => error
                .retry_after()
                .map(|wait| wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0))),
            _ => None,
        }
    }
}

impl Problem {
    fn body(&self) -> String {
        json!({"error": {"code": self.code(), "message": self.to_string()}}).to_string()
    }

    /// The whole response as text, for a connection that gets no more.
    pub(crate) fn http(&self) -> String {
        let (status, body) = (self.status(), self.body());
        let retry = self.retry_after().map(|seconds| format!("retry-after: {seconds}\r\n"));
        format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncache-control: no-store\r\n{}\
             connection: close\r\ncontent-length: {}\r\n\r\n{body}",
            retry.unwrap_or_default(),
            body.len()
        )
    }
}

/// The code of a response that is a problem, for metrics and logs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProblemCode(pub(crate) &'static str);

impl From<RequestError> for Problem {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Bad(what) => Self::BadBody(what),
            RequestError::OverBudget(error) => Self::WorkLimit(error),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let json = HeaderValue::from_static("application/json");
        let mut response =
            (self.status(), [(header::CONTENT_TYPE, json)], self.body()).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let code = ProblemCode(self.code());
        if let Some(seconds) = self.retry_after() {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(code);
        response
    }
}
