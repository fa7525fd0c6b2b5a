//! Sources that see tokens and mark special tokens and ordinary text.

use patchwire::schema::{object, one_of};
use patchwire::{
    Event, Parser, Spec, TagSet,
    tags::{BodyFormat, Channel, Family, Guards, InReasoning, TokenRun},
};

const SPECIAL: TokenRun = TokenRun::Special;
const PLAIN: TokenRun = TokenRun::Plain;

fn calls() -> Spec {
    let call =
        Family::new("tool_call", "<tool_call>", "</tool_call>", Channel::Named("tool".into()));
    let thought = Family::new("think", "<think>", "</think>", Channel::Reasoning);
    let tags = TagSet::builder().family(call).family(thought);
    let tags = tags.guards(Guards::Both).build().unwrap();
    Spec::builder().format(patchwire::Format::Text).tags(tags).build().unwrap()
}

/// The texts, one line per channel in turn; each run is cut at every `step`.
fn emitted(spec: &Spec, runs: &[(TokenRun, &str)], step: usize) -> (Vec<(String, String)>, Parser) {
    let mut emitted: Vec<(String, String)> = Vec::new();
    let mut tell = |event: Event<'_>| {
        let (channel, delta) = match &event {
            Event::Text(text) => (text.channel, text.delta.to_string()),
            Event::Reasoning(text) => ("reasoning", text.delta.to_string()),
            Event::ElementOpen(open) => ("open", open.name.to_owned()),
            Event::ElementClose { .. } => ("close", String::new()),
            Event::Notice(notice) => ("notice", notice.code.to_string()),
            _ => return,
        };
        match emitted.last_mut().filter(|(last, _)| last == channel && channel != "notice") {
            Some((_, text)) => text.push_str(&delta),
            None => emitted.push((channel.to_owned(), delta)),
        }
    };
    let mut parser = spec.parser();
    for &(run, text) in runs {
        parser.set_run(run);
        text.as_bytes().chunks(step).for_each(|chunk| parser.feed(chunk, &mut tell).unwrap());
    }
    let state = parser.clone();
    parser.finish(&mut tell).unwrap();
    (emitted, state)
}

/// The parser behind some chunks.
fn fed(spec: &Spec, chunks: &[&str]) -> Parser {
    let mut parser = spec.parser();
    chunks.iter().for_each(|chunk| parser.feed(chunk, |_| {}).unwrap());
    parser
}

/// Checks at every chunk size that these texts are emitted.
fn check(spec: &Spec, runs: &[(TokenRun, &str)], expected: &[(&str, &str)]) {
    let (whole, state) = emitted(spec, runs, 1 << 10);
    let lines: Vec<(&str, &str)> = whole.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(lines, expected, "{runs:?}");
    for step in 1..24 {
        let (parts, same) = emitted(spec, runs, step);
        assert_eq!(parts, whole, "{runs:?} by {step}");
        assert!(same == state, "{runs:?} by {step}: states differ");
    }
}

#[test]
fn a_marker_spelt_in_plain_tokens_is_text() {
    check(
        &calls(),
        &[(PLAIN, "Use <tool_call> to call.")],
        &[("text", "Use <tool_call> to call.")],
    );
    let spelt = [(PLAIN, "<tool_"), (SPECIAL, "<tool_call>"), (PLAIN, "{}")];
    let emitted = [
        ("text", "<tool_"),
        ("open", "tool_call"),
        ("tool", "{}"),
        ("notice", "unclosed_element"),
        ("close", ""),
    ];
    check(&calls(), &spelt, &emitted);
}

/// Where no marker can begin, a chunk is emitted whole.
#[test]
fn plain_tokens_are_one_event_a_chunk() {
    let mut parser = calls().parser();
    parser.set_run(PLAIN);
    let mut texts = Vec::new();
    for chunk in ["y", "a<think>b", "<", "think>"] {
        parser
            .feed(chunk, |event| {
                if let Event::Text(text) = event {
                    texts.push(text.delta.to_string());
                }
            })
            .unwrap();
    }
    assert_eq!(texts, ["y", "a<think>b", "<", "think>"]);
}

#[test]
fn a_marker_neither_begins_nor_ends_in_plain_tokens() {
    let halves = [(TokenRun::Text, "a<think"), (PLAIN, "> b<thi"), (TokenRun::Text, "nk> c")];
    check(&calls(), &halves, &[("text", "a<think> b<think> c")]);
    let through = [(SPECIAL, "<think>"), (PLAIN, "</think>"), (SPECIAL, "</think>"), (PLAIN, "x")];
    let emitted = [("open", "think"), ("reasoning", "</think>"), ("close", ""), ("text", "x")];
    check(&calls(), &through, &emitted);
}

#[test]
fn a_marker_goes_on_through_plain_tokens() {
    let spec =
        Spec::builder().format(patchwire::Format::Text).tags(TagSet::harmony()).build().unwrap();
    let runs = [
        (SPECIAL, "<|channel|>"),
        (PLAIN, "analysis"),
        (SPECIAL, "<|message|>"),
        (PLAIN, "I think"),
        (SPECIAL, "<|end|>"),
    ];
    let (emitted, _) = emitted(&spec, &runs, 64);
    assert!(emitted.contains(&("reasoning".to_owned(), "I think".to_owned())), "{emitted:?}");
}

#[test]
fn code_hides_no_special_token() {
    let fenced = [
        (PLAIN, "```\n<think>"),
        (SPECIAL, "<think>"),
        (PLAIN, "x"),
        (SPECIAL, "</think>"),
        (PLAIN, "\n```"),
    ];
    let emitted = [
        ("text", "```\n<think>"),
        ("open", "think"),
        ("reasoning", "x"),
        ("close", ""),
        ("text", "\n```"),
    ];
    check(&calls(), &fenced, &emitted);
}

