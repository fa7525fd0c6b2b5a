use bytestring::ByteString;

use super::*;
use crate::document::sample::{deep, document, on_small_stack};
use crate::path::{Path, PathStack};

fn patch<'a>(op: PatchOp, value: ValueRef<'a>) -> Patch<'a> {
    Patch {
        document: DocId::ANSWER,
        origin: &Origin::ANSWER,
        node: NodeId(0),
        path: Path::ROOT,
        op,
        delta: Text::new("", None),
        value,
        completion: None,
        repaired: false,
        deferred: false,
        span: Span::new(0, 1),
        root: value,
    }
}

fn kept(op: PatchOp, json: &str) -> Option<String> {
    let doc = document(json);
    let value = patch(op, doc.value()).to_owned().value?;
    Some(value.to_string())
}

#[test]
fn the_value_is_kept_where_it_is_not_a_repetition() {
    assert_eq!(kept(PatchOp::Open, r#"{"a":1}"#).as_deref(), Some("{}"));
    assert_eq!(kept(PatchOp::Open, "[1]").as_deref(), Some("[]"));
    assert_eq!(kept(PatchOp::Open, r#""so far""#).as_deref(), Some(r#""""#));
    assert_eq!(kept(PatchOp::Delta, r#""so far""#), None);
    for leaf in [r#""all""#, r#""""#, "1.50", "null", "true", "false"] {
        assert_eq!(kept(PatchOp::Done, leaf).as_deref(), Some(leaf));
        assert_eq!(kept(PatchOp::Replace, leaf).as_deref(), Some(leaf));
    }
    assert_eq!(kept(PatchOp::Done, r#"{"a":1}"#), None);
    assert_eq!(kept(PatchOp::Replace, r#"{"a":1}"#).as_deref(), Some(r#"{"a":1}"#));
    assert_eq!(kept(PatchOp::Remove, r#"{"a":1}"#), None);
}

#[test]
fn without_a_value_none_is_kept() {
    let none = Document::default();
    for kind in [PatchOp::Open, PatchOp::Delta, PatchOp::Done, PatchOp::Replace, PatchOp::Remove] {
        assert_eq!(patch(kind, none.value()).to_owned().value, None);
    }
}

#[test]
fn long_text_stays_a_slice_of_what_was_fed() {
    let fed = ByteString::from(r#"{"title":"Hello to all of you"}"#);
    let doc = document(r#""Hello""#);
    for (end, is_slice) in [(29, false), (30, false), (31, true)] {
        let delta = Text::new(&fed[10..end], Some(&fed));
        let event = Event::Patch(Patch { delta, ..patch(PatchOp::Delta, doc.value()) });
        let OwnedEvent::Patch(owned) = event.to_owned() else { panic!("a patch stays a patch") };
        assert_eq!(owned.delta, fed[10..end]);
        assert_eq!(owned.delta.as_ptr() == fed[10..].as_ptr(), is_slice, "{end}");
    }
}

#[test]
fn names_and_spans_stay() {
    let doc = document("1");
    let span = Span::new(3, 9);
    let events = [
        Event::Patch(patch(PatchOp::Done, doc.value())),
        Event::Text(TextEvent { channel: "text", element: None, delta: Text::new("", None), span }),
        Event::Stray { name: "think", span },
        Event::RootComplete { document: DocId::ANSWER, offset: 9 },
    ];
    for event in events {
        let owned = OwnedEvent::from(event);
        assert_eq!((owned.name(), owned.span()), (event.name(), event.span()));
        assert_eq!(owned.clone(), owned);
    }
}

#[test]
fn events_go_to_other_threads() {
    fn check<T: Send + Sync + Clone + 'static>() {}
    check::<OwnedEvent>();
    check::<OwnedPatch>();
    check::<Value>();
}

#[test]
fn depth_needs_no_stack() {
    on_small_stack(|| {
        let doc = deep(1_000_000, "1");
        let mut stack = PathStack::default();
        (0..1_000_000).for_each(|_| stack.push(true));
        let path = stack.path(stack.depth());
        let owned = Patch { path, ..patch(PatchOp::Replace, doc.value()) }.to_owned();
        assert!(owned == owned.clone());
        assert_eq!(owned.value.as_ref(), Some(&doc.value().to_value()));
        let line = OwnedEvent::Patch(owned).to_string();
        assert!(line.starts_with(r#"{"event":"patch","kind":"replace","path":"[0][0]"#));
    });
}
