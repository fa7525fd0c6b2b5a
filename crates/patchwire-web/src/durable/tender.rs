//! The one task that an answer has on an instance: it writes the answer, or watches that somebody does.

use std::sync::Arc;

use tokio::time::{MissedTickBehavior, interval};

use super::judge::judge;
use super::kept::Kept;
use super::record_reader::PAGE;
use super::writer::Writer;
use crate::records::{self, Record};
use crate::store::{Entry, Position, Standing, StoreError, Taking};
use crate::upstream::UpstreamError;

/// What an instance does for an answer.
pub(super) enum Role {
    Writes(Box<Writer>),
    Watches,
}

/// Tends an answer until its end, or until nobody reads it here.
pub(super) async fn tend(kept: Arc<Kept>, mut role: Role) {
    loop {
        let next = match role {
            Role::Writes(writer) => write(&kept, *writer).await,
            Role::Watches => watch(&kept).await,
        };
        match next {
            Ok(Some(next)) => role = next,
            Ok(None) => break,
            Err(error) => {
                kept.durable.noted(&error);
                kept.feed.fail(error);
                break;
            }
        }
    }
    kept.durable.registry.remove(&kept);
}

async fn write(kept: &Arc<Kept>, writer: Writer) -> Result<Option<Role>, StoreError> {
    match writer.run().await {
        Ok(()) => Ok(None),
        // This instance was silent for too long, and another one has taken the answer over.
        Err(StoreError::Fenced) => {
            kept.durable.around.metrics.store.fenced();
            kept.feed.write_here(false);
            kept.durable.store.follow(&kept.feed);
            Ok(Some(Role::Watches))
        }
        Err(error) => Err(error),
    }
}

async fn watch(kept: &Arc<Kept>) -> Result<Option<Role>, StoreError> {
    let mut looks = interval(kept.durable.settings.times().lease / 3);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut read = kept.feed.last();
    let mut silent = None;
    loop {
        tokio::select! {
            () = kept.durable.around.shutdown.cancelled() => return Ok(None),
            _ = looks.tick() => {}
        }
        if kept.durable.registry.remove_unread(kept) || kept.feed.has_failed() {
            return Ok(None);
        }
        let last = kept.feed.last();
        if core::mem::replace(&mut read, last) != last {
            silent = None;
            continue;
        }
        let now = kept.durable.store.standing(kept.name()).await?;
        if now.last < last {
            return Err(StoreError::Lost { last: now.last });
        }
        if now.is_leased || now.has_ended {
            silent = None;
        } else if silent.replace(now) == Some(now) {
            // Seen twice: a writer that a store was away for has had the time to come back.
            silent = None;
            if let Some(next) = take_over(kept, now).await? {
                return Ok(next);
            }
        }
    }
}

/// Takes an answer over whose writer is gone. `None` if another instance was faster.
async fn take_over(kept: &Arc<Kept>, seen: Standing) -> Result<Option<Option<Role>>, StoreError> {
    let lost = |is_repeated| UpstreamError::Lost { is_repeated };
    let next = judge(kept, seen.last, Some(lost(true))).await?;
    let next = next.and_then(|(attempt, pause)| Some((attempt, pause, kept.key()?)));
    let is_repeated = next.is_some();
    let bytes = records::entry(&Record::End { error: Some(lost(is_repeated)), is_repeated });
    let times = kept.durable.settings.times();
    let taking = Taking { seen, bytes: bytes.clone(), times, ends: !is_repeated, by_force: false };
    let Some(epoch) = kept.durable.store.take(kept.name(), taking).await? else { return Ok(None) };
    kept.feed.write_here(is_repeated);
    kept.durable.around.metrics.store.taken_over(is_repeated);
    tracing::info!(is_repeated, "an answer was taken over from an instance that is gone");
    catch_up(kept, seen.last).await?;
    let seq = seen.last + 1;
    kept.feed.push(Entry { seq, bytes });
    let Some((attempt, pause, key)) = next else { return Ok(Some(None)) };
    let asker = Arc::new(kept.durable.asker(&kept.known.request, key));
    let deltas = asker.again(&attempt, pause);
    let writer = Writer::new(Arc::clone(kept), asker, deltas, (epoch, seq + 1));
    Ok(Some(Some(Role::Writes(Box::new(writer)))))
}

