//! Queries of a schema while a stream is read. They do not allocate, and search at most one object.
//!
//! All functions look through unions: a result holds for at least one alternative.

use core::ops::Range;
use std::collections::HashSet;
use std::sync::Arc;

use super::Schema;
use super::choices::Choices;
use super::facts::NodeFacts;
use super::tree::{Field, Object, Presence, SchemaId, SchemaNode, Shape, Slot};
use super::union_index::UnionIndex;
use crate::document::{ValueKind, ValueRef};

/// The largest number of choices that a description lists.
const MOST_NAMED: usize = 12;
/// The largest number of alternatives that are read for a description.
const MOST_READ: usize = 64;
/// The bytes around one value, about.
const AROUND: usize = 8;
/// The longest choice that a description shows, in characters.
const LONGEST_NAMED: usize = 200;
/// The longest choice, in bytes, for which a string is held back until it is decided.
const LONGEST_CHOICE: usize = 4 << 10;

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

    /// The bytes of the names, descriptions, limits and choices of all types, each once.
    pub(crate) fn text_bytes(&self) -> usize {
        let names = |object: &Object| object.fields().iter().map(|it| it.name.len()).sum::<usize>();
        let text = |text: Option<&str>| text.map_or(0, str::len);
        // References with a description share the limits and the shape of their target.
        let (mut all, mut seen) = (0, HashSet::new());
        for node in &self.0.nodes {
            all += AROUND + text(node.description.as_deref());
            if let Some(limits) = node.limits.as_ref().filter(|it| seen.insert(it.as_ptr().addr()))
            {
                all += limits.len();
            }
            all += match &node.shape {
                Shape::Choices(it) if seen.insert(Arc::as_ptr(it).addr()) => it.bytes(),
                Shape::Object(it) if seen.insert(Arc::as_ptr(it).addr()) => names(it),
                _ => 0,
            };
        }
        all
    }

    /// The bytes of the description, the limits and the choices of a type, those of alternatives included.
    pub(crate) fn own_bytes(&self, id: SchemaId) -> usize {
        let leaves = match &self.node(id).shape {
            Shape::Union(union) => union.leaves.as_slice(),
            _ => &[],
        };
        self.plain_bytes(id) + leaves.iter().map(|leaf| self.plain_bytes(*leaf)).sum::<usize>()
    }

    /// The bytes of the description, the limits and the choices of a type.
    fn plain_bytes(&self, id: SchemaId) -> usize {
        let node = self.node(id);
        let choices = match &node.shape {
            Shape::Choices(choices) => choices.bytes(),
            _ => 0,
        };
        let text = |text: Option<&str>| text.map_or(0, str::len);
        AROUND + text(node.description.as_deref()) + text(node.limits.as_deref()) + choices
    }

    /// Whether any value is required.
    pub(crate) fn wants_anything(&self) -> bool {
        self.0.wants
    }

    /// The description of a value.
    pub(crate) fn type_name(&self, id: SchemaId) -> String {
        let mut names: Vec<String> = Vec::new();
        for name in self.shapes(id).take(MOST_READ).map(Shape::name) {
            if names.len() == MOST_NAMED {
                names.push("…".to_owned());
                break;
            }
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
        object.member(object.index(key))
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
        match &self.node(self.facts(id).list?).shape {
            Shape::List(item) => Some(*item),
            _ => None,
        }
    }

    /// Whether the schema allows every value.
    pub(crate) fn is_any(&self, id: SchemaId) -> bool {
        self.facts(id).is_any
    }

    /// The choices of a value, if it can only be one of them or null.
    pub(crate) fn choices(&self, id: SchemaId) -> Option<&Choices> {
        let choices = match &self.node(id).shape {
            Shape::Choices(choices) => Some(&**choices).filter(|choices| choices.is_text()),
            Shape::Union(union) => union.choices.as_ref(),
            _ => None,
        };
        choices.filter(|it| it.longest() <= LONGEST_CHOICE || it.fallback().is_some())
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

    /// The position of a declared name in the order of the letters.
    pub(crate) fn declared_rank(&self, id: SchemaId, key: &str) -> Option<usize> {
        self.object_of(id)?.rank(key)
    }

    /// The positions, in the order of the letters, of the declared names with this beginning.
    pub(crate) fn declared_ranks(&self, id: SchemaId, start: &str) -> Range<usize> {
        self.object_of(id).map_or(0..0, |object| object.ranks(start))
    }

    /// The position of a declared name among all of them.
    pub(crate) fn declared_index(&self, id: SchemaId, key: &str) -> Option<usize> {
        self.object_of(id)?.index(key)
    }

    /// The declared names, each once, in the order of the alternatives and of their fields.
    pub(crate) fn declared_keys(&self, id: SchemaId) -> impl Iterator<Item = &str> {
        self.declared_fields(id).map(|field| &*field.name)
    }

    /// The names that all object alternatives require.
    #[cfg(test)]
    pub(crate) fn required_keys(&self, id: SchemaId) -> impl Iterator<Item = &str> {
        // A member of a joined object is required if all of its objects require it.
        self.object_of(id).into_iter().flat_map(Object::required).map(|field| &*field.name)
    }

    /// Whether a value has all members that the type requires. Takes time for the members of the value.
    pub(crate) fn has_required(&self, id: SchemaId, value: ValueRef<'_>) -> bool {
        self.required_in(id, value).count() == self.required_count(id)
    }

    /// How many members the type requires.
    pub(crate) fn required_count(&self, id: SchemaId) -> usize {
        self.object_of(id).map_or(0, |object| object.required().len())
    }

    /// The required members that a value has, each once, with their values.
    pub(crate) fn required_in<'s, 'v>(
        &'s self,
        id: SchemaId,
        value: ValueRef<'v>,
    ) -> impl Iterator<Item = (&'s Field, ValueRef<'v>)> {
        let object = self.object_of(id);
        let mut seen = HashSet::new();
        value.entries().filter_map(move |(key, child)| {
            let field = object?.field(key?)?;
            let is_required = field.slot.presence != Presence::Optional;
            (is_required && seen.insert(key)).then_some((field, child))
        })
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
        self.facts(id).kinds.has(kind)
    }

    /// Whether a number with this text may fit where numbers do. If the schema only has integers, the
    /// number must be whole; zeros after its point are allowed.
    pub(crate) fn matches_number(&self, id: SchemaId, text: &str) -> bool {
        let facts = self.facts(id);
        facts.has_number || facts.has_int && is_whole(text)
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
    pub(super) fn object_of(&self, id: SchemaId) -> Option<&Object> {
        match &self.node(id).shape {
            Shape::Union(union) if union.object.is_some() => union.object.as_deref(),
            _ => match &self.node(self.facts(id).object?).shape {
                Shape::Object(object) => Some(object),
                _ => None,
            },
        }
    }

    /// The only object among the alternatives of a type, which may be the type itself.
    pub(crate) fn only_object(&self, id: SchemaId) -> Option<SchemaId> {
        let is_joined =
            matches!(&self.node(id).shape, Shape::Union(union) if union.object.is_some());
        self.facts(id).object.filter(|_| !is_joined)
    }

    pub(super) fn facts(&self, id: SchemaId) -> &NodeFacts {
        &self.0.facts[id.index()]
    }

    /// How an alternative is found among many; none for a few.
    pub(crate) fn union_index(&self, id: SchemaId) -> Option<&UnionIndex> {
        self.facts(id).index.as_deref()
    }

    /// Whether a value of this type contains, at any depth outside unions, a value that must be filled.
    pub(crate) fn needs_filled(&self, id: SchemaId) -> bool {
        self.facts(id).needs
    }

    /// The members of an object that have to exist, or may have to because of what is in them, in order.
    pub(crate) fn wanted_fields<'s>(
        &'s self,
        id: SchemaId,
        object: &'s Object,
    ) -> impl Iterator<Item = &'s Field> {
        let wanted = self.facts(id).wanted.as_deref();
        let named = wanted.into_iter().flatten().map(|at| &object.fields()[*at as usize]);
        named.chain(object.required().filter(move |_| wanted.is_none()))
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

/// Whether a number is whole. Zeros after its point are allowed.
pub(super) fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        || text.parse::<f64>().is_ok_and(|number| number.fract() == 0.0)
}

/// The beginning of a long text.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_NAMED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
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
                let named = choices.literals().iter().take(MOST_NAMED);
                let literals: Vec<String> = named.map(|it| shortened(&it.to_string())).collect();
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
}

#[cfg(test)]
mod tests {
    use super::is_whole;

    #[test]
    fn whole_numbers_have_nothing_but_zeros_behind_their_point() {
        // More digits than a float has room for.
        let long = "1".repeat(400);
        for (text, is) in [
            ("0", true),
            ("-3", true),
            ("12", true),
            (&*long, true),
            (&format!("-{long}"), true),
            ("1.0", true),
            ("-2.00", true),
            ("1.5", false),
            ("12e2", true),
            ("12e-1", false),
            ("1200e-2", true),
            ("-0.5", false),
            ("", false),
            ("-", false),
            ("x", false),
        ] {
            assert_eq!(is_whole(text), is, "{text}");
        }
    }
}
