//! The keys of an answer.

use patchwire_web::store::StreamName;

/// The key of the stream of its entries.
pub(crate) fn log_key(prefix: &str, name: &StreamName) -> String {
    [prefix, name.as_str()].concat()
}

/// The key of the hash with what is known of it.
pub(crate) fn known_key(prefix: &str, name: &StreamName) -> String {
    [prefix, name.as_str(), ":is"].concat()
}

/// The key of the string of its entries.
pub(crate) fn joined_key(prefix: &str, name: &StreamName) -> String {
    [prefix, name.as_str(), ":all"].concat()
}
