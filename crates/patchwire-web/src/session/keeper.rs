//! The task of each session that ends it from outside.

use core::time::Duration;
use std::sync::Arc;

use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::{Presence, Session, Stop};

/// Time limits of a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct SessionTimes {
    /// For the whole stream.
    pub(super) stream: Duration,
    /// Without a reader, where it may come back.
    pub(super) away: Duration,
}

/// Waits until the session should end, and frees it.
pub(super) async fn keep(session: Arc<Session>, times: SessionTimes, shutdown: CancellationToken) {
    let deadline = Instant::now() + times.stream;
    let mut presence = session.presence.subscribe();
    let mut is_late = false;
    loop {
        let now = *presence.borrow_and_update();
        let gone = async {
            match now {
                Presence::Attached => core::future::pending().await,
                Presence::Away(since) => sleep_until(since + times.away).await,
                Presence::Gone => {}
            }
        };
        tokio::select! {
            biased;
            () = shutdown.cancelled() => break session.stop(Stop::ShuttingDown),
            () = gone => break session.close(),
            changed = presence.changed() => if changed.is_err() { break },
            () = sleep_until(deadline), if !is_late => {
                is_late = true;
                session.stop(Stop::TimeLimit { seconds: times.stream.as_secs() });
            }
        }
    }
}
