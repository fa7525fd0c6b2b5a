//! What a reader has read: the parser of the answer, those of tool calls, and the verbs that listen.

use std::collections::HashMap;

use patchwire::event::Event;
use patchwire::{Answer as EngineAnswer, Limit, Parser as Engine, Spec, document::DocId};
use patchwire_async::ResponseEvent;
use patchwire_sources::CallState;
use pyo3::prelude::*;

use crate::answer::{Answer, Call};
use crate::errors::{self, guarded};
use crate::large::{LARGE, Waiting};
use crate::mirror::Mirror;
use crate::parser::{feed, feed_reasoning, finish, stream_error};
use crate::patch::Place;
use crate::paths::PathTable;
use crate::spec::Settings;
use crate::value::to_python_if_any;
use crate::verbs::{Ended, Next, Seen, Slot, Verb, look};

/// A parser with the numbers and paths of its documents.
struct Part {
    engine: Engine,
    paths: PathTable,
    /// The number of each document among those of the response.
    numbers: Vec<u32>,
}

impl Part {
    fn new(engine: Engine) -> Self {
        Self { engine, paths: PathTable::default(), numbers: Vec::new() }
    }
}

/// A tool call that the provider sends in fields of its own.
struct CallPart {
    state: CallState,
    /// From 1.
    number: u32,
    /// Made with the first arguments, when the name of the tool is known.
    part: Option<Part>,
    /// The arguments of a tool that takes a text.
    text: Option<Vec<u8>>,
    /// Whether it was given to those who wait for calls.
    is_given: bool,
    document: u32,
}

pub(crate) struct Reader {
    settings: Py<Settings>,
    spec: Spec,
    answer: Part,
    calls: Vec<CallPart>,
    /// The last call under each key of the provider.
    keys: HashMap<String, usize>,
    documents: u32,
    attempt: u32,
    verbs: Vec<Slot>,
    mirror: Option<Mirror>,
    ended: Option<EngineAnswer>,
    /// How many calls that the model wrote as text were given.
    text_calls: usize,
    /// The types of the arguments of tools, by name.
    types: Option<Py<PyAny>>,
}

impl Reader {
    pub(crate) fn new(settings: &Bound<'_, Settings>, types: Option<Py<PyAny>>) -> Self {
        let spec = settings.get().spec.clone();
        let answer = Part::new(spec.parser());
        Self {
            settings: settings.clone().unbind(),
            spec,
            answer,
            calls: Vec::new(),
            keys: HashMap::new(),
            documents: 0,
            attempt: 1,
            verbs: Vec::new(),
            mirror: None,
            ended: None,
            text_calls: 0,
            types,
        }
    }

    pub(crate) const fn spec(&self) -> &Spec {
        &self.spec
    }

    pub(crate) const fn attempt(&self) -> u32 {
        self.attempt
    }

    const fn place(&self) -> Place {
        Place { attempt: self.attempt, call: None, document: None }
    }

    /// Adds a verb, which first sees what was read before. Returns its number.
    pub(crate) fn listen(&mut self, py: Python<'_>, mut verb: Verb) -> PyResult<usize> {
        verb.catch_up(py, &self.answer.engine, self.place())?;
        if let Verb::Calls(queue) = &mut verb {
            for number in 0..self.calls.len() {
                if self.calls[number].is_given {
                    queue.push_back(Py::new(py, self.call(py, number)?)?.into_any());
                }
            }
        }
        if let Some(answer) = &self.ended {
            verb.end(py, &Ended { answer })?;
        }
        let free = self.verbs.iter().position(Option::is_none);
        let at = free.unwrap_or(self.verbs.len());
        if at == self.verbs.len() {
            self.verbs.push(None);
        }
        self.verbs[at] = Some(verb);
        Ok(at)
    }

    pub(crate) fn forget(&mut self, verb: usize) -> Option<Verb> {
        self.verbs.get_mut(verb).and_then(Option::take)
    }

