//! How much an upstream has to decode.

use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// How many bytes the next poll of an answer's deltas may decode at once. An upstream whose server sends large events
/// sets it after each poll, so that the gateway decodes them on the threads for work. Without it, each poll counts as
/// little work.
///
/// ```
/// use patchwire_web::upstream::Backlog;
///
/// let backlog = Backlog::default();
/// backlog.clone().set(70_000);
/// assert_eq!(backlog.get(), 70_000);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Backlog(Arc<AtomicU64>);

impl Backlog {
    /// Sets the number of bytes.
    pub fn set(&self, bytes: u64) {
        self.0.store(bytes, Ordering::Release);
    }

    /// The number of bytes.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }
}
