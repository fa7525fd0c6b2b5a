//! The answer: the result of a stream, as an object of Python.

mod beside;
mod call;
mod element;
pub(crate) mod pickled;

use std::sync::{Arc, OnceLock};

use patchwire::{Answer as Engine, document::DocId};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList};

pub(crate) use beside::Beside;
pub(crate) use call::Call;
pub(crate) use element::Element;
use pickled::Reduced;

use crate::errors;
use crate::events::{Failure, Notice};
use crate::spec::Settings;
use crate::value::{to_python, to_python_at, to_python_if_any};

/// The result of a stream: its value, text, reasoning, calls, elements and notices.
#[pyclass(frozen, module = "patchwire")]
pub(crate) struct Answer {
    engine: Engine,
    settings: Py<Settings>,
    made: Made,
    value: PyOnceLock<Py<PyAny>>,
}

/// What an answer was made from, to make it again where it is unpickled.
enum Made {
    /// Its bytes, and the reasoning beside them.
    Read(Beside),
    /// The call of a tool. One that was written as text has a number in an answer.
    Arguments { tool: Option<String>, of: Option<(Whole, usize)> },
    /// The answer whose second reading it is.
    Alternative(Py<Answer>),
}

/// The answer of a stream, once the stream has ended.
pub(crate) type Whole = Arc<OnceLock<Py<Answer>>>;

/// An answer that is there.
fn whole(answer: Py<Answer>) -> Whole {
    Arc::new(OnceLock::from(answer))
}

impl Answer {
    pub(crate) fn new(engine: Engine, settings: Py<Settings>) -> Self {
        let made = Made::Read(Beside::default());
        Self { engine, settings, made, value: PyOnceLock::new() }
    }

    /// The answer of a stream that had reasoning beside its text.
    pub(crate) fn with_beside(self, beside: Beside) -> Self {
        Self { made: Made::Read(beside), ..self }
    }

    /// The arguments of a call.
    pub(crate) const fn arguments(
        engine: Engine,
        settings: Py<Settings>,
        tool: Option<String>,
    ) -> Self {
        let made = Made::Arguments { tool, of: None };
        Self { engine, settings, made, value: PyOnceLock::new() }
    }

    /// Says in which answer a model wrote the call as text.
    fn of_call(mut self, of: Whole, at: usize) -> Self {
        if let Made::Arguments { of: own, .. } = &mut self.made {
            *own = Some((of, at));
        }
        self
    }

    fn second(of: &Bound<'_, Self>) -> Option<Self> {
        let engine = of.get().engine.alternative()?.clone();
        let settings = of.get().settings.clone_ref(of.py());
        let made = Made::Alternative(of.clone().unbind());
        Some(Self { engine, settings, made, value: PyOnceLock::new() })
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
        self.engine.notices().iter().cloned().map(Notice::from).collect()
    }

    /// The number of notices, those past the limit included.
    #[getter]
    fn notice_count(&self) -> u64 {
        self.engine.notice_count()
    }

    /// The checks that failed.
    #[getter]
    fn failures(&self) -> Vec<Failure> {
        self.engine.failures().iter().map(Failure::from).collect()
    }

    /// The tool calls that the model wrote as text.
    #[getter]
    fn calls(slf: &Bound<'_, Self>) -> PyResult<Vec<Call>> {
        let (own, whole) = (slf.get(), whole(slf.clone().unbind()));
        let calls = own.engine.calls().iter().enumerate();
        calls.map(|(at, call)| Call::read(slf.py(), call, at, &own.settings, &whole)).collect()
    }

    /// The elements of the tag set, in the order of their openers.
    #[getter]
    fn elements(&self, py: Python<'_>) -> PyResult<Vec<Element>> {
        self.engine.elements().map(|element| Element::of(py, element)).collect()
    }

    /// The answer of a second reading, if an unclosed fence, comment or string hid markers.
    #[getter]
    fn alternative(slf: &Bound<'_, Self>) -> Option<Self> {
        Self::second(slf)
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
        // The type of the schema is not that of arguments.
        let own = match slf.get().made {
            Made::Arguments { .. } => None,
            _ => slf.get().settings.get().r#type(py)?,
        };
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduce(py)
    }
}

/// Adds what makes answers and their parts again that were pickled.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(call::unpickled, module)?)?;
    module.add_function(wrap_pyfunction!(element::unpickled, module)?)?;
    module.add_function(wrap_pyfunction!(pickled::with_reasoning, module)?)?;
    module.add_function(wrap_pyfunction!(pickled::arguments, module)?)?;
    module.add_function(wrap_pyfunction!(pickled::written_arguments, module)?)?;
    module.add_function(wrap_pyfunction!(pickled::call_arguments, module)?)?;
    module.add_function(wrap_pyfunction!(pickled::alternative, module)?)
}
