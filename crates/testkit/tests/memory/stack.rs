//! Depth needs no stack: a thread with a small one does everything that can be done with a value.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use patchwire::{Event, PatchOp, Value, ValueRef, event::Recorder, wire::IncludeValues};
use testkit::hostile;

use crate::measure::read;

const LEVELS: usize = 300_000;
const STACK: usize = 256 << 10;

fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(test);
    thread.expect("threads can be started").join().expect("the test passes on a small stack");
}

/// So many lists and objects in turn, and a string in them.
fn deep(levels: usize) -> String {
    format!("{}\"x\"{}", "[{\"a\":".repeat(levels / 2), "}]".repeat(levels / 2))
}

/// Behind the first letter of the string.
fn innermost(text: &str) -> usize {
    text.find("\"x").map_or(0, |at| at + 2)
}

fn depth(mut value: ValueRef<'_>) -> usize {
    let mut depth = 0;
    while let Some((_, child)) = value.entries().next() {
        value = child;
        depth += 1;
    }
    assert_eq!(value.as_str(), Some("x"));
    depth
}

#[test]
fn a_deep_value_is_read_copied_compared_printed_and_dropped() {
    on_small_stack(|| {
        let text = deep(LEVELS);
        for way in ["lenient", "strict"] {
            let spec = hostile::way(way).spec;
            let answer = read(&spec, text.as_bytes(), 4096, |_| {}).expect("JSON");
            let value = answer.value();
            assert_eq!(depth(value), LEVELS);
            let copy: Value = value.to_value();
            let again = copy.clone();
            assert!(copy == again && copy == value);
            assert_eq!(value.to_string(), text);
            assert!(format!("{copy:?}").len() > LEVELS / 2);
            assert!(value.to_serde_json().is_err());
            assert!(value.read::<serde::de::IgnoredAny>().is_ok());
            drop((copy, again, answer));
        }
    });
}

#[test]
fn a_deep_stream_is_cloned_compared_owned_printed_and_dropped() {
    on_small_stack(|| {
        let text = deep(LEVELS);
        let (first, rest) = text.split_at(innermost(&text));
        let mut parser = hostile::way("lenient").spec.parser();
        assert_eq!(parser.feed(first, |_| {}), Ok(()));
        let other = parser.clone();
        assert!(other == parser);
        drop(other);
        assert_eq!(depth(parser.value()), LEVELS);
        let mut owned = Vec::new();
        let fed = parser.feed(rest, |event| {
            if owned.len() < 4 {
                assert!(event.wire(IncludeValues::All).to_string().len() > LEVELS);
                owned.push(event.to_owned());
            }
        });
        assert_eq!((fed, owned.len()), (Ok(()), 4));
        assert!(owned.iter().all(|event| event.to_string().len() > LEVELS));
        let answer = parser.finish(|event| drop(event.to_owned())).expect("JSON");
        drop((parser, answer, owned));
    });
}

#[test]
fn a_deep_path_is_owned_compared_hashed_printed_and_dropped() {
    on_small_stack(|| {
        let text = deep(LEVELS);
        let mut parser = hostile::way("bare").spec.parser();
        let mut paths = HashSet::new();
        let fed = parser.feed(&text[..innermost(&text)], |event| {
            let Event::Patch(patch) = event else { return };
            if patch.op != PatchOp::Delta {
                return;
            }
            let path = patch.path.to_path_buf();
            assert!(path == patch.path && path.len() == LEVELS);
            let printed = path.to_string();
            assert!(path == *printed.as_str());
            assert!(patch.path.wildcard().to_string().len() > LEVELS);
            assert!(patch.path.pointer().to_string().len() > LEVELS);
            assert!(patch.path.json_path().to_string().len() > LEVELS);
            let hasher = RandomState::new();
            assert_eq!(hasher.hash_one(&path), hasher.hash_one(path.clone()));
            paths.insert(path);
        });
        assert_eq!((fed, paths.len()), (Ok(()), 1));
        assert!(paths.iter().all(|path| path.parent().is_some()));
    });
}

/// A recorder keeps a path for each level. It checks itself in builds with assertions, at each event
/// along its path: so this is not as deep, and still far too deep for a call a level.
#[test]
fn the_paths_a_recorder_keeps_are_dropped() {
    on_small_stack(|| {
        let text = deep(6_000);
        let mut recorder = Recorder::default();
        let mut parser = hostile::way("lenient").spec.parser();
        let mut last = None;
        let fed = parser.feed(&text, |event| last = Some(recorder.own(&event)));
        assert_eq!(fed, Ok(()));
        drop((recorder, last));
    });
}

/// Only serde's own traits recurse: as deep as is allowed, and no deeper for a deeper value.
#[test]
fn code_that_recurses_is_given_no_more_levels_than_said() {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(|| {
        for levels in [512, 514, LEVELS] {
            let text = deep(levels);
            let spec = hostile::way("lenient").spec;
            let answer = read(&spec, text.as_bytes(), 4096, |_| {}).expect("JSON");
            let value = answer.value();
            let is_shallow = levels == 512;
            assert_eq!(serde_json::to_string(&value).is_ok(), is_shallow, "{levels}");
            assert_eq!(value.read::<serde_json::Value>().is_ok(), is_shallow, "{levels}");
            let json = value.to_serde_json();
            assert_eq!(json.is_ok(), is_shallow, "{levels}");
            let printed = json.map(|json| json.to_string());
            assert!(printed.is_err() || printed == Ok(text), "{levels}");
        }
    });
    thread.expect("threads can be started").join().expect("the test passes");
}
