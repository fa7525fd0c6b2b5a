//! What the formats share that write the members of one object as fields: which names there are, what
//! is trimmed, the JSON in a field, and the tokens on their way out.

mod names;
mod out;
mod payload;
mod trim;

pub(crate) use names::{Found, Names};
pub(crate) use out::Out;
pub(crate) use payload::Payload;
pub(crate) use trim::{Run, Trim};

/// The names in the wire forms that have any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WireNames {
    /// The root tag of `xml_field`.
    pub(crate) root_tag: String,
    /// The name in the markers round a `yaml_literal` document.
    pub(crate) document: String,
}

impl Default for WireNames {
    fn default() -> Self {
        Self { root_tag: "agently_output".to_owned(), document: "AGENTLY_YAML".to_owned() }
    }
}
