//! What is wrong with a body: where, in which words, and for programs.

use patchwire_async::sources::{DecodeError, DecodeErrorKind, Protocol, ProviderError};
use serde_json::Value as Json;

/// Why a body does not end as an answer does. What came before stands.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum Fault {
    /// What came is not of the protocol.
    #[error("the body cannot be read from byte {} on: {}", .0.offset, unreadable(&.0.kind))]
    Unreadable(DecodeError),
    /// The provider sent an error in place of the rest.
    #[error("the provider reports an error{}: {error}", at(*.offset))]
    Reported { offset: Option<u64>, error: ProviderError },
    /// The provider had not said that this is all.
    #[error("the body ends at byte {offset}, in the middle of the answer: the connection was cut")]
    Cut { offset: u64 },
    /// The model does not want to answer.
    #[error("the model refuses{}: {why}", at(*.offset))]
    Refused { offset: Option<u64>, why: String },
    /// Nothing came at all.
    #[error("the body is empty")]
    Empty,
    /// It is an answer that was not streamed.
    #[error(
        "the body is one JSON object and no stream; ask the provider for one: `\"stream\": true`"
    )]
    NoStream,
    /// Nothing in it is an event of the protocol.
    #[error(
        "nothing in {bytes} bytes is of the protocol {protocol}; is it another one's body, or cut short?"
    )]
    Silent { protocol: Protocol, bytes: u64 },
}

/// Who types a command sets no limits of a decoder.
fn unreadable(kind: &DecodeErrorKind) -> String {
    match kind {
        DecodeErrorKind::TooLong { limit } => format!("an event of more than {limit} bytes"),
        kind => kind.to_string(),
    }
}

fn at(offset: Option<u64>) -> String {
    offset.map_or_else(String::new, |offset| format!(" at byte {offset}"))
}

impl Fault {
    /// That the model refuses, in its words if it has any.
    pub(super) fn refused(offset: Option<u64>, why: &str) -> Self {
        let why = if why.is_empty() { "it does not say why" } else { why };
        Self::Refused { offset, why: why.to_owned() }
    }

    /// For programs.
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(DecodeError { kind: DecodeErrorKind::TooLong { .. }, .. }) => {
                "event_too_long"
            }
            Self::Unreadable(_) => "event_not_json",
            Self::Reported { .. } => "provider_error",
            Self::Cut { .. } => "connection_cut",
            Self::Refused { .. } => "refused",
            Self::Empty | Self::NoStream | Self::Silent { .. } => "no_stream",
        }
    }

    /// At which byte of the body.
    pub(crate) const fn offset(&self) -> Option<u64> {
        match self {
            Self::Unreadable(error) => Some(error.offset),
            Self::Cut { offset } => Some(*offset),
            Self::Reported { offset, .. } | Self::Refused { offset, .. } => *offset,
            Self::Empty | Self::NoStream | Self::Silent { .. } => None,
        }
    }
}

/// The beginning of a body that says nothing yet. What comes with an error, or was not streamed, is one
/// JSON text, in which no decoder finds an event.
#[derive(Debug, Default)]
pub(super) struct Opening {
    bytes: Vec<u8>,
    is_whole: bool,
}

/// Most bytes that are looked at. Errors are shorter.
const OPENING: usize = 1 << 16;

impl Opening {
    pub(super) fn take(&mut self, chunk: &[u8]) {
        let room = OPENING - self.bytes.len();
        self.bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
        self.is_whole = chunk.len() <= room;
    }

    /// What is wrong with a body that ended so.
    pub(super) fn fault(&self, protocol: Protocol, bytes: u64) -> Fault {
        if self.bytes.trim_ascii().is_empty() {
            return Fault::Empty;
        }
        let whole = self.bytes.as_slice();
        let whole = if self.is_whole { whole } else { &[] };
        match serde_json::from_slice::<Json>(whole) {
            Ok(said) if is_error(&said) => {
                let mut error = ProviderError::of_response(0, whole);
                error.status = None;
                Fault::Reported { offset: Some(0), error }
            }
            Ok(_) => Fault::NoStream,
            Err(_) => Fault::Silent { protocol, bytes },
        }
    }
}

/// Some gateways send a list with one error.
fn is_error(said: &Json) -> bool {
    let first = said.get(0).unwrap_or(said);
    first.get("error").is_some_and(|error| !error.is_null())
}
