//! What each key does.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::model::{ItemBody, ItemId, ItemState, Model};
use super::view::{Direction, NoticesShown, Row, Screen, Search};

/// An action of the person at the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyAction {
    Quit,
    Pause,
    Up,
    Down,
    PageUp,
    PageDown,
    Top,
    Bottom,
    Flip,
    Fold,
    Open,
    Follow,
    Reasoning,
    Notes,
    Written,
    Table,
    Search,
    NextMatch,
    MatchBefore,
    CopyField,
    CopyValue,
    Help,
}

/// The most bytes that are copied: terminals drop what is longer.
const MOST_COPIED: usize = 1 << 20;

/// The action of a key, if it has one.
pub(super) fn act(key: KeyEvent) -> Option<KeyAction> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c' | 'd') => Some(KeyAction::Quit),
            KeyCode::Char('f') => Some(KeyAction::PageDown),
            KeyCode::Char('b') => Some(KeyAction::PageUp),
            _ => None,
        };
    }
    Some(match key.code {
        KeyCode::Char('q') | KeyCode::Esc => KeyAction::Quit,
        KeyCode::Char(' ' | 'p') => KeyAction::Pause,
        KeyCode::Up | KeyCode::Char('k') => KeyAction::Up,
        KeyCode::Down | KeyCode::Char('j') => KeyAction::Down,
        KeyCode::PageUp => KeyAction::PageUp,
        KeyCode::PageDown => KeyAction::PageDown,
        KeyCode::Home | KeyCode::Char('g') => KeyAction::Top,
        KeyCode::End | KeyCode::Char('G') => KeyAction::Bottom,
        KeyCode::Enter => KeyAction::Flip,
        KeyCode::Left | KeyCode::Char('h') => KeyAction::Fold,
        KeyCode::Right | KeyCode::Char('l') => KeyAction::Open,
        KeyCode::Char('f') => KeyAction::Follow,
        KeyCode::Char('r') => KeyAction::Reasoning,
        KeyCode::Char('n') => KeyAction::Notes,
        KeyCode::Char('w') => KeyAction::Written,
        KeyCode::Char('t') => KeyAction::Table,
        KeyCode::Char('/') => KeyAction::Search,
        KeyCode::Char('m') => KeyAction::NextMatch,
        KeyCode::Char('M') => KeyAction::MatchBefore,
        KeyCode::Char('y') => KeyAction::CopyField,
        KeyCode::Char('Y') => KeyAction::CopyValue,
        KeyCode::Char('?') => KeyAction::Help,
        _ => return None,
    })
}