    #[inline]
    pub(crate) fn pop(&mut self, py: Python<'_>, verb: usize, is_over: bool) -> Next {
        let document = self.answer.engine.value();
        match self.verbs.get_mut(verb) {
            Some(Some(verb)) => verb.pop(py, &mut self.mirror, document, is_over),
            _ => Next::End,
        }
    }

    /// Reads text of the answer.
    #[inline]
    pub(crate) fn text(&mut self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        if bytes.len() >= LARGE && !self.makes_objects() {
            return self.large_text(py, bytes);
        }
        let place = self.place();
        let Self { answer, verbs, mirror, documents, .. } = self;
        let mut sink = Sink { py, verbs, mirror: Some(mirror), place, error: None, closes: false };
        let Part { engine, paths, numbers } = answer;
        let fed = guarded(py, || {
            Ok(feed(engine, bytes, &mut |event| sink.take(&event, paths, numbers, documents)))
        })?;
        let (error, closes) = (sink.error, sink.closes);
        self.read(py, fed, error)?;
        if closes { self.give_text_calls(py) } else { Ok(()) }
    }

    /// Whether objects are made from each event as it comes.
    fn makes_objects(&self) -> bool {
        self.mirror.is_some() || self.verbs.iter().flatten().any(Verb::makes_objects)
    }

    /// Reads a large text of the answer without the lock of the interpreter, and makes objects afterwards.
    #[inline(never)]
    fn large_text(&mut self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        let place = self.place();
        let Self { answer: Part { engine, numbers, .. }, verbs, documents, .. } = self;
        let (fed, waiting, closes) = guarded(py, || {
            Ok(py.detach(|| {
                let (mut waiting, mut closes) = (Waiting::default(), false);
                let fed = feed(engine, bytes, &mut |event| {
                    closes |= may_complete_call(&event);
                    let place = numbered(place, &event, numbers, documents);
                    waiting.take(verbs, place, &event);
                });
                (fed, waiting, closes)
            }))
        })?;
        let given = waiting.give(py, &mut self.verbs);
        self.read(py, fed, given.err())?;
        if closes { self.give_text_calls(py) } else { Ok(()) }
    }

    /// Reads reasoning that the source delivers in a field of its own.
    pub(crate) fn reasoning(&mut self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        let place = self.place();
        let Self { answer, verbs, documents, .. } = self;
        let mut sink = Sink { py, verbs, mirror: None, place, error: None, closes: false };
        let Part { engine, paths, numbers } = answer;
        let fed = guarded(py, || {
            Ok(feed_reasoning(engine, bytes, &mut |event| {
                sink.take(&event, paths, numbers, documents)
            }))
        })?;
        let error = sink.error;
        self.read(py, fed, error)
    }

    /// Reads a part of a tool call.
    pub(crate) fn call_delta(&mut self, py: Python<'_>, delta: CallDelta<'_>) -> PyResult<()> {
        let CallDelta { key, id, name, arguments, is_text } = delta;
        let known = self.keys.get(key).copied();
        let at = match known {
            Some(at) if !self.calls[at].state.begins_another(id, name, arguments) => at,
            _ => self.begin_call(py, key)?,
        };
        let (is_new, call) = (self.calls[at].state.take(id, name, arguments), &mut self.calls[at]);
        if is_text {
            call.text.get_or_insert_default().extend_from_slice(arguments);
        }
        if is_new {
            self.announce(at);
        }
        if is_text || arguments.is_empty() {
            return Ok(());
        }
        self.feed_call(py, at, arguments)
    }

