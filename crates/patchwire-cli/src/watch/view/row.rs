//! One row of the form.

use crate::watch::model::ItemId;

use super::table::Table;
use super::text_block::TextBlock;

/// The row of one item. Lines are counted from the top of the form, of which the screen shows a part.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) id: ItemId,
    pub(super) depth: usize,
    /// The item's index in its list.
    pub(super) index: Option<usize>,
    pub(super) top: usize,
    pub(super) lines: usize,
    /// The part of the item's text that is shown.
    pub(super) block: TextBlock,
    /// The columns, if the item is shown as a table.
    pub(super) table: Option<Table>,
}

impl Row {
    /// The item's index in its list.
    pub(crate) const fn index(&self) -> Option<usize> {
        self.index
    }

    pub(crate) const fn top(&self) -> usize {
        self.top
    }

    /// The line after its last.
    pub(crate) const fn end(&self) -> usize {
        self.top + self.lines
    }
}
