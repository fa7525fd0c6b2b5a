//! Notices: records of what was skipped, repaired or guessed.

use core::fmt;

pub use crate::codes::{Code, Severity};
use crate::path::Path;
use crate::span::Span;

/// A record of something that was skipped, repaired or guessed, borrowed from the parser.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Notice<'a> {
    /// What happened.
    pub code: Code,
    /// The path of the value that was open or had just closed; empty if there was none.
    pub path: Path<'a>,
    /// The bytes that the notice is about. It may overlap the spans of events, which tile the input.
    pub span: Span,
    /// What the slip or the reading costs, if the notice is about a payload that was read again.
    pub cost: Option<RepairCost>,
}

/// Why a payload was read again. Costs have no unit: only their differences matter.
///
/// docs/repair.md lists the cost of each slip. It prints as `cost 96; as it was streamed, 350`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepairCost {
    /// The cost of the reading that was taken, or of one of its slips.
    pub cost: u32,
    /// The cost of the streamed reading. None for a slip, and if no reading of the search is the streamed one.
    pub streamed: Option<u32>,
}

impl fmt::Display for RepairCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cost {}", self.cost)?;
        self.streamed.map_or(Ok(()), |streamed| write!(f, "; as it was streamed, {streamed}"))
    }
}

/// A notice with its path as text, as an answer keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedNotice {
    /// What happened.
    pub code: Code,
    /// The path of the value that was open or had just closed, as text.
    pub path: String,
    /// The bytes that the notice is about.
    pub span: Span,
    /// What the slip or the reading costs, if the notice is about a payload that was read again.
    pub cost: Option<RepairCost>,
}

impl OwnedNotice {
    /// A notice about no bytes, for layers above the parser.
    #[must_use]
    pub const fn of(code: Code) -> Self {
        Self { code, path: String::new(), span: Span::new(0, 0), cost: None }
    }
}

impl Notice<'_> {
    /// Copies the notice, with its path as text.
    #[must_use]
    pub fn to_owned(&self) -> OwnedNotice {
        let Self { code, span, cost, .. } = *self;
        OwnedNotice { code, path: self.path.to_string(), span, cost }
    }
}
