//! The body machine, driven as the parser of an element's body will drive it.

use patchwire::internals::{Input, Machine, Slice, Token, TokenKind, TreeNode, XmlBody};
use patchwire::{Code, ErrorKind, Event, Limit, Limits, PatchOp, Spec};

/// The kind of a token, with its text.
fn said(machine: &dyn Machine, token: Token, input: &str) -> String {
    let text = match token.text {
        Slice::Input { start, end } => &input[start as usize..end as usize],
        Slice::Buffer { start, end } => &machine.buffer()[start as usize..end as usize],
        _ => "",
    };
    match token.kind {
        TokenKind::Notice(code) => code.name().to_owned(),
        what => format!("{} {text}", what.name()).trim_end().to_owned(),
    }
}

/// Feeds a chunk that lies at this offset.
fn feed(machine: &mut dyn Machine, text: &str, base: u64, ends: &mut Vec<u64>) -> Vec<String> {
    let mut input = Input::new(text, base);
    let mut emitted = Vec::new();
    while let Some(token) = machine.step(&mut input).unwrap() {
        ends.push(token.end);
        emitted.push(said(machine, token, text));
    }
    machine.canonicalize();
    emitted
}

fn close(machine: &mut dyn Machine, end: u64) -> Vec<String> {
    let mut emitted = Vec::new();
    while let Some(token) = machine.close(end).unwrap() {
        emitted.push(said(machine, token, ""));
    }
    emitted
}

#[test]
fn a_body_that_was_closed_closes_what_is_open_in_it() {
    let mut machine = XmlBody::any().machine();
    let mut ends = Vec::new();
    let emitted = feed(&mut *machine, "<a>1<b>x &am", 100, &mut ends);
    let open = ["object_open", "name a", "string_open", "string_text 1"];
    assert_eq!(emitted[..4], open);
    assert_eq!(emitted[4..], ["string_to_object _text", "name b", "string_open", "string_text x"]);
    assert!(ends.is_sorted() && ends[0] == 103, "{ends:?}");
    let emitted = close(&mut *machine, 112);
    let held = ["string_text &am", "missing_close", "string_close", "missing_close", "close"];
    assert_eq!(emitted, [&held[..], &["close"]].concat());
    assert_eq!(close(&mut *machine, 112), [""; 0]);
}

/// Nothing is held longer than 64 bytes to see whether it is a number.
#[test]
fn a_text_of_digits_is_a_number_up_to_64_bytes() {
    for (count, is_text) in [(64, false), (65, true)] {
        let mut machine = XmlBody::any().typed_by_content().machine();
        let digits = "7".repeat(count);
        let emitted = feed(&mut *machine, &format!("<a>{digits}"), 0, &mut Vec::new());
        let text = [format!("string_text {digits}")];
        assert_eq!(emitted.iter().any(|it| *it == text[0]), is_text, "{count}: {emitted:?}");
    }
}

#[test]
fn an_element_inside_decides_what_is_held_and_the_tree_goes_on() {
    let mut machine = XmlBody::any().machine();
    let mut ends = Vec::new();
    feed(&mut *machine, "<a>x <b", 0, &mut ends);
    let mut emitted = Vec::new();
    while let Some(token) = machine.interrupt(7) {
        emitted.push(said(&*machine, token, ""));
    }
    assert_eq!(emitted, ["string_text <b"]);
    assert_eq!(feed(&mut *machine, "> y</a>", 40, &mut ends), ["string_text > y", "string_close"]);
    assert_eq!(close(&mut *machine, 47), ["close"]);
}

#[test]
fn markers_are_data_in_comments_and_sections_only() {
    let mut machine = XmlBody::any().machine();
    let mut inside = Vec::new();
    for text in ["<a>", "<!-- x", "-->", "<![CDATA[", "y]]", ">", "</a>"] {
        feed(&mut *machine, text, 0, &mut Vec::new());
        inside.push(machine.position().is_inside());
    }
    assert_eq!(inside, [false, true, false, true, true, false, false]);
}

