//! Costly rows end, in bounds, and leave their neighbours alone.

use arrow_array::cast::AsArray as _;
use arrow_array::{Array, StringArray};
use patchwire::{Limit, Limits, Schema, Spec};
use patchwire_arrow::parse;

use crate::oracle::{ORDER, assert_rows};

#[test]
fn every_costly_shape_is_a_row() {
    let texts: Vec<Option<String>> = testkit::hostile::all()
        .iter()
        .map(|shape| Some(String::from_utf8_lossy(&(shape.make)(3_000)).into_owned()))
        .flat_map(|text| [text, Some(r#"{"id": 7}"#.to_owned())])
        .collect();
    let schema = Schema::from_text(ORDER).expect("it is a schema");
    let typed = Spec::builder().schema(schema).build().expect("nothing contradicts");
    assert_rows(&texts, &typed);
    let answers = assert_rows(&texts, &Spec::json());
    let values = answers.column(0).as_string::<i32>();
    for row in (1..texts.len()).step_by(2) {
        assert_eq!(values.value(row), r#"{"id":7}"#);
    }
}

/// Deeper than any stack, where the limits allow it.
#[test]
fn a_deep_row_is_a_row() {
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    let column = StringArray::from(vec![&*deep, "[1]"]);
    let answers = parse(&column, &Spec::json()).expect("the column can be read");
    assert_eq!(answers.column(1).as_string::<i32>().value(0), "stopped");
    let limits = Limits::default().with(Limit::Depth, 1 << 20);
    let spec = Spec::builder().limits(limits).build().expect("nothing contradicts");
    let answers = parse(&column, &spec).expect("the column can be read");
    assert_eq!(answers.column(0).as_string::<i32>().value(0), deep);
    assert_eq!(answers.column(0).as_string::<i32>().value(1), "[1]");
    assert_eq!(answers.null_count(), 0);
}
