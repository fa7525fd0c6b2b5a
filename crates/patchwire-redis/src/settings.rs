//! The settings of the store.

use core::fmt;
use core::time::Duration;

use redis::{ConnectionInfo, IntoConnectionInfo as _};

/// Where Redis is, and how it is used.
#[derive(Clone)]
#[must_use]
pub struct RedisSettings {
    pub(crate) address: ConnectionInfo,
    pub(crate) prefix: String,
    pub(crate) patience: Duration,
}

/// A setting that cannot be used. The messages hold no password.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingsError {
    /// The text is no address of Redis.
    Address,
    /// The prefix has other characters than letters, digits and `:._-`.
    Prefix(String),
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address => f.write_str(
                "the store has no address that can be used; write one like redis://127.0.0.1:6379 or \
                 rediss://user:password@redis.example:6380/0",
            ),
            Self::Prefix(prefix) => write!(
                f,
                "`{prefix}` cannot begin the keys of the store; write letters, digits and `:._-`, such as `shop:`"
            ),
        }
    }
}

impl core::error::Error for SettingsError {}

/// The prefix of keys, unless another one is set.
const PREFIX: &str = "patchwire:";
/// The longest prefix.
const LONGEST: usize = 200;

impl RedisSettings {
    /// The settings for an address: `redis://[user:password@]host[:port][/database]`, or `rediss://` for TLS.
    ///
    /// ```
    /// use patchwire_redis::RedisSettings;
    ///
    /// assert!(RedisSettings::new("rediss://app:secret@redis.example:6380/2").is_ok());
    /// assert!(RedisSettings::new("http://redis.example").is_err());
    /// ```
    ///
    /// # Errors
    /// If it is no such address.
    pub fn new(address: &str) -> Result<Self, SettingsError> {
        let is_network = ["redis://", "rediss://"].iter().any(|scheme| address.starts_with(scheme));
        let address = address.into_connection_info().map_err(|_| SettingsError::Address)?;
        if !is_network {
            return Err(SettingsError::Address);
        }
        Ok(Self { address, prefix: PREFIX.to_owned(), patience: Duration::from_secs(10) })
    }

    /// Sets what the keys begin with, `patchwire:` by default. Servers with different prefixes do not see each other's answers.
    ///
    /// # Errors
    /// If it has other characters than letters, digits and `:._-`, which have a meaning in patterns of keys.
    pub fn with_prefix(self, prefix: &str) -> Result<Self, SettingsError> {
        let is_fine = |byte: u8| byte.is_ascii_alphanumeric() || b":._-".contains(&byte);
        if prefix.is_empty() || prefix.len() > LONGEST || !prefix.bytes().all(is_fine) {
            return Err(SettingsError::Prefix(prefix.to_owned()));
        }
        Ok(Self { prefix: prefix.to_owned(), ..self })
    }

    /// Sets how long Redis is waited for before a request or a stream fails, 10 s by default.
    pub const fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The host and the port, without user and password.
    #[must_use]
    pub fn host(&self) -> String {
        self.address.addr().to_string()
    }

    pub(crate) fn has_tls(&self) -> bool {
        matches!(self.address.addr(), redis::ConnectionAddr::TcpTls { .. })
    }
}

/// Prints neither user nor password.
impl fmt::Debug for RedisSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisSettings")
            .field("host", &self.host())
            .field("prefix", &self.prefix)
            .field("patience", &self.patience)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_of_redis() {
        let plain = RedisSettings::new("redis://redis.example").expect("an address");
        assert_eq!((plain.host().as_str(), plain.has_tls()), ("redis.example:6379", false));
        let secret =
            RedisSettings::new("rediss://app:secret@127.0.0.1:7000/3").expect("an address");
        assert!(secret.has_tls());
        let printed = format!("{secret:?}");
        assert!(!printed.contains("secret") && printed.contains("127.0.0.1:7000"), "{printed}");
        for wrong in ["", "redis", "http://a", "unix:///tmp/x", "redis://", "redis://a:b@c:d"] {
            assert_eq!(RedisSettings::new(wrong).err(), Some(SettingsError::Address), "{wrong}");
        }
    }

    #[test]
    fn prefixes_have_no_pattern() {
        let with = |prefix| RedisSettings::new("redis://a").unwrap().with_prefix(prefix);
        assert!(with("shop:eu-1.").is_ok());
        for wrong in ["", "*", "a b", "ä:", "a[b]"] {
            assert_eq!(with(wrong).err(), Some(SettingsError::Prefix(wrong.to_owned())));
        }
    }
}
