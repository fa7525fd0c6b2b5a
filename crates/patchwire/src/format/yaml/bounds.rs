//! The limits of one document.

use crate::limits::{Limit, Limits};

/// The limits of one document, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct YamlBounds {
    /// The largest number of undecided bytes.
    pub(super) held: u64,
    /// The largest length of a number.
    pub(super) number: u64,
    /// The largest length of a value that is kept as text.
    pub(super) deferred: usize,
}

impl YamlBounds {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            held: limits.get(Limit::Held),
            number: limits.get(Limit::Number),
            deferred: limits.size(Limit::Deferred),
        }
    }
}
