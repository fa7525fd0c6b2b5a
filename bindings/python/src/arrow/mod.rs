//! Columns of Arrow: `parse_arrow`, `arrow_type`.
//!
//! Columns come and go over the C data interface of Arrow, in capsules of Python, so that no Arrow library is imported.
//! `capsules` and `export` have what is unsafe about that.

#[expect(unsafe_code, reason = "the structs of the interface are behind pointers")]
mod capsules;
#[expect(unsafe_code, reason = "the callbacks of a stream take pointers")]
mod export;

use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};
use patchwire_arrow::{BatchError, BatchParser};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};

use crate::errors::{guarded, raised};
use crate::parser::settings;
use crate::spec::Settings;

/// A column of answers. Any library of Arrow takes it without a copy.
#[pyclass(frozen, module = "patchwire")]
pub(crate) struct ArrowArray(ArrayRef);

#[pymethods]
impl ArrowArray {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<ArrowArray of {} answers>", self.0.len())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::of_type(py, self.0.data_type())
    }

    /// The capsules of the type and of the column. The type is always the column's own.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        drop(requested_schema);
        capsules::of_array(py, &self.0)
    }
}

/// A column of answers in chunks. Any library of Arrow takes it without a copy.
#[pyclass(frozen, module = "patchwire")]
pub(crate) struct ArrowChunks {
    chunks: Vec<ArrayRef>,
    of: DataType,
}

#[pymethods]
impl ArrowChunks {
    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn __repr__(&self) -> String {
        format!("<ArrowChunks of {} answers>", self.__len__())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::of_type(py, &self.of)
    }

    /// The capsule of a stream of the chunks. The type is always the column's own.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        capsules::of_stream(py, export::stream(self.chunks.clone(), self.of.clone()))
    }
}

/// The type of a column of answers.
#[pyclass(frozen, module = "patchwire")]
pub(crate) struct ArrowType(DataType);

#[pymethods]
impl ArrowType {
    fn __repr__(&self) -> String {
        format!("<ArrowType {}>", self.0)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::of_type(py, &self.0)
    }
}

/// Reads a column of strings: a typed column of answers, with a row for each row.
///
/// Takes what has `__arrow_c_array__` or `__arrow_c_stream__`, and returns what has the same. `threads` is the number
/// of threads, by default that of the cores. What a model wrote never raises: a row that fails is a row with its
/// error.
#[pyfunction]
#[pyo3(signature = (column, schema = None, *, threads = None, **settings))]
pub(crate) fn parse_arrow<'py>(
    py: Python<'py>,
    column: &Bound<'py, PyAny>,
    schema: Option<&Bound<'py, PyAny>>,
    threads: Option<usize>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let settings = self::settings(py, schema, settings)?;
    if column.hasattr("__arrow_c_array__")? {
        let array = capsules::array(column)?.map_err(|reason| unread(py, &reason))?;
        let parser = parser(&settings, threads, array.len());
        let answers = guarded(py, || Ok(py.detach(|| parser.parse(&array))))?;
        let answers = answers.map_err(|error| failed(py, &error))?;
        return Ok(Bound::new(py, ArrowArray(Arc::new(answers)))?.into_any());
    }
    if !column.hasattr("__arrow_c_stream__")? {
        let found = column.get_type().name()?;
        let what = format_args!(
            "a {found} is no column of Arrow: it has neither `__arrow_c_array__` nor `__arrow_c_stream__`; of a list of \
             strings make `pyarrow.array(texts)` or `polars.Series(texts)`"
        );
        return Err(raised(py, "ColumnError", what));
    }
    let reader = capsules::stream(column)?.map_err(|reason| unread(py, &reason))?;
    // The threads are started once for all chunks, whose rows are not known yet.
    let parser = parser(&settings, threads, usize::MAX);
    let mut chunks = Vec::new();
    for array in reader {
        let array = capsules::checked(array).map_err(|reason| unread(py, &reason))?;
        let answers = guarded(py, || Ok(py.detach(|| parser.parse(&array))))?;
        let answers = answers.map_err(|error| failed(py, &error))?;
        chunks.push(Arc::new(answers) as ArrayRef);
    }
    Ok(Bound::new(py, ArrowChunks { chunks, of: parser.data_type() })?.into_any())
}

/// The type of the column that `parse_arrow` returns for a schema.
#[pyfunction]
#[pyo3(signature = (schema = None, **settings))]
pub(crate) fn arrow_type(
    py: Python<'_>,
    schema: Option<&Bound<'_, PyAny>>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<ArrowType> {
    let settings = self::settings(py, schema, settings)?;
    Ok(ArrowType(parser(&settings, None, 0).data_type()))
}

/// More threads than this for each processor only wait for one another.
const MOST_THREADS: usize = 4;

/// A parser with this number of threads; for 0, which is the default, with one for each processor.
fn parser(settings: &Bound<'_, Settings>, threads: Option<usize>, rows: usize) -> BatchParser {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let most = rows.min(processors.saturating_mul(MOST_THREADS)).max(1);
    let threads = threads.filter(|threads| *threads > 0).map_or(0, |threads| threads.min(most));
    BatchParser::new(&settings.get().spec).with_threads(threads)
}

fn failed(py: Python<'_>, error: &BatchError) -> PyErr {
    raised(py, "ColumnError", error)
}

/// The column breaks the rules of the C data interface.
fn unread(py: Python<'_>, reason: &str) -> PyErr {
    raised(py, "ColumnError", format_args!("the column cannot be read: {reason}"))
}

/// A field of this type, as streams and types have one.
fn field(of: &DataType) -> Field {
    Field::new("answer", of.clone(), true)
}

/// Adds what the module has of Arrow.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ArrowArray>()?;
    module.add_class::<ArrowChunks>()?;
    module.add_class::<ArrowType>()?;
    module.add_function(wrap_pyfunction!(parse_arrow, module)?)?;
    module.add_function(wrap_pyfunction!(arrow_type, module)?)
}
