//! The answer: the result of a stream, as an object of Python.

use patchwire::answer::{Call as EngineCall, Element as EngineElement};
use patchwire::{Answer as Engine, document::DocId};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::errors;
use crate::events::{Failure, Notice};
use crate::spec::Settings;
use crate::value::{to_python, to_python_at, to_python_if_any};

/// The result of a stream: its value, text, reasoning, calls, elements and notices.
#[pyclass(frozen, module = "patchwire")]
pub(crate) struct Answer {
    engine: Engine,
    /// What it was read with, to pickle it: the bytes are read again.
    settings: Option<Py<Settings>>,
    /// Whether the schema's type is that of this value. It is not that of arguments.
    has_type: bool,
    value: PyOnceLock<Py<PyAny>>,
}

impl Answer {
    pub(crate) const fn new(engine: Engine, settings: Option<Py<Settings>>) -> Self {
        Self { engine, settings, has_type: true, value: PyOnceLock::new() }
    }

    /// The arguments of a call.
    pub(crate) const fn arguments(engine: Engine, settings: Option<Py<Settings>>) -> Self {
        Self { engine, settings, has_type: false, value: PyOnceLock::new() }
    }

    fn arguments_beside(&self, py: Python<'_>, engine: &Engine) -> Self {
        Self { has_type: false, ..self.beside(py, engine) }
    }

    fn beside(&self, py: Python<'_>, engine: &Engine) -> Self {
        Self::new(engine.clone(), self.settings.as_ref().map(|settings| settings.clone_ref(py)))
    }
}

#[pymethods]
impl Answer {
    /// The value, made once: `dict`, `list`, `str`, `int`, `float`, `bool` or `None`. Without a value it is `None`; see
    /// `has_value`.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(value) = self.value.get(py) {
            return Ok(value.bind(py).clone());
        }
        let value = to_python_if_any(py, self.engine.value())?.unbind();
        Ok(self.value.get_or_init(py, || value).bind(py).clone())
    }

    /// Whether a value could be read.
    #[getter]
    fn has_value(&self) -> bool {
        self.engine.value().exists()
    }

    /// The value at a path such as `rows[0].name`, or `default`.
    #[pyo3(signature = (path, default = None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        path: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        to_python_at(py, self.engine.value(), path, default)
    }

    /// All roots, if several were asked for; else the value, if there is one.
    #[getter]
    fn roots<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let roots = PyList::empty(py);
        self.engine.roots().try_for_each(|root| roots.append(to_python(py, root)?))?;
        Ok(roots)
    }

    /// The value of the document with this number, as patches carry it; `None` if there is none.
    fn document<'py>(&self, py: Python<'py>, number: u32) -> PyResult<Bound<'py, PyAny>> {
        match self.engine.document(DocId::from_number(number)) {
            Some(value) => to_python_if_any(py, value),
            None => Ok(py.None().into_bound(py)),
        }
    }

    /// How the answer ended: "complete", "repaired", "truncated", "tool_calls", "no_answer", "empty" or "failed".
    #[getter]
    fn outcome(&self) -> &'static str {
        self.engine.outcome().name()
    }

    /// The answer as text, without reasoning.
    #[getter]
    fn text(&self) -> &str {
        self.engine.text()
    }

    /// The model's reasoning.
    #[getter]
    fn reasoning(&self) -> &str {
        self.engine.reasoning()
    }

    /// All bytes that were fed, unless the settings do not keep them.
    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.engine.raw().map(|raw| PyBytes::new(py, raw))
    }

    /// What was skipped, repaired or guessed, in order.
    #[getter]
    fn notices(&self) -> Vec<Notice> {
        self.engine.notices().iter().cloned().map(Notice).collect()
    }

    /// The number of notices, those past the limit included.
    #[getter]
    fn notice_count(&self) -> u64 {
        self.engine.notice_count()
    }

    /// The checks that failed.
    #[getter]
    fn failures(&self) -> Vec<Failure> {
        self.engine.failures().iter().cloned().map(Failure).collect()
    }

    /// The tool calls that the model wrote as text.
    #[getter]
    fn calls(&self, py: Python<'_>) -> Vec<Call> {
        self.engine.calls().iter().map(|call| Call::of_text(py, call, self)).collect()
    }

    /// The elements of the tag set, in the order of their openers.
    #[getter]
    fn elements(&self, py: Python<'_>) -> PyResult<Vec<Element>> {
        self.engine.elements().map(|element| Element::of(py, element)).collect()
    }

    /// The answer of a second reading, if an unclosed fence, comment or string hid markers.
    #[getter]
    fn alternative(&self, py: Python<'_>) -> Option<Self> {
        self.engine.alternative().map(|engine| self.beside(py, engine))
    }

    /// Whether the answer was cut, and the value at this path is not whole because of it.
    #[pyo3(signature = (path = ""))]
    fn is_cut_at(&self, path: &str) -> bool {
        self.engine.is_cut_at(path)
    }

    /// The value as JSON, with exact numbers.
    fn to_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        errors::guarded(py, || Ok(PyBytes::new(py, self.engine.value().to_string().as_bytes())))
    }

    /// The value as `type`, which is that of the schema if none is given.
    ///
    /// Raises `Truncated` if the answer was cut (unless `partial` is true), `NoValue` if there is no value, and
    /// `Invalid` if a check failed or the value does not fit the type. Each holds the answer and the value.
    #[pyo3(signature = (r#type = None, *, partial = false))]
    fn data<'py>(
        slf: &Bound<'py, Self>,
        r#type: Option<Bound<'py, PyAny>>,
        partial: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let arguments = PyDict::new(py);
        arguments.set_item("partial", partial)?;
        let settings = slf.get().settings.as_ref().filter(|_| slf.get().has_type);
        let own = settings.map(|settings| settings.get().r#type(py)).transpose()?.flatten();
        let r#type = r#type.or(own);
        py.import("patchwire._data")?.getattr("data_of")?.call((slf, r#type), Some(&arguments))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let value = self.value(py)?.repr()?.to_string();
        let value = match value.char_indices().nth(120) {
            Some((end, _)) => format!("{}…", &value[..end]),
            None => value,
        };
        let notices = match self.engine.notice_count() {
            0 => String::new(),
            1 => " 1 notice".to_owned(),
            count => format!(" {count} notices"),
        };
        let failures = match self.engine.failures().len() {
            0 => String::new(),
            1 => " 1 failure".to_owned(),
            count => format!(" {count} failures"),
        };
        Ok(format!("<Answer {} {value}{notices}{failures}>", self.outcome()))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.engine == other.engine
    }

    fn __hash__(&self) -> usize {
        self.engine.text().len() ^ self.engine.notice_count() as usize
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Unpickled<'py>)> {
        let (Some(settings), Some(raw)) = (&self.settings, self.raw(py)) else {
            let why = "only an answer whose bytes were kept can be pickled: leave `keep_raw` on";
            return Err(errors::raised(py, "SpecError", why));
        };
        Ok((py.import("patchwire._core")?.getattr("parse")?, (raw, settings.bind(py).clone())))
    }
}

type Unpickled<'py> = (Bound<'py, PyBytes>, Bound<'py, Settings>);

/// A tool call: its name, its arguments, and an id if there is one.
#[pyclass(frozen, module = "patchwire")]
pub(crate) struct Call {
    /// The name of the tool.
    #[pyo3(get)]
    pub(crate) name: String,
    /// The id of the call, if there is one.
    #[pyo3(get)]
    pub(crate) id: Option<String>,
    /// The number of the call, from 1, as its patches carry it; `None` for a call that the model wrote as text.
    #[pyo3(get)]
    pub(crate) number: Option<u32>,
    /// Whether the call was written to its end.
    #[pyo3(get)]
    pub(crate) is_complete: bool,
    /// The arguments as an answer, with an outcome and notices of their own.
    #[pyo3(get)]
    pub(crate) answer: Py<Answer>,
    /// The arguments as the model wrote them, if they could not be read or the tool takes a text.
    #[pyo3(get)]
    pub(crate) text: Option<String>,
    /// The type of the arguments, for `data`.
    pub(crate) r#type: Option<Py<PyAny>>,
}

impl Call {
    fn of_text(py: Python<'_>, call: &EngineCall, answer: &Answer) -> Self {
        Self::read(py, call, answer).unwrap_or_else(|_| unreachable!("an answer can be made"))
    }

    pub(crate) fn read(py: Python<'_>, call: &EngineCall, answer: &Answer) -> PyResult<Self> {
        Ok(Self {
            name: call.name().to_owned(),
            id: call.id().map(str::to_owned),
            number: None,
            is_complete: call.is_complete(),
            answer: Py::new(py, answer.arguments_beside(py, call.answer()))?,
            text: call.text().map(str::to_owned),
            r#type: None,
        })
    }
}

#[pymethods]
impl Call {
    /// The arguments; `None` if they could not be read.
    #[getter]
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.answer.bind(py).get().value(py)
    }

    /// The arguments as `type`, which is that of the tool if none is given.
    #[pyo3(signature = (r#type = None, *, partial = false))]
    fn data<'py>(
        &self,
        py: Python<'py>,
        r#type: Option<Bound<'py, PyAny>>,
        partial: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let own = self.r#type.as_ref().map(|own| own.bind(py).clone());
        Answer::data(self.answer.bind(py), r#type.or(own), partial)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let state = if self.is_complete { "" } else { " unfinished" };
        Ok(format!("<Call {}({}){state}>", self.name, self.arguments(py)?.repr()?))
    }
}

