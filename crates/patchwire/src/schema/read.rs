//! Queries of a schema while a stream is read. They do not allocate, and search at most one object.
//!
//! All functions look through unions: a result holds for at least one alternative.

use super::Schema;
use super::choices::{Choices, Literal};
use super::tree::{Field, Object, Others, Presence, SchemaId, SchemaNode, Shape, Slot};
use crate::document::ValueKind;

/// The largest number of choices that a description lists.
const MOST_NAMED: usize = 12;

impl Schema {
    pub(crate) fn root(&self) -> SchemaId {
        self.0.root.schema
    }

    /// The place of the root.
    pub(crate) fn root_slot(&self) -> Slot {
        self.0.root
    }

    /// The presence that the root needs.
    pub(crate) fn presence(&self) -> Presence {
        self.0.root.presence
    }

    pub(crate) fn node(&self, id: SchemaId) -> &SchemaNode {
        &self.0.nodes[id.index()]
    }

    /// Whether any value is required.
    pub(crate) fn wants_anything(&self) -> bool {
        self.0.wants
    }

    /// The description of a value.
    pub(crate) fn type_name(&self, id: SchemaId) -> String {
        let mut names: Vec<String> = Vec::new();
        for name in self.shapes(id).map(Shape::name) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() { "nothing at all".to_owned() } else { names.join(" or ") }
    }

    /// The schema of an object's member `key`. Where several alternatives declare it, any of their types; where
    /// none does, that of the maps among them.
    pub(crate) fn member(&self, id: SchemaId, key: &str) -> Option<SchemaId> {
        self.member_slot(id, key).map(|slot| slot.schema)
    }

    /// [`member`](Self::member), with the presence that it needs.
    pub(crate) fn member_slot(&self, id: SchemaId, key: &str) -> Option<Slot> {
        let object = self.object_of(id)?;
        match (object.field(key), object.others) {
            (Some(field), _) => Some(field.slot),
            (None, Others::Each(value)) => Some(value),
            (None, Others::Allowed | Others::Forbidden) => None,
        }
    }

    /// The schema of a list's items: where several alternatives are lists, any of their types.
    pub(crate) fn item(&self, id: SchemaId) -> Option<SchemaId> {
        self.item_slot(id).map(|slot| slot.schema)
    }

    /// [`item`](Self::item), with the presence that each item needs.
    pub(crate) fn item_slot(&self, id: SchemaId) -> Option<Slot> {
        if let Shape::Union(union) = &self.node(id).shape
            && union.item.is_some()
        {
            return union.item;
        }
        self.shapes(id).find_map(|shape| match shape {
            Shape::List(item) => Some(*item),
            _ => None,
        })
    }

    /// Whether the schema allows every value.
    pub(crate) fn is_any(&self, id: SchemaId) -> bool {
        self.shapes(id).any(|shape| matches!(shape, Shape::Any))
    }

    /// The choices of a value, if it can only be one of them or null.
    pub(crate) fn choices(&self, id: SchemaId) -> Option<&Choices> {
        match &self.node(id).shape {
            Shape::Choices(choices) => Some(&**choices).filter(|choices| choices.is_text()),
            Shape::Union(union) => union.choices.as_ref(),
            _ => None,
        }
    }

    /// Whether there are choices with a fallback.
    pub(crate) fn guards(&self) -> bool {
        self.0.guards
    }

    /// The choice that replaces any value outside the choices, if the choices are guarded.
    pub(crate) fn fallback(&self, id: SchemaId) -> Option<&str> {
        self.node(id).shape.fallback()
    }

    /// Whether any member is declared by name.
    pub(crate) fn declares_keys(&self, id: SchemaId) -> bool {
        self.object_of(id).is_some_and(|object| !object.fields().is_empty())
    }

    pub(crate) fn declares(&self, id: SchemaId, key: &str) -> bool {
        self.object_of(id).is_some_and(|object| object.field(key).is_some())
    }

    /// The declared names, each once, in the order of the alternatives and of their fields.
    pub(crate) fn declared_keys(&self, id: SchemaId) -> impl Iterator<Item = &str> {
        self.declared_fields(id).map(|field| &*field.name)
    }

    /// The names that all object alternatives require.
    pub(crate) fn required_keys(&self, id: SchemaId) -> impl Iterator<Item = &str> {
        let needs = |object: &Object, name: &str| {
            object.field(name).is_some_and(|field| field.slot.presence != Presence::Optional)
        };
        self.declared_keys(id)
            .filter(move |name| self.objects(id).all(|object| needs(object, name)))
    }

    /// For each member of the root, in order: whether it can only be null or a string without choices.
    /// Nothing if the root is not an object with members.
    pub(crate) fn members_are_text(&self) -> impl Iterator<Item = bool> {
        let root = self.root();
        let object = self.matches_kind(root, ValueKind::Object) && !self.may_be_list(root);
        let keys = self.declared_keys(root).filter(move |_| object);
        keys.map(move |key| self.member(root, key).is_some_and(|id| self.is_free_text(id)))
    }

