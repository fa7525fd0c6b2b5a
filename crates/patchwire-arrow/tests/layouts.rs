//! Whatever the layout of the strings, the answers are the same.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int8Array, LargeStringArray, NullArray, StringArray,
    StringViewArray,
};
use patchwire::{Schema, Spec};
use patchwire_arrow::{BatchParser, parse};

const ROWS: [Option<&str>; 6] = [
    Some(
        r#"{"sku": "a1", "count": 3, "note": "longer than the twelve bytes that a view holds itself"}"#,
    ),
    None,
    Some("Sure! {'sku': 'b2'}"),
    Some(""),
    None,
    Some(r#"{"sku": "c3", "count": "7"}"#),
];

fn spec() -> Spec {
    let schema = Schema::from_text(r#"{"sku": "str", "count": "int", "note": "str"}"#);
    Spec::builder().schema(schema.expect("it is a schema")).build().expect("nothing contradicts")
}

fn layouts(rows: &[Option<&str>]) -> [ArrayRef; 3] {
    let rows = || rows.iter().copied();
    [
        Arc::new(rows().collect::<StringArray>()),
        Arc::new(rows().collect::<LargeStringArray>()),
        Arc::new(rows().collect::<StringViewArray>()),
    ]
}

#[test]
fn all_layouts_of_strings() {
    let spec = spec();
    let [small, large, view] =
        layouts(&ROWS).map(|column| parse(&column, &spec).expect("it can be read"));
    assert_eq!(small, large);
    assert_eq!(small, view);
    assert_eq!(small.null_count(), 2);
}

/// Columns of categories.
#[test]
fn dictionaries_are_their_strings() {
    let spec = spec();
    let wanted = parse(&layouts(&ROWS)[0], &spec).expect("it can be read");
    for values in layouts(&ROWS) {
        // A row is null by its key or by its value; the keys are in another order than the rows.
        let keys = Int8Array::from(vec![Some(0), None, Some(2), Some(3), Some(1), Some(5)]);
        let column = DictionaryArray::new(keys, values);
        assert_eq!(parse(&column, &spec).expect("it can be read"), wanted);
        let slice = parse(&column.slice(2, 3), &spec).expect("it can be read");
        assert_eq!(slice, wanted.slice(2, 3));
    }
    let empty = DictionaryArray::new(Int8Array::new_null(2), layouts(&[])[0].clone());
    assert_eq!(parse(&empty, &spec).expect("it can be read").null_count(), 2);
    let numbers =
        DictionaryArray::new(Int8Array::from(vec![0]), Arc::new(Int8Array::from(vec![7])));
    assert!(parse(&numbers, &spec).expect_err("no strings").to_string().contains("Dictionary"));
}

#[test]
fn slices_are_their_rows() {
    let spec = spec();
    for from in 0..=ROWS.len() {
        for to in from..=ROWS.len() {
            let wanted = parse(&layouts(&ROWS[from..to])[0], &spec).expect("it can be read");
            for column in layouts(&ROWS) {
                let found = parse(&column.slice(from, to - from), &spec).expect("it can be read");
                assert_eq!(found, wanted, "{from}..{to} of {}", column.data_type());
            }
        }
    }
}

#[test]
fn a_column_without_a_type_has_nulls_only() {
    let answers = parse(&NullArray::new(3), &spec()).expect("it can be read");
    assert_eq!((answers.len(), answers.null_count()), (3, 3));
    for column in answers.columns() {
        assert_eq!(column.null_count(), 3);
    }
}

#[test]
fn no_rows_are_a_result_of_the_same_type() {
    let parser = BatchParser::new(&spec());
    let answers = parser.parse(&StringArray::new_null(0)).expect("it can be read");
    assert_eq!((answers.len(), answers.data_type()), (0, &parser.data_type()));
    let more = parser.parse(&layouts(&ROWS)[0]).expect("it can be read");
    assert_eq!(more.data_type(), &parser.data_type());
}
