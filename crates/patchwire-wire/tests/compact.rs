//! The compact form says what patchwire's own form says.

use patchwire::path::Segment;
use patchwire::wire::IncludeValues;
use patchwire::{Completion, Event, Format, OwnedEvent, PatchOp, Spec, TagSet, ValueKind};
use patchwire_wire::{AgUi, Message, Protocol};
use patchwire_wire::{Compact, JsonEvents, JsonPatch, Ops, Sse, UiMessage};
use serde_json::{Map, Value, json};

use crate::cases;
use crate::streams::{Cuts, read, written};

/// The reader of docs/wire.md, in Rust: from a line to the event in patchwire's own form.
#[derive(Default)]
struct Reader {
    /// The path of each field, and what all patches of its document say.
    fields: Vec<(Vec<Value>, Map<String, Value>)>,
    last: Value,
    at: u64,
}

impl Reader {
    /// The event of a line; none if serde_json has no number for it, or not the depth.
    fn read(&mut self, line: &str) -> Option<Value> {
        let event = match serde_json::from_str(line).ok()? {
            Value::String(text) => self.more(text),
            Value::Array(patch) => self.patch(patch),
            event => event,
        };
        if ["patch", "text", "reasoning"].iter().any(|name| event["event"] == *name) {
            self.at = self.at.max(event["span"][1].as_u64().expect("a span"));
        }
        if ["final", "error"].iter().any(|name| event["event"] == *name) {
            // Another stream may follow.
            *self = Self::default();
        }
        self.last = event.clone();
        Some(event)
    }

    fn more(&self, text: String) -> Value {
        let mut event = self.last.clone();
        event["span"] = json!([self.at, self.at + text.len() as u64]);
        event["delta"] = text.into();
        // A patch without its members is the usual one.
        for unusual in ["repaired", "deferred", "completion"] {
            event.as_object_mut().expect("an event").remove(unusual);
        }
        event
    }

    fn patch(&mut self, patch: Vec<Value>) -> Value {
        let mut patch = patch.into_iter();
        let mut members = match patch.next().expect("a kind") {
            Value::Object(members) => members,
            kind => Map::from_iter([("kind".to_owned(), kind)]),
        };
        let field = self.field(&patch.next().expect("a field"), &mut members);
        let span = match patch.next().expect("a span") {
            Value::Number(len) => json!([self.at, self.at + len.as_u64().expect("a length")]),
            span => span,
        };
        let kind = members["kind"].clone();
        if kind == "done" {
            members.entry("completion").or_insert("observed".into());
        }
        members.retain(|_, value| !value.is_null());
        if let Some(content) = patch.next() {
            members.insert(if kind == "delta" { "delta" } else { "value" }.into(), content);
        }
        let is_complete = kind == "done" || kind == "replace" && members.contains_key("completion");
        members.insert("is_complete".into(), is_complete.into());
        members.insert("event".into(), "patch".into());
        members.insert("span".into(), span);
        let (path, document) = &self.fields[field];
        members.insert("path".into(), path.clone().into());
        members.extend(document.clone());
        members.into()
    }

    fn field(&mut self, place: &Value, members: &mut Map<String, Value>) -> usize {
        let Value::Array(steps) = place else {
            return place.as_u64().expect("a number") as usize;
        };
        let mut number = steps[0].as_u64().map(|number| number as usize);
        if number.is_none() {
            let of = ["element", "root", "attempt", "call"];
            let of = of.iter().filter_map(|name| members.remove_entry(*name)).collect();
            self.fields.push((Vec::new(), of));
            number = Some(self.fields.len() - 1);
        }
        for step in &steps[1..] {
            let (mut path, of) = self.fields[number.expect("a field")].clone();
            path.push(step.clone());
            self.fields.push((path, of));
            number = Some(self.fields.len() - 1);
        }
        number.expect("a field")
    }
}

/// The steps of a patch's path.
fn steps(event: &Event<'_>) -> Value {
    let Event::Patch(patch) = event else { return Value::Null };
    let step = |step| match step {
        Segment::Key(key) => json!(key),
        Segment::Index(index) => json!(index),
    };
    patch.path.segments().map(step).collect()
}

/// An event in patchwire's own form, with its path as steps: the form in which both are compared.
fn own(line: &str, steps: &Value) -> Option<Value> {
    let mut event: Value = serde_json::from_str(line).ok()?;
    if event["event"] == "patch" {
        let members = event.as_object_mut().expect("an object");
        members.insert("path".into(), steps.clone());
        members.retain(|name, _| name != "wildcard_path" && name != "pointer");
    }
    Some(event)
}

