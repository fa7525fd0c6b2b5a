//! The parsers of one attempt: one for the answer, one for each tool call, and the events that wait to
//! be taken.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use patchwire::{ErrorKind, Limit, Parser, Spec, ValueRef, document::DocId};
use serde_json::{Map, Value as Json};

use crate::answer::{Answer, Call};
use crate::argument_specs::{arguments_spec, expecting_object, no_arguments, text_spec};
use crate::call_part::{CallPart, LivePart};
use crate::documents::{DocumentEntry, EventConverter};
use crate::event::ResponseEvent;
use crate::event_queue::EventQueue;
use crate::input::{CallDelta, CallKey, Input};

/// Calls whose parts may alternate without being read again.
const LIVE_CALLS: usize = 8;
/// The bytes that a call takes beside its text.
const CALL_BYTES: u64 = 512;
/// The bytes that a parser takes which stays.
const PARSER_BYTES: u64 = 16 << 10;

/// The parsers of one attempt. Their documents are numbered together.
///
/// The answer has number 0, and calls count from 1. `documents[d]` is the document with number `d`, and
/// `documents[0]` is the first document of the answer.
pub struct ParserSet {
    answer: LivePart,
    /// The calls; the one with number `n` is at `n - 1`.
    parts: Vec<CallPart>,
    documents: Vec<DocumentEntry>,
    /// The numbers of the calls, by what the source calls them.
    calls: HashMap<CallKey, u32>,
    /// The calls with parsers that may be dropped, the oldest first.
    live: VecDeque<u32>,
    call_spec: Spec,
    /// The specs of the arguments of declared tools, by name.
    tool_specs: HashMap<String, Spec>,
    /// The spec of the answer, which declares the tools.
    spec: Spec,
    attempt: u32,
    facts: Map<String, Json>,
    /// None after the answer's first visible text, and if an empty answer is no error.
    empty_answer: Option<EmptyAnswer>,
    /// The answer, after the end of the stream.
    ended: Option<patchwire::Answer>,
    /// The bytes of all inputs.
    fed: u64,
    /// The bytes that are kept, as they count for the limit.
    kept: u64,
    /// Events that nobody has taken yet.
    pub(crate) queue: EventQueue,
}

impl ParserSet {
    pub(crate) fn new(spec: &Spec, attempt: u32) -> Self {
        let mut documents = Vec::new();
        let converter = EventConverter::new(0, attempt, &mut documents);
        Self {
            answer: LivePart::new(spec.clone(), converter),
            parts: Vec::new(),
            documents,
            calls: HashMap::new(),
            live: VecDeque::new(),
            call_spec: arguments_spec(),
            tool_specs: HashMap::new(),
            spec: spec.clone(),
            attempt,
            facts: Map::new(),
            empty_answer: EmptyAnswer::of(spec),
            ended: None,
            fed: 0,
            kept: 0,
            queue: EventQueue::default(),
        }
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
        let bytes = match &input {
            Input::Text(_, bytes) | Input::Reasoning(bytes) => bytes.len(),
            Input::Call(delta) => delta.bytes(),
            Input::Fact(fact) => fact.0.len() + fact_bytes(&fact.1),
        };
        self.fed += bytes as u64;
        self.keep(bytes as u64)?;
        match input {
            Input::Text(run, bytes) => {
                if self.empty_answer.is_some() && !bytes.trim_ascii().is_empty() {
                    self.empty_answer = None;
                }
                self.answer.parser.set_run(run);
                self.answer.feed(bytes, &mut self.documents, &mut self.queue)
            }
            Input::Reasoning(bytes) => self.reason(&bytes),
            Input::Call(delta) => self.call(*delta),
            Input::Fact(fact) => {
                let (name, value) = *fact;
                self.facts.insert(name, value);
                Ok(())
            }
        }
    }

    /// Counts bytes that are kept.
    fn keep(&mut self, bytes: u64) -> Result<(), patchwire::Error> {
        self.kept += bytes;
        self.within(Limit::Kept, self.kept)
    }

