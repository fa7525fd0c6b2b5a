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

#[cfg(test)]
mod tests {
    use super::{Correction, MOST_PATCHES, corrections, inner_corrections};
    use crate::document::DocId;
    use crate::document::sample::document;

    /// What makes one value of another: `=` the whole root, `+` what is added to it, `-` what is removed, and pairs of a
    /// value and the one in its place.
    fn listed(is_inner: bool, old: &str, new: &str) -> Vec<String> {
        let (old, new) = (document(old), document(new));
        let of = if is_inner { inner_corrections } else { corrections };
        let found = of(DocId::ANSWER, old.value(), new.value());
        let shown = |it: &Correction| match it {
            Correction::Root(_, value) => format!("={}", value.value()),
            Correction::Continue(_, value) => format!("+{}", value.value()),
            Correction::Remove(at) => format!("-{}", old.at(at.node)),
            Correction::Replace { at, value } => format!("{}: {}", old.at(at.node), value.value()),
            _ => "another".to_owned(),
        };
        found.iter().map(shown).collect()
    }

    #[test]
    fn the_fewest_patches() {
        for (old, new, root, inner) in [
            ("1", "1", &["=1"][..], &["1: 1"][..]),
            ("[1]", r#"{"a":1}"#, &[r#"={"a":1}"#], &[r#"[1]: {"a":1}"#]),
            ("[1]", "[1]", &[], &[]),
            ("[1,2]", "[1,3]", &["2: 3"], &["2: 3"]),
            ("[1,2,3]", "[1]", &["-2", "-3"], &["-2", "-3"]),
            ("[1]", "[2,3]", &["1: 2", "+[3]"], &["[1]: [2,3]"]),
            ("[[1]]", "[[1,2]]", &["[1]: [1,2]"], &["[1]: [1,2]"]),
            ("[[1],[2]]", "[[1],[3]]", &["2: 3"], &["2: 3"]),
            ("[[1]]", "[[1],4]", &["+[4]"], &["[[1]]: [[1],4]"]),
            (r#"{"a":1}"#, r#"{"a":1}"#, &[], &[]),
            (r#"{"a":1,"b":2}"#, r#"{"b":3}"#, &["-1", "2: 3"], &["-1", "2: 3"]),
            (r#"{"a":1}"#, r#"{"a":1,"b":2}"#, &[r#"+{"b":2}"#], &[r#"{"a":1}: {"a":1,"b":2}"#]),
            (
                r#"{"a":{"x":1}}"#,
                r#"{"a":{"x":1,"y":2}}"#,
                &[r#"{"x":1}: {"x":1,"y":2}"#],
                &[r#"{"x":1}: {"x":1,"y":2}"#],
            ),
            (r#"{"a":{"x":1}}"#, r#"{"a":{"x":2}}"#, &["1: 2"], &["1: 2"]),
            (r#"{"a":[1]}"#, r#"{"a":{"x":1}}"#, &[r#"[1]: {"x":1}"#], &[r#"[1]: {"x":1}"#]),
        ] {
            assert_eq!(listed(false, old, new), root, "{old} {new}");
            assert_eq!(listed(true, old, new), inner, "{old} {new}");
        }
    }

    #[test]
    fn many_patches_are_one() {
        let list = |item: &str, count| format!("[{}]", vec![item; count].join(","));
        for (count, patches) in [(MOST_PATCHES, MOST_PATCHES), (MOST_PATCHES + 1, 1)] {
            let (old, new) = (list("1", count), list("2", count));
            for is_inner in [false, true] {
                assert_eq!(listed(is_inner, &old, &new).len(), patches, "{count}");
            }
        }
    }
}
