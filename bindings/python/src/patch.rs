//! A change of a field, as an object of Python.

use patchwire::document::DocId;
use patchwire::event::{Completion, Origin};
use patchwire::{OwnedPatch, PatchOp, Span, ValueKind, ValueRef};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple};

use crate::paths::PathTable;
use crate::value::{scalar, to_python};

/// A change of a field.
///
/// `op` is "open", "delta", "done", "replace" or "remove". A text grows by its `delta`s. A number, bool or null comes
/// once, whole, in the `value` of its "done". An empty `path` is the root.
#[pyclass(frozen, module = "patchwire")]
pub(crate) struct Patch {
    // Fields of these types are read without a call of Rust.
    #[pyo3(get)]
    op: Py<PyString>,
    #[pyo3(get)]
    path: Py<PyString>,
    #[pyo3(get)]
    delta: Py<PyString>,
    #[pyo3(get)]
    value: Py<PyAny>,
    #[pyo3(get)]
    is_complete: Py<PyBool>,
    details: Details,
}

/// What is looked at less often.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Details {
    completion: Option<Completion>,
    repaired: bool,
    deferred: bool,
    span: Span,
    document: u32,
    element: Option<u32>,
    root: u32,
    attempt: u32,
    call: Option<u32>,
}

/// The place of a patch among the parsers of a response.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) attempt: u32,
    pub(crate) call: Option<u32>,
    /// The number of the document among those of the response, if the parser has another.
    pub(crate) document: Option<u32>,
}

impl Place {
    pub(crate) const ANSWER: Self = Self { attempt: 1, call: None, document: None };

    /// Whether a patch here is one of the answer, and not of a call or of another document.
    pub(crate) fn is_of_answer(&self, patch: &patchwire::Patch<'_>) -> bool {
        self.call.is_none() && patch.document == DocId::ANSWER
    }
}

impl Patch {
    /// A patch of Python from one of the parser.
    #[inline]
    pub(crate) fn of(
        py: Python<'_>,
        patch: &patchwire::Patch<'_>,
        place: Place,
        paths: &mut PathTable,
    ) -> PyResult<Self> {
        let path = paths.of(py, patch)?;
        let parts = Parts {
            op: patch.op,
            delta: patch.delta.as_str(),
            value: Some(patch.value),
            is_complete: patch.is_complete(),
            details: details(
                patch.origin,
                patch.document.index(),
                place,
                Flags {
                    completion: patch.completion,
                    repaired: patch.repaired,
                    deferred: patch.deferred,
                    span: patch.span,
                },
            ),
        };
        Self::new_of(py, path, parts)
    }

    /// A patch of Python from one that was copied while the interpreter was free.
    pub(crate) fn of_owned(py: Python<'_>, patch: &OwnedPatch, place: Place) -> PyResult<Self> {
        let path = PyString::new(py, &patch.path.to_string()).unbind();
        let parts = Parts {
            op: patch.op,
            delta: &patch.delta,
            value: patch.value.as_ref().map(|value| value.as_ref()),
            is_complete: patch.is_complete(),
            details: details(
                &patch.origin,
                patch.document.index(),
                place,
                Flags {
                    completion: patch.completion,
                    repaired: patch.repaired,
                    deferred: patch.deferred,
                    span: patch.span,
                },
            ),
        };
        Self::new_of(py, path, parts)
    }

    /// A patch that begins the value again: for a reader that begins late, and for another attempt.
    pub(crate) fn restart(
        py: Python<'_>,
        value: Option<ValueRef<'_>>,
        place: Place,
    ) -> PyResult<Self> {
        let op = if value.is_some() { PatchOp::Replace } else { PatchOp::Remove };
        let flags = Flags { completion: None, repaired: false, deferred: false, span: Span::at(0) };
        let path = intern!(py, "").clone().unbind();
        let details = details_of(None, 0, place, 0, flags);
        Self::new_of(py, path, Parts { op, delta: "", value, is_complete: false, details })
    }

    /// A patch that has a field as it is, for a reader of this field that begins late.
    pub(crate) fn so_far(
        py: Python<'_>,
        path: &str,
        value: ValueRef<'_>,
        place: Place,
    ) -> PyResult<Self> {
        let flags = Flags { completion: None, repaired: false, deferred: false, span: Span::at(0) };
        let (path, is_complete) = (PyString::new(py, path).unbind(), value.is_complete());
        let details = details_of(None, 0, place, 0, flags);
        let op = PatchOp::Replace;
        Self::new_of(py, path, Parts { op, delta: "", value: Some(value), is_complete, details })
    }

