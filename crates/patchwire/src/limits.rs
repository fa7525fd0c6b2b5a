//! Bounds on what one stream may cost. Each has a safe default, and callers can change it.

use core::str::FromStr;

crate::names::named! {
    /// A bounded resource. Its name is used by `--limit NAME=N` and in error messages.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Limit {
        /// Levels of nesting.
        Depth = "depth",
        /// Bytes of one key.
        Key = "key",
        /// Bytes of one number, or of another scalar that must be whole before it has a value.
        Number = "number",
        /// Bytes of one run that is held back because its meaning is undecided.
        Held = "held",
        /// Bytes of one YAML value that is read whole (a collection in brackets, a value with an anchor or
        /// a tag), and bytes of all values that aliases expand to. A longer value is left out, with a
        /// notice.
        Deferred = "deferred",
        /// Values that the aliases of a YAML document expand to. The ends of lists and objects count. An
        /// alias beyond this bound is null, with a notice.
        Aliases = "aliases",
        /// Bytes of the whole stream.
        Total = "total",
        /// Values in all documents of the stream.
        Nodes = "nodes",
        /// Members of one object.
        Fields = "fields",
        /// Bytes of JSON with slips that are searched for a better reading at the end. In a longer text the
        /// streamed value stands.
        Repair = "repair",
        /// Notices that the answer keeps, with paths of at most 256 KiB in all. Further notices are
        /// counted, without an error.
        Notices = "notices",
        /// Members, alternatives, choices and types of a schema, those included that references repeat. Checked when
        /// a spec is built. More than 1,000,000 are refused when the schema is read.
        Schema = "schema",
        /// Paths that a caller needs. Checked when a spec is built.
        Paths = "paths",
        /// Bytes of all paths that a caller needs. Checked when a spec is built.
        PathBytes = "path_bytes",
        /// Tool calls that a response carries in addition to its text. A call that is written in the text is an
        /// element, and counts as a value (`Nodes`).
        Calls = "calls",
        /// Bytes that one response keeps: the text of the answer, reasoning, arguments of calls and facts, and 512 for
        /// each call.
        Kept = "kept",
    }
}

impl FromStr for Limit {
    type Err = UnknownLimit;

    fn from_str(name: &str) -> Result<Self, UnknownLimit> {
        Self::ALL.into_iter().find(|limit| limit.name() == name).ok_or(UnknownLimit)
    }
}

/// No limit has this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "no such limit; known are depth, key, number, held, deferred, aliases, total, nodes, fields, repair, notices, \
     schema, paths, path_bytes, calls, kept"
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
/// Parts of a schema; reading one stops there.
pub(crate) const MOST_PARTS: u64 = 1_000_000;
/// Node numbers are 32 bits wide; a few are reserved.
const MOST_NODES: u64 = (1 << 31) - 1;

impl Limits {
    /// These bounds with one of them changed.
    ///
    /// A document numbers bytes and nodes with 32 bits, so `Total` is at most 1 GiB, and `Nodes`, `Depth`
    /// and `Fields` are at most 2³¹ − 1.
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
            | Limit::Repair
            | Limit::Notices
            | Limit::Paths
            | Limit::PathBytes
            | Limit::Calls
            | Limit::Kept => MOST_TOTAL,
            Limit::Schema => MOST_PARTS,
        };
        self.values[limit as usize] = value.min(most);
        self
    }

    /// The value of a limit, as a size in memory.
    pub(crate) fn size(&self, limit: Limit) -> usize {
        usize::try_from(self.get(limit)).unwrap_or(usize::MAX)
    }

    /// The value of a limit.
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
        values[Limit::Repair as usize] = 1 << 20;
        values[Limit::Notices as usize] = 1_000;
        values[Limit::Schema as usize] = MOST_PARTS;
        values[Limit::Paths as usize] = 100_000;
        values[Limit::PathBytes as usize] = 4 << 20;
        values[Limit::Calls as usize] = 10_000;
        values[Limit::Kept as usize] = 64 << 20;
        Self { values }
    }
}
