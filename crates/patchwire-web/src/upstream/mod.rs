//! The model, as a trait.

mod backlog;
mod passed;

use core::fmt;
use core::pin::Pin;
use core::time::Duration;

use axum::http::{HeaderName, HeaderValue, StatusCode};
use bytes::Bytes;
use futures_util::Stream;
use patchwire_async::{CallKey, sources};
use serde::Serialize;
use serde_json::Value as Json;

pub use backlog::Backlog;
pub use passed::{Endpoint, Passed, Passing, Reply, ReplyBody};

use crate::chat_body::ChatBody;

/// Answers chat requests with a stream of deltas.
///
/// Dropping the future of [`open`](Self::open), or the stream it returned, must cancel the request:
/// this is how a client that disconnects frees its resources.
///
/// ```
/// use futures_util::{FutureExt as _, StreamExt as _, stream};
/// use patchwire_web::upstream::{Chat, Delta, Opening, Upstream};
///
/// struct Always;
///
/// impl Upstream for Always {
///     fn open(&self, _: Chat) -> Opening {
///         let deltas = stream::iter([Ok(Delta::Text("{\"yes\": true}".into()))]);
///         async move { Ok(deltas.boxed()) }.boxed()
///     }
/// }
/// ```
pub trait Upstream: Send + Sync + 'static {
    /// Sends the request, and returns the stream of its answer.
    fn open(&self, chat: Chat) -> Opening;

    /// Passes a request on to the model's server and returns its response as it is. By default, no endpoint is
    /// spoken.
    fn pass(&self, request: Passed) -> Passing {
        let error =
            UpstreamError::NotSpoken { path: request.endpoint.to_string(), spoken: String::new() };
        Box::pin(async move { Err(error) })
    }

    /// What the page may show about the model. By default it shows only that there is one.
    fn about(&self) -> About {
        About::default()
    }
}

/// Information about a model. Every client can read it, so it must hold no keys.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct About {
    /// The protocol, such as `openai-chat`.
    pub protocol: Option<String>,
    /// The host, such as `localhost:11434`.
    pub host: Option<String>,
    /// The model for requests that name none.
    pub model: Option<String>,
}

impl About {
    /// Sets the protocol.
    #[must_use]
    pub fn with_protocol(self, protocol: impl Into<String>) -> Self {
        Self { protocol: Some(protocol.into()), ..self }
    }

    /// Sets the host, with its port if it is not the default.
    #[must_use]
    pub fn with_host(self, host: impl Into<String>) -> Self {
        Self { host: Some(host.into()), ..self }
    }

    /// Sets the model for requests that name none.
    #[must_use]
    pub fn with_model(self, model: impl Into<String>) -> Self {
        Self { model: Some(model.into()), ..self }
    }
}

/// A request whose answer has not begun.
pub type Opening = Pin<Box<dyn Future<Output = Result<Deltas, UpstreamError>> + Send>>;

/// An answer as a stream of deltas.
pub type Deltas = Pin<Box<dyn Stream<Item = Result<Delta, UpstreamError>> + Send>>;

/// A chat request for the model.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Chat {
    /// The body, without the member for the gateway, and with `"stream": true`.
    pub body: ChatBody,
    /// The headers with keys, as the client sent them.
    pub credentials: Credentials,
    /// Tells the gateway how much the next delta may cost to decode.
    pub backlog: Backlog,
}

impl Chat {
    pub(crate) const fn new(body: ChatBody, credentials: Credentials, backlog: Backlog) -> Self {
        Self { body, credentials, backlog }
    }
}

/// Headers with keys. They are forwarded and never printed.
#[derive(Clone, Default)]
pub struct Credentials(Vec<(HeaderName, HeaderValue)>);

impl Credentials {
    pub(crate) fn new(headers: Vec<(HeaderName, HeaderValue)>) -> Self {
        Self(headers)
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The headers to forward. Their values are marked as sensitive.
    pub fn iter(&self) -> impl Iterator<Item = (&HeaderName, &HeaderValue)> {
        self.0.iter().map(|(name, value)| (name, value))
    }
}

/// Prints only the names of the headers.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

/// A part of an answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Delta {
    /// Text of the answer: bytes, cut anywhere.
    Text(Bytes),
    /// Reasoning that the model delivers in a field of its own.
    Reasoning(Bytes),
    /// A part of a tool call.
    Call {
        /// Identifies the call among several.
        key: CallKey,
        /// The provider's id of the call.
        id: Option<String>,
        /// The tool's name.
        name: Option<String>,
        /// More of the call's arguments.
        arguments: Bytes,
    },
    /// A fact such as usage or the stop reason. Of several with the same name, the last counts.
    Fact(String, Json),
}

