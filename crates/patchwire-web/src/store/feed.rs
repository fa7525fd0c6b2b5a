//! The last entries of an answer on one instance, for all of its readers there.

use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::sync::watch;

use super::{Entry, StoreError, StreamName};

/// The bytes of entries that are held. A reader that is further behind reads from the store.
const WINDOW: usize = 32 << 10;
/// What an entry costs beside its bytes.
const EACH: usize = 64;

/// The last entries of an answer, as they are appended. A store pushes what other instances append.
#[derive(Debug)]
pub struct Feed {
    name: StreamName,
    state: Mutex<State>,
    /// Rises with each change.
    changes: watch::Sender<u64>,
    is_written_here: AtomicBool,
}

#[derive(Debug)]
struct State {
    entries: VecDeque<Bytes>,
    /// The number of the first entry that is held.
    first: u64,
    bytes: usize,
    failed: Option<StoreError>,
}

/// Where an entry is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Held {
    Entry(Bytes),
    /// It is in the store alone.
    Passed,
    /// It does not exist yet.
    ToCome,
    /// The store failed.
    Failed(StoreError),
}

impl Feed {
    /// A feed of the entries after a number.
    #[must_use]
    pub fn new(name: StreamName, after: u64) -> Arc<Self> {
        let state = State { entries: VecDeque::new(), first: after + 1, bytes: 0, failed: None };
        Arc::new(Self {
            name,
            state: Mutex::new(state),
            changes: watch::Sender::new(0),
            is_written_here: AtomicBool::new(false),
        })
    }

    /// The name of the answer.
    #[must_use]
    pub const fn name(&self) -> &StreamName {
        &self.name
    }

    /// The number of the last entry that was pushed.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.lock().last()
    }

    /// Adds an entry. One that was pushed before is ignored, and one that leaves a gap is a failure of the store.
    pub fn push(&self, entry: Entry) {
        let mut state = self.lock();
        let next = state.last() + 1;
        if entry.seq < next {
            return;
        }
        if entry.seq > next {
            let last = state.last();
            state.failed.get_or_insert(StoreError::Lost { last });
        } else {
            state.bytes += entry.bytes.len() + EACH;
            state.entries.push_back(entry.bytes);
            while state.bytes > WINDOW && state.entries.len() > 1 {
                let Some(oldest) = state.entries.pop_front() else { break };
                state.bytes -= oldest.len() + EACH;
                state.first += 1;
            }
        }
        drop(state);
        self.changed();
    }

    /// Tells the readers that the store failed.
    pub fn fail(&self, error: StoreError) {
        self.lock().failed.get_or_insert(error);
        self.changed();
    }

    /// Sets whether this instance appends the entries itself, so that the store need not push them.
    pub fn write_here(&self, is_written_here: bool) {
        self.is_written_here.store(is_written_here, Ordering::Release);
    }

    /// Whether this instance appends the entries itself.
    #[must_use]
    pub fn is_written_here(&self) -> bool {
        self.is_written_here.load(Ordering::Acquire)
    }

    pub(crate) fn find(&self, seq: u64) -> Held {
        let state = self.lock();
        let Some(at) = seq.checked_sub(state.first) else { return Held::Passed };
        let entry = usize::try_from(at).ok().and_then(|at| state.entries.get(at));
        match (entry, &state.failed) {
            (Some(entry), _) => Held::Entry(entry.clone()),
            (None, Some(error)) => Held::Failed(error.clone()),
            (None, None) => Held::ToCome,
        }
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.lock().failed.is_some()
    }

    /// Tells of changes.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn last(&self) -> u64 {
        (self.first + self.entries.len() as u64).saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(after: u64) -> Arc<Feed> {
        let name = StreamName::read("0123456789abcdef0123456789abcdef").expect("a name");
        Feed::new(name, after)
    }

    fn entry(seq: u64, bytes: &'static str) -> Entry {
        Entry { seq, bytes: bytes.into() }
    }

    #[test]
    fn entries_are_held_in_order_and_once() {
        let feed = feed(4);
        let mut changes = feed.changes();
        assert_eq!((feed.last(), feed.find(4), feed.find(5)), (4, Held::Passed, Held::ToCome));
        feed.push(entry(5, "a"));
        assert!(changes.has_changed().unwrap());
        changes.mark_unchanged();
        feed.push(entry(5, "b"));
        assert!(!changes.has_changed().unwrap());
        assert_eq!((feed.last(), feed.find(5)), (5, Held::Entry("a".into())));
    }

    #[test]
    fn a_gap_is_a_loss_behind_what_came_before() {
        let feed = feed(0);
        feed.push(entry(1, "a"));
        feed.push(entry(3, "c"));
        assert_eq!(feed.find(1), Held::Entry("a".into()));
        assert_eq!(feed.find(2), Held::Failed(StoreError::Lost { last: 1 }));
        feed.fail(StoreError::Gone);
        assert_eq!(feed.find(2), Held::Failed(StoreError::Lost { last: 1 }));
    }

    #[test]
    fn entries_that_fill_the_window_are_all_held() {
        let feed = feed(0);
        for seq in [1, 2] {
            feed.push(Entry { seq, bytes: vec![0; WINDOW / 2 - EACH].into() });
        }
        assert!(matches!(feed.find(1), Held::Entry(_)));
        feed.push(entry(3, ""));
        assert_eq!(feed.find(1), Held::Passed);
    }

    #[test]
    fn what_is_held_has_a_bound() {
        let feed = feed(0);
        for seq in 1..=100 {
            feed.push(Entry { seq, bytes: vec![0; 1000].into() });
        }
        let held = (1..=100).filter(|seq| matches!(feed.find(*seq), Held::Entry(_))).count();
        assert_eq!((held, feed.find(100 - held as u64)), (WINDOW / 1064, Held::Passed));
        feed.push(Entry { seq: 101, bytes: vec![0; 2 * WINDOW].into() });
        assert!(matches!(feed.find(101), Held::Entry(_)));
        assert_eq!(feed.find(100), Held::Passed);
    }
}
