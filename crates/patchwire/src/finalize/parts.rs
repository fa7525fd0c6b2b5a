//! Whether a value only repeats a part of another one: prose often quotes a part of the answer before it.

use std::collections::HashMap;

use crate::document::{NodeId, ValueKind, ValueRef};

/// Comparisons for each value of the whole. Where these are used up, no value is a part: the work stays linear.
const COMPARISONS: usize = 32;

/// The objects and lists of one value, found by what is in them.
pub(super) struct Parts<'v> {
    root: Option<NodeId>,
    /// The objects that have a member of this name.
    objects: HashMap<&'v str, Vec<ValueRef<'v>>>,
    /// The lists of this length.
    lists: HashMap<usize, Vec<ValueRef<'v>>>,
    /// Values that may still be compared.
    budget: usize,
}

/// Where in a value a part of it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// It is some of the outermost members.
    Outermost,
    /// It is further inside.
    Inside,
}

impl<'v> Parts<'v> {
    pub(super) fn of(whole: ValueRef<'v>) -> Self {
        let root = whole.node();
        let mut parts = Self { root, objects: HashMap::new(), lists: HashMap::new(), budget: 0 };
        let mut open = vec![whole];
        while let Some(value) = open.pop() {
            parts.budget += COMPARISONS * (1 + value.len());
            if value.kind() == ValueKind::List {
                parts.lists.entry(value.len()).or_default().push(value);
            }
            for (key, child) in value.entries() {
                if let Some(key) = key {
                    parts.objects.entry(key).or_default().push(value);
                }
                open.extend(Some(child).filter(|it| it.node_kind().is_container()));
            }
        }
        parts
    }

    /// Whether a value is some of the outermost members, a list inside the whole, or some or all members of an
    /// object inside it.
    pub(super) fn find(&mut self, part: ValueRef<'_>) -> Option<Part> {
        let first = part.entries().next()?;
        let containers = match (part.kind(), first.0) {
            (ValueKind::Object, Some(key)) => self.objects.get(key)?,
            (ValueKind::List, _) => self.lists.get(&part.len())?,
            _ => return None,
        };
        let size = size_of(part);
        for container in containers {
            self.budget = self.budget.checked_sub(size + container.len())?;
            let is_root = container.node() == self.root;
            let found = if is_root { Part::Outermost } else { Part::Inside };
            let is_whole = found == Part::Outermost && part.len() == container.len();
            if !is_whole && has(*container, part) {
                return Some(found);
            }
        }
        None
    }
}

/// Whether an object has all members of another one, or a list is equal to another one.
fn has(whole: ValueRef<'_>, part: ValueRef<'_>) -> bool {
    if part.kind() == ValueKind::List {
        return whole == part;
    }
    let members = whole.members();
    part.entries().all(|(key, value)| key.and_then(|key| members.get(key)) == Some(&value))
}

/// The number of values in a value.
fn size_of(value: ValueRef<'_>) -> usize {
    let (mut size, mut open) = (0, vec![value]);
    while let Some(value) = open.pop() {
        size += 1;
        open.extend(value.entries().map(|(_, child)| child));
    }
    size
}

#[cfg(test)]
mod tests {
    use super::{Part, Parts};
    use crate::document::sample::document;

    #[test]
    fn parts_of_a_value() {
        for (whole, part, want) in [
            (r#"{"a":1,"b":2}"#, r#"{"a":1}"#, Some(Part::Outermost)),
            (r#"{"a":1,"b":2}"#, r#"{"a":2}"#, None),
            (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, None),
            (r#"{"a":{"b":[1],"c":2}}"#, r#"{"c":2,"b":[1]}"#, Some(Part::Inside)),
            (r#"{"a":{"b":[1],"c":2}}"#, r#"{"c":2}"#, Some(Part::Inside)),
            (r#"{"a":{"b":[1],"c":2}}"#, r#"{"a":{"c":2}}"#, None),
            (r#"{"a":{"b":[1],"c":2}}"#, "[1]", Some(Part::Inside)),
            (r#"[{"id":1},{"id":2}]"#, r#"{"id":2}"#, Some(Part::Inside)),
            (r#"[{"id":1},{"id":2}]"#, r#"{"id":3}"#, None),
            (r#"[[1,2],[3]]"#, "[3]", Some(Part::Inside)),
            ("[1,2]", "[1,2]", None),
            ("[1,2]", "[1]", None),
            ("[[1,2],[1,2]]", "[1,2]", Some(Part::Inside)),
            (r#"{"a":{}}"#, "{}", None),
        ] {
            let (whole_document, part_document) = (document(whole), document(part));
            let mut parts = Parts::of(whole_document.value());
            assert_eq!(parts.find(part_document.value()), want, "{part} in {whole}");
        }
    }

    /// The budget is 21,000 values. To find the last list, 201 lists are compared with the part, whose size counts each time.
    #[test]
    fn a_part_is_compared_with_many_lists() {
        let part = format!("[[{}]]", vec!["0"; 58].join(","));
        let others = vec!["[1]"; 200].join(",");
        let (whole, part) = (document(&format!("{{\"k\":[{others},{part}]}}")), document(&part));
        assert_eq!(Parts::of(whole.value()).find(part.value()), Some(Part::Inside));
    }
}
