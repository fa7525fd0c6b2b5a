//! A schema as it is shown: a tree that ends, also where the schema contains itself.

pub(crate) mod form;
pub(crate) mod json;
mod placeholder;

use crate::schema::tree::{Object, Others, Shape};
use crate::schema::{Literal, Presence, Schema, SchemaId};
use crate::text::escape::quoted;
pub(crate) use placeholder::{placeholder, text_placeholder};

/// Levels that are shown.
const DEEPEST: usize = 32;
/// Types that are shown, each time they are used: shared ones can multiply.
const MOST: usize = 2_000;
/// The bytes of names, descriptions, limits and choices that are shown beyond those of the schema itself.
const REPEATED_BYTES: usize = 1 << 20;
/// A path up to this length costs nothing.
const FREE_PATH: usize = 256;

/// A value that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Where it stands: `steps[].name`. Empty for the root.
    pub path: String,
    /// The name of a member.
    pub name: String,
    /// What the schema says about it, in one line.
    pub description: Option<String>,
    /// What JSON Schema says about it beside its type: ranges, lengths, a pattern, a default.
    pub limits: Option<String>,
    /// Whether it has to be there.
    pub presence: Presence,
    /// Whether it may be left out while another member of its object has to be there.
    pub is_left_out: bool,
    /// What it may be.
    pub form: Form,
}

/// What it may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A scalar: one of these.
    Scalar(Vec<Kind>),
    /// An object.
    Object {
        /// The declared members.
        members: Vec<Item>,
        /// What members are that have no name yet.
        each: Option<Box<Item>>,
    },
    /// A list, with what each item is.
    List(Box<Item>),
    /// A list whose items have types by position.
    Tuple(Vec<Item>),
    /// Several types, objects or lists among them.
    OneOf(Vec<Item>),
    /// A recursive type: the form at this path.
    Same(String),
}

/// A kind of scalar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Any JSON value.
    Any,
    /// Null.
    Null,
    /// True or false.
    Bool,
    /// A number without a fraction.
    Integer,
    /// A number.
    Number,
    /// A string.
    String,
    /// This value.
    Literal(Literal),
}

impl Kind {
    /// Whether it is a string.
    #[must_use]
    pub fn is_text(&self) -> bool {
        match self {
            Self::String => true,
            Self::Literal(literal) => literal.as_str().is_some(),
            _ => false,
        }
    }
}

impl Form {
    /// Whether it is a string, whichever.
    #[must_use]
    pub fn is_text(&self) -> bool {
        matches!(self, Self::Scalar(kinds) if kinds.iter().all(Kind::is_text))
    }

    /// This form without null, for places where null cannot be written.
    #[must_use]
    pub fn without_null(&self) -> Self {
        match self {
            Self::Scalar(kinds) if kinds.len() > 1 => {
                let is_null =
                    |kind: &Kind| *kind == Kind::Null || *kind == Kind::Literal(Literal::NULL);
                Self::Scalar(kinds.iter().filter(|kind| !is_null(kind)).cloned().collect())
            }
            form => form.clone(),
        }
    }
}

/// What a schema asks for.
pub(crate) fn read(schema: &Schema) -> Item {
    let bytes_left = REPEATED_BYTES + schema.text_bytes();
    let mut outline = Outline { schema, open: Vec::new(), left: MOST, bytes_left };
    let presence = schema.presence();
    outline.item(schema.root(), presence, String::new(), String::new())
}

struct Outline<'s> {
    schema: &'s Schema,
    /// The objects and lists that are being read, and where they stand.
    open: Vec<(SchemaId, String)>,
    left: usize,
    bytes_left: usize,
}

