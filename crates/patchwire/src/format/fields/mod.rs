//! Shared parts of the formats that write the members of one object as fields: field names,
//! trimming, the JSON in a field, and pending tokens.

mod names;
mod out;
mod payload;
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

/// The settings that the wire forms share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldOptions {
    /// The root tag of `xml_field`.
    pub(crate) root_tag: String,
    /// The name in the markers round a `yaml_literal` document.
    pub(crate) document: String,
    /// Which text fields are taken out of fences.
    pub(crate) unwraps: Unwraps,
}

impl Default for FieldOptions {
    fn default() -> Self {
        Self {
            root_tag: "agently_output".to_owned(),
            document: "AGENTLY_YAML".to_owned(),
            unwraps: Unwraps::default(),
        }
    }
}
