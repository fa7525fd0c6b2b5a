//! Makes the events of a stream owned, with shared paths.

use std::sync::Arc;

use super::owned::{kept_value, single};
use super::{Event, OwnedEvent, Patch, PatchOp, SharedText};
use crate::document::{DocId, Document, NodeId, NodeKind, Value};
use crate::path::{Path, PathBuf, Segment};

/// Owns the events of one parser.
///
/// The result equals that of [`Event::to_owned`], at a lower cost: all patches of a field share one path,
/// which extends the path of its container. So a delta allocates nothing, if its text is short or a slice of fed
/// [`Bytes`](bytes::Bytes). What an event allocated is used again, if the event is gone when the next field comes.
///
/// It must see every event of its parser, in order: in [`own`](Self::own), or in [`observe`](Self::observe).
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
    /// The last short value. If its event is gone, the next value takes its place.
    leaf: Option<Arc<Document>>,
}

/// Longer values have a document of their own: one that is filled again stays as big as its longest value.
const LEAF: usize = 64;

impl Recorder {
    /// An owned copy of the event.
    // Most events go on with the text of the last field. Not inlined: the event is then made where the caller puts it.
    #[must_use]
    #[inline(never)]
    pub fn own(&mut self, event: &Event<'_>) -> OwnedEvent {
        if let Event::Patch(patch) = event
            && patch.op == PatchOp::Delta
            && let Some(delta) = SharedText::short(&patch.delta)
            && let Some(path) = self.path_of_last(patch)
        {
            return OwnedEvent::Patch(patch.owned_with(path.clone(), delta, None));
        }
        self.own_other(event)
    }

    /// Sees an event that nobody needs, so that those behind it are owned as if it had been owned, too.
    ///
    /// ```
    /// use patchwire::{Spec, event::Recorder};
    ///
    /// let (mut recorder, mut last) = (Recorder::default(), None);
    /// let mut parser = Spec::json().parser();
    /// parser.feed(r#"{"title": "Hel"#, |event| recorder.observe(&event))?;
    /// parser.feed("lo", |event| last = Some((recorder.own(&event), event.to_owned())))?;
    /// let (owned, expected) = last.expect("a delta");
    /// assert_eq!(owned, expected);
    /// # Ok::<(), patchwire::Error>(())
    /// ```
    pub fn observe(&mut self, event: &Event<'_>) {
        let Event::Patch(patch) = event else { return };
        if patch.op != PatchOp::Delta || self.path_of_last(patch).is_none() {
            drop(self.path(patch));
        }
    }

    /// The path of the last field, if the patch is one of it.
    #[inline(always)]
    fn path_of_last(&self, patch: &Patch<'_>) -> Option<&PathBuf> {
        let (node, path) = self.line.last()?;
        let is_last = *node == Some(patch.node) && self.document == Some(patch.document);
        is_last.then_some(path)
    }

    #[inline(never)]
    fn own_other(&mut self, event: &Event<'_>) -> OwnedEvent {
        let Event::Patch(patch) = event else { return event.to_owned() };
        let path = self.path(patch);
        let (delta, value) = match patch.op {
            PatchOp::Delta => (patch.delta.to_shared(), None),
            _ => (SharedText::default(), kept_value(patch, |kind, text| self.leaf(kind, text))),
        };
        OwnedEvent::Patch(patch.owned_with(path, delta, value))
    }

    /// A text or a number.
    fn leaf(&mut self, kind: NodeKind, text: &str) -> Value {
        if text.len() > LEAF {
            return single(kind, text);
        }
        let leaf = self.leaf.get_or_insert_default();
        match Arc::get_mut(leaf) {
            Some(document) => document.set_alone(kind, text, true),
            None => *leaf = Arc::new(Document::one_scalar(kind, text)),
        }
        Value::of(leaf)
    }

    fn path(&mut self, patch: &Patch<'_>) -> PathBuf {
        if self.document.replace(patch.document) != Some(patch.document) {
            self.line.clear();
        }
        let Some(above) = patch.path.len().checked_sub(1) else { return PathBuf::root() };
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
        let Some(last) = patch.path.last() else { return PathBuf::root() };
        self.turn_to(patch.path.parent().and_then(Path::last), above);
        let path = self.set(above, Some(patch.node), last);
        debug_assert!(path == patch.path, "{path} is not {}: an event was left out", patch.path);
        path
    }

    /// Moves to a container. A list of siblings may continue without an event, so its fields can follow
    /// other fields.
    fn turn_to(&mut self, container: Option<Segment<'_>>, depth: usize) {
        let (Some(at), Some(container)) = (depth.checked_sub(1), container) else { return };
        if !self.line[at].1.ends_in(container) {
            self.set(at, None, container);
        }
    }

