//! One connection that waits for the entries of all streams that this instance reads and does not write.
//!
//! It waits with `XREAD BLOCK`. A stream that is to be followed, too, must not wait until that returns: so the list begins with a stream
//! of this instance alone, into which an entry is put to wake it.

use core::time::Duration;
use std::collections::HashMap;
use std::sync::{Arc, Weak};

use patchwire_web::store::{Feed, StoreError};
use redis::aio::MultiplexedConnection;
use redis::{Cmd, RedisResult, Value};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep};

use crate::keys::log_key;
use crate::link::{Link, Sent};
use crate::replies::{self, judged};

/// How long one command waits for entries.
const BLOCK: Duration = Duration::from_secs(2);
/// How many entries of one stream are read at once.
const MOST: usize = 128;
/// With so many streams, the entries of a moment are read together.
const MANY: usize = 32;
const MOMENT: Duration = Duration::from_millis(1);
/// How long the entry that wakes is kept.
const WAKE_KEPT: Duration = Duration::from_secs(60);
/// The pause behind a failure.
const PAUSE: Duration = Duration::from_millis(200);

/// Follows streams for an instance.
pub(crate) struct Tail {
    link: Arc<Link>,
    new: mpsc::UnboundedSender<Weak<Feed>>,
    wake: String,
}

impl Tail {
    /// Begins with no stream. It ends when it is dropped. `wake` is the key of the stream that wakes it.
    pub(crate) fn new(link: Arc<Link>, prefix: &str, wake: String) -> Self {
        let (new, taken) = mpsc::unbounded_channel();
        let follower = Follower {
            link: Arc::clone(&link),
            new: taken,
            wake: wake.clone(),
            woken: "0-0".to_owned(),
            prefix: prefix.to_owned(),
            feeds: HashMap::new(),
            connection: None,
            failing: None,
        };
        tokio::spawn(follower.run());
        Self { link, new, wake }
    }

    pub(crate) fn follow(&self, feed: &Arc<Feed>) {
        // The task ends with this sender alone.
        let _ = self.new.send(Arc::downgrade(feed));
        let (link, wake) = (Arc::clone(&self.link), self.wake.clone());
        // What fails here is found out by the task, which then begins again.
        tokio::spawn(async move { woken(&link, &wake).await });
    }

    /// Wakes the task, and reads what wakes it.
    pub(crate) async fn try_commands(&self) -> Result<(), StoreError> {
        woken(&self.link, &self.wake).await?;
        let mut command = redis::cmd("XREAD");
        command.arg("COUNT").arg(1).arg("STREAMS").arg(&self.wake).arg("0-0");
        self.link.send::<Value>(Sent::Command(&command)).await.map(drop)
    }
}

/// Puts an entry into the stream that wakes.
async fn woken(link: &Link, wake: &str) -> Result<(), StoreError> {
    let mut command = redis::cmd("XADD");
    command.arg(wake).arg("MAXLEN").arg(1).arg("*").arg("w").arg("");
    link.send::<Value>(Sent::Command(&command)).await?;
    let mut command = redis::cmd("PEXPIRE");
    command.arg(wake).arg(millis(WAKE_KEPT));
    link.send::<Value>(Sent::Command(&command)).await.map(drop)
}

struct Follower {
    link: Arc<Link>,
    new: mpsc::UnboundedReceiver<Weak<Feed>>,
    wake: String,
    /// The last entry that woke it.
    woken: String,
    prefix: String,
    /// By the key of their stream.
    feeds: HashMap<Vec<u8>, Weak<Feed>>,
    connection: Option<MultiplexedConnection>,
    /// Since when Redis fails.
    failing: Option<Instant>,
}

impl Follower {
    async fn run(mut self) {
        loop {
            while let Ok(feed) = self.new.try_recv() {
                self.add(&feed);
            }
            self.feeds.retain(|_, feed| feed.upgrade().is_some_and(|feed| !feed.is_written_here()));
            if self.feeds.is_empty() {
                let Some(feed) = self.new.recv().await else { return };
                self.add(&feed);
                continue;
            }
            if self.new.is_closed() && self.new.is_empty() {
                return;
            }
            match self.round().await {
                Ok(()) => self.failing = None,
                Err(error) => self.failed(error).await,
            }
        }
    }

    fn add(&mut self, feed: &Weak<Feed>) {
        if let Some(strong) = feed.upgrade() {
            let key = log_key(&self.prefix, strong.name());
            self.feeds.insert(key.into_bytes(), feed.clone());
        }
    }

    /// Waits for entries once.
    async fn round(&mut self) -> Result<(), StoreError> {
        let command = self.command();
        let reply = match self.ask(&command).await {
            Ok(reply) => reply,
            Err(error) => {
                self.connection = None;
                return Err(judged(&error).0);
            }
        };
        for (key, entries) in replies::streams(reply)? {
            if key == self.wake.as_bytes() {
                self.was_woken(&entries);
                continue;
            }
            let Some(feed) = self.feeds.get(&key).and_then(Weak::upgrade) else { continue };
            for entry in replies::entries(entries)? {
                feed.push(entry);
            }
        }
        if self.feeds.len() > MANY {
            sleep(MOMENT).await;
        }
        Ok(())
    }

    fn command(&self) -> Cmd {
        let mut command = redis::cmd("XREAD");
        command.arg("COUNT").arg(MOST).arg("BLOCK").arg(millis(BLOCK)).arg("STREAMS");
        let feeds: Vec<_> = self
            .feeds
            .iter()
            .filter_map(|(key, feed)| Some((key, feed.upgrade()?.last())))
            .collect();
        command.arg(&self.wake);
        for (key, _) in &feeds {
            command.arg(key);
        }
        command.arg(&self.woken);
        for (_, last) in &feeds {
            command.arg(format!("{last}-0"));
        }
        command
    }

    async fn ask(&mut self, command: &Cmd) -> RedisResult<Value> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => none.insert(self.link.connect(2 * BLOCK).await?),
        };
        command.query_async(connection).await
    }

    fn was_woken(&mut self, entries: &Value) {
        let Value::Array(entries) = entries else { return };
        let Some(Value::Array(last)) = entries.last() else { return };
        if let Some(Value::BulkString(id)) = last.first() {
            self.woken = String::from_utf8_lossy(id).into_owned();
        }
    }

    /// Tries again, until those who read have waited long enough.
    async fn failed(&mut self, error: StoreError) {
        let since = *self.failing.get_or_insert_with(Instant::now);
        if since.elapsed() < self.link.patience {
            return sleep(PAUSE).await;
        }
        tracing::error!(error = %error, "the streams that were followed end");
        for feed in self.feeds.drain().filter_map(|(_, feed)| feed.upgrade()) {
            feed.fail(error.clone());
        }
        self.failing = None;
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
