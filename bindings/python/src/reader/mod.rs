//! What a reader has read: the parser of the answer, those of tool calls, and the verbs that listen.

mod calls;
mod late;

use std::collections::HashMap;

use patchwire::event::{Event, Origin};
use patchwire::{Answer as EngineAnswer, Parser as Engine, Spec, document::DocId};
use pyo3::prelude::*;

use crate::answer::{Answer, Beside, Whole};
use crate::errors::guarded;
use crate::large::{LARGE, Waiting};
use crate::mirror::Mirror;
use crate::parser::{feed, feed_reasoning, finish, stream_error};
use crate::patch::Place;
use crate::paths::PathTable;
use crate::spec::Settings;
use crate::value::to_python_if_any;
use crate::verbs::{Ended, Next, Seen, Slot, Verb, look};
use calls::CallPart;
pub(crate) use calls::{CallDelta, arguments_spec};

/// A parser with the numbers and paths of its documents.
struct Part {
    engine: Engine,
    paths: PathTable,
    documents: Vec<Numbered>,
}

/// A document of a part.
struct Numbered {
    /// Its number among those of the response.
    number: u32,
    /// Where it lies, after its first patch.
    origin: Option<Origin>,
}

impl Part {
    fn new(engine: Engine) -> Self {
        Self { engine, paths: PathTable::default(), documents: Vec::new() }
    }
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
    /// The reasoning so far, as it was given.
    reasoned: String,
    /// Reasoning that came beside the text, to pickle the answer.
    beside: Beside,
    /// The answer of this attempt, once it is there: calls that were given before are pickled with it.
    whole: Whole,
    /// The code and the message of what ended the stream.
    failure: Option<(String, String)>,
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
            reasoned: String::new(),
            beside: Beside::default(),
            whole: Whole::default(),
            failure: None,
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
        self.beside.text(bytes);
        if bytes.len() >= LARGE && !self.makes_objects() {
            return self.large_text(py, bytes);
        }
        let place = self.place();
        let Self { answer, verbs, mirror, documents, reasoned, .. } = self;
        let mirror = Some(mirror);
        let mut sink = Sink { py, verbs, mirror, place, error: None, closes: false, reasoned };
        let Part { engine, paths, documents: own } = answer;
        let fed = guarded(py, || {
            Ok(feed(engine, bytes, &mut |event| sink.take(&event, paths, own, documents)))
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
        let Self {
            answer: Part { engine, documents: own, .. }, verbs, documents, reasoned, ..
        } = self;
        let (fed, waiting, closes) = guarded(py, || {
            Ok(py.detach(|| {
                let (mut waiting, mut closes) = (Waiting::default(), false);
                let fed = feed(engine, bytes, &mut |event| {
                    closes |= may_complete_call(&event);
                    keep_reasoning(&event, reasoned);
                    let place = numbered(place, &event, own, documents);
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
        self.beside.reasoning(bytes);
        let place = self.place();
        let Self { answer, verbs, documents, reasoned, .. } = self;
        let mut sink =
            Sink { py, verbs, mirror: None, place, error: None, closes: false, reasoned };
        let Part { engine, paths, documents: own } = answer;
        let fed = guarded(py, || {
            Ok(feed_reasoning(engine, bytes, &mut |event| sink.take(&event, paths, own, documents)))
        })?;
        let error = sink.error;
        self.read(py, fed, error)
    }

    /// The end of the stream, before anybody knows whether its answer stands. Verbs stay open.
    pub(crate) fn conclude(&mut self, py: Python<'_>) -> PyResult<()> {
        if self.ended.is_some() {
            return Ok(());
        }
        let place = self.place();
        let Self { answer, verbs, mirror, documents, reasoned, .. } = self;
        let mirror = Some(mirror);
        let mut sink = Sink { py, verbs, mirror, place, error: None, closes: false, reasoned };
        let Part { engine, paths, documents: own } = answer;
        let ended = guarded(py, || {
            Ok(finish(engine, &mut |event| sink.take(&event, paths, own, documents)))
        })?;
        let error = sink.error;
        let ended = ended.map_err(|error| stream_error(py, &self.answer.engine, error))?;
        error.map_or(Ok(()), Err)?;
        if let Some(mirror) = &mut self.mirror {
            mirror.spoil();
        }
        self.ended = Some(ended);
        if let Some(answer) = self.answer(py) {
            // Nobody else sets it.
            self.whole.set(Py::new(py, answer)?).unwrap_or_default();
        }
        Ok(())
    }

    /// The end of the stream, and its answer stands.
    pub(crate) fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        self.conclude(py)?;
        for at in 0..self.calls.len() {
            self.give_call(py, at)?;
        }
        self.give_text_calls(py)?;
        let Self { ended, settings, beside, verbs, .. } = self;
        let Some(answer) = ended else { return Ok(()) };
        let ended = Ended { answer, settings, beside };
        verbs.iter_mut().flatten().try_for_each(|verb| verb.end(py, &ended))
    }

    /// The stream failed: protocols have an end for that.
    pub(crate) fn fail(&mut self, code: &str, message: &str) {
        self.failure = Some((code.to_owned(), message.to_owned()));
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
        (self.ended, self.text_calls, self.failure) = (None, 0, None);
        (self.whole, self.beside) = (Whole::default(), Beside::default());
        self.reasoned.clear();
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
        let answer = Answer::new(self.ended.clone()?, self.settings.clone_ref(py));
        Some(answer.with_beside(self.beside.clone()))
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

/// Whether an element or a root closed.
#[inline]
const fn may_complete_call(event: &Event<'_>) -> bool {
    matches!(event, Event::ElementClose { .. } | Event::RootComplete { .. })
}

/// Keeps reasoning, for those who begin late.
#[inline]
fn keep_reasoning(event: &Event<'_>, reasoned: &mut String) {
    if let Event::Reasoning(text) = event {
        reasoned.push_str(&text.delta);
    }
}

/// The place of an event, with the number of its document among those of the response.
#[inline]
fn numbered(
    mut place: Place,
    event: &Event<'_>,
    own: &mut Vec<Numbered>,
    documents: &mut u32,
) -> Place {
    if let Event::Patch(patch) = event {
        let local = patch.document.index();
        while own.len() <= local {
            own.push(Numbered { number: *documents, origin: None });
            *documents += 1;
        }
        let document = &mut own[local];
        document.origin.get_or_insert(*patch.origin);
        place.document = Some(document.number);
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
    reasoned: &'a mut String,
}

impl Sink<'_, '_> {
    #[inline]
    fn take(
        &mut self,
        event: &Event<'_>,
        paths: &mut PathTable,
        own: &mut Vec<Numbered>,
        documents: &mut u32,
    ) {
        self.closes |= may_complete_call(event);
        keep_reasoning(event, self.reasoned);
        let place = numbered(self.place, event, own, documents);
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
