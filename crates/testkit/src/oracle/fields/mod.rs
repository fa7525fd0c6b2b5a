//! Oracles of the field formats: the meaning of a text, found without the engine.
//!
//! The engine reads a byte at a time, holds back as little as possible and never looks back. This oracle
//! reads the *whole* text: its look-ahead is unlimited, and it decides everything anew at each place. The
//! result is that of the *stream* under lenient reading, without the decisions of the finalizer.
//!
//! [`lines`] has the shared rules. [`xml_field`], [`sections`] and [`yaml`] are the formats. [`json`] finds
//! the JSON in a field. [`table`] reads cases.

pub mod header;
pub mod json;
pub mod lines;
pub mod sections;
pub mod table;
pub mod tag;
pub mod xml_field;
pub mod yaml;

use std::collections::BTreeSet;

use super::Json;

/// A format that writes the members of an object as fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// `<field name="a">` in a root tag.
    XmlField,
    /// Headers; strings as text, all else as JSON.
    Hybrid,
    /// Headers; everything as text.
    Markdown,
    /// YAML between markers or in a fence.
    YamlLiteral,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::XmlField, Self::Hybrid, Self::Markdown, Self::YamlLiteral];

    /// The name in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::XmlField => "xml_field",
            Self::Hybrid => "hybrid",
            Self::Markdown => "markdown",
            Self::YamlLiteral => "yaml_literal",
        }
    }

    /// The format with this name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// The declared type of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    /// A string.
    Str,
    /// A whole number.
    Int,
    /// A number.
    Float,
    /// `true` or `false`.
    Bool,
    /// A list.
    List,
    /// An object.
    Dict,
    /// Anything.
    Any,
}

impl Type {
    /// All types.
    pub const ALL: [Self; 7] =
        [Self::Str, Self::Int, Self::Float, Self::Bool, Self::List, Self::Dict, Self::Any];

    /// The name in schemas.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Str => "str",
            Self::Int => "int",
            Self::Float => "float",
            Self::Bool => "bool",
            Self::List => "list",
            Self::Dict => "dict",
            Self::Any => "any",
        }
    }

    /// The type with this name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether a value has this type. A whole number may be written with zeros after its point.
    #[must_use]
    pub fn fits(self, value: &Json) -> bool {
        match (self, value) {
            (Self::Any, _)
            | (Self::Str, Json::String(_))
            | (Self::Float, Json::Number(_))
            | (Self::Bool, Json::Bool(_))
            | (Self::List, Json::List(_))
            | (Self::Dict, Json::Object(_)) => true,
            (Self::Int, Json::Number(text)) => {
                text.parse::<f64>().is_ok_and(|number| number.fract() == 0.0)
            }
            _ => false,
        }
    }
}

/// The declared fields, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Schema(pub Vec<(String, Type)>);

impl Schema {
    /// Makes a schema from names and types.
    #[must_use]
    pub fn new<'n>(fields: impl IntoIterator<Item = (&'n str, Type)>) -> Self {
        Self(fields.into_iter().map(|(name, kind)| (name.to_owned(), kind)).collect())
    }

    /// The declared type of a name.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<Type> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, kind)| *kind)
    }

    /// The declared names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

/// How a field ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Complete, as the format requires.
    Complete,
    /// The text ended in it.
    Truncated,
    /// A repair of a model's error ended it.
    Repaired,
    /// Its value is emitted at its end, or by the finalizer.
    Deferred,
}

impl Status {
    /// The name in events.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Truncated => "truncated",
            Self::Repaired => "repaired",
            Self::Deferred => "deferred",
        }
    }
}

/// The content of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// This value.
    Known(Json),
    /// Text that is not a JSON value. Only lenient reading can interpret it.
    NotJson(String),
}

impl Value {
    /// The value, if it is known.
    #[must_use]
    pub const fn known(&self) -> Option<&Json> {
        match self {
            Self::Known(value) => Some(value),
            Self::NotJson(_) => None,
        }
    }
}

/// A field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The declared name, or the written name without a schema.
    pub name: String,
    /// The content.
    pub value: Value,
    /// How the field ended.
    pub status: Status,
}

/// The verdict of an independent parser on the document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Verdict {
    /// The document is well-formed, or there is no parser for the format.
    #[default]
    Accepted,
    /// The document is well-formed only for parsers that are lenient about indentation.
    Loose,
    /// The document is not well-formed, for this reason. The fields are those of its longest well-formed
    /// part.
    Rejected(String),
}

/// The meaning of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldsReading {
    /// The fields in the order of the text.
    pub fields: Vec<Field>,
    /// The codes of the notices.
    pub notices: BTreeSet<&'static str>,
    /// Whether the document is well-formed.
    pub verdict: Verdict,
    /// Values that may be deferred.
    pub deferred: Vec<yaml::Deferral>,
    /// The number of fields before a skipped one, if only lenient reading knows where that one ends.
    pub passed: Option<usize>,
}

impl FieldsReading {
    /// The field with this name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The fields as an object; none if a value is not known.
    #[must_use]
    pub fn object(&self) -> Option<Json> {
        let member = |field: &Field| Some((field.name.clone(), field.value.known()?.clone()));
        Some(Json::Object(self.fields.iter().map(member).collect::<Option<_>>()?))
    }

    /// The fields before the first one with a value, and thus an end, that only lenient reading knows. A
    /// stream may rightly differ after them.
    #[must_use]
    pub fn sure(&self) -> &[Field] {
        let unsure = self.fields.iter().position(|field| field.value.known().is_none());
        let unsure = unsure.unwrap_or(self.fields.len());
        &self.fields[..self.passed.map_or(unsure, |passed| passed.min(unsure))]
    }

    /// Whether a stream must give all these fields and notices.
    #[must_use]
    pub fn is_sure(&self) -> bool {
        let all = self.sure().len() == self.fields.len() && self.passed.is_none();
        all && self.verdict == Verdict::Accepted
    }

    fn notice(&mut self, code: &'static str) {
        self.notices.insert(code);
    }

    /// Adds a field, with a notice if its value does not have the declared type.
    fn add(&mut self, name: &str, value: Value, status: Status, kind: Option<Type>) {
        if let (Value::Known(value), Some(kind)) = (&value, kind)
            && !kind.fits(value)
        {
            self.notice("type_mismatch");
        }
        self.fields.push(Field { name: name.to_owned(), value, status });
    }

    /// Adds a notice for each declared field that is missing. `came` lists those that are not.
    fn missing(&mut self, schema: Option<&Schema>, came: &[String]) {
        let mut names = schema.iter().flat_map(|schema| schema.names());
        if names.any(|name| !came.iter().any(|came| came == name)) {
            self.notice("missing_field");
        }
    }
}

/// Reads a whole text. Without a schema every name counts as declared.
#[must_use]
pub fn read(format: Format, text: &str, schema: Option<&Schema>) -> FieldsReading {
    let schema = schema.filter(|schema| !schema.0.is_empty());
    match format {
        Format::XmlField => xml_field::read(text, schema),
        Format::Hybrid => sections::read(text, schema, sections::SectionFormat::Hybrid),
        Format::Markdown => sections::read(text, schema, sections::SectionFormat::Markdown),
        Format::YamlLiteral => yaml::read(text, schema),
    }
}
