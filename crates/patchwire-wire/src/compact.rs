//! The compact form: patchwire's own events, in which each path is written once.

use std::collections::HashMap;

use patchwire::{
    Completion, PatchOp, Span, ValueKind, document::DocId, event::ElementId, event::Origin,
    path::Segment,
};
use serde_json::{Map, Value as Json};

use crate::event_ref::{EventRef, EventView, PatchView};
use crate::json_events::JsonEvents;
use crate::message::Message;
use crate::ops::empty;
use crate::protocol::{Failure, Protocol};
use crate::text::{json, quoted};

/// All events with less than half of the bytes of [`JsonEvents`], and for text about its own size: a field is
/// written out once, and has a number from then on.
///
/// | a line | is |
/// |---|---|
/// | `"text"` | more text of the same field, or more of the same text or reasoning, as in the line before |
/// | `["delta",4,[8,11],"text"]` | a patch: kind, field, span, and text or value if there is one |
/// | `{"event":…}` | any other event, in patchwire's own form |
///
/// Fields are numbered from 0 in the order in which they appear. `[0,"title"]` in place of a number is a new field:
/// the member `title` of field 0. A list may name several new fields, each inside the one before. `[null]` is the
/// root of a new document. A span is `[start,end]`, or its length if it starts at the furthest end so far of the
/// spans of patches, text and reasoning. The span of a line that is a string starts there too, and is as long as
/// the text in UTF-8.
///
/// In place of the kind may be an object with `kind` and the members of the event that are not the usual ones:
/// `completion` if a `done` is not `observed`, `repaired`, `deferred`, and for the root of a document `element`,
/// `root`, `attempt` and `call`, which all its fields have.
#[derive(Debug, Clone, Default)]
pub struct Compact {
    /// The number of each root.
    roots: HashMap<(u32, Option<u32>, DocId), u32>,
    /// The number of each field, by the field that contains it.
    fields: HashMap<(u32, Step), u32>,
    /// How many fields have a number.
    count: u32,
    /// What the last line is about, if a string may follow.
    grows: Option<Grows>,
    /// The end of the last span.
    at: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Step {
    Key(Box<str>),
    Index(u32),
}

/// What grows.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Grows {
    Field(u32),
    Text(Box<str>, Option<ElementId>),
    Reasoning(Option<ElementId>),
}

impl Protocol for Compact {
    fn feed(&mut self, event: EventRef<'_>, sink: &mut dyn FnMut(Message)) {
        let (message, span) = match event.view() {
            EventView::Patch(patch) => (self.patch(&patch), patch.span),
            EventView::Text { channel, delta, element, span } => {
                let grows = Grows::Text(channel.into(), element);
                (self.text(grows, delta, span, &event), span)
            }
            EventView::Reasoning { delta, element, span } => {
                (self.text(Grows::Reasoning(element), delta, span, &event), span)
            }
            _ => {
                self.grows = None;
                return JsonEvents::default().feed(event, sink);
            }
        };
        self.at = self.at.max(span.end);
        sink(message);
    }

    fn fail(&mut self, failure: &Failure<'_>, sink: &mut dyn FnMut(Message)) {
        JsonEvents::default().fail(failure, sink);
    }
}

impl Compact {
    /// Text or reasoning.
    fn text(&mut self, grows: Grows, delta: &str, span: Span, event: &EventRef<'_>) -> Message {
        let goes_on = self.goes_on(&grows, delta, span);
        let line = if goes_on { quoted(delta) } else { event.single_line() };
        self.grows = Some(grows);
        Message::new(line).with_name(event.name())
    }

    /// Whether a line may be only the text.
    fn goes_on(&self, grows: &Grows, delta: &str, span: Span) -> bool {
        let is_next = span.start == self.at && span.end == self.at + delta.len() as u64;
        is_next && self.grows.as_ref() == Some(grows)
    }

