//! A reader and its source, for the classes `Reader` and `AsyncReader` of the package.

use patchwire_wire::{
    AgUi, Compact, Documents, JsonEvents, JsonPatch, Ops, Protocol, Sse, UiMessage,
};
use pyo3::exceptions::{PyBaseException, PyException};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator, PyString};

use crate::answer::{Answer, Call};
use crate::chunk;
use crate::errors;
use crate::parser::located;
use crate::paths;
use crate::reader::{CallDelta, Reader};
use crate::spec::Settings;
use crate::stream::Stream;
use crate::verbs::{Each, Followed, Get, Text, Values, Verb, Wire};

/// Where a session stands.
pub(crate) enum State {
    Reading,
    Ended,
    /// The exception that every later call raises.
    Failed(Py<PyBaseException>),
    Closed,
}

/// What was read, and from where. One thread at a time reads on.
#[pyclass(module = "patchwire._core")]
pub(crate) struct Session {
    pub(crate) reader: Reader,
    source: Option<Py<PyIterator>>,
    /// Passes the parts of an item that is no text to this session.
    split: Option<Py<PyAny>>,
    is_pulling: bool,
    pub(crate) state: State,
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (settings, source = None, split = None, types = None))]
    fn new(
        settings: &Bound<'_, Settings>,
        source: Option<&Bound<'_, PyAny>>,
        split: Option<Py<PyAny>>,
        types: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let source = source.map(|source| source.try_iter()).transpose()?.map(Bound::unbind);
        let reader = Reader::new(settings, types);
        Ok(Self { reader, source, split, is_pulling: false, state: State::Reading })
    }

    /// Replaces the source, for another attempt.
    fn attach(slf: &Bound<'_, Self>, source: &Bound<'_, PyAny>) -> PyResult<()> {
        let source = source.try_iter()?.unbind();
        let mut session = borrowed(slf)?;
        (session.source, session.state) = (Some(source), State::Reading);
        Ok(())
    }

    /// Reads an item if it is text or bytes, or nothing at all. Returns whether it was.
    fn push(slf: &Bound<'_, Self>, item: &Bound<'_, PyAny>) -> PyResult<bool> {
        if item.is_none() {
            return Ok(true);
        }
        let Some(bytes) = chunk::bytes_if_text(item)? else { return Ok(false) };
        borrowed(slf)?.reader.text(slf.py(), &bytes)?;
        Ok(true)
    }

    /// Reads text of the answer.
    fn push_text(slf: &Bound<'_, Self>, text: &Bound<'_, PyAny>) -> PyResult<()> {
        let bytes = chunk::bytes(text)?;
        borrowed(slf)?.reader.text(slf.py(), &bytes)
    }

    /// Reads reasoning that the source delivers in a field of its own.
    fn push_reasoning(slf: &Bound<'_, Self>, text: &Bound<'_, PyAny>) -> PyResult<()> {
        let bytes = chunk::bytes(text)?;
        borrowed(slf)?.reader.reasoning(slf.py(), &bytes)
    }

    /// Reads a part of a tool call. `key` tells parallel calls apart.
    #[pyo3(signature = (key, id = None, name = None, arguments = None, is_text = false))]
    fn push_call(
        slf: &Bound<'_, Self>,
        key: &Bound<'_, PyAny>,
        id: Option<&Bound<'_, PyAny>>,
        name: Option<&Bound<'_, PyAny>>,
        arguments: Option<&Bound<'_, PyAny>>,
        is_text: bool,
    ) -> PyResult<()> {
        let arguments = arguments.map(chunk::bytes).transpose()?.unwrap_or_default();
        let key = chunk::name(key, "the key of a call")?;
        let id = id.map(|id| chunk::name(id, "the id of a call")).transpose()?;
        let name = name.map(|name| chunk::name(name, "the name of a tool")).transpose()?;
        let delta = CallDelta { key, id, name, arguments: &arguments, is_text };
        borrowed(slf)?.reader.call_delta(slf.py(), delta)
    }

    /// The source has ended.
    fn finish(slf: &Bound<'_, Self>) -> PyResult<()> {
        borrowed(slf)?.end(slf.py())
    }

    /// The end of the stream, before it is known whether its answer stands.
    fn conclude(slf: &Bound<'_, Self>) -> PyResult<Option<Answer>> {
        let mut session = borrowed(slf)?;
        session.reader.conclude(slf.py())?;
        Ok(session.reader.answer(slf.py()))
    }

    /// The source, or reading it, failed with this exception.
    fn fail(slf: &Bound<'_, Self>, error: &Bound<'_, PyAny>) -> PyResult<()> {
        borrowed(slf)?.failed(slf.py(), &PyErr::from_value(error.clone()));
        Ok(())
    }

    /// Reads no more. What was read stays readable.
    fn close(slf: &Bound<'_, Self>) -> PyResult<()> {
        let mut session = borrowed(slf)?;
        if let State::Reading = session.state {
            session.state = State::Closed;
        }
        (session.source, session.split) = (None, None);
        Ok(())
    }

    /// Begins another attempt. Everything that was read is void.
    #[pyo3(signature = (settings = None))]
    fn reset(slf: &Bound<'_, Self>, settings: Option<&Bound<'_, Settings>>) -> PyResult<()> {
        let mut session = borrowed(slf)?;
        session.state = State::Reading;
        session.reader.reset(slf.py(), settings)
    }

    /// "reading", "ended", "failed" or "closed".
    #[getter]
    pub(crate) fn state(slf: &Bound<'_, Self>) -> &'static str {
        // Who cannot borrow it meets a thread that reads.
        slf.try_borrow().map_or("reading", |session| match session.state {
            State::Reading => "reading",
            State::Ended => "ended",
            State::Failed(_) => "failed",
            State::Closed => "closed",
        })
    }

    /// The exception that ended the session.
    #[getter]
    fn error(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        Ok(match &borrowed(slf)?.state {
            State::Failed(error) => Some(error.clone_ref(slf.py()).into_any()),
            _ => None,
        })
    }

    #[getter]
    fn attempt(slf: &Bound<'_, Self>) -> PyResult<u32> {
        Ok(borrowed(slf)?.reader.attempt())
    }

    #[getter]
    fn value<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        borrowed(slf)?.reader.value(slf.py())
    }

    fn copy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        borrowed(slf)?.reader.copy(slf.py())
    }

    #[getter]
    fn answer(slf: &Bound<'_, Self>) -> PyResult<Option<Answer>> {
        let session = borrowed(slf)?;
        let has_ended = matches!(session.state, State::Ended);
        Ok(has_ended.then(|| session.reader.answer(slf.py())).flatten())
    }

    fn all_calls(slf: &Bound<'_, Self>) -> PyResult<Vec<Call>> {
        borrowed(slf)?.reader.all_calls(slf.py())
    }

    /// Reads one item of the source. Returns false at the end.
    fn pull(slf: &Bound<'_, Self>) -> PyResult<bool> {
        pull(slf)
    }

    #[pyo3(signature = (path = None))]
    fn patches(slf: &Bound<'_, Self>, path: Option<&Bound<'_, PyAny>>) -> PyResult<Stream> {
        let only = path.map(|path| pattern(slf, path)).transpose()?;
        let what = about("patches", path)?;
        Stream::new(slf, what, Verb::Patches { queue: Default::default(), only }, None)
    }

    fn events(slf: &Bound<'_, Self>) -> PyResult<Stream> {
        Stream::new(slf, "events".to_owned(), Verb::Events(Default::default()), None)
    }

    fn text(slf: &Bound<'_, Self>, path: &Bound<'_, PyAny>) -> PyResult<Stream> {
        let verb = Verb::Text(Text::new(Followed::new(pattern(slf, path)?)));
        Stream::new(slf, about("text", Some(path))?, verb, None)
    }

    fn values(slf: &Bound<'_, Self>, path: &Bound<'_, PyAny>) -> PyResult<Stream> {
        let verb = Verb::Values(Values::new(pattern(slf, path)?));
        Stream::new(slf, about("values", Some(path))?, verb, None)
    }

    #[pyo3(signature = (path, indexed = false, convert = None))]
    fn each(
        slf: &Bound<'_, Self>,
        path: &Bound<'_, PyAny>,
        indexed: bool,
        convert: Option<Py<PyAny>>,
    ) -> PyResult<Stream> {
        let (py, what) = (slf.py(), about("each", Some(path))?);
        let path = paths::given(path)?;
        let suffix = ["[*]", ".*"].into_iter().find_map(|suffix| path.strip_suffix(suffix));
        let list = if path == "*" { "" } else { suffix.unwrap_or(path) };
        let list: patchwire::Pattern =
            list.parse().map_err(|error| errors::pattern(py, path, error))?;
        let items = located(py, &format!("{list}[*]"), borrowed(slf)?.reader.spec().schema())?;
        Stream::new(slf, what, Verb::Each(Each::new(items, list, indexed)), convert)
    }

    #[pyo3(signature = (path, convert = None))]
    fn get(
        slf: &Bound<'_, Self>,
        path: &Bound<'_, PyAny>,
        convert: Option<Py<PyAny>>,
    ) -> PyResult<Stream> {
        let verb = Verb::Get(Get::new(Followed::new(pattern(slf, path)?)));
        Stream::new(slf, about("get", Some(path))?, verb, convert)
    }

    fn reasoning(slf: &Bound<'_, Self>) -> PyResult<Stream> {
        let verb = Verb::Reasoning { waiting: String::new() };
        Stream::new(slf, "reasoning".to_owned(), verb, None)
    }

    fn calls(slf: &Bound<'_, Self>) -> PyResult<Stream> {
        Stream::new(slf, "calls".to_owned(), Verb::Calls(Default::default()), None)
    }

    /// The events in a protocol, as lines or as frames of server-sent events.
    #[pyo3(signature = (protocol, frames = false, thread = "thread", run = "run"))]
    fn wire(
        slf: &Bound<'_, Self>,
        protocol: &str,
        frames: bool,
        thread: &str,
        run: &str,
    ) -> PyResult<Stream> {
        let made: Box<dyn Protocol + Send + Sync> = match protocol {
            "events" => Box::new(JsonEvents::default()),
            "compact" => Box::new(Compact::default()),
            "ops" => Box::new(Ops::with_documents(Documents::Answer)),
            "json-patch" => Box::new(JsonPatch::default()),
            "ag-ui" => Box::new(AgUi::new(thread, run)),
            "ui-message" => Box::new(UiMessage::default()),
            _ => {
                let known = "events, compact, ops, json-patch, ag-ui, ui-message";
                let what = format!("no protocol is called `{protocol}`; write one of {known}");
                return Err(errors::raised(slf.py(), "SpecError", what));
            }
        };
        let numbered = matches!(protocol, "events" | "compact" | "ops" | "json-patch");
        let frames = frames.then(|| if numbered { Sse::numbered() } else { Sse::plain() });
        Stream::new(slf, format!("wire {protocol:?}"), Verb::Wire(Wire::new(made, frames)), None)
    }

    // An exception holds its frames, and a generator its own: either may lead back to this session.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.source)?;
        visit.call(&self.split)?;
        match &self.state {
            State::Failed(error) => visit.call(error),
            _ => Ok(()),
        }
    }

    fn __clear__(&mut self) {
        (self.source, self.split) = (None, None);
        if let State::Failed(_) = self.state {
            self.state = State::Closed;
        }
    }
}

