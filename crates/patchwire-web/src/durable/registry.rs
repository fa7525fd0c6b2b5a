//! The answers of the store that are written or read on this instance, by name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::kept::{Kept, KeptReader};
use crate::store::StreamName;

#[derive(Default)]
pub(super) struct Registry(Mutex<HashMap<StreamName, Arc<Kept>>>);

impl Registry {
    fn lock(&self) -> MutexGuard<'_, HashMap<StreamName, Arc<Kept>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an answer with its first reader.
    pub(super) fn begin(&self, kept: &Arc<Kept>) -> KeptReader {
        self.lock().insert(kept.name().clone(), Arc::clone(kept));
        KeptReader::of(kept)
    }

    /// One more reader of an answer. If this instance does not have it, it is made; the second value is the new one.
    pub(super) fn reading(
        &self,
        name: &StreamName,
        make: impl FnOnce() -> Kept,
    ) -> (KeptReader, Option<Arc<Kept>>) {
        let mut all = self.lock();
        // One whose store failed keeps failing, and the store may be back.
        if let Some(kept) = all.get(name).filter(|kept| !kept.feed.has_failed()) {
            return (KeptReader::of(kept), None);
        }
        let kept = Arc::new(make());
        all.insert(name.clone(), Arc::clone(&kept));
        (KeptReader::of(&kept), Some(kept))
    }

    /// Removes an answer that nobody reads. Whether it was removed.
    pub(super) fn remove_unread(&self, kept: &Arc<Kept>) -> bool {
        let mut all = self.lock();
        let is_unread = kept.readers() == 0;
        if is_unread {
            remove(&mut all, kept);
        }
        is_unread
    }

    /// Removes an answer. Its readers keep what they have of it.
    pub(super) fn remove(&self, kept: &Arc<Kept>) {
        remove(&mut self.lock(), kept);
    }
}

fn remove(all: &mut HashMap<StreamName, Arc<Kept>>, kept: &Arc<Kept>) {
    if all.get(kept.name()).is_some_and(|own| Arc::ptr_eq(own, kept)) {
        all.remove(kept.name());
    }
}
