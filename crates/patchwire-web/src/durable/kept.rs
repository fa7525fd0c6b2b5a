//! An answer of the store on this instance.

use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::sync::{Arc, Mutex, PoisonError};

use super::Durable;
use super::stored_request::StoredRequest;
use crate::chat_request::Sending;
use crate::store::{Feed, StreamName};
use crate::upstream::Credentials;

/// What is known of an answer before it is read.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) request: Arc<StoredRequest>,
    /// In protocols that cannot append to strings: how long growth may wait.
    pub(super) resend: Option<Duration>,
}

impl Known {
    pub(super) fn of(request: Arc<StoredRequest>, sending: &Sending) -> Self {
        let resend = sending.choice.wire.repeats().then_some(sending.resend);
        Self { request, resend }
    }
}

/// An answer that is written or read on this instance.
pub(super) struct Kept {
    pub(super) durable: Durable,
    pub(super) feed: Arc<Feed>,
    pub(super) known: Known,
    /// The key of a client that came back with one, in memory only.
    credentials: Mutex<Option<Credentials>>,
    readers: AtomicUsize,
}

impl Kept {
    pub(super) const fn new(durable: Durable, feed: Arc<Feed>, known: Known) -> Self {
        let credentials = Mutex::new(None);
        Self { durable, feed, known, credentials, readers: AtomicUsize::new(0) }
    }

    pub(super) fn name(&self) -> &StreamName {
        self.feed.name()
    }

    /// Remembers the key of a client, if it has one.
    pub(super) fn lend(&self, credentials: Credentials) {
        if !credentials.is_empty() {
            *self.credentials.lock().unwrap_or_else(PoisonError::into_inner) = Some(credentials);
        }
    }

    /// The key to ask the model with: none if the server's own is used, and `None` if a client has to bring one.
    pub(super) fn key(&self) -> Option<Credentials> {
        if !self.known.request.has_key {
            return Some(Credentials::default());
        }
        self.credentials.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn readers(&self) -> usize {
        self.readers.load(Ordering::Acquire)
    }
}

/// One reader of an answer; not any more when it is dropped.
pub(super) struct KeptReader(Arc<Kept>);

impl KeptReader {
    pub(super) fn of(kept: &Arc<Kept>) -> Self {
        kept.readers.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(kept))
    }
}

impl core::ops::Deref for KeptReader {
    type Target = Kept;

    fn deref(&self) -> &Kept {
        &self.0
    }
}

impl Drop for KeptReader {
    fn drop(&mut self) {
        self.0.readers.fetch_sub(1, Ordering::AcqRel);
    }
}
