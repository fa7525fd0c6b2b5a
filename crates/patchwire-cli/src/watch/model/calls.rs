//! Tool calls that the provider delivers in a field of its own: a block for each call, with its
//! arguments as a form.

use patchwire::document::DocId;

use super::Model;
use super::item::{ItemBody, ItemId, ItemRole, ItemState};

impl Model {
    /// A call began, or more of its names arrived.
    pub(super) fn call(&mut self, call: u32, id: Option<&str>, tool: Option<&str>) {
        let own = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let role = ItemRole::Call { tool: own(tool), id: own(id) };
        let item = match self.calls.get(&call) {
            Some(item) => {
                self.items.get_mut(*item).role = role;
                *item
            }
            None => {
                let item = self.part(role, "call", None);
                self.items.get_mut(item).progress = ItemState::Writing;
                self.calls.insert(call, item);
                item
            }
        };
        self.last = Some(item);
    }

    /// Completes the call to which this document of arguments belongs.
    pub(super) fn call_done(&mut self, document: DocId) {
        let parent = self.documents.get(&document).and_then(|root| self.item(*root).parent);
        if let Some(call) = parent.filter(|id| self.is_call(*id)) {
            self.items.settle(call, ItemState::Done);
        }
    }

    /// Completes all calls, and marks those whose arguments lack their end.
    pub(super) fn close_calls(&mut self) {
        let mut calls: Vec<ItemId> = self.calls.values().copied().collect();
        calls.sort_unstable();
        for call in calls {
            let item = self.item(call);
            let is_cut = |id: &ItemId| !self.item(*id).state().is_complete();
            let state =
                if item.children.iter().any(is_cut) { ItemState::Cut } else { ItemState::Done };
            if item.children.is_empty() {
                self.items.get_mut(call).body = ItemBody::Text(String::new());
            }
            if !self.item(call).state().is_over() {
                self.items.settle(call, state);
            }
        }
    }

    fn is_call(&self, id: ItemId) -> bool {
        matches!(self.item(id).role, ItemRole::Call { .. })
    }
}
