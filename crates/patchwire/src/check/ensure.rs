//! Checks the paths that a caller needs, wildcards included, at each place that they lead to.
//!
//! The paths are kept as a tree, so that a place costs no more with many paths than with one.

use std::collections::HashMap;

use super::{Failure, FailureKind, Failures, emptiness};
use crate::document::{ValueKind, ValueRef};
use crate::order;
use crate::path::{Path, Pattern, Segment};
use crate::schema::Presence;

/// The number of a node; the root has 0.
type EnsureId = usize;

/// The paths, as a tree of their steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EnsureTree {
    /// Whether a path was added; the root alone is one, too.
    has_paths: bool,
    nodes: Vec<EnsureNode>,
}

/// The paths that share their first steps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct EnsureNode {
    keys: HashMap<Box<str>, EnsureId>,
    indexes: HashMap<u32, EnsureId>,
    /// The wildcard.
    any: Option<EnsureId>,
    /// The steps to the keys and indexes in the order in which paths first had them, and their nodes.
    steps: Vec<(EnsureStep, EnsureId)>,
    /// Whether a path ends here, and must not be empty.
    ends_filled: bool,
    /// Whether some path through this node must not be empty.
    is_filled: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum EnsureStep {
    Key(Box<str>),
    Index(u32),
}

impl EnsureStep {
    fn segment(&self) -> Segment<'_> {
        match self {
            Self::Key(key) => Segment::Key(key),
            Self::Index(index) => Segment::Index(*index),
        }
    }
}