    fn within(&self, limit: Limit, found: u64) -> Result<(), patchwire::Error> {
        if found <= self.spec.limits().get(limit) {
            return Ok(());
        }
        Err(patchwire::Error { kind: ErrorKind::Limit(limit), offset: self.fed })
    }

    /// Ends all parsers. Calls end first, so that the answer is the last event.
    pub(crate) fn finish(&mut self) -> Result<Answer, patchwire::Error> {
        let mut calls = Vec::with_capacity(self.parts.len());
        for at in 0..self.parts.len() {
            calls.push(self.finish_call(at)?);
        }
        if let Some(empty) = self.empty_answer.take().filter(|_| !calls.is_empty()) {
            self.answer.parser = empty.parser()?;
        }
        let answer = self.answer.finish(&mut self.documents, &mut self.queue)?;
        self.ended = Some(answer.clone());
        Ok(Answer::new(answer, calls, &self.documents, &self.facts))
    }

    /// Ends the parser of a call. Of a call that is kept as its text, the corrections of the end are emitted, and
    /// its answer is read again when somebody asks for it.
    fn finish_call(&mut self, at: usize) -> Result<Call, patchwire::Error> {
        let Self { parts, documents, queue, attempt, .. } = self;
        let call = match &mut parts[at] {
            CallPart::Live(part) => {
                let answer = part.finish(documents, queue)?;
                Arc::new(part.keep(Some(answer)))
            }
            CallPart::Kept(call) => {
                call.revived(*attempt)?.finish(documents, queue)?;
                Arc::clone(call)
            }
        };
        parts[at] = CallPart::Kept(Arc::clone(&call));
        Ok(Call::new(call))
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
        let sent = self.parts.iter().map(|part| match part {
            CallPart::Live(part) => Call::new(Arc::new(part.so_far(no_arguments))),
            CallPart::Kept(call) => Call::new(Arc::clone(call)),
        });
        let written = self.answer.parser.calls();
        sent.chain(written.iter().map(Call::from)).collect()
    }

