//! Where answers are kept so that any instance goes on with any of them.
//!
//! A [`Store`] keeps a list of numbered entries for each answer. What an entry holds is the gateway's matter: the request first, then
//! the model's deltas as they came. One instance writes, and every instance may read. The right to write has a number, the *epoch*:
//! whoever takes an answer over raises it, and from then on the writer before is refused. A *lease* that the writer renews shows the
//! others that it is alive.
//!
//! [`MemoryStore`] keeps answers in this process. The crate `patchwire-redis` keeps them in Redis.

mod feed;
mod memory;
mod stream_name;

use core::pin::Pin;
use core::time::Duration;
use std::sync::Arc;

use axum::http::StatusCode;
use bytes::Bytes;

pub use feed::Feed;
pub(crate) use feed::Held;
pub use memory::MemoryStore;
pub use stream_name::StreamName;

/// What a store is asked to do.
pub type Working<'s, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 's>>;

/// Keeps answers as numbered entries. Entries are numbered from 1, without gaps.
///
/// Each operation has an end: a store that cannot be reached is an error after a time of its own choice, in which it tries again. An
/// operation may be repeated without harm, because each entry is sent with its number.
///
/// ```
/// use core::time::Duration;
/// use patchwire_web::store::{
///     Append, MemoryStore, Position, Store as _, StoreError, StreamName, Times,
/// };
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), StoreError> {
/// let store = MemoryStore::default();
/// let name = StreamName::read("0123456789abcdef0123456789abcdef").expect("it is a name");
/// let times = Times { lease: Duration::from_secs(10), keep: Duration::from_secs(900) };
/// store.create(&name, "the request".into(), times).await?;
/// store.append(&name, Append { epoch: 1, seq: 2, bytes: "a delta".into(), keep: None }).await?;
/// let page = store.read(&name, Position::FIRST, 1 << 16).await?;
/// assert_eq!(page.entries[1].bytes, "a delta");
/// # Ok(())
/// # }
/// ```
pub trait Store: Send + Sync + 'static {
    /// Begins an answer with its first entry. Its epoch is 1, and the caller has the lease.
    fn create<'s>(&'s self, name: &'s StreamName, first: Bytes, times: Times) -> Working<'s, ()>;

    /// Appends an entry, if the epoch is still that of the answer. An entry that is there already is left as it is.
    fn append<'s>(&'s self, name: &'s StreamName, append: Append) -> Working<'s, ()>;

    /// Renews the lease and the time for which the answer is kept, if the epoch is still that of the answer. A lease of no time
    /// gives it up.
    fn renew<'s>(&'s self, name: &'s StreamName, epoch: u64, times: Times) -> Working<'s, ()>;

    /// How an answer stands.
    fn standing<'s>(&'s self, name: &'s StreamName) -> Working<'s, Standing>;

    /// Takes an answer over: appends an entry and raises the epoch, in one step. Returns the new epoch, or `None` if the answer no
    /// longer stands as it was seen.
    fn take<'s>(&'s self, name: &'s StreamName, taking: Taking) -> Working<'s, Option<u64>>;

    /// Entries from a position on, up to so many bytes, but at least one if there is one. An answer that does not exist has none.
    fn read<'s>(&'s self, name: &'s StreamName, from: Position, most: usize) -> Working<'s, Page>;

    /// Pushes the entries that are appended from now on to the feed, until it is dropped or [written here](Feed::write_here).
    fn follow(&self, feed: &Arc<Feed>);

    /// Forgets an answer.
    fn remove<'s>(&'s self, name: &'s StreamName) -> Working<'s, ()>;
}

/// An entry of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "stores make it; any value is fine")]
pub struct Entry {
    /// Its number.
    pub seq: u64,
    /// Its contents.
    pub bytes: Bytes,
}

/// From where the entries of an answer are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "stores make it; any value is fine")]
pub struct Position {
    /// The number of the entry.
    pub seq: u64,
    /// Where the store has the entry, if a page before this one said so. Only the store knows what the number means.
    pub at: Option<u64>,
}

impl Position {
    /// The first entry.
    pub const FIRST: Self = Self { seq: 1, at: Some(0) };

    /// The entry with a number. The store has to search for it.
    #[must_use]
    pub const fn of(seq: u64) -> Self {
        Self { seq, at: None }
    }
}

/// Some entries of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "stores make it; any value is fine")]
pub struct Page {
    /// The entries, in order.
    pub entries: Vec<Entry>,
    /// Where the next page begins.
    pub next: Position,
}

