//! How the arguments of calls are read.

use std::sync::LazyLock;

use patchwire::schema::object;
use patchwire::{Format, Schema, Spec};

/// Arguments are data only: they contain no elements.
pub(crate) fn arguments_spec() -> Spec {
    static SPEC: LazyLock<Spec> = LazyLock::new(|| match Spec::builder().without_tags().build() {
        Ok(spec) => with_arguments_schema(spec),
        Err(error) => unreachable!("no two settings contradict each other: {error}"),
    });
    SPEC.clone()
}

/// The spec for arguments of tools whose schema is not known: an object. So a string that contains an object is read once
/// more: some servers encode arguments twice.
pub(crate) fn with_arguments_schema(spec: Spec) -> Spec {
    static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::from(object()));
    match spec.schema() {
        Some(_) => spec,
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
