//! How the arguments of calls are read.

use std::sync::LazyLock;

use patchwire::schema::object;
use patchwire::{Format, Schema, Spec};

/// Arguments are data only: they contain no elements.
pub(crate) fn arguments_spec() -> Spec {
    match Spec::builder().without_tags().build() {
        Ok(spec) => spec,
        Err(error) => unreachable!("no two settings contradict each other: {error}"),
    }
}

/// The spec for arguments that begin as a string. Some servers encode arguments twice: where an object is expected, a
/// string that contains one is read once more.
pub(crate) fn expecting_object(spec: &Spec) -> Spec {
    static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::from(object()));
    match spec.schema() {
        Some(_) => spec.clone(),
        None => spec.with_schema(SCHEMA.clone()),
    }
}

pub(crate) fn no_arguments() -> patchwire::Answer {
    match arguments_spec().parse("") {
        Ok(answer) => answer,
        Err(error) => unreachable!("lenient reading takes an empty text: {error}"),
    }
}

/// The input of a custom tool is text only.
pub(crate) fn text_spec() -> Spec {
    match Spec::builder().format(Format::Text).without_tags().build() {
        Ok(spec) => spec,
        Err(error) => unreachable!("no two settings contradict each other: {error}"),
    }
}
