//! Documents for tests, from JSON text. Malformed text panics.

use super::{Document, NodeId, NodeKind, Placement};

/// The document of a valid JSON text. Every value is complete.
pub(crate) fn document(json: &str) -> Document {
    let mut doc = Document::default();
    let mut open: Vec<NodeId> = Vec::new();
    let mut key: Option<String> = None;
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        let len = token_length(rest);
        let (token, after) = rest.split_at(len);
        rest = after;
        if matches!(first, ' ' | '\n' | ',' | ':') {
            continue;
        }
        if matches!(first, '}' | ']') {
            doc.complete(open.pop().expect("closers match openers"));
            continue;
        }
        if first == '"' && key.is_none() && rest.starts_with(':') {
            key = Some(string(token));
            continue;
        }
        let name = key.take();
        let place = match (open.last(), name.as_deref()) {
            (None, _) => Placement::Root,
            (Some(&object), Some(name)) => Placement::Member(object, name),
            (Some(&list), None) => Placement::Item(list),
        };
        match first {
            '{' => open.push(doc.open(place, NodeKind::Object)),
            '[' => open.push(doc.open(place, NodeKind::List)),
            '"' => drop(doc.scalar(place, NodeKind::String, &string(token))),
            'n' => drop(doc.scalar(place, NodeKind::Null, token)),
            't' => drop(doc.scalar(place, NodeKind::True, token)),
            'f' => drop(doc.scalar(place, NodeKind::False, token)),
            _ => drop(doc.scalar(place, NodeKind::Number, token)),
        }
    }
    doc
}

fn token_length(text: &str) -> usize {
    match text.as_bytes()[0] {
        b'"' => {
            let mut escaped = false;
            let closer = text[1..].bytes().position(|byte| {
                let closes = byte == b'"' && !escaped;
                escaped = byte == b'\\' && !escaped;
                closes
            });
            closer.expect("strings are closed") + 2
        }
        b'{' | b'}' | b'[' | b']' | b',' | b':' | b' ' | b'\n' => 1,
        _ => text.find([',', ' ', '\n', '}', ']']).unwrap_or(text.len()),
    }
}

fn string(token: &str) -> String {
    serde_json::from_str(token).expect("strings are valid JSON")
}

/// `depth` nested containers, alternately lists and objects, with a number in the innermost.
pub(crate) fn deep(depth: usize, number: &str) -> Document {
    let mut doc = Document::default();
    let mut place = Placement::Root;
    let mut open = Vec::new();
    for level in 0..depth {
        let is_list = level % 2 == 0;
        let node = doc.open(place, if is_list { NodeKind::List } else { NodeKind::Object });
        open.push(node);
        place = if is_list { Placement::Item(node) } else { Placement::Member(node, "a") };
    }
    doc.scalar(place, NodeKind::Number, number);
    open.into_iter().for_each(|node| doc.complete(node));
    doc
}

/// Runs on the stack that a thread has by default. Serde recurses, and so deep that an unoptimised build may take
/// 3 KiB a level.
pub(crate) fn on_stack_of_a_thread(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(test);
    thread.expect("threads can be started").join().expect("the test passes on 2 MiB");
}

/// Runs `test` where a recursion per level of a deep value would overflow the stack.
pub(crate) fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(test);
    thread.expect("threads can be started").join().expect("the test passes on a small stack");
}
