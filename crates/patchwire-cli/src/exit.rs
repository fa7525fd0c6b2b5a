//! How a run ends: the exit status, and the line on stderr that explains it.

use std::io;
#[cfg(feature = "serve")]
use std::net::SocketAddr;
use std::process::ExitCode;

#[cfg(feature = "serve")]
use patchwire_web::{OptionsError, ServeError};

#[cfg(feature = "batch")]
use crate::batch::TableError;
use crate::output;
use crate::recording_writer::RecordError;
#[cfg(any(feature = "chat", feature = "serve"))]
use crate::request_setup::RequestError;
use crate::settings::SettingsError;
use crate::source::SourceError;

/// The exit status. Of several streams, the highest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Status {
    /// Everything went well.
    Complete = 0,
    /// A check failed, or strict reading found an error.
    Failed = 1,
    /// The options, the input or the environment do not allow the run.
    Usage = 2,
    /// The input holds no value.
    NoValue = 3,
    /// A limit was reached.
    Limit = 4,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// Why a run stopped early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The reader of the output closed it, as `| head` does.
    #[error("the output was closed")]
    ClosedPipe,
    #[error("cannot write the output: {0}")]
    Write(io::Error),
    #[error("cannot write to {name}: {error}; give another folder")]
    WriteFile { name: String, error: io::Error },
    #[error("no command is called `{0}`; `patchwire help` lists them")]
    UnknownCommand(String),
    #[cfg(feature = "watch")]
    #[error("cannot use the terminal: {0}; `patchwire parse` needs none")]
    Screen(io::Error),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[cfg(any(feature = "chat", feature = "serve"))]
    #[error(transparent)]
    Request(#[from] RequestError),
    #[cfg(feature = "serve")]
    #[error(transparent)]
    Server(#[from] ServerError),
    #[cfg(feature = "serve")]
    #[error(transparent)]
    Config(#[from] crate::args::ConfigError),
    #[cfg(feature = "batch")]
    #[error(transparent)]
    Table(Box<TableError>),
    /// A command whose feature is off.
    #[cfg(not(all(feature = "batch", feature = "chat", feature = "serve", feature = "watch")))]
    #[error(
        "`{0}` is not part of this build; `cargo install patchwire-cli --features full` builds every \
         command"
    )]
    NotBuiltIn(&'static str),
}

/// Why the server of `patchwire serve` cannot run.
#[cfg(feature = "serve")]
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServerError {
    #[error("cannot listen on {listen}: {error}; choose another port, or 0 for any free port")]
    Listen { listen: SocketAddr, error: io::Error },
    #[error("cannot start the server: {0}")]
    Start(io::Error),
    #[error(transparent)]
    Upstream(#[from] RequestError),
    #[error(transparent)]
    Options(#[from] OptionsError),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[cfg(feature = "redis")]
    #[error(transparent)]
    StoreSettings(#[from] patchwire_redis::SettingsError),
    #[cfg(feature = "redis")]
    #[error(
        "cannot use the store at {host}: {error}; without `--store`, answers are kept in this process"
    )]
    Store { host: String, error: patchwire_web::store::StoreError },
    #[error(
        "`{option}` is an option of the store, and there is no store; give one with `--store redis://HOST:PORT`, or leave \
         it out, also in the environment and the file of options"
    )]
    LoneOption { option: &'static str },
    #[cfg(not(feature = "redis"))]
    #[error(
        "`--store` is not part of this build; `cargo install patchwire-cli --features full` builds everything"
    )]
    NoStore,
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        Self::Source(error.into())
    }
}

/// For errors of writing. Errors of reading are [`SourceError`]s.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Write(error),
        }
    }
}

/// The exit status of a run. Reports a failure on stderr.
pub(crate) fn report(result: Result<Status, Failure>) -> Status {
    match result {
        Ok(status) => status,
        Err(Failure::ClosedPipe) => Status::Complete,
        Err(failure) => failure.report(),
    }
}

impl Failure {
    /// Reports the failure on stderr, and returns its status.
    pub(crate) fn report(&self) -> Status {
        output::error(self);
        match self {
            Self::Source(SourceError::NotARecording { .. }) => Status::NoValue,
            _ => Status::Usage,
        }
    }
}
