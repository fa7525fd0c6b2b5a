//! Makes the events of a stream owned, with shared paths.

use super::{Event, OwnedEvent, Patch, PatchOp};
use crate::document::{DocId, NodeId};
use crate::path::{Path, PathBuf, Segment};

/// Owns the events of one parser.
///
/// The result equals that of [`Event::to_owned`], at a lower cost: all patches of a field share one path,
/// which extends the path of its container. So a delta allocates nothing, if its text is short or a slice of fed
/// [`Bytes`](bytes::Bytes).
///
/// It must see every event of its parser, in order.
///
/// ```
/// use patchwire::{Spec, event::Recorder};
///
/// let (mut recorder, mut events) = (Recorder::default(), Vec::new());
/// let mut parser = Spec::json().parser();
/// parser.feed(r#"{"title": "Hel"#, |event| events.push(recorder.own(&event)))?;
/// parser.feed("lo\"}", |event| events.push(recorder.own(&event)))?;
/// parser.finish(|event| events.push(recorder.own(&event)))?;
/// assert_eq!(events.len(), 8);
/// # Ok::<(), patchwire::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    document: Option<DocId>,
    /// The last field at each depth from 1 on, and its path. `None` for a field if a list of siblings
    /// continues, because that is not emitted.
    line: Vec<(Option<NodeId>, PathBuf)>,
}

impl Recorder {
    /// An owned copy of the event.
    #[must_use]
    pub fn own(&mut self, event: &Event<'_>) -> OwnedEvent {
        match event {
            Event::Patch(patch) => {
                let path = self.path(patch);
                OwnedEvent::Patch(patch.to_owned_with(path, patch.delta.to_shared()))
            }
            event => event.to_owned(),
        }
    }

    #[inline(always)]
    fn path(&mut self, patch: &Patch<'_>) -> PathBuf {
        // Most patches go on with the text of the last field.
        if let Some((Some(node), path)) = self.line.last()
            && (patch.op, *node) == (PatchOp::Delta, patch.node)
            && self.document == Some(patch.document)
        {
            return path.clone();
        }
        self.path_of_other(patch)
    }

    #[inline(never)]
    fn path_of_other(&mut self, patch: &Patch<'_>) -> PathBuf {
        if self.document.replace(patch.document) != Some(patch.document) {
            self.line.clear();
        }
        let Some(last) = patch.path.last() else { return PathBuf::root() };
        let above = patch.path.len() - 1;
        if !is_in_order(patch) {
            // Fields below this one may move to another place.
            self.line.truncate(above);
            return patch.path.to_path_buf();
        }
        if self.line.len() < above {
            return patch.path.to_path_buf();
        }
        if let Some((node, path)) = self.line.get(above)
            && *node == Some(patch.node)
        {
            return path.clone();
        }
        self.turn_to(patch.path.parent().and_then(Path::last), above);
        let path = self.below(above).child(last);
        debug_assert!(path == patch.path, "{path} is not {}: an event was left out", patch.path);
        self.line.truncate(above);
        self.line.push((Some(patch.node), path.clone()));
        path
    }

    /// Moves to a container. A list of siblings may continue without an event, so its fields can follow
    /// other fields.
    fn turn_to(&mut self, container: Option<Segment<'_>>, depth: usize) {
        let (Some(at), Some(container)) = (depth.checked_sub(1), container) else { return };
        if self.line[at].1.last() != Some(container) {
            let path = self.below(at).child(container);
            self.line.truncate(at);
            self.line.push((None, path));
        }
    }

    /// The path of the container at a depth.
    fn below(&self, depth: usize) -> PathBuf {
        depth.checked_sub(1).map_or_else(PathBuf::root, |at| self.line[at].1.clone())
    }
}

/// Whether the patch follows the one of its container. The finalizer replaces and removes in any order, and a
/// removal changes the indexes of a list.
const fn is_in_order(patch: &Patch<'_>) -> bool {
    matches!(patch.op, PatchOp::Open | PatchOp::Delta | PatchOp::Done)
}

