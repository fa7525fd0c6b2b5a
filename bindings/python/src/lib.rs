//! The extension module of the Python package `patchwire`: the engine, and what needs its speed.
//!
//! | module | what lives there |
//! |---|---|
//! | `chunk`, `value`, `paths`, `grow` | text in, values and paths out |
//! | `spec` | settings from keyword arguments |
//! | `patch`, `events`, `answer` | what callers get, as frozen objects |
//! | `parser`, `watch` | the push parser |
//! | `large` | pieces that are read without the lock of the interpreter |
//! | `reader`, `verbs`, `mirror`, `session`, `stream` | a reader: what was read, who listens, the live value, the source |
//! | `functions`, `check` | whole texts |
//! | `arrow` | columns of texts |
//! | `errors` | exceptions, and panics caught at the border |

mod answer;
#[cfg(feature = "arrow")]
mod arrow;
mod check;
mod chunk;
mod errors;
mod events;
mod functions;
mod grow;
mod large;
mod mirror;
mod parser;
mod patch;
mod paths;
mod reader;
mod session;
mod spec;
mod stream;
mod value;
mod verbs;
mod watch;

use pyo3::prelude::*;

/// The extension module of the package.
#[pymodule(gil_used = false)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<answer::Answer>()?;
    module.add_class::<answer::Call>()?;
    module.add_class::<answer::Element>()?;
    module.add_class::<check::Report>()?;
    module.add_class::<events::Event>()?;
    module.add_class::<events::Failure>()?;
    module.add_class::<events::Notice>()?;
    module.add_class::<parser::Parser>()?;
    module.add_class::<patch::Patch>()?;
    module.add_class::<session::Session>()?;
    module.add_class::<stream::Stream>()?;
    module.add_class::<spec::Settings>()?;
    #[cfg(feature = "arrow")]
    arrow::add(module)?;
    functions::add(module)
}
