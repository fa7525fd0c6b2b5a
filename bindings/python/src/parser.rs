//! The push parser: chunks in, patches out.

use patchwire::event::Event;
use patchwire::wire::{IncludeValues, LineWriter};
use patchwire::{Parser as Engine, Pattern};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::answer::{Answer, Beside, Call, Whole};
use crate::chunk;
use crate::errors::{self, guarded};
use crate::events::to_object;
use crate::large::{self, LARGE};
use crate::patch::{Patch, Place};
use crate::paths::{self, PathTable};
use crate::spec::Settings;
use crate::value::{to_python_at, to_python_if_any};
use crate::watch::Watch;

/// The engine is compiled once, and not once for each closure.
#[inline(never)]
pub(crate) fn feed(
    engine: &mut Engine,
    bytes: &[u8],
    sink: &mut dyn FnMut(Event<'_>),
) -> Result<(), patchwire::Error> {
    engine.feed(bytes, sink)
}

/// Ends the stream, with one sink as in [`feed`].
#[inline(never)]
pub(crate) fn finish(
    engine: &mut Engine,
    sink: &mut dyn FnMut(Event<'_>),
) -> Result<patchwire::Answer, patchwire::Error> {
    while let Some(event) = engine.next_final_event()? {
        sink(event);
    }
    engine.answer()
}

/// Feeds reasoning, with one sink as in [`feed`].
#[inline(never)]
pub(crate) fn feed_reasoning(
    engine: &mut Engine,
    bytes: &[u8],
    sink: &mut dyn FnMut(Event<'_>),
) -> Result<(), patchwire::Error> {
    engine.feed_reasoning(bytes, sink)
}

/// Settings of a call: a `Spec`, or those made of a schema and keyword arguments, or the standard ones.
pub(crate) fn settings<'py>(
    py: Python<'py>,
    schema: Option<&Bound<'py, PyAny>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, Settings>> {
    let has_keywords = keywords.is_some_and(|keywords| !keywords.is_empty());
    match schema.and_then(|schema| schema.cast::<Settings>().ok()) {
        Some(_) if has_keywords => {
            let what = "a `Spec` has all settings: leave the keyword arguments out, or give them to the `Spec`";
            Err(errors::raised(py, "SpecError", what))
        }
        Some(spec) => Ok(spec.clone()),
        None if schema.is_none() && !has_keywords => Bound::new(py, Settings::standard(py)),
        None => Ok(py.get_type::<Settings>().call((schema,), keywords)?.cast_into::<Settings>()?),
    }
}

/// Reads chunks as they are pushed: for programs that own the loop.
///
/// `feed` gives the patches of a chunk. After the last chunk `finish` gives the rest, and `answer` is there. A parser
/// belongs to one thread at a time.
#[pyclass(module = "patchwire")]
pub(crate) struct Parser {
    engine: Engine,
    settings: Py<Settings>,
    paths: PathTable,
    lines: LineWriter,
    watch: Option<Watch>,
    /// Reasoning that came beside the text, to pickle the answer.
    beside: Beside,
}

#[pymethods]
impl Parser {
    #[new]
    #[pyo3(signature = (schema = None, **settings))]
    fn new<'py>(
        py: Python<'py>,
        schema: Option<&Bound<'py, PyAny>>,
        settings: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let settings = self::settings(py, schema, settings)?;
        let engine = settings.get().spec.parser();
        let (paths, lines) = (PathTable::default(), LineWriter::default());
        let (settings, beside) = (settings.unbind(), Beside::default());
        Ok(Self { engine, settings, paths, lines, watch: None, beside })
    }

    /// Reads a chunk of text or bytes, cut anywhere, and returns its patches.
    fn feed<'py>(
        slf: &Bound<'py, Self>,
        chunk: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (py, bytes) = (slf.py(), chunk::bytes(chunk)?);
        let mut parser = borrowed(slf)?;
        parser.beside.text(&bytes);
        if bytes.len() >= LARGE {
            return parser.feed_large(py, &bytes);
        }
        let out = PyList::empty(py);
        let mut error = None;
        let Self { engine, paths, watch, .. } = &mut *parser;
        let fed = guarded(py, || {
            Ok(feed(engine, &bytes, &mut |event| {
                if let Event::Patch(patch) = event
                    && watch.as_mut().is_none_or(|watch| watch.wants(&patch))
                    && let Err(failed) = append(py, &out, &patch, paths)
                {
                    error = Some(failed);
                }
            }))
        })?;
        parser.checked(py, fed, error, &out)?;
        Ok(out)
    }

    /// Reads a chunk and returns all of its events: patches, text, reasoning, elements, notices.
    fn feed_events<'py>(
        slf: &Bound<'py, Self>,
        chunk: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (py, bytes) = (slf.py(), chunk::bytes(chunk)?);
        let mut parser = borrowed(slf)?;
        parser.beside.text(&bytes);
        let out = PyList::empty(py);
        let mut error = None;
        let Self { engine, paths, watch, .. } = &mut *parser;
        let fed = guarded(py, || {
            Ok(feed(engine, &bytes, &mut |event| {
                error = append_event(py, &out, &event, paths, watch).err().or_else(|| error.take());
            }))
        })?;
        parser.checked(py, fed, error, &out)?;
        Ok(out)
    }

    /// Reads a chunk and returns its events as lines of JSON, as the command `patchwire parse` prints them.
    fn feed_lines(slf: &Bound<'_, Self>, chunk: &Bound<'_, PyAny>) -> PyResult<String> {
        let (py, bytes) = (slf.py(), chunk::bytes(chunk)?);
        let mut parser = borrowed(slf)?;
        parser.beside.text(&bytes);
        let mut out = String::new();
        let Self { engine, lines, .. } = &mut *parser;
        let read = || feed(engine, &bytes, &mut |event| line(lines, &event, &mut out));
        let fed = guarded(py, || Ok(large::unlocked(py, bytes.len(), read)))?;
        parser.checked_lines(py, fed, out)
    }

    /// Reads reasoning that the source delivers in a field of its own.
    fn feed_reasoning(slf: &Bound<'_, Self>, delta: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, bytes) = (slf.py(), chunk::bytes(delta)?);
        let mut parser = borrowed(slf)?;
        parser.beside.reasoning(&bytes);
        let engine = &mut parser.engine;
        let read = || feed_reasoning(engine, &bytes, &mut |_| {});
        let fed = guarded(py, || Ok(large::unlocked(py, bytes.len(), read)))?;
        fed.map_err(|error| parser.stream_error(py, error))
    }

    /// Ends the stream, and returns its last patches, with the corrections that only the end can show.
    fn finish<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
        let (py, mut parser) = (slf.py(), borrowed(slf)?);
        let out = PyList::empty(py);
        let mut error = None;
        let Self { engine, paths, watch, .. } = &mut *parser;
        let ended = guarded(py, || {
            Ok(finish(engine, &mut |event| {
                if let Event::Patch(patch) = event
                    && watch.as_mut().is_none_or(|watch| watch.wants(&patch))
                    && let Err(failed) = append(py, &out, &patch, paths)
                {
                    error = Some(failed);
                }
            }))
        })?;
        parser.checked(py, ended.map(drop), error, &out)?;
        Ok(out)
    }

    /// Ends the stream, and returns all of its last events.
    fn finish_events<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
        let (py, mut parser) = (slf.py(), borrowed(slf)?);
        let out = PyList::empty(py);
        let mut error = None;
        let Self { engine, paths, watch, .. } = &mut *parser;
        let ended = guarded(py, || {
            Ok(finish(engine, &mut |event| {
                error = append_event(py, &out, &event, paths, watch).err().or_else(|| error.take());
            }))
        })?;
        parser.checked(py, ended.map(drop), error, &out)?;
        Ok(out)
    }

    /// Ends the stream, and returns its last events as lines of JSON.
    fn finish_lines(slf: &Bound<'_, Self>) -> PyResult<String> {
        let (py, mut parser) = (slf.py(), borrowed(slf)?);
        let mut out = String::new();
        let Self { engine, lines, .. } = &mut *parser;
        let ended = guarded(py, || Ok(finish(engine, &mut |event| line(lines, &event, &mut out))))?;
        parser.checked_lines(py, ended.map(drop), out)
    }

    /// The answer, after `finish`.
    #[getter]
    fn answer(slf: &Bound<'_, Self>) -> PyResult<Answer> {
        let (py, parser) = (slf.py(), borrowed(slf)?);
        let answer = parser.engine.answer();
        let answer = answer.map_err(|error| parser.stream_error(py, error))?;
        let answer = Answer::new(answer, parser.settings.clone_ref(py));
        Ok(answer.with_beside(parser.beside.clone()))
    }

    /// The value so far, made anew at each look; `None` before it begins.
    #[getter]
    fn value<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        to_python_if_any(slf.py(), borrowed(slf)?.engine.value())
    }

    /// The value so far at a path, or `default`.
    #[pyo3(signature = (path, default = None))]
    fn get<'py>(
        slf: &Bound<'py, Self>,
        path: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        to_python_at(slf.py(), borrowed(slf)?.engine.value(), path, default)
    }

    /// The tool calls so far that the model wrote as text.
    #[getter]
    fn calls(slf: &Bound<'_, Self>) -> PyResult<Vec<Call>> {
        let (py, parser) = (slf.py(), borrowed(slf)?);
        let whole = Whole::default();
        if let Ok(answer) = parser.engine.answer() {
            let answer = Answer::new(answer, parser.settings.clone_ref(py));
            let answer = answer.with_beside(parser.beside.clone());
            // Nobody else sets it.
            whole.set(Py::new(py, answer)?).unwrap_or_default();
        }
        let calls = parser.engine.calls().into_iter().enumerate();
        calls.map(|(at, call)| Call::read(py, &call, at, &parser.settings, &whole)).collect()
    }

    /// From now on only patches at these paths become objects; `rows[*].name` matches every row. Without a path all do.
    #[pyo3(signature = (*paths))]
    fn watch(slf: &Bound<'_, Self>, paths: Vec<Bound<'_, PyAny>>) -> PyResult<()> {
        let (py, mut parser) = (slf.py(), borrowed(slf)?);
        let schema = parser.settings.bind(py).get().spec.schema();
        let patterns = paths.iter().map(|path| located(py, paths::given(path)?, schema));
        let patterns = patterns.collect::<PyResult<Vec<_>>>()?;
        parser.watch = (!patterns.is_empty()).then(|| Watch::new(patterns));
        Ok(())
    }

    /// Starts over with the same settings, for another stream.
    fn reset(slf: &Bound<'_, Self>) -> PyResult<()> {
        let mut parser = borrowed(slf)?;
        parser.engine.reset();
        (parser.paths, parser.beside) = (PathTable::default(), Beside::default());
        if let Some(watch) = &mut parser.watch {
            watch.reset();
        }
        Ok(())
    }

    /// Another parser in the same state.
    fn __copy__(slf: &Bound<'_, Self>) -> PyResult<Self> {
        let parser = borrowed(slf)?;
        Ok(Self {
            engine: parser.engine.clone(),
            settings: parser.settings.clone_ref(slf.py()),
            paths: PathTable::default(),
            lines: LineWriter::default(),
            watch: parser.watch.clone(),
            beside: parser.beside.clone(),
        })
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        // Who cannot borrow it meets a thread that reads.
        let Ok(parser) = slf.try_borrow() else { return "<Parser reading>".to_owned() };
        let format = parser.settings.bind(slf.py()).get().spec.format();
        let state = match parser.engine.answer() {
            Ok(answer) => answer.outcome().name(),
            Err(_) => "reading",
        };
        format!("<Parser {format} {state}>")
    }

    /// Panics inside the engine's callback, for the test that no panic leaves as one.
    fn _panic(slf: &Bound<'_, Self>) -> PyResult<()> {
        let (py, mut parser) = (slf.py(), borrowed(slf)?);
        guarded(py, || {
            let fed = feed(&mut parser.engine, b"{\"a\": 1}", &mut |_| panic!("a test"));
            fed.map_err(|error| parser.stream_error(py, error))
        })
    }
}