/// An element of the tag set: the region from a marker that opens to the marker that closes it.
#[pyclass(frozen, get_all, module = "patchwire")]
pub(crate) struct Element {
    /// The number of the element, from 1, as events carry it.
    id: u32,
    /// The number of the element around it.
    parent: Option<u32>,
    /// The name of the tag family.
    name: String,
    /// The channel of its text.
    channel: String,
    /// The parameters of the opener.
    params: Py<PyDict>,
    /// What closed it: "observed", "end_of_input", "mismatched", …
    reason: &'static str,
    /// Whether a closer ended it.
    is_complete: bool,
    /// Its text, without that of elements in it.
    text: String,
    /// The value of its body, if the body is a document.
    value: Py<PyAny>,
    /// From the opener's first byte to the closer's last.
    span: (u64, u64),
}

impl Element {
    fn of(py: Python<'_>, element: EngineElement<'_>) -> PyResult<Self> {
        let params = PyDict::new(py);
        for (name, value) in element.params().iter() {
            params.set_item(name, value)?;
        }
        let value = element
            .value()
            .map_or_else(|| Ok(py.None()), |value| to_python(py, value).map(Bound::unbind))?;
        Ok(Self {
            id: element.id().get(),
            parent: element.parent().map(|parent| parent.id().get()),
            name: element.name().to_owned(),
            channel: element.channel().to_owned(),
            params: params.unbind(),
            reason: element.reason().name(),
            is_complete: element.is_complete(),
            text: element.text().into_owned(),
            value,
            span: (element.span().start, element.span().end),
        })
    }
}

#[pymethods]
impl Element {
    fn __repr__(&self) -> String {
        format!("<Element {} {:?}>", self.name, self.text)
    }
}