impl Session {
    fn end(&mut self, py: Python<'_>) -> PyResult<()> {
        if let State::Reading = self.state {
            self.state = State::Ended;
            if let Err(error) = self.reader.finish(py) {
                self.failed(py, &error);
                return Err(error);
            }
        }
        Ok(())
    }

    fn failed(&mut self, py: Python<'_>, error: &PyErr) {
        let value = error.value(py);
        let code = value
            .getattr("code")
            .and_then(|code| code.extract())
            .unwrap_or_else(|_| "source".to_owned());
        let message = value.str().map(|text| text.to_string()).unwrap_or_default();
        self.reader.fail(&code, &message);
        self.state = State::Failed(value.clone().unbind());
    }
}

/// A path as a pattern that the schema of the answer has.
fn pattern(session: &Bound<'_, Session>, path: &Bound<'_, PyAny>) -> PyResult<patchwire::Pattern> {
    located(session.py(), paths::given(path)?, borrowed(session)?.reader.spec().schema())
}

/// A verb and its path, as a stream prints them.
fn about(verb: &str, path: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    Ok(match path {
        Some(path) => format!("{verb} of {:?}", paths::given(path)?),
        None => verb.to_owned(),
    })
}

/// The session, unless it is reading: then this is a call from another thread, or from a source that reads itself.
pub(crate) fn borrowed<'a>(session: &'a Bound<'_, Session>) -> PyResult<PyRefMut<'a, Session>> {
    session.try_borrow_mut().map_err(|_| busy(session.py()))
}

