//! Reasoning is routed apart, wherever its markers are cut, and never inside the payload.

use patchwire::tags::{Channel, Family, Guards};
use patchwire::{Event, Format, Limit, Limits, Outcome, Parser, PatchOp, Spec, Strictness, TagSet};

/// All events, one per line; neighbouring deltas of one kind are joined.
fn emitted(spec: &Spec, chunks: &[&[u8]]) -> Vec<String> {
    let mut emitted: Vec<String> = Vec::new();
    let mut parser = spec.parser();
    let mut tell = |event: Event<'_>| {
        let (prefix, delta) = match event {
            Event::Text(text) => ("text ".to_owned(), text.delta.to_string()),
            Event::Reasoning(text) => ("reasoning ".to_owned(), text.delta.to_string()),
            Event::Patch(patch) if patch.op == PatchOp::Delta => {
                (format!("{} += ", patch.path), patch.delta.to_string())
            }
            Event::Patch(patch) => {
                return emitted.push(format!("{} {}", patch.path, patch.op.name()));
            }
            Event::ElementOpen(open) => return emitted.push(format!("open {}", open.name)),
            Event::Reclassify { channel, .. } => {
                return emitted.push(format!("reclassify to {channel}"));
            }
            Event::ElementClose { reason, .. } => {
                return emitted.push(format!("close {}", reason.name()));
            }
            Event::Stray { name, .. } => return emitted.push(format!("stray {name}")),
            Event::Notice(notice) => return emitted.push(format!("notice {}", notice.code)),
            _ => return,
        };
        match emitted.last_mut().filter(|last| last.starts_with(&prefix)) {
            Some(last) => last.push_str(&delta),
            None => emitted.push(prefix + &delta),
        }
    };
    for chunk in chunks {
        parser.feed(chunk, &mut tell).unwrap();
    }
    parser.finish(&mut tell).unwrap();
    emitted
}

fn check(text: &str, expected: &[&str]) {
    let spec = Spec::json();
    let bytes = text.as_bytes();
    assert_eq!(emitted(&spec, &[bytes]), expected, "{text:?}");
    for cut in 0..=bytes.len() {
        assert_eq!(
            emitted(&spec, &[&bytes[..cut], &bytes[cut..]]),
            expected,
            "{text:?} cut at {cut}"
        );
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(emitted(&spec, &single), expected, "{text:?} byte by byte");
}

#[test]
fn reasoning_before_the_payload() {
    check(
        "<think>maybe {\"x\": 0}</think>{\"a\":1}",
        &["open think", "reasoning maybe {\"x\": 0}", "close observed", " open", "a done", " done"],
    );
}

#[test]
fn a_marker_in_the_payload_is_data() {
    check(
        "{\"a\":\"<think>x</think>\"}",
        &[" open", "a open", "a += <think>x</think>", "a done", " done"],
    );
}

#[test]
fn what_only_looks_like_a_marker_is_text() {
    check("x <<thi <THINKER> </ a < b", &["text x <<thi <THINKER> </ a < b"]);
}

#[test]
fn case_and_the_names_of_the_group() {
    check(
        "a<<Thinking>b</THOUGHT>c",
        &[
            "text a<",
            "open thinking",
            "reasoning b",
            "notice mismatched_marker",
            "close mismatched",
            "text c",
        ],
    );
}

#[test]
fn a_closer_without_an_opener_gives_the_text_before_it_to_reasoning() {
    check(
        "a</think>b",
        &[
            "text a",
            "notice stray_closer",
            "stray think",
            "notice reclassified",
            "reclassify to reasoning",
            "text b",
        ],
    );
}

#[test]
fn an_element_the_input_ends_in() {
    check(
        "<think>a</thi",
        &["open think", "reasoning a</thi", "notice unclosed_element", "close end_of_input"],
    );
    let answer = Spec::json().parse("<think>only this").unwrap();
    assert_eq!((answer.outcome(), answer.reasoning()), (Outcome::NoAnswer, "only this"));
    assert!(!answer.value().exists());
}

#[test]
fn a_held_brace_is_text_when_an_element_begins() {
    check(
        "so { <think>x</think>\"a\":1}",
        &["text so { ", "open think", "reasoning x", "close observed", "text \"a\":1}"],
    );
}

#[test]
fn without_tags_markers_are_text() {
    let spec = Spec::builder().without_tags().build().unwrap();
    let answer = spec.parse("<think>x</think>{\"a\":1}").unwrap();
    assert_eq!((answer.text(), answer.reasoning()), ("<think>x</think>", ""));
}

#[test]
fn no_more_is_held_than_said() {
    let spec = Spec::json();
    let text = "aa <reasoning < </reasonin <<<thin";
    let mut parser = spec.parser();
    let mut given = 0;
    for (at, byte) in text.bytes().enumerate() {
        parser
            .feed([byte], |event| {
                if let Event::Text(text) = event {
                    given += text.delta.len();
                }
            })
            .unwrap();
        assert!(at + 1 - given <= parser.max_held(), "held {} after {at}", at + 1 - given);
    }
}

/// Feeds side reasoning at this place of the text, cut there, and returns all events as lines.
fn apart(spec: &Spec, text: &str, at: usize, reasoning: &[&[u8]]) -> (Vec<String>, Parser) {
    let mut parser = spec.parser();
    let (mut emitted, mut end) = (Vec::new(), 0);
    let mut tell = |event: Event<'_>| {
        if let Some(span) = event.span() {
            assert_eq!(span.start, end, "spans tile");
            end = span.end;
        }
        match event {
            Event::Reasoning(text) => {
                assert!(text.element.is_none() && text.span.is_empty());
                emitted.push(format!("reasoning {}", text.delta));
            }
            Event::Patch(patch) if patch.op == PatchOp::Done => {
                emitted.push(patch.path.to_string())
            }
            Event::Notice(notice) => emitted.push(format!("notice {}", notice.code)),
            _ => {}
        }
    };
    parser.feed(&text[..at], &mut tell).unwrap();
    for delta in reasoning {
        parser.feed_reasoning(delta, &mut tell).unwrap();
    }
    parser.feed(&text[at..], &mut tell).unwrap();
    let fed = parser.clone();
    parser.finish(&mut tell).unwrap();
    (emitted, fed)
}