/// The parser, unless it is reading: then this is a call from another thread.
fn borrowed<'a>(parser: &'a Bound<'_, Parser>) -> PyResult<PyRefMut<'a, Parser>> {
    parser.try_borrow_mut().map_err(|_| {
        let what = "the parser is reading already: a parser belongs to one thread at a time";
        errors::raised(parser.py(), "BusyError", what)
    })
}

/// A path as a pattern that the schema has.
pub(crate) fn located(
    py: Python<'_>,
    path: &str,
    schema: Option<&patchwire::Schema>,
) -> PyResult<Pattern> {
    let pattern: Pattern = path.parse().map_err(|error| errors::pattern(py, path, error))?;
    schema
        .map_or(Ok(()), |schema| schema.locate(&pattern))
        .map_err(|error| errors::undeclared(py, &error))?;
    Ok(pattern)
}

#[inline]
fn append(
    py: Python<'_>,
    out: &Bound<'_, PyList>,
    patch: &patchwire::Patch<'_>,
    paths: &mut PathTable,
) -> PyResult<()> {
    out.append(Bound::new(py, Patch::of(py, patch, Place::ANSWER, paths)?)?)
}

fn append_event(
    py: Python<'_>,
    out: &Bound<'_, PyList>,
    event: &Event<'_>,
    paths: &mut PathTable,
    watch: &mut Option<Watch>,
) -> PyResult<()> {
    match event {
        Event::Patch(patch) if watch.as_mut().is_some_and(|watch| !watch.wants(patch)) => Ok(()),
        Event::Patch(patch) => append(py, out, patch, paths),
        event => out.append(to_object(py, event)?),
    }
}

