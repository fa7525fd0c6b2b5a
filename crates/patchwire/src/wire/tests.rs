use super::*;
use crate::answer::{AnswerContent, Outcome};
use crate::document::sample::{deep, document, on_small_stack};
use crate::document::{Document, NodeId};
use crate::error::SyntaxError;
use crate::event::{CloseReason, Completion, Params, SkipReason, Text};
use crate::limits::Limit;
use crate::notice::Notice;
use crate::path::PathStack;
use crate::transcript::JoinedText;

const SPAN: Span = Span::new(4, 7);

/// The line, after a check that serde and the owned event write an equal one.
fn line(event: Event<'_>) -> String {
    let line = line_with(event, IncludeValues::Leaf);
    let owned = event.to_owned();
    assert_eq!(owned.to_string(), line);
    assert_eq!(serde_json::to_string(&owned).unwrap(), line);
    line
}

fn line_with(event: Event<'_>, values: IncludeValues) -> String {
    let wire = event.wire(values);
    let line = wire.to_string();
    assert_eq!(serde_json::to_string(&wire).unwrap(), line);
    line
}

fn flags() -> PathStack {
    let mut path = PathStack::default();
    path.push(false);
    path.set_key("risk_flags");
    path.push(true);
    path.set_index(0);
    path
}

fn patch<'a>(path: Path<'a>, op: PatchOp, value: ValueRef<'a>) -> Patch<'a> {
    Patch {
        document: DocId::ANSWER,
        origin: &Origin::ANSWER,
        node: NodeId(2),
        path,
        op,
        delta: Text::new("", None),
        value,
        completion: None,
        repaired: false,
        deferred: false,
        span: SPAN,
        root: value,
    }
}

