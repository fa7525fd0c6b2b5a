//! Capsules of Python with the structs of Arrow's C data interface.

use std::ffi::CStr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, make_array};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use super::field;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// The column of an object, or why it cannot be read.
pub(super) fn array(column: &Bound<'_, PyAny>) -> PyResult<Result<ArrayRef, String>> {
    let pair = column.call_method0("__arrow_c_array__")?.cast_into::<PyTuple>()?;
    let [schema, array] = [0, 1].map(|at| pair.get_item(at));
    let (schema, array) = (schema?.cast_into::<PyCapsule>()?, array?.cast_into::<PyCapsule>()?);
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: the names of the capsules say what they point to, and the tuple keeps them alive. The array is moved out,
    // as the interface asks of a consumer, and the schema is only looked at.
    let data = unsafe { from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema.as_ref()) };
    Ok(checked(data.map(make_array)))
}

/// The chunks of an object, or why they cannot be read.
pub(super) fn stream(column: &Bound<'_, PyAny>) -> PyResult<Result<ArrayStreamReader, String>> {
    let capsule = column.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: the name of the capsule says what it points to, and the capsule is alive. The stream is moved out.
    let reader = unsafe { ArrayStreamReader::from_raw(stream.as_ptr()) };
    Ok(reader.map_err(|error| error.to_string()))
}

/// A column that another library made, if its offsets and its UTF-8 are valid: code behind relies on both.
pub(super) fn checked(array: Result<ArrayRef, ArrowError>) -> Result<ArrayRef, String> {
    let array = array.map_err(|error| error.to_string())?;
    array.to_data().validate_full().map_err(|error| error.to_string())?;
    Ok(array)
}

pub(super) fn of_type<'py>(py: Python<'py>, of: &DataType) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field(of)).map_err(unwritten)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

pub(super) fn of_array<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<Bound<'py, PyTuple>> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(unwritten)?;
    let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    PyTuple::new(py, [schema, array])
}

pub(super) fn of_stream(
    py: Python<'_>,
    stream: FFI_ArrowArrayStream,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, stream, STREAM)
}

fn unwritten(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
