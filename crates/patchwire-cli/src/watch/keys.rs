//! What each key does.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::model::{ItemId, ItemState, Model};
use super::view::{NoticesShown, Row, Screen};

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
    Help,
}

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
        KeyCode::Char('?') => KeyAction::Help,
        _ => return None,
    })
}

impl Screen {
    /// Performs an action. The caller handles `Quit`.
    pub(super) fn act(&mut self, act: KeyAction, model: &Model) {
        self.keep_up(model);
        match act {
            KeyAction::Quit => {}
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
