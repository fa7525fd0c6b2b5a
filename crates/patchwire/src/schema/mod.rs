//! Schemas: ordered trees of types that describe the expected answer.
//!
//! A schema is written with the functions of this module, or read from JSON Schema or the output
//! DSL (see [`SchemaForm`]):
//!
//! ```
//! use patchwire::Schema;
//! use patchwire::schema::{bool, int, list, one_of, str};
//!
//! let schema: Schema = Schema::object()
//!     .field("title", str("one line").required())
//!     .field("tone", one_of(["calm", "urgent"]))
//!     .field("tags", list(str("one word")))
//!     .field("pages", int("how many").nullable())
//!     .field("draft", bool("").present())
//!     .into();
//! assert!(schema.unsupported().is_empty());
//! ```
//!
//! Fields keep their order everywhere: prompts ask the model to write them in this order. The [`Presence`]
//! of a field belongs to its place and not to its type, so two fields can share a type and differ in
//! presence.

mod budget;
mod builder;
pub(crate) mod children;
mod choices;
mod equal;
mod error;
mod facts;
mod form;
mod join;
mod json_schema;
mod locate;
mod object;
mod output_dsl;
mod read;
pub(crate) mod tree;
mod union_index;

use core::fmt;
use std::sync::Arc;

pub use builder::{
    Node, ObjectNode, any, bool, int, list, literal, map, null, number, object, one_of, one_of_or,
    str, union,
};
pub use choices::{Choices, Literal};
pub use error::{SchemaError, SchemaErrorKind, UnsupportedKeyword};
pub use form::SchemaForm;
pub use locate::UndeclaredPath;
pub use tree::Presence;
pub(crate) use tree::SchemaId;

use crate::document::{Value, ValueRef};
#[cfg(feature = "validate")]
use crate::validate::{SchemaText, Unchecked};
use budget::Budget;
use facts::NodeFacts;
use tree::{SchemaNode, Slot};

/// The type of the expected answer. Cloning copies a pointer.
///
/// Two schemas are equal if their types, descriptions and orders are equal, whatever their source form.
/// Unsupported keywords of JSON Schema do not count.
///
/// The [module](self) describes how to write one.
#[derive(Clone)]
pub struct Schema(Arc<Tree>);

/// Flat: a recursive type is a cycle of numbers, and dropping never recurses.
///
/// Invariant: every id in `root` and in `nodes` is an index of `nodes`, and every union is settled
/// (see [`tree::settle_unions`]).
#[derive(Debug)]
struct Tree {
    nodes: Vec<SchemaNode>,
    /// What is known about each node.
    facts: Vec<NodeFacts>,
    /// The parts that were read.
    parts: usize,
    root: Slot,
    unsupported: Vec<UnsupportedKeyword>,
    /// The keywords that nothing checks.
    unchecked: Vec<UnsupportedKeyword>,
    /// The whole JSON Schema, for the verdict about a finished value.
    #[cfg(feature = "validate")]
    text: Option<SchemaText>,
    /// Whether any value is required.
    wants: bool,
    /// Whether there are choices with a fallback.
    guards: bool,
}

impl Schema {
    /// An object without fields, like [`object`](object()).
    pub fn object() -> ObjectNode {
        object()
    }

    /// Reads a JSON Schema.
    ///
    /// To read text, use [`from_json_schema_text`](Self::from_json_schema_text).
    ///
    /// Carried are `type`, `properties` in their order, `required` (as [`Presence::Present`]),
    /// `additionalProperties`, `items`, `enum` and `const` of scalars, `$ref` to a place in the text,
    /// `anyOf`, `oneOf`, `allOf` (merged, also with what stands beside a `$ref`), `nullable`, `description` and
    /// boolean schemas. Titles, defaults, examples and comments are ignored, because they do not restrict
    /// values. [`unsupported`](Self::unsupported) lists every other keyword. With the feature `validate` the
    /// text is kept, and finished values are judged by all of it: see
    /// [`SpecBuilder::valid`](crate::SpecBuilder::valid).
    ///
    /// `properties` without a `type` is read as an object, `items` as a list.
    ///
    /// # Errors
    /// If a keyword has an invalid value, if a reference leads nowhere or only back to itself, if the text is
    /// nested too deeply, or if the schema is too large: more than 4,096 alternatives in one place, or more than
    /// 1,000,000 members, alternatives, choices and types in all.
    pub fn from_json_schema(value: ValueRef<'_>) -> Result<Self, SchemaError> {
        json_schema::read(value)
    }

    /// Reads a schema in the output DSL, which looks like the value that it describes.
    ///
    /// To read text, use [`from_output_dsl_text`](Self::from_output_dsl_text).
    ///
    /// An object contains types, in order. `[type]` is a list with items of this type, where `type` is not
    /// a name. A leaf is the name of a type, or `[name, description, ensure]` (the last one or two may be
    /// missing), or `{"$type": …, "$desc": …, "$ensure": …}`. In the last two, a list or an object may
    /// replace the name. Names are `str`, `int`, `number`, `bool`, `null`, `any`, `list` and `object`,
    /// their names in JSON Schema and Python, and several of these joined by `|`. `ensure` is `true` or
    /// `"not_null"` ([`Presence::Meaningful`]), or `false` or null.
    ///
    /// # Errors
    /// If a value is not of one of these forms, or if the text is nested too deeply. The error contains the
    /// path.
    pub fn from_output_dsl(value: ValueRef<'_>) -> Result<Self, SchemaError> {
        output_dsl::read(value)
    }