    fn patch(&mut self, patch: &PatchView<'_>) -> Message {
        let before = self.count;
        let (number, place) = self.place(patch);
        let grows = Grows::Field(number);
        let is_usual = patch.op == PatchOp::Delta && !patch.repaired && !patch.deferred;
        let line = if is_usual && self.goes_on(&grows, patch.delta, patch.span) {
            quoted(patch.delta)
        } else {
            let is_root = self.count > before && place.starts_with("[null");
            let kind = kind(patch, is_root.then_some(patch.origin));
            let Span { start, end } = patch.span;
            let span = match end.checked_sub(self.at) {
                Some(len) if start == self.at => len.to_string(),
                _ => format!("[{start},{end}]"),
            };
            match content(patch) {
                Some(content) => format!("[{kind},{place},{span},{content}]"),
                None => format!("[{kind},{place},{span}]"),
            }
        };
        self.grows = (patch.op == PatchOp::Delta).then_some(grows);
        Message::new(line).with_name("patch")
    }

    /// The number of a field, and what stands for it on the line.
    fn place(&mut self, patch: &PatchView<'_>) -> (u32, String) {
        let Origin { attempt, call, .. } = *patch.origin;
        let key = (attempt, call, patch.document);
        let mut new = Vec::new();
        let mut number = match self.roots.get(&key) {
            Some(number) => *number,
            None => {
                new.push("null".to_owned());
                let number = self.next();
                self.roots.insert(key, number);
                number
            }
        };
        for segment in patch.path.segments() {
            let step = Step::from(segment);
            number = match self.fields.get(&(number, step.clone())) {
                Some(known) => *known,
                None => {
                    if new.is_empty() {
                        new.push(number.to_string());
                    }
                    new.push(step.to_json());
                    let child = self.next();
                    self.fields.insert((number, step), child);
                    child
                }
            };
        }
        let place =
            if new.is_empty() { number.to_string() } else { format!("[{}]", new.join(",")) };
        (number, place)
    }

    const fn next(&mut self) -> u32 {
        self.count += 1;
        self.count - 1
    }
}

impl From<Segment<'_>> for Step {
    fn from(segment: Segment<'_>) -> Self {
        match segment {
            Segment::Key(key) => Self::Key(key.into()),
            Segment::Index(index) => Self::Index(index),
        }
    }
}

impl Step {
    fn to_json(&self) -> String {
        match self {
            Self::Key(key) => quoted(key),
            Self::Index(index) => index.to_string(),
        }
    }
}

/// The kind of a patch, with the members that are not the usual ones.
fn kind(patch: &PatchView<'_>, origin: Option<&Origin>) -> String {
    let mut members = Map::new();
    let usual = (patch.op == PatchOp::Done).then_some(Completion::Observed);
    if patch.completion != usual {
        members.insert("completion".into(), patch.completion.map(Completion::name).into());
    }
    for (name, is_set) in [("repaired", patch.repaired), ("deferred", patch.deferred)] {
        if is_set {
            members.insert(name.into(), true.into());
        }
    }
    if let Some(origin) = origin {
        let element = origin.element.map(|id| u64::from(id.get()));
        let root = (origin.root != 0).then_some(u64::from(origin.root));
        let attempt = (origin.attempt != 1).then_some(u64::from(origin.attempt));
        let call = origin.call.map(u64::from);
        let all = [("element", element), ("root", root), ("attempt", attempt), ("call", call)];
        for (name, number) in all {
            if let Some(number) = number {
                members.insert(name.into(), number.into());
            }
        }
    }
    if members.is_empty() {
        return quoted(patch.op.name());
    }
    members.insert("kind".into(), Json::from(patch.op.name()));
    json(&members)
}

/// The text or the value of a patch, as patchwire's own form has it.
fn content(patch: &PatchView<'_>) -> Option<String> {
    let is_leaf = |kind: ValueKind| !matches!(kind, ValueKind::List | ValueKind::Object);
    match patch.op {
        PatchOp::Delta => Some(quoted(patch.delta)),
        PatchOp::Open => patch.value.map(|value| empty(value.kind()).to_owned()),
        PatchOp::Done => patch.value.filter(|value| is_leaf(value.kind())).map(|it| it.to_string()),
        PatchOp::Replace => patch.value.map(|value| value.to_string()),
        PatchOp::Remove => None,
    }
}