/// Pushes what the store has not pushed yet.
async fn catch_up(kept: &Kept, last: u64) -> Result<(), StoreError> {
    while kept.feed.last() < last {
        let from = Position::of(kept.feed.last() + 1);
        let page = kept.durable.store.read(kept.name(), from, PAGE).await?;
        if page.entries.is_empty() {
            return Err(StoreError::Lost { last: from.seq - 1 });
        }
        page.entries.into_iter().for_each(|entry| kept.feed.push(entry));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicBool, Ordering};

    use bytes::Bytes;
    use futures_util::FutureExt as _;
    use serde_json::json;
    use tokio_util::sync::CancellationToken;

    use super::super::kept::Known;
    use super::super::{Durable, Surroundings};
    use super::*;
    use crate::metrics::Metrics;
    use crate::options::Limits;
    use crate::session::Sessions;
    use crate::store::{
        Append, Feed, MemoryStore, Page, Store, StoreSettings, StreamName, Times, Working,
    };
    use crate::upstream::{Chat, Opening, Upstream};
    use crate::work::WorkPool;

    /// A store that has nothing to read the first time, as one that is behind.
    #[derive(Default)]
    struct Behind {
        store: MemoryStore,
        was_read: AtomicBool,
    }

    impl Store for Behind {
        fn create<'s>(&'s self, name: &'s StreamName, first: Bytes, t: Times) -> Working<'s, ()> {
            self.store.create(name, first, t)
        }
        fn append<'s>(&'s self, name: &'s StreamName, append: Append) -> Working<'s, ()> {
            self.store.append(name, append)
        }
        fn renew<'s>(&'s self, name: &'s StreamName, epoch: u64, t: Times) -> Working<'s, ()> {
            self.store.renew(name, epoch, t)
        }
        fn standing<'s>(&'s self, name: &'s StreamName) -> Working<'s, Standing> {
            self.store.standing(name)
        }
        fn take<'s>(&'s self, name: &'s StreamName, taking: Taking) -> Working<'s, Option<u64>> {
            self.store.take(name, taking)
        }
        fn read<'s>(
            &'s self,
            name: &'s StreamName,
            from: Position,
            most: usize,
        ) -> Working<'s, Page> {
            match self.was_read.swap(true, Ordering::SeqCst) {
                true => self.store.read(name, from, most),
                false => async move { Ok(Page { entries: Vec::new(), next: from }) }.boxed(),
            }
        }
        fn follow(&self, feed: &Arc<Feed>) {
            self.store.follow(feed);
        }
        fn remove<'s>(&'s self, name: &'s StreamName) -> Working<'s, ()> {
            self.store.remove(name)
        }
    }

    /// A model that nobody asks.
    struct Silent;

    impl Upstream for Silent {
        fn open(&self, _: Chat) -> Opening {
            async { Err(UpstreamError::Unreachable("nobody is there".to_owned())) }.boxed()
        }
    }

    /// An answer on an instance, whose feed begins behind the request.
    fn kept(store: Behind, name: &StreamName) -> Kept {
        let (limits, shutdown) = (Limits::default(), CancellationToken::new());
        let around = Surroundings {
            upstream: Arc::new(Silent),
            sessions: Arc::new(Sessions::new(limits.clone(), shutdown.clone())),
            pool: Arc::new(WorkPool::new(&limits)),
            metrics: Arc::new(Metrics::of(true)),
            limits,
            shutdown,
        };
        let durable = Durable::new(Arc::new(store), StoreSettings::default(), around);
        let request = json!({"version": "", "body": {}, "answer_bytes": 1, "has_key": false});
        let request = serde_json::from_value(request).expect("a stored request");
        Kept::new(
            durable,
            Feed::new(name.clone(), 1),
            Known { request: Arc::new(request), resend: None },
        )
    }

    /// Otherwise it would ask for them forever.
    #[tokio::test]
    async fn what_a_store_does_not_have_is_lost_behind_what_the_feed_has() {
        let name = StreamName::read("0123456789abcdef0123456789abcdef").expect("a name");
        let store = Behind::default();
        store.create(&name, "1".into(), StoreSettings::default().times()).await.unwrap();
        for (seq, bytes) in [(2, "2"), (3, "3")] {
            let append = Append { epoch: 1, seq, bytes: bytes.into(), keep: None };
            store.append(&name, append).await.unwrap();
        }
        let kept = kept(store, &name);
        assert_eq!(catch_up(&kept, 3).await, Err(StoreError::Lost { last: 1 }));
        assert_eq!((catch_up(&kept, 3).await, kept.feed.last()), (Ok(()), 3));
    }
}
