//! Inputs of the shapes that models write, always valid JSON but for those of prose, of any size.
//!
//! Each builder fills the size it is asked for as far as whole members go, and never exceeds it
//! where it is a kilobyte or more. A kilobyte is 1,000 bytes.

mod answer;
mod fields;
mod levels;
mod prose;
mod random;
mod records;
mod report;

pub use answer::answer;
pub use fields::{Layout, NAMES, fields};
pub use levels::{levels, nested};
pub(crate) use random::Random;
pub use records::records;
pub use report::report;

/// One kilobyte.
pub const KB: usize = 1_000;
/// One megabyte.
pub const MB: usize = 1_000_000;

/// The sizes that growth is measured at.
pub const SIZES: [usize; 5] = [KB, 10 * KB, 100 * KB, MB, 10 * MB];

/// The shape of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "whoever measures shapes measures all of them")]
pub enum Shape {
    /// An object of long strings of prose, with escapes and Unicode.
    Report,
    /// A list of small objects with numbers, bools and short strings.
    Records,
    /// Objects and lists in one another, sixty deep.
    Nested,
}

impl Shape {
    /// All shapes, in the order of the tables.
    pub const ALL: [Self; 3] = [Self::Report, Self::Records, Self::Nested];

    /// The name, as tables and benchmarks print it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Records => "records",
            Self::Nested => "nested",
        }
    }

    /// An input of this shape.
    #[must_use]
    pub fn build(self, bytes: usize) -> String {
        match self {
            Self::Report => report(bytes),
            Self::Records => records(bytes),
            Self::Nested => nested(bytes),
        }
    }
}

/// A size as people write it: `10 KB`.
#[must_use]
pub fn size_name(bytes: usize) -> String {
    if bytes >= MB { format!("{} MB", bytes / MB) } else { format!("{} KB", bytes / KB) }
}

#[cfg(test)]
mod tests;
