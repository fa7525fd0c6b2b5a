//! Strings of Python that grow where they are.
#![allow(
    unsafe_code,
    reason = "the interpreter appends in place only to a string that nobody else holds, through this call"
)]

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// The text with a delta behind it. If nobody else holds the text, it grows in place, so that many small deltas cost
/// their length; otherwise it is copied.
pub(crate) fn append(
    py: Python<'_>,
    text: Py<PyAny>,
    delta: &Bound<'_, PyString>,
) -> PyResult<Py<PyAny>> {
    if !text.bind(py).is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("only a `str` grows"));
    }
    let mut grown = text.into_ptr();
    // SAFETY: `grown` is an owned reference to a `str`, and `delta` is a `str`. The call takes over `grown` and puts an
    // owned reference in its place, or null with an exception set.
    unsafe { pyo3::ffi::PyUnicode_Append(&raw mut grown, delta.as_ptr()) };
    // SAFETY: `grown` is now owned or null, which is what this function expects.
    unsafe { Bound::from_owned_ptr_or_err(py, grown) }.map(Bound::unbind)
}
