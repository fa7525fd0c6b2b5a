//! Answers in the memory of this process.

use core::future::ready;
use core::time::Duration;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use bytes::Bytes;
use tokio::time::Instant;

use super::{
    Append, Entry, Feed, Page, Position, Standing, Store, StoreError, StreamName, Taking, Times,
    Working,
};

/// A store in this process, for tests and for programs with several gateways. Clones are the same store.
#[derive(Debug, Clone, Default)]
pub struct MemoryStore(Arc<Mutex<HashMap<StreamName, Kept>>>);

#[derive(Debug)]
struct Kept {
    entries: Vec<Bytes>,
    epoch: u64,
    leased_until: Instant,
    kept_until: Instant,
    has_ended: bool,
    feeds: Vec<Weak<Feed>>,
}

impl Kept {
    fn last(&self) -> u64 {
        self.entries.len() as u64
    }

    fn standing(&self) -> Standing {
        Standing {
            epoch: self.epoch,
            last: self.last(),
            is_leased: self.leased_until > Instant::now(),
            has_ended: self.has_ended,
        }
    }

    fn entries_from(&self, seq: u64, most: usize) -> Vec<Entry> {
        let skipped = usize::try_from(seq.saturating_sub(1)).unwrap_or(usize::MAX);
        let mut bytes = 0;
        let entries = self.entries.iter().zip(1..).skip(skipped).take_while(|(entry, _)| {
            let is_first = bytes == 0;
            bytes += entry.len();
            is_first || bytes <= most
        });
        entries.map(|(bytes, seq)| Entry { seq, bytes: bytes.clone() }).collect()
    }

    fn push(&mut self, bytes: Bytes) {
        self.entries.push(bytes.clone());
        let seq = self.last();
        self.feeds.retain(|feed| {
            let Some(feed) = feed.upgrade().filter(|feed| !feed.is_written_here()) else {
                return false;
            };
            feed.push(Entry { seq, bytes: bytes.clone() });
            true
        });
    }

    fn hold(&mut self, times: Times) {
        let now = Instant::now();
        self.leased_until = now + times.lease;
        self.kept_until = now + times.keep;
    }

    /// # Errors
    /// Another instance writes.
    const fn check(&self, epoch: u64) -> Result<(), StoreError> {
        if self.epoch == epoch { Ok(()) } else { Err(StoreError::Fenced) }
    }
}

impl MemoryStore {
    fn lock(&self) -> MutexGuard<'_, HashMap<StreamName, Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(
        &self,
        name: &StreamName,
        work: impl FnOnce(&mut Kept) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut all = self.lock();
        let now = Instant::now();
        all.retain(|_, kept| kept.kept_until > now);
        work(all.get_mut(name).ok_or(StoreError::Gone)?)
    }

    fn appended(kept: &mut Kept, append: Append) -> Result<(), StoreError> {
        kept.check(append.epoch)?;
        let last = kept.last();
        if append.seq > last + 1 {
            return Err(StoreError::Lost { last });
        }
        if append.seq == last + 1 {
            kept.push(append.bytes);
        }
        if let Some(keep) = append.keep {
            kept.has_ended = true;
            kept.hold(Times { lease: Duration::ZERO, keep });
        }
        Ok(())
    }

    fn taken(kept: &mut Kept, taking: Taking) -> Option<u64> {
        let now = kept.standing();
        let is_as_seen = (now.epoch, now.last) == (taking.seen.epoch, taking.seen.last);
        if !is_as_seen || now.has_ended || now.is_leased && !taking.by_force {
            return None;
        }
        kept.epoch += 1;
        kept.push(taking.bytes);
        kept.has_ended = taking.ends;
        kept.hold(taking.times);
        Some(kept.epoch)
    }
}

fn done<'s, T: Send + 's>(result: Result<T, StoreError>) -> Working<'s, T> {
    Box::pin(ready(result))
}

impl Store for MemoryStore {
    fn create<'s>(&'s self, name: &'s StreamName, first: Bytes, times: Times) -> Working<'s, ()> {
        let now = Instant::now();
        let mut kept = Kept {
            entries: vec![first],
            epoch: 1,
            leased_until: now,
            kept_until: now,
            has_ended: false,
            feeds: Vec::new(),
        };
        kept.hold(times);
        self.lock().insert(name.clone(), kept);
        done(Ok(()))
    }

    fn append<'s>(&'s self, name: &'s StreamName, append: Append) -> Working<'s, ()> {
        done(self.with(name, |kept| Self::appended(kept, append)))
    }

    fn renew<'s>(&'s self, name: &'s StreamName, epoch: u64, times: Times) -> Working<'s, ()> {
        done(self.with(name, |kept| {
            kept.check(epoch)?;
            kept.hold(times);
            Ok(())
        }))
    }

    fn standing<'s>(&'s self, name: &'s StreamName) -> Working<'s, Standing> {
        done(self.with(name, |kept| Ok(kept.standing())))
    }

    fn take<'s>(&'s self, name: &'s StreamName, taking: Taking) -> Working<'s, Option<u64>> {
        done(self.with(name, |kept| Ok(Self::taken(kept, taking))))
    }

    fn read<'s>(&'s self, name: &'s StreamName, from: Position, most: usize) -> Working<'s, Page> {
        let read = self.with(name, |kept| Ok(kept.entries_from(from.seq, most)));
        done(match read {
            Err(StoreError::Gone) => Ok(Page { entries: Vec::new(), next: from }),
            Err(error) => Err(error),
            Ok(entries) => {
                let next = Position::of(from.seq + entries.len() as u64);
                Ok(Page { entries, next })
            }
        })
    }

    fn follow(&self, feed: &Arc<Feed>) {
        let found = self.with(feed.name(), |kept| {
            let behind = usize::try_from(feed.last()).unwrap_or(usize::MAX);
            for (bytes, seq) in kept.entries.iter().zip(1..).skip(behind) {
                feed.push(Entry { seq, bytes: bytes.clone() });
            }
            kept.feeds.push(Arc::downgrade(feed));
            Ok(())
        });
        if let Err(error) = found {
            feed.fail(error);
        }
    }

    fn remove<'s>(&'s self, name: &'s StreamName) -> Working<'s, ()> {
        self.lock().remove(name);
        done(Ok(()))
    }
}