    /// Begins another call. The one before it is complete.
    fn begin_call(&mut self, py: Python<'_>, key: &str) -> PyResult<usize> {
        let most = self.spec.limits().get(Limit::Calls);
        if self.calls.len() as u64 >= most {
            let error = format!(
                "more than {most} tool calls: raise the limit `calls`, or refuse the stream"
            );
            return Err(errors::raised(py, "StreamError", error));
        }
        if let Some(last) = self.keys.get(key).copied() {
            self.give_call(py, last)?;
        }
        let number = self.calls.len() as u32 + 1;
        // The answer has the first number, whether it has begun or not.
        self.documents = self.documents.max(1);
        let document = self.documents;
        self.documents += 1;
        let state = CallState::default();
        self.calls.push(CallPart {
            state,
            number,
            part: None,
            text: None,
            is_given: false,
            document,
        });
        self.keys.insert(key.to_owned(), self.calls.len() - 1);
        Ok(self.calls.len() - 1)
    }

    /// Tells protocols of a call, or of its name.
    fn announce(&mut self, at: usize) {
        let call = &self.calls[at];
        let text = |text: Option<&str>| text.map(|text| text.to_owned().into());
        let event = ResponseEvent::ToolCall {
            document: DocId::from_number(call.document),
            call: call.number,
            id: text(call.state.id()),
            name: text(call.state.name()),
        };
        for verb in self.verbs.iter_mut().flatten() {
            if let Verb::Wire(wire) = verb {
                wire.send(&event);
            }
        }
    }

    fn feed_call(&mut self, py: Python<'_>, at: usize, arguments: &[u8]) -> PyResult<()> {
        let Self { calls, verbs, documents, attempt, spec, .. } = self;
        let call = &mut calls[at];
        let place = Place { attempt: *attempt, call: Some(call.number), document: None };
        let mut sink = Sink { py, verbs, mirror: None, place, error: None, closes: false };
        let document = call.document;
        let part = call.part.get_or_insert_with(|| {
            let mut part = Part::new(arguments_spec(spec, call.state.name()).parser());
            part.numbers.push(document);
            part
        });
        let Part { engine, paths, numbers } = part;
        let fed = guarded(py, || {
            Ok(feed(engine, arguments, &mut |event| sink.take(&event, paths, numbers, documents)))
        })?;
        let (error, closes) = (sink.error, sink.closes);
        self.read(py, fed, error)?;
        if closes { self.give_call(py, at) } else { Ok(()) }
    }

    /// Gives a call to those who wait for calls, once.
    fn give_call(&mut self, py: Python<'_>, at: usize) -> PyResult<()> {
        if core::mem::replace(&mut self.calls[at].is_given, true) || !self.has_callers() {
            return Ok(());
        }
        let call = Py::new(py, self.call(py, at)?)?.into_any();
        self.give(py, &call);
        Ok(())
    }

    fn has_callers(&self) -> bool {
        self.verbs.iter().flatten().any(|verb| matches!(verb, Verb::Calls(_)))
    }

    fn give(&mut self, py: Python<'_>, call: &Py<PyAny>) {
        for verb in self.verbs.iter_mut().flatten() {
            if let Verb::Calls(queue) = verb {
                queue.push_back(call.clone_ref(py));
            }
        }
    }

    /// Gives the calls that the model wrote as text and that are complete now.
    fn give_text_calls(&mut self, py: Python<'_>) -> PyResult<()> {
        if !self.has_callers() {
            return Ok(());
        }
        let calls = self.answer.engine.calls();
        let ready = calls
            .iter()
            .skip(self.text_calls)
            .take_while(|call| self.ended.is_some() || call.is_complete());
        let ready: Vec<_> = ready.collect();
        self.text_calls += ready.len();
        for call in ready {
            let call = self.text_call(py, call)?;
            let call = Py::new(py, call)?.into_any();
            self.give(py, &call);
        }
        Ok(())
    }

    fn text_call(&self, py: Python<'_>, call: &patchwire::answer::Call) -> PyResult<Call> {
        let beside = Answer::new(call.answer().clone(), Some(self.settings.clone_ref(py)));
        let mut made = Call::read(py, call, &beside)?;
        made.r#type = self.type_of(py, Some(&made.name))?;
        Ok(made)
    }

