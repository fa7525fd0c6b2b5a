//! Where answers come from: the model, behind a trait.

use core::fmt;
use core::pin::Pin;
use core::time::Duration;

use axum::http::{HeaderName, HeaderValue, StatusCode};
use bytes::Bytes;
use futures_util::Stream;
use patchwire_async::CallKey;
use serde::Serialize;
use serde_json::Value as Json;

use crate::chat_request::ChatBody;

/// Something that answers chat requests with a stream of deltas.
///
/// Dropping the future of [`open`](Self::open), or the stream it gave, has to give the request up:
/// this is how a client that has gone frees what it asked for.
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
    /// Sends the request; what comes back streams.
    fn open(&self, chat: Chat) -> Opening;

    /// What the page may say of it. If it says nothing, the page knows no more than that there is one.
    fn about(&self) -> About {
        About::default()
    }
}

/// What there is to know of a model before it is asked. All of it is told to whoever asks: put no
/// keys into it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct About {
    /// What is spoken there: `openai-chat`.
    pub protocol: Option<String>,
    /// Where it is: `localhost:11434`.
    pub host: Option<String>,
    /// The model where a request names none.
    pub model: Option<String>,
}

impl About {
    /// What is spoken there.
    #[must_use]
    pub fn with_protocol(self, protocol: impl Into<String>) -> Self {
        Self { protocol: Some(protocol.into()), ..self }
    }

    /// Where it is: a host, and a port if it has one of its own.
    #[must_use]
    pub fn with_host(self, host: impl Into<String>) -> Self {
        Self { host: Some(host.into()), ..self }
    }

    /// The model where a request names none.
    #[must_use]
    pub fn with_model(self, model: impl Into<String>) -> Self {
        Self { model: Some(model.into()), ..self }
    }
}

/// A request on its way.
pub type Opening = Pin<Box<dyn Future<Output = Result<Deltas, UpstreamError>> + Send>>;

/// An answer on its way.
pub type Deltas = Pin<Box<dyn Stream<Item = Result<Delta, UpstreamError>> + Send>>;

/// A chat request, as it goes to the model.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Chat {
    /// The body, without what was meant for the gateway, and with `"stream": true`.
    pub body: ChatBody,
    /// The headers that hold keys, as the client sent them.
    pub credentials: Credentials,
}

impl Chat {
    pub(crate) fn new(body: ChatBody, credentials: Credentials) -> Self {
        Self { body, credentials }
    }
}

/// Headers that hold keys: passed on, never printed.
#[derive(Clone, Default)]
pub struct Credentials(Vec<(HeaderName, HeaderValue)>);

impl Credentials {
    pub(crate) fn new(headers: Vec<(HeaderName, HeaderValue)>) -> Self {
        Self(headers)
    }

    /// The headers, to be sent on. Their values are marked as sensitive.
    pub fn iter(&self) -> impl Iterator<Item = (&HeaderName, &HeaderValue)> {
        self.0.iter().map(|(name, value)| (name, value))
    }
}

/// Only the names of the headers.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Delta {
    /// Text of the answer: bytes, cut anywhere.
    Text(Bytes),
    /// Reasoning that the model sends apart from the text.
    Reasoning(Bytes),
    /// A part of a tool call.
    Call {
        /// Which of several calls.
        key: CallKey,
        /// The provider's name for the call.
        id: Option<String>,
        /// The tool.
        name: Option<String>,
        /// More of its arguments.
        arguments: Bytes,
    },
    /// What is told beside the answer: usage, why it ended. Of several with a name the last counts.
    Fact(String, Json),
}

/// Why there is no answer, or no more of it.
///
/// The texts are told to the client: put no keys into them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UpstreamError {
    /// There was no connection.
    #[error("the model cannot be reached: {0}; is its server running?")]
    Unreachable(String),
    /// The model's server answered with an error.
    #[error("the model's server answered {status}: {message}")]
    Refused {
        /// Its HTTP status.
        status: u16,
        /// What it said.
        message: String,
        /// How long it wants to be left alone; the client is told.
        retry_after: Option<Duration>,
    },
    /// There is none behind the server, and no stream of its own that answers in its place.
    #[error("no model is behind this server: {0}")]
    NoModel(String),
    /// What came is no answer of a model: something else is where its server should be.
    #[error("what is asked is no model's server: {0}; see that its address is right")]
    Foreign(String),
    /// It took too long.
    #[error("the model did not answer within {seconds} s; try again, or ask for less")]
    Timeout {
        /// How long was waited.
        seconds: u64,
    },
    /// The stream broke off.
    #[error("the model's stream broke off: {0}; send the request again")]
    Broken(String),
}

impl UpstreamError {
    /// The word for it that programs may count on.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "upstream_unreachable",
            Self::Refused { .. } => "upstream_refused",
            Self::NoModel(_) => "no_model",
            Self::Foreign(_) => "upstream_foreign",
            Self::Timeout { .. } => "upstream_timeout",
            Self::Broken(_) => "upstream_broken",
        }
    }

    /// What the client is answered. Of a refusal, what the client can mend or wait for is passed
    /// on as it is.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Refused { status: status @ (400..=404 | 413 | 422 | 429 | 503), .. } => {
                StatusCode::from_u16(*status).unwrap_or(StatusCode::BAD_GATEWAY)
            }
            Self::NoModel(_) => StatusCode::NOT_FOUND,
            Self::Timeout { .. } => StatusCode::GATEWAY_TIMEOUT,
            _ => StatusCode::BAD_GATEWAY,
        }
    }

    /// How long the client is to wait, if the model's server said so.
    pub(crate) const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}
