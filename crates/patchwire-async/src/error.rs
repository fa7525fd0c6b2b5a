//! What ends a response early.

use core::fmt;
use std::error::Error as StdError;
use std::sync::Arc;

use patchwire::{document::DataError, event::Rejection, path::PatternError};

use crate::answer::Answer;

/// Any error, with no bound on what it is.
pub(crate) type AnyError = Box<dyn StdError + Send + Sync>;

/// What ended a response, or kept its answer from being read. What was received stays readable.
///
/// `E` is the source's own error, kept as it came and shared, so that the response can give the same
/// error as often as it is asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error<E = BoxError> {
    /// The model's stream, or the request for it, failed.
    #[error("the model's stream failed")]
    Source(#[source] Arc<E>),
    /// A limit was reached, or the text is not what strict reading asks for.
    #[error(transparent)]
    Parse(#[from] patchwire::Error),
    /// A value does not fit the type it was to be read as.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The text given for a path is none.
    #[error(transparent)]
    Path(#[from] PatternError),
    /// No attempt gave an answer that was taken.
    #[error("no answer was accepted in {}: {rejection}", counted(*attempts))]
    #[non_exhaustive]
    Rejected {
        /// How many attempts there were.
        attempts: u32,
        /// The last answer; [`failures`](patchwire::Answer::failures) lists what the engine found.
        answer: Answer,
        /// Why it was not taken.
        rejection: Arc<Rejection>,
        /// What a validator [raised](crate::Verdict::raise).
        #[source]
        raised: Option<Arc<BoxError>>,
    },
}

impl<E> Error<E> {
    /// The source's error.
    ///
    /// # Errors
    /// This error again, if it is another one or if it is still held elsewhere, as in the response.
    pub fn into_source(self) -> Result<E, Self> {
        match self {
            Self::Source(error) => Arc::try_unwrap(error).map_err(Self::Source),
            other => Err(other),
        }
    }

    /// The last answer, if none was taken.
    #[must_use]
    pub const fn rejected(&self) -> Option<&Answer> {
        match self {
            Self::Rejected { answer, .. } => Some(answer),
            _ => None,
        }
    }

    /// What a validator [raised](crate::Verdict::raise), to be downcast.
    #[must_use]
    pub fn raised(&self) -> Option<&(dyn StdError + Send + Sync + 'static)> {
        match self {
            Self::Rejected { raised, .. } => raised.as_ref().map(|error| error.get_ref()),
            _ => None,
        }
    }

    /// The source's error, if it is one.
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

/// The next item of a stream; none after the last.
pub(crate) type Next<T, E> = Option<Result<T, Error<E>>>;

/// Any error as a type that is one: `Box<dyn Error>`, `anyhow::Error` and `String` are not.
pub struct BoxError(AnyError);

impl BoxError {
    pub(crate) fn new(error: impl Into<AnyError>) -> Self {
        Self(error.into())
    }

    /// The error inside.
    #[must_use]
    pub fn get_ref(&self) -> &(dyn StdError + Send + Sync + 'static) {
        &*self.0
    }

    /// The error inside.
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