    fn type_of(&self, py: Python<'_>, name: Option<&str>) -> PyResult<Option<Py<PyAny>>> {
        let (Some(types), Some(name)) = (&self.types, name) else { return Ok(None) };
        let found = types.bind(py).call_method1("get", (name,))?;
        Ok((!found.is_none()).then(|| found.unbind()))
    }

    /// A call of the provider as it is now.
    fn call(&self, py: Python<'_>, at: usize) -> PyResult<Call> {
        let call = &self.calls[at];
        let answer = match &call.part {
            Some(part) => finish(&mut part.engine.clone(), &mut |_| {}),
            None => arguments_spec(&self.spec, None).parse(""),
        };
        let answer = answer.map_err(|error| errors::raised(py, "StreamError", error))?;
        let is_complete = self.ended.is_some() || call.is_given;
        let is_complete = is_complete && answer.outcome() != patchwire::Outcome::Truncated;
        let own = call.text.as_deref().map(|text| String::from_utf8_lossy(text).into_owned());
        let raw = || answer.raw().map(|raw| String::from_utf8_lossy(raw).into_owned());
        let text = if answer.value().exists() { own } else { own.or_else(raw) };
        Ok(Call {
            name: call.state.name().unwrap_or_default().to_owned(),
            id: call.state.id().map(str::to_owned),
            number: Some(call.number),
            is_complete,
            text: text.filter(|text| !text.is_empty()),
            r#type: self.type_of(py, call.state.name())?,
            answer: Py::new(py, Answer::arguments(answer, Some(self.settings.clone_ref(py))))?,
        })
    }

    /// All calls so far: those of the provider, and those that the model wrote as text.
    pub(crate) fn all_calls(&self, py: Python<'_>) -> PyResult<Vec<Call>> {
        let own = (0..self.calls.len()).map(|at| self.call(py, at));
        let written = self.answer.engine.calls();
        let written = written.iter().map(|call| self.text_call(py, call));
        own.chain(written).collect()
    }

    /// The end of the stream, before anybody knows whether its answer stands. Verbs stay open.
    pub(crate) fn conclude(&mut self, py: Python<'_>) -> PyResult<()> {
        if self.ended.is_some() {
            return Ok(());
        }
        let place = self.place();
        let Self { answer, verbs, mirror, documents, .. } = self;
        let mut sink = Sink { py, verbs, mirror: Some(mirror), place, error: None, closes: false };
        let Part { engine, paths, numbers } = answer;
        let ended = guarded(py, || {
            Ok(finish(engine, &mut |event| sink.take(&event, paths, numbers, documents)))
        })?;
        let error = sink.error;
        let ended = ended.map_err(|error| stream_error(py, &self.answer.engine, error))?;
        error.map_or(Ok(()), Err)?;
        if let Some(mirror) = &mut self.mirror {
            mirror.spoil();
        }
        self.ended = Some(ended);
        Ok(())
    }

