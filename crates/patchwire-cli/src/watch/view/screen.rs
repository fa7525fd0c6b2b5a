//! What the person did to the view: scrolling, selection, folding.

use std::collections::HashSet;

use crate::watch::model::{Item, ItemId, ItemRole, ItemState, Model};

use super::palette::Palette;
use super::row::Row;
use super::search::Search;
use super::table::Table;
use super::text_block::TextBlocks;
use super::written_pane::WrittenWrap;

/// The state of the view, without its content.
pub(crate) struct Screen {
    pub(super) palette: Palette,
    /// The first line of the form in view.
    pub(crate) scroll: usize,
    /// The selected item; `None` while the view follows.
    pub(crate) selected: Option<ItemId>,
    /// Whether the view follows what is being written.
    pub(crate) follows: bool,
    pub(crate) pauses: bool,
    pub(crate) help: bool,
    /// Whether reasoning is shown in full.
    pub(crate) reasoning: bool,
    pub(crate) notes: NoticesShown,
    /// Whether the text that is being written stands beside the fields, if there is room.
    pub(crate) written: bool,
    pub(super) written_wrap: Option<WrittenWrap>,
    pub(crate) search: Search,
    /// Whether the next drawing scrolls to the selected item.
    pub(super) reveals: bool,
    /// Lists that are shown as tables.
    pub(super) tables: HashSet<ItemId>,
    /// What the last line says, until the next key.
    pub(crate) message: Option<String>,
    /// Items that are shown in the other form than their default: folded, or in full.
    pub(super) flipped: HashSet<ItemId>,
    pub(super) blocks: TextBlocks,
    /// The column of the values. It only moves to the right.
    pub(super) values_at: usize,
    /// The rows of the last drawing.
    pub(crate) rows: Vec<Row>,
    /// Height of the form in view.
    pub(crate) height: usize,
    /// The model's `resets` at the last drawing.
    resets: u32,
}

/// How many notices are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum NoticesShown {
    #[default]
    Few,
    Many,
    Hidden,
}

/// The most lines of a text that was not opened. Tall screens show more.
const CAP: usize = 6;
/// The most lines of text around the answer.
const ASIDE: usize = 3;

impl Screen {
    pub(crate) fn new(palette: Palette) -> Self {
        Self {
            palette,
            scroll: 0,
            selected: None,
            follows: true,
            pauses: false,
            help: false,
            reasoning: false,
            notes: NoticesShown::default(),
            written: true,
            written_wrap: None,
            search: Search::default(),
            reveals: false,
            tables: HashSet::new(),
            message: None,
            flipped: HashSet::new(),
            blocks: TextBlocks::default(),
            values_at: 0,
            rows: Vec::new(),
            height: 0,
            resets: 0,
        }
    }

    /// Resets scrolling, selection and folds if the model started again, because its items are
    /// others.
    pub(crate) fn keep_up(&mut self, model: &Model) {
        if self.resets != model.resets {
            self.resets = model.resets;
            self.scroll = 0;
            self.selected = None;
            self.flipped.clear();
            self.tables.clear();
            self.blocks = TextBlocks::default();
            self.rows.clear();
        }
    }

    /// Whether an item's children are hidden.
    pub(super) fn is_folded(&self, id: ItemId, item: &Item) -> bool {
        !item.children.is_empty() && self.flipped.contains(&id)
    }

    /// The most lines of an item's text; `None` if it is shown in full.
    pub(super) fn cap(&self, id: ItemId, item: &Item, model: &Model) -> Option<usize> {
        let flipped = self.flipped.contains(&id) && item.children.is_empty();
        let cap = if is_reasoning(item) {
            let lines = if item.state() == ItemState::Writing { ASIDE } else { 1 };
            (!self.reasoning).then_some(lines)
        } else if is_answer(item, model) {
            None
        } else if matches!(item.role, ItemRole::Text | ItemRole::Attempt) {
            Some(ASIDE)
        } else if matches!(item.role, ItemRole::Refusal | ItemRole::End) {
            None
        } else {
            Some(CAP.max(self.height / 3))
        };
        match (flipped, cap) {
            (false, cap) => cap,
            (true, Some(_)) => None,
            (true, None) => Some(1),
        }
    }

    /// Whether an item is folded or shortened.
    pub(crate) fn is_short(&self, id: ItemId, item: &Item, model: &Model) -> bool {
        if item.children.is_empty() {
            self.cap(id, item, model).is_some()
        } else {
            self.is_folded(id, item)
        }
    }

    pub(crate) fn flip_item(&mut self, id: ItemId) {
        if !self.flipped.remove(&id) {
            self.flipped.insert(id);
        }
    }

    /// Shows a list as a table, or as rows again. Returns whether that can be done.
    pub(crate) fn turn_table_of(&mut self, id: ItemId, model: &Model) -> bool {
        if self.tables.remove(&id) {
            return true;
        }
        let is_table = Table::of(model.item(id), model).is_some();
        if is_table {
            self.tables.insert(id);
            self.flipped.remove(&id);
        }
        is_table
    }

    /// The index of an item's row, if it has one.
    pub(crate) fn row_of(&self, id: ItemId) -> Option<usize> {
        // The search begins at the end, because few rows follow the one written last.
        self.rows.iter().rposition(|row| row.id == id)
    }
}

/// Reasoning, as text or as an element.
pub(super) fn is_reasoning(item: &Item) -> bool {
    match &item.role {
        ItemRole::Reasoning => true,
        ItemRole::Element { channel, .. } => &**channel == "reasoning",
        _ => false,
    }
}

/// Text that is the answer itself.
pub(super) fn is_answer(item: &Item, model: &Model) -> bool {
    match &item.role {
        ItemRole::Text => &*item.name == "answer" || item.parent.is_none() && model.is_text(),
        ItemRole::Element { channel, .. } => &**channel == "answer",
        _ => false,
    }
}
