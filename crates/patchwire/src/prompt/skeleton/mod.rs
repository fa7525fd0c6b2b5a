//! An answer in the wire form, with placeholders for its values.

mod fields;
pub(super) mod json;
mod yaml;

use super::outline::Item;
use super::{Names, members};
use crate::spec::Format;

/// The skeleton of a format. Without a schema it shows what the form is made of.
pub(super) fn of(format: Format, root: Option<&Item>, names: Names<'_>) -> String {
    match format {
        Format::XmlField => fields::xml(members(root), names.root_tag),
        Format::Hybrid | Format::Markdown => {
            fields::sections(members(root), format == Format::Markdown)
        }
        Format::YamlLiteral => yaml::document(root, names.document),
        Format::Text => String::new(),
        Format::Json | Format::Auto => {
            root.map_or_else(|| "<any JSON value>".to_owned(), json::pretty)
        }
    }
}
