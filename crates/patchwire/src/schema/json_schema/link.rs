//! Turns drafts into nodes. Some drafts only refer to others.

use crate::schema::tree::{SchemaId, SchemaNode, Shape, settle_unions};
use crate::schema::{SchemaError, SchemaErrorKind};

/// The bound on alternatives of one union, nested ones included. A chain of nested unions costs at
/// most the square of this.
const ALTERNATIVES_MAX: usize = 4096;

/// A schema of the text, before it is linked.
pub(super) struct Draft {
    pub(super) description: Option<Box<str>>,
    /// What prompts say beside the type.
    pub(super) limits: Option<Box<str>>,
    pub(super) shape: DraftShape,
    /// Its JSON Pointer.
    pub(super) path: String,
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
) -> Result<(Vec<SchemaNode>, SchemaId), SchemaError> {
    let numbers = numbers(&drafts)?;
    let root = numbers[root.index()];
    let mut nodes = Vec::with_capacity(drafts.len());
    let mut paths = Vec::with_capacity(drafts.len());
    let mut described = Vec::new();
    for at in 0..drafts.len() {
        if matches!(drafts[at].shape, DraftShape::Alias(_)) && !is_plain_alias(&drafts[at]) {
            let id = SchemaId::nth(at);
            described.push((numbers[at], numbers[origin(&drafts, id)?.index()]));
        }
    }
    for draft in drafts.into_iter().filter(|draft| !is_plain_alias(draft)) {
        let mut shape = match draft.shape {
            DraftShape::Is(shape) => shape,
            DraftShape::Alias(_) => Shape::Any,
        };
        shape.renumber(|id| numbers[id.index()]);
        nodes.push(SchemaNode { description: draft.description, limits: draft.limits, shape });
        paths.push(draft.path);
    }
    for (reference, target) in described {
        nodes[reference.index()].shape = nodes[target.index()].shape.clone();
        if nodes[reference.index()].limits.is_none() {
            nodes[reference.index()].limits = nodes[target.index()].limits.clone();
        }
    }
    settle(&mut nodes, &paths)?;
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
    (0..drafts.len())
        .map(|at| {
            let kept = chase(drafts, SchemaId::nth(at), is_plain_alias)?;
            Ok(own[kept.index()])
        })
        .collect()
}

/// The draft at the end of this one's references.
fn origin(drafts: &[Draft], id: SchemaId) -> Result<SchemaId, SchemaError> {
    chase(drafts, id, |draft| matches!(draft.shape, DraftShape::Alias(_)))
}

/// Follows references as long as `passes` returns true.
fn chase(
    drafts: &[Draft],
    from: SchemaId,
    passes: impl Fn(&Draft) -> bool,
) -> Result<SchemaId, SchemaError> {
    let mut at = from;
    for _ in 0..=drafts.len() {
        let draft = &drafts[at.index()];
        match draft.shape {
            DraftShape::Alias(target) if passes(draft) => at = target,
            _ => return Ok(at),
        }
    }
    Err(SchemaError::new(SchemaErrorKind::EndlessRef, drafts[from.index()].path.as_str()))
}

fn settle(nodes: &mut [SchemaNode], paths: &[String]) -> Result<(), SchemaError> {
    let error = |kind, id: SchemaId| SchemaError::new(kind, paths[id.index()].as_str());
    settle_unions(nodes, ALTERNATIVES_MAX)
        .map_err(|id| error(SchemaErrorKind::TooManyAlternatives, id))?;
    // Every written union has alternatives. One without leaves only contains itself.
    let endless = nodes
        .iter()
        .position(|node| matches!(&node.shape, Shape::Union(union) if union.leaves.is_empty()));
    endless.map_or(Ok(()), |at| Err(error(SchemaErrorKind::EndlessRef, SchemaId::nth(at))))
}
