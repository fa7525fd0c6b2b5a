//! A tool call, as an object of Python.

use std::sync::Arc;

use patchwire::answer::Call as EngineCall;
use pyo3::prelude::*;

use super::pickled::{Reduced, reduced};
use super::{Answer, Whole};
use crate::spec::Settings;

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
    /// The call with this number in an answer, which may not have ended.
    pub(crate) fn read(
        py: Python<'_>,
        call: &EngineCall,
        at: usize,
        settings: &Py<Settings>,
        whole: &Whole,
    ) -> PyResult<Self> {
        let (name, settings) = (call.name().to_owned(), settings.clone_ref(py));
        let answer = Answer::arguments(call.answer().clone(), settings, Some(name.clone()));
        Ok(Self {
            name,
            id: call.id().map(str::to_owned),
            number: None,
            is_complete: call.is_complete(),
            answer: Py::new(py, answer.of_call(Arc::clone(whole), at))?,
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
    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        let is_same = self.name == other.name
            && self.id == other.id
            && self.number == other.number
            && self.is_complete == other.is_complete
            && self.text == other.text
            && self.answer.get().engine == other.answer.get().engine;
        Ok(is_same && type_of(py, self).eq(type_of(py, other))?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        (&self.name, &self.id, self.number).into_pyobject(py)?.hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let own = (self.name.clone(), self.id.clone(), self.number, self.is_complete);
        let answer = self.answer.bind(py).clone();
        reduced(py, "_call", (own, answer, self.text.clone(), type_of(py, self)))
    }
}

fn type_of<'py>(py: Python<'py>, call: &Call) -> Bound<'py, PyAny> {
    let own = call.r#type.as_ref().map(|own| own.bind(py).clone());
    own.unwrap_or_else(|| py.None().into_bound(py))
}

/// A call from what was pickled.
#[pyfunction]
#[pyo3(name = "_call")]
pub(crate) fn unpickled(
    own: (String, Option<String>, Option<u32>, bool),
    answer: Py<Answer>,
    text: Option<String>,
    r#type: Option<Py<PyAny>>,
) -> Call {
    let (name, id, number, is_complete) = own;
    Call { name, id, number, is_complete, answer, text, r#type }
}