fn busy(py: Python<'_>) -> PyErr {
    let what = "the reader is reading already: a reader belongs to one thread at a time, and a source cannot read it";
    errors::raised(py, "BusyError", what)
}

/// Reads one item of the source. Returns false at the end.
fn pull(slf: &Bound<'_, Session>) -> PyResult<bool> {
    let session = pull_with(slf, borrowed(slf)?)?;
    Ok(!matches!(session.state, State::Ended))
}

/// Reads one item of the source, or the end. The session is not borrowed while the source runs.
#[inline]
pub(crate) fn pull_with<'a>(
    slf: &'a Bound<'_, Session>,
    mut session: PyRefMut<'a, Session>,
) -> PyResult<PyRefMut<'a, Session>> {
    let py = slf.py();
    match &session.state {
        State::Reading => {}
        State::Ended => return Ok(session),
        State::Failed(error) => return Err(again(py, error)),
        State::Closed => return Err(closed(py)),
    }
    if session.is_pulling {
        return Err(busy(py));
    }
    let Some(source) = &session.source else { return Err(closed(py)) };
    let source = source.clone_ref(py);
    session.is_pulling = true;
    drop(session);
    let item = source.into_bound(py).next();
    let mut session = borrowed(slf)?;
    session.is_pulling = false;
    let read = match item {
        None => session.end(py),
        Some(Ok(item)) => match text_of(&item) {
            Some(bytes) => session.reader.text(py, bytes),
            None => {
                drop(session);
                let read = read_item(slf, &item);
                session = borrowed(slf)?;
                read
            }
        },
        Some(Err(error)) if error.is_instance_of::<PyException>(py) => {
            Err(source_failed(py, error))
        }
        // An interrupt of the program.
        Some(Err(error)) => return Err(error),
    };
    if let Err(error) = read {
        session.failed(py, &error);
        return Err(error);
    }
    Ok(session)
}