#[test]
fn an_empty_body_is_an_empty_text_and_attributes_make_it_an_object() {
    assert_eq!(close(&mut *XmlBody::any().machine(), 9), ["string_open", "string_close"]);
    let body = XmlBody::any().attributes([("type", "mermaid")]);
    let emitted = close(&mut *body.machine(), 9).join(" ");
    assert!(emitted.starts_with("object_open name _attributes object_open key type"), "{emitted}");
    let tree = body.tree("graph TB");
    assert_eq!(tree.body().to_string(), r##"{"@type":"mermaid","#text":"graph TB"}"##);
    assert_eq!(tree.body().node(), TreeNode::Element(""));
}

fn spec(body: &XmlBody) -> Spec {
    Spec::builder().without_tags().machine(body.machine()).build().unwrap()
}

#[test]
fn a_list_made_in_the_stream_is_no_completion() {
    let mut emitted = Vec::new();
    let mut parser = spec(&XmlBody::any().whole()).parser();
    let mut tell = |event: Event<'_>| match event {
        Event::Patch(patch) if patch.op != PatchOp::Delta => {
            let complete = if patch.is_complete() { " complete" } else { "" };
            emitted.push(format!("{} {}{complete}", patch.op.name(), patch.path));
        }
        _ => {}
    };
    parser.feed("<r><x>1</x><y/><x>2</x></r>", &mut tell).unwrap();
    let answer = parser.finish(&mut tell).unwrap();
    assert_eq!(answer.value().to_string(), r#"{"r":{"x":["1","2"],"y":""}}"#);
    let inner = ["open r.x", "done r.x complete", "open r.y", "done r.y complete"];
    assert_eq!(emitted[2..6], inner);
    let list = ["replace r.x", "open r.x[1]", "done r.x[1] complete", "done r complete"];
    assert_eq!(emitted[6..10], list);
}

#[test]
fn what_is_text_is_out_at_once() {
    for (text, out) in
        [("<a>a < b", "a < b"), ("<a>x <1", "x <1"), ("<a>a<b c", "a"), ("<a>&x", "&x")]
    {
        let mut parser = spec(&XmlBody::any()).parser();
        parser.feed(text, |_| {}).unwrap();
        assert_eq!(parser.value().at("a").and_then(|a| a.as_str()), Some(out), "{text}");
    }
    let mut parser = spec(&XmlBody::known(["item"])).parser();
    parser.feed("vec<T> <items> <i", |_| {}).unwrap();
    assert_eq!(parser.value().as_str(), Some("vec<T> <items> "));
}

/// The section is read without the router, and the `<` at the end may begin a marker.
#[test]
fn what_stands_behind_a_section_is_out_before_a_marker_is_held() {
    let spec = Spec::builder().machine(XmlBody::any().whole().machine()).build().unwrap();
    let mut parser = spec.parser();
    parser.feed("<r>x<![CDATA[ ]]><b c=\"1\"><", |_| {}).unwrap();
    let read = r#"{"r":{"_text":"x ","b":{"_attributes":{"c":"1"}}}}"#;
    assert_eq!(parser.value().to_string(), read);
    let answer = parser.finish(|_| {}).unwrap();
    let read = r#"{"r":{"_text":"x ","b":{"_attributes":{"c":"1"},"_text":"<"}}}"#;
    assert_eq!(answer.value().to_string(), read);
}

#[test]
fn caps_make_text_of_what_they_stop() {
    let long = format!("<a b='{}'>", "x".repeat(1 << 10));
    let many: String = (0..65).map(|at| format!(" a{at}='1'")).collect();
    for text in [long, format!("<a{many}>")] {
        let answer = spec(&XmlBody::any()).parse(&text).unwrap();
        assert_eq!(answer.value().as_str(), Some(&*text));
    }
    let blanks = format!("<a>{}<b/></a>", " ".repeat(70 << 10));
    let answer = spec(&XmlBody::any()).parse(&blanks).unwrap();
    assert!(answer.notices().iter().any(|notice| notice.code == Code::HoldCap));
    let text = answer.value().at("a._text").and_then(|text| text.as_str().map(str::len));
    assert_eq!(text, Some(70 << 10));
}

#[test]
fn depth_needs_no_stack() {
    const LEVELS: usize = 100_000;
    let limits = Limits::default().with(Limit::Depth, LEVELS as u64 + 1);
    let text = format!("{}x{}", "<a>".repeat(LEVELS), "<b/></a>".repeat(LEVELS));
    let small = std::thread::Builder::new().stack_size(64 << 10);
    let read = small.spawn(move || {
        let body = XmlBody::any().whole().limits(limits.clone());
        let tree = body.tree(&text);
        let printed = tree.body().to_string();
        assert!(tree == tree.clone());
        assert_eq!(printed.matches("\"b\":\"\"").count(), LEVELS);
        let answer = spec(&body).parse(&text).unwrap();
        assert_eq!(answer.value().to_string().matches("_text").count(), 1);
        drop((tree, answer));
    });
    read.unwrap().join().unwrap();
    let error = spec(&XmlBody::any()).parse("<a>".repeat(300)).unwrap_err();
    assert_eq!((error.kind, error.offset), (ErrorKind::Limit(Limit::Depth), 257 * 3));
}
