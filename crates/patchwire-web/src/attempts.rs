//! The requests of an answer: the engine asks for another attempt, and the stream of events sends it.

use core::future::{Ready, ready};
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::{FutureExt as _, Stream, StreamExt as _, stream};
use patchwire_async::{Attempt, Request};
use serde_json::{json, value::RawValue};
use tokio::time::{sleep, timeout};

use crate::chat_body::ChatBody;
use crate::upstream::{Backlog, Chat, Credentials, Delta, Deltas, Upstream, UpstreamError};

/// A delta, or the end.
pub(crate) type Item = Option<Result<Delta, UpstreamError>>;

/// The most requests that are repeated for one answer.
pub(crate) const MOST_RETRIES: u32 = 10;

/// The pause before a retry after a failure of the model's server. It doubles with each failure.
const PAUSE: Duration = Duration::from_millis(500);
/// The longest pause.
const LONGEST: Duration = Duration::from_secs(60);

/// Deltas on their way to the engine, and the attempts that it wants.
#[derive(Clone, Default)]
pub(crate) struct Inbox(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    items: VecDeque<Item>,
    /// The attempt that is to be sent, and the pause before it.
    wanted: Option<(Attempt, Duration)>,
    failures: u32,
    pause: Duration,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn put(&self, item: Item) {
        self.lock().items.push_back(item);
    }

    pub(crate) fn put_deltas(&self, deltas: impl Iterator<Item = Delta>) {
        self.lock().items.extend(deltas.map(|delta| Some(Ok(delta))));
    }

    /// The attempt that the engine wants, once.
    pub(crate) fn wanted(&self) -> Option<(Attempt, Duration)> {
        self.lock().wanted.take()
    }
}

impl Stream for Inbox {
    type Item = Result<Delta, UpstreamError>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Item> {
        self.lock().items.pop_front().map_or(Poll::Pending, Poll::Ready)
    }
}

/// The request as the engine sees it: every attempt has the stream of the inbox.
impl Request for Inbox {
    type Error = UpstreamError;
    type Item = Delta;
    type Stream = Self;
    type Future = Ready<Result<Self, UpstreamError>>;

    fn attempt(&mut self, attempt: Attempt) -> Self::Future {
        let mut state = self.lock();
        // The first request is sent before the engine reads.
        if attempt.number > 1 {
            let pause = core::mem::take(&mut state.pause);
            state.wanted = Some((attempt, pause));
        }
        drop(state);
        ready(Ok(self.clone()))
    }

    fn reason(&self, error: &UpstreamError) -> Option<String> {
        Some(error.to_string())
    }

    fn may_recover(&mut self, error: &UpstreamError) -> bool {
        let mut state = self.lock();
        let own = PAUSE.saturating_mul(2_u32.saturating_pow(state.failures));
        state.failures = state.failures.saturating_add(1);
        state.pause = error.retry_after().unwrap_or_else(|| own.min(LONGEST));
        error.is_transient() && state.pause <= LONGEST
    }
}

/// Sends the requests of one answer.
pub(crate) struct Asker {
    pub(crate) upstream: Arc<dyn Upstream>,
    pub(crate) body: ChatBody,
    pub(crate) credentials: Credentials,
    pub(crate) open_time: Duration,
    /// Set by the upstream.
    pub(crate) backlog: Backlog,
}

impl Asker {
    /// Sends the first request.
    pub(crate) async fn open(&self) -> Result<Deltas, UpstreamError> {
        self.send(self.body.clone()).await
    }

    async fn send(&self, body: ChatBody) -> Result<Deltas, UpstreamError> {
        let late = UpstreamError::Timeout { seconds: self.open_time.as_secs() };
        let chat = Chat::new(body, self.credentials.clone(), self.backlog.clone());
        timeout(self.open_time, self.upstream.open(chat)).await.unwrap_or(Err(late))
    }

    /// The deltas of another attempt. Its request has what was wrong with the answer before as its last message.
    pub(crate) fn again(self: &Arc<Self>, attempt: &Attempt, pause: Duration) -> Deltas {
        let asker = Arc::clone(self);
        let body = corrected(self.body.clone(), attempt.correction.as_deref());
        let opening = async move {
            sleep(pause).await;
            match body {
                Ok(body) => asker.send(body).await,
                Err(error) => Err(UpstreamError::Broken(error.to_string())),
            }
        };
        let opened = opening.map(|opened| opened.unwrap_or_else(failed));
        stream::once(opened).flatten().boxed()
    }
}

/// A stream that has ended.
pub(crate) fn ended() -> Deltas {
    stream::empty().boxed()
}

/// A stream that fails at once.
pub(crate) fn failed(error: UpstreamError) -> Deltas {
    stream::iter([Err(error)]).boxed()
}

fn corrected(mut body: ChatBody, correction: Option<&str>) -> Result<ChatBody, serde_json::Error> {
    let Some(correction) = correction else { return Ok(body) };
    let mut messages: Vec<Box<RawValue>> =
        serde_json::from_str(body.get("messages").unwrap_or("[]"))?;
    let message = json!({"role": "user", "content": correction});
    messages.push(serde_json::value::to_raw_value(&message)?);
    body.set("messages", &messages)?;
    Ok(body)
}
