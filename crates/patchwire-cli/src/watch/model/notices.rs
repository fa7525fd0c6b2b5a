//! Notices and other remarks.

use patchwire::{
    notice::{OwnedNotice, Severity},
    path::Segment,
};

use super::{ItemId, ItemState, Model};

/// One notice, or another remark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NoticeEntry {
    /// The notice's code, or another name.
    pub(crate) code: String,
    /// The byte, if there is one.
    pub(crate) at: Option<u64>,
    /// The value's path, if there is one.
    pub(crate) path: String,
    pub(crate) message: String,
    /// Whether part of the value is missing.
    pub(crate) is_loss: bool,
}

/// The first notices, and how many there were.
#[derive(Debug, Default)]
pub(crate) struct NoticeList {
    pub(crate) kept: Vec<NoticeEntry>,
    pub(crate) count: usize,
}

/// How many are kept; an answer keeps as many.
const KEPT: usize = 1000;

impl NoticeList {
    /// Adds a remark that is no notice of the engine.
    pub(super) fn add(&mut self, code: &str, message: &str) {
        self.push(NoticeEntry {
            code: code.to_owned(),
            at: None,
            path: String::new(),
            message: message.to_owned(),
            is_loss: false,
        });
    }

    /// Begins another attempt: keeps only remarks about whole attempts.
    pub(super) fn of_another_attempt(mut self) -> Self {
        self.kept.retain(|note| note.at.is_none());
        self.count = self.kept.len();
        self
    }

    fn push(&mut self, note: NoticeEntry) {
        self.count += 1;
        if self.kept.len() < KEPT {
            self.kept.push(note);
        }
    }
}

impl Model {
    pub(super) fn notice(&mut self, notice: &OwnedNotice) {
        self.notes.push(NoticeEntry {
            code: notice.code.name().to_owned(),
            at: Some(notice.span.start),
            path: notice.path.clone(),
            message: notice.code.message().to_owned(),
            is_loss: notice.code.severity() == Severity::Loss,
        });
        if notice.path.is_empty() || notice.code.severity() == Severity::Info {
            return;
        }
        let Some(id) = self.current.and_then(|root| self.at(root, &notice.path)) else { return };
        let item = self.items.get_mut(id);
        item.code.get_or_insert(notice.code);
        if item.progress == ItemState::Done {
            item.progress = ItemState::Repaired;
        }
    }
    /// The item at a path in the form of patches: `a.b[0]["odd key"]`.
    fn at(&self, root: ItemId, path: &str) -> Option<ItemId> {
        let (mut id, mut rest) = (root, path);
        while !rest.is_empty() {
            if let Some(quoted) = rest.strip_prefix("[\"") {
                let mut keys = serde_json::Deserializer::from_str(&rest[1..]).into_iter::<String>();
                let key = keys.next()?.ok()?;
                rest = quoted.get(keys.byte_offset() - 1..)?.strip_prefix(']')?;
                id = self.items.child(id, Segment::Key(&key))?;
            } else if let Some(index) = rest.strip_prefix('[') {
                let (index, after) = index.split_once(']')?;
                id = self.items.child(id, Segment::Index(index.parse().ok()?))?;
                rest = after;
            } else {
                let name = rest.strip_prefix('.').unwrap_or(rest);
                let end = name.find(['.', '[']).unwrap_or(name.len());
                id = self.items.child(id, Segment::Key(&name[..end]))?;
                rest = &name[end..];
            }
        }
        Some(id)
    }
}
