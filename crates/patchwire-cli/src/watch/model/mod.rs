//! The model of a view, folded from events. It knows no terminal and no clock.
//!
//! ```text
//! item          the item behind a row: a field, an element, a text
//! items         all items, as a tree
//! json          items as JSON, to be copied
//! written       what the model wrote, as it came
//! schema_plan   the fields that a schema declares
//! patches       folds patches into documents
//! texts         texts, reasoning and elements
//! notices       notices and other remarks
//! calls         tool calls that the provider delivers in a field of its own
//! attempts      a new attempt, and why the last one was rejected
//! facts         token counts, why the model stopped
//! end           how the stream ended, and the lines that say so
//! counters      how much arrived, and how fast
//! ```

mod attempts;
mod calls;
mod counters;
mod end;
mod facts;
mod item;
mod items;
mod json;
mod notices;
mod patches;
mod schema_plan;
#[cfg(test)]
mod tests;
mod texts;
mod written;

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use patchwire::{
    Answer, Outcome, OwnedEvent, Schema, check::Failure, document::DocId, event::ElementId,
};
use patchwire_async::ResponseEvent;

pub(crate) use counters::Counters;
pub(crate) use end::{NoAnswerCause, StreamEnd};
pub(crate) use facts::Facts;
pub(crate) use item::{Item, ItemBody, ItemId, ItemRole, ItemState};
pub(crate) use notices::{NoticeEntry, NoticeList};

use items::Items;
use schema_plan::SchemaPlan;
use written::WrittenText;

/// Everything that is shown of a stream.
#[derive(Default)]
pub(super) struct Model {
    items: Items,
    /// The items without a parent, in order.
    top: Vec<ItemId>,
    documents: BTreeMap<DocId, ItemId>,
    elements: HashMap<ElementId, ItemId>,
    /// By call number in the attempt.
    calls: HashMap<u32, ItemId>,
    /// The document that the schema declares, until some of it arrives.
    expected: Option<ItemId>,
    /// The document of the last patch, to which notices refer.
    current: Option<ItemId>,
    /// Values that are complete only because the input ended.
    ended: Vec<ItemId>,
    failed: Vec<ItemId>,
    /// Whether the text outside elements is the answer, as far as is known.
    is_text: bool,
    /// The value of `is_text` before anything arrived.
    was_text: bool,
    /// Whether tool calls are an answer, because nothing says what the value should be.
    calls_will_do: bool,
    /// Why the last attempt was rejected, until the next one begins.
    refused: Option<String>,
    pub(super) notes: NoticeList,
    /// The answer as it came; empty if only its events are known.
    pub(super) written: WrittenText,
    pub(super) counters: Counters,
    pub(super) facts: Facts,
    /// The attempt that is shown, if there are several.
    pub(super) attempt: Option<u32>,
    /// How often the model started again. Between two restarts, items keep their numbers.
    pub(super) resets: u32,
    pub(super) end: Option<StreamEnd>,
    /// The item that changed last.
    pub(super) last: Option<ItemId>,
}

impl Model {
    pub(super) fn new(schema: Option<&Schema>) -> Self {
        let mut model = Self::default();
        model.items.plan = schema.map(SchemaPlan::new);
        model.expect();
        model
    }

    /// Expects an answer that is text.
    pub(super) fn of_text(self) -> Self {
        Self { is_text: true, was_text: true, ..self }
    }

    /// Accepts tool calls as an answer.
    pub(super) fn of_calls(self) -> Self {
        Self { calls_will_do: true, ..self }
    }

    /// Adds the form that the schema declares, without values.
    fn expect(&mut self) {
        if self.items.plan.is_some() {
            let root = self.items.add(ItemRole::Document, "", None);
            self.items.get_mut(root).want = Some(SchemaPlan::ROOT);
            self.items.declare(root);
            self.expected = Some(root);
            self.top.push(root);
        }
    }

    /// Counts a chunk, whose events follow.
    pub(super) fn chunk(&mut self, bytes: usize, at: Duration) {
        self.counters.chunk(bytes, at);
    }

    /// Shows an event of a response.
    pub(super) fn response_event(&mut self, event: &ResponseEvent) {
        match event {
            ResponseEvent::Parsed(event) => self.event(event),
            ResponseEvent::ToolCall { call, id, name, .. } => {
                self.call(*call, id.as_deref(), name.as_deref());
            }
            ResponseEvent::Snapshot { document, origin, value } => {
                self.snapshot(*document, origin, value.as_ref());
            }
            ResponseEvent::Rejected(rejection) => self.rejected(rejection),
            ResponseEvent::Reset { attempt } => self.reset(*attempt),
            _ => {}
        }
    }

    /// Shows an event of the engine.
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
            OwnedEvent::RootComplete { document, .. } => self.call_done(*document),
            OwnedEvent::Final(answer) => self.answer(answer),
            _ => {}
        }
    }

    fn answer(&mut self, answer: &Answer) {
        self.judge(answer);
        let is_called = self.calls_will_do && !self.calls.is_empty();
        let outcome = match answer.outcome() {
            // The engine knows only calls in the text.
            Outcome::NoAnswer | Outcome::Empty if is_called => Outcome::ToolCalls,
            outcome => outcome,
        };
        self.over(StreamEnd::Answer(outcome));
    }

    /// Shows the checks of the final answer, in place of those reported while streaming.
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

    /// If the answer is a text, its value repeats what is shown already, so it is removed.
    fn drop_copy(&mut self) {
        let Some(root) = self.documents.get(&DocId::ANSWER) else { return };
        let visible =
            |text: &str| -> String { text.chars().filter(|char| !char.is_whitespace()).collect() };
        let Some(value) = self.item(*root).text() else { return };
        if visible(value) == visible(&self.answer_texts().collect::<String>()) {
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

    /// The items without a parent, in order.
    pub(super) fn top(&self) -> &[ItemId] {
        &self.top
    }

    /// Whether the text outside elements is the answer.
    pub(super) const fn is_text(&self) -> bool {
        self.is_text
    }

    /// What the schema says about an item.
    pub(super) fn wanted(&self, item: &Item) -> Option<&str> {
        let plan = self.items.plan.as_ref()?;
        item.want.map(|want| plan.want(want).words.as_str())
    }

    /// How many fields are complete, and if there is a schema, how many it declares.
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

    /// How many elements closed, if there are any.
    pub(super) fn elements_done(&self) -> Option<usize> {
        let is_done = |id: &&ItemId| self.item(**id).state().is_over();
        let done = self.elements.values().filter(is_done).count();
        (!self.elements.is_empty()).then_some(done)
    }

    #[cfg(test)]
    pub(super) fn document(&self, id: DocId) -> Option<ItemId> {
        self.documents.get(&id).copied()
    }
}
