//! The children of a value, each with its type: for walks through a whole value.

use super::Schema;
use super::tree::SchemaId;
use crate::document::{ValueKind, ValueRef};

/// An item or member of a value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Child<'v> {
    pub(crate) value: ValueRef<'v>,
    /// Its type; none where the schema has none.
    pub(crate) schema: Option<SchemaId>,
    /// The position of its name among the declared ones; none for items and for members that are not declared.
    pub(crate) place: Option<usize>,
    pub(crate) is_item: bool,
}

/// The items or members of a value of this type, in order. Members that come in the order of the schema are found at
/// once.
pub(crate) fn children<'v>(
    schema: &Schema,
    id: SchemaId,
    value: ValueRef<'v>,
) -> impl Iterator<Item = Child<'v>> {
    let kind = value.kind();
    let object = schema.object_of(id).filter(|_| kind == ValueKind::Object);
    let item = schema.item(id).filter(|_| kind == ValueKind::List);
    let mut next = 0;
    value.entries().map(move |(key, value)| {
        let Some(key) = key else {
            return Child { value, schema: item, place: None, is_item: true };
        };
        let place = object.and_then(|object| object.index_near(key, next));
        next = place.map_or(next, |place| place + 1);
        let slot = object.and_then(|object| object.member(place));
        Child { value, schema: slot.map(|slot| slot.schema), place, is_item: false }
    })
}

#[cfg(test)]
mod tests {
    use super::children;
    use crate::document::sample::document;
    use crate::schema::{Schema, int, list, object, str};

    /// Whatever the order of the members, each has the type and place that a search of its own finds.
    #[test]
    fn children_are_those_that_are_looked_up_one_by_one() {
        let few = object().field("a", int("")).field("b", str("")).field("c", list(int("")));
        let many = (0..20).fold(object(), |all, at| all.field(&format!("f{at}"), int("")));
        let map = object().field("a", int("")).others(str(""));
        for schema in [few.into(), many.into(), map.into(), Schema::from(list(int("")))] {
            for json in [
                r#"{"a": 1, "b": "x", "c": [1]}"#,
                r#"{"c": [1], "x": 0, "a": 1, "b": "x", "a": 2}"#,
                r#"{"f3": 1, "f4": 1, "f1": 2, "g": 3, "f2": 4, "f19": 5}"#,
                r#"{"a": 1, "z": "x"}"#,
                "[1, 2]",
                "{}",
                "3",
            ] {
                let value = document(json);
                let (value, id) = (value.value(), schema.root());
                let found = children(&schema, id, value);
                let found: Vec<_> = found.map(|it| (it.schema, it.place, it.is_item)).collect();
                let looked_up = value.entries().map(|(key, _)| match key {
                    Some(key) => (schema.member(id, key), schema.declared_index(id, key), false),
                    None => (schema.item(id), None, true),
                });
                assert_eq!(found, looked_up.collect::<Vec<_>>(), "{json}");
            }
        }
    }
}
