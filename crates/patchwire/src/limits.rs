//! What a stream may cost. Every number has a safe default and is the caller's to set.

use core::fmt;
use core::str::FromStr;

/// A resource that is bounded. Names are those of `--limit NAME=N` and of error messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// Levels of nesting.
    Depth,
    /// Bytes of one key.
    Key,
    /// Bytes of one number or other scalar that has to be read whole.
    Number,
    /// Bytes of one run that is held back undecided.
    Held,
    /// Bytes of one value that is kept until it can be read whole: of YAML, collections in brackets
    /// and what has a tag; and of values that aliases may stand for. A longer one has no value, with
    /// a notice.
    Deferred,
    /// Values that the aliases of a YAML document stand for, the ends of lists and objects counted.
    /// An alias past them is null, with a notice.
    Aliases,
    /// Bytes fed in all.
    Total,
    /// Values in all documents together.
    Nodes,
    /// Members of one object.
    Fields,
    /// Notices kept for the answer, as long as their paths are not more than 256 KiB in all. More
    /// are counted, never an error.
    Notices,
}

impl Limit {
    /// All limits, in the order of the documentation.
    pub const ALL: [Self; 10] = [
        Self::Depth,
        Self::Key,
        Self::Number,
        Self::Held,
        Self::Deferred,
        Self::Aliases,
        Self::Total,
        Self::Nodes,
        Self::Fields,
        Self::Notices,
    ];

    /// The name, as the command line takes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Key => "key",
            Self::Number => "number",
            Self::Held => "held",
            Self::Deferred => "deferred",
            Self::Aliases => "aliases",
            Self::Total => "total",
            Self::Nodes => "nodes",
            Self::Fields => "fields",
            Self::Notices => "notices",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Limit {
    type Err = UnknownLimit;

    fn from_str(name: &str) -> Result<Self, UnknownLimit> {
        Self::ALL.into_iter().find(|limit| limit.name() == name).ok_or(UnknownLimit)
    }
}

/// There is no limit of that name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "no such limit; known are depth, key, number, held, deferred, aliases, total, nodes, fields, notices"
)]
pub struct UnknownLimit;

/// The bounds of one stream.
///
/// ```
/// use patchwire::{Limit, Limits};
///
/// let limits = Limits::default().with(Limit::Depth, 32);
/// assert_eq!(limits.get(Limit::Depth), 32);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    values: [u64; Limit::ALL.len()],
}

/// Offsets into a document are 32 bits wide, and a replaced byte grows to three.
const MOST_TOTAL: u64 = 1 << 30;
/// Node numbers are 32 bits wide; a few are reserved.
const MOST_NODES: u64 = (1 << 31) - 1;

impl Limits {
    /// The same bounds with one of them changed.
    ///
    /// `Total` is capped at 1 GiB and `Nodes` at 2³¹ − 1, which is what a document can number.
    #[must_use]
    pub fn with(mut self, limit: Limit, value: u64) -> Self {
        let most = match limit {
            Limit::Total => MOST_TOTAL,
            Limit::Nodes | Limit::Depth | Limit::Fields => MOST_NODES,
            Limit::Key
            | Limit::Number
            | Limit::Held
            | Limit::Deferred
            | Limit::Aliases
            | Limit::Notices => MOST_TOTAL,
        };
        self.values[limit as usize] = value.min(most);
        self
    }

    /// The bound in force, as a size of something in memory.
    pub(crate) fn size(&self, limit: Limit) -> usize {
        usize::try_from(self.get(limit)).unwrap_or(usize::MAX)
    }

    /// The bound in force.
    #[must_use]
    pub const fn get(&self, limit: Limit) -> u64 {
        self.values[limit as usize]
    }
}

impl Default for Limits {
    fn default() -> Self {
        let mut values = [0; Limit::ALL.len()];
        values[Limit::Depth as usize] = 256;
        values[Limit::Key as usize] = 4 << 10;
        values[Limit::Number as usize] = 4 << 10;
        values[Limit::Held as usize] = 64 << 10;
        values[Limit::Deferred as usize] = 1 << 20;
        values[Limit::Aliases as usize] = 10_000;
        values[Limit::Total as usize] = 64 << 20;
        values[Limit::Nodes as usize] = 4_000_000;
        values[Limit::Fields as usize] = 1_000_000;
        values[Limit::Notices as usize] = 1_000;
        Self { values }
    }
}
