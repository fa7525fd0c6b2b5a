//! Events as words and text.
//!
//! A record has five words: its head, a number, the bytes of its text, and the start and end of its span. The head
//! holds the kind in its lowest four bits and flags above. The texts of all records follow one another. Patches,
//! text and reasoning have records of their own; every other event is its line on the wire.

use core::fmt::Write as _;

use patchwire::document::DocId;
use patchwire::event::{Completion, ElementId, Origin};
use patchwire::path::Segment;
use patchwire::wire::{IncludeValues, LineWriter};
use patchwire::{Answer, Error, Event, Patch, PatchOp, Span, ValueKind, ValueRef};

use crate::line::{Line, Turn};

/// Words of a record.
#[cfg(test)]
const WORDS: usize = 5;

/// The kind of a record. JavaScript has the same numbers in `decode.ts`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A string or container began; the number is its depth.
    Open = 0,
    /// A string grew; the number is its depth.
    Delta = 1,
    /// A value is complete; the number is its depth. A number has its text.
    Done = 2,
    /// Text outside the payload; the number is its element.
    Text = 3,
    /// Reasoning; the number is its element.
    Reasoning = 4,
    /// The channel of the texts that follow.
    Channel = 5,
    /// The document of the patches that follow; its text is its origin as JSON, or empty.
    Document = 6,
    /// The last step of the patch that follows is this key, at this depth.
    Key = 7,
    /// The last step of the patch that follows is the index in the place of the span's start.
    Index = 8,
    /// A line on the wire. For a patch, the number is its depth.
    Line = 9,
    /// The answer: its line on the wire. The number is where its value begins, in UTF-16 units; the start of the
    /// span is the length of the value.
    Final = 10,
    /// The tool calls of the answer, as JSON.
    Calls = 11,
    /// The stream stopped: the line of the error.
    Error = 12,
}

/// The number of a line that is no patch.
const NO_DEPTH: u32 = u32::MAX;
/// The step is one that JavaScript finds in its container.
const KNOWN: u32 = 1 << 4;
const REPAIRED: u32 = 1 << 10;
const DEFERRED: u32 = 1 << 11;
/// The record of a string that is complete has all of it.
const WHOLE: u32 = 1 << 12;

/// The records of one call.
#[derive(Debug, Default)]
pub struct Records {
    /// Five words of each record.
    pub words: Vec<u32>,
    /// The texts of all records, one after another.
    pub text: String,
}

impl Records {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.words.clear();
        self.text.clear();
    }

    fn push(&mut self, head: u32, number: u32, text: &str, span: Span) {
        self.text.push_str(text);
        self.close(head, number, text.len(), span);
    }

    fn close(&mut self, head: u32, number: u32, len: usize, span: Span) {
        // A stream has at most 1 GiB, so that offsets fit into 32 bits.
        // By value: a slice would be copied by a call.
        self.words.extend([head, number, len as u32, span.start as u32, span.end as u32]);
    }

    /// A record whose text `write` appends.
    fn written(&mut self, kind: Kind, number: u32, write: impl FnOnce(&mut String)) {
        let before = self.text.len();
        write(&mut self.text);
        self.close(kind as u32, number, self.text.len() - before, NOWHERE);
    }

    /// The error that stopped the stream.
    pub fn error(&mut self, error: &Error) {
        self.written(Kind::Error, 0, |out| {
            // Writing to a `String` cannot fail.
            let _ = write!(out, "{}", error.wire());
        });
    }
}

const NOWHERE: Span = Span { start: 0, end: 0 };

/// Turns the events of one stream into records.
#[derive(Debug, Default)]
pub struct Recorder {
    line: Line,
    document: Option<DocId>,
    channel: String,
    lines: LineWriter,
}

impl Recorder {
    /// Adds the records of an event.
    pub fn record(&mut self, event: &Event<'_>, out: &mut Records) {
        match event {
            Event::Patch(patch) => self.patch(patch, event, out),
            Event::Text(text) => {
                if self.channel != text.channel {
                    text.channel.clone_into(&mut self.channel);
                    out.push(Kind::Channel as u32, 0, text.channel, NOWHERE);
                }
                out.push(Kind::Text as u32, number(text.element), &text.delta, text.span);
            }
            Event::Reasoning(text) => {
                out.push(Kind::Reasoning as u32, number(text.element), &text.delta, text.span);
            }
            Event::Final(answer) => self.answer(answer, event, out),
            _ => self.other(event, NO_DEPTH, out),
        }
    }

