//! How a run ends: the exit status, and the one line on stderr that explains it.

use std::io;
use std::process::ExitCode;

use crate::asking::AskingError;
use crate::commands::ServerError;
use crate::output;
use crate::recording::RecordError;
use crate::settings::SettingsError;
use crate::source::SourceError;

/// The exit status. Of several streams the highest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Status {
    /// All went well.
    Complete = 0,
    /// A check failed, or strict reading found a flaw.
    Failed = 1,
    /// What was asked for cannot be done.
    Usage = 2,
    /// There is no value in the input.
    NoValue = 3,
    /// A limit was reached.
    Limit = 4,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// Why a run stopped before its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Whoever reads the output has seen enough: `| head`.
    #[error("the output was closed")]
    ClosedPipe,
    #[error("cannot write the output: {0}")]
    Write(io::Error),
    #[error("cannot use the terminal: {0}; `patchwire parse` needs none")]
    Screen(io::Error),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    Asking(#[from] AskingError),
    #[error(transparent)]
    Server(#[from] ServerError),
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        Self::Source(error.into())
    }
}

/// Of writing. Errors of reading are [`SourceError`]s.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Write(error),
        }
    }
}

/// The status a run ends with; says why on stderr where it failed.
pub(crate) fn settle(result: Result<Status, Failure>) -> Status {
    match result {
        Ok(status) => status,
        Err(Failure::ClosedPipe) => Status::Complete,
        Err(failure) => failure.settle(),
    }
}

impl Failure {
    /// The status it ends a run with; says on stderr why.
    pub(crate) fn settle(&self) -> Status {
        output::error(self);
        match self {
            Self::Source(SourceError::NotARecording { .. }) => Status::NoValue,
            _ => Status::Usage,
        }
    }
}