    /// Reads a schema in this form.
    ///
    /// To read text, use [`from_text`](Self::from_text).
    ///
    /// # Errors
    /// The errors of [`from_json_schema`](Self::from_json_schema) and
    /// [`from_output_dsl`](Self::from_output_dsl).
    pub fn from_form(form: SchemaForm, value: ValueRef<'_>) -> Result<Self, SchemaError> {
        match form {
            SchemaForm::JsonSchema => json_schema::read(value),
            SchemaForm::OutputDsl => output_dsl::read(value),
        }
    }

    /// The schema as JSON Schema, draft 2020-12, in the order in which it was written.
    ///
    /// [`Presence::Present`] and [`Presence::Meaningful`] both become `required`, since JSON Schema has no
    /// keyword for the second that holds for every type. The presence of list items, map values and the
    /// root is left out for the same reason. [`from_json_schema`](Self::from_json_schema) restores
    /// everything else; a union of one type becomes that type. Recursive and shared types are under
    /// `$defs`.
    ///
    /// ```
    /// use patchwire::Schema;
    /// use patchwire::schema::{int, list, object, str};
    ///
    /// let schema: Schema =
    ///     object().field("title", str("one line").present()).field("pages", list(int(""))).into();
    /// let json = schema.to_json_schema();
    /// assert_eq!(
    ///     json.to_string(),
    ///     r#"{"type":"object","properties":{"title":{"type":"string","description":"one line"},"#
    ///         .to_owned()
    ///         + r#""pages":{"type":"array","items":{"type":"integer"}}},"required":["title"]}"#,
    /// );
    /// assert_eq!(Schema::from_json_schema(json.as_ref())?, schema);
    /// # Ok::<(), patchwire::schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn to_json_schema(&self) -> Value {
        json_schema::write(self, json_schema::Members::AsDeclared)
    }

    /// The schema as JSON Schema for endpoints that enforce it while the model writes: every declared
    /// field is `required`, a field that may be absent may be null instead, and an object with declared
    /// fields has no others unless the schema gives them a type.
    ///
    /// ```
    /// use patchwire::Schema;
    /// use patchwire::schema::{int, object};
    ///
    /// let schema = Schema::from(object().field("pages", int("")));
    /// assert_eq!(
    ///     schema.to_closed_json_schema().to_string(),
    ///     r#"{"type":"object","properties":{"pages":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"#
    ///         .to_owned()
    ///         + r#""required":["pages"],"additionalProperties":false}"#,
    /// );
    /// ```
    #[must_use]
    pub fn to_closed_json_schema(&self) -> Value {
        json_schema::write(self, json_schema::Members::All)
    }

    /// The keywords of the JSON Schema that this schema does not carry, in the order of the text. They have
    /// no effect while an answer streams. At most 1,000 are listed, with places of at most 256 KiB in all. See [`unchecked`](Self::unchecked) for its end.
    #[must_use]
    pub fn unsupported(&self) -> &[UnsupportedKeyword] {
        &self.0.unsupported
    }

    /// The keywords of the JSON Schema that no check uses: unknown ones, references out of the text, formats
    /// that are not known, and patterns that a linear-time engine cannot run (look-around, back-references).
    ///
    /// Without the feature `validate` finished values are checked by what this schema carries, and these are
    /// the [`unsupported`](Self::unsupported) keywords.
    #[must_use]
    pub fn unchecked(&self) -> &[UnsupportedKeyword] {
        &self.0.unchecked
    }

    /// The members, alternatives, choices and types. Of a schema that the caller's own code built, the types.
    pub(crate) fn parts(&self) -> usize {
        self.0.parts.max(self.0.nodes.len())
    }

    /// Notes how many parts were read.
    fn with_parts(mut self, budget: Budget) -> Self {
        if let Some(tree) = Arc::get_mut(&mut self.0) {
            tree.parts = budget.taken();
        }
        self
    }

    fn new(nodes: Vec<SchemaNode>, root: Slot, unsupported: Vec<UnsupportedKeyword>) -> Self {
        let wants =
            root.presence != Presence::Optional || nodes.iter().any(|node| node.shape.wants());
        let guards = nodes.iter().any(|node| node.shape.fallback().is_some());
        let unchecked = unsupported.clone();
        let facts = facts::of(&nodes);
        Self(Arc::new(Tree {
            nodes,
            facts,
            parts: 0,
            root,
            unsupported,
            unchecked,
            #[cfg(feature = "validate")]
            text: None,
            wants,
            guards,
        }))
    }

    /// Keeps the text that the schema was read from.
    #[cfg(feature = "validate")]
    fn with_text(mut self, text: ValueRef<'_>) -> Self {
        let (text, unchecked) = SchemaText::read(text);
        if let Some(tree) = Arc::get_mut(&mut self.0) {
            let named = |it: Unchecked| UnsupportedKeyword { path: it.path, keyword: it.keyword };
            tree.unchecked = unchecked.into_iter().map(named).collect();
            tree.text = Some(text);
        }
        self
    }

    /// The whole JSON Schema, if this schema was read from one.
    #[cfg(feature = "validate")]
    pub(crate) fn text(&self) -> Option<&SchemaText> {
        self.0.text.as_ref()
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || equal::same_tree(&self.0, &other.0)
    }
}

impl Eq for Schema {}

/// Prints the nodes by number: a schema may contain itself.
impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schema")
            .field("root", &self.0.root)
            .field("nodes", &self.0.nodes)
            .field("unsupported", &self.0.unsupported)
            .finish()
    }
}

#[cfg(test)]
mod tests;