/// The messages of a stream, and what the reader in JavaScript has to make of them. Values stay as they are written:
/// serde_json has no number for some.
pub(crate) fn short(spec: &Spec, input: &[u8], cuts: Cuts) -> (Vec<Message>, String) {
    let (mut compact, mut messages, mut all) = (Compact::default(), Vec::new(), Vec::new());
    drop(read(spec, input, cuts, |event| {
        compact.feed(event.into(), &mut |it| messages.push(it));
        let span = event.span().map_or_else(String::new, |it| format!("[{},{}]", it.start, it.end));
        all.push(match &event {
            Event::Patch(patch) => {
                let value = patch.value;
                let is_shown = match patch.op {
                    PatchOp::Done => !matches!(value.kind(), ValueKind::List | ValueKind::Object),
                    op => op == PatchOp::Replace,
                };
                let content = match (patch.op, value.exists().then(|| value.kind())) {
                    (PatchOp::Delta, _) => json!(patch.delta.as_str()).to_string(),
                    (PatchOp::Open, Some(ValueKind::List)) => "[]".to_owned(),
                    (PatchOp::Open, Some(ValueKind::Object)) => "{}".to_owned(),
                    (PatchOp::Open, Some(ValueKind::String)) => "\"\"".to_owned(),
                    (_, Some(_)) if is_shown => value.to_string(),
                    _ => "null".to_owned(),
                };
                let completion = json!(patch.completion.map(Completion::name));
                let (kind, path) = (json!(patch.op.name()), steps(&event));
                format!("[{kind},{path},{content},{completion},{span}]")
            }
            Event::Text(text) => format!("[\"text\",{},{span}]", json!(text.delta.as_str())),
            Event::Reasoning(text) => {
                format!("[\"reasoning\",{},{span}]", json!(text.delta.as_str()))
            }
            event => format!("[{}]", json!(event.name())),
        });
    }));
    (messages, format!("{{\"events\":[{}]}}", all.join(",")))
}

#[test]
fn every_event_reads_back_from_the_compact_form() {
    let mut count = 0;
    for (case, seed) in cases::all().iter().zip(1..) {
        for cuts in [Cuts::Bytes, Cuts::Whole, Cuts::Random(seed)] {
            let (mut plain, mut compact) =
                (JsonEvents::with_values(IncludeValues::Leaf), Compact::default());
            let (mut lines, mut short) = (Vec::new(), Vec::new());
            drop(read(&case.spec, &case.input, cuts, |event| {
                let steps = steps(&event);
                plain.feed(event.into(), &mut |it| lines.push((it, steps.clone())));
                compact.feed(event.into(), &mut |it| short.push(it));
            }));
            assert_eq!(lines.len(), short.len(), "{}", case.name);
            let mut reader = Reader::default();
            for ((line, steps), short) in lines.iter().zip(&short) {
                assert_eq!(line.name(), short.name(), "{}: {short}", case.name);
                let Some(expected) = own(line.as_str(), steps) else { break };
                let found = reader.read(short.as_str());
                assert_eq!(found, Some(expected), "{} {cuts:?}: {short}", case.name);
                count += 1;
            }
        }
    }
    assert!(count > 100_000, "{count}");
}