    /// The answer's value after the last item that was parsed.
    pub(crate) fn value(&self) -> ValueRef<'_> {
        self.answer.parser.value()
    }

    /// Whether the stream ended, and cut the value of the answer at this path.
    pub(crate) fn is_cut_at(&self, path: &str) -> bool {
        self.ended.as_ref().is_some_and(|answer| answer.is_cut_at(path))
    }

    pub(crate) fn document(&self, id: DocId) -> Option<ValueRef<'_>> {
        let entry = self.documents.get(id.index())?;
        match (entry.parser as usize).checked_sub(1) {
            None => self.answer.parser.document(entry.local),
            Some(at) => self.parts.get(at)?.document(entry.local),
        }
    }

    /// The events for a reader that missed others: all calls, and all documents so far.
    pub(crate) fn snapshots(&self) -> impl Iterator<Item = ResponseEvent> {
        let calls = self.parts.iter().filter_map(CallPart::call);
        let documents = (0_u32..).map(DocId::from_number).zip(&self.documents);
        let documents = documents.filter_map(|(document, entry)| {
            let value = self.document(document)?;
            let origin = entry.origin.filter(|_| value.exists())?;
            Some(ResponseEvent::Snapshot { document, origin, value: value.to_value() })
        });
        calls.chain(documents)
    }

    fn reason(&mut self, bytes: &[u8]) -> Result<(), patchwire::Error> {
        if let Some(empty) = &mut self.empty_answer {
            empty.reasoning.extend_from_slice(bytes);
        }
        let Self { answer, documents, queue, .. } = self;
        let LivePart { parser, converter, .. } = answer;
        parser.feed_reasoning(bytes, |event| converter.convert(&event, documents, queue))
    }

    fn call(&mut self, delta: CallDelta) -> Result<(), patchwire::Error> {
        let (id, name) = (delta.id.as_deref(), delta.name.as_deref());
        let known = self.calls.get(&delta.key).copied();
        let is_same = |number: &u32| {
            let state = self.parts[place(*number)].state();
            !state.begins_another(id, name, &delta.arguments)
        };
        let number = match known.filter(is_same) {
            Some(number) => number,
            None => self.begin(&delta)?,
        };
        let part = self.live(number)?;
        let is_new = part.state.take(id, name, &delta.arguments);
        if is_new || known != Some(number) {
            self.queue.extend(self.parts[place(number)].call());
        }
        if delta.arguments.is_empty() {
            return Ok(());
        }
        self.type_arguments(number, &delta.arguments)?;
        let Self { parts, documents, queue, attempt, .. } = self;
        parts[place(number)].revive(*attempt)?.feed(delta.arguments, documents, queue)
    }

    /// Begins a call.
    fn begin(&mut self, delta: &CallDelta) -> Result<u32, patchwire::Error> {
        let number = self.parts.len() + 1;
        self.within(Limit::Calls, number as u64)?;
        self.keep(CALL_BYTES)?;
        let spec = if delta.is_text { text_spec() } else { self.call_spec.clone() };
        let converter = EventConverter::new(number, self.attempt, &mut self.documents);
        let mut part = LivePart::new(spec, converter);
        part.is_text = delta.is_text;
        self.parts.push(CallPart::Live(Box::new(part)));
        let number = number as u32;
        self.calls.insert(delta.key.clone(), number);
        self.made_live(number)?;
        Ok(number)
    }

    /// The call with its parser.
    fn live(&mut self, number: u32) -> Result<&mut LivePart, patchwire::Error> {
        let at = place(number);
        if matches!(self.parts[at], CallPart::Kept(_)) {
            self.parts[at].revive(self.attempt)?;
            self.made_live(number)?;
        }
        self.parts[at].revive(self.attempt)
    }

    /// Notes that a call has a parser, and keeps the oldest call with one as its text.
    fn made_live(&mut self, number: u32) -> Result<(), patchwire::Error> {
        self.live.push_back(number);
        if self.live.len() <= LIVE_CALLS {
            return Ok(());
        }
        let Some(oldest) = self.live.pop_front() else { return Ok(()) };
        let oldest = &mut self.parts[place(oldest)];
        let CallPart::Live(part) = oldest else { return Ok(()) };
        if part.may_be_kept() {
            *oldest = CallPart::Kept(Arc::new(part.keep(None)));
            return Ok(());
        }
        self.keep(PARSER_BYTES)
    }

    /// Gives the arguments of a call the types of its tool, if they begin now. The name came before them, or it
    /// comes too late. Without a schema, arguments that begin as a string are expected to be an object.
    fn type_arguments(&mut self, number: u32, first: &[u8]) -> Result<(), patchwire::Error> {
        let part = self.live(number)?;
        let begins = !core::mem::replace(&mut part.has_begun, true) && !part.is_text;
        let Some(name) = part.state.name().filter(|_| begins).map(str::to_owned) else {
            return Ok(());
        };
        let call_spec = &self.call_spec;
        let spec = match self.spec.tool(&name).cloned() {
            Some(schema) => {
                let known = self.tool_specs.entry(name);
                known.or_insert_with(|| call_spec.with_schema(schema)).clone()
            }
            None if first.trim_ascii_start().starts_with(b"\"") => expecting_object(call_spec),
            None => return Ok(()),
        };
        self.live(number)?.set_spec(spec);
        Ok(())
    }
}

/// Where the call with this number is.
const fn place(number: u32) -> usize {
    number as usize - 1
}

/// About the bytes that a fact takes in memory.
fn fact_bytes(fact: &Json) -> usize {
    /// Of one value, with what a map or list keeps for it.
    const EACH: usize = 64;
    let (mut bytes, mut open) = (0, vec![fact]);
    while let Some(value) = open.pop() {
        bytes += EACH;
        match value {
            Json::String(text) => bytes += text.len(),
            Json::Array(items) => open.extend(items),
            Json::Object(members) => {
                bytes += members.keys().map(|key| EACH + key.len()).sum::<usize>();
                open.extend(members.values());
            }
            _ => {}
        }
    }
    bytes
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
