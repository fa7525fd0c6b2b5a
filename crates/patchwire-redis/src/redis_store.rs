//! The store.

use core::fmt;
use core::time::Duration;
use std::sync::Arc;

use bytes::Bytes;
use patchwire_web::store::{
    Append, Entry, Feed, Page, Position, Standing, Store, StoreError, StreamName, Taking, Times,
    Working,
};
use redis::{Client, Script, ScriptInvocation, Value};

use crate::joined;
use crate::keys::{joined_key, known_key, log_key};
use crate::link::{Link, Sent};
use crate::replies;
use crate::scripts::Scripts;
use crate::settings::RedisSettings;
use crate::tail::Tail;

/// Answers in Redis.
pub struct RedisStore {
    link: Arc<Link>,
    scripts: Scripts,
    tail: Tail,
    prefix: String,
    host: String,
}

/// How long what is tried at the start is kept, should it not be removed.
const TRIAL: Times = Times { lease: Duration::from_secs(10), keep: Duration::from_secs(10) };
/// The entries that a page is begun with. How long they are says how many more to read.
const FEW: usize = 64;
/// The most entries that are read at once.
const MANY: usize = 8192;
/// Bytes of the string that are read at least: a request has room in them.
const LEAST: usize = 4096;

impl RedisStore {
    /// Connects to Redis.
    ///
    /// With `rediss://`, and if the process has no default provider of cryptography for rustls, that of `ring` becomes it: the client
    /// library takes no other way.
    ///
    /// # Errors
    /// If Redis cannot be reached within the patience of the settings, or refuses the user, the password, the prefix or a command: each
    /// command is tried with keys of the prefix, which are removed again.
    pub async fn connect(settings: RedisSettings) -> Result<Self, StoreError> {
        if settings.has_tls() && rustls::crypto::CryptoProvider::get_default().is_none() {
            // Another thread may have been faster, which is as good.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        let host = settings.host();
        let RedisSettings { address, prefix, patience } = settings;
        let refused = |error: redis::RedisError| replies::judged(&error).0;
        let link = Arc::new(Link::new(Client::open(address).map_err(refused)?, patience));
        link.send::<Value>(Sent::Command(&redis::cmd("PING"))).await?;
        let tail = Tail::new(Arc::clone(&link), &prefix, format!("{prefix}wake:{}", nonce()?));
        let store = Self { link, scripts: Scripts::new(), tail, prefix, host };
        match store.try_commands().await {
            // A store that is full now is used when it has room again.
            Err(StoreError::Full(_)) | Ok(()) => Ok(store),
            Err(error) => Err(error),
        }
    }

    /// Does everything once that is done with answers, so that a user who may not is told at the start.
    async fn try_commands(&self) -> Result<(), StoreError> {
        let name = StreamName::read(&[nonce()?, nonce()?].concat());
        let name = name.ok_or_else(|| StoreError::Refused("no name".to_owned()))?;
        let tried = self.try_with(&name).await;
        // A script that is refused in its middle leaves keys without an end.
        let removed = self.remove(&name).await;
        tried.and(removed)
    }

    async fn try_with(&self, name: &StreamName) -> Result<(), StoreError> {
        self.create(name, Bytes::new(), TRIAL).await?;
        let entry = Append { epoch: 1, seq: 2, bytes: Bytes::new(), keep: None };
        self.append(name, entry).await?;
        self.renew(name, 1, TRIAL).await?;
        let seen = self.standing(name).await?;
        let bytes = Bytes::new();
        self.take(name, Taking { seen, bytes, times: TRIAL, ends: true, by_force: true }).await?;
        self.read(name, Position::FIRST, 1).await?;
        self.read(name, Position::of(1), 1).await?;
        self.tail.try_commands().await
    }

    /// A script for an answer.
    fn script<'s>(&self, script: &'s Script, name: &StreamName) -> ScriptInvocation<'s> {
        let mut invocation = script.key(log_key(&self.prefix, name));
        invocation.key(known_key(&self.prefix, name));
        invocation.key(joined_key(&self.prefix, name));
        invocation
    }

    async fn run<T: redis::FromRedisValue>(
        &self,
        invocation: &ScriptInvocation<'_>,
    ) -> Result<T, StoreError> {
        self.link.send(Sent::Script(invocation)).await
    }

    async fn range(&self, key: &str, from: u64, count: usize) -> Result<Vec<Entry>, StoreError> {
        let mut command = redis::cmd("XRANGE");
        command.arg(key).arg(format!("{from}-0")).arg("+").arg("COUNT").arg(count);
        replies::entries(self.link.send(Sent::Command(&command)).await?)
    }

    /// A page of the stream, for a reader that does not know where its entries are in the string.
    async fn page_of_stream(&self, key: &str, from: u64, most: usize) -> Result<Page, StoreError> {
        let mut entries = self.range(key, from, FEW.min(most)).await?;
        if entries.len() == FEW {
            let bytes: usize = entries.iter().map(|entry| entry.bytes.len()).sum();
            let each = (bytes / entries.len()).max(1);
            let more = most.saturating_sub(bytes) / each;
            if more > 0 {
                let next = entries.last().map_or(from, |entry| entry.seq + 1);
                entries.extend(self.range(key, next, more.min(MANY)).await?);
            }
        }
        let next = Position::of(entries.last().map_or(from, |entry| entry.seq + 1));
        Ok(Page { entries, next })
    }

    /// A page of the string.
    async fn page_of_string(
        &self,
        key: &str,
        from: Position,
        at: u64,
        most: usize,
    ) -> Result<Page, StoreError> {
        let part = self.part(key, at, most.max(LEAST)).await?;
        match joined::needed(&part) {
            Some(needed) if needed > part.len() => {
                Ok(joined::page(self.part(key, at, needed).await?, from, most))
            }
            _ => Ok(joined::page(part, from, most)),
        }
    }

    /// Bytes of the string.
    async fn part(&self, key: &str, at: u64, len: usize) -> Result<Bytes, StoreError> {
        let mut command = redis::cmd("GETRANGE");
        command.arg(key).arg(at).arg(at + len as u64 - 1);
        Ok(self.link.send::<Vec<u8>>(Sent::Command(&command)).await?.into())
    }
}

