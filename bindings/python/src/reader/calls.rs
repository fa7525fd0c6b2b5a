//! The tool calls of a reader: those of the provider, and those that the model wrote as text.

use patchwire::answer::Call as EngineCall;
use patchwire::document::DocId;
use patchwire::{ErrorKind, Limit, Spec};
use patchwire_async::ResponseEvent;
use patchwire_sources::CallState;
use pyo3::prelude::*;

use super::{Numbered, Part, Reader, Sink};
use crate::answer::{Answer, Call};
use crate::errors::{self, guarded};
use crate::parser::{feed, finish, stream_error};
use crate::patch::Place;
use crate::verbs::Verb;

/// A tool call that the provider sends in fields of its own.
pub(super) struct CallPart {
    pub(super) state: CallState,
    /// From 1.
    pub(super) number: u32,
    /// Made with the first arguments, when the name of the tool is known.
    pub(super) part: Option<Part>,
    /// The name that was known then, whose schema the arguments are read with.
    tool: Option<String>,
    /// The arguments of a tool that takes a text.
    text: Option<Vec<u8>>,
    /// Whether it was given to those who wait for calls.
    pub(super) is_given: bool,
    pub(super) document: u32,
}

impl CallPart {
    /// The call as protocols are told of it.
    pub(super) fn event(&self) -> ResponseEvent {
        let text = |text: Option<&str>| text.map(|text| text.to_owned().into());
        ResponseEvent::ToolCall {
            document: DocId::from_number(self.document),
            call: self.number,
            id: text(self.state.id()),
            name: text(self.state.name()),
        }
    }
}

