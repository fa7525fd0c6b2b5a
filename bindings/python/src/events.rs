//! Events beside patches, notices and failures, as objects of Python.

use patchwire::event::{CloseReason, Event as Engine, Params};
use patchwire::notice::{OwnedNotice, Severity};
use patchwire::{Code, Span, check::Failure as EngineFailure};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answer::pickled::{Reduced, reduced};
use crate::errors;

/// A record of something that was skipped, repaired or guessed.
#[pyclass(frozen, eq, module = "patchwire")]
#[derive(PartialEq)]
pub(crate) struct Notice {
    notice: OwnedNotice,
    /// What the slip or the reading costs, and what the streamed reading costs.
    costs: Option<(u32, Option<u32>)>,
}

impl From<OwnedNotice> for Notice {
    fn from(mut notice: OwnedNotice) -> Self {
        let costs = notice.cost.map(|cost| (cost.cost, cost.streamed));
        notice.cost = None;
        Self { notice, costs }
    }
}

#[pymethods]
impl Notice {
    /// The name of the event: "notice".
    #[classattr]
    #[pyo3(name = "type")]
    const fn class_type() -> &'static str {
        "notice"
    }

    /// The stable name of what happened, such as "extra_comma".
    #[getter]
    const fn code(&self) -> &'static str {
        self.notice.code.name()
    }

    /// What happened, for a person to read.
    #[getter]
    const fn message(&self) -> &'static str {
        self.notice.code.message()
    }

    /// How severe it is: "info", "repair" or "loss".
    #[getter]
    const fn severity(&self) -> &'static str {
        match self.notice.code.severity() {
            Severity::Info => "info",
            Severity::Repair => "repair",
            _ => "loss",
        }
    }

    /// The path of the value that was open or had just closed.
    #[getter]
    fn path(&self) -> &str {
        &self.notice.path
    }

    /// The bytes of the input that the notice is about.
    #[getter]
    const fn span(&self) -> (u64, u64) {
        (self.notice.span.start, self.notice.span.end)
    }

    /// What the slip or the reading costs, if the notice is about a payload that was read again.
    #[getter]
    fn cost(&self) -> Option<u32> {
        self.costs.map(|(cost, _)| cost)
    }

    /// What the streamed reading costs, if the notice is about a payload that was read again.
    #[getter]
    fn streamed_cost(&self) -> Option<u32> {
        self.costs.and_then(|(_, streamed)| streamed)
    }

    fn __repr__(&self) -> String {
        let at = if self.notice.path.is_empty() {
            String::new()
        } else {
            format!(" at `{}`", self.notice.path)
        };
        format!("<Notice {}{at} {}..{}>", self.code(), self.notice.span.start, self.notice.span.end)
    }

    fn __hash__(&self) -> u64 {
        self.notice.span.start ^ (self.notice.span.end << 32)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduced(py, "_notice", (self.code(), self.path(), self.span(), self.costs))
    }
}

/// A notice from what was pickled.
#[pyfunction]
#[pyo3(name = "_notice")]
pub(crate) fn unpickled_notice(
    py: Python<'_>,
    code: &str,
    path: String,
    span: (u64, u64),
    costs: Option<(u32, Option<u32>)>,
) -> PyResult<Notice> {
    let Some(code) = Code::ALL.iter().find(|known| known.name() == code) else {
        let what = format_args!("this version of patchwire has no notice `{code}`");
        return Err(errors::raised(py, "SpecError", what));
    };
    let mut notice = OwnedNotice::of(*code);
    (notice.path, notice.span) = (path, Span::new(span.0, span.1));
    Ok(Notice { notice, costs })
}

/// A place of an answer that breaks a rule, and why.
#[pyclass(frozen, eq, module = "patchwire")]
#[derive(PartialEq)]
pub(crate) struct Failure {
    kind: String,
    path: String,
    keyword: Option<String>,
    message: String,
}

impl From<&EngineFailure> for Failure {
    fn from(failure: &EngineFailure) -> Self {
        Self {
            kind: failure.kind.name().to_owned(),
            path: failure.path.to_string(),
            keyword: failure.keyword.as_deref().map(str::to_owned),
            message: failure.to_string(),
        }
    }
}

#[pymethods]
impl Failure {
    /// The name of the event: "verdict".
    #[classattr]
    #[pyo3(name = "type")]
    const fn class_type() -> &'static str {
        "verdict"
    }

    /// Why: "no_value", "missing", "null", "blank", "empty", "wrong_type", "undeclared", "invalid" or "unchecked".
    #[getter]
    fn kind(&self) -> &str {
        &self.kind
    }

    /// Where. The path of the root is empty.
    #[getter]
    fn path(&self) -> &str {
        &self.path
    }

    /// The keyword of the JSON Schema that the value breaks.
    #[getter]
    fn keyword(&self) -> Option<&str> {
        self.keyword.as_deref()
    }

    /// Place and reason, for a person or a model to read.
    #[getter]
    fn message(&self) -> &str {
        &self.message
    }

    fn __str__(&self) -> &str {
        &self.message
    }

    fn __repr__(&self) -> String {
        format!("<Failure {}: {}>", self.kind, self.message)
    }

    fn __hash__(&self) -> usize {
        self.kind.len()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let Self { kind, path, keyword, message } = self;
        reduced(py, "_failure", (kind, path, keyword.as_deref(), message))
    }
}

/// A failure from what was pickled.
#[pyfunction]
#[pyo3(name = "_failure")]
pub(crate) const fn unpickled_failure(
    kind: String,
    path: String,
    keyword: Option<String>,
    message: String,
) -> Failure {
    Failure { kind, path, keyword, message }
}

