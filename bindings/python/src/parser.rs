//! The push parser: chunks in, patches out.

use patchwire::event::Event;
use patchwire::wire::{IncludeValues, LineWriter};
use patchwire::{Parser as Engine, Pattern};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::answer::{Answer, Call};
use crate::chunk;
use crate::errors::{self, guarded};
use crate::events::to_object;
use crate::large::{self, LARGE};
use crate::patch::{Patch, Place};
use crate::paths::PathTable;
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
        Ok(Self { engine, settings: settings.unbind(), paths, lines, watch: None })
    }

    /// Reads a chunk of text or bytes, cut anywhere, and returns its patches.
    fn feed<'py>(
        &mut self,
        py: Python<'py>,
        chunk: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let bytes = chunk::bytes(chunk)?;
        if bytes.len() >= LARGE {
            return self.feed_large(py, &bytes);
        }
        let out = PyList::empty(py);
        let mut error = None;
        let Self { engine, paths, watch, .. } = self;
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
        self.checked(py, fed, error, &out)?;
        Ok(out)
    }

    /// Reads a chunk and returns all of its events: patches, text, reasoning, elements, notices.
    fn feed_events<'py>(
        &mut self,
        py: Python<'py>,
        chunk: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let bytes = chunk::bytes(chunk)?;
        let out = PyList::empty(py);
        let mut error = None;
        let Self { engine, paths, watch, .. } = self;
        let fed = guarded(py, || {
            Ok(feed(engine, &bytes, &mut |event| {
                error = append_event(py, &out, &event, paths, watch).err().or_else(|| error.take());
            }))
        })?;
        self.checked(py, fed, error, &out)?;
        Ok(out)
    }

    /// Reads a chunk and returns its events as lines of JSON, as the command `patchwire parse` prints them.
    fn feed_lines(&mut self, py: Python<'_>, chunk: &Bound<'_, PyAny>) -> PyResult<String> {
        let bytes = chunk::bytes(chunk)?;
        let mut out = String::new();
        let Self { engine, lines, .. } = self;
        let read = || feed(engine, &bytes, &mut |event| line(lines, &event, &mut out));
        let fed = guarded(py, || Ok(large::unlocked(py, bytes.len(), read)))?;
        self.checked_lines(py, fed, out)
    }

    /// Reads reasoning that the source delivers in a field of its own.
    fn feed_reasoning(&mut self, py: Python<'_>, delta: &Bound<'_, PyAny>) -> PyResult<()> {
        let bytes = chunk::bytes(delta)?;
        let read = || feed_reasoning(&mut self.engine, &bytes, &mut |_| {});
        let fed = guarded(py, || Ok(large::unlocked(py, bytes.len(), read)))?;
        fed.map_err(|error| self.stream_error(py, error))
    }

    /// Ends the stream, and returns its last patches, with the corrections that only the end can show.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let out = PyList::empty(py);
        let mut error = None;
        let Self { engine, paths, watch, .. } = self;
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
        self.checked(py, ended.map(drop), error, &out)?;
        Ok(out)
    }

    /// Ends the stream, and returns all of its last events.
    fn finish_events<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let out = PyList::empty(py);
        let mut error = None;
        let Self { engine, paths, watch, .. } = self;
        let ended = guarded(py, || {
            Ok(finish(engine, &mut |event| {
                error = append_event(py, &out, &event, paths, watch).err().or_else(|| error.take());
            }))
        })?;
        self.checked(py, ended.map(drop), error, &out)?;
        Ok(out)
    }

    /// Ends the stream, and returns its last events as lines of JSON.
    fn finish_lines(&mut self, py: Python<'_>) -> PyResult<String> {
        let mut out = String::new();
        let Self { engine, lines, .. } = self;
        let ended = guarded(py, || Ok(finish(engine, &mut |event| line(lines, &event, &mut out))))?;
        self.checked_lines(py, ended.map(drop), out)
    }

    /// The answer, after `finish`.
    #[getter]
    fn answer(&self, py: Python<'_>) -> PyResult<Answer> {
        let answer = self.engine.answer();
        let answer = answer.map_err(|error| self.stream_error(py, error))?;
        Ok(Answer::new(answer, Some(self.settings.clone_ref(py))))
    }

    /// The value so far, made anew at each look; `None` before it begins.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python_if_any(py, self.engine.value())
    }

    /// The value so far at a path, or `default`.
    #[pyo3(signature = (path, default = None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        path: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        to_python_at(py, self.engine.value(), path, default)
    }

    /// The tool calls so far that the model wrote as text.
    #[getter]
    fn calls(&self, py: Python<'_>) -> PyResult<Vec<Call>> {
        let none =
            Settings::standard(py).spec.parse("").map_err(|error| self.stream_error(py, error))?;
        let beside = Answer::new(none, Some(self.settings.clone_ref(py)));
        self.engine.calls().iter().map(|call| Call::read(py, call, &beside)).collect()
    }

    /// From now on only patches at these paths become objects; `rows[*].name` matches every row. Without a path all do.
    #[pyo3(signature = (*paths))]
    fn watch(&mut self, py: Python<'_>, paths: Vec<String>) -> PyResult<()> {
        let schema = self.settings.bind(py).get().spec.schema();
        let patterns =
            paths.iter().map(|path| located(py, path, schema)).collect::<PyResult<Vec<_>>>()?;
        self.watch = (!patterns.is_empty()).then(|| Watch::new(patterns));
        Ok(())
    }

    /// Starts over with the same settings, for another stream.
    fn reset(&mut self) {
        self.engine.reset();
        self.paths = PathTable::default();
        if let Some(watch) = &mut self.watch {
            watch.reset();
        }
    }

    /// Another parser in the same state.
    fn __copy__(&self, py: Python<'_>) -> Self {
        Self {
            engine: self.engine.clone(),
            settings: self.settings.clone_ref(py),
            paths: PathTable::default(),
            lines: LineWriter::default(),
            watch: self.watch.clone(),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let format = self.settings.bind(py).get().spec.format();
        let state = match self.engine.answer() {
            Ok(answer) => answer.outcome().name(),
            Err(_) => "reading",
        };
        format!("<Parser {format} {state}>")
    }

    /// Panics inside the engine's callback, for the test that no panic leaves as one.
    fn _panic(&mut self, py: Python<'_>) -> PyResult<()> {
        guarded(py, || {
            let fed = feed(&mut self.engine, b"{\"a\": 1}", &mut |_| panic!("a test"));
            fed.map_err(|error| self.stream_error(py, error))
        })
    }
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
