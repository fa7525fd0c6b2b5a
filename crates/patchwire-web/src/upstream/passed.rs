//! Requests that are passed on to the model's server, and its responses.

use core::fmt;
use core::pin::Pin;

use axum::http::{HeaderMap, StatusCode};
use bytes::Bytes;
use futures_util::Stream;

use super::UpstreamError;

/// An endpoint of a model's server.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Endpoint {
    /// OpenAI's `POST /v1/chat/completions`.
    ChatCompletions,
    /// Anthropic's `POST /v1/messages`.
    Messages,
    /// `GET /v1/models`, or one of them.
    Models(Option<String>),
}

impl Endpoint {
    /// The path and, for the models, the method GET in place of POST.
    #[must_use]
    pub const fn is_get(&self) -> bool {
        matches!(self, Self::Models(_))
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ChatCompletions => f.write_str("/v1/chat/completions"),
            Self::Messages => f.write_str("/v1/messages"),
            Self::Models(None) => f.write_str("/v1/models"),
            Self::Models(Some(model)) => write!(f, "/v1/models/{model}"),
        }
    }
}

/// A request for the model's server, as the client sent it.
#[derive(Clone)]
#[non_exhaustive]
pub struct Passed {
    /// The endpoint.
    pub endpoint: Endpoint,
    /// The query of the URL.
    pub query: Option<String>,
    /// The body, without the member for the gateway. Empty for GET.
    pub body: Bytes,
    /// The headers with keys, and those that belong to the API: `anthropic-version`, `anthropic-beta`,
    /// `openai-organization`, `openai-project`, `idempotency-key`.
    pub headers: HeaderMap,
    /// Whether a header has a key. Without one, the server's own key is sent.
    pub has_key: bool,
}

impl Passed {
    pub(crate) fn new(endpoint: Endpoint, headers: HeaderMap) -> Self {
        Self { endpoint, query: None, body: Bytes::new(), headers, has_key: false }
    }
}

/// Prints no header, because some hold keys, and no text.
impl fmt::Debug for Passed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passed")
            .field("endpoint", &self.endpoint)
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

/// A request that was passed on and has no response yet.
pub type Passing = Pin<Box<dyn Future<Output = Result<Reply, UpstreamError>> + Send>>;

/// A body that is passed back as it comes.
pub type ReplyBody = Pin<Box<dyn Stream<Item = Result<Bytes, UpstreamError>> + Send>>;

/// The response of the model's server, as it is.
#[non_exhaustive]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The headers. The gateway passes back those of the API and of the content.
    pub headers: HeaderMap,
    /// The body.
    pub body: ReplyBody,
}

impl Reply {
    /// A response.
    #[must_use]
    pub fn new(status: StatusCode, headers: HeaderMap, body: ReplyBody) -> Self {
        Self { status, headers, body }
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply").field("status", &self.status).finish_non_exhaustive()
    }
}
