//! Chunks from Python: text or bytes.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};

use crate::errors;

/// The bytes of a `str`, `bytes`, `bytearray` or `memoryview`; none for other objects.
#[inline]
pub(crate) fn bytes_if_text<'a>(chunk: &'a Bound<'_, PyAny>) -> PyResult<Option<Cow<'a, [u8]>>> {
    if let Ok(text) = chunk.cast::<PyString>() {
        return match text.to_str() {
            Ok(text) => Ok(Some(Cow::Borrowed(text.as_bytes()))),
            Err(_) => lone_surrogates(text).map(|bytes| Some(Cow::Owned(bytes))),
        };
    }
    if let Ok(bytes) = chunk.cast::<PyBytes>() {
        return Ok(Some(Cow::Borrowed(bytes.as_bytes())));
    }
    if let Ok(bytes) = chunk.cast::<PyByteArray>() {
        return Ok(Some(Cow::Owned(bytes.to_vec())));
    }
    let memory = chunk.py().get_type::<pyo3::types::PyMemoryView>();
    if chunk.is_instance(&memory)? {
        let bytes: Vec<u8> = chunk.call_method0("tobytes")?.extract()?;
        return Ok(Some(Cow::Owned(bytes)));
    }
    Ok(None)
}

/// Halves of surrogate pairs, which Python's `str` may hold and UTF-8 may not, become U+FFFD. Both halves of a
/// pair, as some decoders leave them, become their character.
fn lone_surrogates(text: &Bound<'_, PyString>) -> PyResult<Vec<u8>> {
    let units = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
    let text = units.call_method1("decode", ("utf-16-le", "replace"))?;
    Ok(text.extract::<String>()?.into_bytes())
}

/// The bytes of a chunk.
#[inline]
pub(crate) fn bytes<'a>(chunk: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    bytes_if_text(chunk)?.ok_or_else(|| {
        let kind = chunk.get_type().name().map(|name| name.to_string()).unwrap_or_default();
        let what = "a chunk is `str` or `bytes`, and this is";
        errors::raised(chunk.py(), "SourceError", format_args!("{what} `{kind}`"))
    })
}

/// A name that the item of a client has. `what` says of what.
pub(crate) fn name<'a>(name: &'a Bound<'_, PyAny>, what: &str) -> PyResult<&'a str> {
    let text = name.cast::<PyString>().ok().and_then(|text| text.to_str().ok());
    text.ok_or_else(|| {
        let kind = name.get_type().name().map(|name| name.to_string()).unwrap_or_default();
        let what = format_args!("{what} is `str`, and the source gave `{kind}`");
        errors::raised(name.py(), "SourceError", what)
    })
}
