//! A reading in which everything is asked for: events pushed and pulled, what is held back, calls and values on the way, and
//! all that an answer says.

use std::collections::BTreeMap;
use std::fmt::Write;

use patchwire::answer::AnswerNode;
use patchwire::tags::TokenRun;
use patchwire::wire::{IncludeValues, LineWriter};
use patchwire::{Answer, Error, Event, Parser, Spec, ValueRef};

use super::damage::Random;

/// What a reading gives, as text.
struct Output {
    lines: LineWriter,
    values: IncludeValues,
    /// Whether owned events are written, too.
    has_owned: bool,
    text: String,
}

impl Output {
    fn event(&mut self, event: &Event<'_>) {
        self.lines.append(event, self.values, &mut self.text);
        self.text.push('\n');
        if self.has_owned {
            writeln!(self.text, "{}", event.to_owned()).unwrap();
        }
    }
}

/// How a text is fed.
struct Feeding {
    /// The most bytes of a chunk.
    most: usize,
    /// One of so many chunks is followed by questions.
    asks: usize,
    /// Whether the source knows tokens.
    has_runs: bool,
    /// Whether reasoning comes beside the text.
    has_reasoning: bool,
}

impl Feeding {
    fn new(random: &mut Random) -> Self {
        Self {
            most: random.pick(&[1, 6, 20, 60, 1 << 20]),
            asks: random.pick(&[5, 20, 60]),
            has_runs: random.below(6) == 0,
            has_reasoning: random.below(8) == 0,
        }
    }
}

/// All that a text gives.
pub(super) fn read(spec: &Spec, text: &[u8], random: &mut Random) -> String {
    let values = random.pick(&[IncludeValues::Leaf, IncludeValues::Done, IncludeValues::All]);
    let has_owned = random.below(5) == 0;
    let mut output =
        Output { lines: LineWriter::default(), values, has_owned, text: String::new() };
    let mut parser = spec.parser();
    let read = feed_all(&mut parser, text, random, &mut output);
    if let Err(error) = read {
        writeln!(output.text, "{} {error}", error.wire()).unwrap();
        ask(&parser, &mut output.text);
        return output.text;
    }
    match finish(parser, random, &mut output) {
        Ok(answer) => append_answer(&answer, &mut output.text),
        Err(error) => writeln!(output.text, "{}", error.wire()).unwrap(),
    }
    output.text
}

fn feed_all(
    parser: &mut Parser,
    text: &[u8],
    random: &mut Random,
    output: &mut Output,
) -> Result<(), Error> {
    let how = Feeding::new(random);
    let mut rest = text;
    while !rest.is_empty() {
        let (chunk, behind) = rest.split_at(rest.len().min(1 + random.below(how.most)));
        rest = behind;
        if how.has_runs {
            let runs = [TokenRun::Text, TokenRun::Special, TokenRun::Plain];
            parser.set_run(random.pick(&runs));
        }
        if how.has_reasoning && random.below(4) == 0 {
            let pieces: [&[u8]; 4] = [b"so ", b"</think>", b"\xc3", b"\xa9 {"];
            parser.feed_reasoning(random.pick(&pieces), |event| output.event(&event))?;
        }
        feed(parser, chunk, random, output)?;
        if random.below(how.asks) == 0 {
            ask(parser, &mut output.text);
        }
    }
    Ok(())
}

/// Feeds a chunk by one of the ways that there are.
fn feed(
    parser: &mut Parser,
    chunk: &[u8],
    random: &mut Random,
    output: &mut Output,
) -> Result<(), Error> {
    match random.below(4) {
        0 => {
            let mut rest = chunk;
            while let Some(event) = parser.next_event(&mut rest)? {
                output.event(&event);
            }
            Ok(())
        }
        1 => parser.feed_bytes(chunk.to_vec().into(), |event| output.event(&event)),
        _ => parser.feed(chunk, |event| output.event(&event)),
    }
}