    /// The end of the stream, and its answer stands.
    pub(crate) fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        self.conclude(py)?;
        for at in 0..self.calls.len() {
            self.give_call(py, at)?;
        }
        self.give_text_calls(py)?;
        let Some(answer) = &self.ended else { return Ok(()) };
        let ended = Ended { answer };
        self.verbs.iter_mut().flatten().try_for_each(|verb| verb.end(py, &ended))
    }

    /// The stream failed: protocols have an end for that.
    pub(crate) fn fail(&mut self, code: &str, message: &str) {
        self.verbs.iter_mut().flatten().for_each(|verb| verb.fail(code, message));
    }

    /// Begins another attempt. Everything that was read is void.
    pub(crate) fn reset(
        &mut self,
        py: Python<'_>,
        settings: Option<&Bound<'_, Settings>>,
    ) -> PyResult<()> {
        if let Some(settings) = settings {
            self.spec = settings.get().spec.clone();
            self.settings = settings.clone().unbind();
        }
        self.attempt += 1;
        self.answer = Part::new(self.spec.parser());
        (self.calls, self.keys, self.documents) = (Vec::new(), HashMap::new(), 0);
        (self.ended, self.text_calls) = (None, 0);
        if let Some(mirror) = &mut self.mirror {
            mirror.spoil();
        }
        let place = self.place();
        self.verbs.iter_mut().flatten().try_for_each(|verb| verb.reset(py, place))
    }

    /// The live value; `None` before it begins.
    pub(crate) fn value<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let document = self.answer.engine.value();
        if !document.exists() {
            return Ok(py.None().into_bound(py));
        }
        look(py, &mut self.mirror, document)
    }

    /// A copy of the value so far.
    pub(crate) fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python_if_any(py, self.answer.engine.value())
    }

    /// The answer, after the end.
    pub(crate) fn answer(&self, py: Python<'_>) -> Option<Answer> {
        let answer = self.ended.clone()?;
        Some(Answer::new(answer, Some(self.settings.clone_ref(py))))
    }

    fn read(
        &self,
        py: Python<'_>,
        fed: Result<(), patchwire::Error>,
        error: Option<PyErr>,
    ) -> PyResult<()> {
        fed.map_err(|error| stream_error(py, &self.answer.engine, error))?;
        error.map_or(Ok(()), Err)
    }
}

/// A part of a tool call.
pub(crate) struct CallDelta<'a> {
    pub(crate) key: &'a str,
    pub(crate) id: Option<&'a str>,
    pub(crate) name: Option<&'a str>,
    pub(crate) arguments: &'a [u8],
    /// Whether the arguments are the text that a custom tool takes.
    pub(crate) is_text: bool,
}

/// The settings for the arguments of a tool: lenient JSON within the limits of the answer.
fn arguments_spec(spec: &Spec, name: Option<&str>) -> Spec {
    let builder = Spec::builder().without_tags().limits(spec.limits().clone());
    let schema = name.and_then(|name| spec.tool(name));
    let with_schema =
        schema.map_or_else(|| builder.clone(), |schema| builder.clone().schema(schema.clone()));
    // A schema over its limit was refused with the spec.
    with_schema.build().unwrap_or_else(|_| Spec::json())
}

/// Whether an element or a root closed.
#[inline]
const fn may_complete_call(event: &Event<'_>) -> bool {
    matches!(event, Event::ElementClose { .. } | Event::RootComplete { .. })
}

/// The place of an event, with the number of its document among those of the response.
#[inline]
fn numbered(
    mut place: Place,
    event: &Event<'_>,
    numbers: &mut Vec<u32>,
    documents: &mut u32,
) -> Place {
    if let Event::Patch(patch) = event {
        let local = patch.document.index();
        while numbers.len() <= local {
            numbers.push(*documents);
            *documents += 1;
        }
        place.document = Some(numbers[local]);
    }
    place
}

/// Passes events to the verbs and the mirror.
struct Sink<'a, 'py> {
    py: Python<'py>,
    verbs: &'a mut Vec<Slot>,
    /// None for what is not the value.
    mirror: Option<&'a mut Option<Mirror>>,
    place: Place,
    error: Option<PyErr>,
    /// Whether an element or a root closed, so that a call may be complete.
    closes: bool,
}

impl Sink<'_, '_> {
    #[inline]
    fn take(
        &mut self,
        event: &Event<'_>,
        paths: &mut PathTable,
        numbers: &mut Vec<u32>,
        documents: &mut u32,
    ) {
        self.closes |= may_complete_call(event);
        let place = numbered(self.place, event, numbers, documents);
        if let Event::Patch(patch) = event
            && let Some(Some(mirror)) = &mut self.mirror
            && patch.document == DocId::ANSWER
            && let Err(error) = mirror.take(self.py, patch)
        {
            self.error = Some(error);
        }
        let mut seen = Seen { py: self.py, place, paths, object: None };
        for verb in self.verbs.iter_mut().flatten() {
            if let Err(error) = verb.take(&mut seen, event) {
                self.error = Some(error);
            }
        }
    }
}
