//! What a view shows, folded from events. It knows no terminal and no clock.
//!
//! ```text
//! item      what a row is about: a field, an element, a text
//! items     all of them, and the way from one to another
//! plan      what a schema declares before anything is written
//! patches   documents, from patches
//! parts     texts, reasoning and elements
//! notes     what was noticed
//! calls     calls of tools that the provider sends apart
//! attempts  another attempt, and why the one before was none
//! facts     what is told beside the answer: tokens, why the model stopped
//! end       how it ended, and what is said of that
//! counters  how much came, and how fast
//! ```

mod attempts;
mod calls;
mod counters;
mod end;
mod facts;
mod item;
mod items;
mod notices;
mod patches;
mod schema_plan;
#[cfg(test)]
mod tests;
mod texts;

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use patchwire::{
    Answer, Outcome, OwnedEvent, Schema, check::Failure, document::DocId, event::ElementId,
};

pub(crate) use counters::Counters;
pub(crate) use end::{NoAnswerCause, StreamEnd};
pub(crate) use facts::Facts;
pub(crate) use item::{Item, ItemBody, ItemId, ItemRole, ItemState};
pub(crate) use notices::{NoticeEntry, NoticeList};

use items::Items;
use schema_plan::SchemaPlan;

/// All that is shown of a stream.
#[derive(Default)]
pub(super) struct Model {
    items: Items,
    /// What lies in nothing else, in order.
    top: Vec<ItemId>,
    documents: BTreeMap<DocId, ItemId>,
    elements: HashMap<ElementId, ItemId>,
    /// By their numbers in the attempt.
    calls: HashMap<u32, ItemId>,
    /// The document that the schema speaks of, until something of it comes.
    expected: Option<ItemId>,
    /// The document of the last patch: what notices speak of.
    current: Option<ItemId>,
    /// Values that were complete only because the input ended.
    ended: Vec<ItemId>,
    failed: Vec<ItemId>,
    /// Whether the text outside elements is the answer, as far as is known.
    is_text: bool,
    /// Whether it was before anything came.
    was_text: bool,
    /// Whether calls of tools are an answer: nothing says what the value should be.
    calls_will_do: bool,
    /// Why the attempt before was none, until the next begins.
    refused: Option<String>,
    pub(super) notes: NoticeList,
    pub(super) counters: Counters,
    pub(super) facts: Facts,
    /// The attempt that is shown, if it is not the only one.
    pub(super) attempt: Option<u32>,
    /// How often all began anew: until then items keep their numbers.
    pub(super) resets: u32,
    pub(super) end: Option<StreamEnd>,
    /// Where something happened last.
    pub(super) last: Option<ItemId>,
}

impl Model {
    pub(super) fn new(schema: Option<&Schema>) -> Self {
        let mut model = Self::default();
        model.items.plan = schema.map(SchemaPlan::new);
        model.expect();
        model
    }

    /// The same of an answer that is text.
    pub(super) fn of_text(self) -> Self {
        Self { is_text: true, was_text: true, ..self }
    }

    /// The same where calls of tools are an answer.
    pub(super) fn of_calls(self) -> Self {
        Self { calls_will_do: true, ..self }
    }

    /// Shows the form that the schema declares, with nothing in it.
    fn expect(&mut self) {
        if self.items.plan.is_some() {
            let root = self.items.add(ItemRole::Document, "", None);
            self.items.get_mut(root).want = Some(SchemaPlan::ROOT);
            self.items.declare(root);
            self.expected = Some(root);
            self.top.push(root);
        }
    }

    /// A chunk came. Its events follow.
    pub(super) fn chunk(&mut self, bytes: usize, at: Duration) {
        self.counters.chunk(bytes, at);
    }

