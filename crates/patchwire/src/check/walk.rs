//! Checks that required values exist and are not empty.
//!
//! A member that must not be empty makes its containers required too, up to the root or to a union: a list
//! without items has no item that could be filled. A member that only has to be *present* is required only
//! where its object exists. No type with a value that must be filled contains itself: only JSON Schema has
//! such types, and it has no word for "must not be empty".

use super::{Failure, FailureKind, Failures, MemberLookup, emptiness, fit};
use crate::document::{ValueKind, ValueRef};
use crate::order;
use crate::path::Segment;
use crate::schema::tree::{Object, Others, Shape, Slot};
use crate::schema::{Presence, Schema, SchemaId};

/// Finds every required value that is missing or empty.
pub(super) fn check(root: ValueRef<'_>, schema: &Schema, found: &mut Failures) {
    if !schema.wants_anything() {
        return;
    }
    let slot = Slot { schema: schema.root(), presence: schema.presence() };
    let mut check = PlaceCheck { schema, found };
    let mut open = vec![(root, slot)];
    while let Some((value, slot)) = open.pop() {
        if let Some(id) = check.run(value, slot) {
            descend(value, id, schema, &mut open);
        }
        if check.found.is_full() {
            return;
        }
    }
}

/// A value, and what its place asks for.
type PlacedValue<'v> = (ValueRef<'v>, Slot);

/// Puts the values in a value of this type on the stack, the first on top.
fn descend<'v>(
    value: ValueRef<'v>,
    id: SchemaId,
    schema: &Schema,
    open: &mut Vec<PlacedValue<'v>>,
) {
    let first = open.len();
    match &schema.node(id).shape {
        Shape::List(item) => open.extend(value.entries().map(|(_, it)| (it, *item))),
        Shape::Object(object) => {
            // The declared members in their order, of each name the first; then the others.
            let mut declared = Vec::new();
            let mut others = Vec::new();
            for (key, child) in value.entries() {
                match (object.index(key.unwrap_or_default()), object.others) {
                    (Some(at), _) => declared.push((at, child)),
                    (None, Others::Each(each)) => others.push((child, each)),
                    (None, Others::Allowed | Others::Forbidden) => {}
                }
            }
            order::sort_by_key(&mut declared, |(at, _)| *at);
            declared.dedup_by_key(|(at, _)| *at);
            let slot = |at: usize| object.fields()[at].slot;
            open.extend(declared.into_iter().map(|(at, child)| (child, slot(at))));
            open.append(&mut others);
        }
        _ => {}
    }
    open[first..].reverse();
}

/// Checks one value that just closed. The values in it were checked before.
pub(super) fn check_closed(value: ValueRef<'_>, slot: Slot, schema: &Schema, found: &mut Failures) {
    PlaceCheck { schema, found }.run(value, slot);
}

/// The check of one place.
struct PlaceCheck<'l> {
    schema: &'l Schema,
    found: &'l mut Failures,
}

