//! Events that are asked for one by one: what comes for each chunk, at the end, and after an error.

use patchwire::document::DocId;
use patchwire::{ErrorKind, Event, Limit, Limits, Parser, Spec, TagSet};

fn shown(event: &Event<'_>) -> String {
    match event {
        Event::Patch(patch) => {
            let delta = patch.delta.as_str();
            let scalar = if patch.is_complete() { patch.value.to_string() } else { String::new() };
            format!("{} {} {delta}{scalar}", patch.op, patch.path)
        }
        Event::Text(text) => format!("text {}", text.delta.as_str()),
        Event::Reasoning(text) => format!("reasoning {}", text.delta.as_str()),
        Event::Notice(notice) => format!("notice {}", notice.code),
        Event::RootComplete { .. } => "root".to_owned(),
        Event::ElementOpen(_) => "element".to_owned(),
        Event::ElementClose { .. } | Event::ReasoningDone { .. } => "end".to_owned(),
        Event::Final(answer) => format!("final {}", answer.value()),
        other => format!("{other:?}"),
    }
}

/// The events of a chunk. After them, nothing of the chunk is left.
fn pull(parser: &mut Parser, chunk: &[u8]) -> Vec<String> {
    let (mut rest, mut events) = (chunk, Vec::new());
    while let Some(event) = parser.next_event(&mut rest).unwrap() {
        events.push(shown(&event));
    }
    assert!(rest.is_empty());
    events
}

fn pull_end(parser: &mut Parser) -> Vec<String> {
    let mut events = Vec::new();
    while let Some(event) = parser.next_final_event().unwrap() {
        events.push(shown(&event));
    }
    events
}