impl Page {
    /// The entries of a page that begins at a number.
    ///
    /// # Errors
    /// One is missing, as in a store that evicts single keys.
    pub(crate) fn whole(self, from: u64) -> Result<Vec<Entry>, StoreError> {
        match self.entries.iter().zip(from..).find(|(entry, seq)| entry.seq != *seq) {
            Some((_, seq)) => Err(StoreError::Lost { last: seq - 1 }),
            None => Ok(self.entries),
        }
    }
}

/// How long things hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "stores read it; any value is fine")]
pub struct Times {
    /// How long the lease lasts from now on.
    pub lease: Duration,
    /// How long the answer is kept from now on.
    pub keep: Duration,
}

/// An entry to append.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "stores read it; any value is fine")]
pub struct Append {
    /// The epoch of the writer.
    pub epoch: u64,
    /// The number of the entry: one more than that of the last.
    pub seq: u64,
    /// Its contents.
    pub bytes: Bytes,
    /// For the last entry of an answer: how long it is kept from now on.
    pub keep: Option<Duration>,
}

/// How an answer stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "stores make it; any value is fine")]
pub struct Standing {
    /// The epoch.
    pub epoch: u64,
    /// The number of the last entry.
    pub last: u64,
    /// Whether the writer's lease lasts.
    pub is_leased: bool,
    /// Whether the last entry was marked as the last.
    pub has_ended: bool,
}

/// How an answer is taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "stores read it; any value is fine")]
pub struct Taking {
    /// How the answer was seen: nothing is done if epoch or last number differ.
    pub seen: Standing,
    /// The entry that says why.
    pub bytes: Bytes,
    /// How long things hold from now on.
    pub times: Times,
    /// Whether the entry ends the answer.
    pub ends: bool,
    /// Whether the answer is taken although its lease lasts.
    pub by_force: bool,
}

/// Why a store did not do what it was asked to.
///
/// The messages are sent to clients, so they must hold no password and no name of an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no connection, or no response came in time.
    #[error("the store of the answers cannot be reached: {0}; try again in a few seconds")]
    Unreachable(String),
    /// The store has no memory left.
    #[error(
        "the store of the answers is full: {0}; try again later, or give the store more memory"
    )]
    Full(String),
    /// The store refuses: a password, a permission, a command that it does not have.
    #[error("the store of the answers refuses: {0}; check its address, user, password and version")]
    Refused(String),
    /// There is no such answer, or it is kept no longer.
    #[error("no such response, or it is kept no longer; send the request again")]
    Gone,
    /// Another instance has taken the answer over.
    #[error(
        "another instance has taken the answer over; come back with the number of your last event"
    )]
    Fenced,
    /// The store has lost the end of the answer, as one without persistence does when it restarts.
    #[error("the store has lost a part of the answer; send the request again")]
    Lost {
        /// The last entry that it has.
        last: u64,
    },
    /// An entry cannot be read.
    #[error("the store holds something that this server cannot read: {0}; send the request again")]
    Broken(String),
}

impl StoreError {
    /// The code, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "store_unreachable",
            Self::Full(_) => "store_full",
            Self::Refused(_) => "store_refused",
            Self::Gone => "stream_gone",
            Self::Fenced => "store_taken",
            Self::Lost { .. } => "store_lost",
            Self::Broken(_) => "store_broken",
        }
    }

    pub(crate) const fn status(&self) -> StatusCode {
        match self {
            Self::Unreachable(_) | Self::Full(_) | Self::Refused(_) | Self::Fenced => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Gone | Self::Lost { .. } | Self::Broken(_) => StatusCode::GONE,
        }
    }
}

/// How a gateway uses its store. Any value is fine.
///
/// ```
/// use core::time::Duration;
/// use patchwire_web::store::StoreSettings;
///
/// let settings = StoreSettings { keep: Duration::from_secs(3600), ..StoreSettings::default() };
/// assert!(settings.lease < settings.keep);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "any value is fine, as in `Limits`")]
pub struct StoreSettings {
    /// How long an instance may be silent before others take it for dead. At least 100 ms.
    pub lease: Duration,
    /// How long an answer is kept behind its end.
    pub keep: Duration,
    /// Bytes that one answer may take in the store, with all its attempts.
    pub answer_bytes: u64,
}

impl Default for StoreSettings {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(10),
            keep: Duration::from_secs(900),
            answer_bytes: 64 << 20,
        }
    }
}

impl StoreSettings {
    pub(crate) fn times(&self) -> Times {
        let lease = self.lease.max(SHORTEST);
        // What is kept no longer than the lease would be gone before anyone could take it over.
        Times { lease, keep: self.keep.max(4 * lease) }
    }
}

/// The shortest lease.
const SHORTEST: Duration = Duration::from_millis(100);