impl Reader {
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
            return Err(self.too_many_calls(py, most));
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
            tool: None,
            text: None,
            is_given: false,
            document,
        });
        self.keys.insert(key.to_owned(), self.calls.len() - 1);
        Ok(self.calls.len() - 1)
    }

    fn too_many_calls(&self, py: Python<'_>, most: u64) -> PyErr {
        let what = format_args!(
            "more than {most} tool calls: raise the limit `calls`, or refuse the stream"
        );
        errors::raised_with(py, "StreamError", what, |attributes| {
            attributes.set_item("code", ErrorKind::Limit(Limit::Calls).name())?;
            attributes.set_item("offset", self.beside.fed())?;
            attributes.set_item("value", self.copy(py)?)
        })
    }

    /// Tells protocols of a call, or of its name.
    fn announce(&mut self, at: usize) {
        let event = self.calls[at].event();
        for verb in self.verbs.iter_mut().flatten() {
            if let Verb::Wire(wire) = verb {
                wire.send(&event);
            }
        }
    }

    fn feed_call(&mut self, py: Python<'_>, at: usize, arguments: &[u8]) -> PyResult<()> {
        let Self { calls, verbs, documents, attempt, spec, reasoned, .. } = self;
        let call = &mut calls[at];
        let place = Place { attempt: *attempt, call: Some(call.number), document: None };
        let mut sink =
            Sink { py, verbs, mirror: None, place, error: None, closes: false, reasoned };
        let document = call.document;
        let part = call.part.get_or_insert_with(|| {
            call.tool = call.state.name().map(str::to_owned);
            let mut part = Part::new(arguments_spec(spec, call.state.name()).parser());
            part.documents.push(Numbered { number: document, origin: None });
            part
        });
        let Part { engine, paths, documents: own } = part;
        let fed = guarded(py, || {
            Ok(feed(engine, arguments, &mut |event| sink.take(&event, paths, own, documents)))
        })?;
        let (error, closes) = (sink.error, sink.closes);
        self.read(py, fed, error)?;
        if closes { self.give_call(py, at) } else { Ok(()) }
    }

    /// Gives a call to those who wait for calls, once.
    pub(super) fn give_call(&mut self, py: Python<'_>, at: usize) -> PyResult<()> {
        if core::mem::replace(&mut self.calls[at].is_given, true) || !self.has_callers() {
            return Ok(());
        }
        let call = Py::new(py, self.call(py, at)?)?.into_any();
        self.give(py, &call);
        Ok(())
    }

    pub(super) fn has_callers(&self) -> bool {
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
    pub(super) fn give_text_calls(&mut self, py: Python<'_>) -> PyResult<()> {
        if !self.has_callers() {
            return Ok(());
        }
        let ready = self.ready_text_calls(py, self.text_calls)?;
        self.text_calls += ready.len();
        ready.iter().for_each(|call| self.give(py, call));
        Ok(())
    }

    /// The calls that the model wrote as text and that are complete now, except so many that were given.
    pub(super) fn ready_text_calls(
        &self,
        py: Python<'_>,
        given: usize,
    ) -> PyResult<Vec<Py<PyAny>>> {
        let calls = self.answer.engine.calls();
        let ready = calls.iter().enumerate().skip(given);
        let ready = ready.take_while(|(_, call)| self.ended.is_some() || call.is_complete());
        ready.map(|(at, call)| Ok(Py::new(py, self.text_call(py, at, call)?)?.into_any())).collect()
    }

    fn text_call(&self, py: Python<'_>, at: usize, call: &EngineCall) -> PyResult<Call> {
        let mut made = Call::read(py, call, at, &self.settings, &self.whole)?;
        made.r#type = self.type_of(py, Some(&made.name))?;
        Ok(made)
    }

    fn type_of(&self, py: Python<'_>, name: Option<&str>) -> PyResult<Option<Py<PyAny>>> {
        let (Some(types), Some(name)) = (&self.types, name) else { return Ok(None) };
        let found = types.bind(py).call_method1("get", (name,))?;
        Ok((!found.is_none()).then(|| found.unbind()))
    }

    /// A call of the provider as it is now.
    pub(super) fn call(&self, py: Python<'_>, at: usize) -> PyResult<Call> {
        let call = &self.calls[at];
        let answer = match &call.part {
            Some(part) => finish(&mut part.engine.clone(), &mut |_| {}),
            None => arguments_spec(&self.spec, None).parse(""),
        };
        let engine = call.part.as_ref().map_or(&self.answer.engine, |part| &part.engine);
        let answer = answer.map_err(|error| stream_error(py, engine, error))?;
        let is_complete = self.ended.is_some() || call.is_given;
        let is_complete = is_complete && answer.outcome() != patchwire::Outcome::Truncated;
        let own = call.text.as_deref().map(|text| String::from_utf8_lossy(text).into_owned());
        let raw = || answer.raw().map(|raw| String::from_utf8_lossy(raw).into_owned());
        let text = if answer.value().exists() { own } else { own.or_else(raw) };
        let (settings, tool) = (self.settings.clone_ref(py), call.tool.clone());
        Ok(Call {
            name: call.state.name().unwrap_or_default().to_owned(),
            id: call.state.id().map(str::to_owned),
            number: Some(call.number),
            is_complete,
            text: text.filter(|text| !text.is_empty()),
            r#type: self.type_of(py, call.state.name())?,
            answer: Py::new(py, Answer::arguments(answer, settings, tool))?,
        })
    }

    /// All calls so far: those of the provider, and those that the model wrote as text.
    pub(crate) fn all_calls(&self, py: Python<'_>) -> PyResult<Vec<Call>> {
        let own = (0..self.calls.len()).map(|at| self.call(py, at));
        let written = self.answer.engine.calls();
        let written = written.iter().enumerate().map(|(at, call)| self.text_call(py, at, call));
        own.chain(written).collect()
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
pub(crate) fn arguments_spec(spec: &Spec, name: Option<&str>) -> Spec {
    let builder = Spec::builder().without_tags().limits(spec.limits().clone());
    let schema = name.and_then(|name| spec.tool(name));
    let with_schema =
        schema.map_or_else(|| builder.clone(), |schema| builder.clone().schema(schema.clone()));
    // A schema over its limit was refused with the spec.
    with_schema.build().unwrap_or_else(|_| Spec::json())
}
