//! What can go wrong before a model is asked, and API keys from the environment.

#[cfg(feature = "chat")]
use std::io;

use patchwire_chat::{ClientError, EndpointError, Key};

#[cfg(feature = "chat")]
use crate::recording_writer::RecordError;

/// Why no request is sent.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RequestError {
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    #[error("no key: the variable {name} is not set; set it, or name another with `{option}`")]
    NoKey { name: String, option: &'static str },
    #[error(
        "no key: the variable {name} contains whitespace or another character that no header can \
         hold; set it to the key alone"
    )]
    NotAKey { name: String },
    #[cfg(feature = "chat")]
    #[error("cannot read the prompt from stdin: {0}")]
    Prompt(io::Error),
    #[cfg(feature = "chat")]
    #[error("there is no prompt: give one after `chat`, or on stdin")]
    NoPrompt,
    #[error("cannot set up the connection: {0}")]
    Client(#[from] ClientError),
    #[cfg(feature = "chat")]
    #[error(transparent)]
    Record(#[from] RecordError),
    #[cfg(feature = "chat")]
    #[error("cannot start: {0}")]
    Runtime(io::Error),
}

/// The key in an environment variable. `option` is the option that named the variable.
pub(crate) fn key_from_env(name: &str, option: &'static str) -> Result<Key, RequestError> {
    held(name, &std::env::var(name).unwrap_or_default(), option)
}

fn held(name: &str, key: &str, option: &'static str) -> Result<Key, RequestError> {
    let name = name.to_owned();
    match key.trim() {
        "" => Err(RequestError::NoKey { name, option }),
        key if key.bytes().all(|byte| byte.is_ascii_graphic()) => Ok(Key::new(key)),
        _ => Err(RequestError::NotAKey { name }),
    }
}

#[cfg(test)]
mod tests {
    use super::{RequestError, held};

    #[test]
    fn a_key_is_one_word_that_a_header_can_hold() {
        let of = |key: &str| held("K", key, "--key-env").map(|_| ());
        assert!(of(" sk-1\n").is_ok());
        assert!(matches!(of(" \n"), Err(RequestError::NoKey { .. })));
        for key in ["a\nb", "a b", "schlüssel", "a\u{7f}"] {
            assert!(matches!(of(key), Err(RequestError::NotAKey { .. })), "{key:?}");
        }
    }
}
