//! Errors that end a response.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;
use std::error::Error as StdError;
use std::sync::Arc;

use patchwire::SpecError;
use patchwire::answer::{AnswerError, CutAnswer, NoValue};
use patchwire::document::DataError;

use crate::answer::Answer;
use crate::path_error::PathError;
use crate::rejection::Rejection;

/// Any error.
pub type BoxError = Box<dyn StdError + Send + Sync>;

/// The error of a source: anything that converts to a boxed [`Error`](StdError). `anyhow::Error`,
/// `Box<dyn Error + Send + Sync>`, `String` and all errors that are `Send + Sync + 'static` do.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a model's stream",
    label = "the stream's error is `{Self}`",
    note = "it has to implement `std::error::Error` and be `Send + Sync + 'static`; `anyhow::Error`, `String` and \
            `Box<dyn Error + Send + Sync>` are errors too",
    note = "convert it in the stream, as in `stream.map_err(|error| error.to_string())`"
)]
pub trait SourceError: Into<BoxError> {}

impl<E: Into<BoxError>> SourceError for E {}

/// Why a response ended early, or why its answer is not what was asked for. The value so far stays readable.
///
/// It implements [`Error`](StdError) whatever the source's error is, so `?` works in functions that return
/// `anyhow::Result` or `Result<_, Box<dyn Error>>`. `E` is the type of the source's error, for
/// [`as_source`](Self::as_source).
#[non_exhaustive]
pub enum Error<E = BoxError> {
    /// The model's stream, or the request for it, failed.
    Source(SourceFailure<E>),
    /// A limit was reached, or strict reading found an error.
    Parse(patchwire::Error),
    /// A value does not fit the requested type.
    Data(DataError),
    /// The answer was cut. The error holds what arrived; `allow_partial` accepts it.
    Cut(CutAnswer),
    /// The answer has no value.
    NoValue(NoValue),
    /// A path leads to no value, or to one that was not completed.
    Path(PathError),
    /// The paths that the answer needs cannot be used.
    Settings(SpecError),
    /// No answer was accepted.
    #[non_exhaustive]
    Rejected {
        /// The number of attempts.
        attempts: u32,
        /// The last answer. Its [`failures`](patchwire::Answer::failures) are those that the engine found.
        answer: Answer,
        /// Why it was not accepted.
        rejection: Arc<Rejection>,
        /// The error that a validator [raised](crate::Verdict::raise).
        raised: Option<Arc<BoxError>>,
    },
}

impl<E> From<SpecError> for Error<E> {
    fn from(error: SpecError) -> Self {
        match error {
            SpecError::Path { source, .. } => Self::Path(source.into()),
            error => Self::Settings(error),
        }
    }
}

impl<E> Error<E> {
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
            Self::Rejected { raised, .. } => raised.as_ref().map(|error| &***error),
            _ => None,
        }
    }

    /// The failure of the source, if this is one. It dereferences to the source's error as a `dyn Error`.
    #[must_use]
    pub const fn source_failure(&self) -> Option<&SourceFailure<E>> {
        match self {
            Self::Source(failure) => Some(failure),
            _ => None,
        }
    }

    /// The error with another type of the source's error.
    pub(crate) fn retyped<F>(self) -> Error<F> {
        match self {
            Self::Source(SourceFailure { error, .. }) => {
                Error::Source(SourceFailure { error, of: PhantomData })
            }
            Self::Parse(error) => Error::Parse(error),
            Self::Data(error) => Error::Data(error),
            Self::Cut(error) => Error::Cut(error),
            Self::NoValue(error) => Error::NoValue(error),
            Self::Path(error) => Error::Path(error),
            Self::Settings(error) => Error::Settings(error),
            Self::Rejected { attempts, answer, rejection, raised } => {
                Error::Rejected { attempts, answer, rejection, raised }
            }
        }
    }
}

impl<E: StdError + 'static> Error<E> {
    /// The source's error, if this is one.
    #[must_use]
    pub fn as_source(&self) -> Option<&E> {
        self.source_failure()?.as_typed()
    }

    /// The source's error.
    ///
    /// # Errors
    /// This error, if it is of another kind, or if another owner such as the response still has it.
    pub fn into_source(self) -> Result<E, Self> {
        let Self::Source(SourceFailure { error, of }) = self else { return Err(self) };
        match Arc::try_unwrap(error).map(|error| error.downcast::<E>()) {
            Ok(Ok(error)) => Ok(*error),
            Ok(Err(error)) => Err(Self::Source(SourceFailure { error: Arc::new(error), of })),
            Err(error) => Err(Self::Source(SourceFailure { error, of })),
        }
    }
}

