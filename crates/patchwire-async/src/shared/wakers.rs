//! All readers that wait, behind one waker.

use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Wake, Waker};

/// A reader of a shared response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reader(pub(super) u64);

/// What the source is polled with: it wakes every reader that waits, so that no reader that was
/// abandoned holds the only waker.
#[derive(Debug, Default)]
pub(super) struct Wakers(Mutex<Vec<(Reader, Waker)>>);

impl Wakers {
    /// The reader is about to wait.
    pub(super) fn register(&self, reader: Reader, waker: &Waker) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match waiting.iter_mut().find(|(other, _)| *other == reader) {
            Some((_, known)) => known.clone_from(waker),
            None => waiting.push((reader, waker.clone())),
        }
    }

    /// Something came: all wake but the reader that read it, which goes on by itself.
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
