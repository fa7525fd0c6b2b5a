//! Folds patches into documents, by their operation, as any consumer does.

use patchwire::{
    Completion, OwnedPatch, PatchOp, PathBuf, ValueKind, ValueRef, document::DocId, event::Origin,
};

use super::item::{ItemBody, ItemId, ItemRole, ItemState};
use super::items::Items;
use super::{Model, SchemaPlan};

impl Model {
    pub(super) fn patch(&mut self, patch: &OwnedPatch) {
        let root = self.document_of(patch.document, &patch.origin);
        self.current = Some(root);
        let mut id = root;
        for step in patch.path.segments() {
            id = self.items.child_or_new(id, step);
        }
        // Arguments of calls are not fields of the answer.
        if !patch.path.is_empty() && patch.origin.call.is_none() {
            self.counters.field();
        }
        // The end of a container comes without a value and is not shown.
        if patch.op != PatchOp::Done || patch.value.is_some() {
            self.last = Some(id);
        }
        let value = patch.value.as_ref().map(|value| value.as_ref());
        match patch.op {
            PatchOp::Open => self.items.begin(id, value.map_or(ValueKind::Null, ValueRef::kind)),
            PatchOp::Delta => self.items.append(id, &patch.delta),
            PatchOp::Done => self.done(id, patch),
            PatchOp::Replace => {
                // A text is emitted as text first; that it becomes the value is no repair.
                let is_new = self.items.get(id).body == ItemBody::Absent;
                if let Some(value) = value {
                    self.items.set(id, value);
                }
                if patch.completion.is_some() {
                    let state = if is_new && !patch.repaired {
                        ItemState::Done
                    } else {
                        ItemState::Repaired
                    };
                    self.items.settle(id, state);
                }
            }
            PatchOp::Remove => self.items.remove(id),
        }
    }

    fn done(&mut self, id: ItemId, patch: &OwnedPatch) {
        if let Some(value) = patch.value.as_ref().map(|value| value.as_ref())
            && !self.items.holds(id, value)
        {
            self.items.set(id, value);
        }
        let is_ended = patch.completion == Some(Completion::EndOfInput);
        let state = match patch.repaired {
            // Arguments are an object, which has an end of its own.
            _ if is_ended && patch.origin.call.is_some() => ItemState::Cut,
            true => ItemState::Repaired,
            false => ItemState::Done,
        };
        if is_ended {
            self.ended.push(id);
        }
        self.items.settle(id, state);
    }

    /// Sets a document to a snapshot.
    pub(super) fn snapshot(&mut self, document: DocId, origin: &Origin, value: ValueRef<'_>) {
        let root = self.document_of(document, origin);
        self.items.set(root, value);
        self.last = Some(root);
    }

    /// The root of a document. The answer's document takes the place of the declared form.
    fn document_of(&mut self, document: DocId, origin: &Origin) -> ItemId {
        if let Some(root) = self.documents.get(&document) {
            return *root;
        }
        let parent = match origin.call {
            Some(call) => self.calls.get(&call).copied(),
            None => origin.element.and_then(|id| self.elements.get(&id).copied()),
        };
        let expected = if document == DocId::ANSWER { self.expected.take() } else { None };
        let root = expected.unwrap_or_else(|| self.items.add(ItemRole::Document, "", None));
        self.top.retain(|id| *id != root);
        match parent {
            Some(parent) => self.items.adopt(parent, root),
            None => {
                self.top.push(root);
                self.close_before(self.top.len() - 1);
            }
        }
        if document == DocId::ANSWER && self.items.plan.is_some() {
            self.items.get_mut(root).want = Some(SchemaPlan::ROOT);
        }
        self.documents.insert(document, root);
        root
    }
}

impl Items {
    pub(super) fn append(&mut self, id: ItemId, delta: &str) {
        let item = self.get_mut(id);
        match &mut item.body {
            ItemBody::Text(text) => text.push_str(delta),
            body => *body = ItemBody::Text(delta.to_owned()),
        }
        item.progress = ItemState::Writing;
    }

    /// Whether the item already has this complete value.
    fn holds(&self, id: ItemId, value: ValueRef<'_>) -> bool {
        match (&self.get(id).body, value.kind()) {
            (ItemBody::Text(text), ValueKind::String) => value.as_str() == Some(text),
            (ItemBody::List, ValueKind::List) | (ItemBody::Object, ValueKind::Object) => true,
            _ => false,
        }
    }

    /// Adds an item without a parent to a parent.
    fn adopt(&mut self, parent: ItemId, child: ItemId) {
        self.get_mut(child).parent = Some(parent);
        self.get_mut(parent).add("", child);
    }

    /// The item at a path, or its nearest ancestor and the rest of the path. Creates an item for a
    /// missing member.
    pub(super) fn nearest(&mut self, root: ItemId, path: &PathBuf) -> (ItemId, String) {
        let mut id = root;
        let mut rest = PathBuf::root();
        for step in path.segments() {
            let item = self.get(id);
            let is_member =
                matches!(step, patchwire::path::Segment::Key(_)) && item.body == ItemBody::Object;
            match self.child(id, step) {
                Some(child) if rest.is_empty() => id = child,
                None if rest.is_empty() && is_member => id = self.child_or_new(id, step),
                _ => rest = rest.child(step),
            }
        }
        (id, rest.to_string())
    }
}