    #[inline]
    fn new_of(py: Python<'_>, path: Py<PyString>, parts: Parts<'_>) -> PyResult<Self> {
        let Parts { op, delta, value, is_complete, details } = parts;
        let delta =
            if op == PatchOp::Delta { PyString::new(py, delta) } else { intern!(py, "").clone() };
        let value = value.filter(|value| value.exists());
        let value = match (op, value) {
            (PatchOp::Open, Some(value)) => empty(py, value.kind()),
            (PatchOp::Done, Some(value)) if is_leaf(value) => scalar(py, value)?,
            (PatchOp::Replace, Some(value)) => to_python(py, value)?,
            _ => py.None().into_bound(py),
        };
        Ok(Self {
            op: op_name(py, op).unbind(),
            path,
            delta: delta.unbind(),
            value: value.unbind(),
            is_complete: PyBool::new(py, is_complete).to_owned().unbind(),
            details,
        })
    }
}

struct Parts<'a> {
    op: PatchOp,
    delta: &'a str,
    value: Option<ValueRef<'a>>,
    is_complete: bool,
    details: Details,
}

struct Flags {
    completion: Option<Completion>,
    repaired: bool,
    deferred: bool,
    span: Span,
}

fn details(origin: &Origin, document: usize, place: Place, flags: Flags) -> Details {
    let element = origin.element.map(|element| element.get());
    details_of(element, origin.root, place, document as u32, flags)
}

fn details_of(
    element: Option<u32>,
    root: u32,
    place: Place,
    document: u32,
    flags: Flags,
) -> Details {
    let Flags { completion, repaired, deferred, span } = flags;
    let Place { attempt, call, document: number } = place;
    let document = number.unwrap_or(document);
    Details { completion, repaired, deferred, span, document, element, root, attempt, call }
}

fn is_leaf(value: ValueRef<'_>) -> bool {
    !matches!(value.kind(), ValueKind::List | ValueKind::Object)
}

fn empty(py: Python<'_>, kind: ValueKind) -> Bound<'_, PyAny> {
    match kind {
        ValueKind::List => PyList::empty(py).into_any(),
        ValueKind::Object => PyDict::new(py).into_any(),
        ValueKind::String => intern!(py, "").clone().into_any(),
        _ => py.None().into_bound(py),
    }
}

pub(crate) fn op_name(py: Python<'_>, op: PatchOp) -> Bound<'_, PyString> {
    match op {
        PatchOp::Open => intern!(py, "open"),
        PatchOp::Delta => intern!(py, "delta"),
        PatchOp::Done => intern!(py, "done"),
        PatchOp::Replace => intern!(py, "replace"),
        PatchOp::Remove => intern!(py, "remove"),
    }
    .clone()
}

/// The names of the attributes, in the order of `__new__`.
type Attributes<'py> =
    (Bound<'py, PyString>, Bound<'py, PyString>, Bound<'py, PyString>, Bound<'py, PyAny>, bool);

#[pymethods]
impl Patch {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const fn match_args() -> (&'static str, &'static str, &'static str) {
        ("op", "path", "delta")
    }

    /// The name of the event: "patch".
    #[classattr]
    #[pyo3(name = "type")]
    const fn class_type() -> &'static str {
        "patch"
    }

    #[new]
    #[pyo3(signature = (op, path = "", delta = "", value = None, is_complete = false, details = None))]
    fn new(
        py: Python<'_>,
        op: &str,
        path: &str,
        delta: &str,
        value: Option<Py<PyAny>>,
        is_complete: bool,
        details: Option<DetailsTuple>,
    ) -> PyResult<Self> {
        let Some(op) = PatchOp::ALL.into_iter().find(|known| known.name() == op) else {
            let known = PatchOp::ALL.map(PatchOp::name).join(", ");
            return Err(PyValueError::new_err(format!(
                "no operation is called `{op}`; write one of {known}"
            )));
        };
        Ok(Self {
            op: op_name(py, op).unbind(),
            path: PyString::new(py, path).unbind(),
            delta: PyString::new(py, delta).unbind(),
            value: value.unwrap_or_else(|| py.None()),
            is_complete: PyBool::new(py, is_complete).to_owned().unbind(),
            details: details.map_or_else(Details::none, Details::from),
        })
    }

    /// The steps of the path: `rows[0].name` is `("rows", 0, "name")`, as in the errors of Pydantic.
    #[getter]
    fn loc<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        crate::paths::segments(py, self.path.bind(py).to_str()?)
    }

    /// The path as an RFC 6901 JSON Pointer: `/rows/0/name`.
    #[getter]
    fn pointer(&self, py: Python<'_>) -> PyResult<String> {
        Ok(crate::paths::pointer(self.path.bind(py).to_str()?))
    }

    /// The path with `[*]` for every index: `rows[*].name`.
    #[getter]
    fn wildcard_path(&self, py: Python<'_>) -> PyResult<String> {
        Ok(crate::paths::wildcard(self.path.bind(py).to_str()?))
    }

    /// How the end of the value is known: "observed", "end_of_input" or "reconciled"; else `None`.
    #[getter]
    fn completion(&self) -> Option<&'static str> {
        self.details.completion.map(Completion::name)
    }

    /// Whether a rule of lenient reading shaped the value.
    #[getter]
    const fn repaired(&self) -> bool {
        self.details.repaired
    }

    /// Whether the value was read whole before it was emitted.
    #[getter]
    const fn deferred(&self) -> bool {
        self.details.deferred
    }

    /// The bytes of the input that made the change.
    #[getter]
    const fn span(&self) -> (u64, u64) {
        (self.details.span.start, self.details.span.end)
    }

    /// The number of the document that contains the field; 0 is the answer, unless a tag set decides otherwise.
    #[getter]
    const fn document(&self) -> u32 {
        self.details.document
    }

    /// The element whose body contains the document.
    #[getter]
    const fn element(&self) -> Option<u32> {
        self.details.element
    }

    /// The number of the root, if several follow one another.
    #[getter]
    const fn root(&self) -> u32 {
        self.details.root
    }

    /// The attempt of a repeated request, from 1.
    #[getter]
    const fn attempt(&self) -> u32 {
        self.details.attempt
    }

    /// The tool call whose arguments contain the field, from 1; `None` for the answer.
    #[getter]
    const fn call(&self) -> Option<u32> {
        self.details.call
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (op, path) = (self.op.bind(py).to_str()?, self.path.bind(py).repr()?);
        let call = self.details.call.map(|call| format!(" call={call}")).unwrap_or_default();
        let value = self.value.bind(py);
        Ok(match op {
            "delta" => format!("<Patch delta {path} {}{call}>", self.delta.bind(py).repr()?),
            "remove" => format!("<Patch remove {path}{call}>"),
            _ if op == "done" && value.is_none() => format!("<Patch done {path}{call}>"),
            _ => format!("<Patch {op} {path} {}{call}>", value.repr()?),
        })
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.details == other.details
            && same(py, self.op.as_any(), other.op.as_any())?
            && same(py, self.path.as_any(), other.path.as_any())?
            && same(py, self.delta.as_any(), other.delta.as_any())?
            && same(py, &self.value, &other.value)?
            && self.is_complete.bind(py).is_true() == other.is_complete.bind(py).is_true())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        (&self.op, &self.path, &self.delta, self.details.span.start).into_pyobject(py)?.hash()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Attributes<'py>, DetailsTuple))> {
        let py = slf.py();
        let own = slf.get();
        let bound = |text: &Py<PyString>| text.bind(py).clone();
        let is_complete = own.is_complete.bind(py).is_true();
        let attributes = (
            bound(&own.op),
            bound(&own.path),
            bound(&own.delta),
            own.value.bind(py).clone(),
            is_complete,
        );
        Ok((py.import("patchwire._core")?.getattr("_patch")?, (attributes, own.details.into())))
    }
}

