//! The comparison of values and the counts of the command `suites`.

use serde_json::json;
use testkit::public_suites::{Likeness, Pair, Tally, by_input, by_pair, same};
use testkit::readers;

#[test]
fn numbers_are_the_same_by_what_they_count_and_members_in_any_order() {
    assert!(same(&json!(1.0), &json!(1)));
    assert!(same(&json!([{"a": 1, "b": [2e0]}]), &json!([{"b": [2], "a": 1.0}])));
    assert!(!same(&json!([1, 2]), &json!([2, 1])));
    assert!(!same(&json!({"a": 1}), &json!({"a": 1, "b": null})));
    assert!(!same(&json!("1"), &json!(1)));
    assert!(!same(&json!(9_007_199_254_740_993_i64), &json!(1)));
}

#[test]
fn an_input_counts_once_and_each_of_its_expectations_is_right() {
    let pair = |expected| Pair { suite: "s".into(), input: "[1,".into(), expected };
    let pairs = [pair(json!([1])), pair(json!([1, null]))];
    let given = json!([1, null]);
    let read = pairs.each_ref().map(|pair| (pair, Some(&given)));
    assert_eq!(by_pair(&read), Tally { same: 1, other: 1, refused: 0 });
    assert_eq!(by_input(&read), Tally { same: 1, other: 0, refused: 0 });
    assert_eq!(Likeness::of(None, &json!(null)), Likeness::Refused);
}

#[test]
fn a_text_without_a_value_is_refused() {
    assert_eq!(readers::patchwire("nothing here"), None);
    assert_eq!(readers::patchwire("so: {\"a\": 1,}"), Some(json!({"a": 1})));
}