/// An event that is no patch, no notice and no failure. `type` says which; `data` has the members that only this type has.
#[pyclass(frozen, module = "patchwire")]
pub(crate) struct Event {
    /// "text", "reasoning", "reasoning_done", "element_open", "element_close", "stray", "comment", "reclassify",
    /// "skipped", "root_complete" or "final".
    #[pyo3(get, name = "type")]
    kind: String,
    /// The new text of "text", "reasoning" and "comment"; else empty.
    #[pyo3(get)]
    delta: String,
    span: Option<Span>,
    /// The members that only this type of event has.
    #[pyo3(get)]
    data: Py<PyDict>,
}

#[pymethods]
impl Event {
    /// The bytes of the input that the event covers.
    #[getter]
    fn span(&self) -> Option<(u64, u64)> {
        self.span.map(|span| (span.start, span.end))
    }

    /// The channel of a text: "text" outside elements.
    #[getter]
    fn channel<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.data.bind(py).get_item("channel")
    }

    /// The number of the element that contains the text.
    #[getter]
    fn element<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.data.bind(py).get_item("element")
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let delta =
            if self.delta.is_empty() { String::new() } else { format!(" {:?}", self.delta) };
        let data = self.data.bind(py);
        let data = if data.is_empty() { String::new() } else { format!(" {}", data.repr()?) };
        Ok(format!("<Event {}{delta}{data}>", self.kind))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.kind == other.kind
            && self.delta == other.delta
            && self.span == other.span
            && self.data.bind(py).eq(other.data.bind(py))?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        (&self.kind, &self.delta, self.span()).into_pyobject(py)?.hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduced(py, "_event", (&self.kind, &self.delta, self.span(), self.data.clone_ref(py)))
    }
}

/// An event from what was pickled.
#[pyfunction]
#[pyo3(name = "_event")]
pub(crate) fn unpickled_event(
    kind: String,
    delta: String,
    span: Option<(u64, u64)>,
    data: Py<PyDict>,
) -> Event {
    Event { kind, delta, span: span.map(|(start, end)| Span::new(start, end)), data }
}

/// Adds members to `data`.
fn put<'py>(data: &Bound<'py, PyDict>, name: &str, value: impl IntoPyObject<'py>) -> PyResult<()> {
    data.set_item(name, value)
}

fn put_element(data: &Bound<'_, PyDict>, element: Option<u32>) -> PyResult<()> {
    element.map_or(Ok(()), |element| put(data, "element", element))
}

/// An event that is no patch, as an object.
pub(crate) fn to_object(py: Python<'_>, event: &Engine<'_>) -> PyResult<Py<PyAny>> {
    match event {
        Engine::Notice(notice) => Ok(Py::new(py, Notice::from(notice.to_owned()))?.into_any()),
        Engine::Verdict(failure) => Ok(Py::new(py, Failure::from(*failure))?.into_any()),
        event => Ok(Py::new(py, plain(py, event)?)?.into_any()),
    }
}

fn plain(py: Python<'_>, event: &Engine<'_>) -> PyResult<Event> {
    let data = PyDict::new(py);
    let mut delta = "";
    match event {
        Engine::Text(text) => {
            delta = text.delta.as_str();
            put(&data, "channel", text.channel)?;
            put_element(&data, text.element.map(|element| element.get()))?;
        }
        Engine::Reasoning(text) => {
            delta = text.delta.as_str();
            put_element(&data, text.element.map(|element| element.get()))?;
        }
        Engine::ElementOpen(open) => {
            put(&data, "id", open.id.get())?;
            open.parent.map_or(Ok(()), |parent| put(&data, "parent", parent.get()))?;
            put(&data, "name", open.name)?;
            put(&data, "params", params(py, open.params)?)?;
            put(&data, "channel", open.channel)?;
        }
        Engine::ElementClose { id, reason, .. } => {
            put(&data, "id", id.get())?;
            put(&data, "reason", reason.name())?;
            if let CloseReason::Interrupted { by } = reason {
                put(&data, "by", by.get())?;
            }
        }
        Engine::Comment(comment) => {
            delta = comment.delta.as_str();
            put_element(&data, comment.element.map(|element| element.get()))?;
            put(&data, "is_complete", comment.is_complete)?;
        }
        Engine::Reclassify { from, to, channel } => {
            put(&data, "from", from)?;
            put(&data, "to", to)?;
            put(&data, "channel", channel)?;
        }
        Engine::Stray { name, .. } => put(&data, "name", name)?,
        Engine::Skipped { reason, .. } => put(&data, "reason", reason.name())?,
        Engine::RootComplete { document, offset } => {
            put(&data, "offset", offset)?;
            put(&data, "document", document.index())?;
        }
        Engine::Final(answer) => put(&data, "outcome", answer.outcome().name())?,
        _ => {}
    }
    Ok(Event {
        kind: event.name().to_owned(),
        delta: delta.to_owned(),
        span: event.span(),
        data: data.unbind(),
    })
}

fn params<'py>(py: Python<'py>, params: Params<'_>) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (name, value) in params.iter() {
        all.set_item(name, value)?;
    }
    Ok(all)
}

/// Adds what makes events again that were pickled.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(unpickled_notice, module)?)?;
    module.add_function(wrap_pyfunction!(unpickled_failure, module)?)?;
    module.add_function(wrap_pyfunction!(unpickled_event, module)?)
}
