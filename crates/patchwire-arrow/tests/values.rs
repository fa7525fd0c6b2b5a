//! Values and what does not fit.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, StringArray, StructArray};
use patchwire::{Limit, Limits, Schema, Spec};
use patchwire_arrow::{BatchError, STOPPED, parse};

fn typed(schema: &str) -> Spec {
    let schema = Schema::from_text(schema).expect("it is a schema");
    Spec::builder().schema(schema).build().expect("nothing contradicts")
}

fn parsed(texts: Vec<Option<&str>>, spec: &Spec) -> StructArray {
    parse(&StringArray::from(texts), spec).expect("the column can be read")
}

fn text<'a>(answers: &'a StructArray, field: &str, row: usize) -> Option<&'a str> {
    let column = answers.column_by_name(field).expect("it is a field").as_string::<i32>();
    column.is_valid(row).then(|| column.value(row))
}

/// The records of a row, each as `code path message offset`.
fn records(answers: &StructArray, field: &str, row: usize) -> Vec<String> {
    let lists = answers.column_by_name(field).expect("it is a field").as_list::<i32>();
    let items = lists.value(row);
    let items = items.as_struct();
    let text = |at: usize, row| items.column(at).as_string::<i32>().value(row).to_owned();
    let offset = items.column(3).as_primitive::<Int64Type>();
    let record = |row| {
        let offset =
            if offset.is_null(row) { "-".to_owned() } else { offset.value(row).to_string() };
        format!("{} {} {} {offset}", text(0, row), text(1, row), text(2, row))
    };
    (0..items.len()).map(record).collect()
}

#[test]
fn numbers_are_exact_or_null() {
    let spec = typed(r#"{"type": "array", "items": {"type": "integer"}}"#);
    let column = parsed(
        vec![Some("[1, -9223372036854775808, 3.0, 3e2, 2.5, 9223372036854775808, 1e30]")],
        &spec,
    );
    let items = column.column(0).as_list::<i32>().value(0);
    let items = items.as_primitive::<Int64Type>();
    let found: Vec<Option<i64>> = items.iter().collect();
    assert_eq!(found, [Some(1), Some(i64::MIN), Some(3), Some(300), None, None, None]);
    assert_eq!(
        records(&column, "failures", 0),
        [
            "wrong_type [4] [4] should be a whole number, and is null here -",
            "out_of_range [5] [5] should be a whole number of 64 bits, and is null here -",
            "out_of_range [6] [6] should be a whole number of 64 bits, and is null here -",
        ]
    );
    let spec = typed(r#"{"type": "array", "items": {"type": "number"}}"#);
    let column = parsed(vec![Some("[1, 2.5, -0, 1e400]")], &spec);
    let items = column.column(0).as_list::<i32>().value(0);
    let found: Vec<Option<f64>> = items.as_primitive::<Float64Type>().iter().collect();
    assert_eq!(found, [Some(1.0), Some(2.5), Some(-0.0), None]);
}

#[test]
fn a_value_of_another_type_is_null_and_said() {
    let spec = typed(r#"{"sku": "str", "sizes": [["int", ""]], "about": {"by": "str"}}"#);
    let column = parsed(
        vec![
            Some(r#"{"sku": {"a": 1}, "sizes": [1, [2]], "about": [7], "more": true}"#),
            Some("[1]"),
        ],
        &spec,
    );
    assert_eq!(
        records(&column, "failures", 0),
        [
            "wrong_type sku sku should be a string, and is null here -",
            "wrong_type sizes[1] sizes[1] should be a whole number, and is null here -",
            "wrong_type about about should be an object, and is null here -",
        ]
    );
    assert_eq!(
        records(&column, "notices", 0),
        ["unknown_field more a field that the schema does not declare was skipped -"]
    );
    let value = column.column(0).as_struct();
    assert!(value.is_valid(0) && value.column(0).is_null(0) && value.is_null(1));
    assert_eq!(
        records(&column, "failures", 1),
        ["wrong_type  the answer should be an object, and is null here -"]
    );
}

#[test]
fn what_does_not_fit_is_listed_up_to_a_bound() {
    let members: Vec<String> = (0..500).map(|at| format!("\"k{at}\": 1")).collect();
    let json = format!("{{{}}}", members.join(", "));
    let column = parsed(vec![Some(&json)], &typed(r#"{"a": "str"}"#));
    assert_eq!(records(&column, "notices", 0).len(), 64);
}

#[test]
fn a_row_that_is_stopped_is_a_row() {
    let limits = Limits::default().with(Limit::Total, 20);
    let spec = Spec::builder().limits(limits).build().expect("nothing contradicts");
    let column = parsed(vec![Some("[1]"), Some("[1, 2, 3, 4, 5, 6, 7, 8, 9]"), Some("[2]")], &spec);
    assert_eq!(
        [0, 1, 2].map(|row| text(&column, "outcome", row)),
        [Some("complete"), Some(STOPPED), Some("complete")]
    );
    assert_eq!(text(&column, "value", 1), Some("[1,2,3,4,5,6]"));
    assert_eq!(
        records(&column, "failures", 1),
        ["limit_total  limit `total` reached at byte 20 20"]
    );
    assert_eq!((text(&column, "text", 1), text(&column, "text", 0)), (None, Some("")));
    // The next row begins anew.
    assert_eq!(text(&column, "value", 2), Some("[2]"));
}

#[test]
fn reasoning_text_and_calls_have_columns() {
    let spec = Spec::builder()
        .tags(patchwire::TagSet::hermes_json())
        .build()
        .expect("nothing contradicts");
    let column = parsed(
        vec![
            Some("<think>Hm.</think>Sure! {\"a\": 1}"),
            Some("<tool_call>{\"name\": \"f\", \"arguments\": {\"x\": 1}}</tool_call>"),
        ],
        &spec,
    );
    let calls = column.column_by_name("calls").expect("it is a field").as_list::<i32>();
    assert_eq!((calls.value(0).len(), calls.value(1).len()), (0, 1));
    let call = calls.value(1);
    let call = call.as_struct();
    assert_eq!(call.column(1).as_string::<i32>().value(0), "f");
    assert_eq!(call.column(2).as_string::<i32>().value(0), r#"{"x":1}"#);
    assert!(call.column(0).is_null(0) && call.column(4).as_boolean().value(0));
    assert_eq!(text(&column, "outcome", 1), Some("tool_calls"));
    let thought = parsed(vec![Some("<think>Hm.</think>Sure! {\"a\": 1}")], &Spec::json());
    assert_eq!(
        (text(&thought, "reasoning", 0), text(&thought, "text", 0)),
        (Some("Hm."), Some("Sure! "))
    );
}

#[test]
fn a_column_of_something_else_is_refused() {
    let numbers = arrow_array::Int64Array::from(vec![1, 2]);
    let error = parse(&numbers, &Spec::json()).expect_err("they are no strings");
    assert!(matches!(error, BatchError::NotText { .. }));
    assert_eq!(
        error.to_string(),
        "the column has the type Int64; cast it to strings (Utf8, LargeUtf8 or Utf8View)"
    );
}