#[test]
fn reasoning_fed_apart_moves_nothing() {
    let text = "so <thi {\"a\": [1, \"two\"]} \u{e9}";
    let spec = Spec::json();
    let (_, mut without) = apart(&spec, text, 0, &[]);
    let answer = without.finish(|_| {}).unwrap();
    for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
        let (emitted, mut fed) =
            apart(&spec, text, at, &[b"<think>{\"a\": 2}", "\u{e9}".as_bytes()]);
        assert!(emitted.contains(&"reasoning <think>{\"a\": 2}".to_owned()), "{emitted:?}");
        let with = fed.finish(|_| {}).unwrap();
        assert_eq!(with.reasoning(), "<think>{\"a\": 2}\u{e9}");
        assert_eq!((with.value(), with.text()), (answer.value(), answer.text()));
        assert_eq!((with.notices(), with.raw()), (answer.notices(), answer.raw()));
    }
}

#[test]
fn reasoning_fed_apart_may_be_cut_anywhere() {
    let spec = Spec::json();
    let reasoning = "a\u{e9}\u{1f600}".as_bytes();
    let invalid = [b"\xff", &b"x\xc3"[..]].concat();
    for bytes in [reasoning, &invalid] {
        let (_, whole) = apart(&spec, "{\"a\": \"x\"}", 8, &[bytes]);
        for cut in 0..=bytes.len() {
            let (_, parts) = apart(&spec, "{\"a\": \"x\"}", 8, &[&bytes[..cut], &bytes[cut..]]);
            assert!(parts == whole, "{bytes:?} cut at {cut}");
        }
    }
    let (emitted, _) = apart(&spec, "{}", 0, &[&invalid]);
    let replaced = ["notice invalid_utf8", "reasoning \u{fffd}", "reasoning x"];
    assert_eq!(emitted[..3], replaced);
    assert_eq!(emitted[emitted.len() - 2..], ["reasoning \u{fffd}", "notice invalid_utf8"]);
    let strict = Spec::builder().strictness(Strictness::Strict).build().unwrap();
    assert!(strict.parser().feed_reasoning(b"\xff", |_| {}).is_err());
}

#[test]
fn reasoning_fed_apart_is_bounded_and_ends() {
    let limits = Limits::default().with(Limit::Total, 4);
    let spec = Spec::builder().limits(limits).build().unwrap();
    let mut parser = spec.parser();
    parser.feed_reasoning("abc", |_| {}).unwrap();
    parser.feed("{}", |_| {}).unwrap();
    let error = parser.feed_reasoning("de", |_| {}).unwrap_err();
    assert_eq!(parser.feed("", |_| {}), Err(error));
    let mut parser = Spec::json().parser();
    parser.finish(|_| {}).unwrap();
    assert!(parser.feed_reasoning("late", |_| {}).is_err());
}

/// The answer's value, its text, and its reasoning.
fn read(text: &str) -> (String, String, String) {
    let answer = Spec::json().parse(text).unwrap();
    (answer.value().to_string(), answer.text().to_owned(), answer.reasoning().to_owned())
}

