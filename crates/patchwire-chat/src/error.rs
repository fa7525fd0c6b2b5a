//! Why a model could not be asked, or its answer not be read.

use patchwire_async::DeltasError;
use patchwire_async::sources::ProviderError;

/// Why a model could not be asked, or what ended its answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChatError {
    /// Nobody answered.
    #[error("cannot reach {url}: {reason}")]
    #[non_exhaustive]
    Unreachable {
        /// What was asked, without a query.
        url: String,
        /// Why, down to the system's own words.
        reason: String,
        /// The client's error.
        #[source]
        error: reqwest::Error,
    },
    /// The answer was an error in place of a stream.
    #[error("{url} answers with {error}")]
    #[non_exhaustive]
    Status {
        /// What was asked, without a query.
        url: String,
        /// What it says.
        #[source]
        error: ProviderError,
    },
    /// The stream did not end as it should.
    #[error(transparent)]
    Stream(#[from] DeltasError<reqwest::Error>),
}

impl ChatError {
    /// Whether asking again may help.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable { error, .. } => error.is_connect() || error.is_timeout(),
            Self::Status { error, .. } | Self::Stream(DeltasError::Provider(error)) => {
                error.is_transient()
            }
            Self::Stream(DeltasError::Body(_) | DeltasError::Cut) => true,
            Self::Stream(_) => false,
        }
    }
}

/// All that an error says, from the outside in, each thing once.
pub(crate) fn reasons(error: &dyn core::error::Error) -> String {
    let mut all: Vec<String> = Vec::new();
    let mut next = error.source();
    while let Some(error) = next {
        let said = error.to_string();
        if !all.iter().any(|earlier| earlier.contains(&said)) {
            all.push(said);
        }
        next = error.source();
    }
    if all.is_empty() { error.to_string() } else { all.join(": ") }
}
