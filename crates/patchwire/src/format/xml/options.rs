//! The settings of a body of tags.

use std::collections::HashSet;
use std::sync::Arc;

use super::shape::{ATTRIBUTES, TEXT};
use super::{XmlFormat, reader};
use crate::caps::XmlCaps;
use crate::document::tree::Tree;
use crate::format::Machine;
use crate::lex::xml::TagNames;
use crate::limits::Limits;
use crate::schema::{Schema, SchemaId};

/// The settings of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct XmlOptions {
    /// The names that are tags. None if every name is.
    pub(super) known: Option<TagNames>,
    pub(super) schema: Option<Schema>,
    pub(super) typed_by_content: bool,
    /// Whether the end of the input is the end of the body.
    pub(super) whole: bool,
    pub(super) limits: Limits,
    pub(super) caps: XmlCaps,
}

/// The body of an element, read as a tree. Not stable.
///
/// The machine reads the text between the element's opener and its closer; the tag layer finds both.
#[derive(Debug, Clone)]
#[must_use]
pub struct XmlBody {
    options: XmlOptions,
    attributes: Vec<(String, String)>,
}

impl XmlBody {
    /// Every well-formed tag counts that is first on its line, comes right after another tag, or is inside
    /// an element.
    pub fn any() -> Self {
        let options = XmlOptions {
            known: None,
            schema: None,
            typed_by_content: false,
            whole: false,
            limits: Limits::default(),
            caps: XmlCaps::STANDARD,
        };
        Self { options, attributes: Vec::new() }
    }

    /// Only tags with these names count, anywhere in the body.
    pub fn known<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut body = Self::any();
        body.options.known = Some(TagNames::new(names));
        body
    }

    /// Settings for a schema: the names that it declares are tags, and values have its types.
    pub fn of_schema(schema: impl Into<Schema>) -> Self {
        let schema = schema.into();
        let names = declared(&schema);
        let body = Self::known(names.iter().map(|name| &**name));
        body.schema(schema)
    }

    /// Sets the schema of the values. The names of tags do not change.
    pub fn schema(mut self, schema: impl Into<Schema>) -> Self {
        self.options.schema = Some(schema.into());
        self
    }

    /// Makes an element without children a number if the number prints as its text, where the schema sets
    /// no type.
    pub fn typed_by_content(mut self) -> Self {
        self.options.typed_by_content = true;
        self
    }

    /// The end of the input is the regular end of the body, not a truncation.
    pub fn whole(mut self) -> Self {
        self.options.whole = true;
        self
    }

    /// Sets the attributes of the element around the body. If there are any, the value is an object.
    pub fn attributes<'a>(
        mut self,
        attributes: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let owned = attributes.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        self.attributes = owned.collect();
        self
    }

    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }

    /// Sets bounds of held bytes, for tests that have to reach them.
    pub fn caps(mut self, caps: XmlCaps) -> Self {
        self.options.caps = caps;
        self
    }

    /// The machine that reads the body.
    #[must_use]
    pub fn machine(&self) -> Box<dyn Machine> {
        Box::new(self.format())
    }

    /// The body as a tree, with everything in order. `text` is the whole body.
    #[must_use]
    pub fn tree(&self, text: &str) -> Tree {
        reader::tree(self, text)
    }

    pub(crate) fn format(&self) -> XmlFormat {
        XmlFormat::new(Arc::new(self.options.clone()), &self.attributes)
    }

    pub(super) fn own_attributes(&self) -> &[(String, String)] {
        &self.attributes
    }
}

/// The names of elements that a schema declares, anywhere.
fn declared(schema: &Schema) -> HashSet<String> {
    let mut names = HashSet::new();
    let mut seen: HashSet<SchemaId> = HashSet::new();
    let mut open = vec![schema.root()];
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        open.extend(schema.item(id));
        for key in schema.declared_keys(id).filter(|key| ![ATTRIBUTES, TEXT].contains(key)) {
            names.insert(key.to_owned());
            open.extend(schema.member(id, key));
        }
    }
    names
}
