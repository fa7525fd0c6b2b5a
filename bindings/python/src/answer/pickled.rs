//! Answers from what was pickled. The engine has no constructor for an answer: what it was read from is read again.

use patchwire::{Answer as Engine, Spec, TagSet};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use super::{Answer, Made};
use crate::errors::{self, guarded};
use crate::parser::{feed, feed_reasoning, finish, stream_error};
use crate::reader::arguments_spec;
use crate::spec::{Settings, standard};

/// Reasoning as it is pickled: the place in the text where it came, and its bytes.
type Pieces = Vec<(usize, Vec<u8>)>;

/// What makes an object again: a function of the extension module, and its arguments.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// A function of the extension module with its arguments.
pub(crate) fn reduced<'py>(
    py: Python<'py>,
    function: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Reduced<'py>> {
    Ok((py.import("patchwire._core")?.getattr(function)?, arguments.into_pyobject(py)?))
}

impl Answer {
    pub(super) fn reduce<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let settings = self.settings.bind(py).clone();
        match (&self.made, self.raw(py)) {
            (Made::Read(beside), Some(raw)) if beside.pieces().is_empty() => {
                reduced(py, "parse", (raw, settings))
            }
            (Made::Read(beside), Some(raw)) => {
                let pieces = beside.pieces().iter();
                let pieces: Vec<_> = pieces.map(|(at, it)| (*at, PyBytes::new(py, it))).collect();
                reduced(py, "_answer", (raw, settings, pieces))
            }
            (Made::Alternative(of), _) => reduced(py, "_alternative", (of.bind(py).clone(),)),
            (Made::Arguments { tool, of }, raw) => {
                if let Some(raw) = raw
                    && self.is_read_from(tool.as_deref())
                {
                    return reduced(py, "_arguments", (raw, settings, tool.clone()));
                }
                let value = self.engine.value().to_string();
                if written(&value).is_some_and(|again| again == self.engine) {
                    return reduced(py, "_written_arguments", (value,));
                }
                let whole = of.as_ref().and_then(|(whole, at)| Some((whole.get()?.bind(py), *at)));
                match whole.filter(|(whole, at)| of_call(whole.get(), *at) == Some(&self.engine)) {
                    Some((whole, at)) => reduced(py, "_call_arguments", (whole.clone(), at)),
                    None => Err(errors::raised(py, "SpecError", NO_ANSWER)),
                }
            }
            (Made::Read(_), None) => Err(errors::raised(py, "SpecError", NO_BYTES)),
        }
    }

    /// Whether the bytes give these arguments when they are read again.
    fn is_read_from(&self, tool: Option<&str>) -> bool {
        let spec = arguments_spec(&self.settings.get().spec, tool);
        self.engine.raw().is_some_and(|raw| spec.parse(raw).is_ok_and(|read| read == self.engine))
    }
}

const NO_BYTES: &str = "only an answer whose bytes were kept can be pickled: leave `keep_raw` on";
const NO_ANSWER: &str = "these arguments can be pickled when the answer around them has ended";

/// Arguments as a call that a model writes as text has them.
fn written(value: &str) -> Option<Engine> {
    let spec = Spec::builder().tags(TagSet::preset("hermes-json")?).build().ok()?;
    let text = format!("<tool_call>{{\"name\":\"tool\",\"arguments\":{value}}}</tool_call>");
    spec.parse(text).ok()?.calls().first().map(|call| call.answer().clone())
}

fn of_call(whole: &Answer, at: usize) -> Option<&Engine> {
    whole.engine.calls().get(at).map(|call| call.answer())
}

/// An answer with reasoning that came beside its text.
#[pyfunction]
#[pyo3(name = "_answer")]
pub(crate) fn with_reasoning(
    py: Python<'_>,
    raw: &[u8],
    settings: &Bound<'_, Settings>,
    pieces: Pieces,
) -> PyResult<Answer> {
    let mut beside = super::Beside::default();
    let mut engine = settings.get().spec.parser();
    let read = guarded(py, || {
        let mut all = || {
            for (at, piece) in &pieces {
                let (from, to) = (beside.fed(), (*at).clamp(beside.fed(), raw.len()));
                feed(&mut engine, &raw[from..to], &mut |_| {})?;
                feed_reasoning(&mut engine, piece, &mut |_| {})?;
                beside.text(&raw[from..to]);
                beside.reasoning(piece);
            }
            feed(&mut engine, &raw[beside.fed()..], &mut |_| {})?;
            beside.text(&raw[beside.fed()..]);
            finish(&mut engine, &mut |_| {})
        };
        Ok(all())
    })?;
    let read = read.map_err(|error| stream_error(py, &engine, error))?;
    Ok(Answer::new(read, settings.clone().unbind()).with_beside(beside))
}

/// The arguments of a call, read from their bytes.
#[pyfunction]
#[pyo3(name = "_arguments", signature = (raw, settings, tool = None))]
pub(crate) fn arguments(
    py: Python<'_>,
    raw: &[u8],
    settings: &Bound<'_, Settings>,
    tool: Option<String>,
) -> PyResult<Answer> {
    let spec = arguments_spec(&settings.get().spec, tool.as_deref());
    let read = guarded(py, || Ok(spec.parse(raw)))?;
    let read = read.map_err(|error| stream_error(py, &spec.parser(), error))?;
    Ok(Answer::arguments(read, settings.clone().unbind(), tool))
}

/// The arguments of a call that a model wrote as text, from their value.
#[pyfunction]
#[pyo3(name = "_written_arguments")]
pub(crate) fn written_arguments(py: Python<'_>, value: &str) -> PyResult<Answer> {
    let read = guarded(py, || Ok(written(value)))?.unwrap_or_else(empty);
    Ok(Answer::arguments(read, Py::new(py, Settings::standard(py))?, None))
}

/// The arguments of a call of an answer.
#[pyfunction]
#[pyo3(name = "_call_arguments")]
pub(crate) fn call_arguments(whole: &Bound<'_, Answer>, at: usize) -> PyResult<Answer> {
    let py = whole.py();
    let engine = of_call(whole.get(), at).cloned().unwrap_or_else(empty);
    Ok(Answer::arguments(engine, whole.get().settings.clone_ref(py), None)
        .of_call(super::whole(whole.clone().unbind()), at))
}

/// The second reading of an answer.
#[pyfunction]
#[pyo3(name = "_alternative")]
pub(crate) fn alternative(of: &Bound<'_, Answer>) -> Option<Answer> {
    Answer::second(of)
}

/// An answer without a value, where something else was pickled than this package pickles.
fn empty() -> Engine {
    standard().parse("").unwrap_or_else(|_| unreachable!("nothing can be read"))
}