impl Store for RedisStore {
    fn create<'s>(&'s self, name: &'s StreamName, first: Bytes, times: Times) -> Working<'s, ()> {
        Box::pin(async move {
            let mut script = self.script(&self.scripts.create, name);
            script.arg(nonce()?).arg(&*first).arg(millis(times.lease)).arg(millis(times.keep));
            replies::done(self.run(&script).await?)
        })
    }

    fn append<'s>(&'s self, name: &'s StreamName, append: Append) -> Working<'s, ()> {
        Box::pin(async move {
            let Append { epoch, seq, bytes, keep } = append;
            let mut script = self.script(&self.scripts.append, name);
            let keep = keep.map(|keep| millis(keep).to_string());
            script.arg(epoch).arg(seq).arg(&*bytes).arg(keep.unwrap_or_default());
            replies::done(self.run(&script).await?)
        })
    }

    fn renew<'s>(&'s self, name: &'s StreamName, epoch: u64, times: Times) -> Working<'s, ()> {
        Box::pin(async move {
            let mut script = self.script(&self.scripts.renew, name);
            script.arg(epoch).arg(millis(times.lease)).arg(millis(times.keep));
            replies::done(self.run(&script).await?)
        })
    }

    fn standing<'s>(&'s self, name: &'s StreamName) -> Working<'s, Standing> {
        Box::pin(async move {
            let script = self.script(&self.scripts.standing, name);
            replies::standing(&self.run::<Vec<u64>>(&script).await?)
        })
    }

    fn take<'s>(&'s self, name: &'s StreamName, taking: Taking) -> Working<'s, Option<u64>> {
        Box::pin(async move {
            let Taking { seen, bytes, times, ends, by_force } = taking;
            let mut script = self.script(&self.scripts.take, name);
            script.arg(nonce()?).arg(seen.epoch).arg(seen.last).arg(&*bytes);
            script.arg(millis(times.lease)).arg(millis(times.keep));
            script.arg(u8::from(ends)).arg(u8::from(by_force));
            replies::taken(self.run(&script).await?)
        })
    }

    fn read<'s>(&'s self, name: &'s StreamName, from: Position, most: usize) -> Working<'s, Page> {
        Box::pin(async move {
            match from.at {
                Some(at) => {
                    self.page_of_string(&joined_key(&self.prefix, name), from, at, most).await
                }
                None => self.page_of_stream(&log_key(&self.prefix, name), from.seq, most).await,
            }
        })
    }

    fn follow(&self, feed: &Arc<Feed>) {
        self.tail.follow(feed);
    }

    fn remove<'s>(&'s self, name: &'s StreamName) -> Working<'s, ()> {
        Box::pin(async move {
            let mut command = redis::cmd("DEL");
            command.arg(log_key(&self.prefix, name));
            command.arg(known_key(&self.prefix, name));
            command.arg(joined_key(&self.prefix, name));
            self.link.send::<Value>(Sent::Command(&command)).await.map(drop)
        })
    }
}

/// Prints neither user nor password.
impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisStore")
            .field("host", &self.host)
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}

/// What tells an operation from others.
fn nonce() -> Result<String, StoreError> {
    let number = getrandom::u64();
    let number = number.map_err(|_| StoreError::Refused("no random numbers".to_owned()))?;
    Ok(format!("{number:016x}"))
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX / 1000)
}
