//! What was noticed, and where.

use patchwire::{Notice, Severity};

use super::{Model, State};

/// One thing that was noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::watch) struct Note {
    /// A notice's code, or the name of what else it is.
    pub(in crate::watch) code: String,
    /// The byte.
    pub(in crate::watch) at: u64,
    /// The value it concerns, if it concerns one.
    pub(in crate::watch) path: String,
    pub(in crate::watch) message: String,
    /// Whether something is missing from the value.
    pub(in crate::watch) is_loss: bool,
}

/// The first of them, and how many there were.
#[derive(Debug, Default)]
pub(in crate::watch) struct Notes {
    pub(in crate::watch) kept: Vec<Note>,
    pub(in crate::watch) count: usize,
}

/// Most that are kept. Answers keep as many.
const KEPT: usize = 1000;

impl Notes {
    pub(super) fn add(&mut self, code: &str, at: u64, message: &str) {
        self.push(Note {
            code: code.to_owned(),
            at,
            path: String::new(),
            message: message.to_owned(),
            is_loss: false,
        });
    }

    fn push(&mut self, note: Note) {
        self.count += 1;
        if self.kept.len() < KEPT {
            self.kept.push(note);
        }
    }
}

impl Model {
    pub(super) fn notice(&mut self, notice: &Notice<'_>) {
        self.notes.push(Note {
            code: notice.code.name().to_owned(),
            at: notice.span.start,
            path: notice.path.to_string(),
            message: notice.code.message().to_owned(),
            is_loss: notice.code.severity() == Severity::Loss,
        });
        if notice.path.is_empty() || notice.code.severity() == Severity::Info {
            return;
        }
        let Some(mut id) = self.current else { return };
        for step in notice.path.segments() {
            let Some(child) = self.items.child(id, step) else { return };
            id = child;
        }
        let item = self.items.get_mut(id);
        item.code.get_or_insert(notice.code);
        if item.progress == State::Done {
            item.progress = State::Repaired;
        }
    }
}