    pub(super) fn event(&mut self, event: &OwnedEvent) {
        match event {
            OwnedEvent::Patch(patch) => self.patch(patch),
            OwnedEvent::Text { channel, element, delta, .. } => self.text(channel, *element, delta),
            OwnedEvent::Reasoning { element, delta, .. } => self.reasoning(*element, delta),
            OwnedEvent::ReasoningDone { .. } => self.reasoning_done(),
            OwnedEvent::ElementOpen { id, parent, name, channel, params, .. } => {
                let parent = parent.and_then(|id| self.elements.get(&id).copied());
                let item = self.element_open(parent, name, channel, params);
                self.elements.insert(*id, item);
            }
            OwnedEvent::ElementClose { id, reason, .. } => self.element_close(*id, *reason),
            OwnedEvent::Notice(notice) => self.notice(notice),
            OwnedEvent::Reclassify { channel, .. } if channel == "reasoning" => {
                self.was_reasoning();
            }
            OwnedEvent::Verdict(failure) => self.fails(failure),
            OwnedEvent::ToolCall { call, id, name, .. } => {
                self.call(*call, id.as_deref(), name.as_deref());
            }
            OwnedEvent::RootComplete { document, .. } => self.call_done(*document),
            OwnedEvent::Snapshot { document, origin, value, .. } => {
                self.snapshot(*document, origin, value.as_ref());
            }
            OwnedEvent::Rejected(rejection) => self.rejected(rejection),
            OwnedEvent::Reset { attempt, .. } => self.reset(*attempt),
            OwnedEvent::Final(answer) => self.answer(answer),
            _ => {}
        }
    }

    fn answer(&mut self, answer: &Answer) {
        self.judge(answer);
        let is_called = self.calls_will_do && !self.calls.is_empty();
        let outcome = match answer.outcome() {
            // The engine knows of calls in the text only.
            Outcome::NoAnswer | Outcome::Empty if is_called => Outcome::ToolCalls,
            outcome => outcome,
        };
        self.over(StreamEnd::Answer(outcome));
    }

    /// The end has the last word on what is wrong.
    pub(super) fn judge(&mut self, answer: &Answer) {
        for id in core::mem::take(&mut self.failed) {
            self.items.get_mut(id).failure = None;
        }
        let cut = core::mem::take(&mut self.ended);
        if answer.outcome() == Outcome::Truncated {
            cut.into_iter().for_each(|id| self.items.settle(id, ItemState::Cut));
        }
        answer.failures().iter().for_each(|failure| self.fails(failure));
        self.drop_copy();
    }

    /// Where the answer is a text, its value is what is there already: it is not shown again.
    fn drop_copy(&mut self) {
        let Some(root) = self.documents.get(&DocId::ANSWER) else { return };
        let value = self.item(*root).text().map(str::trim);
        let is_copied = |id: &ItemId| {
            let item = self.item(*id);
            item.role == ItemRole::Text && item.text().map(str::trim) == value
        };
        if value.is_some() && self.top.iter().any(is_copied) {
            self.top.retain(|id| id != root);
        }
    }

    fn fails(&mut self, failure: &Failure) {
        let Some(root) = self.documents.get(&DocId::ANSWER).copied().or(self.expected) else {
            return;
        };
        let (id, rest) = self.items.nearest(root, &failure.path);
        let what = if rest.is_empty() {
            failure.kind.to_string()
        } else {
            format!("{rest} {}", failure.kind)
        };
        let item = self.items.get_mut(id);
        if item.failure.is_none() {
            item.failure = Some(what.into());
            self.failed.push(id);
        }
    }

    pub(super) fn item(&self, id: ItemId) -> &Item {
        self.items.get(id)
    }

    /// What lies in nothing else, in order.
    pub(super) fn top(&self) -> &[ItemId] {
        &self.top
    }

    /// Whether the text outside elements is the answer.
    pub(super) const fn is_text(&self) -> bool {
        self.is_text
    }

    /// What is said of a place before anything is written there.
    pub(super) fn wanted(&self, item: &Item) -> Option<&str> {
        let plan = self.items.plan.as_ref()?;
        item.want.map(|want| plan.want(want).words.as_str())
    }

    /// Fields that are complete, and how many there are to be where a schema says so.
    pub(super) fn progress(&self) -> (usize, Option<usize>) {
        let root = self.documents.get(&DocId::ANSWER).copied().or(self.expected);
        match root.filter(|_| self.items.plan.is_some()) {
            Some(root) => {
                let (done, all) = self.items.declared(root);
                (done, Some(all).filter(|all| *all > 0))
            }
            None => (self.items.leaves_done, None),
        }
    }

    #[cfg(test)]
    pub(super) fn document(&self, id: DocId) -> Option<ItemId> {
        self.documents.get(&id).copied()
    }
}
