//! The items of a view, as a tree.

use patchwire::{ValueKind, ValueRef, path::Segment};

use super::item::{Item, ItemBody, ItemId, ItemRole, ItemState};
use super::schema_plan::{PlannedFieldId, SchemaPlan};

/// Items by number, and what the schema declares for them. Removed items keep their numbers.
#[derive(Default)]
pub(super) struct Items {
    all: Vec<Item>,
    pub(super) plan: Option<SchemaPlan>,
    /// Fields without children that are complete.
    pub(super) leaves_done: usize,
}

impl Items {
    pub(super) fn get(&self, id: ItemId) -> &Item {
        &self.all[id.index()]
    }

    pub(super) fn get_mut(&mut self, id: ItemId) -> &mut Item {
        &mut self.all[id.index()]
    }

    pub(super) const fn len(&self) -> usize {
        self.all.len()
    }

    /// Adds an item as the last child of its parent, if it has one.
    pub(super) fn add(&mut self, role: ItemRole, name: &str, parent: Option<ItemId>) -> ItemId {
        let id = ItemId::of(self.all.len());
        self.all.push(Item::new(role, name, parent));
        if let Some(parent) = parent {
            self.get_mut(parent).add(name, id);
            if self.get(parent).outgrows_search() && !name.is_empty() {
                let children = &self.get(parent).children;
                let keys = children.iter().map(|id| (self.get(*id).name.clone(), *id)).collect();
                self.get_mut(parent).look_up(keys);
            }
        }
        id
    }

    /// A field that exists or is declared.
    pub(super) fn child(&self, parent: ItemId, step: Segment<'_>) -> Option<ItemId> {
        let item = self.get(parent);
        match step {
            Segment::Index(index) => item.children.get(index as usize).copied(),
            Segment::Key(key) => item.indexed(key).unwrap_or_else(|| {
                item.children.iter().copied().find(|id| *self.get(*id).name == *key)
            }),
        }
    }

    /// A field; created if it does not exist.
    pub(super) fn child_or_new(&mut self, parent: ItemId, step: Segment<'_>) -> ItemId {
        if let Some(id) = self.child(parent, step) {
            return id;
        }
        let name = if let Segment::Key(key) = step { key } else { "" };
        let want = self.want_of(parent, step);
        let id = self.add(ItemRole::Field, name, Some(parent));
        self.get_mut(id).want = want;
        id
    }

    fn want_of(&self, parent: ItemId, step: Segment<'_>) -> Option<PlannedFieldId> {
        let (plan, want) = (self.plan.as_ref()?, self.get(parent).want?);
        match step {
            Segment::Key(key) => plan.member(want, key),
            Segment::Index(_) => plan.want(want).item,
        }
    }

    /// Makes an item an empty object or list, with the declared members.
    pub(super) fn open(&mut self, id: ItemId, body: ItemBody) {
        let is_object = body == ItemBody::Object;
        self.get_mut(id).body = body;
        if is_object {
            self.declare(id);
        }
    }

    /// Adds the members that the schema declares for an item, and theirs.
    pub(super) fn declare(&mut self, id: ItemId) {
        let mut open = vec![id];
        while let Some(parent) = open.pop() {
            let Some(want) = self.get(parent).want else { continue };
            // A schema may contain itself: the inner fields are added when the value arrives.
            if self.is_inside(parent, want) {
                continue;
            }
            let Some(plan) = self.plan.take() else { return };
            for (name, member) in &plan.want(want).members {
                if self.child(parent, Segment::Key(name)).is_none() {
                    let child = self.add(ItemRole::Field, name, Some(parent));
                    self.get_mut(child).want = Some(*member);
                    open.push(child);
                }
            }
            self.plan = Some(plan);
        }
    }

    /// Whether an ancestor has the same declaration and no value has arrived yet.
    fn is_inside(&self, id: ItemId, want: PlannedFieldId) -> bool {
        let item = self.get(id);
        let mut above = item.parent;
        while let Some(parent) = above.filter(|_| item.body == ItemBody::Absent) {
            let parent = self.get(parent);
            if parent.want == Some(want) {
                return true;
            }
            above = parent.parent;
        }
        false
    }

    /// Begins a value.
    pub(super) fn begin(&mut self, id: ItemId, kind: ValueKind) {
        self.forget(id);
        match kind {
            ValueKind::Object => self.open(id, ItemBody::Object),
            ValueKind::List => self.open(id, ItemBody::List),
            _ => self.get_mut(id).body = ItemBody::Text(String::new()),
        }
        self.get_mut(id).progress = ItemState::Writing;
    }

    /// Replaces an item's value, with everything in it.
    pub(super) fn set(&mut self, id: ItemId, value: ValueRef<'_>) {
        self.forget(id);
        let mut open = vec![(id, value)];
        while let Some((id, value)) = open.pop() {
            self.set_one(id, value);
            for (index, (key, child)) in value.entries().enumerate() {
                let step = key.map_or(Segment::Index(index as u32), Segment::Key);
                open.push((self.child_or_new(id, step), child));
            }
        }
    }

    fn set_one(&mut self, id: ItemId, value: ValueRef<'_>) {
        match value.kind() {
            ValueKind::Object => self.open(id, ItemBody::Object),
            ValueKind::List => self.open(id, ItemBody::List),
            ValueKind::String => {
                let text = value.as_str().unwrap_or_default();
                self.get_mut(id).body = ItemBody::Text(text.to_owned());
            }
            kind => self.get_mut(id).body = ItemBody::Scalar(kind, value.to_string()),
        }
        if value.is_complete() {
            self.settle(id, ItemState::Done);
        } else {
            self.get_mut(id).progress = ItemState::Writing;
        }
    }

    /// Sets how an item ended.
    pub(super) fn settle(&mut self, id: ItemId, state: ItemState) {
        let item = self.get_mut(id);
        let counted = item.is_leaf() && item.progress.is_complete();
        item.progress = state;
        let counts = item.is_leaf() && state.is_complete();
        self.leaves_done = self.leaves_done + usize::from(counts) - usize::from(counted);
    }

    /// Removes an item's value, but not its declaration.
    fn forget(&mut self, id: ItemId) {
        self.discount(id);
        self.get_mut(id).clear();
    }

    /// Removes a field. A declared field becomes a waiting one again.
    pub(super) fn remove(&mut self, id: ItemId) {
        let declared = {
            let item = self.get(id);
            item.want.is_some() && !item.name.is_empty()
        };
        if declared {
            self.forget(id);
            return self.declare(id);
        }
        self.discount(id);
        let (name, parent) = (self.get(id).name.clone(), self.get(id).parent);
        if let Some(parent) = parent {
            self.get_mut(parent).remove(&name, id);
        }
        self.get_mut(id).clear();
    }

    /// Stops counting the leaves in an item as complete.
    fn discount(&mut self, id: ItemId) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let item = self.get(id);
            open.extend(&item.children);
            let counted = item.is_leaf() && item.progress.is_complete();
            self.leaves_done -= usize::from(counted);
        }
    }

    /// How many declared fields are complete, and how many exist. A list counts as one field.
    pub(super) fn declared(&self, root: ItemId) -> (usize, usize) {
        let (mut done, mut all) = (0, 0);
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            let item = self.get(id);
            let (Some(want), Some(plan)) = (item.want, &self.plan) else { continue };
            if item.body != ItemBody::List && !plan.want(want).members.is_empty() {
                open.extend(&item.children);
            } else if item.role == ItemRole::Field {
                all += 1;
                done += usize::from(item.progress.is_complete());
            }
        }
        (done, all)
    }
}
