//! Why the answer of an attempt was not accepted.

use core::fmt;

use bytestring::ByteString;
use patchwire::Value;

/// The step at which an attempt failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// The model's stream, or the request for it, failed.
    Source,
    /// The text has no readable value, or a limit was reached.
    Parse,
    /// The value does not have the shape that the schema requires.
    Shape,
    /// A required path is missing or empty.
    Ensure,
    /// A validator did not accept the answer.
    ValidationFailed,
    /// A validator failed: it raised an error, panicked, or returned no verdict.
    ValidationError,
}

impl Cause {
    /// The name in the JSON form.
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

    /// Whether a validator is the cause.
    #[must_use]
    pub const fn is_validation(self) -> bool {
        matches!(self, Self::ValidationFailed | Self::ValidationError)
    }

    /// The name of the event that reports the failure.
    pub(crate) const fn event_name(self) -> &'static str {
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

/// Why the answer of an attempt was not accepted. Prints as the name of the validator and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rejection {
    /// The attempt, counted from 1.
    pub attempt: u32,
    /// The step at which it failed.
    pub cause: Cause,
    /// The name of the validator, if it has one.
    pub validator: Option<ByteString>,
    /// What is wrong, for people and for the model.
    pub reason: ByteString,
    /// Details from the validator, for programs.
    pub payload: Option<Value>,
}

impl Rejection {
    /// A failed attempt, without a validator and a payload.
    #[must_use]
    pub fn new(attempt: u32, cause: Cause, reason: impl Into<ByteString>) -> Self {
        Self { attempt, cause, validator: None, reason: reason.into(), payload: None }
    }

    /// Sets the name of the validator.
    #[must_use]
    pub fn with_validator(self, name: Option<impl Into<ByteString>>) -> Self {
        Self { validator: name.map(Into::into), ..self }
    }

    /// Sets the details from the validator.
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