#[test]
fn a_path_is_written_once() {
    let written =
        written(&Spec::json(), br#"{"title": "Hello", "n": 12}"#, Cuts::Whole, Compact::default());
    let lines: Vec<&str> = written.messages.iter().map(Message::as_str).collect();
    let expected = [
        r#"["open",[null],1,{}]"#,
        r#"["open",[0,"title"],10,""]"#,
        r#"["delta",1,5,"Hello"]"#,
        r#"["done",1,1,"Hello"]"#,
        r#"["done",[0,"n"],9,12]"#,
        r#"["done",0,1]"#,
        r#"{"event":"root_complete","offset":27}"#,
    ];
    assert_eq!(&lines[..expected.len()], expected);
    let bytes = br#"{"title": "Hello, world"}"#;
    let written = self::written(&Spec::json(), bytes, Cuts::Bytes, Compact::default());
    let texts = written.messages.iter().filter(|it| it.as_str().starts_with('"')).count();
    assert_eq!(texts, "Hello, world".len() - 1);
}

/// Texts of two elements are two texts, even if nothing tells of the elements between them.
#[test]
fn text_of_another_element_is_written_whole() {
    let spec = Spec::builder().format(Format::Text).tags(TagSet::scratchpad());
    let spec = spec.build().expect("they agree");
    for (input, is_text) in [("<output>ab", true), ("<scratch_pad>ab", false), ("<think>ab", false)]
    {
        let mut events = Vec::new();
        drop(read(&spec, input.as_bytes(), Cuts::Bytes, |event| {
            if matches!(event, Event::Text(_) | Event::Reasoning(_)) {
                events.push(event.to_owned());
            }
        }));
        assert!(events.len() == 2, "{input}: {events:?}");
        for is_other in [false, true] {
            if is_other {
                match &mut events[1] {
                    OwnedEvent::Text { element, .. } if is_text => *element = None,
                    OwnedEvent::Reasoning { element, .. } if !is_text => *element = None,
                    event => panic!("{input}: {event:?}"),
                }
            }
            let (mut compact, mut lines) = (Compact::default(), Vec::new());
            for event in &events {
                compact.feed(event.into(), &mut |message| lines.push(message.to_string()));
            }
            assert_eq!(lines[1] == "\"b\"", !is_other, "{input}: {lines:?}");
        }
    }
}

/// A piece with a mark says so, even where it goes on.
#[test]
fn a_piece_with_a_mark_is_written_whole() {
    for (repaired, deferred) in [(false, false), (true, false), (false, true)] {
        let (mut compact, mut lines) = (Compact::default(), Vec::new());
        drop(read(&Spec::json(), br#"{"a": "xyz"#, Cuts::Bytes, |event| {
            let Event::Patch(mut patch) = event else { return };
            if patch.delta.as_str() == "y" {
                (patch.repaired, patch.deferred) = (repaired, deferred);
            }
            compact.feed(Event::Patch(patch).into(), &mut |line| lines.push(line.to_string()));
        }));
        let line = lines.iter().find(|line| line.contains("\"y\"")).expect("it is written");
        assert_eq!(line == "\"y\"", !repaired && !deferred, "{lines:?}");
    }
}

/// An answer of some size. It is written out, because the order of members depends on features of serde_json.
fn answer() -> String {
    let item = |at: usize| {
        let price = at * 7;
        format!(
            r#"{{"name":"Item {at}","note":"Made of oak, and sold by the mill.","price":{price}}}"#
        )
    };
    let story =
        "The mill had stood by the river for two hundred years when the water rose. ".repeat(8);
    let items: Vec<String> = (0..8).map(item).collect();
    format!(r#"{{"items":[{}],"story":"{story}","title":"The mill"}}"#, items.join(","))
}

fn cost(protocol: impl Protocol, sse: Option<Sse>, size: usize) -> usize {
    let (mut protocol, mut sse, mut bytes) = (protocol, sse, 0);
    let mut sink = |message: Message| {
        bytes += sse.as_mut().map_or(message.as_str().len() + 1, |sse| sse.frame(&message).len());
    };
    let spec = Spec::json();
    let mut parser = spec.parser();
    for piece in answer().as_bytes().chunks(size) {
        parser
            .feed(piece, |event| protocol.feed(event.into(), &mut sink))
            .expect("no limit is near");
    }
    parser.finish(|event| protocol.feed(event.into(), &mut sink)).expect("no limit is near");
    bytes
}

/// To bless: `BLESS=1 cargo test -p patchwire-wire --test main cost`.
#[test]
fn the_page_says_what_each_form_costs() {
    let len = answer().len();
    let mut table =
        "| `--wire` | chunks of 4 bytes | of 16 | whole |\n|---|---|---|---|\n".to_owned();
    let mut row = |name: &str, cost: &dyn Fn(usize) -> usize| {
        let cells = [4, 16, len].map(|size| format!("{:.1}", cost(size) as f64 / len as f64));
        table += &format!("| `{name}` | {} |\n", cells.join(" | "));
    };
    row("own", &|size| cost(JsonEvents::default(), None, size));
    row("sse", &|size| cost(JsonEvents::default(), Some(Sse::numbered()), size));
    row("compact", &|size| cost(Compact::default(), None, size));
    row("ops", &|size| cost(Ops::default(), None, size));
    row("json-patch", &|size| cost(JsonPatch::default(), None, size));
    row("ag-ui", &|size| cost(AgUi::new("t", "r"), Some(Sse::plain()), size));
    row("ui-message", &|size| cost(UiMessage::default(), Some(Sse::plain()), size));
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/wire.md");
    let text = std::fs::read_to_string(page).expect("the page is there").replace("\r\n", "\n");
    let (before, rest) = text.split_once("| `--wire` | chunks").expect("the table is there");
    let (_, after) = rest.split_once("\n\n").expect("the table ends");
    let now = format!("{before}{table}\n{after}");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(page, &now).expect("the page can be written");
    }
    assert_eq!(text, now);
}
