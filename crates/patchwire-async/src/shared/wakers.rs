//! The wakers of all waiting readers, behind one waker.

use std::sync::{Arc, PoisonError};
use std::task::{Wake, Waker};

use crate::sync::Mutex;

/// A reader of a shared response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reader(pub(super) u64);

/// The waker that the source is polled with. It wakes every waiting reader, because the reader that polled
/// may be dropped.
#[derive(Debug, Default)]
pub(super) struct Wakers(Mutex<Vec<(Reader, Waker)>>);

impl Wakers {
    /// Registers a reader before it waits.
    pub(super) fn register(&self, reader: Reader, waker: &Waker) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match waiting.iter_mut().find(|(other, _)| *other == reader) {
            Some((_, known)) => known.clone_from(waker),
            None => waiting.push((reader, waker.clone())),
        }
    }

    /// Wakes all readers except the one that polled, which continues by itself.
    pub(super) fn wake_others(&self, reader: Reader) {
        self.take().into_iter().filter(|(other, _)| *other != reader).for_each(|(_, waker)| {
            waker.wake();
        });
    }

    /// Wakers are called outside the lock: a waker may poll at once.
    fn take(&self) -> Vec<(Reader, Waker)> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Wake for Wakers {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.take().into_iter().for_each(|(_, waker)| waker.wake());
    }
}
