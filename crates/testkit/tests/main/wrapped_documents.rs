//! A payload in an element, or after one, is read like a payload alone, with equal patches, corrections,
//! notices and values. Every difference follows one of these rules:
//!
//! - Documents have other numbers. Text in an answer is the answer's.
//! - Corrections are emitted at the end of the input, wherever the element ended.
//! - A byte order mark only counts at the start of the stream; anywhere else it is text.
//! - Text before a stray closer is reclassified only where no element was opened before.
//! - A closer of the element inside a string of the payload, or after code that hides it, is data. The
//!   element is then read as the payload and the closer together, and is cut.
//! - With nothing but reasoning the outcome is `no_answer`; without any text it is `empty`.

use std::collections::BTreeSet;

use patchwire::{
    Code, Completion, Event, Outcome, PatchOp, Span, Spec, TagSet, document::DocId,
    event::CloseReason, spec::Roots,
};
use testkit::corpus::{Case, cases};
use testkit::cuts::Cuts;
use testkit::event_log::{Recorded, Run, run_cut};
use testkit::{reading_modes, show};

/// The text around a payload.
#[derive(Debug, Clone, Copy)]
struct Form {
    head: &'static str,
    tail: &'static str,
    /// The number of the payload's first document.
    document: usize,
}

const ALONE: Form = Form { head: "", tail: "", document: 0 };
const FORMS: [Form; 3] = [
    Form { head: "<output>", tail: "</output>", document: 1 },
    Form { head: "<think>plan</think>", tail: "", document: 0 },
    Form { head: "<scratch_pad>plan<output>", tail: "</output>", document: 1 },
];

/// Cases that end in code other than the payload's, or in a string of a skipped root: the closer is data,
/// and no notice at the end shows it.
const HIDDEN_WITHOUT_NOTICE: [&str; 0] = [];

fn spec() -> Spec {
    Spec::builder().tags(TagSet::scratchpad()).build().expect("the settings agree")
}

/// The events of the payload, with offsets from its first byte.
#[derive(Debug, PartialEq)]
struct Reading {
    emitted: Vec<String>,
    outcome: Outcome,
    value: String,
    roots: String,
    text: String,
}

impl Reading {
    fn of(run: &Run, form: Form) -> Self {
        let summary = run.result.as_ref().expect("no limit is near");
        let outcome = match summary.outcome {
            Outcome::NoAnswer => Outcome::Empty,
            outcome => outcome,
        };
        Self {
            emitted: run.events.iter().filter_map(|event| line(event, form)).collect(),
            outcome,
            value: format!("{:?}", summary.value),
            roots: format!("{:?}", summary.roots),
            text: summary.text.clone(),
        }
    }

    fn difference(&self, wrapped: &Self) -> Option<String> {
        let most = self.emitted.len().max(wrapped.emitted.len());
        let at = (0..most).find(|&at| self.emitted.get(at) != wrapped.emitted.get(at));
        let show = |reading: &Self| match at {
            Some(at) => format!("{:?}", reading.emitted.get(at)),
            None => format!("{reading:?}"),
        };
        (self != wrapped)
            .then(|| format!("alone\n    {}\n  wrapped\n    {}", show(self), show(wrapped)))
    }
}

/// An event of the payload or of the text around it. Events of elements are left out.
fn line(event: &Recorded, form: Form) -> Option<String> {
    let from = |at: u64| at as i64 - form.head.len() as i64;
    let span = |span: Span| format!("{}..{}", from(span.start), from(span.end));
    match event {
        Recorded::Patch(patch) => {
            let corrects = patch.completion == Some(Completion::Reconciled);
            let place = if corrects { "the end".to_owned() } else { span(patch.span) };
            let document = patch.document.index() - form.document;
            let mut patch = patch.clone();
            (patch.document, patch.span) = (DocId::ANSWER, Span { start: 0, end: 0 });
            Some(format!("{document}: {patch} root {}, at {place}", patch.origin.root))
        }
        Recorded::Text { delta, span: place, .. } => {
            Some(format!("text {delta:?} {}", span(*place)))
        }
        Recorded::Skipped { reason, span: place } => {
            Some(format!("skipped {} {}", reason.name(), span(*place)))
        }
        Recorded::RootComplete { document, offset } => {
            Some(format!("root {} ends {}", document.index() - form.document, from(*offset)))
        }
        Recorded::Notice { code, path, span: place } => {
            let of_tags = [Code::UnclosedElement, Code::StringHidCloser, Code::Reclassified];
            let known = format!("notice {code} at {path:?} {}", span(*place));
            (!of_tags.contains(code)).then_some(known)
        }
        _ => None,
    }
}

/// The payload of a case. Behind a blank a byte order mark is text in any form.
fn payload(case: &Case) -> Vec<u8> {
    let bytes = case.bytes();
    let marked = bytes.starts_with("\u{feff}".as_bytes());
    if marked { [b" ", &*bytes].concat() } else { bytes }
}

