//! The error for an input without a stream.

use std::path::PathBuf;

use crate::exit::Status;
use crate::output;
use crate::source;

/// Says that an input has nothing to read.
pub(super) fn report(file: Option<&PathBuf>) -> Status {
    let name = source::name_of(file.map(PathBuf::as_path));
    output::error(&format_args!("{name}: nothing to read: the input is empty"));
    Status::NoValue
}