fn same(py: Python<'_>, one: &Py<PyAny>, other: &Py<PyAny>) -> PyResult<bool> {
    one.bind(py).eq(other.bind(py))
}

/// A patch from what was pickled.
#[pyfunction]
#[pyo3(name = "_patch")]
pub(crate) fn unpickled(
    py: Python<'_>,
    attributes: (String, String, String, Py<PyAny>, bool),
    details: DetailsTuple,
) -> PyResult<Patch> {
    let (op, path, delta, value, is_complete) = attributes;
    Patch::new(py, &op, &path, &delta, Some(value), is_complete, Some(details))
}

/// Details in the form in which they are pickled.
type DetailsTuple =
    (Option<String>, (bool, bool), (u64, u64), (u32, u32, u32), Option<u32>, Option<u32>);

impl Details {
    const fn none() -> Self {
        Self {
            completion: None,
            repaired: false,
            deferred: false,
            span: Span::new(0, 0),
            document: 0,
            element: None,
            root: 0,
            attempt: 1,
            call: None,
        }
    }
}

impl From<DetailsTuple> for Details {
    fn from(tuple: DetailsTuple) -> Self {
        let (
            completion,
            (repaired, deferred),
            (start, end),
            (document, root, attempt),
            element,
            call,
        ) = tuple;
        let completion =
            Completion::ALL.into_iter().find(|known| Some(known.name()) == completion.as_deref());
        let span = Span::new(start, end);
        Self { completion, repaired, deferred, span, document, element, root, attempt, call }
    }
}

impl From<Details> for DetailsTuple {
    fn from(it: Details) -> Self {
        let completion = it.completion.map(|completion| completion.name().to_owned());
        let numbers = (it.document, it.root, it.attempt);
        (
            completion,
            (it.repaired, it.deferred),
            (it.span.start, it.span.end),
            numbers,
            it.element,
            it.call,
        )
    }
}
