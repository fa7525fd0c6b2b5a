//! The cost of owning an event.

use bytes::Bytes;
use patchwire::{Event, OwnedEvent, PatchOp, Spec, document::NodeId, event::Recorder};

/// A patch that was owned, and the allocations it took.
struct Owned {
    node: NodeId,
    path: String,
    op: PatchOp,
    count: u64,
}

const UNIT: &str =
    "{\"name\":\"a longer name than most\",\"n\":12,\"ok\":true,\"in\":[\"x\",null,{}]},";

/// Owns every patch of thirty records, by a recorder that sees all of them; of the last twenty.
fn recorded(shared: bool) -> Vec<Owned> {
    let text = format!("[{}null]", UNIT.repeat(30));
    let mut parser = Spec::json().parser();
    let mut recorder = Recorder::default();
    let mut owned = Vec::new();
    let mut events: Vec<OwnedEvent> = Vec::new();
    let mut own = |event: Event<'_>| {
        let mut made = None;
        let count = allocation_counter::measure(|| made = Some(recorder.own(&event))).count_total;
        if let Event::Patch(patch) = &event {
            let path = patch.path.to_string();
            owned.push(Owned { node: patch.node, path, op: patch.op, count });
        }
        events.extend(made);
    };
    for chunk in text.as_bytes().chunks(6) {
        let fed = if shared {
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

/// The allocations of owning a patch: the first of its node, and a later one.
fn check(shared: bool) {
    let (mut seen, mut of_blocks, mut deltas) = (Vec::new(), 0, 0);
    for Owned { node, path, op, count } in recorded(shared) {
        // The field's path, which all its patches share, below its container's.
        let first = u64::from(!seen.contains(&node) && !path.is_empty());
        seen.push(node);
        let is_text = path.ends_with("name") || path.ends_with("[0]");
        let is_number = path.ends_with(".n");
        let content = match op {
            // Now and then a block for the texts of the next deltas.
            PatchOp::Delta if !shared => {
                deltas += 1;
                of_blocks += count - first;
                continue;
            }
            // A value of its own: the pointer to it, its node, its text.
            PatchOp::Done if is_text || is_number => 3,
            // True, false, null, and what is empty or a container: nothing new.
            _ => 0,
        };
        let name = op.name();
        assert_eq!(count, first + content, "{name} {path:?}, shared: {shared}");
    }
    assert!(shared || (deltas > 100 && of_blocks <= 6), "{of_blocks} for {deltas}");
}

#[test]
fn deltas_share_blocks_and_a_field_costs_its_path_once() {
    check(false);
}

#[test]
fn a_delta_of_a_shared_buffer_costs_nothing() {
    check(true);
}
