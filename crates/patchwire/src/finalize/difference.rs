//! The fewest patches that make one document of another.

use std::collections::HashMap;

use super::Correction;
use crate::document::{DocId, DocNode, Document, NodeKind, Placement, ValueRef};

/// From so many patches on, the root is replaced as a whole.
const MOST_PATCHES: usize = 64;

/// The corrections that make `new` of the root `old` of a document.
pub(super) fn corrections(id: DocId, old: ValueRef<'_>, new: ValueRef<'_>) -> Vec<Correction> {
    let difference = Difference { id, is_inner: false, out: Vec::new(), pending: Vec::new() };
    let whole = || vec![Correction::Root(id, Document::copy_of(new))];
    match difference.between(old, new) {
        Some(out) if out.len() <= MOST_PATCHES => out,
        _ => whole(),
    }
}

/// The corrections that make `new` of the value `old` inside a document.
pub(super) fn inner_corrections(
    id: DocId,
    old: ValueRef<'_>,
    new: ValueRef<'_>,
) -> Vec<Correction> {
    let difference = Difference { id, is_inner: true, out: Vec::new(), pending: Vec::new() };
    let Some(node) = old.node() else { return Vec::new() };
    let whole = || {
        let at = DocNode { document: id, node };
        vec![Correction::Replace { at, value: Document::copy_of(new) }]
    };
    match difference.between(old, new) {
        Some(out) if out.len() <= MOST_PATCHES => out,
        _ => whole(),
    }
}

struct Difference<'v> {
    id: DocId,
    /// Whether the values are no roots: then a container with a new child is replaced.
    is_inner: bool,
    out: Vec<Correction>,
    /// Containers of one kind whose children are still to be compared.
    pending: Vec<(ValueRef<'v>, ValueRef<'v>)>,
}

impl<'v> Difference<'v> {
    /// None if the roots have nothing in common.
    fn between(mut self, old: ValueRef<'v>, new: ValueRef<'v>) -> Option<Vec<Correction>> {
        if old.node_kind() != new.node_kind() || !old.node_kind().is_container() {
            return None;
        }
        let root = old.node()?;
        let mut extra = None;
        self.pending.push((old, new));
        while let Some((old, new)) = self.pending.pop() {
            let is_root = old.node() == Some(root) && !self.is_inner;
            let more = match old.node_kind() {
                NodeKind::Object => self.members(old, new, is_root),
                _ => self.items(old, new, is_root),
            };
            extra = extra.or(more);
        }
        self.out.extend(extra.map(|extra| Correction::Continue(self.id, extra)));
        Some(self.out)
    }

    /// Compares two values at one place.
    fn pair(&mut self, old: ValueRef<'v>, new: ValueRef<'v>) {
        let is_container = old.node_kind().is_container();
        if is_container && old.node_kind() == new.node_kind() {
            self.pending.push((old, new));
        } else if old != new {
            self.replace(old, new);
        }
    }

    fn replace(&mut self, old: ValueRef<'v>, new: ValueRef<'v>) {
        let Some(node) = old.node() else { return };
        let at = DocNode { document: self.id, node };
        self.out.push(Correction::Replace { at, value: Document::copy_of(new) });
    }

    fn remove(&mut self, old: ValueRef<'v>) {
        let Some(node) = old.node() else { return };
        self.out.push(Correction::Remove(DocNode { document: self.id, node }));
    }

    /// Compares members. Returns those that are new in the root; in other objects they make a replacement.
    fn members(&mut self, old: ValueRef<'v>, new: ValueRef<'v>, is_root: bool) -> Option<Document> {
        let known: HashMap<&str, ValueRef<'v>> =
            old.entries().filter_map(|(key, value)| Some((key?, value))).collect();
        let wanted: HashMap<&str, ValueRef<'v>> =
            new.entries().filter_map(|(key, value)| Some((key?, value))).collect();
        let extra =
            new.entries().filter(|(key, _)| key.is_some_and(|key| !known.contains_key(key)));
        let extra: Vec<_> = extra.collect();
        if !extra.is_empty() && !is_root {
            self.replace(old, new);
            return None;
        }
        for (key, value) in old.entries() {
            match key.and_then(|key| wanted.get(key)) {
                Some(wanted) => self.pair(value, *wanted),
                None => self.remove(value),
            }
        }
        let mut document = Document::default();
        let root = document.open(Placement::Root, NodeKind::Object);
        for (key, value) in &extra {
            document.graft(Placement::Member(root, key.unwrap_or_default()), *value);
        }
        (!extra.is_empty()).then_some(document)
    }

    /// Compares items. Returns those that are new at the end of the root.
    fn items(&mut self, old: ValueRef<'v>, new: ValueRef<'v>, is_root: bool) -> Option<Document> {
        if new.len() > old.len() && !is_root {
            self.replace(old, new);
            return None;
        }
        let shared = old.len().min(new.len());
        let values = |of: ValueRef<'v>| of.entries().map(|(_, value)| value);
        for (old, new) in values(old).zip(values(new)) {
            self.pair(old, new);
        }
        for gone in values(old).skip(shared) {
            self.remove(gone);
        }
        let mut document = Document::default();
        let root = document.open(Placement::Root, NodeKind::List);
        for value in values(new).skip(shared) {
            document.graft(Placement::Item(root), value);
        }
        (new.len() > shared).then_some(document)
    }
}
