//! How the arguments of calls are read.

use patchwire::{Format, Spec};

/// Arguments are data only: they contain no elements.
pub(crate) fn arguments_spec() -> Spec {
    match Spec::builder().without_tags().build() {
        Ok(spec) => spec,
        Err(error) => unreachable!("no two settings contradict each other: {error}"),
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