impl Outline<'_> {
    fn item(&mut self, id: SchemaId, presence: Presence, name: String, path: String) -> Item {
        let is_shown = self.bytes_left > 0;
        let own = self.schema.own_bytes(id) + name.len() + path.len().saturating_sub(FREE_PATH);
        self.bytes_left = self.bytes_left.saturating_sub(own);
        if !is_shown {
            let form = Form::Scalar(vec![Kind::Any]);
            let (description, limits) = (None, None);
            return Item { path, name, description, limits, presence, is_left_out: false, form };
        }
        let description = self.schema.node(id).description.as_deref().map(one_line);
        let limits = self.limits(id);
        let form = self.form(id, &path);
        Item { path, name, description, limits, presence, is_left_out: false, form }
    }

    /// The limits of a value; of a union of scalars also those of its types, which have no item.
    fn limits(&self, id: SchemaId) -> Option<String> {
        let node = self.schema.node(id);
        let leaves = match &node.shape {
            Shape::Union(union) if self.scalar(id).is_some() => union.leaves.as_slice(),
            _ => &[],
        };
        let of_leaves = leaves.iter().map(|leaf| &self.schema.node(*leaf).limits);
        let all: Vec<String> = core::iter::once(&node.limits)
            .chain(of_leaves)
            .flatten()
            .map(|it| one_line(it))
            .collect();
        (!all.is_empty()).then(|| all.join(", "))
    }

    fn form(&mut self, id: SchemaId, path: &str) -> Form {
        if let Some(kinds) = self.scalar(id) {
            return Form::Scalar(kinds);
        }
        if let Some((_, above)) = self.open.iter().find(|(open, _)| *open == id) {
            return Form::Same(above.clone());
        }
        if self.open.len() >= DEEPEST || self.left == 0 {
            return Form::Scalar(vec![Kind::Any]);
        }
        self.left -= 1;
        self.open.push((id, path.to_owned()));
        let form = match &self.schema.node(id).shape {
            Shape::Object(object) => self.object(object, path),
            Shape::List(_) if !self.schema.node(id).tuple.is_empty() => self.tuple(id, path),
            Shape::List(item) => {
                let path = format!("{path}[]");
                Form::List(Box::new(self.item(item.schema, item.presence, String::new(), path)))
            }
            Shape::Union(union) => self.one_of(&union.leaves, path),
            _ => Form::Scalar(vec![Kind::Any]),
        };
        self.open.pop();
        form
    }

    fn tuple(&mut self, id: SchemaId, path: &str) -> Form {
        let schema = self.schema;
        let parts = (0..).zip(schema.node(id).tuple.iter());
        let items = parts.map(|(at, part): (u32, _)| {
            self.item(*part, Presence::Present, String::new(), format!("{path}[{at}]"))
        });
        Form::Tuple(items.collect())
    }

    fn object(&mut self, object: &Object, path: &str) -> Form {
        let has_needs =
            object.fields().iter().any(|field| field.slot.presence == Presence::Present);
        let members = object.fields().iter().map(|field| {
            // Beyond the bound nothing is said about members, and no place is needed.
            let is_shown = self.bytes_left > 0;
            let path = if is_shown { member_path(path, &field.name) } else { String::new() };
            let presence = field.slot.presence;
            let item = self.item(field.slot.schema, presence, field.name.to_string(), path);
            Item { is_left_out: has_needs && presence == Presence::Optional, ..item }
        });
        let members = members.collect();
        let each = match object.others {
            Others::Each(slot) => {
                let path = if path.is_empty() { "*".to_owned() } else { format!("{path}.*") };
                let each = self.item(slot.schema, slot.presence, "<name>".to_owned(), path);
                Some(Box::new(each))
            }
            Others::Allowed | Others::Forbidden => None,
        };
        Form::Object { members, each }
    }

    fn one_of(&mut self, leaves: &[SchemaId], path: &str) -> Form {
        let items = leaves
            .iter()
            .map(|leaf| self.item(*leaf, Presence::Optional, String::new(), path.to_owned()));
        let items: Vec<Item> = items.collect();
        Form::OneOf(items)
    }

    /// The kinds of a scalar; none if the value may be an object or a list.
    fn scalar(&self, id: SchemaId) -> Option<Vec<Kind>> {
        Some(match &self.schema.node(id).shape {
            Shape::Any => vec![Kind::Any],
            Shape::Null => vec![Kind::Null],
            Shape::Bool => vec![Kind::Bool],
            Shape::Int => vec![Kind::Integer],
            Shape::Number => vec![Kind::Number],
            Shape::String => vec![Kind::String],
            Shape::Choices(choices) => {
                choices.literals().iter().cloned().map(Kind::Literal).collect()
            }
            Shape::Object(_) | Shape::List(_) => return None,
            Shape::Union(union) => {
                let kinds = union.leaves.iter().map(|leaf| self.scalar(*leaf));
                kinds.collect::<Option<Vec<_>>>()?.concat()
            }
        })
    }
}

/// Where a member of an object stands.
fn member_path(path: &str, name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    if name.is_empty() || !name.chars().all(is_plain) {
        return format!("{path}[{}]", quoted(name));
    }
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Descriptions stand in one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{Form, Item, Kind, MOST, read};
    use crate::schema::{Schema, int, object};

    /// Beyond a number of objects and lists, members are shown as any value.
    #[test]
    fn beyond_a_bound_members_are_shown_as_any_value() {
        let inner = || object().field("n", int(""));
        let wide = (0..MOST + 10).fold(object(), |it, at| it.field(&format!("m{at}"), inner()));
        let Form::Object { members, .. } = read(&Schema::from(wide)).form else {
            panic!("an object");
        };
        let shown = |item: &Item| matches!(item.form, Form::Object { .. });
        // One is the object around them.
        assert_eq!(members.iter().filter(|it| shown(it)).count(), MOST - 1);
        assert!(matches!(&members[MOST].form, Form::Scalar(kinds) if *kinds == [Kind::Any]));
    }

    /// Each member below a long name has a long path. Only so many bytes of paths are made.
    #[test]
    fn beyond_a_bound_members_have_no_path() {
        let name = "n".repeat(600_000);
        let below = (0..6).fold(object(), |it, at| it.field(&format!("m{at}"), int("")));
        let outline = read(&Schema::from(object().field(&name, below)));
        let members = |item: Item| match item.form {
            Form::Object { members, .. } => members,
            form => panic!("an object, not {form:?}"),
        };
        let outer = members(outline).pop().expect("a member");
        let inner = members(outer);
        assert_eq!(inner[0].path, format!("{name}.m0"));
        assert_eq!((inner.len(), inner[5].name.as_str(), inner[5].path.as_str()), (6, "m5", ""));
    }
}
