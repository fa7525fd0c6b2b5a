//! Selects the alternative of a union that fits a value best.

use crate::document::{ValueKind, ValueRef};
use crate::order;
use crate::schema::tree::{Shape, Union};
use crate::schema::{Schema, SchemaId};

/// The alternative that fits a value: among those of its kind, the first with the fewest members that are
/// missing, undeclared or of another kind. None if no alternative is of its kind.
///
/// Of a union with many objects, only those are compared that are near the value.
pub(crate) fn alternative(schema: &Schema, id: SchemaId, value: ValueRef<'_>) -> Option<SchemaId> {
    let Shape::Union(union) = &schema.node(id).shape else {
        return is_of(schema, id, value).then_some(id);
    };
    if value.kind() != ValueKind::Object {
        return match schema.union_index(id) {
            Some(index) => index.first(value).map(|at| union.leaves[at]),
            None => union.leaves.iter().copied().find(|leaf| is_of(schema, *leaf, value)),
        };
    }
    objects(schema, id, union, value).into_iter().min_by_key(|leaf| misfits(schema, *leaf, value))
}

/// The alternatives that an object may be, in order.
pub(super) fn objects(
    schema: &Schema,
    id: SchemaId,
    union: &Union,
    value: ValueRef<'_>,
) -> Vec<SchemaId> {
    let Some(index) = schema.union_index(id) else {
        return union.leaves.iter().copied().filter(|leaf| is_of(schema, *leaf, value)).collect();
    };
    let mut found = index.objects(value);
    found.extend(index.first(value));
    order::sort(&mut found);
    found.into_iter().map(|at| union.leaves[at]).collect()
}

/// Whether a value is of a type that is no union. Its members and items are not checked.
pub(super) fn is_of(schema: &Schema, id: SchemaId, value: ValueRef<'_>) -> bool {
    match &schema.node(id).shape {
        Shape::Int => value.number_text().is_some_and(|text| schema.matches_number(id, text)),
        Shape::Choices(choices) => choices.contains(value),
        _ => schema.matches_kind(id, value.kind()),
    }
}

/// How many members of an object are undeclared, missing, or of another kind.
fn misfits(schema: &Schema, id: SchemaId, value: ValueRef<'_>) -> usize {
    let Shape::Object(object) = &schema.node(id).shape else { return 0 };
    let closed = object.is_closed();
    let wrong =
        value.entries().filter(|(key, child)| match key.and_then(|key| schema.member(id, key)) {
            Some(member) => !may_be(schema, member, *child),
            None => closed,
        });
    let missing = schema.required_count(id) - schema.required_in(id, value).count();
    wrong.count() + missing
}

/// Whether a value may be of a type. Its members and items are not checked.
fn may_be(schema: &Schema, id: SchemaId, value: ValueRef<'_>) -> bool {
    let Shape::Union(union) = &schema.node(id).shape else { return is_of(schema, id, value) };
    match schema.union_index(id) {
        _ if value.kind() == ValueKind::Object => schema.matches_kind(id, ValueKind::Object),
        Some(index) => index.first(value).is_some(),
        None => union.leaves.iter().any(|leaf| is_of(schema, *leaf, value)),
    }
}

#[cfg(test)]
mod tests {
    use super::alternative;
    use crate::document::sample::document;
    use crate::schema::Schema;
    use crate::schema::tree::Shape;

    /// The place of the alternative that fits a value best.
    fn best(alternatives: &[String], json: &str) -> Option<usize> {
        let text = format!("{{\"anyOf\": [{}]}}", alternatives.join(","));
        let schema = Schema::from_json_schema_text(&text).expect("a schema");
        let found = alternative(&schema, schema.root(), document(json).value())?;
        match &schema.node(schema.root()).shape {
            Shape::Union(union) => union.leaves.iter().position(|leaf| *leaf == found),
            _ => Some(0),
        }
    }

    /// An object with these members, of which some are required.
    fn object(members: &str, required: &str, more: &str) -> String {
        format!(
            r#"{{"type": "object", "properties": {{{members}}}, "required": [{required}]{more}}}"#
        )
    }

    const CLOSED: &str = r#", "additionalProperties": false"#;

    #[test]
    fn the_first_with_the_fewest_slips_fits() {
        let (one, other) = (r#""a": {"type": "integer"}"#, r#""b": {"type": "string"}"#);
        let both = format!("{one}, {other}");
        let scalar = |kind: &str| format!(r#"{{"type": "{kind}"}}"#);
        let open = [object(one, r#""a""#, ""), object(other, r#""b""#, "")];
        let closed = [object(one, "", CLOSED), object(other, "", CLOSED)];
        let any = r#", "additionalProperties": true"#;
        let mixed = [object(one, "", CLOSED), object(&both, r#""a", "b""#, any)];
        let scalars = ["string", "integer", "null"].map(scalar);
        for (alternatives, json, place) in [
            (&scalars[..], "\"x\"", Some(0)),
            (&scalars, "1", Some(1)),
            (&scalars, "1.0", Some(1)),
            (&scalars, "1.5", None),
            (&scalars, "null", Some(2)),
            (&scalars, "[]", None),
            (&scalars[1..2], "1", Some(0)),
            (&scalars[1..2], "true", None),
            // A member that is missing.
            (&open, r#"{"b": "x"}"#, Some(1)),
            (&open, "{}", Some(0)),
            (&open, "[]", None),
            // One that is not declared counts, unless the type says that any may come.
            (&closed, r#"{"b": "x"}"#, Some(1)),
            (&closed, r#"{"c": "x"}"#, Some(0)),
            (&closed, r#"{"a": "x", "b": "x"}"#, Some(1)),
            (&mixed, r#"{"a": 1, "c": 1}"#, Some(0)),
            (&mixed, r#"{"a": 1, "c": 1, "d": 1}"#, Some(1)),
            (&mixed, r#"{"a": 1, "b": 2}"#, Some(0)),
            (&mixed, r#"{"a": 1, "b": "x"}"#, Some(1)),
        ] {
            assert_eq!(best(alternatives, json), place, "{json} of {alternatives:?}");
        }
    }

    /// A member may be a union itself, with an index if it is large.
    #[test]
    fn what_a_member_may_be_counts() {
        for count in [2, 40] {
            let kind = |at: usize| {
                object(&format!(r#""k{at}": {{"type": "integer"}}"#), &format!("\"k{at}\""), "")
            };
            let objects: Vec<String> = (0..count).map(kind).collect();
            let large = |more: &str| {
                object(&format!(r#""m": {{"anyOf": [{}{more}]}}"#, objects.join(",")), "", "")
            };
            let member = |kind: &str| object(&format!(r#""m": {{"type": "{kind}"}}"#), "", "");
            let with_int = large(r#", {"type": "integer"}"#);
            for (alternatives, json, place) in [
                ([member("string"), large("")], r#"{"m": {"k1": 1}}"#, 1),
                ([large(""), member("string")], r#"{"m": {"k1": 1}}"#, 0),
                ([large(""), member("integer")], r#"{"m": 1}"#, 1),
                ([large(""), member("string")], r#"{"m": 1}"#, 0),
                ([member("string"), with_int.clone()], r#"{"m": 1}"#, 1),
                ([with_int, member("string")], r#"{"m": "x"}"#, 1),
            ] {
                assert_eq!(best(&alternatives, json), Some(place), "{count} {json}");
            }
        }
    }
}
