//! The answer lists the members of an object in the order of the schema, then the others in their own
//! order.

use crate::document::{Document, ValueRef};
use crate::schema::children::children;
use crate::schema::{Schema, SchemaId};

/// Orders the members of every object of a document. Order does not count for equality, so no patch is
/// emitted.
pub(crate) fn order_members(document: &mut Document, schema: &Schema) {
    let mut unordered = Vec::new();
    let mut open: Vec<(ValueRef<'_>, SchemaId)> = vec![(document.value(), schema.root())];
    while let Some((value, id)) = open.pop() {
        let (mut before, mut is_ordered) = (0, true);
        for child in children(schema, id, value) {
            let rank = child.place.unwrap_or(usize::MAX);
            is_ordered &= before <= rank;
            before = rank;
            if let Some(below) = child.schema.filter(|_| child.value.is_container()) {
                open.push((child.value, below));
            }
        }
        unordered.extend(value.node().filter(|_| !is_ordered).map(|node| (node, id)));
    }
    for (node, id) in unordered {
        document.order_members(node, |name| schema.declared_index(id, name).unwrap_or(usize::MAX));
    }
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
