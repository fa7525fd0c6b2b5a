//! The part of a text that is shown: all of it, its beginning, or its end while it is being
//! written.

use std::collections::HashMap;

use crate::text::Wrap;
use crate::watch::model::{Item, ItemId, ItemRole, ItemState};

/// The lines of a text that are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextBlock {
    /// The first line.
    pub(super) first: usize,
    /// How many lines.
    pub(super) shown: usize,
    /// A line above says how much is hidden there.
    pub(super) above: bool,
    /// A line below says how much is hidden there.
    pub(super) below: bool,
    /// Hidden text follows, and the last line ends with an ellipsis.
    pub(super) elided: bool,
}

impl TextBlock {
    const LINE: Self = Self { first: 0, shown: 1, above: false, below: false, elided: false };

    /// Height on the screen.
    pub(super) const fn lines(&self) -> usize {
        self.shown + self.above as usize + self.below as usize
    }
}

/// The wrapped texts. A text that fits on one line is not stored.
#[derive(Default)]
pub(crate) struct TextBlocks {
    wraps: HashMap<ItemId, (u32, Wrap)>,
}

impl TextBlocks {
    /// The part of an item's text that is shown in `columns`, and in at most `cap` lines.
    pub(super) fn of(
        &mut self,
        id: ItemId,
        item: &Item,
        columns: usize,
        cap: Option<usize>,
    ) -> TextBlock {
        let Some(text) = visible(item) else { return TextBlock::LINE };
        if is_short(text, columns) {
            self.wraps.remove(&id);
            return TextBlock::LINE;
        }
        let wrap = self.wrap(id, item.turn, columns);
        match cap {
            None => {
                wrap.grow(text, usize::MAX);
                TextBlock { shown: wrap.len(), ..TextBlock::LINE }
            }
            Some(cap) if item.state() == ItemState::Writing => {
                wrap.grow(text, usize::MAX);
                end(wrap.len(), cap)
            }
            Some(cap) => {
                wrap.grow(text, cap + slack(cap));
                beginning(wrap.len(), cap)
            }
        }
    }

    fn wrap(&mut self, id: ItemId, turn: u32, columns: usize) -> &mut Wrap {
        let (of, wrap) = self.wraps.entry(id).or_insert_with(|| (turn, Wrap::new(columns)));
        if *of != turn || wrap.columns() != columns.max(1) {
            (*of, *wrap) = (turn, Wrap::new(columns));
        }
        wrap
    }

    /// A line of an item's text, printable.
    pub(super) fn line(&self, id: ItemId, text: &str, number: usize) -> String {
        match self.wraps.get(&id) {
            Some((_, wrap)) => wrap.line(text, number),
            None => text.trim_end_matches(' ').to_owned(),
        }
    }

    /// Lines of all wrapped texts.
    #[cfg(test)]
    pub(super) fn lines_known(&self) -> usize {
        self.wraps.values().map(|(_, wrap)| wrap.len()).sum()
    }

    /// The offset at which a line begins.
    pub(super) fn start(&self, id: ItemId, number: usize) -> usize {
        self.wraps.get(&id).map_or(0, |(_, wrap)| wrap.start(number))
    }
}

/// An item's text without line ends at its end; text around the answer also without whitespace at
/// both ends. A text that grows still grows without them.
pub(super) fn visible(item: &Item) -> Option<&str> {
    match item.role {
        ItemRole::Field | ItemRole::Document => {
            item.text().map(|text| text.trim_end_matches(['\n', '\r']))
        }
        _ => item.text().map(str::trim),
    }
}

/// Hidden lines that are shown anyway: so few are not worth a key.
const fn slack(cap: usize) -> usize {
    cap / 2
}

/// The end of a text, with a line above it for the rest.
fn end(len: usize, cap: usize) -> TextBlock {
    if len <= cap.max(2) + slack(cap) {
        return TextBlock { shown: len, ..TextBlock::LINE };
    }
    let shown = cap.max(2) - 1;
    TextBlock { first: len - shown, shown, above: true, ..TextBlock::LINE }
}

/// The beginning of a text, with a line below it for the rest.
fn beginning(len: usize, cap: usize) -> TextBlock {
    if len <= cap + slack(cap) {
        return TextBlock { shown: len, ..TextBlock::LINE };
    }
    if cap <= 1 {
        return TextBlock { elided: true, ..TextBlock::LINE };
    }
    TextBlock { shown: cap - 1, below: true, ..TextBlock::LINE }
}

/// Whether a text certainly fits on one line.
fn is_short(text: &str, columns: usize) -> bool {
    text.len() <= columns && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}
