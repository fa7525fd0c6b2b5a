//! What keeps a model from being asked.

use std::io;

use patchwire_chat::{EndpointError, Key};

use crate::recording::RecordError;

/// Why a model is not asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AskingError {
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    #[error("no key: the variable {name} is not set; set it, or name another with `--key-env`")]
    NoKey { name: String },
    #[error("cannot read the prompt from stdin: {0}")]
    Prompt(io::Error),
    #[error("cannot set up the connection: {0}")]
    Client(String),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("cannot start: {0}")]
    Runtime(io::Error),
}

/// The key that a variable of the environment holds.
pub(crate) fn key(name: &str) -> Result<Key, AskingError> {
    let key = std::env::var(name).ok().filter(|key| !key.trim().is_empty());
    key.map(|key| Key::new(&key)).ok_or_else(|| AskingError::NoKey { name: name.to_owned() })
}
