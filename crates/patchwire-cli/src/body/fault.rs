//! What is wrong with a response body: where, in words, and as a code.

use patchwire_async::sources::{
    DecodeError, DecodeErrorKind, Foreign, Opening, Protocol, ProviderError,
};

/// Why a body does not end as an answer should. What was read before stays valid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum Fault {
    /// An event is not in the protocol. If it is too long, nothing after it was read.
    #[error("{}", unreadable(.0))]
    Unreadable(DecodeError),
    /// The provider sent an error instead of the rest.
    #[error("the provider reports an error{}: {error}", at(*.offset))]
    Reported { offset: Option<u64>, error: ProviderError },
    /// The provider had not marked the end.
    #[error("the body ends at byte {offset}, in the middle of the answer: the connection was cut")]
    Cut { offset: u64 },
    /// The model refuses to answer.
    #[error("the model refuses{}: {why}", at(*.offset))]
    Refused { offset: Option<u64>, why: String },
    /// The body has no bytes.
    #[error("the body is empty")]
    Empty,
    /// An answer that was not streamed.
    #[error("the body is one JSON object, not a stream; request a stream with `\"stream\": true`")]
    NoStream,
    /// The body holds no event of the protocol.
    #[error("nothing in {bytes} bytes is an event of {protocol}{}", instead(.found.as_ref()))]
    Silent { protocol: Protocol, bytes: u64, found: Option<Foreign> },
}

/// What the body is instead.
fn instead(found: Option<&Foreign>) -> String {
    match found {
        Some(Foreign::Stream(other)) => {
            format!(": it is {other}'s, which `--input {other}` reads")
        }
        Some(found) => format!(": it is {found}"),
        None => "; is it the body of another protocol, or cut short?".to_owned(),
    }
}

fn unreadable(error: &DecodeError) -> String {
    let DecodeError { offset, kind, .. } = error;
    match kind {
        DecodeErrorKind::NotJson { .. } => {
            format!("the event at byte {offset} of the body cannot be read: {kind}")
        }
        _ => format!("the body cannot be read from byte {offset} on: {kind}"),
    }
}

fn at(offset: Option<u64>) -> String {
    offset.map_or_else(String::new, |offset| format!(" at byte {offset}"))
}

impl Fault {
    /// A refusal with its reason, if there is one.
    pub(super) fn refused(offset: Option<u64>, why: &str) -> Self {
        let why = if why.is_empty() { "it does not say why" } else { why };
        Self::Refused { offset, why: why.to_owned() }
    }

    /// The code, for programs.
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(DecodeError { kind: DecodeErrorKind::TooLong { .. }, .. }) => {
                "event_too_long"
            }
            Self::Unreadable(DecodeError { kind: DecodeErrorKind::Empty { .. }, .. }) => {
                "empty_events"
            }
            Self::Unreadable(_) => "event_not_json",
            Self::Reported { .. } => "provider_error",
            Self::Cut { .. } => "connection_cut",
            Self::Refused { .. } => "refused",
            Self::Empty | Self::NoStream | Self::Silent { .. } => "no_stream",
        }
    }

    /// The byte of the body, if one is to blame.
    pub(crate) const fn offset(&self) -> Option<u64> {
        match self {
            Self::Unreadable(error) => Some(error.offset),
            Self::Cut { offset } => Some(*offset),
            Self::Reported { offset, .. } | Self::Refused { offset, .. } => *offset,
            Self::Empty | Self::NoStream | Self::Silent { .. } => None,
        }
    }
}

/// The fault of a body that ended without an event.
pub(super) fn of_silence(opening: &Opening, bytes: u64) -> Fault {
    if opening.is_blank() {
        return Fault::Empty;
    }
    match opening.foreign() {
        Some(Foreign::Reported(error)) => Fault::Reported { offset: Some(0), error },
        Some(Foreign::Whole { .. }) => Fault::NoStream,
        found => Fault::Silent { protocol: opening.protocol(), bytes, found },
    }
}
