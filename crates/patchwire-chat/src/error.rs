//! Errors of setting up a client, of requests and of answers.

use core::time::Duration;

use patchwire_async::DeltasError;
use patchwire_async::sources::ProviderError;

/// Why a client could not be set up. Nothing was sent.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// TLS could not be set up, for example without system certificates.
    #[error("no TLS: {0}")]
    Tls(#[from] rustls::Error),
    /// The HTTP client could not be set up.
    #[error("{}", reasons(.0))]
    Http(#[from] reqwest::Error),
}

/// Why a request failed, or why its answer ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChatError {
    /// No server answered.
    #[error("cannot reach {url}: {reason}")]
    #[non_exhaustive]
    Unreachable {
        /// The URL of the request, without its query.
        url: String,
        /// The reasons, down to the message of the system.
        reason: String,
        /// The client's error.
        #[source]
        error: reqwest::Error,
    },
    /// The server answered with an error in place of a stream.
    #[error("{url} answers with {error}{}", too_long(error, *.retry_after))]
    #[non_exhaustive]
    Status {
        /// The URL of the request, without its query.
        url: String,
        /// The error.
        #[source]
        error: ProviderError,
        /// How long the server asks clients to wait.
        retry_after: Option<Duration>,
    },
    /// The server redirects. Redirects are not followed, because the key goes only to the host that it was given for.
    #[error("{url} redirects {}, and redirects are not followed; ask the address that it redirects to", target(.location.as_deref()))]
    #[non_exhaustive]
    Redirect {
        /// The URL of the request, without its query.
        url: String,
        /// Where it redirects to. None if that is no URL, or may hold a secret: a user name or a query.
        location: Option<String>,
    },
    /// The answer has a content coding, which was not asked for and is not read.
    #[error(
        "{url} answers in the content coding `{coding}`, which is not read; have it send the answer as it is"
    )]
    #[non_exhaustive]
    Encoded {
        /// The URL of the request, without its query.
        url: String,
        /// The coding, such as `gzip`.
        coding: String,
    },
    /// The stream failed.
    #[error(transparent)]
    Stream(#[from] DeltasError<reqwest::Error>),
}

impl ChatError {
    /// Whether repeating the request may help. It does not where nobody listens on this machine: a server that
    /// is not there does not appear within seconds, while one behind a network may be restarting.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable { url, error, .. } => {
                let nobody_listens = is_refused(error) && is_local(url);
                (error.is_connect() || error.is_timeout()) && !nobody_listens
            }
            Self::Status { error, .. } | Self::Stream(DeltasError::Provider(error)) => {
                error.is_transient()
            }
            Self::Stream(DeltasError::Body(_) | DeltasError::Cut) => true,
            Self::Redirect { .. } | Self::Encoded { .. } | Self::Stream(_) => false,
        }
    }

    /// The pause before the next request, after `failures` earlier failures. None if repeating the request
    /// cannot help.
    pub(crate) fn pause(&self, backoff: Duration, failures: u32) -> Option<Duration> {
        let asked = match self {
            Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        };
        let twice = 2_u32.saturating_pow(failures);
        let pause = asked.unwrap_or_else(|| backoff.saturating_mul(twice).min(LONGEST));
        (self.is_transient() && pause <= LONGEST).then_some(pause)
    }
}

/// Whether the connection was refused: no program listens on the port.
fn is_refused(error: &(dyn core::error::Error + 'static)) -> bool {
    let refused = |error: &std::io::Error| error.kind() == std::io::ErrorKind::ConnectionRefused;
    core::iter::successors(Some(error), |error| error.source())
        .any(|error| error.downcast_ref().is_some_and(refused))
}

/// Whether a URL is of this machine.
fn is_local(url: &str) -> bool {
    let host = reqwest::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
    host.is_some_and(|host| {
        let address =
            host.trim_start_matches('[').trim_end_matches(']').parse::<core::net::IpAddr>();
        address.map_or(host == "localhost", |address| address.is_loopback())
    })
}

/// Where a redirect leads, for a message.
fn target(location: Option<&str>) -> String {
    location.map_or_else(|| "to another address".to_owned(), |location| format!("to `{location}`"))
}

/// The longest pause before the next request.
const LONGEST: Duration = Duration::from_secs(60);

/// The end of the message if the request is not repeated because the pause is too long.
fn too_long(error: &ProviderError, wait: Option<Duration>) -> String {
    let wait = wait.filter(|wait| error.is_transient() && *wait > LONGEST);
    wait.map_or_else(String::new, |wait| {
        let (wait, longest) = (wait.as_secs(), LONGEST.as_secs());
        format!(
            "; it wants to be left alone for {wait} s, and nothing waits longer than {longest} s \
             here: ask again later"
        )
    })
}

/// The messages of all causes of an error, from the outermost, without repetitions.
pub(crate) fn reasons(error: &dyn core::error::Error) -> String {
    let mut all: Vec<String> = Vec::new();
    let mut next = error.source();
    while let Some(error) = next {
        let message = error.to_string();
        if !all.iter().any(|earlier| earlier.contains(&message)) {
            all.push(message);
        }
        next = error.source();
    }
    if all.is_empty() { error.to_string() } else { all.join(": ") }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use patchwire_async::sources::ProviderError;

    use super::ChatError;

    #[test]
    fn waits_double_up_to_a_minute_and_follow_what_the_server_says() {
        let error = |status, retry_after| ChatError::Status {
            url: String::new(),
            error: ProviderError::of_response(status, b"no"),
            retry_after,
        };
        let half = Duration::from_millis(500);
        let waits = [0, 1, 4, 7, u32::MAX].map(|failures| error(503, None).pause(half, failures));
        let seconds = [0.5, 1.0, 8.0, 60.0, 60.0].map(|wait| Some(Duration::from_secs_f64(wait)));
        assert_eq!(waits, seconds);
        let asked = |seconds| error(429, Some(Duration::from_secs(seconds))).pause(half, 3);
        assert_eq!(asked(7), Some(Duration::from_secs(7)));
        assert_eq!(asked(61), None);
        let message =
            |status, seconds| error(status, Some(Duration::from_secs(seconds))).to_string();
        let too_long =
            "it wants to be left alone for 61 s, and nothing waits longer than 60 s here";
        assert!(message(429, 61).contains(too_long), "{}", message(429, 61));
        // The message has no such end if the request is repeated, or fails for another reason.
        assert!(
            !message(429, 60).contains("left alone") && !message(404, 61).contains("left alone")
        );
        assert_eq!(error(404, None).pause(half, 0), None);
    }
}