impl Screen {
    /// Takes a key while a query is typed.
    pub(super) fn type_key(&mut self, key: KeyEvent, model: &Model) {
        match key.code {
            _ if key.kind == KeyEventKind::Release => {}
            KeyCode::Esc => self.search = Search::default(),
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                self.search = Search::default();
            }
            KeyCode::Enter => self.search.is_open = false,
            KeyCode::Backspace => self.type_query(None, model),
            KeyCode::Char(char) => self.type_query(Some(char), model),
            _ => {}
        }
    }

    /// What an action copies, and what the last line says about it.
    pub(super) fn copied(&mut self, act: KeyAction, model: &Model) -> Option<String> {
        let (what, content) = match act {
            KeyAction::CopyField => {
                let id = self.selected.or_else(|| self.seen(model));
                let name = id.map(|id| self.name_of(id, model)).unwrap_or_default();
                (name, id.and_then(|id| model.content(id)))
            }
            _ => ("the value".to_owned(), model.answer_content()),
        };
        let content = content.filter(|content| content.len() <= MOST_COPIED);
        self.message = Some(match &content {
            Some(content) => format!("copied {what}: {} bytes", content.len()),
            None => "nothing to copy, or more than a terminal takes".to_owned(),
        });
        content
    }

    fn name_of(&self, id: ItemId, model: &Model) -> String {
        let index = self.row_of(id).and_then(|at| self.rows[at].index());
        match (index, &*model.item(id).name) {
            (Some(index), _) => format!("[{index}]"),
            (None, "") => "the value".to_owned(),
            (None, name) => crate::text::printable(name),
        }
    }

    /// The list of the selected row, or the one that contains it, as a table or back.
    fn turn_table(&mut self, model: &Model) {
        let Some(id) = self.selected.or_else(|| self.seen(model)) else { return };
        let above = core::iter::successors(Some(id), |id| model.item(*id).parent);
        let is_list = |id: &ItemId| model.item(*id).body == ItemBody::List;
        let Some(list) = above.into_iter().find(is_list) else {
            self.message = Some("no list here".to_owned());
            return;
        };
        if !self.turn_table_of(list, model) {
            self.message = Some("only a list of objects is a table".to_owned());
        }
        self.follows = false;
        self.selected = Some(list);
    }

    /// Performs an action. The caller handles `Quit`, and copies.
    pub(super) fn act(&mut self, act: KeyAction, model: &Model) {
        self.keep_up(model);
        match act {
            KeyAction::Quit | KeyAction::CopyField | KeyAction::CopyValue => {}
            KeyAction::Written => self.written = !self.written,
            KeyAction::Table => self.turn_table(model),
            KeyAction::Search => self.open_search(),
            KeyAction::NextMatch => self.find(Direction::After, model),
            KeyAction::MatchBefore => self.find(Direction::Before, model),
            KeyAction::Pause => self.pauses = !self.pauses,
            KeyAction::Up => self.up(model),
            KeyAction::Down => self.down(model),
            KeyAction::PageUp => self.page(|scroll, height| scroll.saturating_sub(height)),
            KeyAction::PageDown => self.page(|scroll, height| scroll + height),
            KeyAction::Top => self.page(|_, _| 0),
            KeyAction::Bottom => self.page(|_, _| usize::MAX),
            KeyAction::Flip => self.flip(model, None),
            KeyAction::Fold => self.flip(model, Some(true)),
            KeyAction::Open => self.flip(model, Some(false)),
            KeyAction::Follow => {
                self.follows = !self.follows;
                self.selected = if self.follows { None } else { self.seen(model) };
            }
            KeyAction::Reasoning => self.reasoning = !self.reasoning,
            KeyAction::Notes => {
                self.notes = match self.notes {
                    NoticesShown::Few => NoticesShown::Many,
                    NoticesShown::Many => NoticesShown::Hidden,
                    NoticesShown::Hidden => NoticesShown::Few,
                };
            }
            KeyAction::Help => self.help = !self.help,
        }
    }

    /// The row in view that is being written, or the first row in view.
    fn seen(&self, model: &Model) -> Option<ItemId> {
        let last = model.last.filter(|id| {
            self.row_of(*id).is_some_and(|at| self.is_seen(&self.rows[at]))
                && model.item(*id).state() == ItemState::Writing
        });
        last.or_else(|| self.rows.iter().find(|row| self.is_seen(row)).map(|row| row.id))
    }

    fn is_seen(&self, row: &Row) -> bool {
        row.end() > self.scroll && row.top() < self.scroll + self.height
    }

    /// The selected row. Without a selection, selects the row in view. The view stops following.
    fn select(&mut self, model: &Model) -> Option<usize> {
        if let Some(at) = self.selected.and_then(|id| self.row_of(id)) {
            self.follows = false;
            return Some(at);
        }
        self.follows = false;
        self.selected = self.seen(model);
        None
    }

    fn down(&mut self, model: &Model) {
        let Some(at) = self.select(model) else { return };
        if self.rows[at].end() > self.scroll + self.height {
            self.scroll += 1;
        } else if let Some(next) = self.rows.get(at + 1) {
            self.selected = Some(next.id);
            // For a row taller than the screen, shows its beginning.
            let end = next.end().min(next.top() + self.height);
            self.scroll = self.scroll.max(end.saturating_sub(self.height));
        }
    }

    fn up(&mut self, model: &Model) {
        let Some(at) = self.select(model) else { return };
        if self.rows[at].top() < self.scroll {
            self.scroll -= 1;
        } else if let Some(before) = at.checked_sub(1).map(|at| &self.rows[at]) {
            self.selected = Some(before.id);
            self.scroll =
                self.scroll.min(before.top().max(before.end().saturating_sub(self.height)));
        }
    }

    fn page(&mut self, to: impl Fn(usize, usize) -> usize) {
        self.follows = false;
        let end = self.rows.last().map_or(0, Row::end);
        let step = self.height.saturating_sub(1).max(1);
        self.scroll = to(self.scroll, step).min(end.saturating_sub(self.height));
        let (scroll, height) = (self.scroll, self.height);
        let seen = |row: &&Row| row.end() > scroll && row.top() < scroll + height;
        let at_end = scroll + height >= end && to(1, step) > 1;
        let row = if at_end { self.rows.last() } else { self.rows.iter().find(seen) };
        self.selected = row.map(|row| row.id);
    }

    /// Folds or opens the selected row; without a selection, selects one.
    fn flip(&mut self, model: &Model, folds: Option<bool>) {
        let Some(at) = self.select(model) else { return };
        let id = self.rows[at].id;
        let item = model.item(id);
        let is_folded = self.is_short(id, item, model);
        if folds.is_none_or(|folds| folds != is_folded) {
            self.flip_item(id);
        }
    }
}
