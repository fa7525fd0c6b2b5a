//! The part of a text that is shown: all of it, its beginning, or its end while it is written.

use std::collections::HashMap;

use crate::text::Wrap;
use crate::watch::model::{Item, ItemId, ItemRole, ItemState};

/// Lines of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextBlock {
    /// The first line that is shown.
    pub(super) first: usize,
    /// How many are.
    pub(super) shown: usize,
    /// Lines before them, which one line tells of.
    pub(super) above: bool,
    /// More after them, which one line tells of.
    pub(super) below: bool,
    /// More after them, which the last line itself tells of.
    pub(super) elided: bool,
}

impl TextBlock {
    const LINE: Self = Self { first: 0, shown: 1, above: false, below: false, elided: false };

    /// Lines on the screen.
    pub(super) const fn lines(&self) -> usize {
        self.shown + self.above as usize + self.below as usize
    }
}

/// Where the lines of texts begin. Of texts that fit on a line nothing is kept.
#[derive(Default)]
pub(crate) struct TextBlocks {
    wraps: HashMap<ItemId, (u32, Wrap)>,
}

impl TextBlocks {
    /// The part of an item's text that is shown in so many columns and at most so many lines.
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

    /// A line of an item's text, as it is shown.
    pub(super) fn line(&self, id: ItemId, text: &str, number: usize) -> String {
        match self.wraps.get(&id) {
            Some((_, wrap)) => wrap.line(text, number),
            None => text.trim_end_matches(' ').to_owned(),
        }
    }

    /// Lines of all texts that were looked at.
    #[cfg(test)]
    pub(super) fn lines_known(&self) -> usize {
        self.wraps.values().map(|(_, wrap)| wrap.len()).sum()
    }

    /// Where a line begins in the text.
    pub(super) fn start(&self, id: ItemId, number: usize) -> usize {
        self.wraps.get(&id).map_or(0, |(_, wrap)| wrap.start(number))
    }
}

/// An item's text without the line ends at its end, and around the answer without blanks at both
/// ends. Nobody misses them, and a text that grows still grows without them.
pub(super) fn visible(item: &Item) -> Option<&str> {
    match item.role {
        ItemRole::Field | ItemRole::Document => {
            item.text().map(|text| text.trim_end_matches(['\n', '\r']))
        }
        _ => item.text().map(str::trim),
    }
}

/// Lines that are shown rather than told of: not many are worth a key.
const fn slack(cap: usize) -> usize {
    cap / 2
}

/// A line tells how much is above.
fn end(len: usize, cap: usize) -> TextBlock {
    if len <= cap.max(2) + slack(cap) {
        return TextBlock { shown: len, ..TextBlock::LINE };
    }
    let shown = cap.max(2) - 1;
    TextBlock { first: len - shown, shown, above: true, ..TextBlock::LINE }
}

/// A line tells how much is below.
fn beginning(len: usize, cap: usize) -> TextBlock {
    if len <= cap + slack(cap) {
        return TextBlock { shown: len, ..TextBlock::LINE };
    }
    if cap <= 1 {
        return TextBlock { elided: true, ..TextBlock::LINE };
    }
    TextBlock { shown: cap - 1, below: true, ..TextBlock::LINE }
}

/// Whether a text surely takes one line.
fn is_short(text: &str, columns: usize) -> bool {
    text.len() <= columns && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}