#[cfg(test)]
mod tests {
    use super::Recorder;
    use crate::event::{OwnedEvent, PatchOp};
    use crate::format::json::Roots;
    use crate::schema::Schema;
    use crate::spec::Spec;

    /// The recorder's events, and the events made owned one by one.
    fn both(spec: &Spec, text: &str) -> (Vec<OwnedEvent>, Vec<OwnedEvent>) {
        let (mut shared, mut single) = (Vec::new(), Vec::new());
        let (mut recorder, mut parser) = (Recorder::default(), spec.parser());
        for chunk in text.as_bytes().chunks(3) {
            let emit = |event: crate::event::Event<'_>| {
                shared.push(recorder.own(&event));
                single.push(event.to_owned());
            };
            parser.feed(chunk, emit).unwrap();
        }
        let emit = |event: crate::event::Event<'_>| {
            shared.push(recorder.own(&event));
            single.push(event.to_owned());
        };
        parser.finish(emit).unwrap();
        (shared, single)
    }

    /// A correction at the end is none of the fields of its line, although they have the same names.
    #[test]
    fn a_correction_has_its_own_path() {
        let schema = r#"{"a": {"b": {"c": "int"}}, "x": {"b": {"c": "int"}}}"#;
        let schema = Schema::from_output_dsl_text(schema).unwrap();
        let spec = Spec::builder().schema(schema).build().unwrap();
        let (shared, single) = both(&spec, r#"{"a": {"b": {"c": "5"}}, "x": {"b": {"c": 1}}}"#);
        assert_eq!(shared, single);
        let corrected = shared.iter().filter_map(|event| match event {
            OwnedEvent::Patch(patch) if patch.op == PatchOp::Replace => {
                Some(patch.path.to_string())
            }
            _ => None,
        });
        assert_eq!(corrected.collect::<Vec<_>>(), ["a.b.c"]);
    }

    #[test]
    fn a_recorded_event_is_the_event() {
        let texts = [
            r#"<think>so</think> {"a": {"b": [1, "two", [], {"c": null}]}, "d": "four", "e": {"b": 1}}"#,
            r#"{"a": 1, "b": {"x": "one"}, "a": {"x": [2]}, "b": 3} and {"a": 4}"#,
            r#"{"list": ["a", "b": 1, "c": ["d"]}"#,
            r#"{"a": [{"b": "cut"#,
            "```json\n{\"a\": 1}\n```\n[1, [2, [3]]]",
        ];
        let concatenated = Spec::builder().roots(Roots::Concatenated).build().unwrap();
        for text in texts {
            for spec in [&Spec::json(), &concatenated] {
                let (shared, single) = both(spec, text);
                assert_eq!(shared, single, "{text}");
            }
        }
    }

    /// The patches of a field have one path, and not equal ones.
    #[test]
    fn the_patches_of_a_field_share_its_path() {
        let text = r#"{"a": {"b": "several chunks of text", "c": [1, "and more of it"]}}"#;
        let (shared, single) = both(&Spec::json(), text);
        let names = |events: &[OwnedEvent], name: &str| -> Vec<*const u8> {
            let paths = events.iter().filter_map(|event| match event {
                OwnedEvent::Patch(patch) => Some(&patch.path),
                _ => None,
            });
            let last = |path: &crate::PathBuf| match path.last() {
                Some(crate::path::Segment::Key(key)) if key == name => Some(key.as_ptr()),
                _ => None,
            };
            paths.filter_map(last).collect()
        };
        for (name, least) in [("a", 2), ("b", 5), ("c", 2)] {
            let mut places = names(&shared, name);
            let count = places.len();
            assert!(count >= least, "{name}: {count}");
            places.dedup();
            assert_eq!(places.len(), 1, "{name}");
            let mut places = names(&single, name);
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), count, "{name}");
        }
    }
}
