//! Values of the engine as objects of Python.

use patchwire::document::Entries;
use patchwire::{Pattern, ValueKind, ValueRef};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString};

use crate::{errors, paths};

/// Slots of the cache of keys; a power of two.
const SLOTS: usize = 256;
/// The longest key that is cached, in bytes.
const LONGEST: usize = 64;

/// The names of members, each made once: records repeat the same few names.
pub(crate) struct Keys<'v, 'py> {
    slots: Vec<Option<(&'v str, Bound<'py, PyString>)>>,
}

impl<'v, 'py> Keys<'v, 'py> {
    pub(crate) const fn new() -> Self {
        Self { slots: Vec::new() }
    }

    fn key(&mut self, py: Python<'py>, name: &'v str) -> Bound<'py, PyString> {
        if name.len() > LONGEST {
            return PyString::new(py, name);
        }
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, || None);
        }
        let slot = &mut self.slots[slot(name)];
        match slot {
            Some((known, key)) if *known == name => key.clone(),
            _ => {
                let key = PyString::new(py, name);
                *slot = Some((name, key.clone()));
                key
            }
        }
    }
}

/// Names of one shape differ in their first, middle and last bytes, or in their length.
fn slot(name: &str) -> usize {
    let bytes = name.as_bytes();
    let at = |index: usize| bytes.get(index).copied().map_or(0, usize::from);
    let (first, middle, last) = (at(0), at(bytes.len() / 2), at(bytes.len().wrapping_sub(1)));
    (first.wrapping_mul(31) ^ middle.wrapping_mul(131) ^ last.wrapping_mul(7) ^ (bytes.len() * 17))
        & (SLOTS - 1)
}

/// A container that is being filled.
enum Open<'v, 'py> {
    List(Bound<'py, PyList>, Entries<'v>),
    Dict(Bound<'py, PyDict>, Entries<'v>, Option<Bound<'py, PyString>>),
}

/// The value as an object of Python: `dict`, `list`, `str`, `int`, `float`, `bool` or `None`. Does not recurse.
pub(crate) fn to_python<'py>(py: Python<'py>, root: ValueRef<'_>) -> PyResult<Bound<'py, PyAny>> {
    let mut keys = Keys::new();
    let mut stack: Vec<Open<'_, 'py>> = Vec::new();
    let mut value = root;
    loop {
        let mut made = match value.kind() {
            ValueKind::List => {
                stack.push(Open::List(PyList::empty(py), value.entries()));
                None
            }
            ValueKind::Object => {
                stack.push(Open::Dict(PyDict::new(py), value.entries(), None));
                None
            }
            _ => Some(scalar(py, value)?),
        };
        // Puts what was made where it belongs, and finds the next value.
        value = loop {
            let Some(top) = stack.last_mut() else {
                return Ok(made.unwrap_or_else(|| py.None().into_bound(py)));
            };
            if let Some(next) = step(py, top, &mut made, &mut keys)? {
                break next;
            }
            made = stack.pop().map(|open| match open {
                Open::List(list, _) => list.into_any(),
                Open::Dict(dict, ..) => dict.into_any(),
            });
        };
    }
}

/// Adds a child that was made, and returns the next one.
#[inline]
fn step<'v, 'py>(
    py: Python<'py>,
    top: &mut Open<'v, 'py>,
    made: &mut Option<Bound<'py, PyAny>>,
    keys: &mut Keys<'v, 'py>,
) -> PyResult<Option<ValueRef<'v>>> {
    match top {
        Open::List(list, entries) => {
            if let Some(made) = made.take() {
                list.append(made)?;
            }
            for (_, child) in entries.by_ref() {
                if is_container(child) {
                    return Ok(Some(child));
                }
                list.append(scalar(py, child)?)?;
            }
        }
        Open::Dict(dict, entries, key) => {
            if let (Some(made), Some(key)) = (made.take(), key.take()) {
                dict.set_item(key, made)?;
            }
            for (name, child) in entries.by_ref() {
                let name = keys.key(py, name.unwrap_or_default());
                if is_container(child) {
                    *key = Some(name);
                    return Ok(Some(child));
                }
                dict.set_item(name, scalar(py, child)?)?;
            }
        }
    }
    Ok(None)
}

fn is_container(value: ValueRef<'_>) -> bool {
    matches!(value.kind(), ValueKind::List | ValueKind::Object)
}

/// A scalar; an empty container for a list or object.
#[inline]
pub(crate) fn scalar<'py>(py: Python<'py>, value: ValueRef<'_>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value.kind() {
        ValueKind::Null => py.None().into_bound(py),
        ValueKind::Bool => {
            pyo3::types::PyBool::new(py, value.as_bool() == Some(true)).to_owned().into_any()
        }
        ValueKind::String => PyString::new(py, value.as_str().unwrap_or_default()).into_any(),
        ValueKind::Number => number(py, value.number_text().unwrap_or_default())?,
        ValueKind::List => PyList::empty(py).into_any(),
        ValueKind::Object => PyDict::new(py).into_any(),
    })
}

/// Integers of any length stay exact.
fn number<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let is_integer = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if is_integer {
        if let Ok(number) = text.parse::<i64>() {
            return Ok(PyInt::new(py, number).into_any());
        }
        // Python refuses integers of more than some 4,300 digits; such a number is infinite as a float.
        if let Ok(number) = py.get_type::<PyInt>().call1((text,)) {
            return Ok(number);
        }
    }
    Ok(PyFloat::new(py, text.parse().unwrap_or(f64::NAN)).into_any())
}

/// The value at a path in a value; `default`, or `None`, if there is none.
pub(crate) fn to_python_at<'py>(
    py: Python<'py>,
    value: ValueRef<'_>,
    path: &Bound<'py, PyAny>,
    default: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let path = paths::given(path)?;
    if let Some(value) = value.at(path).filter(|value| value.exists()) {
        return to_python(py, value);
    }
    let read: Result<Pattern, _> = path.parse();
    read.map_err(|error| errors::pattern(py, path, error))?;
    Ok(default.unwrap_or_else(|| py.None().into_bound(py)))
}

/// The value, or `None` where there is none.
pub(crate) fn to_python_if_any<'py>(
    py: Python<'py>,
    value: ValueRef<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    if value.exists() { to_python(py, value) } else { Ok(py.None().into_bound(py)) }
}
