//! Errors of the engine as the exceptions of the package.

use core::fmt::Display;
use core::panic::AssertUnwindSafe;

use patchwire::schema::{SchemaError, UndeclaredPath};
use patchwire::{SpecError, path::PatternError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An exception of `patchwire._errors` with a message.
pub(crate) fn raised(py: Python<'_>, class: &str, message: impl Display) -> PyErr {
    raised_with(py, class, message, |_| Ok(()))
}

/// An exception with a message and more attributes, which `fill` sets as keyword arguments.
pub(crate) fn raised_with(
    py: Python<'_>,
    class: &str,
    message: impl Display,
    fill: impl FnOnce(&Bound<'_, PyDict>) -> PyResult<()>,
) -> PyErr {
    let made = || {
        let class = py.import("patchwire._errors")?.getattr(class)?;
        let attributes = PyDict::new(py);
        fill(&attributes)?;
        class.call((message.to_string(),), Some(&attributes))
    };
    made().map_or_else(|error| error, PyErr::from_value)
}

/// The stream cannot be read on: a limit, a syntax error under strict reading, or fed after the end.
pub(crate) fn stream(py: Python<'_>, error: patchwire::Error, value: &Bound<'_, PyAny>) -> PyErr {
    raised_with(py, "StreamError", error, |attributes| {
        attributes.set_item("code", error.kind.name())?;
        attributes.set_item("offset", error.offset)?;
        attributes.set_item("value", value)
    })
}

pub(crate) fn spec(py: Python<'_>, error: &SpecError) -> PyErr {
    raised(py, "SpecError", error)
}

pub(crate) fn schema(py: Python<'_>, error: &SchemaError) -> PyErr {
    raised(py, "SchemaError", format_args!("{error}"))
}

pub(crate) fn pattern(py: Python<'_>, path: &str, error: PatternError) -> PyErr {
    raised(py, "PathError", format_args!("`{path}` is {error}"))
}

pub(crate) fn undeclared(py: Python<'_>, error: &UndeclaredPath) -> PyErr {
    raised(py, "PathError", error)
}

/// Runs code of the engine. A panic, which would be a bug, becomes an exception like any other.
pub(crate) fn guarded<T>(py: Python<'_>, run: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    std::panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        let what = "a bug in patchwire, not in your program: please report the input";
        Err(raised(py, "InternalError", format_args!("{text}: {what}")))
    })
}
