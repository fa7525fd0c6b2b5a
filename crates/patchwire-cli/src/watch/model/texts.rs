//! Texts, reasoning and elements, in order of arrival.

use patchwire::event::{CloseReason, ElementId};

use super::Model;
use super::item::{ItemBody, ItemId, ItemRole, ItemState};

impl Model {
    pub(super) fn text(&mut self, channel: &str, element: Option<ElementId>, delta: &str) {
        let parent = element.and_then(|id| self.elements.get(&id).copied());
        self.grow(parent, &ItemRole::Text, channel, delta);
    }

    pub(super) fn reasoning(&mut self, element: Option<ElementId>, delta: &str) {
        let parent = element.and_then(|id| self.elements.get(&id).copied());
        self.grow(parent, &ItemRole::Reasoning, "reasoning", delta);
    }

    /// Adds a delta to the text before it. An element without other children holds the text itself.
    pub(super) fn grow(
        &mut self,
        parent: Option<ItemId>,
        role: &ItemRole,
        name: &str,
        delta: &str,
    ) {
        let children = parent.map_or(&*self.top, |parent| &self.items.get(parent).children);
        let last = children.iter().rev().copied().find(|id| Some(*id) != self.expected);
        let goes_on = last.filter(|id| {
            let item = self.items.get(*id);
            item.role == *role && *item.name == *name
        });
        let id = match (goes_on, parent) {
            (Some(id), _) => id,
            (None, Some(parent)) if last.is_none() => parent,
            // Whitespace between parts is not shown.
            _ if delta.trim().is_empty() => return,
            (None, parent) => self.part(role.clone(), name, parent),
        };
        self.items.append(id, delta);
        self.last = Some(id);
    }

    /// Adds a part before the declared form.
    pub(super) fn part(&mut self, role: ItemRole, name: &str, parent: Option<ItemId>) -> ItemId {
        let id = self.items.add(role, name, parent);
        if parent.is_none() {
            let at = self.top.len() - usize::from(self.expected.is_some());
            self.top.insert(at, id);
            self.close_before(at);
        }
        id
    }

    /// Completes the text before `at`: something else begins.
    pub(super) fn close_before(&mut self, at: usize) {
        if let Some(before) = at.checked_sub(1) {
            self.close_text(self.top[before]);
        }
    }

    fn close_text(&mut self, id: ItemId) {
        let item = self.items.get(id);
        let is_text = matches!(item.role, ItemRole::Text | ItemRole::Reasoning | ItemRole::Refusal);
        if is_text && item.state() == ItemState::Writing {
            self.items.settle(id, ItemState::Done);
        }
    }

    pub(super) fn close_texts(&mut self) {
        for id in (0..self.items.len()).map(ItemId::of) {
            self.close_text(id);
        }
    }

    /// Completes the reasoning that is being written.
    pub(super) fn reasoning_done(&mut self) {
        let of = |id: &&ItemId| self.items.get(**id).role == ItemRole::Reasoning;
        if let Some(id) = self.top.iter().rev().find(of).copied() {
            self.close_text(id);
        }
    }

    /// Turns the last text into reasoning: its opener was in the prompt.
    pub(super) fn was_reasoning(&mut self) {
        let of = |id: &&ItemId| self.items.get(**id).role == ItemRole::Text;
        if let Some(id) = self.top.iter().rev().find(of).copied() {
            let item = self.items.get_mut(id);
            item.role = ItemRole::Reasoning;
            item.name = "reasoning".into();
        }
    }

    pub(super) fn element_open(
        &mut self,
        parent: Option<ItemId>,
        name: &str,
        channel: &str,
        params: &[(String, String)],
    ) -> ItemId {
        // If elements hold the answer, text outside them does not.
        self.is_text &= channel != "answer";
        let params: Vec<String> =
            params.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let params = params.join(" ");
        let role = ItemRole::Element { channel: channel.into(), params, closed: None };
        let id = self.part(role, name, parent);
        self.items.get_mut(id).progress = ItemState::Writing;
        self.last = Some(id);
        id
    }

    pub(super) fn element_close(&mut self, id: ElementId, reason: CloseReason) {
        let Some(&id) = self.elements.get(&id) else { return };
        let last = self.items.get(id).children.last().copied();
        last.into_iter().for_each(|id| self.close_text(id));
        let item = self.items.get_mut(id);
        if let ItemRole::Element { closed, .. } = &mut item.role {
            *closed = Some(reason);
        }
        if item.body == ItemBody::Absent && item.children.is_empty() {
            item.body = ItemBody::Text(String::new());
        }
        let state = match reason {
            CloseReason::Observed => ItemState::Done,
            CloseReason::EndOfInput => ItemState::Cut,
            _ => ItemState::Repaired,
        };
        self.items.settle(id, state);
    }
}
