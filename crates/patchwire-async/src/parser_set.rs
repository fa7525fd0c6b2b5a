//! The parsers of one attempt: one for the answer, one for each tool call, and the events that wait to
//! be taken.

use std::collections::{HashMap, VecDeque};

use bytes::Bytes;
use bytestring::ByteString;
use patchwire::{Format, Parser, Spec, ValueRef, document::DocId};
use patchwire_sources::CallState;
use serde_json::{Map, Value as Json};

use crate::answer::{Answer, Call};
use crate::documents::{DocumentEntry, EventConverter};
use crate::event::ResponseEvent;
use crate::input::{CallDelta, CallKey, Input};

/// The parsers of one attempt. Their documents are numbered together.
///
/// `parsers[0]` reads the answer, `parsers[n]` the call with number `n`. `documents[d]` is the document
/// with number `d`, and `documents[0]` is the first document of the answer.
pub struct ParserSet {
    parsers: Vec<PartParser>,
    documents: Vec<DocumentEntry>,
    calls: HashMap<CallKey, usize>,
    call_spec: Spec,
    /// The spec of the answer, which declares the tools.
    spec: Spec,
    attempt: u32,
    facts: Map<String, Json>,
    /// None after the answer's first visible text, and if an empty answer is no error.
    empty_answer: Option<EmptyAnswer>,
    /// The answer, after the end of the stream.
    ended: Option<patchwire::Answer>,
    /// Events that nobody has taken yet.
    pub(crate) queue: VecDeque<ResponseEvent>,
}

/// The parser of the answer or of one tool call.
struct PartParser {
    parser: Parser,
    converter: EventConverter,
    /// What is known of the call.
    state: CallState,
    /// Whether the arguments are the text that a custom tool takes.
    is_text: bool,
    /// Whether bytes were fed.
    has_begun: bool,
}

impl ParserSet {
    pub(crate) fn new(spec: &Spec, attempt: u32) -> Self {
        let mut parsers = Self {
            parsers: Vec::new(),
            documents: Vec::new(),
            calls: HashMap::new(),
            call_spec: arguments_spec(),
            spec: spec.clone(),
            attempt,
            facts: Map::new(),
            empty_answer: EmptyAnswer::of(spec),
            ended: None,
            queue: VecDeque::new(),
        };
        parsers.begin(spec, CallState::default(), false);
        parsers
    }

    /// The parsers of the next attempt.
    pub(crate) fn fresh(&self, spec: &Spec, attempt: u32) -> Self {
        let mut fresh = Self::new(spec, attempt);
        fresh.call_spec = self.call_spec.clone();
        fresh
    }

    /// The number of the attempt, from 1.
    pub(crate) const fn attempt(&self) -> u32 {
        self.attempt
    }

    pub(crate) fn set_call_spec(&mut self, spec: Spec) {
        self.call_spec = spec;
    }

    /// Parses one part of an item.
    pub(crate) fn take(&mut self, input: Input) -> Result<(), patchwire::Error> {
        match input {
            Input::Text(run, bytes) => {
                if !bytes.trim_ascii().is_empty() {
                    self.empty_answer = None;
                }
                self.parsers[0].parser.set_run(run);
                self.feed(0, bytes)
            }
            Input::Reasoning(bytes) => self.reason(&bytes),
            Input::Call(delta) => self.call(delta),
            Input::Fact(name, fact) => {
                self.facts.insert(name, fact);
                Ok(())
            }
        }
    }

    /// Ends all parsers. Calls end first, so that the answer is the last event.
    pub(crate) fn finish(&mut self) -> Result<Answer, patchwire::Error> {
        let mut calls = Vec::with_capacity(self.parsers.len() - 1);
        for number in 1..self.parsers.len() {
            let answer = self.finish_part(number)?;
            calls.push(self.parsers[number].with_arguments(answer));
        }
        if let Some(empty) = self.empty_answer.take().filter(|_| !calls.is_empty()) {
            self.parsers[0].parser = empty.parser()?;
        }
        let answer = self.finish_part(0)?;
        self.ended = Some(answer.clone());
        Ok(Answer::new(answer, calls, &self.documents, &self.facts))
    }

