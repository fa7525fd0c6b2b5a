//! Turns drafts into nodes. Some drafts only refer to others.

use std::sync::Arc;

use crate::schema::budget::Budget;
use crate::schema::tree::{SchemaId, SchemaNode, Shape, UnsettledUnion, settle_unions};
use crate::schema::{SchemaError, SchemaErrorKind};
use crate::text::text_path::TextPath;

/// The bound on alternatives of one union, nested ones included. A chain of nested unions costs at
/// most the square of this.
pub(in crate::schema) const ALTERNATIVES_MAX: usize = 4096;

/// A schema of the text, before it is linked.
pub(super) struct Draft {
    pub(super) description: Option<Box<str>>,
    /// What prompts say beside the type.
    pub(super) limits: Option<Arc<str>>,
    /// The types of the first items of a list, by position.
    pub(super) tuple: Box<[SchemaId]>,
    pub(super) shape: DraftShape,
    /// Its JSON Pointer.
    pub(super) path: TextPath,
}

pub(super) enum DraftShape {
    /// The target of the reference.
    Alias(SchemaId),
    Is(Shape),
}

/// The nodes, and the number of the root.
///
/// A reference without a description and limits is replaced by its target. Another becomes a node that
/// shares the target's shape.
pub(super) fn link(
    drafts: Vec<Draft>,
    root: SchemaId,
    budget: &mut Budget,
) -> Result<(Vec<SchemaNode>, SchemaId), SchemaError> {
    let numbers = numbers(&drafts)?;
    let root = numbers[root.index()];
    let mut nodes = Vec::with_capacity(drafts.len());
    let mut paths = Vec::with_capacity(drafts.len());
    let mut described = Vec::new();
    let is_alias = |draft: &Draft| matches!(draft.shape, DraftShape::Alias(_));
    let is_described = |at: &usize| is_alias(&drafts[*at]) && !is_plain_alias(&drafts[*at]);
    let references: Vec<usize> = (0..drafts.len()).filter(is_described).collect();
    for (at, origin) in references.iter().zip(ends(&drafts, &references, is_alias)?) {
        described.push((numbers[*at], numbers[origin.index()]));
    }
    for draft in drafts.into_iter().filter(|draft| !is_plain_alias(draft)) {
        let mut shape = match draft.shape {
            DraftShape::Is(shape) => shape,
            DraftShape::Alias(_) => Shape::Any,
        };
        shape.renumber(|id| numbers[id.index()]);
        let Draft { description, limits, mut tuple, path, .. } = draft;
        tuple.iter_mut().for_each(|id| *id = numbers[id.index()]);
        nodes.push(SchemaNode { description, limits, tuple: tuple.into(), shape });
        paths.push(path);
    }
    for (reference, target) in described {
        nodes[reference.index()].shape = nodes[target.index()].shape.clone();
        nodes[reference.index()].tuple = Arc::clone(&nodes[target.index()].tuple);
        if nodes[reference.index()].limits.is_none() {
            nodes[reference.index()].limits = nodes[target.index()].limits.clone();
        }
    }
    settle(&mut nodes, &paths, budget)?;
    Ok((nodes, root))
}

const fn is_plain_alias(draft: &Draft) -> bool {
    matches!(draft.shape, DraftShape::Alias(_))
        && draft.description.is_none()
        && draft.limits.is_none()
}

/// The number of the node for each draft.
fn numbers(drafts: &[Draft]) -> Result<Vec<SchemaId>, SchemaError> {
    let mut count = 0;
    let own: Vec<SchemaId> = drafts
        .iter()
        .map(|draft| {
            let id = SchemaId::nth(count);
            count += usize::from(!is_plain_alias(draft));
            id
        })
        .collect();
    let all: Vec<usize> = (0..drafts.len()).collect();
    let kept = ends(drafts, &all, is_plain_alias)?;
    Ok(kept.into_iter().map(|id| own[id.index()]).collect())
}

/// For each of these drafts, the one at the end of its references, followed as long as `passes` returns true.
/// Each reference is followed once.
fn ends(
    drafts: &[Draft],
    of: &[usize],
    passes: impl Fn(&Draft) -> bool,
) -> Result<Vec<SchemaId>, SchemaError> {
    let mut ends: Vec<Option<SchemaId>> = vec![None; drafts.len()];
    let mut found = Vec::with_capacity(of.len());
    for &from in of {
        let mut way = Vec::new();
        let mut at = SchemaId::nth(from);
        let end = loop {
            if let Some(end) = ends[at.index()] {
                break end;
            }
            match drafts[at.index()].shape {
                DraftShape::Alias(target) if passes(&drafts[at.index()]) => {
                    if way.len() == drafts.len() {
                        let path = drafts[from].path.to_string();
                        return Err(SchemaError::new(SchemaErrorKind::EndlessRef, path));
                    }
                    way.push(at);
                    at = target;
                }
                _ => break at,
            }
        };
        ends[at.index()] = Some(end);
        way.into_iter().for_each(|passed| ends[passed.index()] = Some(end));
        found.push(end);
    }
    Ok(found)
}

fn settle(
    nodes: &mut Vec<SchemaNode>,
    paths: &[TextPath],
    budget: &mut Budget,
) -> Result<(), SchemaError> {
    // Joined types are behind the others, and have no place of their own.
    let path = |id: SchemaId| paths.get(id.index()).map(ToString::to_string).unwrap_or_default();
    let error = |kind, id: SchemaId| SchemaError::new(kind, path(id));
    settle_unions(nodes, ALTERNATIVES_MAX, budget).map_err(|why| match why {
        UnsettledUnion::ManyLeaves(id) => error(SchemaErrorKind::TooManyAlternatives, id),
        UnsettledUnion::UsedUp(id) => error(SchemaErrorKind::TooLarge, id),
    })?;
    // Every written union has alternatives. One without leaves only contains itself.
    let endless = nodes
        .iter()
        .position(|node| matches!(&node.shape, Shape::Union(union) if union.leaves.is_empty()));
    endless.map_or(Ok(()), |at| Err(error(SchemaErrorKind::EndlessRef, SchemaId::nth(at))))
}
