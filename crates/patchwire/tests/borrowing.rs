//! Deltas are slices of a chunk, and owned ones of more than 20 bytes of a fed buffer, wherever the text needed no
//! decoding. Chunks of up to eight bytes may be copied.

use bytes::Bytes;
use patchwire::schema::{object, str as text};
use patchwire::{Event, Format, PatchOp, Spec};

#[test]
fn a_delta_points_into_the_callers_chunk() {
    let chunk = *br#"{"title": "plain text"#;
    let range = chunk.as_ptr_range();
    let mut seen = 0;
    let mut parser = Spec::json().parser();
    parser
        .feed(chunk, |event| {
            if let Event::Patch(patch) = event
                && patch.op == PatchOp::Delta
            {
                assert_eq!(&*patch.delta, "plain text");
                seen += 1;
            }
        })
        .unwrap();
    assert_eq!(seen, 1);
    // The array above is copied into the call; a slice is not.
    let mut parser = Spec::json().parser();
    parser
        .feed(&chunk[..], |event| {
            if let Event::Patch(patch) = event
                && patch.op == PatchOp::Delta
            {
                assert!(range.contains(&patch.delta.as_ptr()));
            }
        })
        .unwrap();
}

#[test]
fn an_owned_delta_of_a_bytes_chunk_shares_its_buffer() {
    let chunk = Bytes::from_static(br#"{"title": "plain text of some length", "n": 1}"#);
    let range = chunk.as_ptr_range();
    let mut shared = Vec::new();
    Spec::json()
        .parser()
        .feed_bytes(chunk, |event| {
            if let Event::Patch(patch) = event
                && patch.op == PatchOp::Delta
            {
                shared.push(patch.delta.to_shared());
            }
        })
        .unwrap();
    assert_eq!(shared, ["plain text of some length"]);
    assert!(range.contains(&shared[0].as_ptr()));
}

#[test]
fn an_owned_delta_of_more_than_20_bytes_shares_its_buffer_in_every_format() {
    let schema = || object().field("a", text(""));
    let field = Spec::builder().format(Format::XmlField).schema(schema()).build().unwrap();
    let plain = Spec::builder().format(Format::Text).build().unwrap();
    for (spec, before) in [
        (Spec::json(), "{\"a\": \"x"),
        (field, "<answer_fields>\n<field name=\"a\">x"),
        (plain, "x"),
    ] {
        let mut parser = spec.parser();
        parser.feed(before, |_| {}).unwrap();
        // The later ones are read on the way for prose, if the format has one.
        for chunk in [
            Bytes::from("one"),
            Bytes::from("a chunk of 20 bytes!"),
            Bytes::from("twenty-one bytes here"),
            Bytes::from("the longest of them, with some more"),
        ] {
            let range = chunk.as_ptr_range();
            let mut shared = Vec::new();
            let note = |event: Event<'_>| match event {
                Event::Patch(patch) => shared.push(patch.delta.to_shared()),
                Event::Text(text) => shared.push(text.delta.to_shared()),
                _ => {}
            };
            parser.feed_bytes(chunk.clone(), note).unwrap();
            assert_eq!(shared.concat().as_bytes(), &chunk[..], "{before}");
            let is_slice = range.contains(&shared[0].as_ptr());
            assert_eq!(is_slice, shared[0].len() > 20, "{before} {chunk:?}");
        }
    }
}

#[test]
fn a_decoded_delta_is_a_copy() {
    let chunk = Bytes::from_static(br#"{"title": "a line of its own\nand one more"}"#);
    let range = chunk.as_ptr_range();
    Spec::json()
        .parser()
        .feed_bytes(chunk, |event| {
            if let Event::Patch(patch) = event
                && patch.op == PatchOp::Delta
            {
                assert_eq!(&*patch.delta, "a line of its own\nand one more");
                assert!(!range.contains(&patch.delta.to_shared().as_ptr()));
            }
        })
        .unwrap();
}

#[test]
fn everything_owned_crosses_threads() {
    fn crosses<T: Send + Sync + 'static>() {}
    crosses::<Spec>();
    crosses::<patchwire::Parser>();
    crosses::<patchwire::Answer>();
    crosses::<patchwire::OwnedEvent>();
    crosses::<patchwire::Value>();
    crosses::<patchwire::Schema>();
    crosses::<patchwire::Error>();
}

#[test]
fn the_value_is_readable_before_and_after_the_end() {
    let mut parser = Spec::json().parser();
    parser.feed(r#"{"a": [1, "x"#, |_| {}).unwrap();
    assert_eq!(parser.value().to_string(), r#"{"a":[1,"x"]}"#);
    assert!(!parser.value().is_complete());
    let before = parser.snapshot();
    let open = |path: &str| before.as_ref().at(path).is_some_and(|value| !value.is_complete());
    assert!(open("") && open("a") && !open("a[0]") && open("a[1]"));
    let answer = parser.finish(|_| {}).unwrap();
    assert_eq!(parser.value(), answer.value());
    assert_eq!(before.as_ref(), answer.value());
}