    /// Replaces the facts, if a later attempt was read than the one whose answer is returned. The answer
    /// keeps its own facts.
    pub(crate) fn set_facts(&mut self, facts: Map<String, Json>) {
        self.facts = facts;
    }

    /// The facts of the source so far.
    pub(crate) const fn facts(&self) -> &Map<String, Json> {
        &self.facts
    }

    /// The calls so far: those that the source sent as calls, then those that the model wrote as text.
    pub(crate) fn so_far(&self) -> Vec<Call> {
        let sent = self.parsers[1..].iter().map(PartParser::so_far);
        let written = self.parsers[0].parser.calls();
        sent.chain(written.iter().map(Call::from)).collect()
    }

    /// The answer's value after the last item that was parsed.
    pub(crate) fn value(&self) -> ValueRef<'_> {
        self.parsers[0].parser.value()
    }

    /// Whether the stream ended, and cut the value of the answer at this path.
    pub(crate) fn is_cut_at(&self, path: &str) -> bool {
        self.ended.as_ref().is_some_and(|answer| answer.is_cut_at(path))
    }

    pub(crate) fn document(&self, id: DocId) -> Option<ValueRef<'_>> {
        let entry = self.documents.get(id.index())?;
        self.parsers[entry.parser].parser.document(entry.local)
    }

    /// The events for a reader that missed others: all calls, and all documents so far.
    pub(crate) fn snapshots(&self) -> impl Iterator<Item = ResponseEvent> {
        let calls = self.parsers.iter().filter_map(PartParser::call);
        let documents = (0_u32..).map(DocId::from_number).zip(&self.documents);
        let documents = documents.filter_map(|(document, entry)| {
            let value = self.parsers[entry.parser].parser.document(entry.local)?;
            let origin = entry.origin.filter(|_| value.exists())?;
            Some(ResponseEvent::Snapshot { document, origin, value: value.to_value() })
        });
        calls.chain(documents)
    }

    fn begin(&mut self, spec: &Spec, state: CallState, is_text: bool) {
        let number = self.parsers.len();
        let converter = EventConverter::new(number, self.attempt, &mut self.documents);
        let parser = spec.parser();
        self.parsers.push(PartParser { parser, converter, state, is_text, has_begun: false });
    }

    fn feed(&mut self, number: usize, bytes: Bytes) -> Result<(), patchwire::Error> {
        let Self { parsers, documents, queue, .. } = self;
        let PartParser { parser, converter, .. } = &mut parsers[number];
        parser.feed_bytes(bytes, |event| queue.extend(converter.convert(&event, documents)))
    }

    fn reason(&mut self, bytes: &[u8]) -> Result<(), patchwire::Error> {
        if let Some(empty) = &mut self.empty_answer {
            empty.reasoning.extend_from_slice(bytes);
        }
        let Self { parsers, documents, queue, .. } = self;
        let PartParser { parser, converter, .. } = &mut parsers[0];
        parser.feed_reasoning(bytes, |event| queue.extend(converter.convert(&event, documents)))
    }

    fn finish_part(&mut self, number: usize) -> Result<patchwire::Answer, patchwire::Error> {
        let Self { parsers, documents, queue, .. } = self;
        let PartParser { parser, converter, .. } = &mut parsers[number];
        parser.finish(|event| queue.extend(converter.convert(&event, documents)))
    }

    fn call(&mut self, delta: CallDelta) -> Result<(), patchwire::Error> {
        let (id, name) = (delta.id.as_deref(), delta.name.as_deref());
        let known = self.calls.get(&delta.key).copied();
        let is_same = |number: &usize| {
            !self.parsers[*number].state.begins_another(id, name, &delta.arguments)
        };
        let number = match known.filter(is_same) {
            Some(number) => {
                if self.parsers[number].state.take(id, name, &delta.arguments) {
                    self.queue.extend(self.parsers[number].call());
                }
                number
            }
            None => {
                let number = self.parsers.len();
                let mut state = CallState::default();
                state.take(id, name, &delta.arguments);
                let spec = if delta.is_text { text_spec() } else { self.call_spec.clone() };
                self.begin(&spec, state, delta.is_text);
                self.calls.insert(delta.key, number);
                self.queue.extend(self.parsers[number].call());
                number
            }
        };
        if delta.arguments.is_empty() {
            return Ok(());
        }
        self.type_arguments(number);
        self.feed(number, delta.arguments)
    }

    /// Gives the arguments of a call the types of its tool, if they begin now. The name came before them, or it
    /// comes too late.
    fn type_arguments(&mut self, number: usize) {
        let part = &mut self.parsers[number];
        let begins = !core::mem::replace(&mut part.has_begun, true) && !part.is_text;
        let schema = part.state.name().filter(|_| begins).and_then(|name| self.spec.tool(name));
        if let Some(schema) = schema {
            part.parser = self.call_spec.with_schema(schema.clone()).parser();
        }
    }
}

