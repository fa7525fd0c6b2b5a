use serde_json::Value;

use super::{Contender, Found, Manner, all};
use crate::chunks::WHOLE;
use crate::input::{KB, Shape};

/// Bytes of string values in a tree.
fn text(value: &Value) -> u64 {
    match value {
        Value::String(text) => text.len() as u64,
        Value::Array(items) => items.iter().map(text).sum(),
        Value::Object(members) => members.values().map(text).sum(),
        _ => 0,
    }
}

fn for_each(check: impl Fn(&dyn Contender, &str, usize, Found)) {
    for shape in Shape::ALL {
        let input = shape.build(3 * KB);
        for contender in all() {
            for size in [1, 3, 4, 16, 64, 4096, WHOLE] {
                check(&*contender, &input, size, contender.read(&input, size));
            }
        }
    }
}

#[test]
fn all_that_stream_find_the_same_text() {
    for_each(|contender, input, size, found| {
        let tree: Value = serde_json::from_str(input).unwrap();
        if contender.manner() == Manner::Streams {
            assert_eq!(found.text, text(&tree), "{} in chunks of {size}", contender.name());
        }
    });
}

#[test]
fn all_answer_something() {
    for_each(|contender, _, size, found| {
        assert!(found.events > 0 && found.other > 0, "{} in chunks of {size}", contender.name());
        assert_ne!(found.checksum(), Found::default().checksum());
    });
}

#[test]
fn rereading_tells_once_a_chunk_and_waiting_once() {
    for_each(|contender, input, size, found| match contender.manner() {
        Manner::Rereads if size == WHOLE => assert_eq!(found.events, 1),
        Manner::Rereads => assert!(found.events * 5 * size as u64 >= input.len() as u64),
        Manner::Waits => assert_eq!(found.events, 1),
        Manner::Streams => assert!(found.events > 10),
    });
}

#[test]
fn names_differ() {
    let mut names: Vec<_> = all().iter().map(|contender| contender.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all().len());
}