#[test]
fn what_looks_like_a_payload_in_reclassified_text_is_none() {
    let whole = |value: &str, text: &str, reasoning: &str| {
        (value.to_owned(), text.to_owned(), reasoning.to_owned())
    };
    let thought = r#"plan {"a":1}?"#;
    let answered = read(&format!(r#"{thought}</think>{{"a":2}}"#));
    assert_eq!(answered, whole(r#"{"a":2}"#, "", thought));
    let unanswered = read(&format!("{thought}</think>So it is."));
    assert_eq!(unanswered, whole("null", "So it is.", thought));
    assert_eq!(read(r#"{"a":1}</think>"#), whole("null", "", r#"{"a":1}"#));
    assert_eq!(read(r#"{"a":1} then</think>{"b":2}"#), whole(r#"{"b":2}"#, "", r#"{"a":1} then"#));
    // Text after the closer stays in its channel.
    assert_eq!(read(r#"plan</think>{"a":1}"#), whole(r#"{"a":1}"#, "", "plan"));
}

#[test]
fn a_backtick_behind_a_payload_hides_no_reasoning() {
    let answered = read("[`a`]`<think>y</think>");
    assert_eq!(answered, (r#"["a"]"#.to_owned(), "`".to_owned(), "y".to_owned()));
}

#[test]
fn a_second_closer_may_be_that_of_the_reasoning_which_the_prompt_opened() {
    let spec = Spec::builder().format(Format::Text).start_in("think").build().unwrap();
    let answer = spec.parse("so</think>F</think>G").unwrap();
    assert_eq!((answer.reasoning(), answer.text()), ("so", "FG"));
    let beside = answer.alternative().expect("the second closer closes nothing");
    assert_eq!((beside.reasoning(), beside.text()), ("so</think>F", "G"));
}

#[test]
fn a_payload_that_was_none_is_taken_back_by_a_patch() {
    let spec = Spec::json();
    let emitted = emitted(&spec, &[br#"{"a":1}</think>no"#]);
    let removed = ["$ remove", " remove"];
    assert!(emitted.iter().any(|line| removed.contains(&line.as_str())), "{emitted:?}");
    let answer = spec.parse(r#"{"a":1}</think>no"#).unwrap();
    assert_eq!(answer.outcome(), Outcome::Failed);
}

/// The closer makes thought of everything before it, also of a value; what it cuts in two is no second value.
#[test]
fn a_stray_closer_in_a_key_disowns_the_value_before() {
    let spec = Spec::builder().tags(TagSet::think()).build().unwrap();
    let answer = spec.parse(r#"{"a":1}, {"x. </think> y": 1}"#).unwrap();
    assert!(!answer.value().exists(), "{}", answer.value());
    assert_eq!(answer.reasoning(), r#"{"a":1}, {"x. "#);
    assert_eq!(answer.text(), r#" y": 1}"#);
    let codes: Vec<_> = answer.notices().iter().map(|it| it.code.name()).collect();
    assert_eq!(codes, ["stray_closer", "reclassified"]);
}

/// A marker that is only mentioned is text up to its last byte, where its first character has four.
#[test]
fn a_mention_of_a_marker_with_an_emoji_is_text() {
    let family = Family::new("t", "🧠on", "🧠off", Channel::Reasoning);
    let tags = TagSet::builder().family(family).guards(Guards::Both).build().unwrap();
    let spec = Spec::builder().format(Format::Text).tags(tags).build().unwrap();
    for text in ["say \"🧠on\" now", "say `🧠on` now", "say 🧠 now 🧠o", "é🧠", "🧠🧠on"]
    {
        for step in [1, 2, 3, 64] {
            let mut parser = spec.parser();
            text.as_bytes().chunks(step).for_each(|chunk| parser.feed(chunk, |_| {}).unwrap());
            let answer = parser.finish(|_| {}).unwrap();
            let want = text.strip_suffix("🧠on").unwrap_or(text);
            assert_eq!((answer.text(), answer.reasoning()), (want, ""), "{text} by {step}");
        }
    }
}

/// Only at the beginning of the stream is it a mark.
#[test]
fn a_byte_order_mark_behind_reasoning_is_text() {
    let spec = Spec::builder().tags(TagSet::think()).build().unwrap();
    for (text, outside, count) in
        [("\u{FEFF}{}", "", 1), ("<think>x</think>\u{FEFF}{}", "\u{FEFF}", 0)]
    {
        let answer = spec.parse(text).unwrap();
        assert_eq!((answer.text(), answer.notices().len()), (outside, count), "{text:?}");
    }
}

/// A code span hides no closer of the reasoning that it lies in.
#[test]
fn a_closer_in_a_code_span_of_reasoning_counts() {
    let spec = Spec::builder().format(Format::Text).tags(TagSet::think()).build().unwrap();
    for (text, reasoning, rest) in [
        ("<think>a `b </think> c` d", "a `b ", " c` d"),
        ("<think>`</think>` d", "`", "` d"),
        ("<think>a `b` </think>` d", "a `b` ", "` d"),
        ("a `b </think> c` d", "", "a `b </think> c` d"),
    ] {
        let answer = spec.parse(text).unwrap();
        assert_eq!((answer.reasoning(), answer.text()), (reasoning, rest), "{text:?}");
    }
}
