//! What a response reads with, apart from where it comes from: one parser for the answer, one for each
//! tool call, and the events that wait to be taken.

use std::collections::{HashMap, VecDeque};

use bytes::Bytes;
use bytestring::ByteString;
use patchwire::{
    Event, OwnedEvent, OwnedPatch, Parser, Spec, ValueRef,
    document::DocId,
    event::{Origin, Recorder},
};
use serde_json::{Map, Value as Json};

use crate::answer::{Answer, Call};
use crate::input::{CallDelta, CallKey, Input};
use crate::tracking::Track;

/// The parsers of a response and their documents, numbered as one.
///
/// `lanes[0]` is the answer, `lanes[n]` the call with number `n`; `homes[d]` is the document `d`, and
/// `homes[0]` the answer's first.
pub(crate) struct Reading {
    lanes: Vec<Lane>,
    homes: Vec<Home>,
    calls: HashMap<CallKey, usize>,
    call_spec: Spec,
    attempt: u32,
    facts: Map<String, Json>,
    /// For an answer that is read strictly, as long as it has no text.
    silence: Option<Silence>,
    pub(crate) queue: VecDeque<OwnedEvent>,
}

/// Where a document of the response is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Home {
    pub(crate) lane: usize,
    /// Its number there.
    pub(crate) local: DocId,
    /// Known once something was told of it.
    origin: Option<Origin>,
}

struct Lane {
    parser: Parser,
    owner: Owner,
    id: Option<ByteString>,
    name: Option<ByteString>,
}

/// Makes a parser's events the response's.
struct Owner {
    lane: usize,
    attempt: u32,
    recorder: Recorder,
    /// The response's numbers of the parser's documents.
    documents: Vec<DocId>,
}

impl Reading {
    pub(crate) fn new(spec: &Spec, attempt: u32) -> Self {
        let mut reading = Self {
            lanes: Vec::new(),
            homes: Vec::new(),
            calls: HashMap::new(),
            call_spec: arguments_spec(),
            attempt,
            facts: Map::new(),
            silence: Silence::of(spec),
            queue: VecDeque::new(),
        };
        reading.begin_lane(spec, None, None);
        reading
    }

    /// For the next attempt.
    pub(crate) fn fresh(&self, spec: &Spec, attempt: u32) -> Self {
        let mut fresh = Self::new(spec, attempt);
        fresh.call_spec = self.call_spec.clone();
        fresh
    }

    /// Shows an event to a sub-stream. Of an attempt that is over the documents are gone, and what it
    /// gave is void: a reader that is behind is shown nothing more of it.
    pub(crate) fn show(&self, track: &mut impl Track, event: &OwnedEvent) {
        let over = match event {
            OwnedEvent::Patch(OwnedPatch { origin, .. }) | OwnedEvent::Snapshot { origin, .. } => {
                origin.attempt != self.attempt
            }
            _ => false,
        };
        if !over {
            track.take(event, self.value());
        }
    }

    pub(crate) const fn attempt(&self) -> u32 {
        self.attempt
    }

    pub(crate) fn set_call_spec(&mut self, spec: Spec) {
        self.call_spec = spec;
    }

