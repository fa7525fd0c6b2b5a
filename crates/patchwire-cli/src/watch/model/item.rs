//! What a row of the view is about.

use std::collections::HashMap;

use patchwire::{Code, ValueKind, event::CloseReason};

use super::schema_plan::PlannedFieldId;

/// An item's number in its model.
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

/// How far an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemState {
    /// The schema declares it, and nothing of it came.
    Waiting,
    Writing,
    Done,
    /// It is there by a rule of lenient reading, or the end put it right.
    Repaired,
    /// The input ended in it.
    Cut,
    /// It is not what is wanted.
    Failed,
}

impl ItemState {
    /// Whether nothing more is to come.
    pub(crate) const fn is_over(self) -> bool {
        !matches!(self, Self::Waiting | Self::Writing)
    }

    /// Whether it came to its own end.
    pub(super) const fn is_complete(self) -> bool {
        matches!(self, Self::Done | Self::Repaired)
    }
}

/// What an item is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ItemRole {
    /// Text outside elements and documents.
    Text,
    /// What the model thinks.
    Reasoning,
    /// An element of the tag set.
    Element {
        channel: Box<str>,
        /// As they were written.
        params: String,
        closed: Option<CloseReason>,
    },
    /// A call of a tool that the provider sends apart: its name and the provider's name for it.
    Call { tool: String, id: String },
    /// Why the model does not answer, in its words.
    Refusal,
    /// Which attempt this is; its text is why the one before was none.
    Attempt,
    /// How it ended, where that is worth a word.
    End,
    /// The root of a document.
    Document,
    /// A member of an object, or an item of a list.
    Field,
}

/// What an item holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ItemBody {
    Absent,
    Text(String),
    /// A number, bool or null as JSON writes it.
    Scalar(ValueKind, String),
    List,
    Object,
}

/// One thing that is shown. What lies in it are the items that name it as their parent.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) role: ItemRole,
    /// A key, the name of an element, or a channel; empty for the items of a list.
    pub(crate) name: Box<str>,
    pub(crate) body: ItemBody,
    pub(crate) parent: Option<ItemId>,
    pub(crate) children: Vec<ItemId>,
    /// What the schema says of it.
    pub(crate) want: Option<PlannedFieldId>,
    /// Of the rules that shaped it the first.
    pub(crate) code: Option<Code>,
    /// What is wrong with it.
    pub(crate) failure: Option<Box<str>>,
    pub(super) progress: ItemState,
    /// How often it became something else. Text only grows until then.
    pub(crate) turn: u32,
    /// Members by key, where there are many.
    keys: Option<HashMap<Box<str>, ItemId>>,
}

/// From here on members are looked up and not searched for.
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

    /// How far it is; what is wrong with it counts most.
    pub(crate) const fn state(&self) -> ItemState {
        if self.failure.is_some() { ItemState::Failed } else { self.progress }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.body {
            ItemBody::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is a field that holds no others.
    pub(super) fn is_leaf(&self) -> bool {
        self.role == ItemRole::Field
            && matches!(self.body, ItemBody::Text(_) | ItemBody::Scalar(..))
    }

    /// Forgets what it holds.
    pub(super) fn clear(&mut self) {
        self.body = ItemBody::Absent;
        self.children = Vec::new();
        self.keys = None;
        self.code = None;
        self.progress = ItemState::Waiting;
        self.turn += 1;
    }

    /// The member of this name, where members are looked up; else they have to be searched.
    pub(super) fn indexed(&self, key: &str) -> Option<Option<ItemId>> {
        self.keys.as_ref().map(|keys| keys.get(key).copied())
    }

    /// A new member.
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

    /// Whether members are many by now, and searched still.
    pub(super) fn outgrows_search(&self) -> bool {
        self.keys.is_none() && self.children.len() > MANY
    }

    pub(super) fn look_up(&mut self, keys: HashMap<Box<str>, ItemId>) {
        self.keys = Some(keys);
    }
}
