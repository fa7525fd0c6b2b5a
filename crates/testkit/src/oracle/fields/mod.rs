//! What a text in one of the field formats means, found without the engine.
//!
//! The engine reads a byte at a time, holds as little as it can and never looks back. This reads
//! the *whole* text: it looks as far ahead as it likes and asks every question anew at each place.
//! What it says is what the *stream* gives under lenient reading; what only the end decides is not
//! in it.
//!
//! [`lines`] has what all formats share; [`xml_field`], [`sections`] and [`yaml`] are the formats;
//! [`json`] finds the JSON in a field; [`table`] reads cases that are data.

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
    /// All of them.
    pub const ALL: [Self; 4] = [Self::XmlField, Self::Hybrid, Self::Markdown, Self::YamlLiteral];

    /// As settings spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::XmlField => "xml_field",
            Self::Hybrid => "hybrid",
            Self::Markdown => "markdown",
            Self::YamlLiteral => "yaml_literal",
        }
    }

    /// The format of that name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// What a field is declared to be.
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
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Str, Self::Int, Self::Float, Self::Bool, Self::List, Self::Dict, Self::Any];

    /// As schemas spell it.
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

    /// The type of that name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether a value is of this type. A whole number may be written with zeros behind a point.
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
    /// From names and types.
    #[must_use]
    pub fn new<'n>(fields: impl IntoIterator<Item = (&'n str, Type)>) -> Self {
        Self(fields.into_iter().map(|(name, kind)| (name.to_owned(), kind)).collect())
    }

    /// What a name is declared to be.
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
    /// As its format wants it.
    Complete,
    /// The text ended in it.
    Truncated,
    /// By a rule for what a model got wrong.
    Repaired,
    /// It holds what is given at its end or by the finalizer.
    Deferred,
}

impl Status {
    /// As events spell it.
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

/// What stands in a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// This value.
    Known(Json),
    /// What lenient reading makes of this text, which is no JSON value.
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

/// One field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name, as declared; as written without a schema.
    pub name: String,
    /// What stands in it.
    pub value: Value,
    /// How it ended.
    pub status: Status,
}

/// What somebody else's reader says of the document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Verdict {
    /// It is well-formed, or there is nobody to ask.
    #[default]
    Accepted,
    /// It is well-formed only for readers that are lenient about indentation.
    Loose,
    /// It is not well-formed, and why; the fields are those of the most of it that is.
    Rejected(String),
}

/// What a text means.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldsReading {
    /// The fields in the order in which they came.
    pub fields: Vec<Field>,
    /// The codes of what was noticed.
    pub notices: BTreeSet<&'static str>,
    /// Whether the document is well-formed.
    pub verdict: Verdict,
    /// What may be deferred.
    pub deferred: Vec<yaml::Deferral>,
    /// How many fields came before one that was passed over, if only lenient reading knows where
    /// that one ends.
    pub passed: Option<usize>,
}

impl FieldsReading {
    /// A field by its name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The fields as an object; none if one of them is not known.
    #[must_use]
    pub fn object(&self) -> Option<Json> {
        let member = |field: &Field| Some((field.name.clone(), field.value.known()?.clone()));
        Some(Json::Object(self.fields.iter().map(member).collect::<Option<_>>()?))
    }

    /// The fields before the first of which only lenient reading knows the value, and with it
    /// where it ends. Beyond them a stream may rightly give something else.
    #[must_use]
    pub fn sure(&self) -> &[Field] {
        let unsure = self.fields.iter().position(|field| field.value.known().is_none());
        let unsure = unsure.unwrap_or(self.fields.len());
        &self.fields[..self.passed.map_or(unsure, |passed| passed.min(unsure))]
    }

    /// Whether all fields and all notices are what a stream must give.
    #[must_use]
    pub fn is_sure(&self) -> bool {
        let all = self.sure().len() == self.fields.len() && self.passed.is_none();
        all && self.verdict == Verdict::Accepted
    }

    fn notice(&mut self, code: &'static str) {
        self.notices.insert(code);
    }

    /// Adds a field and says whether its value is what was declared.
    fn add(&mut self, name: &str, value: Value, status: Status, kind: Option<Type>) {
        if let (Value::Known(value), Some(kind)) = (&value, kind)
            && !kind.fits(value)
        {
            self.notice("type_mismatch");
        }
        self.fields.push(Field { name: name.to_owned(), value, status });
    }

    /// Says which declared fields never came; `came` are those that did.
    fn missing(&mut self, schema: Option<&Schema>, came: &[String]) {
        let mut names = schema.iter().flat_map(|schema| schema.names());
        if names.any(|name| !came.iter().any(|came| came == name)) {
            self.notice("missing_field");
        }
    }
}

/// Reads a whole text; without a schema, or a field in it, every name is declared.
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