#[test]
fn a_chunk_gives_its_events_one_by_one() {
    let mut parser = Spec::json().parser();
    assert_eq!(pull(&mut parser, b"So: "), ["text So: "]);
    assert_eq!(pull(&mut parser, b"{\"a\": \"x"), ["open  ", "open a ", "delta a x"]);
    // The first byte of a character waits for the second one.
    assert_eq!(pull(&mut parser, b"\xc3"), [""; 0]);
    assert_eq!(
        pull(&mut parser, b"\xa9y\", \"n\": 1"),
        ["delta a é", "delta a y", "done a \"xéy\""]
    );
    assert_eq!(parser.value().to_string(), r#"{"a":"xéy"}"#);
    assert_eq!(pull(&mut parser, b"2}"), ["done n 12", r#"done  {"a":"xéy","n":12}"#, "root"]);
    assert_eq!(pull(&mut parser, b""), [""; 0]);
    assert_eq!(pull_end(&mut parser), [r#"final {"a":"xéy","n":12}"#]);
    assert_eq!(pull_end(&mut parser), [""; 0]);
    let answer = parser.finish(|_| {}).unwrap();
    assert_eq!(answer.value().to_string(), r#"{"a":"xéy","n":12}"#);
}

/// Two tokens of one step: the text of the second is kept for the next call.
#[test]
fn text_that_waits_is_that_of_its_chunk() {
    let mut parser = Spec::json().parser();
    let wanted = [
        "open  ",
        "notice unquoted_value",
        "open [0] ",
        "delta [0] 1[",
        "done [0] \"1[\"",
        "done  [\"1[\"]",
        "root",
    ];
    assert_eq!(pull(&mut parser, b"[1[]"), wanted);
}

#[test]
fn bytes_that_are_no_text_are_replaced_in_their_place() {
    let mut parser = Spec::json().parser();
    assert_eq!(
        pull(&mut parser, b"[\"a\xff\xc3"),
        ["open  ", "open [0] ", "delta [0] a", "notice invalid_utf8", "delta [0] \u{fffd}"]
    );
    assert_eq!(
        pull(&mut parser, b"b\"]"),
        [
            "notice invalid_utf8",
            "delta [0] \u{fffd}",
            "delta [0] b",
            "done [0] \"a\u{fffd}\u{fffd}b\"",
            "done  [\"a\u{fffd}\u{fffd}b\"]",
            "root"
        ]
    );
}

#[test]
fn the_end_gives_its_events_one_by_one() {
    let mut parser = Spec::json().parser();
    pull(&mut parser, b"{\"a\": \"x\xc3");
    assert_eq!(
        pull_end(&mut parser),
        [
            "notice invalid_utf8",
            "delta a \u{fffd}",
            "notice truncated",
            "done a \"x\u{fffd}\"",
            "done  {\"a\":\"x\u{fffd}\"}",
            "final {\"a\":\"x\u{fffd}\"}"
        ]
    );
    assert_eq!(parser.finish(|_| {}).unwrap().value().to_string(), "{\"a\":\"x\u{fffd}\"}");
}

#[test]
fn elements_are_pulled_too() {
    let spec = Spec::builder().tags(TagSet::think()).build().unwrap();
    let mut parser = spec.parser();
    assert_eq!(pull(&mut parser, b"<thi"), [""; 0]);
    assert_eq!(
        pull(&mut parser, b"nk>a</think>[1]"),
        ["element", "reasoning a", "end", "end", "open  ", "done [0] 1", "done  [1]", "root"]
    );
    assert_eq!(parser.value().to_string(), "[1]");
}

#[test]
fn the_limit_is_kept_and_the_error_too() {
    let limits = Limits::default().with(Limit::Total, 5);
    let mut parser = Spec::builder().limits(limits).build().unwrap().parser();
    let mut rest: &[u8] = b"[1,2,3]";
    let mut events = Vec::new();
    let error = loop {
        match parser.next_event(&mut rest) {
            Ok(event) => events.push(shown(&event.expect("the chunk is longer than the limit"))),
            Err(error) => break error,
        }
    };
    assert_eq!(events, ["open  ", "done [0] 1", "done [1] 2"]);
    assert_eq!((error.kind, error.offset), (ErrorKind::Limit(Limit::Total), 5));
    assert_eq!(parser.next_event(&mut rest).unwrap_err(), error);
    assert_eq!(parser.feed("]", |_| {}).unwrap_err(), error);
    assert_eq!(parser.finish(|_| {}).unwrap_err(), error);
    assert_eq!(parser.value().to_string(), "[1,2]");
}

#[test]
fn a_parser_starts_over() {
    let mut parser = Spec::json().parser();
    pull(&mut parser, b"{\"a\": 1");
    let main = DocId::ANSWER;
    assert_eq!(parser.document(main).unwrap().to_string(), "{}");
    parser.reset();
    assert!(!parser.document(main).unwrap().exists());
    assert_eq!(pull(&mut parser, b"[7]").len(), 4);
    assert_eq!(
        (parser.snapshot().to_string(), parser.value().to_string()),
        ("[7]".into(), "[7]".into())
    );
    parser.finish(|_| {}).unwrap();
    assert_eq!(parser.document(main).unwrap().to_string(), "[7]");
    assert!(parser.feed("x", |_| {}).is_err());
}

/// Behind a fence that ends a root in its line no list begins.
#[test]
fn a_list_behind_a_fence_in_its_line_is_text() {
    let mut parser = Spec::json().parser();
    let mut told = Vec::new();
    let events = |event: Event<'_>| match event {
        Event::Text(text) => told.push(format!("text {:?}", text.delta)),
        Event::Skipped { reason, .. } => told.push(format!("skipped {reason:?}")),
        _ => {}
    };
    parser.feed("[1, 2 ``` [\"x\"]", events).unwrap();
    assert_eq!(told, ["skipped Fence", r#"text " [\"x\"]""#]);
}

/// No object begins with two braces: a run of them is emitted at once, but for the last one.
#[test]
fn a_run_of_braces_is_one_text() {
    let mut parser = Spec::json().parser();
    let mut texts = Vec::new();
    let events = |event: Event<'_>| {
        if let Event::Text(text) = event {
            texts.push(text.delta.to_string());
        }
    };
    parser.feed("a {{{{{ b", events).unwrap();
    assert_eq!(texts, ["a {{{{", "{ ", "b"]);
}

#[test]
fn no_chunk_is_read_behind_the_end() {
    let mut parser = Spec::json().parser();
    assert_eq!(pull(&mut parser, b"[1]").last().unwrap(), "root");
    assert_eq!(pull_end(&mut parser).last().unwrap(), "final [1]");
    let error = parser.next_event(&mut &b"2"[..]).unwrap_err();
    assert_eq!((error.kind, error.offset), (ErrorKind::Finished, 3));
    assert_eq!(parser.value().to_string(), "[1]");
}

/// A slash ends a number, so what follows it is the text of a word.
#[test]
fn a_number_with_a_slash_is_text_at_once() {
    let mut parser = Spec::json().parser();
    pull(&mut parser, b"[1/");
    let events = pull(&mut parser, b"2");
    assert_eq!(events, ["notice unquoted_value", "open [0] ", "delta [0] 1/2"]);
    assert_eq!(pull(&mut parser, b"]").last().unwrap(), "root");
    assert_eq!(parser.value().to_string(), r#"["1/2"]"#);
}