/// The error of a source. Dereferences to a `dyn Error`, and [downcasts](Self::as_typed) to `E`. Cloning copies a
/// pointer: a response returns its error at every call.
pub struct SourceFailure<E = BoxError> {
    error: Arc<BoxError>,
    of: PhantomData<fn() -> E>,
}

impl<E> SourceFailure<E> {
    pub(crate) fn new(error: E) -> Self
    where
        E: SourceError,
    {
        Self { error: Arc::new(error.into()), of: PhantomData }
    }

    /// The error with its type. None if the source gave it in a box.
    #[must_use]
    pub fn as_typed(&self) -> Option<&E>
    where
        E: StdError + 'static,
    {
        self.downcast_ref()
    }
}

impl<E> Deref for SourceFailure<E> {
    type Target = dyn StdError + Send + Sync;

    fn deref(&self) -> &Self::Target {
        &**self.error
    }
}

impl<E> Clone for SourceFailure<E> {
    fn clone(&self) -> Self {
        Self { error: Arc::clone(&self.error), of: PhantomData }
    }
}

impl<E> fmt::Debug for SourceFailure<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<E> fmt::Display for SourceFailure<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl<E> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(_) => f.write_str("the model's stream failed"),
            Self::Parse(error) => error.fmt(f),
            Self::Data(error) => error.fmt(f),
            Self::Cut(error) => error.fmt(f),
            Self::NoValue(error) => error.fmt(f),
            Self::Path(error) => error.fmt(f),
            Self::Settings(error) => error.fmt(f),
            Self::Rejected { attempts, rejection, .. } => {
                write!(f, "no answer was accepted in {}: {rejection}", counted(*attempts))
            }
        }
    }
}

impl<E> fmt::Debug for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => f.debug_tuple("Source").field(error).finish(),
            Self::Parse(error) => f.debug_tuple("Parse").field(error).finish(),
            Self::Data(error) => f.debug_tuple("Data").field(error).finish(),
            Self::Cut(error) => f.debug_tuple("Cut").field(error).finish(),
            Self::NoValue(error) => f.debug_tuple("NoValue").field(error).finish(),
            Self::Path(error) => f.debug_tuple("Path").field(error).finish(),
            Self::Settings(error) => f.debug_tuple("Settings").field(error).finish(),
            Self::Rejected { attempts, answer, rejection, raised } => f
                .debug_struct("Rejected")
                .field("attempts", attempts)
                .field("answer", answer)
                .field("rejection", rejection)
                .field("raised", raised)
                .finish(),
        }
    }
}

impl<E> StdError for Error<E> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Source(failure) => Some(&**failure),
            Self::Rejected { raised, .. } => {
                raised.as_ref().map(|error| -> &(dyn StdError + 'static) { &***error })
            }
            // Printed by this error itself.
            _ => None,
        }
    }
}

impl<E> Clone for Error<E> {
    fn clone(&self) -> Self {
        match self {
            Self::Source(error) => Self::Source(error.clone()),
            Self::Parse(error) => Self::Parse(*error),
            Self::Data(error) => Self::Data(error.clone()),
            Self::Cut(error) => Self::Cut(error.clone()),
            Self::NoValue(error) => Self::NoValue(error.clone()),
            Self::Path(error) => Self::Path(error.clone()),
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

impl<E> From<patchwire::Error> for Error<E> {
    fn from(error: patchwire::Error) -> Self {
        Self::Parse(error)
    }
}

impl<E> From<DataError> for Error<E> {
    fn from(error: DataError) -> Self {
        Self::Data(error)
    }
}

impl<E> From<PathError> for Error<E> {
    fn from(error: PathError) -> Self {
        Self::Path(error)
    }
}

impl<E> From<AnswerError> for Error<E> {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Cut(cut) => Self::Cut(cut),
            AnswerError::NoValue(none) => Self::NoValue(none),
            AnswerError::Data(error) => Self::Data(error),
            other => Self::Data(serde::de::Error::custom(other)),
        }
    }
}

fn counted(attempts: u32) -> String {
    if attempts == 1 { "1 attempt".to_owned() } else { format!("{attempts} attempts") }
}

/// An item of a stream; none after the last.
pub(crate) type Next<T, E> = Option<Result<T, Error<E>>>;