#[test]
fn the_reading_beside_knows_the_runs() {
    let spec = calls();
    let mut parser = spec.parser();
    parser.set_run(PLAIN);
    parser.feed("```\n<think>spelt ", |_| {}).unwrap();
    parser.set_run(TokenRun::Text);
    parser.feed("<think>hidden</think> end", |_| {}).unwrap();
    let answer = parser.finish(|_| {}).unwrap();
    assert_eq!(answer.reasoning(), "");
    let beside = answer.alternative().expect("a fence hid a marker");
    assert_eq!(beside.reasoning(), "hidden");
    assert!(beside.text().contains("<think>spelt"), "{}", beside.text());
}

/// A text that can be no choice any more is emitted, and nothing is left of it.
#[test]
fn what_was_held_of_a_choice_is_forgotten() {
    let spec = Spec::json().with_schema(object().field("a", one_of(["red", "blue"])));
    let fed = |chunks: &[&str]| fed(&spec, chunks);
    assert!(fed(&[r#"{"a": "xyz"#]) == fed(&[r#"{"a": "x"#, "yz"]));
    assert!(fed(&[r#"{"a": "re"#]) != fed(&[r#"{"a": "rx"#]));
}

/// What was emitted of an element with JSON is forgotten, wherever the text was cut.
#[test]
fn a_body_of_json_keeps_nothing_that_was_emitted() {
    let family = Family::new("j", "<j>", "</j>", Channel::Named("data".into()));
    let tags = TagSet::builder().family(family.with_body(BodyFormat::Json)).build().unwrap();
    let spec = Spec::builder().format(patchwire::Format::Text).tags(tags).build().unwrap();
    let text = "<j>{\"a\": \"b\\u00e9\\n\", 'c': [tru";
    let fed = |chunks: &[&str]| fed(&spec, chunks);
    for end in 1..=text.len() {
        let whole = fed(&[&text[..end]]);
        for cut in 0..end {
            let chunks = [&text[..cut], &text[cut..end]];
            assert!(fed(&chunks) == whole, "{:?} cut at {cut}", &text[..end]);
        }
    }
}

/// An element whose channel is that of the reasoning around it is ended by what interrupts the reasoning.
#[test]
fn what_interrupts_reasoning_ends_the_elements_in_it() {
    let answer = Family::new("answer", "<answer>", "</answer>", Channel::Answer);
    let tags = TagSet::builder()
        .family(Family::new("think", "<think>", "</think>", Channel::Reasoning))
        .family(Family::new("b", "<b>", "</b>", Channel::Parent))
        .family(answer.with_inside(InReasoning::Interrupt))
        .build()
        .unwrap();
    let spec = Spec::builder().format(patchwire::Format::Text).tags(tags).build().unwrap();
    let answer = spec.parse("<think>I <b>wonder<answer>Rome</answer> so").unwrap();
    assert_eq!(answer.reasoning(), "I wonder");
    let places: Vec<_> = answer
        .elements()
        .map(|it| (it.name().to_owned(), it.parent().map(|it| it.name().to_owned())))
        .collect();
    let think = || Some("think".to_owned());
    let want = [("think".to_owned(), None), ("b".to_owned(), think()), ("answer".to_owned(), None)];
    assert_eq!(places, want);
}

/// Text that might have been a marker turns out to begin a value, while the next marker has begun behind it: in the
/// value it is data.
#[test]
fn a_marker_that_began_before_the_value_was_known_is_data() {
    let tags = TagSet::builder()
        .family(Family::new("t", "<T/{n}>", "</T>", Channel::Named("x".into())))
        .family(Family::new("u", "@U/{n};", "@/U", Channel::Named("x".into())))
        .family(Family::new("v", "#V/{n}!", "#/V", Channel::Named("x".into())))
        .family(Family::new("answer", "<answer>", "</answer>", Channel::Answer))
        .build()
        .unwrap();
    let spec = Spec::builder().tags(tags).build().unwrap();
    for (text, value) in [
        (r#"<T/{"a": "<T/x"}"#, r#"{"a":"<T/x"}"#),
        (r#"<T/{"a": "<T/x>"}"#, r#"{"a":"<T/x>"}"#),
        ("@U/{\"a\": \"@U/x\", \"b\": 1}\n", r#"{"a":"@U/x","b":1}"#),
        ("@U/{\"a\": \"#V/x! y\"}\n", r##"{"a":"#V/x! y"}"##),
        ("<answer>@U/{\"a\": \"@U/x\", \"b\": 1}\n</answer>", r#"{"a":"@U/x","b":1}"#),
        ("<answer>@U/{\"a\": \"#V/x! y\"}\n</answer>", r##"{"a":"#V/x! y"}"##),
        (r#"<answer><T/{"a": "<T/x>"}</answer>"#, r#"{"a":"<T/x>"}"#),
        (r#"<answer><T/{"a": "<T/x>", "b": "</T>"}</answer>"#, r#"{"a":"<T/x>","b":"</T>"}"#),
    ] {
        let whole = spec.parse(text).unwrap();
        assert_eq!(whole.value().to_string(), value, "{text}");
        for cut in 0..text.len() {
            let answer = fed(&spec, &[&text[..cut], &text[cut..]]).finish(|_| {}).unwrap();
            assert_eq!(answer.value().to_string(), value, "{text}, cut at {cut}");
            assert_eq!(answer.text(), whole.text(), "{text}, cut at {cut}");
        }
    }
}
