//! Nesting.

use super::{Shape, around, nested};

pub(super) const SHAPES: &[Shape] = &[
    Shape { name: "lists_open", make: |n| around("", "[", "", n) },
    Shape { name: "lists_closed", make: |n| nested("[", "", "]", n) },
    Shape { name: "objects_open", make: |n| around("", "{\"a\":", "", n) },
    Shape { name: "objects_closed", make: |n| nested("{\"a\":", "1", "}", n) },
    Shape { name: "mixed_open", make: |n| around("", "[{\"a\":", "", n) },
    Shape { name: "mixed_closed", make: |n| nested("[{\"a\":", "null", "}]", n) },
    Shape {
        name: "everything_open",
        make: |n| around("", "{\"a\":[\"b\",{\"c\":[", "{\"d\":\"e", n),
    },
    Shape { name: "closed_by_the_wrong_closer", make: |n| nested("[{\"a\":", "1", "]}", n) },
    Shape { name: "deep_siblings", make: |n| joined(n, nested("[", "", "", n / 2), "1,") },
    Shape { name: "deep_string", make: |n| joined(n, nested("{\"k\":", "\"", "", n / 2), "text ") },
    Shape { name: "deep_repairs", make: |n| joined(n, nested("[", "", "", n / 2), ",") },
    Shape { name: "deep_long_keys", make: deep_long_keys },
    Shape {
        name: "duplicates_at_each_depth",
        make: |n| around("", "{\"d\":1,\"d\":2,\"a\":", "", n),
    },
    Shape { name: "duplicates_of_containers", make: |n| nested("{\"a\":1,\"a\":", "2", "}", n) },
    Shape { name: "items_that_were_keys", make: |n| around("", "{\"a\":[1,\"b\":", "", n) },
    Shape { name: "empty_lists", make: |n| around("[", "[],", "[]]", n) },
    Shape { name: "empty_objects", make: |n| around("[", "{},", "{}]", n) },
    Shape { name: "hills", make: |n| around("[", "[[[[{\"a\":{\"b\":1}}]]]],", "1]", n) },
];

/// `head`, and copies of `unit` up to `n` bytes in total.
fn joined(n: usize, mut head: Vec<u8>, unit: &str) -> Vec<u8> {
    let count = n.saturating_sub(head.len()) / unit.len();
    head.extend(unit.repeat(count).bytes());
    head
}

/// A few levels of keys of maximal length, and then many values that each need a notice with their path.
fn deep_long_keys(n: usize) -> Vec<u8> {
    let level = format!("{{\"{}\":", "k".repeat(1000));
    let head = around("", level, "[", n / 2);
    joined(n, head, ",")
}
