//! Equality by content. Does not recurse: a value may be as deep as the limit allows.

use std::collections::HashMap;

use super::{NodeKind, Value, ValueRef};

/// Compares content: the order of members does not count, the text of numbers does (`1` is not `1.0`). An
/// absent value equals only an absent value, not null.
impl PartialEq<ValueRef<'_>> for ValueRef<'_> {
    fn eq(&self, other: &ValueRef<'_>) -> bool {
        equal(*self, *other)
    }
}

impl Eq for ValueRef<'_> {}

/// Compares like [`ValueRef`].
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        equal(self.as_ref(), other.as_ref())
    }
}

impl Eq for Value {}

impl PartialEq<ValueRef<'_>> for Value {
    fn eq(&self, other: &ValueRef<'_>) -> bool {
        equal(self.as_ref(), *other)
    }
}

impl PartialEq<Value> for ValueRef<'_> {
    fn eq(&self, other: &Value) -> bool {
        equal(*self, other.as_ref())
    }
}

/// Pairs of containers of one kind and size whose children are still to be compared.
type PendingPairs<'a> = Vec<(ValueRef<'a>, ValueRef<'a>)>;

fn equal(left: ValueRef<'_>, right: ValueRef<'_>) -> bool {
    let mut pending = PendingPairs::new();
    let mut same = agree(left, right, &mut pending);
    while same {
        let Some((left, right)) = pending.pop() else {
            return true;
        };
        same = match left.node_kind() {
            NodeKind::Object => members_agree(left, right, &mut pending),
            _ => items_agree(left, right, &mut pending),
        };
    }
    false
}

/// Whether two values are equal, apart from the children of containers.
fn agree<'a>(left: ValueRef<'a>, right: ValueRef<'a>, pending: &mut PendingPairs<'a>) -> bool {
    if left.exists() != right.exists() || left.node_kind() != right.node_kind() {
        return false;
    }
    match left.node_kind() {
        NodeKind::Null | NodeKind::False | NodeKind::True => true,
        NodeKind::Number | NodeKind::String => left.text() == right.text(),
        NodeKind::Object | NodeKind::List => {
            if !left.is_empty() {
                pending.push((left, right));
            }
            left.len() == right.len()
        }
    }
}

fn items_agree<'a>(
    left: ValueRef<'a>,
    right: ValueRef<'a>,
    pending: &mut PendingPairs<'a>,
) -> bool {
    left.entries().zip(right.entries()).all(|((_, a), (_, b))| agree(a, b, pending))
}

/// Members are mostly in the same order: an index is built only from the first difference on.
fn members_agree<'a>(
    left: ValueRef<'a>,
    right: ValueRef<'a>,
    pending: &mut PendingPairs<'a>,
) -> bool {
    let (mut ours, mut theirs) = (left.entries(), right.entries());
    let mut others = theirs.clone();
    while let Some((key, value)) = ours.next() {
        match theirs.next() {
            Some((name, other)) if name == key => {
                if !agree(value, other, pending) {
                    return false;
                }
            }
            _ => {
                let mut rest: HashMap<_, _> = others.collect();
                // A matched member is removed, so that no name is matched twice.
                return core::iter::once((key, value)).chain(ours).all(|(key, value)| {
                    rest.remove(&key).is_some_and(|other| agree(value, other, pending))
                });
            }
        }
        others = theirs.clone();
    }
    true
}

#[cfg(test)]
mod tests {
    use crate::document::sample::{deep, document, on_small_stack};
    use crate::document::{Document, NodeKind, Placement};

    fn same(left: &str, right: &str) -> bool {
        let (left, right) = (document(left), document(right));
        let same = left.value() == right.value();
        assert_eq!(same, right.value() == left.value(), "equality has two sides");
        assert_eq!(same, left.value().to_value() == right.value().to_value());
        assert_eq!(same, left.value().to_value() == right.value());
        assert_eq!(same, left.value() == right.value().to_value());
        same
    }

    #[test]
    fn the_order_of_members_does_not_count() {
        assert!(same(r#"{"a":1,"b":[2,{"c":3,"d":null}]}"#, r#"{"b":[2,{"d":null,"c":3}],"a":1}"#));
        assert!(same(r#"{"x":0,"a":1,"b":2,"c":3}"#, r#"{"x":0,"c":3,"b":2,"a":1}"#));
        assert!(!same(r#"{"x":0,"a":1,"b":2}"#, r#"{"x":0,"b":1,"a":2}"#));
        assert!(!same(r#"{"a":1,"b":2}"#, r#"{"a":1,"c":2}"#));
        assert!(!same(r#"{"a":1}"#, r#"{"a":1,"b":2}"#));
    }

    #[test]
    fn the_order_of_items_counts() {
        assert!(same("[1,2]", "[1,2]"));
        assert!(!same("[1,2]", "[2,1]"));
        assert!(!same("[1,2]", "[1,2,3]"));
    }

    #[test]
    fn kinds_and_the_text_of_numbers_count() {
        assert!(!same("1", "1.0"));
        assert!(!same("1", r#""1""#));
        assert!(!same("[]", "{}"));
        assert!(!same("true", "false"));
        assert!(same("null", "null"));
    }

    #[test]
    fn a_literal_is_the_same_with_and_without_its_text() {
        let (mut left, mut right) = (Document::default(), Document::default());
        left.scalar(Placement::Root, NodeKind::True, "true");
        right.scalar(Placement::Root, NodeKind::True, "");
        assert!(left.value() == right.value());
    }

    #[test]
    fn no_value_is_not_null() {
        let (none, null) = (Document::default(), document("null"));
        assert!(none.value() == Document::default().value());
        assert!(none.value() != null.value());
        assert!(none.value().to_value() != null.value());
    }

    #[test]
    fn large_objects_in_another_order_take_linear_time() {
        let mut forth = Document::default();
        let mut back = Document::default();
        let (to, from) = (
            forth.open(Placement::Root, NodeKind::Object),
            back.open(Placement::Root, NodeKind::Object),
        );
        for n in 0..200_000 {
            forth.scalar(Placement::Member(to, &n.to_string()), NodeKind::Null, "");
            let n = 199_999 - n;
            back.scalar(Placement::Member(from, &n.to_string()), NodeKind::Null, "");
        }
        assert!(forth.value() == back.value());
    }

    #[test]
    fn depth_needs_no_stack() {
        on_small_stack(|| {
            let (left, right) = (deep(1_000_000, "1"), deep(1_000_000, "1"));
            assert!(left.value() == right.value());
            assert!(left.value() != deep(1_000_000, "2").value());
            assert!(left.value() != deep(999_999, "1").value());
            let copy = left.value().to_value();
            assert!(copy == left.value());
            let again = left.clone();
            assert!(again.value() == left.value());
        });
    }
}
