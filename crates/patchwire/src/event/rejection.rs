//! Why an answer was not taken: emitted by layers that check answers and ask a model again.

use core::fmt;

use bytestring::ByteString;

use crate::document::Value;

/// At which step an attempt failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// The model's stream, or the request for it, broke.
    Source,
    /// No value could be read, or a limit was reached.
    Parse,
    /// The value is not of the shape that the schema wants.
    Shape,
    /// What has to be there is not, or says nothing.
    Ensure,
    /// A validator did not accept the answer.
    ValidationFailed,
    /// A validator failed itself: it raised an error, panicked, or said what is no verdict.
    ValidationError,
}

impl Cause {
    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Parse => "parse",
            Self::Shape => "shape",
            Self::Ensure => "ensure",
            Self::ValidationFailed => "validation_failed",
            Self::ValidationError => "validation_error",
        }
    }

    /// Whether a validator stands behind it.
    #[must_use]
    pub const fn is_validation(self) -> bool {
        matches!(self, Self::ValidationFailed | Self::ValidationError)
    }

    /// The name of the event that emits of it.
    pub(super) const fn event_name(self) -> &'static str {
        match self {
            Self::ValidationFailed | Self::ValidationError => self.name(),
            _ => "attempt_failed",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why the answer of an attempt was not taken. Prints as its reason, after the validator's name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rejection {
    /// The attempt, from 1.
    pub attempt: u32,
    /// At which step it failed.
    pub cause: Cause,
    /// The validator, if it has a name.
    pub validator: Option<ByteString>,
    /// What is wrong, in words.
    pub reason: ByteString,
    /// What the validator says beside, for programs.
    pub payload: Option<Value>,
}

impl Rejection {
    /// A failed attempt.
    #[must_use]
    pub fn new(attempt: u32, cause: Cause, reason: impl Into<ByteString>) -> Self {
        Self { attempt, cause, validator: None, reason: reason.into(), payload: None }
    }

    /// Adds the name of the validator.
    #[must_use]
    pub fn with_validator(self, name: Option<impl Into<ByteString>>) -> Self {
        Self { validator: name.map(Into::into), ..self }
    }

    /// Adds the validator's details.
    #[must_use]
    pub fn with_payload(self, payload: Option<Value>) -> Self {
        Self { payload, ..self }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.validator {
            Some(validator) => write!(f, "{validator}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}
