//! Redis as the store of patchwire's gateway.
//!
//! Each answer is a [Redis Stream](https://redis.io/docs/latest/develop/data-types/streams/) of entries, which readers follow, a string
//! of the same entries, from which they are read again, and a hash with the epoch, the number of the last entry, and the time until
//! which the lease lasts. All writing is done by scripts, so that the check of the epoch and the entry are one step.
//!
//! ```no_run
//! use patchwire_redis::{RedisSettings, RedisStore};
//! use patchwire_web::{Options, serve, store::StoreSettings};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let settings = RedisSettings::new("redis://127.0.0.1:6379")?.with_prefix("shop:")?;
//! let store = RedisStore::connect(settings).await?;
//! let options = Options::default().with_store(store, StoreSettings::default());
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
//! serve(listener, options).await?;
//! # Ok(())
//! # }
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `settings` | the address, the prefix of the keys, and how long Redis is waited for |
//! | `redis_store` | the store |
//! | `scripts`, `keys` | the scripts that write, and what they write to |
//! | `joined` | the entries in one string |
//! | `link` | one connection for all commands, made again when it breaks |
//! | `tail` | one connection that waits for the entries of all streams |
//! | `replies` | what Redis answers |
//!
//! Redis 5 or newer is needed, or Valkey. A cluster is not supported: one connection waits for all streams.
#![forbid(unsafe_code)]
// Shows on docs.rs which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod joined;
mod keys;
mod link;
mod redis_store;
mod replies;
mod scripts;
mod settings;
mod tail;

// The public interface is:
pub use redis_store::RedisStore;
pub use settings::{RedisSettings, SettingsError};

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