/// Whether an output came whole.
fn is_closed(run: &Run) -> bool {
    let output = run.events.iter().find_map(|event| match event {
        Recorded::ElementOpen { id, name, .. } if name == "output" => Some(*id),
        _ => None,
    });
    output.is_none_or(|output| {
        run.events.iter().any(|event| {
            matches!(event, Recorded::ElementClose { id, reason: CloseReason::Observed, .. }
                if *id == output)
        })
    })
}

fn has_notice(run: &Run, wanted: Code) -> bool {
    run.events.iter().any(|event| matches!(event, Recorded::Notice { code, .. } if *code == wanted))
}

/// How a payload is read alone and in a form, in one piece and byte by byte. Whether its element's
/// closer was data.
fn compare(spec: &Spec, payload: &[u8], form: Form) -> Result<bool, String> {
    let text = [form.head.as_bytes(), payload, form.tail.as_bytes()].concat();
    let wrapped = run_cut(spec, &text, &Cuts::none());
    let bytewise = run_cut(spec, &text, &Cuts::bytewise(text.len()));
    if let Some(difference) = wrapped.difference(&bytewise) {
        return Err(format!("byte by byte: {difference}"));
    }
    let hidden = !is_closed(&wrapped);
    let tail = if hidden { form.tail.as_bytes() } else { b"" };
    let alone = run_cut(spec, &[payload, tail].concat(), &Cuts::none());
    let mut want = Reading::of(&alone, ALONE);
    let got = Reading::of(&wrapped, form);
    if hidden && matches!(want.outcome, Outcome::Complete | Outcome::Repaired) {
        want.outcome = Outcome::Truncated;
    }
    if has_notice(&alone, Code::Reclassified) {
        want.text.clone_from(&got.text);
    }
    match want.difference(&got) {
        Some(difference) => Err(difference),
        None if hidden && !has_notice(&wrapped, Code::StringHidCloser) => Ok(true),
        None => Ok(false),
    }
}