    /// Makes a field the last one at its depth, below the last one above it.
    fn set(&mut self, depth: usize, node: Option<NodeId>, step: Segment<'_>) -> PathBuf {
        self.line.truncate(depth + 1);
        if let Some((last, path)) = self.line.get_mut(depth) {
            *last = node;
            path.set_last(step);
            return path.clone();
        }
        let above = depth.checked_sub(1).map(|above| &self.line[above].1);
        let path = above.unwrap_or(&PathBuf::root()).child(step);
        self.line.push((node, path.clone()));
        path
    }
}

/// Whether the patch follows the one of its container. The finalizer replaces and removes in any order, and a
/// removal changes the indexes of a list.
const fn is_in_order(patch: &Patch<'_>) -> bool {
    matches!(patch.op, PatchOp::Open | PatchOp::Delta | PatchOp::Done)
}

#[cfg(test)]
mod tests {
    use super::{DocId, Document, LEAF, NodeId, Patch, Recorder, Segment};
    use crate::event::{Event, Origin, OwnedEvent, OwnedPatch, PatchOp, Text};
    use crate::format::json::Roots;
    use crate::format::xml::XmlBody;
    use crate::path::PathStack;
    use crate::schema::Schema;
    use crate::span::Span;
    use crate::spec::Spec;

    /// The recorder's events, and the events made owned one by one.
    fn both(spec: &Spec, text: &str) -> (Vec<OwnedEvent>, Vec<OwnedEvent>) {
        let (mut shared, mut single) = (Vec::new(), Vec::new());
        let (mut recorder, mut parser) = (Recorder::default(), spec.parser());
        for chunk in text.as_bytes().chunks(3) {
            let emit = |event: Event<'_>| {
                shared.push(recorder.own(&event));
                single.push(event.to_owned());
            };
            parser.feed(chunk, emit).unwrap();
        }
        let emit = |event: Event<'_>| {
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

    const TEXTS: [&str; 6] = [
        r#"<think>so</think> {"a": {"b": [1, "two", [], {"c": null}]}, "d": "four", "e": {"b": 1}}"#,
        r#"{"a": 1, "b": {"x": "one"}, "a": {"x": [2]}, "b": 3} and {"a": 4}"#,
        r#"{"list": ["a", "b": 1, "c": ["d"]}"#,
        r#"{"a": [{"b": "cut"#,
        "```json\n{\"a\": 1}\n```\n[1, [2, [3]]]",
        r#"{"a": ["a text of more than 20 bytes", {"a key of more than 22 bytes": "ü€🙂"}], "b": {"c": 1, "d": 2}}"#,
    ];

    #[test]
    fn a_recorded_event_is_the_event() {
        let concatenated = Spec::builder().roots(Roots::Concatenated).build().unwrap();
        for text in TEXTS {
            for spec in [&Spec::json(), &concatenated] {
                let (shared, single) = both(spec, text);
                assert_eq!(shared, single, "{text}");
            }
        }
    }