    fn other(&mut self, event: &Event<'_>, number: u32, out: &mut Records) {
        out.written(Kind::Line, number, |text| {
            self.lines.append(event, IncludeValues::Leaf, text);
        });
    }

    fn patch(&mut self, patch: &Patch<'_>, event: &Event<'_>, out: &mut Records) {
        if self.document != Some(patch.document) {
            self.document = Some(patch.document);
            self.line.clear();
            let at = patch.document.index() as u32;
            out.written(Kind::Document, at, |text| write_origin(patch.origin, text));
        }
        let depth = patch.path.len();
        let kind = match patch.op {
            _ if patch.completion == Some(Completion::Reconciled) => None,
            PatchOp::Open => Some(Kind::Open),
            PatchOp::Delta => Some(Kind::Delta),
            PatchOp::Done => Some(Kind::Done),
            PatchOp::Replace | PatchOp::Remove => None,
        };
        let Some(kind) = kind else {
            // The finalizer goes in no order, and a removal moves the fields behind it.
            self.line.truncate(depth.saturating_sub(1));
            return self.other(event, depth as u32, out);
        };
        let value = patch.value;
        let is_scalar =
            !matches!(value.kind(), ValueKind::String | ValueKind::List | ValueKind::Object);
        let begins = kind == Kind::Open || (kind == Kind::Done && is_scalar);
        let send = |turn, depth, step: Segment<'_>| send_step(out, turn, depth, step);
        let is_last = self.line.go_to(patch.path, begins, send);
        // A text that is one of a few, such as that of an enum, is known as a whole: it has no beginning before its end.
        let whole = if kind == Kind::Done && !is_last { value.as_str() } else { None };
        let text = match kind {
            Kind::Delta => patch.delta.as_str(),
            Kind::Done => value.number_text().or(whole).unwrap_or_default(),
            _ => "",
        };
        let whole = if whole.is_some() { WHOLE } else { 0 };
        out.push(kind as u32 | flags(patch, value) | whole, depth as u32, text, patch.span);
    }

    fn answer(&mut self, answer: &Answer, event: &Event<'_>, out: &mut Records) {
        let mut line = String::new();
        self.lines.append(event, IncludeValues::Leaf, &mut line);
        let mut value = String::new();
        let _ = write!(value, "{}", answer.value());
        // Before the value there are only ASCII names.
        let start = line.find(VALUE).map_or(0, |at| at + VALUE.len()) as u64;
        let len = value.encode_utf16().count() as u64;
        out.push(Kind::Final as u32, start as u32, &line, Span { start: len, end: 0 });
        if !answer.calls().is_empty() {
            out.written(Kind::Calls, 0, |text| write_calls(answer.calls(), text));
        }
    }
}

const VALUE: &str = "\"value\":";

fn send_step(out: &mut Records, turn: Turn, depth: usize, step: Segment<'_>) {
    let known = if turn == Turn::Known { KNOWN } else { 0 };
    match step {
        Segment::Key(key) => out.push(Kind::Key as u32 | known, depth as u32, key, NOWHERE),
        Segment::Index(index) => {
            let span = Span { start: index.into(), end: 0 };
            out.push(Kind::Index as u32 | known, depth as u32, "", span);
        }
    }
}

fn number(element: Option<ElementId>) -> u32 {
    element.map_or(0, ElementId::get)
}

/// Bits 4 to 7: the kind of the value; 8 and 9: how its end is known; then whether it was repaired, and deferred.
fn flags(patch: &Patch<'_>, value: ValueRef<'_>) -> u32 {
    let kind = match value.kind() {
        ValueKind::Null => 0,
        ValueKind::Bool => 1 + u32::from(value.as_bool() == Some(true)),
        ValueKind::Number => 3,
        ValueKind::String => 4,
        ValueKind::List => 5,
        ValueKind::Object => 6,
    };
    let completion = match patch.completion {
        None => 0,
        Some(Completion::Observed) => 1,
        Some(_) => 2,
    };
    let repaired = if patch.repaired { REPAIRED } else { 0 };
    let deferred = if patch.deferred { DEFERRED } else { 0 };
    kind << 4 | completion << 8 | repaired | deferred
}