fn line(lines: &mut LineWriter, event: &Event<'_>, out: &mut String) {
    lines.append(event, IncludeValues::Leaf, out);
    out.push('\n');
}

impl Parser {
    /// Reads a large chunk without the lock of the interpreter.
    fn feed_large<'py>(&mut self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyList>> {
        let Self { engine, watch, .. } = self;
        let (fed, patches) = guarded(py, || {
            Ok(py.detach(|| {
                large::patches(engine, bytes, |patch| {
                    watch.as_mut().is_none_or(|watch| watch.wants(patch))
                })
            }))
        })?;
        let out = PyList::empty(py);
        for patch in &patches {
            out.append(Bound::new(py, Patch::of_owned(py, patch, Place::ANSWER)?)?)?;
        }
        self.checked(py, fed, None, &out)?;
        Ok(out)
    }

    /// Raises the error of the stream, with what this chunk gave before it; or that of making objects.
    fn checked(
        &self,
        py: Python<'_>,
        fed: Result<(), patchwire::Error>,
        error: Option<PyErr>,
        out: &Bound<'_, PyList>,
    ) -> PyResult<()> {
        if let Err(failed) = fed {
            let failed = self.stream_error(py, failed);
            failed.value(py).setattr("patches", out)?;
            return Err(failed);
        }
        error.map_or(Ok(()), Err)
    }

    /// The lines; or the error of the stream, with the lines before it and its own.
    fn checked_lines(
        &self,
        py: Python<'_>,
        fed: Result<(), patchwire::Error>,
        mut out: String,
    ) -> PyResult<String> {
        if let Err(failed) = fed {
            out.push_str(&failed.wire().to_string());
            out.push('\n');
            let failed = self.stream_error(py, failed);
            failed.value(py).setattr("lines", out)?;
            return Err(failed);
        }
        Ok(out)
    }

    fn stream_error(&self, py: Python<'_>, error: patchwire::Error) -> PyErr {
        stream_error(py, &self.engine, error)
    }
}

/// The error of a stream, with the value that was read so far.
pub(crate) fn stream_error(py: Python<'_>, engine: &Engine, error: patchwire::Error) -> PyErr {
    match to_python_if_any(py, engine.value()) {
        Ok(value) => errors::stream(py, error, &value),
        Err(failed) => failed,
    }
}
