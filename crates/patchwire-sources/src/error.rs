//! Errors of decoding, and errors that a provider reports.

use core::fmt;

use serde_json::Value as Json;

/// Why bytes could not be decoded. Earlier deltas stay valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {kind}")]
#[non_exhaustive]
pub struct DecodeError {
    /// The end of the last event that could be decoded, in bytes from the start of the body.
    pub offset: u64,
    /// What is wrong with the event.
    pub kind: DecodeErrorKind,
}

/// What is wrong with an event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The event is longer than the limit, which [`Decoder::with_limit`](crate::Decoder::with_limit) sets.
    #[error("an event of more than {limit} bytes, which is more than is read")]
    TooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// The body goes on and on without content: comments, events that belong to no answer, empty pieces of text.
    /// [`Decoder::with_empty_limit`](crate::Decoder::with_empty_limit) sets the limit.
    #[error("more than {limit} bytes that have no content")]
    Empty {
        /// The limit in bytes.
        limit: u64,
    },
    /// The body has more tool calls than the limit, which
    /// [`Decoder::with_call_limit`](crate::Decoder::with_call_limit) sets.
    #[error("more than {limit} tool calls, which is more than are read")]
    TooManyCalls {
        /// The limit.
        limit: usize,
    },
    /// The event is not a JSON object.
    #[error("an event that is no JSON object ({reason}): {excerpt:?}; is this the right protocol?")]
    NotJson {
        /// Why it is not one.
        reason: String,
        /// The beginning of the event.
        excerpt: String,
    },
    /// The stream was finished, or failed before.
    #[error("the stream is over; make a decoder for each stream")]
    Over,
}

/// An error that the provider reports.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProviderError {
    /// The HTTP status, if the error came in place of a stream.
    pub status: Option<u16>,
    /// The provider's name for the kind of error.
    pub kind: Option<String>,
    /// The provider's message.
    pub message: String,
}

/// The number of characters of a body that a message quotes.
const EXCERPT: usize = 300;

impl ProviderError {
    /// The error in the body of a response with this status. Any body is accepted.
    ///
    /// ```
    /// use patchwire_sources::ProviderError;
    ///
    /// let body = br#"{"error":{"type":"not_found_error","message":"model: no such model"}}"#;
    /// let error = ProviderError::of_response(404, body);
    /// assert_eq!(error.to_string(), "status 404: not_found_error: model: no such model");
    /// ```
    #[must_use]
    pub fn of_response(status: u16, body: &[u8]) -> Self {
        let read = serde_json::from_slice::<Json>(body).ok();
        // Some gateways send a list with one error.
        let read = read.map(|it| it.get(0).cloned().unwrap_or(it));
        let found = read.as_ref().and_then(Self::find);
        let mut error = found.unwrap_or_else(|| {
            let body = excerpt(&String::from_utf8_lossy(body), EXCERPT);
            Self { status: None, kind: None, message: body }
        });
        error.status = Some(status);
        error
    }

    /// The error that an object is or contains.
    pub(crate) fn find(value: &Json) -> Option<Self> {
        let text = |value: &Json, name: &str| value.get(name)?.as_str().map(str::to_owned);
        let error = value.get("error").filter(|error| !error.is_null()).unwrap_or(value);
        if let Some(message) = error.as_str() {
            return Some(Self { status: None, kind: None, message: message.to_owned() });
        }
        let message = text(error, "message").or_else(|| text(error, "detail"))?;
        let kind = text(error, "code").or_else(|| text(error, "type"));
        let number = |name| error.get(name)?.as_u64()?.try_into().ok();
        let status = number("code").or_else(|| number("status"));
        Some(Self { status: status.filter(|status| (400..600).contains(status)), kind, message })
    }

    /// An error that is no JSON.
    pub(crate) fn in_words(data: &str) -> Self {
        Self { status: None, kind: None, message: excerpt(data, EXCERPT) }
    }

    /// Whether repeating the request may help: there were too many requests, or the provider failed.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        let transient = [
            "overloaded_error",
            "rate_limit_error",
            "rate_limit_exceeded",
            "api_error",
            "server_error",
            "timeout_error",
        ];
        match self.status {
            Some(status) => matches!(status, 408 | 409 | 425 | 429 | 500..=599),
            None => self.kind.as_deref().is_some_and(|kind| transient.contains(&kind)),
        }
    }
}

impl fmt::Display for ProviderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(status) = self.status {
            write!(f, "status {status}: ")?;
        }
        if let Some(kind) = &self.kind {
            write!(f, "{kind}: ")?;
        }
        f.write_str(if self.message.is_empty() { "no message" } else { &self.message })
    }
}

impl core::error::Error for ProviderError {}

/// The beginning of a text, for a message.
pub(crate) fn excerpt(text: &str, most: usize) -> String {
    let text = text.trim();
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
