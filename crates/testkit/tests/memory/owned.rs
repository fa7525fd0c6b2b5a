//! The cost of owning an event.

use bytes::Bytes;
use patchwire::{Event, OwnedEvent, PatchOp, Spec, document::NodeId, event::Recorder};

/// A patch that was owned, and the allocations it took.
struct Owned {
    node: NodeId,
    path: String,
    op: PatchOp,
    /// The bytes of its text.
    len: usize,
    count: u64,
}

/// How the records are read.
#[derive(Debug, Clone, Copy)]
struct Way {
    chunk: usize,
    /// Chunks are shared buffers.
    shared: bool,
    /// Events are kept to the end.
    kept: bool,
}

const UNIT: &str =
    "{\"name\":\"a longer name than most\",\"n\":12,\"ok\":true,\"in\":[\"x\",null,{}]},";

/// Owns every patch of thirty records, by a recorder that sees all of them; of the last twenty.
fn recorded(way: Way) -> Vec<Owned> {
    let text = format!("[{}null]", UNIT.repeat(30));
    let mut parser = Spec::json().parser();
    let mut recorder = Recorder::default();
    let mut owned = Vec::new();
    let mut events: Vec<OwnedEvent> = Vec::new();
    let mut own = |event: Event<'_>| {
        let mut made = None;
        let count = allocation_counter::measure(|| made = Some(recorder.own(&event))).count_total;
        if let Event::Patch(patch) = &event {
            let (path, len) = (patch.path.to_string(), patch.delta.len());
            owned.push(Owned { node: patch.node, path, op: patch.op, len, count });
        }
        events.extend(made.filter(|_| way.kept));
    };
    for chunk in text.as_bytes().chunks(way.chunk) {
        let fed = if way.shared {
            parser.feed_bytes(Bytes::copy_from_slice(chunk), &mut own)
        } else {
            parser.feed(chunk, &mut own)
        };
        fed.expect("JSON");
    }
    parser.finish(&mut own).expect("JSON");
    let warm = owned.iter().position(|patch| patch.path == "[10]").expect("an eleventh record");
    owned.split_off(warm)
}

/// What owning a patch allocates, for every patch of records that are read in short chunks and long ones.
fn check(shared: bool, kept: bool) {
    for chunk in [6, 64] {
        let way = Way { chunk, shared, kept };
        let (mut seen, mut long) = (Vec::new(), 0);
        for Owned { node, path, op, len, count } in recorded(way) {
            let is_first = !seen.contains(&node) && !path.is_empty();
            seen.push(node);
            let is_text = path.ends_with("name") || path.ends_with("[0]");
            // The field's path, which all its patches share, below its container's. It takes the place of the last
            // one in its container, if that is gone.
            let path_is_new = is_first && (kept || is_text);
            let content = match op {
                PatchOp::Delta if len > 20 => {
                    long += 1;
                    u64::from(!shared)
                }
                // A value of its own: the pointer to it, its node, its text.
                PatchOp::Done if kept && (is_text || path.ends_with(".n")) => 3,
                // Short deltas; true, false, null, and what is empty or a container: nothing new.
                _ => 0,
            };
            assert_eq!(count, u64::from(path_is_new) + content, "{} {path:?}, {way:?}", op.name());
        }
        assert_eq!(long > 0, chunk > 20, "{way:?}");
    }
}

#[test]
fn a_field_costs_its_path_once_and_a_short_delta_nothing() {
    check(false, true);
}

#[test]
fn a_long_delta_of_a_shared_buffer_costs_nothing_either() {
    check(true, true);
}

#[test]
fn what_is_gone_is_used_again() {
    check(false, false);
    check(true, false);
}
