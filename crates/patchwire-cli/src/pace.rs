//! How fast a stream is shown.

use std::time::Duration;

/// How fast a stream is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Pace {
    /// Each chunk as soon as it arrives.
    Live,
    /// This many times as fast as it was recorded, or as 40 chunks a second.
    Times(f64),
}

impl Pace {
    /// When a chunk is to be shown that arrived `arrived` after the stream began; `None` for at once.
    pub(super) fn due(self, arrived: Duration) -> Option<Duration> {
        match self {
            Self::Live => None,
            Self::Times(speed) => Duration::try_from_secs_f64(arrived.as_secs_f64() / speed).ok(),
        }
    }

    /// The time in the stream when the view has run for `ran`, of the `since` that passed since it began.
    pub(super) fn stream_time(self, since: Duration, ran: Duration) -> Duration {
        match self {
            Self::Live => since,
            Self::Times(speed) => {
                Duration::try_from_secs_f64(ran.as_secs_f64() * speed).unwrap_or(Duration::MAX)
            }
        }
    }
}
