//! The compact form: patchwire's own events, in which each path is written once.

use patchwire::{
    Completion, PatchOp, Span, ValueKind, event::ElementId, event::Origin, wire::append_json_string,
};
use serde_json::{Map, Value as Json};

use crate::event_ref::{EventRef, EventView, PatchView};
use crate::field_numbers::FieldNumbers;
use crate::json_events::JsonEvents;
use crate::message::Message;
use crate::ops::empty;
use crate::protocol::{Failure, Protocol};
use crate::text::{append, json, quoted};

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
    fields: FieldNumbers,
    /// What the last line is about, if a string may follow.
    grows: Option<Grows>,
    /// The end of the last span.
    at: u64,
    /// The way to a new field, for the line that is being written.
    place: String,
}

/// What grows.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Grows {
    Field(u32),
    Text(Box<str>, Option<ElementId>),
    Reasoning(Option<ElementId>),
}

impl Grows {
    fn is_text(&self, channel: &str, element: Option<ElementId>) -> bool {
        matches!(self, Self::Text(open, within) if **open == *channel && *within == element)
    }
}

impl Protocol for Compact {
    fn feed(&mut self, event: EventRef<'_>, sink: &mut dyn FnMut(Message)) {
        let (line, span) = match event.view() {
            EventView::Patch(patch) => (self.patch(&patch), patch.span),
            EventView::Text { channel, delta, element, span } => {
                let is_same = self.grows.as_ref().is_some_and(|it| it.is_text(channel, element));
                let line = self.text(is_same, delta, span, &event);
                if !is_same {
                    self.grows = Some(Grows::Text(channel.into(), element));
                }
                (line, span)
            }
            EventView::Reasoning { delta, element, span } => {
                let grows = Some(Grows::Reasoning(element));
                let line = self.text(self.grows == grows, delta, span, &event);
                self.grows = grows;
                (line, span)
            }
            _ => {
                self.grows = None;
                return JsonEvents::default().feed(event, sink);
            }
        };
        self.at = self.at.max(span.end);
        sink(Message::new(line).with_name(event.name()));
    }

    fn fail(&mut self, failure: &Failure<'_>, sink: &mut dyn FnMut(Message)) {
        JsonEvents::default().fail(failure, sink);
    }
}

impl Compact {
    /// Text or reasoning.
    fn text(&self, is_same: bool, delta: &str, span: Span, event: &EventRef<'_>) -> String {
        if is_same && self.is_next(delta, span) { quoted(delta) } else { event.single_line() }
    }

    /// Whether a span is the one that a line of only this text has.
    const fn is_next(&self, delta: &str, span: Span) -> bool {
        span.start == self.at && span.end == self.at + delta.len() as u64
    }

    fn patch(&mut self, patch: &PatchView<'_>) -> String {
        self.place.clear();
        let (number, is_root) = self.fields.number(patch, &mut self.place);
        let grows = Some(Grows::Field(number));
        let is_usual = patch.op == PatchOp::Delta && !patch.repaired && !patch.deferred;
        let mut line = String::with_capacity(patch.delta.len() + 2);
        if is_usual && self.grows == grows && self.is_next(patch.delta, patch.span) {
            append_json_string(patch.delta, &mut line);
        } else {
            self.whole_line(patch, number, is_root, &mut line);
        }
        self.grows = grows.filter(|_| patch.op == PatchOp::Delta);
        line
    }

    /// A line with all that a patch has.
    fn whole_line(&self, patch: &PatchView<'_>, number: u32, is_root: bool, line: &mut String) {
        line.push('[');
        append_kind(patch, is_root.then_some(patch.origin), line);
        line.push(',');
        if self.place.is_empty() {
            append(number, line);
        } else {
            line.push_str(&self.place);
        }
        let Span { start, end } = patch.span;
        match end.checked_sub(self.at) {
            Some(len) if start == self.at => append(format_args!(",{len}"), line),
            _ => append(format_args!(",[{start},{end}]"), line),
        }
        append_content(patch, line);
        line.push(']');
    }
}

/// Appends the kind of a patch, with the members that are not the usual ones.
fn append_kind(patch: &PatchView<'_>, origin: Option<&Origin>, line: &mut String) {
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
        return append_json_string(patch.op.name(), line);
    }
    members.insert("kind".into(), Json::from(patch.op.name()));
    line.push_str(&json(&members));
}

/// Appends the text or the value of a patch, as patchwire's own form has it.
fn append_content(patch: &PatchView<'_>, line: &mut String) {
    let is_leaf = |kind: ValueKind| !matches!(kind, ValueKind::List | ValueKind::Object);
    match (patch.op, patch.value) {
        (PatchOp::Delta, _) => {
            line.push(',');
            append_json_string(patch.delta, line);
        }
        (PatchOp::Open, Some(value)) => append(format_args!(",{}", empty(value.kind())), line),
        (PatchOp::Done, Some(value)) if is_leaf(value.kind()) => {
            append(format_args!(",{value}"), line);
        }
        (PatchOp::Replace, Some(value)) => append(format_args!(",{value}"), line),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use patchwire::Span;

    use super::Compact;

    #[test]
    fn a_line_of_only_text_begins_where_the_last_one_ended() {
        let compact = Compact { at: 4, ..Compact::default() };
        for (start, end, is_next) in [(4, 7, true), (6, 7, false), (4, 8, false), (3, 6, false)] {
            assert_eq!(compact.is_next("abc", Span::new(start, end)), is_next, "{start}..{end}");
        }
    }
}
