//! The item behind a row of the view.

use std::collections::HashMap;

use patchwire::{Code, ValueKind, event::CloseReason};

use super::schema_plan::PlannedFieldId;

/// The number of an item in its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ItemId(pub(super) u32);

impl ItemId {
    pub(super) fn of(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The progress of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemState {
    /// The schema declares it, and none of it arrived.
    Waiting,
    Writing,
    Done,
    /// Complete because of a lenient rule, or corrected at the end.
    Repaired,
    /// The input ended inside it.
    Cut,
    /// It fails a check.
    Failed,
}

impl ItemState {
    /// Whether the item no longer changes.
    pub(crate) const fn is_over(self) -> bool {
        !matches!(self, Self::Waiting | Self::Writing)
    }

    /// Whether the item reached its own end.
    pub(super) const fn is_complete(self) -> bool {
        matches!(self, Self::Done | Self::Repaired)
    }
}

/// What an item is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ItemRole {
    /// Text outside elements and documents.
    Text,
    /// Reasoning of the model.
    Reasoning,
    /// An element of the tag set.
    Element {
        channel: Box<str>,
        /// The parameters as they were written.
        params: String,
        closed: Option<CloseReason>,
    },
    /// A tool call that the provider delivers in a field of its own.
    Call { tool: String, id: String },
    /// The model's refusal.
    Refusal,
    /// The attempt's number; its text says why the last attempt was rejected.
    Attempt,
    /// How the stream ended, if that needs a line.
    End,
    /// The root of a document.
    Document,
    /// A member of an object, or an item of a list.
    Field,
}

/// The value of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ItemBody {
    Absent,
    Text(String),
    /// A number, bool or null, as JSON.
    Scalar(ValueKind, String),
    List,
    Object,
}

/// One item of the view. Its children name it as their parent.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) role: ItemRole,
    /// A key, an element's name or a channel; empty for list items.
    pub(crate) name: Box<str>,
    pub(crate) body: ItemBody,
    pub(crate) parent: Option<ItemId>,
    pub(crate) children: Vec<ItemId>,
    /// What the schema declares for it.
    pub(crate) want: Option<PlannedFieldId>,
    /// The notice code of the first rule that changed it.
    pub(crate) code: Option<Code>,
    /// The check that it fails.
    pub(crate) failure: Option<Box<str>>,
    pub(super) progress: ItemState,
    /// How often its value was replaced. Between two replacements, text only grows.
    pub(crate) turn: u32,
    /// An index of members by key, for objects with many.
    keys: Option<HashMap<Box<str>, ItemId>>,
}

/// From this many members on, they are indexed.
const MANY: usize = 16;

impl Item {
    pub(super) fn new(role: ItemRole, name: &str, parent: Option<ItemId>) -> Self {
        Self {
            role,
            name: name.into(),
            body: ItemBody::Absent,
            parent,
            children: Vec::new(),
            want: None,
            code: None,
            failure: None,
            progress: ItemState::Waiting,
            turn: 0,
            keys: None,
        }
    }

    /// The progress. A failed check counts first.
    pub(crate) const fn state(&self) -> ItemState {
        if self.failure.is_some() { ItemState::Failed } else { self.progress }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.body {
            ItemBody::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is a field without children.
    pub(super) fn is_leaf(&self) -> bool {
        self.role == ItemRole::Field
            && matches!(self.body, ItemBody::Text(_) | ItemBody::Scalar(..))
    }

    /// Removes its value.
    pub(super) fn clear(&mut self) {
        self.body = ItemBody::Absent;
        self.children = Vec::new();
        self.keys = None;
        self.code = None;
        self.progress = ItemState::Waiting;
        self.turn += 1;
    }

    /// The member of this name, if members are indexed; `None` if they must be searched.
    pub(super) fn indexed(&self, key: &str) -> Option<Option<ItemId>> {
        self.keys.as_ref().map(|keys| keys.get(key).copied())
    }

    /// Adds a member.
    pub(super) fn add(&mut self, name: &str, id: ItemId) {
        self.children.push(id);
        if let Some(keys) = &mut self.keys {
            keys.insert(name.into(), id);
        }
    }

    pub(super) fn remove(&mut self, name: &str, id: ItemId) {
        self.children.retain(|child| *child != id);
        if let Some(keys) = &mut self.keys {
            keys.remove(name);
        }
    }

    /// Whether there are enough members for an index, and none exists.
    pub(super) fn outgrows_search(&self) -> bool {
        self.keys.is_none() && self.children.len() > MANY
    }

    pub(super) fn look_up(&mut self, keys: HashMap<Box<str>, ItemId>) {
        self.keys = Some(keys);
    }
}
