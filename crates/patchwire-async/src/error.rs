//! Errors that end a response.

use core::fmt;
use std::error::Error as StdError;
use std::sync::Arc;

use patchwire::{SpecError, document::DataError, path::PatternError};

use crate::answer::Answer;
use crate::rejection::Rejection;

/// Any error.
pub(crate) type AnyError = Box<dyn StdError + Send + Sync>;

/// Why a response ended early, or why its answer does not fit a type. The value so far stays readable.
///
/// `E` is the source's own error. It is shared, so that the response can return it at every call.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error<E = BoxError> {
    /// The model's stream, or the request for it, failed.
    #[error("the model's stream failed")]
    Source(#[source] Arc<E>),
    /// A limit was reached, or strict reading found an error.
    #[error(transparent)]
    Parse(#[from] patchwire::Error),
    /// A value does not fit the requested type.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A path cannot be parsed.
    #[error(transparent)]
    Path(#[from] PatternError),
    /// The paths that the answer needs cannot be used.
    #[error(transparent)]
    Settings(SpecError),
    /// No answer was accepted.
    #[error("no answer was accepted in {}: {rejection}", counted(*attempts))]
    #[non_exhaustive]
    Rejected {
        /// The number of attempts.
        attempts: u32,
        /// The last answer. Its [`failures`](patchwire::Answer::failures) are those that the engine found.
        answer: Answer,
        /// Why it was not accepted.
        rejection: Arc<Rejection>,
        /// The error that a validator [raised](crate::Verdict::raise).
        #[source]
        raised: Option<Arc<BoxError>>,
    },
}

impl<E> From<SpecError> for Error<E> {
    fn from(error: SpecError) -> Self {
        match error {
            SpecError::Path { source, .. } => Self::Path(source),
            error => Self::Settings(error),
        }
    }
}

impl<E> Error<E> {
    /// The source's error.
    ///
    /// # Errors
    /// This error, if it is of another kind, or if another owner such as the response still has it.
    pub fn into_source(self) -> Result<E, Self> {
        match self {
            Self::Source(error) => Arc::try_unwrap(error).map_err(Self::Source),
            other => Err(other),
        }
    }

    /// The last answer, if none was accepted.
    #[must_use]
    pub const fn rejected(&self) -> Option<&Answer> {
        match self {
            Self::Rejected { answer, .. } => Some(answer),
            _ => None,
        }
    }

    /// The error that a validator [raised](crate::Verdict::raise), for downcasts.
    #[must_use]
    pub fn raised(&self) -> Option<&(dyn StdError + Send + Sync + 'static)> {
        match self {
            Self::Rejected { raised, .. } => raised.as_ref().map(|error| error.get_ref()),
            _ => None,
        }
    }

    /// The source's error, if this is one.
    #[must_use]
    pub fn as_source(&self) -> Option<&E> {
        match self {
            Self::Source(error) => Some(error),
            _ => None,
        }
    }
}

impl<E> Clone for Error<E> {
    fn clone(&self) -> Self {
        match self {
            Self::Source(error) => Self::Source(Arc::clone(error)),
            Self::Parse(error) => Self::Parse(*error),
            Self::Data(error) => Self::Data(error.clone()),
            Self::Path(error) => Self::Path(*error),
            Self::Settings(error) => Self::Settings(error.clone()),
            Self::Rejected { attempts, answer, rejection, raised } => Self::Rejected {
                attempts: *attempts,
                answer: answer.clone(),
                rejection: Arc::clone(rejection),
                raised: raised.clone(),
            },
        }
    }
}

fn counted(attempts: u32) -> String {
    if attempts == 1 { "1 attempt".to_owned() } else { format!("{attempts} attempts") }
}

/// An item of a stream; none after the last.
pub(crate) type Next<T, E> = Option<Result<T, Error<E>>>;

/// Wraps any error in a type that implements [`Error`](StdError): `Box<dyn Error>`, `anyhow::Error` and
/// `String` do not.
pub struct BoxError(AnyError);

impl BoxError {
    pub(crate) fn new(error: impl Into<AnyError>) -> Self {
        Self(error.into())
    }

    /// The inner error.
    #[must_use]
    pub fn get_ref(&self) -> &(dyn StdError + Send + Sync + 'static) {
        &*self.0
    }

    /// The inner error.
    #[must_use]
    pub fn into_inner(self) -> Box<dyn StdError + Send + Sync> {
        self.0
    }
}

impl fmt::Debug for BoxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for BoxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl StdError for BoxError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source()
    }
}
