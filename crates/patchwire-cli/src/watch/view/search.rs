//! Search: a query that is typed, and the items that it finds.

use crate::watch::model::{ItemBody, ItemId, Model};

use super::screen::Screen;

/// The query.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// Whether keys are added to the query.
    pub(crate) is_open: bool,
    pub(crate) query: String,
    /// The number of the match that is selected, and of all; both 0 if there is none.
    pub(crate) found: Option<(usize, usize)>,
}

/// Where to look next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// At the selected item, or after it.
    Here,
    After,
    Before,
}

impl Screen {
    /// Begins a query.
    pub(crate) fn open_search(&mut self) {
        self.search = Search { is_open: true, ..Search::default() };
    }

    /// Adds a character to the query, or removes the last one, and selects the first match.
    pub(crate) fn type_query(&mut self, typed: Option<char>, model: &Model) {
        match typed {
            Some(char) => self.search.query.push(char),
            None => drop(self.search.query.pop()),
        }
        self.find(Direction::Here, model);
    }

    /// Selects a match, and opens what hides it.
    pub(crate) fn find(&mut self, direction: Direction, model: &Model) {
        let query = self.search.query.to_lowercase();
        if query.is_empty() {
            self.search.found = None;
            return;
        }
        let all = in_order(model);
        let found: Vec<usize> =
            (0..all.len()).filter(|at| matches(all[*at], &query, model)).collect();
        let now = self.selected.and_then(|id| all.iter().position(|other| *other == id));
        let next = match (direction, now) {
            (_, None) => found.first(),
            (Direction::Here, Some(now)) => {
                found.iter().find(|at| **at >= now).or_else(|| found.first())
            }
            (Direction::After, Some(now)) => {
                found.iter().find(|at| **at > now).or_else(|| found.first())
            }
            (Direction::Before, Some(now)) => {
                found.iter().rev().find(|at| **at < now).or_else(|| found.last())
            }
        };
        let Some(next) = next.copied() else {
            self.search.found = Some((0, 0));
            return;
        };
        let number = found.iter().position(|at| *at == next).map_or(0, |at| at + 1);
        self.search.found = Some((number, found.len()));
        self.reveal(all[next], model);
    }

    /// Selects an item, and opens what hides it. The next drawing scrolls to it.
    fn reveal(&mut self, id: ItemId, model: &Model) {
        let mut above = model.item(id).parent;
        while let Some(parent) = above {
            let item = model.item(parent);
            if self.is_folded(parent, item) {
                self.flip_item(parent);
            }
            self.tables.remove(&parent);
            above = item.parent;
        }
        self.follows = false;
        self.selected = Some(id);
        self.reveals = true;
    }
}

/// All items, in the order of the form.
fn in_order(model: &Model) -> Vec<ItemId> {
    let mut all = Vec::new();
    let mut open: Vec<ItemId> = model.top().iter().rev().copied().collect();
    while let Some(id) = open.pop() {
        all.push(id);
        open.extend(model.item(id).children.iter().rev());
    }
    all
}

/// Whether the name or the value of an item has the query, which is in small letters.
fn matches(id: ItemId, query: &str, model: &Model) -> bool {
    let item = model.item(id);
    let has = |text: &str| text.to_lowercase().contains(query);
    has(&item.name)
        || match &item.body {
            ItemBody::Text(text) => has(text),
            ItemBody::Scalar(_, json) => has(json),
            _ => false,
        }
}
