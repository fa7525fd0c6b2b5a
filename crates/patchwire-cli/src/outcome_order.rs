//! The outcomes in the order in which tables and counts show them.

use patchwire::Outcome;

/// Every outcome, the best first.
pub(crate) const OUTCOMES: [Outcome; 7] = [
    Outcome::Complete,
    Outcome::Repaired,
    Outcome::Truncated,
    Outcome::ToolCalls,
    Outcome::NoAnswer,
    Outcome::Empty,
    Outcome::Failed,
];
