//! An element of a tag set, as an object of Python.

use patchwire::answer::Element as EngineElement;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::pickled::{Reduced, reduced};
use crate::value::to_python;

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
    reason: String,
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
    pub(super) fn of(py: Python<'_>, element: EngineElement<'_>) -> PyResult<Self> {
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
            reason: element.reason().name().to_owned(),
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
    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        let is_same = self.id == other.id
            && self.parent == other.parent
            && self.name == other.name
            && self.channel == other.channel
            && self.reason == other.reason
            && self.is_complete == other.is_complete
            && self.text == other.text
            && self.span == other.span;
        Ok(is_same
            && self.params.bind(py).eq(other.params.bind(py))?
            && self.value.bind(py).eq(other.value.bind(py))?)
    }

    fn __hash__(&self) -> u64 {
        self.span.0 ^ (self.span.1 << 32)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let names = (self.name.clone(), self.channel.clone(), self.reason.clone());
        let place = (self.id, self.parent, self.span, self.is_complete);
        let body = (self.params.clone_ref(py), self.text.clone(), self.value.clone_ref(py));
        reduced(py, "_element", (names, place, body))
    }
}

/// An element from what was pickled.
#[pyfunction]
#[pyo3(name = "_element")]
pub(crate) fn unpickled(
    names: (String, String, String),
    place: (u32, Option<u32>, (u64, u64), bool),
    body: (Py<PyDict>, String, Py<PyAny>),
) -> Element {
    let (name, channel, reason) = names;
    let (id, parent, span, is_complete) = place;
    let (params, text, value) = body;
    Element { id, parent, name, channel, params, reason, is_complete, text, value, span }
}
