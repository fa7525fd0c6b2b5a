//! The string being read: emitted as it grows, or held until it is one of the values its schema lists.

use crate::document::NodeId;
use crate::schema::{Choices, SchemaId};

/// How many bytes longer than the longest choice a spelling of it may be: whitespace, mostly.
const EXTRA_BYTES: usize = 64;

/// The string being read and the text that is pending for it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Strings {
    pub(super) open: OpenString,
    /// The string that closed last.
    pub(super) last_closed: Option<NodeId>,
    /// Text of a held string; or text of an emission that was not taken yet.
    pub(super) pending: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum OpenString {
    #[default]
    None,
    /// Emitted as it grows.
    Streaming(NodeId),
    Held(HeldChoice),
}

/// A string that is held until it is one of its choices, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HeldChoice {
    pub(super) schema: SchemaId,
    /// Just past the opening quote.
    pub(super) opened: u64,
    /// The string matches no choice, and only a fallback is emitted: the rest is skipped.
    pub(super) is_refused: bool,
}

impl Strings {
    /// Holds a string from here on. Text of the last one may be left: nothing is emitted of a value that is
    /// [shadowed](super::shadow).
    pub(super) fn hold(&mut self, schema: SchemaId, opened: u64) {
        self.open = OpenString::Held(HeldChoice { schema, opened, is_refused: false });
        self.pending.clear();
    }

    #[cfg_attr(target_family = "wasm", inline)]
    pub(super) const fn held(&self) -> Option<HeldChoice> {
        match self.open {
            OpenString::Held(choice) => Some(choice),
            _ => None,
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    pub(super) const fn streaming(&self) -> Option<NodeId> {
        match self.open {
            OpenString::Streaming(node) => Some(node),
            _ => None,
        }
    }

    /// Ends the string; the node, if it was emitted as it grew.
    #[inline(always)]
    pub(super) fn take_streaming(&mut self) -> Option<NodeId> {
        let node = self.streaming()?;
        self.open = OpenString::None;
        Some(node)
    }

    /// Drops pending text that was emitted.
    #[inline]
    pub(super) fn clear_emitted(&mut self) {
        if self.held().is_none() {
            self.pending.clear();
        }
    }

    /// Whether the pending text may still become one of these choices.
    pub(super) fn may_become(&self, choices: &Choices) -> bool {
        self.pending.len() <= choices.longest() + EXTRA_BYTES && choices.could_become(&self.pending)
    }
}

#[cfg(test)]
mod tests {
    use super::{EXTRA_BYTES, Strings};
    use crate::schema::Choices;

    #[test]
    fn a_spelling_may_be_so_much_longer_than_its_choice() {
        let choices = Choices::new(["red", "yellow"]);
        let longest = "yellow".len() + EXTRA_BYTES;
        for (text, can) in [("", true), ("y", true), ("red", true), ("x", false), ("redd", false)] {
            let pending = format!("{}{text}", " ".repeat(longest - text.len()));
            let mut strings = Strings { pending, ..Strings::default() };
            assert_eq!(strings.may_become(&choices), can, "{text}");
            strings.pending.insert(0, ' ');
            assert!(!strings.may_become(&choices), "{text}");
        }
    }
}
