//! What a person did to the view: where they are, what is folded, what they asked for.

use std::collections::HashSet;

use crate::watch::model::{Item, ItemId, ItemRole, ItemState, Model};

use super::palette::Palette;
use super::row::Row;
use super::text_block::TextBlocks;

/// The state of the view beside what it shows.
pub(crate) struct Screen {
    pub(super) palette: Palette,
    /// The first line of the page that is seen.
    pub(crate) scroll: usize,
    /// Where the person is; nowhere while the view follows.
    pub(crate) selected: Option<ItemId>,
    /// Whether what is being written is kept in sight.
    pub(crate) follows: bool,
    pub(crate) pauses: bool,
    pub(crate) help: bool,
    /// Whether reasoning is shown at length.
    pub(crate) reasoning: bool,
    pub(crate) notes: NoticesShown,
    /// What is not as it would be by itself: folded, or at length.
    pub(super) flipped: HashSet<ItemId>,
    pub(super) blocks: TextBlocks,
    /// The column of the values: it only moves to the right.
    pub(super) values_at: usize,
    /// Of the last drawing.
    pub(crate) rows: Vec<Row>,
    /// Lines of the page that are seen.
    pub(crate) height: usize,
    /// How often the model had begun anew when it was drawn last.
    resets: u32,
}

/// How much of the notices is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum NoticesShown {
    #[default]
    Few,
    Many,
    Hidden,
}

/// Lines of a text that is not opened: on small screens, and a part of large ones.
const CAP: usize = 6;
/// Lines of what is said around the answer.
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
            flipped: HashSet::new(),
            blocks: TextBlocks::default(),
            values_at: 0,
            rows: Vec::new(),
            height: 0,
            resets: 0,
        }
    }

    /// Forgets where things were, if the model has begun anew: its items are others.
    pub(crate) fn keep_up(&mut self, model: &Model) {
        if self.resets != model.resets {
            self.resets = model.resets;
            self.scroll = 0;
            self.selected = None;
            self.flipped.clear();
            self.blocks = TextBlocks::default();
            self.rows.clear();
        }
    }

    /// Whether what lies in an item is left out.
    pub(super) fn is_folded(&self, id: ItemId, item: &Item) -> bool {
        !item.children.is_empty() && self.flipped.contains(&id)
    }

    /// Most lines of an item's text; none if it is opened.
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

    /// Whether an item is shown at less than its length.
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

    /// Where a row stands, if it is there.
    pub(crate) fn row_of(&self, id: ItemId) -> Option<usize> {
        // Few rows come after the one that was written last.
        self.rows.iter().rposition(|row| row.id == id)
    }
}

/// What the model thinks, whichever way it is told.
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