fn finish(mut parser: Parser, random: &mut Random, output: &mut Output) -> Result<Answer, Error> {
    if random.below(2) == 0 {
        return parser.finish(|event| output.event(&event));
    }
    while let Some(event) = parser.next_final_event()? {
        output.event(&event);
    }
    ask(&parser, &mut output.text);
    parser.answer()
}

/// What a parser says between two chunks.
fn ask(parser: &Parser, out: &mut String) {
    for held in parser.held() {
        writeln!(out, "held {held:?}").unwrap();
    }
    for call in parser.calls() {
        writeln!(out, "call so far {call:?} {}", call.arguments()).unwrap();
    }
    let value = parser.value();
    writeln!(out, "so far {value} settled {} {}", value.settled(), parser.snapshot()).unwrap();
}

fn append_answer(answer: &Answer, out: &mut String) {
    let outcome = answer.outcome().name();
    let (text, reasoning) = (answer.text(), answer.reasoning());
    writeln!(out, "{outcome} {text:?} {reasoning:?} {}", answer.notice_count()).unwrap();
    for root in answer.roots() {
        writeln!(out, "root {root}").unwrap();
    }
    for (id, document) in answer.documents() {
        writeln!(out, "document {id:?}").unwrap();
        append_value(document, 0, out);
    }
    append_nodes(answer, out);
    for call in answer.calls() {
        let (id, text) = (call.id(), call.text());
        writeln!(out, "call {} {id:?} {text:?} {}", call.name(), call.is_complete()).unwrap();
        append_value(call.arguments(), 0, out);
    }
    for notice in answer.notices() {
        writeln!(out, "{notice:?}").unwrap();
    }
    for failure in answer.failures() {
        writeln!(out, "{failure} {failure:?}").unwrap();
    }
    append_read(answer, out);
    if let Some(other) = answer.alternative() {
        append_answer(other, out);
    }
}

fn append_nodes(answer: &Answer, out: &mut String) {
    for node in answer.nodes() {
        if let AnswerNode::Text { channel, text } = node {
            writeln!(out, "text {channel} {text:?}").unwrap();
        }
    }
    for element in answer.elements() {
        let params: Vec<_> = element.params().iter().collect();
        let parent = element.parent().map(|parent| parent.id());
        let raw = element.raw().map(String::from_utf8_lossy);
        writeln!(out, "<{} {params:?}> {parent:?} {:?}", element.name(), element.span()).unwrap();
        writeln!(out, "{:?} {:?} {raw:?}", element.text(), element.reason()).unwrap();
        for root in element.roots() {
            writeln!(out, "root {root}").unwrap();
        }
    }
}

/// A value, node by node.
fn append_value(value: ValueRef<'_>, depth: usize, out: &mut String) {
    let (kind, len, whole) = (value.kind(), value.len(), value.is_complete());
    let numbers = (value.as_i64(), value.as_u64(), value.as_f64());
    writeln!(out, "{depth} {kind:?} {len} {whole} {numbers:?} {:?}", value.number_text()).unwrap();
    writeln!(out, "{:?} {:?} {}", value.as_bool(), value.as_str(), value.is_null()).unwrap();
    if depth > 5 {
        return;
    }
    for (key, member) in value.entries() {
        let same = key.and_then(|key| value.get(key)).map(|found| found.to_string());
        writeln!(out, "{key:?} {same:?}").unwrap();
        append_value(member, depth + 1, out);
    }
}

/// The answer as types that it may have.
fn append_read(answer: &Answer, out: &mut String) {
    let value = answer.value();
    let cut = ["", "a", "title", "[0]"].map(|path| answer.is_cut_at(path));
    writeln!(out, "{cut:?} {:?}", value.read::<BTreeMap<String, String>>()).unwrap();
    writeln!(out, "{:?}", value.read::<BTreeMap<String, Option<i16>>>()).unwrap();
    writeln!(out, "{:?}", value.read::<Vec<Option<f64>>>()).unwrap();
    writeln!(out, "{:?}", value.read::<BTreeMap<String, Vec<(String, bool)>>>()).unwrap();
    let texts = answer.data::<BTreeMap<String, Option<String>>>();
    writeln!(out, "{:?}", texts.map_err(|error| error.to_string())).unwrap();
}