    /// Reads one part of an item.
    pub(crate) fn take(&mut self, input: Input) -> Result<(), patchwire::Error> {
        match input {
            Input::Text(run, bytes) => {
                if !bytes.trim_ascii().is_empty() {
                    self.silence = None;
                }
                self.lanes[0].parser.set_run(run);
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

    /// The source ended: calls end first, so that the answer is the last event.
    pub(crate) fn finish(&mut self) -> Result<Answer, patchwire::Error> {
        let mut calls = Vec::with_capacity(self.lanes.len() - 1);
        for lane in 1..self.lanes.len() {
            let answer = self.finish_lane(lane)?;
            let Lane { owner, id, name, .. } = &self.lanes[lane];
            let (id, name) = (id.clone(), name.clone());
            calls.push(Call { document: owner.documents[0], id, name, answer });
        }
        if let Some(silence) = self.silence.take().filter(|_| !calls.is_empty()) {
            self.lanes[0].parser = silence.parser()?;
        }
        let answer = self.finish_lane(0)?;
        Ok(Answer::new(answer, calls, &self.homes, &self.facts))
    }

    /// The attempt that was read last told these; the answer keeps its own.
    pub(crate) fn set_facts(&mut self, facts: Map<String, Json>) {
        self.facts = facts;
    }

    /// What the source told beside.
    pub(crate) const fn facts(&self) -> &Map<String, Json> {
        &self.facts
    }

    /// The answer's value after the last item that was read.
    pub(crate) fn value(&self) -> ValueRef<'_> {
        self.lanes[0].parser.value()
    }

    pub(crate) fn document(&self, id: DocId) -> Option<ValueRef<'_>> {
        let home = self.homes.get(id.index())?;
        self.lanes[home.lane].parser.document(home.local)
    }

    /// What a consumer has to know that missed events: the calls, and all documents so far.
    pub(crate) fn snapshots(&self) -> impl Iterator<Item = OwnedEvent> {
        let calls = self.lanes.iter().skip(1).map(Lane::call);
        let documents = (0_u32..).map(DocId::from_number).zip(&self.homes);
        let documents = documents.filter_map(|(document, home)| {
            let value = self.lanes[home.lane].parser.document(home.local)?;
            let origin = home.origin.as_ref().filter(|_| value.exists())?;
            Some(Event::Snapshot { document, origin, value }.to_owned())
        });
        calls.chain(documents)
    }

    fn begin_lane(&mut self, spec: &Spec, id: Option<ByteString>, name: Option<ByteString>) {
        let lane = self.lanes.len();
        let mut owner = Owner {
            lane,
            attempt: self.attempt,
            recorder: Recorder::default(),
            documents: Vec::new(),
        };
        owner.number(DocId::ANSWER, &mut self.homes);
        self.lanes.push(Lane { parser: spec.parser(), owner, id, name });
    }

    fn feed(&mut self, lane: usize, bytes: Bytes) -> Result<(), patchwire::Error> {
        let Self { lanes, homes, queue, .. } = self;
        let Lane { parser, owner, .. } = &mut lanes[lane];
        parser.feed_bytes(bytes, |event| queue.extend(owner.own(&event, homes)))
    }

    fn reason(&mut self, bytes: &[u8]) -> Result<(), patchwire::Error> {
        if let Some(silence) = &mut self.silence {
            silence.reasoning.extend_from_slice(bytes);
        }
        let Self { lanes, homes, queue, .. } = self;
        let Lane { parser, owner, .. } = &mut lanes[0];
        parser.feed_reasoning(bytes, |event| queue.extend(owner.own(&event, homes)))
    }

    fn finish_lane(&mut self, lane: usize) -> Result<patchwire::Answer, patchwire::Error> {
        let Self { lanes, homes, queue, .. } = self;
        let Lane { parser, owner, .. } = &mut lanes[lane];
        parser.finish(|event| queue.extend(owner.own(&event, homes)))
    }

    fn call(&mut self, delta: CallDelta) -> Result<(), patchwire::Error> {
        let known = self.calls.get(&delta.key).copied();
        let lane = match known.filter(|&lane| !self.lanes[lane].is_another(&delta)) {
            Some(lane) => {
                if self.lanes[lane].learn(delta.id, delta.name) {
                    self.queue.push_back(self.lanes[lane].call());
                }
                lane
            }
            None => {
                let lane = self.lanes.len();
                let spec = self.call_spec.clone();
                self.begin_lane(&spec, delta.id, delta.name);
                self.calls.insert(delta.key, lane);
                self.queue.push_back(self.lanes[lane].call());
                lane
            }
        };
        if delta.arguments.is_empty() { Ok(()) } else { self.feed(lane, delta.arguments) }
    }
}

/// Arguments are data through and through: no elements.
fn arguments_spec() -> Spec {
    match Spec::builder().without_tags().build() {
        Ok(spec) => spec,
        Err(error) => unreachable!("nothing was set that contradicts: {error}"),
    }
}

/// What came of an answer that is read strictly and has no text: reasoning that was sent apart.
///
/// Strict reading stops at the end of no text at all. Where a model calls tools in place of an answer that
/// would lose the calls; so such an answer is read as lenient reading reads it: it is empty.
struct Silence {
    reasoning: Vec<u8>,
}

impl Silence {
    /// None where no text is no error.
    fn of(spec: &Spec) -> Option<Self> {
        spec.parse("").is_err().then(|| Self { reasoning: Vec::new() })
    }

    /// A parser that was told of the same. Its events were told before.
    fn parser(self) -> Result<Parser, patchwire::Error> {
        let mut parser = arguments_spec().parser();
        if !self.reasoning.is_empty() {
            parser.feed_reasoning(&self.reasoning, |_| {})?;
        }
        Ok(parser)
    }
}

impl Lane {
    /// Whether the delta is of a call that took this one's place in the message.
    fn is_another(&self, delta: &CallDelta) -> bool {
        matches!((&self.id, &delta.id), (Some(known), Some(id)) if known != id)
    }

    /// Keeps what was not known of the call. Whether there was anything.
    fn learn(&mut self, id: Option<ByteString>, name: Option<ByteString>) -> bool {
        let before = (self.id.is_some(), self.name.is_some());
        self.id = self.id.take().or(id);
        self.name = self.name.take().or(name);
        before != (self.id.is_some(), self.name.is_some())
    }

    fn call(&self) -> OwnedEvent {
        let event = Event::ToolCall {
            document: self.owner.documents[0],
            call: self.owner.lane as u32,
            id: self.id.as_deref(),
            name: self.name.as_deref(),
        };
        event.to_owned()
    }
}

impl Owner {
    /// The event as the response tells it. Of a call only what belongs to its document: the rest is
    /// in [`Call::answer`].
    fn own(&mut self, event: &Event<'_>, homes: &mut Vec<Home>) -> Option<OwnedEvent> {
        let mut owned = self.recorder.own(event);
        match &mut owned {
            OwnedEvent::Patch(patch) => {
                patch.document = self.number(patch.document, homes);
                patch.origin.attempt = self.attempt;
                patch.origin.call = self.call();
                homes[patch.document.index()].origin.get_or_insert(patch.origin);
            }
            OwnedEvent::RootComplete { document, .. } => *document = self.number(*document, homes),
            _ if self.call().is_some() => return None,
            _ => {}
        }
        Some(owned)
    }

    fn call(&self) -> Option<u32> {
        (self.lane > 0).then_some(self.lane as u32)
    }

    fn number(&mut self, local: DocId, homes: &mut Vec<Home>) -> DocId {
        while self.documents.len() <= local.index() {
            self.documents.push(DocId::from_number(homes.len() as u32));
            let local = DocId::from_number(self.documents.len() as u32 - 1);
            homes.push(Home { lane: self.lane, local, origin: None });
        }
        self.documents[local.index()]
    }
}
