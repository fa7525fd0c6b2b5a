//! Large unions: which alternatives a value may be.

use crate::document::sample::document;
use crate::schema::tree::Shape;
use crate::schema::union_index::UnionIndex;
use crate::schema::{
    Literal, Node, Schema, any, bool, int, list, literal, null, number, object, one_of, str, union,
};

fn schema(alternatives: Vec<Node>) -> Schema {
    union(alternatives).into()
}

/// Objects with a member of their own each, and these members too.
fn objects(count: usize, shared: &[&str]) -> Vec<Node> {
    let member = |at: usize| object().field(&format!("m{at}"), str(""));
    (0..count)
        .map(|at| shared.iter().fold(member(at), |it, name| it.field(name, str(""))).into())
        .collect()
}

fn compared(schema: &Schema, value: &str) -> Vec<usize> {
    let index = schema.union_index(schema.root()).expect("a large union");
    index.objects(document(value).value())
}

#[test]
fn unions_of_32_have_an_index() {
    let has_index = |count| {
        schema(objects(count, &[])).union_index(schema(objects(count, &[])).root()).is_some()
    };
    assert!(!has_index(31) && has_index(32));
}

/// Each alternative has one member of its own, and each member two choices.
#[test]
fn what_an_index_takes_of_a_budget() {
    let parts = |count| {
        let member = |at: usize| object().field(&format!("m{at}"), one_of(["a", "b"]));
        let schema = schema((0..count).map(|at| member(at).into()).collect());
        let Shape::Union(union) = &schema.node(schema.root()).shape else { panic!("a union") };
        UnionIndex::parts(&schema.0.nodes, &union.leaves)
    };
    let choices = Schema::from(one_of(["a", "b"]));
    let Shape::Choices(choices) = &choices.node(choices.root()).shape else { panic!("choices") };
    let one = 1 + choices.parts();
    assert_eq!([parts(31), parts(32), parts(33)], [0, 32 * one, 33 * one]);
}

/// Up to 64 objects are compared all, of more those with members of the value.
#[test]
fn the_objects_that_a_value_is_compared_with() {
    let all: Vec<usize> = (0..64).collect();
    let value = r#"{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}"#;
    // The five members alone name 52 objects 260 times.
    let mut few = objects(52, &["a", "b", "c", "d", "e"]);
    few.extend(objects(12, &["z"]));
    assert_eq!(compared(&schema(few.clone()), value), all);
    few.extend(objects(1, &["y"]));
    let near: Vec<usize> = (0..52).collect();
    assert_eq!(compared(&schema(few), value), near);
    // Where none is near, the first ones count.
    assert_eq!(compared(&schema(objects(70, &[])), r#"{"q": 1}"#), all);
    assert_eq!(compared(&schema(objects(70, &[])), "{}"), all);
    // The rarest members count first.
    let wide = schema(objects(70, &["a"]));
    let mut with_last = all[..63].to_vec();
    with_last.push(69);
    assert_eq!(compared(&wide, r#"{"a": 1, "m69": 1}"#), with_last);
    assert_eq!(compared(&wide, r#"{"m69": 1, "a": 1}"#), with_last);
}

/// A member whose choices have its value counts, one whose choices have others does not.
#[test]
fn choices_of_members_are_looked_up_by_value() {
    let tagged =
        |at: usize| object().field("kind", literal(format!("k{at}"))).field("n", int("")).into();
    let mut all: Vec<Node> = (0..70).map(tagged).collect();
    all.push(object().field("kind", str("")).into());
    let schema = schema(all);
    let found = compared(&schema, r#"{"kind": "k68"}"#);
    assert!(found.contains(&68) && found.contains(&70), "{found:?}");
    let found = compared(&schema, r#"{"kind": "none"}"#);
    assert!(!found.contains(&68) && found.contains(&70), "{found:?}");
    assert_eq!(found.len(), 64);
}

#[test]
fn the_first_alternative_that_a_value_is_of() {
    let with = |others: Vec<Node>| {
        let mut all: Vec<Node> = (0..32).map(|at| literal(format!("w{at}"))).collect();
        all.extend(others);
        schema(all)
    };
    let kinds = with(vec![null(), bool(""), int(""), number(""), list(str("")), str(""), any("")]);
    let some = with(vec![
        one_of([Literal::from(1), true.into()]),
        int(""),
        one_of([Literal::from(1), 2.into()]),
    ]);
    for (value, in_kinds, in_some) in [
        (r#""w3""#, Some(3), Some(3)),
        (r#""x""#, Some(37), None),
        ("null", Some(32), None),
        ("true", Some(33), Some(32)),
        ("false", Some(33), None),
        ("1", Some(34), Some(32)),
        ("2", Some(34), Some(33)),
        ("2.0", Some(34), Some(33)),
        ("2.5", Some(35), None),
        ("[1]", Some(36), None),
        (r#"{"a": 1}"#, Some(38), None),
    ] {
        for (schema, wanted) in [(&kinds, in_kinds), (&some, in_some)] {
            let index = schema.union_index(schema.root()).expect("a large union");
            assert_eq!(index.first(document(value).value()), wanted, "{value}");
        }
    }
}

#[test]
fn the_alternatives_that_a_text_may_become() {
    let mut all: Vec<Node> = (0..40).map(|at| literal(format!("w{at}"))).collect();
    all.insert(5, int(""));
    all.push(str(""));
    all.push(one_of(["w7", "x"]));
    let schema = schema(all);
    let index = schema.union_index(schema.root()).expect("a large union");
    let becoming = |text: &str| index.becoming(|_| Some(Literal::from(text)));
    assert_eq!(becoming("w7"), [5, 8, 41, 42]);
    assert_eq!(becoming("none"), [5, 41]);
    assert_eq!(index.becoming(|_| None), [5, 41]);
    assert_eq!(index.becoming(|all| all.literals().last().cloned()), [5, 41, 42]);
    // Of those that are no choices the first 64 count.
    let plain: Vec<Node> = (0..70).map(|at| list(int(&format!("{at}")))).collect();
    let schema = self::schema(plain);
    let index = schema.union_index(schema.root()).expect("a large union");
    assert_eq!(index.becoming(|_| None), (0..64).collect::<Vec<usize>>());
}