/// Arguments are data only: they contain no elements.
fn arguments_spec() -> Spec {
    match Spec::builder().without_tags().build() {
        Ok(spec) => spec,
        Err(error) => unreachable!("no two settings contradict each other: {error}"),
    }
}

fn no_arguments() -> patchwire::Answer {
    match arguments_spec().parse("") {
        Ok(answer) => answer,
        Err(error) => unreachable!("lenient reading takes an empty text: {error}"),
    }
}

/// The input of a custom tool is text only.
fn text_spec() -> Spec {
    match Spec::builder().format(Format::Text).without_tags().build() {
        Ok(spec) => spec,
        Err(error) => unreachable!("no two settings contradict each other: {error}"),
    }
}

/// The reasoning beside an answer without text, for strict reading.
///
/// Strict reading returns an error for an empty text. If a model calls tools and writes no text, that
/// error would drop the calls. So such an answer is parsed leniently: it is empty.
struct EmptyAnswer {
    reasoning: Vec<u8>,
}

impl EmptyAnswer {
    /// None if the spec accepts an empty text.
    fn of(spec: &Spec) -> Option<Self> {
        spec.parse("").is_err().then(|| Self { reasoning: Vec::new() })
    }

    /// A lenient parser with the reasoning so far. The events of the reasoning were emitted before.
    fn parser(self) -> Result<Parser, patchwire::Error> {
        let mut parser = arguments_spec().parser();
        if !self.reasoning.is_empty() {
            parser.feed_reasoning(&self.reasoning, |_| {})?;
        }
        Ok(parser)
    }
}

impl PartParser {
    /// The provider's id of the call.
    fn id(&self) -> Option<ByteString> {
        self.state.id().map(ByteString::from)
    }

    /// The name of the tool.
    fn name(&self) -> Option<ByteString> {
        self.state.name().map(ByteString::from)
    }

    /// The call with the arguments that have arrived. Arguments that strict reading refuses if they are cut are not
    /// known before their end.
    fn so_far(&self) -> Call {
        let ended = self.parser.clone().finish(|_| {});
        self.with_arguments(ended.unwrap_or_else(|_| no_arguments()))
    }

    fn with_arguments(&self, answer: patchwire::Answer) -> Call {
        Call {
            document: self.converter.first_document(),
            id: self.id(),
            name: self.name(),
            answer,
            is_text: self.is_text,
        }
    }

    /// The event that describes the call; none for the answer.
    fn call(&self) -> Option<ResponseEvent> {
        Some(ResponseEvent::ToolCall {
            document: self.converter.first_document(),
            call: self.converter.call()?,
            id: self.id(),
            name: self.name(),
        })
    }
}