/// The parts that the wire form has.
fn write_origin(origin: &Origin, out: &mut String) {
    let element = origin.element.map(|id| format!("\"element\":{}", id.get()));
    let root = (origin.root > 0).then(|| format!("\"root\":{}", origin.root));
    let parts: Vec<String> = [element, root].into_iter().flatten().collect();
    if !parts.is_empty() {
        let _ = write!(out, "{{{}}}", parts.join(","));
    }
}

/// Tool calls as a JSON list.
pub fn write_calls(calls: &[patchwire::answer::Call], out: &mut String) {
    out.push('[');
    for (at, call) in calls.iter().enumerate() {
        out.push_str(if at > 0 { ",{" } else { "{" });
        if let Some(id) = call.id() {
            let _ = write!(out, "\"id\":{},", serde_json::Value::from(id));
        }
        let name = serde_json::Value::from(call.name());
        let (arguments, is_complete) = (call.arguments(), call.is_complete());
        let _ =
            write!(out, "\"name\":{name},\"arguments\":{arguments},\"isComplete\":{is_complete}}}");
    }
    out.push(']');
}

#[cfg(test)]
mod tests {
    use super::{Kind, Recorder, Records, WORDS};
    use patchwire::{Format, Schema, Spec};

    /// The kinds and texts of all records of a text.
    fn records(spec: &Spec, chunks: &[&str]) -> Vec<(u32, String)> {
        let (mut recorder, mut out) = (Recorder::default(), Records::default());
        let mut parser = spec.parser();
        for chunk in chunks {
            parser.feed(chunk, |event| recorder.record(&event, &mut out)).unwrap();
        }
        parser.finish(|event| recorder.record(&event, &mut out)).unwrap();
        let mut at = 0;
        let records = out.words.chunks(WORDS).map(|words| {
            let text = out.text[at..at + words[2] as usize].to_owned();
            at += text.len();
            (words[0] & 15, text)
        });
        let all: Vec<_> = records.collect();
        assert_eq!(at, out.text.len(), "no text is left over");
        all
    }

    #[test]
    fn a_delta_is_its_text_alone() {
        let found = records(&Spec::json(), &["{\"a\": \"x", "y", "z\"}"]);
        let deltas = found.iter().filter(|(kind, _)| *kind == Kind::Delta as u32);
        assert_eq!(deltas.map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["x", "y", "z"]);
        let keys = found.iter().filter(|(kind, _)| *kind == Kind::Key as u32).count();
        assert_eq!(keys, 1);
    }

    #[test]
    fn a_text_that_is_known_as_a_whole_is_sent_whole() {
        let schema = r#"{"type": "object", "properties": {"p": {"enum": ["low", "high"]}, "t": {"type": "string"}}}"#;
        let spec =
            Spec::builder().schema(Schema::from_text(schema).unwrap()).format(Format::Hybrid);
        let found = records(&spec.build().unwrap(), &["### p\nhi", "gh\n\n### t\nx\n"]);
        let done = found.iter().filter(|(kind, _)| *kind == Kind::Done as u32);
        assert_eq!(done.map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["high", "", ""]);
    }

    #[test]
    fn the_value_of_the_answer_is_found_in_its_line() {
        let spec = Spec::json();
        let (mut recorder, mut out) = (Recorder::default(), Records::default());
        let mut parser = spec.parser();
        parser.feed("{\"ü\": \"é😀\"}", |_| {}).unwrap();
        parser.finish(|event| recorder.record(&event, &mut out)).unwrap();
        let last = out.words.chunks(WORDS).last().unwrap();
        assert_eq!(last[0], Kind::Final as u32);
        let line = &out.text[out.text.len() - last[2] as usize..];
        let units: Vec<u16> = line.encode_utf16().collect();
        let value = &units[last[1] as usize..(last[1] + last[3]) as usize];
        assert_eq!(String::from_utf16(value).unwrap(), "{\"ü\":\"é😀\"}");
    }
}
