//! Equality of schemas.

use std::collections::HashSet;

use super::Tree;
use super::tree::{Object, Others, SchemaId, SchemaNode, Shape, Slot};

/// Two nodes still to be compared.
type Pair = (SchemaId, SchemaId);

/// Compares both trees. A pair that was met before counts as equal, because a difference is found where
/// it was met first. Recursive types are therefore equal however often they were unrolled.
pub(super) fn same_tree(a: &Tree, b: &Tree) -> bool {
    let mut seen = HashSet::new();
    let mut open = Vec::new();
    let mut equal = same_slot(a.root, b.root, &mut open);
    while let Some(pair) = open.pop() {
        if seen.insert(pair) {
            equal &= same_node(&a.nodes[pair.0.index()], &b.nodes[pair.1.index()], &mut open);
        }
        if !equal {
            return false;
        }
    }
    equal
}

fn same_node(a: &SchemaNode, b: &SchemaNode, open: &mut Vec<Pair>) -> bool {
    a.description == b.description && same_shape(&a.shape, &b.shape, open)
}

fn same_shape(a: &Shape, b: &Shape, open: &mut Vec<Pair>) -> bool {
    match (a, b) {
        (Shape::Choices(a), Shape::Choices(b)) => a.literals() == b.literals(),
        (Shape::Object(a), Shape::Object(b)) => same_object(a, b, open),
        (Shape::List(a), Shape::List(b)) => same_slot(*a, *b, open),
        (Shape::Union(a), Shape::Union(b)) => {
            open.extend(a.alternatives.iter().copied().zip(b.alternatives.iter().copied()));
            a.alternatives.len() == b.alternatives.len()
        }
        // The other shapes have no content, so only their variants are compared.
        (a, b) => core::mem::discriminant(a) == core::mem::discriminant(b),
    }
}

fn same_object(a: &Object, b: &Object, open: &mut Vec<Pair>) -> bool {
    let same_others = match (a.others, b.others) {
        (Others::Each(a), Others::Each(b)) => same_slot(a, b, open),
        (a, b) => a == b,
    };
    let mut fields = a.fields().iter().zip(b.fields());
    same_others
        && a.fields().len() == b.fields().len()
        && fields.all(|(a, b)| a.name == b.name && same_slot(a.slot, b.slot, open))
}

fn same_slot(a: Slot, b: Slot, open: &mut Vec<Pair>) -> bool {
    open.push((a.schema, b.schema));
    a.presence == b.presence
}
