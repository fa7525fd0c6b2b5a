//! Names of newtype structs that ask for a value only once it cannot become another one.
//!
//! Serde passes the name of a newtype struct to the deserializer. Types that read growing values use these names;
//! other deserializers ignore them.

use crate::document::{ValueKind, ValueRef};

/// Asks for a value that is complete.
pub(crate) const WHOLE: &str = "$patchwire::whole";
/// Asks for anything except a string that is still open: the name of a variant must be whole.
pub(crate) const NAME_SETTLED: &str = "$patchwire::name";
/// Asks for an object whose member with the name that follows is complete: the tag of an enum.
const TAG_SETTLED: &str = "$patchwire::tag:";

/// What must be complete before a value is read.
#[derive(Clone, Copy)]
pub(super) enum Settling {
    Whole,
    Name,
    Tag(&'static str),
}

impl Settling {
    /// None for the names of other structs.
    pub(super) fn of(name: &'static str) -> Option<Self> {
        match name {
            WHOLE => Some(Self::Whole),
            NAME_SETTLED => Some(Self::Name),
            _ => name.strip_prefix(TAG_SETTLED).map(Self::Tag),
        }
    }

    pub(super) fn is_reached(self, value: ValueRef<'_>) -> bool {
        match self {
            Self::Whole => value.is_complete(),
            Self::Name => value.is_complete() || value.kind() != ValueKind::String,
            Self::Tag(tag) => value.get(tag).is_some_and(ValueRef::is_complete),
        }
    }
}
