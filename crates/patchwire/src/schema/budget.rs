//! How large the types of a schema may be, with all that references repeat.

use super::{SchemaError, SchemaErrorKind};
use crate::document::ValueRef;
use crate::limits::MOST_PARTS;
use crate::text::text_path::TextPath;

/// Members, alternatives, choices and types of one schema. A schema that references multiply has more of them
/// than its text.
const PARTS_MAX: usize = MOST_PARTS as usize;

/// The parts that a schema may have, whatever its size.
const PARTS_FREE: usize = 10_000;
/// The parts that it may have in addition, for each value and each byte of its text.
const PARTS_A_BYTE: usize = 8;

/// A name or choice counts as one part more for each of so many bytes.
const BYTES_A_PART: usize = 64;

/// What is left of the parts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    left: usize,
    of: usize,
}

/// The parts are used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UsedUp;

impl Budget {
    /// For schemas of the caller's own code.
    pub(super) const ENDLESS: Self = Self { left: usize::MAX, of: usize::MAX };

    /// For a schema from text. References can repeat a part many times. The budget follows the size of the text, so
    /// that a short text cannot take much memory.
    pub(super) fn of_text(text: ValueRef<'_>) -> Self {
        let parts = text.document_size().saturating_mul(PARTS_A_BYTE).saturating_add(PARTS_FREE);
        let of = parts.min(PARTS_MAX);
        Self { left: of, of }
    }

    /// How many parts were taken.
    pub(super) const fn taken(self) -> usize {
        self.of - self.left
    }

    /// Takes so many parts.
    pub(super) fn take(&mut self, parts: usize) -> Result<(), UsedUp> {
        self.left = self.left.checked_sub(parts).ok_or(UsedUp)?;
        Ok(())
    }

    /// Takes the parts of a text of so many bytes.
    pub(super) fn take_text(&mut self, bytes: usize) -> Result<(), UsedUp> {
        self.take(parts_of_text(bytes))
    }
}

/// How many parts a text of so many bytes is.
pub(super) const fn parts_of_text(bytes: usize) -> usize {
    1 + bytes / BYTES_A_PART
}

impl UsedUp {
    /// The error, at the place that took the last parts.
    pub(super) fn at(self, path: &TextPath) -> SchemaError {
        SchemaError::new(SchemaErrorKind::TooLarge, path.to_string())
    }
}