#[test]
fn a_delta() {
    let (path, doc) = (flags(), document(r#""La""#));
    let mut patch = patch(path.path(2), PatchOp::Delta, doc.value());
    patch.delta = Text::new("La\"\n", None);
    assert_eq!(
        line(Event::Patch(patch)),
        r#"{"event":"patch","kind":"delta","path":"risk_flags[0]","wildcard_path":"risk_flags[*]","pointer":"/risk_flags/0","delta":"La\"\n","is_complete":false,"span":[4,7]}"#
    );
    let all = line_with(Event::Patch(patch), IncludeValues::All);
    assert!(all.contains(r#""delta":"La\"\n","value":"La","is_complete":false"#), "{all}");
}

#[test]
fn a_done_with_all_that_can_be_said() {
    let (path, doc) = (flags(), document("1.5"));
    let origin = Origin { element: Some(ElementId(3)), root: 2, attempt: 4, call: Some(5) };
    let patch = Patch {
        origin: &origin,
        completion: Some(Completion::EndOfInput),
        repaired: true,
        deferred: true,
        ..patch(path.path(1), PatchOp::Done, doc.value())
    };
    assert_eq!(
        line(Event::Patch(patch)),
        r#"{"event":"patch","kind":"done","path":"risk_flags","wildcard_path":"risk_flags","pointer":"/risk_flags","value":1.5,"is_complete":true,"completion":"end_of_input","repaired":true,"deferred":true,"span":[4,7],"element":3,"root":2,"attempt":4,"call":5}"#
    );
}

#[test]
fn odd_keys_are_escaped_twice() {
    let mut path = PathStack::default();
    path.push(false);
    path.set_key("a\"/b");
    let doc = document("null");
    let text = line(Event::Patch(patch(path.path(1), PatchOp::Done, doc.value())));
    assert!(text.contains(r#""path":"[\"a\\\"/b\"]","wildcard_path":"[\"a\\\"/b\"]","#), "{text}");
    assert!(text.contains(r#""pointer":"/a\"~1b","value":null"#), "{text}");
}

/// The printed `value` field of a patch with that operation; `-` if there is none.
fn value(op: PatchOp, json: &str, values: IncludeValues) -> String {
    let doc = document(json);
    let patch = patch(Path::ROOT, op, doc.value());
    let line = line_with(Event::Patch(patch), values);
    let after = line.split_once(r#""value":"#).map_or("-", |(_, after)| after);
    after.split_once(r#","is_complete""#).map_or(after, |(value, _)| value).to_owned()
}

#[test]
fn values_are_repeated_only_on_request() {
    use IncludeValues::{All, Done, Leaf};
    for values in [Leaf, Done, All] {
        assert_eq!(value(PatchOp::Open, r#"{"a":1}"#, values), "{}");
        assert_eq!(value(PatchOp::Open, "[1]", values), "[]");
        assert_eq!(value(PatchOp::Open, r#""x""#, values), r#""""#);
        assert_eq!(value(PatchOp::Done, r#""x""#, values), r#""x""#);
        assert_eq!(value(PatchOp::Done, "true", values), "true");
        assert_eq!(value(PatchOp::Replace, r#"{"a":1}"#, values), r#"{"a":1}"#);
        assert_eq!(value(PatchOp::Remove, "1", values), "-");
    }
    assert_eq!(value(PatchOp::Done, "[1]", Leaf), "-");
    assert_eq!(value(PatchOp::Done, "[1]", Done), "[1]");
    assert_eq!(value(PatchOp::Done, "[1]", All), "[1]");
    assert_eq!(value(PatchOp::Delta, r#""x""#, Leaf), "-");
    assert_eq!(value(PatchOp::Delta, r#""x""#, Done), "-");
    assert_eq!(value(PatchOp::Delta, r#""x""#, All), r#""x""#);
}

#[test]
fn without_a_value_there_is_no_field() {
    let none = Document::default();
    for kind in [PatchOp::Open, PatchOp::Done, PatchOp::Replace] {
        let patch = patch(Path::ROOT, kind, none.value());
        assert!(!line(Event::Patch(patch)).contains("\"value\""));
    }
}

#[test]
fn text_and_reasoning() {
    let delta = Text::new("hi", None);
    let (element, channel) = (Some(ElementId(1)), "scratch");
    assert_eq!(
        line(Event::Text(TextEvent { channel: "text", element: None, delta, span: SPAN })),
        r#"{"event":"text","channel":"text","delta":"hi","span":[4,7]}"#
    );
    assert_eq!(
        line(Event::Text(TextEvent { channel, element, delta, span: SPAN })),
        r#"{"event":"text","channel":"scratch","element":1,"delta":"hi","span":[4,7]}"#
    );
    assert_eq!(
        line(Event::Reasoning(ReasoningEvent { element, delta, span: SPAN })),
        r#"{"event":"reasoning","delta":"hi","element":1,"span":[4,7]}"#
    );
    let done = line(Event::ReasoningDone { span: SPAN });
    assert_eq!(done, r#"{"event":"reasoning_done","span":[4,7]}"#);
}

#[test]
fn elements() {
    let (id, parent) = (ElementId(2), Some(ElementId(1)));
    let own = [("name".to_owned(), "web \"x\"".to_owned())];
    let params = Params::new(&own);
    let open = ElementOpen { id, parent, name: "tool", channel: "tools", params, span: SPAN };
    assert_eq!(
        line(Event::ElementOpen(open)),
        r#"{"event":"element_open","id":2,"parent":1,"name":"tool","params":{"name":"web \"x\""},"channel":"tools","span":[4,7]}"#
    );
    assert_eq!(
        line(Event::ElementClose {
            id,
            reason: CloseReason::Interrupted { by: ElementId(3) },
            span: SPAN
        }),
        r#"{"event":"element_close","id":2,"reason":"interrupted","by":3,"span":[4,7]}"#
    );
    assert_eq!(
        line(Event::Reclassify { from: 1, to: 4, channel: "reasoning" }),
        r#"{"event":"reclassify","from":1,"to":4,"channel":"reasoning"}"#
    );
    assert_eq!(
        line(Event::ElementClose { id, reason: CloseReason::Mismatched, span: SPAN }),
        r#"{"event":"element_close","id":2,"reason":"mismatched","span":[4,7]}"#
    );
    assert_eq!(
        line(Event::Stray { name: "think", span: SPAN }),
        r#"{"event":"stray","name":"think","span":[4,7]}"#
    );
    assert_eq!(
        line(Event::Skipped { reason: SkipReason::Fence, span: SPAN }),
        r#"{"event":"skipped","reason":"fence","span":[4,7]}"#
    );
}

#[test]
fn notices() {
    let path = flags();
    let code = Code::ExtraComma;
    assert_eq!(
        line(Event::Notice(Notice { code, path: path.path(2), span: SPAN, cost: None })),
        r#"{"event":"notice","code":"extra_comma","path":"risk_flags[0]","span":[4,7],"message":"a comma with nothing before it"}"#
    );
    assert_eq!(
        line(Event::Notice(Notice { code, path: Path::ROOT, span: SPAN, cost: None })),
        r#"{"event":"notice","code":"extra_comma","span":[4,7],"message":"a comma with nothing before it"}"#
    );
}

#[test]
fn the_end_of_a_root() {
    assert_eq!(
        line(Event::RootComplete { document: DocId::ANSWER, offset: 9 }),
        r#"{"event":"root_complete","offset":9}"#
    );
    assert_eq!(
        line(Event::RootComplete { document: DocId(1), offset: 9 }),
        r#"{"event":"root_complete","offset":9,"document":1}"#
    );
}

fn answer(document: Document, outcome: Outcome, notice_count: u64) -> Answer {
    let code = Code::Truncated;
    Answer::new(AnswerContent {
        documents: vec![document],
        elements: vec![None],
        chosen: 0,
        alternative: None,
        calls: Vec::new(),
        text: JoinedText::Several("Sure:".to_owned()),
        reasoning: JoinedText::Several("so".to_owned()),
        transcript: crate::transcript::Transcript::default(),
        tags: None,
        limits: crate::limits::Limits::default(),
        raw: None,
        notices: vec![OwnedNotice { code, path: "a.b".into(), span: SPAN, cost: None }],
        notice_count,
        failures: Vec::new(),
        outcome,
    })
}

#[test]
fn the_answer() {
    let whole = answer(document(r#"{"a":{"b":1}}"#), Outcome::Truncated, 1);
    assert_eq!(
        line(Event::Final(&whole)),
        r#"{"event":"final","outcome":"truncated","value":{"a":{"b":1}},"reasoning":"so","text":"Sure:","notices":[{"code":"truncated","path":"a.b","span":[4,7],"message":"the input ended inside the payload"}]}"#
    );
    let none = line(Event::Final(&answer(Document::default(), Outcome::Failed, 9)));
    assert!(none.starts_with(r#"{"event":"final","outcome":"failed","value":null,"#), "{none}");
    assert!(none.ends_with(r#"}],"notice_count":9}"#), "{none}");
}

#[test]
fn errors() {
    let error = Error::new(ErrorKind::Syntax(SyntaxError::ExpectedKey), 12);
    let line = error.wire().to_string();
    assert_eq!(
        line,
        r#"{"event":"error","code":"syntax_expected_key","offset":12,"message":"expected a quoted key or `}`"}"#
    );
    assert_eq!(serde_json::to_string(&error.wire()).unwrap(), line);
    for limit in Limit::ALL {
        assert_eq!(ErrorKind::Limit(limit).name(), format!("limit_{limit}"));
    }
}

#[test]
fn numbers_are_exact_in_the_line_at_any_size() {
    let (doc, digits) = (document("1.500e400"), "1.500e400");
    let patch = patch(Path::ROOT, PatchOp::Done, doc.value());
    let line = Event::Patch(patch).wire(IncludeValues::Leaf).to_string();
    assert!(line.contains(&format!(r#""value":{digits},"#)), "{line}");
}

#[test]
fn depth_needs_no_stack() {
    on_small_stack(|| {
        let answer = answer(deep(1_000_000, "1"), Outcome::Complete, 1);
        let line = Event::Final(&answer).wire(IncludeValues::Leaf).to_string();
        assert!(line.len() > 4_000_000);
        assert!(serde_json::to_string(&answer_event(&answer)).is_err());
    });
}

fn answer_event(answer: &Answer) -> JsonForm<'_> {
    Event::Final(answer).wire(IncludeValues::All)
}