/// What is left to do for a place.
enum EnsureTask<'t, 'v> {
    Visit(ValueRef<'v>, EnsureId),
    Missing(ValueRef<'v>, Segment<'t>),
    Fault(ValueRef<'v>, FailureKind),
}

impl Default for EnsureTree {
    fn default() -> Self {
        Self { has_paths: false, nodes: vec![EnsureNode::default()] }
    }
}

impl EnsureTree {
    pub(super) const fn is_empty(&self) -> bool {
        !self.has_paths
    }

    /// The most steps of one path at which a wildcard stands beside names.
    pub(super) fn forks(&self) -> usize {
        // A node comes before those after its steps.
        let mut forks = vec![0; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            let own = forks[at] + usize::from(node.any.is_some() && !node.steps.is_empty());
            let after = node.steps.iter().map(|(_, next)| *next).chain(node.any);
            after.for_each(|next| forks[next] = own);
        }
        forks.into_iter().max().unwrap_or_default()
    }

    /// Adds a path.
    pub(super) fn add(&mut self, pattern: &Pattern, presence: Presence) {
        self.has_paths = true;
        let is_filled = presence == Presence::Meaningful;
        let mut at = 0;
        for step in pattern.steps() {
            at = self.child(at, step);
            self.nodes[at].is_filled |= is_filled;
        }
        self.nodes[at].ends_filled |= is_filled;
    }

    /// The node after a step, which is made if there is none.
    fn child(&mut self, at: EnsureId, step: Option<Segment<'_>>) -> EnsureId {
        let new = self.nodes.len();
        let node = &mut self.nodes[at];
        let child = match step {
            None => *node.any.get_or_insert(new),
            Some(Segment::Key(key)) => *node.keys.entry(key.into()).or_insert(new),
            Some(Segment::Index(index)) => *node.indexes.entry(index).or_insert(new),
        };
        if child == new {
            node.steps.extend(step.map(|step| match step {
                Segment::Key(key) => (EnsureStep::Key(key.into()), new),
                Segment::Index(index) => (EnsureStep::Index(index), new),
            }));
            self.nodes.push(EnsureNode::default());
        }
        child
    }

    /// Finds every place of a path that is missing or empty.
    pub(super) fn check(&self, root: ValueRef<'_>, found: &mut Failures) {
        let mut open = vec![EnsureTask::Visit(root, 0)];
        while let Some(task) = open.pop() {
            if found.is_full() {
                return;
            }
            match task {
                EnsureTask::Visit(value, at) => {
                    let first = open.len();
                    open.extend(self.tasks(value, at));
                    open[first..].reverse();
                }
                fault => fault.report(found),
            }
        }
    }

    /// Checks one place, whose value just closed.
    pub(super) fn check_closed(&self, value: ValueRef<'_>, path: Path<'_>, found: &mut Failures) {
        for at in self.at_path(path) {
            for task in self.tasks(value, at) {
                if found.is_exhausted() {
                    return;
                }
                task.report(found);
            }
        }
    }

    /// The nodes that a path leads to.
    fn at_path(&self, path: Path<'_>) -> Vec<EnsureId> {
        let mut nodes = vec![0];
        for segment in path.segments() {
            let next = |&at: &EnsureId| {
                let node = &self.nodes[at];
                let named = match segment {
                    Segment::Key(key) => node.keys.get(key),
                    Segment::Index(index) => node.indexes.get(&index),
                };
                named.copied().into_iter().chain(node.any)
            };
            nodes = nodes.iter().flat_map(next).collect();
            if nodes.is_empty() {
                break;
            }
        }
        nodes
    }

    /// What follows from a value at a node, in the order of the paths.
    fn tasks<'t, 'v>(&'t self, value: ValueRef<'v>, at: EnsureId) -> Vec<EnsureTask<'t, 'v>> {
        let node = &self.nodes[at];
        let mut tasks = Vec::new();
        if let Some(kind) = emptiness(value).filter(|_| node.ends_filled) {
            tasks.push((0, EnsureTask::Fault(value, kind)));
        }
        let children = node.children(value);
        tasks.extend(children.iter().map(|&(id, child)| (id, EnsureTask::Visit(child, id))));
        let is_there = |id: EnsureId| children.binary_search_by_key(&id, |(id, _)| *id).is_ok();
        let missing = node.steps.iter().filter(|(_, id)| !is_there(*id));
        tasks.extend(missing.map(|(step, id)| (*id, EnsureTask::Missing(value, step.segment()))));
        if let Some(id) = node.any {
            let is_container = matches!(value.kind(), ValueKind::List | ValueKind::Object);
            if !is_container {
                let wanted = "a list or an object".to_owned();
                tasks.push((id, EnsureTask::Fault(value, FailureKind::WrongType { wanted })));
            } else if value.is_empty() && self.nodes[id].is_filled {
                // An empty container has no place that could count.
                tasks.push((id, EnsureTask::Fault(value, FailureKind::Empty)));
            }
            tasks.extend(value.entries().map(|(_, child)| (id, EnsureTask::Visit(child, id))));
        }
        order::sort_by_key(&mut tasks, |(id, _)| *id);
        tasks.into_iter().map(|(_, task)| task).collect()
    }
}

impl EnsureNode {
    /// The named children of a value that paths lead to, ordered by their nodes.
    fn children<'v>(&self, value: ValueRef<'v>) -> Vec<(EnsureId, ValueRef<'v>)> {
        if self.steps.is_empty() {
            return Vec::new();
        }
        let entries = value.entries().enumerate();
        let known = entries.filter_map(|(index, (key, child))| {
            let id = match key {
                Some(key) => self.keys.get(key),
                None => self.indexes.get(&u32::try_from(index).ok()?),
            };
            Some((*id?, child))
        });
        let mut children: Vec<_> = known.collect();
        order::sort_by_key(&mut children, |(id, _)| *id);
        children
    }
}

impl EnsureTask<'_, '_> {
    fn report(self, found: &mut Failures) {
        match self {
            Self::Visit(..) => {}
            Self::Missing(value, step) => {
                found.add(|| Failure::below(FailureKind::Missing, value, step));
            }
            Self::Fault(value, kind) => found.add(|| Failure::new(kind, value)),
        }
    }
}
