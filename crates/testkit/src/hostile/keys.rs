//! Keys: many, equal or long ones, and objects that seem to continue.

use super::{Shape, around, numbered};

pub(super) const SHAPES: &[Shape] = &[
    Shape { name: "keys", make: |n| numbered("{", |at| format!("\"k{at:07}\":1,"), "\"z\":1}", n) },
    Shape { name: "keys_open", make: |n| numbered("{", |at| format!("\"k{at:07}\":"), "", n) },
    Shape {
        name: "keys_without_quotes",
        make: |n| numbered("{", |at| format!("k{at:07}:1,"), "z:1}", n),
    },
    Shape {
        name: "keys_without_values",
        make: |n| numbered("{", |at| format!("\"k{at:07}\","), "}", n),
    },
    Shape { name: "duplicate_keys", make: |n| around("{", "\"a\":1,", "\"a\":2}", n) },
    Shape { name: "duplicate_objects", make: |n| around("{", "\"a\":{\"b\":1},", "\"a\":{}}", n) },
    Shape { name: "duplicate_keys_of_items", make: |n| around("[", "{\"a\":1,\"a\":2},", "1]", n) },
    Shape {
        name: "pairs_of_keys",
        make: |n| numbered("{", |at| format!("\"k{:07}\":1,", at / 2), "\"z\":1}", n),
    },
    Shape { name: "long_keys", make: long_keys },
    Shape { name: "key_over_the_limit", make: |n| around("{\"", "k", "\":1}", n) },
    Shape { name: "bare_key_over_the_limit", make: |n| around("{\"a\":1,", "k", ":1}", n) },
    Shape { name: "quotes_in_key", make: |n| around("{\"a\":1,\"", "\" ", "\":1}", n) },
    Shape { name: "wide_then_small_objects", make: wide_then_small },
    Shape { name: "objects_in_wide_objects", make: |n| around("", wide_opening(), "", n) },
    Shape {
        name: "members_after_the_end",
        make: |n| numbered("{\"a\":{\"b\":1}},", |at| format!("\"k{at:07}\":1,"), "\"z\":1}", n),
    },
    Shape { name: "items_after_the_end", make: |n| around("[[1]],", "1,", "2]", n) },
    Shape {
        name: "keys_in_lists",
        make: |n| numbered("{\"a\":", |at| format!("[1,\"k{at:07}\":"), "1}", n),
    },
];

/// Different keys of maximal length.
fn long_keys(n: usize) -> Vec<u8> {
    let long = "k".repeat(4000);
    numbered("{", |at| format!("\"{long}{at:07}\":1,"), "\"z\":1}", n)
}

/// One object so wide that it needs a large table, and then many that need a small one.
fn wide_then_small(n: usize) -> Vec<u8> {
    let mut text = numbered("[{", |at| format!("\"{at}\":1,"), "\"z\":1}", n / 2);
    let small: String = (0..26).map(|at| format!("\"{at}\":1,")).collect();
    let unit = format!(",{{{small}\"z\":1}}");
    text.extend(around("", unit, "]", n - text.len()));
    text
}

/// The beginning of an object with more keys than a linear search handles.
fn wide_opening() -> String {
    let keys: String = (0..30).map(|key| format!("\"{key}\":1,")).collect();
    format!("{{{keys}\"a\":")
}