impl PlaceCheck<'_> {
    /// Checks a value, but not the values in it. Returns its type if those are to be checked next.
    fn run(&mut self, value: ValueRef<'_>, slot: Slot) -> Option<SchemaId> {
        if let Some(kind) = emptiness(value).filter(|_| slot.presence == Presence::Meaningful) {
            self.found.add(|| Failure::new(kind, value));
            return None;
        }
        let Some(id) = fit::alternative(self.schema, slot.schema, value) else {
            self.wrong_type(value, slot.schema);
            return None;
        };
        match &self.schema.node(id).shape {
            Shape::List(item) if value.is_empty() => self.none_of(*item, value),
            Shape::Object(object) => {
                self.members(value, id, object);
                if let Others::Each(each) = object.others
                    && object.fields().is_empty()
                    && value.is_empty()
                {
                    self.none_of(each, value);
                }
            }
            _ => {}
        }
        Some(id)
    }

    /// Finds the members that an object of this type lacks.
    fn members(&mut self, value: ValueRef<'_>, id: SchemaId, object: &Object) {
        let mut members = MemberLookup::of(value, object);
        for field in self.schema.wanted_fields(id, object) {
            if self.found.is_full() {
                return;
            }
            if members.get(&field.name).is_none() {
                let step = Segment::Key(&field.name);
                self.found.add(|| Failure::below(FailureKind::Missing, value, step));
            }
        }
    }

    /// A value of none of the types lacks everything that should be in it.
    fn wrong_type(&mut self, value: ValueRef<'_>, id: SchemaId) {
        if self.schema.needs_filled(id) {
            let wanted = self.schema.type_name(id);
            let kind = match value.kind() {
                ValueKind::Null => FailureKind::Null,
                _ => FailureKind::WrongType { wanted },
            };
            self.found.add(|| Failure::new(kind, value));
        }
    }

    /// A list or map has no children, of which each should be this.
    fn none_of(&mut self, each: Slot, value: ValueRef<'_>) {
        if each.presence == Presence::Meaningful || self.schema.needs_filled(each.schema) {
            self.found.add(|| Failure::new(FailureKind::Empty, value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Failures, check};
    use crate::document::sample::document;
    use crate::schema::{Node, Schema, any, list, map, object, str, union};

    fn said(schema: &Schema, json: &str) -> Vec<String> {
        let mut found = Failures::default();
        check(document(json).value(), schema, &mut found);
        found.list().iter().map(ToString::to_string).collect()
    }

    /// A type at `a`, and what is said of values there.
    #[test]
    fn what_holds_a_value_that_must_be_filled_is_needed_too() {
        let filled = || object().field("k", str("").required());
        let present = || object().field("k", str("").present());
        for (node, rows) in [
            (
                list(filled()),
                &[
                    ("", "a is missing"),
                    ("null", "a is null"),
                    ("1", "a should be a list"),
                    ("[]", "a is empty"),
                    ("[1]", "a[0] should be an object"),
                    (r#"[{}, {"k": "x"}, {"k": ""}]"#, "a[0].k is missing; a[2].k is blank"),
                ][..],
            ),
            (
                list(str("").required()),
                &[("", "a is missing"), ("[]", "a is empty"), (r#"["x"]"#, "")],
            ),
            (list(str("")), &[("", ""), ("[]", ""), ("1", "")]),
            (list(present()), &[("", ""), ("[]", ""), ("[{}]", "a[0].k is missing")]),
            (
                map(str("").required()),
                &[("", "a is missing"), ("{}", "a is empty"), (r#"{"x": " "}"#, "a.x is blank")],
            ),
            (map(list(filled())), &[("{}", "a is empty"), (r#"{"x": []}"#, "a.x is empty")]),
            (map(str("")), &[("", ""), ("{}", ""), (r#"{"x": " "}"#, "")]),
            // Beside members with names, others need not exist.
            (
                object().field("n", str("")).others(str("").required()).into(),
                &[("", ""), ("{}", ""), (r#"{"x": ""}"#, "a.x is blank")],
            ),
            (present().into(), &[("", ""), ("1", ""), ("{}", "a.k is missing")]),
            // It is said once that nothing is there, and not what it should be.
            (
                filled().required().into(),
                &[
                    ("null", "a is null"),
                    (r#""""#, "a is blank"),
                    ("[]", "a is empty"),
                    ("0", "a should be an object"),
                    ("{}", "a.k is missing"),
                ],
            ),
            (any("").required(), &[("[]", "a is empty"), ("{}", ""), ("false", "")]),
            // What is needed in one alternative is needed only where that one was chosen.
            (
                union([Node::from(filled()), str("")]),
                &[("", ""), ("1", ""), (r#""""#, ""), ("{}", "a.k is missing")],
            ),
        ] {
            let schema: Schema = object().field("a", node.clone()).into();
            for (value, failures) in rows {
                let json =
                    if value.is_empty() { "{}".to_owned() } else { format!(r#"{{"a": {value}}}"#) };
                assert_eq!(said(&schema, &json).join("; "), *failures, "{json} as {schema:?}");
            }
        }
    }

    /// Such a type needs no value that is filled, at any level.
    #[test]
    fn each_level_of_a_type_that_contains_itself_is_checked() {
        let text = r##"{"type": "object", "required": ["name"],
            "properties": {"name": {}, "in": {"type": "array", "items": {"$ref": "#"}}}}"##;
        let schema = Schema::from_json_schema_text(text).expect("a schema");
        for (json, failures) in [
            (r#"{"name": null}"#, &[][..]),
            (r#"{"name": "", "in": []}"#, &[]),
            (
                r#"{"in": [{"name": "x", "in": [{}]}, {}]}"#,
                &["name is missing", "in[0].in[0].name is missing", "in[1].name is missing"],
            ),
        ] {
            assert_eq!(said(&schema, json), failures, "{json}");
        }
    }
}