#[test]
fn a_payload_is_read_alike_alone_and_in_an_element() {
    let (spec, mut wrong, mut hidden) = (spec(), Vec::new(), BTreeSet::new());
    for case in cases("json") {
        for form in FORMS {
            match compare(&spec, &payload(&case), form) {
                Ok(false) => {}
                Ok(true) => drop(hidden.insert(case.name.clone())),
                Err(why) => {
                    let shown = show::input(&payload(&case));
                    wrong.push(format!("{} in {}: {shown}: {why}", case.name, form.head));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(hidden.into_iter().collect::<Vec<_>>(), HIDDEN_WITHOUT_NOTICE);
}

/// Also with a schema that decides which root fits, and with consecutive values.
#[test]
fn a_schema_and_several_roots_are_no_different_in_an_element() {
    let ways = [
        Spec::builder().schema(reading_modes::schema()),
        Spec::builder().roots(Roots::Last),
        Spec::builder().roots(Roots::Concatenated).schema(reading_modes::schema()),
    ];
    for (at, way) in ways.into_iter().enumerate() {
        let spec = way.tags(TagSet::scratchpad()).build().expect("the settings agree");
        for case in cases("json") {
            for form in FORMS {
                if let Err(why) = compare(&spec, &payload(&case), form) {
                    let shown = show::input(&payload(&case));
                    panic!("way {at}: {} in {}: {shown}: {why}", case.name, form.head);
                }
            }
        }
    }
}

#[test]
fn a_closer_ends_the_payload_but_in_a_string() {
    let read = [
        ("{\"a\": 1</output>, \"b\": 2}", "{\"a\":1}", Outcome::Truncated),
        ("{\"a\": [1, 2</output>]}", "{\"a\":[1,2]}", Outcome::Truncated),
        ("{\"a\": tru</output>", "{}", Outcome::Truncated),
        ("{\"a\": \"x</output>y\"}</output>", "{\"a\":\"x</output>y\"}", Outcome::Complete),
        ("{\"a\": 'x</output>y'}</output>", "{\"a\":\"x</output>y\"}", Outcome::Repaired),
        ("```json\n{\"a\": 1}\n```</output>", "{\"a\":1}", Outcome::Complete),
        ("```json\n{\"a\": 1}\n``` </output>", "{\"a\":1}", Outcome::Complete),
        ("```json {\"a\": 1}```</output>", "{\"a\":1}", Outcome::Complete),
        ("```json {\"a\": 1} ```</output>", "{\"a\":1}", Outcome::Complete),
        ("<br>```json\n{\"a\": 1}\n\n```</output>", "{\"a\":1}", Outcome::Complete),
        ("{\"a\": 1}\n`</output>` ends it</output>", "{\"a\":1}", Outcome::Complete),
        ("Here: `{\"a\": 1}`</output>", "{\"a\":1}", Outcome::Complete),
        ("```json\n{\"a\": 1</output>", "{\"a\":1}", Outcome::Truncated),
    ];
    for (rest, value, outcome) in read {
        let answer = spec().parse(format!("<output>{rest}")).expect("no limit");
        assert_eq!((&*answer.value().to_string(), answer.outcome()), (value, outcome), "{rest}");
    }
}

/// A string that never ended took the closer with it: the other reading is the one without.
#[test]
fn a_string_that_hides_the_closer_gives_another_reading() {
    let answer = spec().parse("<output>{\"a\": \"x</output>").expect("no limit");
    assert_eq!(answer.value().to_string(), "{\"a\":\"x</output>\"}");
    let codes: Vec<Code> = answer.notices().iter().map(|notice| notice.code).collect();
    assert!(codes.contains(&Code::StringHidCloser), "{codes:?}");
    let other = answer.alternative().expect("another reading");
    assert_eq!(
        (&*other.value().to_string(), other.outcome()),
        ("{\"a\":\"x\"}", Outcome::Truncated)
    );
}

/// The corrections of a stream: document, number of the element, path, value.
fn corrections(spec: &Spec, input: &str) -> Vec<(usize, u32, String, String)> {
    let mut found = Vec::new();
    let mut parser = spec.parser();
    parser.feed(input, |_| {}).expect("no limit");
    let emitted = parser.finish(|event| {
        let Event::Patch(patch) = event else { return };
        if patch.completion == Some(Completion::Reconciled) && patch.op == PatchOp::Replace {
            let element = patch.origin.element.map_or(0, |element| element.get());
            let (path, value) = (patch.path.to_string(), patch.value.to_string());
            found.push((patch.document.index(), element, path, value));
        }
    });
    emitted.expect("no limit");
    found
}

#[test]
fn every_answer_is_corrected_on_its_own() {
    let input = "{\"x\": 1} <output>{\"a\": {\"b\": 1}}, \"c\": 2}</output>\
        <output>{\"a\": 0} or {\"a\": 1, \"a\": 2}</output> {\"x\": 2}<output>42</output>\
        <output>none</output><output>```json\n{\"a\": \"x\n```\n</output>";
    let own = |document, element, path: &str, value: &str| {
        (document, element, path.to_owned(), value.to_owned())
    };
    let want = [
        own(3, 5, "a", "\"x\""),
        own(0, 0, "", "{\"x\":2}"),
        own(1, 1, "c", "2"),
        own(2, 2, "", "{\"a\":2}"),
        own(4, 3, "", "42"),
    ];
    assert_eq!(corrections(&spec(), input), want);
    let answer = spec().parse(input).expect("no limit");
    let values = answer.elements().map(|element| element.value().map(|value| value.to_string()));
    let values: Vec<String> = values.map(Option::unwrap_or_default).collect();
    assert_eq!(values, ["{\"a\":{\"b\":1},\"c\":2}", "{\"a\":2}", "42", "", "{\"a\":\"x\"}"]);
}

/// If a closer shows that the text before it was reasoning, a payload after it is the answer, however well
/// one before it fits. A payload before it does not count, even if there is no other.
#[test]
fn a_payload_in_what_was_reasoning_gives_way() {
    let way = Spec::builder().schema(reading_modes::schema()).tags(TagSet::scratchpad());
    let spec = way.build().expect("the settings agree");
    let thought =
        "Say\n```json\n{\"title\": \"x\", \"n\": 1}\n```\nhm {\"title\": \"z\", \"n\": 2} </think>";
    for (rest, value) in [("{\"title\": \"y\"}", "{\"title\":\"y\"}"), (" that is it", "null")] {
        let answer = spec.parse(format!("{thought}{rest}")).expect("no limit");
        assert_eq!(answer.value().to_string(), value, "{rest}");
    }
}

#[test]
fn a_value_alone_behind_reasoning_is_the_answer() {
    for (input, value) in [
        ("<think>hm</think>42", "42"),
        ("<think>hm</think>\n```json\ntrue\n```\n<think>ok</think>", "true"),
        ("hm</think> \"x\"", "\"x\""),
        ("<think>hm</think><output> null </output>", "null"),
    ] {
        let answer = spec().parse(input).expect("no limit");
        let found = answer.value().exists().then(|| answer.value().to_string());
        assert_eq!(found.as_deref(), Some(value), "{input}");
    }
    let apart = spec().parse("4<think>hm</think>2").expect("no limit");
    assert_eq!((apart.value().exists(), apart.outcome()), (false, Outcome::Failed));
}

/// An element in an answer may have a body of its own; the answer continues after it.
#[test]
fn an_element_in_an_answer_leaves_the_payload_to_the_answer() {
    let builder = Spec::builder().tags(reading_modes::everything());
    let spec = builder.build().expect("the settings agree");
    for input in [
        "<answer>see <args>[1]</args> {\"b\": 2}</answer>",
        "<answer>see <log>Key: value\n</log> {\"b\": 2}</answer>",
        "<answer>{\"b\": 2} or <args>[1]</args> more</answer>",
    ] {
        let answer = spec.parse(input).expect("no limit");
        assert_eq!(answer.value().to_string(), "{\"b\":2}", "{input}");
    }
}
