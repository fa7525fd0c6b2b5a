//! The answer lists the members of an object in the order of the schema, then the others in their own
//! order.

use crate::document::{Document, ValueRef};
use crate::schema::{Schema, SchemaId};

/// Orders the members of every object of a document. Order does not count for equality, so no patch is
/// emitted.
pub(crate) fn order_members(document: &mut Document, schema: &Schema) {
    let mut objects = Vec::new();
    let mut open: Vec<(ValueRef<'_>, SchemaId)> = vec![(document.value(), schema.root())];
    while let Some((value, id)) = open.pop() {
        if let Some(node) = value.node().filter(|_| schema.declares_keys(id)) {
            objects.push((node, id));
        }
        for (key, child) in value.entries() {
            let below = key.map_or_else(|| schema.item(id), |key| schema.member(id, key));
            open.extend(below.map(|below| (child, below)));
        }
    }
    objects.retain(|(node, _)| document.at(*node).kind() == crate::document::ValueKind::Object);
    for (node, id) in objects {
        let rank = |name: &str| schema.declared_index(id, name).unwrap_or(usize::MAX);
        if is_ordered(document.at(node), rank) {
            continue;
        }
        document.order_members(node, rank);
    }
}

/// Whether the members are in the order of their ranks.
fn is_ordered(object: ValueRef<'_>, rank: impl Fn(&str) -> usize) -> bool {
    object.entries().is_sorted_by_key(|(key, _)| rank(key.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::order_members;
    use crate::document::sample::document;
    use crate::schema::{Schema, int, list, object};

    #[test]
    fn members_in_the_order_of_the_schema() {
        let item = || object().field("x", int("")).field("y", int(""));
        let schema: Schema =
            object().field("a", int("")).field("b", list(item())).field("c", item()).into();
        for (json, want) in [
            (r#"{"a":1,"b":[]}"#, r#"{"a":1,"b":[]}"#),
            (r#"{"b":[],"a":1}"#, r#"{"a":1,"b":[]}"#),
            (r#"{"z":0,"c":{"y":2,"x":1},"a":1}"#, r#"{"a":1,"c":{"x":1,"y":2},"z":0}"#),
            (r#"{"b":[{"y":2,"x":1}]}"#, r#"{"b":[{"x":1,"y":2}]}"#),
            (r#"{"q":1,"p":2}"#, r#"{"q":1,"p":2}"#),
            (r#"[3,1]"#, r#"[3,1]"#),
        ] {
            let mut doc = document(json);
            order_members(&mut doc, &schema);
            assert_eq!(doc.value().to_string(), want, "{json}");
        }
    }
}