/// Why there is no answer, or no more of it.
///
/// The messages are sent to the client, so they must hold no keys.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UpstreamError {
    /// There was no connection.
    #[error("the model cannot be reached: {0}; is its server running?")]
    Unreachable(String),
    /// There was no connection, and there will be none within seconds: nobody listens on this machine.
    #[error("the model cannot be reached: {0}; start its server, or check its address")]
    Absent(String),
    /// The model's server answered with an error.
    #[error("the model's server answered {status}: {message}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The server's message.
        message: String,
        /// When the server accepts requests again; sent to the client.
        retry_after: Option<Duration>,
    },
    /// The server has no model, and the request names no built-in stream.
    #[error("no model is behind this server: {0}")]
    NoModel(String),
    /// The model's server has no such endpoint.
    #[error(
        "the model behind this server does not speak `{path}`: {}",
        if spoken.is_empty() { "use `POST /v1/fields`" } else { spoken }
    )]
    NotSpoken {
        /// The endpoint.
        path: String,
        /// What is spoken, and what to do.
        spoken: String,
    },
    /// The body of the request is no chat request. Only the built-in streams say so.
    #[error("{0}")]
    BadBody(String),
    /// The response is no answer of a model: the address belongs to something else.
    #[error("what is asked is no model's server: {0}; check its address")]
    Foreign(String),
    /// The body has a content coding such as `gzip`, which was not asked for and is not read.
    #[error(
        "the model's server sends its answer in the content coding `{0}`, which is not read here; have it send the answer as it is"
    )]
    Encoded(String),
    /// The model took too long.
    #[error("the model did not answer within {seconds} s; try again, or ask for less")]
    Timeout {
        /// How many seconds the gateway waited.
        seconds: u64,
    },
    /// The stream goes on and on without content.
    #[error("the model's stream goes on without content: {0}; send the request again")]
    Empty(String),
    /// The stream broke off.
    #[error("the model's stream broke off: {0}; send the request again")]
    Broken(String),
    /// The instance that asked the model is gone, and its connection to the model with it.
    #[error(
        "the server that asked the model is gone, and the model's stream with it; {}",
        if *is_repeated { "another server asks the model again" } else { "send the request again" }
    )]
    Lost {
        /// Whether another instance asks again.
        is_repeated: bool,
    },
}

impl Delta {
    /// The delta of a provider's stream; `None` if a gateway has no use for it.
    #[must_use]
    pub fn of_source(delta: sources::Delta) -> Option<Self> {
        Some(match delta {
            sources::Delta::Text(text) => Self::Text(text.into()),
            sources::Delta::Reasoning(text) => Self::Reasoning(text.into()),
            sources::Delta::Call(call) => Self::Call {
                key: call.index.into(),
                id: call.id,
                name: call.name,
                arguments: call.arguments.into(),
            },
            sources::Delta::Fact { name, value } => Self::Fact(name.to_owned(), value),
            _ => return None,
        })
    }

    /// How many bytes of content it has. Facts have none.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Text(text) | Self::Reasoning(text) => text.len(),
            Self::Call { id, name, arguments, .. } => {
                let named = [id, name].into_iter().flatten().map(String::len).sum::<usize>();
                named + arguments.len()
            }
            Self::Fact(..) => 0,
        }
    }

    /// Takes the first part of a long delta. The delta that remains has the rest; without content, none remains.
    pub(crate) fn split_off(&mut self, most: usize) -> Self {
        match self {
            Self::Text(text) => Self::Text(text.split_to(most.min(text.len()))),
            Self::Reasoning(text) => Self::Reasoning(text.split_to(most.min(text.len()))),
            Self::Call { key, id, name, arguments } => Self::Call {
                key: key.clone(),
                id: id.take(),
                name: name.take(),
                arguments: arguments.split_to(most.min(arguments.len())),
            },
            Self::Fact(name, fact) => Self::Fact(core::mem::take(name), fact.take()),
        }
    }
}

impl UpstreamError {
    /// The code of [`Refused`](Self::Refused).
    pub(crate) const REFUSED: &str = "upstream_refused";

    /// The code, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unreachable(_) | Self::Absent(_) => "upstream_unreachable",
            Self::Refused { .. } => Self::REFUSED,
            Self::NoModel(_) => "no_model",
            Self::NotSpoken { .. } => "endpoint_not_spoken",
            Self::BadBody(_) => "bad_body",
            Self::Foreign(_) => "upstream_foreign",
            Self::Encoded(_) => "upstream_encoded",
            Self::Timeout { .. } => "upstream_timeout",
            Self::Empty(_) => "upstream_empty",
            Self::Broken(_) => "upstream_broken",
            Self::Lost { .. } => "upstream_lost",
        }
    }

    /// The status for the client. Errors that the client can fix or wait for keep the status of the
    /// model's server.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Refused { status: status @ (400..=404 | 413 | 422 | 429 | 503), .. } => {
                StatusCode::from_u16(*status).unwrap_or(StatusCode::BAD_GATEWAY)
            }
            Self::NoModel(_) | Self::NotSpoken { .. } => StatusCode::NOT_FOUND,
            Self::BadBody(_) => StatusCode::BAD_REQUEST,
            Self::Timeout { .. } => StatusCode::GATEWAY_TIMEOUT,
            _ => StatusCode::BAD_GATEWAY,
        }
    }

    /// What is [foreign](Self::Foreign) about a response that ends without an answer of this protocol.
    #[must_use]
    pub fn no_answer(protocol: &str) -> String {
        format!("the response ends without an answer of the protocol {protocol}")
    }

    /// Whether the request may succeed if it is sent again.
    pub(crate) const fn is_transient(&self) -> bool {
        match self {
            Self::Refused { status, .. } => matches!(status, 408 | 409 | 429 | 500..),
            Self::Unreachable(_) | Self::Timeout { .. } | Self::Broken(_) => true,
            Self::Lost { is_repeated } => *is_repeated,
            Self::Absent(_)
            | Self::NoModel(_)
            | Self::NotSpoken { .. }
            | Self::BadBody(_)
            | Self::Foreign(_)
            | Self::Encoded(_)
            | Self::Empty(_) => false,
        }
    }

    /// How long the client should wait, if the model's server said so.
    pub(crate) const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}
