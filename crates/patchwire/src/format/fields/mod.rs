//! Shared parts of the formats that write the members of one object as fields: field names,
//! trimming, the JSON in a field, and pending tokens.

mod names;
mod out;
mod payload;
mod prose;
mod seen_ranks;
mod text;
mod trim;

pub(crate) use names::{FieldDeclaration, FieldNames};
pub(crate) use out::PendingTokens;
pub(crate) use payload::Payload;
pub use text::Unwrap;
pub(crate) use text::{FieldText, Unwraps};
pub(crate) use trim::Run;
use trim::Trim;

/// Up to this many bytes a plain loop is faster than a prepared search.
pub(crate) const SHORT: usize = 24;

/// Whether a short text has one of two bytes in it.
pub(crate) fn has_either(text: &str, one: u8, other: u8) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() > SHORT {
        return memchr::memchr2(one, other, bytes).is_some();
    }
    bytes.iter().any(|&byte| byte == one || byte == other)
}

/// The settings that these formats share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldOptions {
    /// The root tag of `xml_field`.
    pub(crate) root_tag: EnvelopeName,
    /// The name in the markers around a `yaml_literal` document.
    pub(crate) document: EnvelopeName,
    /// The text fields that lose their fences.
    pub(crate) unwraps: Unwraps,
}

impl Default for FieldOptions {
    fn default() -> Self {
        Self {
            root_tag: EnvelopeName::standard(ROOT_TAG, AGENTLY_ROOT_TAG),
            document: EnvelopeName::standard(DOCUMENT_NAME, AGENTLY_DOCUMENT_NAME),
            unwraps: Unwraps::default(),
        }
    }
}

/// The root tag of [`Format::XmlField`](crate::Format::XmlField) if a spec names no other.
pub const ROOT_TAG: &str = "answer_fields";

/// The name in the markers of [`Format::YamlLiteral`](crate::Format::YamlLiteral) if a spec names no other.
pub const DOCUMENT_NAME: &str = "ANSWER_YAML";

/// The root tag that Agently's prompts ask for. It is read beside [`ROOT_TAG`];
/// [`SpecBuilder::root_tag`](crate::SpecBuilder::root_tag) makes prompts ask for it.
pub const AGENTLY_ROOT_TAG: &str = "agently_output";

/// The name in the markers that Agently's prompts ask for. It is read beside [`DOCUMENT_NAME`];
/// [`SpecBuilder::document_name`](crate::SpecBuilder::document_name) makes prompts ask for it.
pub const AGENTLY_DOCUMENT_NAME: &str = "AGENTLY_YAML";

/// The name of what encloses fields, in upper or lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EnvelopeName {
    /// The names that are read. Prompts ask for the first.
    names: Vec<String>,
}

impl EnvelopeName {
    /// This name alone.
    pub(crate) fn only(name: String) -> Self {
        Self { names: vec![name] }
    }

    fn standard(name: &str, also: &str) -> Self {
        Self { names: vec![name.to_owned(), also.to_owned()] }
    }

    /// The name that prompts ask for.
    pub(crate) fn written(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }

    /// The names that are read.
    pub(crate) fn read(&self) -> &[String] {
        &self.names
    }
}