    /// Whether the schema allows only a string, or null.
    pub(crate) fn is_text(&self, id: SchemaId) -> bool {
        let others = [ValueKind::Bool, ValueKind::Number, ValueKind::List, ValueKind::Object];
        self.matches_kind(id, ValueKind::String)
            && !others.into_iter().any(|kind| self.matches_kind(id, kind))
    }

    fn is_free_text(&self, id: SchemaId) -> bool {
        self.is_text(id) && self.choices(id).is_none()
    }

    pub(crate) fn may_be_list(&self, id: SchemaId) -> bool {
        self.matches_kind(id, ValueKind::List)
    }

    /// Whether the schema allows only a list, or null.
    pub(crate) fn is_only_list(&self, id: SchemaId) -> bool {
        let others = [ValueKind::Bool, ValueKind::Number, ValueKind::String, ValueKind::Object];
        self.may_be_list(id) && !others.into_iter().any(|kind| self.matches_kind(id, kind))
    }

    /// Whether a value of this kind may fit. An int is a number.
    pub(crate) fn matches_kind(&self, id: SchemaId, kind: ValueKind) -> bool {
        self.shapes(id).any(|shape| shape.matches_kind(kind))
    }

    /// Whether a number with this text may fit where numbers do. If the schema only has integers, the
    /// number must be whole; zeros after its point are allowed.
    pub(crate) fn matches_number(&self, id: SchemaId, text: &str) -> bool {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let whole = || {
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
                || text.parse::<f64>().is_ok_and(|number| number.fract() == 0.0)
        };
        self.shapes(id).any(|shape| match shape {
            Shape::Int => whole(),
            shape => shape.matches_kind(ValueKind::Number),
        })
    }

    /// Whether several alternatives are objects, so that the type of a member is not yet certain.
    pub(crate) fn is_joined(&self, id: SchemaId) -> bool {
        matches!(&self.node(id).shape, Shape::Union(union) if union.object.is_some())
    }

    /// The fields of all alternatives; a field of an earlier alternative hides an equal one in a later one.
    fn declared_fields(&self, id: SchemaId) -> impl Iterator<Item = &Field> {
        self.object_of(id).into_iter().flat_map(Object::fields)
    }

    /// The object that a value may be: the joined one, if several alternatives are objects.
    fn object_of(&self, id: SchemaId) -> Option<&Object> {
        match &self.node(id).shape {
            Shape::Union(union) if union.object.is_some() => union.object.as_deref(),
            _ => self.objects(id).next(),
        }
    }

    /// The alternatives that are objects.
    fn objects(&self, id: SchemaId) -> impl Iterator<Item = &Object> {
        self.shapes(id).filter_map(|shape| match shape {
            Shape::Object(object) => Some(&**object),
            _ => None,
        })
    }

    /// The leaves of a union, or the shape itself.
    fn shapes(&self, id: SchemaId) -> impl Iterator<Item = &Shape> {
        let (one, leaves) = match &self.node(id).shape {
            Shape::Union(union) => (None, union.leaves.as_slice()),
            shape => (Some(shape), [].as_slice()),
        };
        one.into_iter().chain(leaves.iter().map(|leaf| &self.node(*leaf).shape))
    }
}

impl Shape {
    /// A description of the expected value, in words.
    fn name(&self) -> String {
        let name = match self {
            Self::Any | Self::Union(_) => "anything",
            Self::Null => "null",
            Self::Bool => "true or false",
            Self::Int => "a whole number",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Object(_) => "an object",
            Self::List(_) => "a list",
            Self::Choices(choices) => {
                let literals: Vec<String> =
                    choices.literals().iter().take(MOST_NAMED).map(Literal::to_string).collect();
                let more = choices.literals().len() > MOST_NAMED;
                let more = if more { ", …" } else { "" };
                let one_of = if literals.len() == 1 { "" } else { "one of " };
                return format!("{one_of}{}{more}", literals.join(", "));
            }
        };
        name.to_owned()
    }

    pub(super) fn fallback(&self) -> Option<&str> {
        match self {
            Self::Choices(choices) => choices.fallback(),
            _ => None,
        }
    }

    fn matches_kind(&self, kind: ValueKind) -> bool {
        match self {
            Self::Any => true,
            Self::Null => kind == ValueKind::Null,
            Self::Bool => kind == ValueKind::Bool,
            Self::Int | Self::Number => kind == ValueKind::Number,
            Self::String => kind == ValueKind::String,
            Self::Choices(choices) => {
                choices.literals().iter().map(Literal::kind).any(|it| it == kind)
            }
            Self::Object(_) => kind == ValueKind::Object,
            Self::List(_) => kind == ValueKind::List,
            // The leaves of a union are not unions.
            Self::Union(_) => false,
        }
    }
}