/// The bytes of a chunk of the usual types.
#[inline]
fn text_of<'a>(item: &'a Bound<'_, PyAny>) -> Option<&'a [u8]> {
    if let Ok(text) = item.cast::<PyString>() {
        return text.to_str().ok().map(str::as_bytes);
    }
    item.cast::<PyBytes>().ok().map(|bytes| bytes.as_bytes())
}

/// Reads an item that is no plain text: the package knows what clients send.
fn read_item(slf: &Bound<'_, Session>, item: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = slf.py();
    if Session::push(slf, item)? {
        return Ok(());
    }
    let split = borrowed(slf)?.split.as_ref().map(|split| split.clone_ref(py));
    match split {
        Some(split) => split.call1(py, (item, slf)).map(drop),
        None => chunk::bytes(item).map(drop),
    }
}

/// The exception that ended a session.
pub(crate) fn again(py: Python<'_>, error: &Py<PyBaseException>) -> PyErr {
    PyErr::from_value(error.bind(py).clone().into_any())
}

/// The exception of a source, with what can still be done.
fn source_failed(py: Python<'_>, error: PyErr) -> PyErr {
    let own = py.import("patchwire._errors").and_then(|errors| errors.getattr("PatchwireError"));
    if own.is_ok_and(|own| error.matches(py, own).unwrap_or(false)) {
        return error;
    }
    let what = error.to_string();
    let message = format!("the source failed: {what}; `reader.value` has what was read");
    let failed = errors::raised(py, "SourceError", message);
    failed.set_cause(py, Some(error));
    failed
}

pub(crate) fn closed(py: Python<'_>) -> PyErr {
    errors::raised(py, "ClosedError", "the reader was closed; `value` has what was read")
}