    /// Whichever events were only seen before.
    #[test]
    fn a_recorded_event_behind_others_that_were_only_seen_is_the_event() {
        for text in TEXTS {
            for first in 0..40 {
                let (mut count, mut recorder, mut parser) =
                    (0, Recorder::default(), Spec::json().parser());
                let mut emit = |event: Event<'_>| {
                    count += 1;
                    if count > first && count % 3 > 0 {
                        assert_eq!(recorder.own(&event), event.to_owned(), "{text} from {first}");
                    } else {
                        recorder.observe(&event);
                    }
                };
                for chunk in text.as_bytes().chunks(3) {
                    parser.feed(chunk, &mut emit).unwrap();
                }
                parser.finish(&mut emit).unwrap();
            }
        }
    }

    /// A list of siblings goes on without an event, wherever the last field was.
    #[test]
    fn a_recorded_sibling_has_the_path_of_its_list() {
        let body = XmlBody::any().typed_by_content().machine();
        let spec = Spec::builder().without_tags().machine(body).build().unwrap();
        for text in [
            "<r><a>1</a><a>2</a><a>3</a></r>",
            "<r><a>1</a><a>2</a><b>x</b><a>3</a><a>4</a></r>",
            "<r><a>1</a><a>2</a><b><c>x</c></b><a><d>3</d></a><e>y</e><e>z</e><a>4</a></r>",
            "<r><a>one</a><b>x</b><a>two</a><b>y</b><a>three</a></r>",
            "<r><a><b>1</b><c><d>x</d><d>y</d></c></a><e>z</e><a><b>2</b><b>3</b></a><e>w</e></r>",
            "<r>so<a n=\"1\">x</a>far<a>y</a></r>",
        ] {
            let (shared, single) = both(&spec, text);
            assert_eq!(shared, single, "{text}");
        }
    }

    /// What a field is called after another one was removed or changed its kind.
    #[test]
    fn a_field_that_moved_has_its_new_path() {
        let (open, delta) = (PatchOp::Open, PatchOp::Delta);
        let (remove, replace) = (PatchOp::Remove, PatchOp::Replace);
        let mut recorder = Recorder::default();
        for (node, op, path) in [
            (0, open, &[][..]),
            (1, open, &[Segment::Key("l")]),
            (2, open, &[Segment::Key("l"), Segment::Index(0)]),
            (3, open, &[Segment::Key("l"), Segment::Index(1)]),
            (3, delta, &[Segment::Key("l"), Segment::Index(1)]),
            (2, remove, &[Segment::Key("l"), Segment::Index(0)]),
            (3, delta, &[Segment::Key("l"), Segment::Index(0)]),
            (1, replace, &[Segment::Key("l")]),
            (3, delta, &[Segment::Key("l"), Segment::Key("k")]),
            (4, open, &[Segment::Key("l"), Segment::Key("m")]),
            (0, replace, &[]),
            (4, delta, &[Segment::Key("m")]),
        ] {
            let mut stack = PathStack::default();
            for step in path {
                stack.push(matches!(step, Segment::Index(_)));
                match step {
                    Segment::Key(key) => stack.set_key(key),
                    Segment::Index(index) => stack.set_index(*index),
                }
            }
            let document = Document::default();
            let event = Event::Patch(Patch {
                document: DocId(0),
                origin: &Origin::ANSWER,
                node: NodeId(node),
                path: stack.path(stack.depth()),
                op,
                delta: Text::new(if op == delta { "x" } else { "" }, None),
                value: document.value(),
                completion: None,
                repaired: false,
                deferred: false,
                span: Span::at(0),
                root: document.value(),
            });
            assert_eq!(recorder.own(&event), event.to_owned(), "{path:?}");
        }
    }

    /// At every cut, and whichever events are gone when the next one comes: what is used again changes no event that is
    /// still there.
    #[test]
    fn a_recorded_event_stays_the_event() {
        for text in TEXTS {
            for (cut, every) in (0..=text.len()).flat_map(|cut| [1, 2, 3, 99].map(|it| (cut, it))) {
                let (mut kept, mut count) = (Vec::new(), 0);
                let (mut recorder, mut parser) = (Recorder::default(), Spec::json().parser());
                let mut emit = |event: Event<'_>| {
                    let (owned, single) = (recorder.own(&event), event.to_owned());
                    assert_eq!(owned, single, "{text} cut at {cut}");
                    count += 1;
                    if count % every == 0 {
                        kept.push((owned, single));
                    }
                };
                let (one, other) = text.as_bytes().split_at(cut);
                parser.feed(one, &mut emit).unwrap();
                parser.feed(other, &mut emit).unwrap();
                parser.finish(&mut emit).unwrap();
                for (owned, single) in kept {
                    assert_eq!(owned, single, "{text} cut at {cut}, every {every} kept");
                }
            }
        }
    }

    /// Reads a text, and calls `see` with each patch before it is gone.
    fn each_patch(text: &str, mut see: impl FnMut(&Recorder, &OwnedPatch)) {
        let (mut recorder, mut parser) = (Recorder::default(), Spec::json().parser());
        let fed = parser.feed(text, |event| {
            if let OwnedEvent::Patch(patch) = recorder.own(&event) {
                see(&recorder, &patch);
            }
        });
        fed.unwrap();
    }

    #[test]
    fn what_is_gone_is_used_again() {
        let (mut keys, mut texts) = (Vec::new(), Vec::new());
        each_patch(r#"{"a": "one", "b": "two", "c": "ten"}"#, |_, patch| {
            if let Some(Segment::Key(key)) = patch.path.last() {
                keys.push(key.as_ptr());
            }
            if patch.op == PatchOp::Done && !patch.path.is_empty() {
                let value = patch.value.as_ref().and_then(|value| value.as_ref().as_str());
                texts.push(value.map(str::as_ptr));
            }
        });
        assert_eq!((keys.len(), texts.len()), (9, 3));
        keys.dedup();
        texts.dedup();
        assert_eq!((keys.len(), texts.len()), (1, 1));
    }

    #[test]
    fn a_long_value_is_not_kept_for_the_next_one() {
        for (len, is_kept) in [(1, true), (LEAF, true), (LEAF + 1, false)] {
            let text = format!(r#"{{"a": "{}"}}"#, "x".repeat(len));
            let mut size = 0;
            each_patch(&text, |recorder, _| {
                size = recorder.leaf.as_ref().map_or(0, |leaf| leaf.value().document_size());
            });
            // The text and its node.
            assert_eq!(size, if is_kept { len + 1 } else { 0 }, "{len}");
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
                Some(Segment::Key(key)) if key == name => Some(key.as_ptr()),
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
