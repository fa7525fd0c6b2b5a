//! The answer lists the members of an object in the order of the schema, then the others as they came.

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
        if is_ordered(document.at(node), schema.declared_keys(id)) {
            continue;
        }
        document.order_members(node, schema.declared_keys(id));
    }
}

/// Whether the members are in the order of these names, with no other member before the last of them.
fn is_ordered<'n>(object: ValueRef<'_>, mut names: impl Iterator<Item = &'n str>) -> bool {
    object.entries().all(|(key, _)| names.any(|name| Some(name) == key))
}
