//! Whole texts: `parse`, `loads`, `check`.

use patchwire::Spec;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answer::Answer;
use crate::check as checking;
use crate::chunk;
use crate::errors::guarded;
use crate::large::unlocked;
use crate::parser::{feed, finish, settings, stream_error};
use crate::spec::{Settings, standard};
use crate::value::to_python;

/// Reads a whole text. Never raises because of what a model wrote, unless reading is strict or a limit is reached.
#[pyfunction]
#[pyo3(signature = (text, schema = None, **settings))]
pub(crate) fn parse<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    schema: Option<&Bound<'py, PyAny>>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Answer> {
    let settings = self::settings(py, schema, settings)?;
    let answer = read(py, text, &settings.get().spec)?;
    Ok(Answer::new(answer, settings.unbind()))
}

/// The value in a text, which may have prose around it and slips in it: `json.loads` for what models write.
///
/// Raises `NoValue` if there is none. A text that was cut gives what arrived.
#[pyfunction]
#[pyo3(signature = (text, schema = None, **settings))]
pub(crate) fn loads<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    schema: Option<&Bound<'py, PyAny>>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (answer, settings) = match (schema, settings) {
        (None, None) => (read(py, text, standard())?, None),
        _ => {
            let settings = self::settings(py, schema, settings)?;
            (read(py, text, &settings.get().spec)?, Some(settings))
        }
    };
    if answer.value().exists() {
        return to_python(py, answer.value());
    }
    let settings = settings.map_or_else(|| Bound::new(py, Settings::standard(py)), Ok)?;
    let answer = Bound::new(py, Answer::new(answer, settings.unbind()))?;
    Err(PyErr::from_value(py.import("patchwire._data")?.getattr("no_value")?.call1((answer,))?))
}

/// Cuts a text in every place, and checks that the events and the answer stay the same.
#[pyfunction]
#[pyo3(signature = (text, schema = None, **settings))]
pub(crate) fn check<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    schema: Option<&Bound<'py, PyAny>>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<checking::Report> {
    let bytes = chunk::bytes(text)?.into_owned();
    let settings = self::settings(py, schema, settings)?;
    let spec = settings.get().spec.clone();
    guarded(py, || Ok(py.detach(|| checking::run(&spec, &bytes))))
}

/// The text that tells a model why its answer was not accepted.
#[pyfunction]
pub(crate) fn correction(reasons: Vec<String>) -> String {
    patchwire_async::correction(reasons.iter().map(String::as_str))
}

fn read(py: Python<'_>, text: &Bound<'_, PyAny>, spec: &Spec) -> PyResult<patchwire::Answer> {
    let bytes = chunk::bytes(text)?;
    guarded(py, || {
        let mut engine = spec.parser();
        let whole = || {
            feed(&mut engine, &bytes, &mut |_| {})?;
            finish(&mut engine, &mut |_| {})
        };
        let answer = unlocked(py, bytes.len(), whole);
        answer.map_err(|error| stream_error(py, &engine, error))
    })
}

/// Adds what the module has beside classes.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(parse, module)?)?;
    module.add_function(wrap_pyfunction!(loads, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(correction, module)?)?;
    module.add_function(wrap_pyfunction!(crate::spec::unpickled, module)?)?;
    module.add_function(wrap_pyfunction!(crate::patch::unpickled, module)?)?;
    module.add_function(wrap_pyfunction!(checking::unpickled, module)?)?;
    crate::answer::add(module)?;
    crate::events::add(module)
}
