//! Messages of gpt-oss.

use patchwire::{Event, Outcome, TagSet};

use super::{check, shown, spec, texts, values};

#[test]
fn a_turn() {
    let text = "<|channel|>analysis<|message|>Simple sum.<|end|><|start|>assistant<|channel|>final\
                <|message|>2 + 2 = 4.<|return|>";
    let answer = check(
        &TagSet::harmony(),
        text,
        &[
            "<analysis>",
            "reasoning: Simple sum.",
            "</analysis>",
            "<final>",
            "answer: 2 + 2 = 4.",
            "</final>",
        ],
    );
    assert_eq!((answer.text(), answer.reasoning()), ("2 + 2 = 4.", "Simple sum."));
}

#[test]
fn a_plan_and_a_call() {
    let text = "<|channel|>commentary<|message|>I will ask.<|end|><|start|>assistant<|channel|>commentary \
                to=functions.get_weather <|constrain|>json<|message|>{\"city\":\"Rom\"}<|call|>";
    let answer = check(
        &TagSet::harmony(),
        text,
        &[
            "<commentary>",
            "commentary: I will ask.",
            "</commentary>",
            "<call name=get_weather format=json>",
            " open",
            "city open",
            "city += Rom",
            "city done",
            " done",
            "</call>",
        ],
    );
    assert_eq!(values(&answer, "call"), [r#"{"city":"Rom"}"#]);
}

/// The receiver after the role or after the channel, with a format or without.
#[test]
fn headers_of_calls() {
    let tags = TagSet::harmony();
    for header in [
        "<|channel|>commentary to=functions.f<|message|>",
        "<|channel|>commentary to=functions.f<|constrain|>json<|message|>",
        "<|channel|>commentary to=functions.f json<|message|>",
        "<|start|>assistant<|channel|>analysis to=functions.f code<|message|>",
        "<|start|>assistant to=functions.f<|channel|>commentary<|message|>",
        "<|start|>assistant to=functions.f<|channel|>commentary <|constrain|>json<|message|>",
    ] {
        let answer = shown(&tags, &format!("{header}{{\"a\": 1}}<|call|>"), "", "");
        let call = answer.elements().next().unwrap();
        assert_eq!((call.name(), call.params().get("name")), ("call", Some("f")), "{header}");
        assert_eq!(values(&answer, "call"), [r#"{"a":1}"#], "{header}");
    }
    let python = "<|channel|>analysis to=python code<|message|>print('<|channel|>')\n<|call|>";
    assert_eq!(texts(&shown(&tags, python, "", ""), "python"), ["print('<|channel|>')\n"]);
    let browser = "<|channel|>analysis to=browser.search<|message|>{\"query\": \"x\"}<|call|>";
    assert_eq!(values(&shown(&tags, browser, "", ""), "browser"), [r#"{"query":"x"}"#]);
}

/// No part of a header is ever emitted.
#[test]
fn a_header_in_pieces() {
    let mut parser = spec(&TagSet::harmony()).parser();
    let mut pushes = Vec::new();
    for chunk in ["<|channel|>", "analysis", "<|message|>The user", "<|end|>"] {
        let mut push = Vec::new();
        let mut tell = |event: Event<'_>| match event {
            Event::Text(text) => push.push(text.delta.to_string()),
            Event::Reasoning(text) => push.push(text.delta.to_string()),
            _ => {}
        };
        parser.feed(chunk, &mut tell).unwrap();
        pushes.push(push);
    }
    assert_eq!(pushes, [vec![], vec![], vec!["The user".to_owned()], vec![]]);
}

#[test]
fn ends_that_are_missing_or_alone() {
    let tags = TagSet::harmony();
    check(
        &tags,
        "I must refuse<|end|>",
        &["text: I must refuse", "! stray_closer", "stray analysis"],
    );
    check(
        &tags,
        "<|channel|>analysis<|message|>so<|start|>assistant<|channel|>final<|message|>Yes",
        &[
            "<analysis>",
            "reasoning: so",
            "! unclosed_element",
            "</analysis> reopened",
            "<final>",
            "answer: Yes",
            "! unclosed_element",
            "</final> end_of_input",
        ],
    );
    let cut = shown(&tags, "<|channel|>analysis<|message|>so", "", "so");
    assert_eq!(cut.outcome(), Outcome::NoAnswer);
    let fence = "<|channel|>final<|message|>```\nx<|return|>";
    shown(&tags, fence, "```\nx", "");
}

/// A message to any receiver is a call of it.
#[test]
fn other_receivers() {
    let tags = TagSet::harmony();
    for header in [
        "<|channel|>commentary to=search<|message|>",
        "<|channel|>commentary  to=search<|message|>",
        "<|channel|>commentary to=search <|constrain|>json<|message|>",
        "<|channel|>commentary to=search<|constrain|>json<|message|>",
        "<|channel|>analysis to=search code<|message|>",
        "<|channel|>analysis  to=search code<|message|>",
        "<|start|>assistant to=search<|channel|>commentary<|message|>",
        "<|start|>assistant to=search<|channel|>analysis json<|message|>",
        "<|start|>assistant<|channel|>commentary to=search json<|message|>",
        "<|start|>assistant<|channel|>analysis  to=search<|message|>",
    ] {
        let answer = shown(&tags, &format!("{header}{{\"a\": 1}}<|call|>"), "", "");
        assert_eq!(values(&answer, "search"), [r#"{"a":1}"#], "{header}");
        let calls: Vec<&str> = answer.calls().iter().map(|call| call.name()).collect();
        assert_eq!((calls, answer.outcome()), (vec!["search"], Outcome::ToolCalls), "{header}");
    }
    let user = "<|channel|>commentary to=user<|message|>Hello.<|end|>";
    let answer = shown(&tags, user, "", "");
    assert_eq!(
        (texts(&answer, "commentary"), answer.calls().len()),
        (vec!["Hello.".to_owned()], 0)
    );
    let known = "<|channel|>commentary to=functions.f<|message|>{}<|call|>";
    assert_eq!(shown(&tags, known, "", "").elements().next().unwrap().name(), "call");
}

/// Unknown headers are elements, too, with names from their text.
#[test]
fn other_headers() {
    let tags = TagSet::harmony();
    for (text, name) in [
        ("<|channel|>summary<|message|>x<|end|>", "summary"),
        ("<|channel|>commentary to a friend<|message|>x<|end|>", "commentary to a friend"),
    ] {
        let answer = shown(&tags, text, "", "");
        assert_eq!(texts(&answer, name), ["x"], "{text}");
    }
    shown(&tags, "<|start|>assistant<|message|>Hi<|return|>", "Hi", "");
    let answer =
        shown(&tags, "<|channel|>final <|constrain|>json<|message|>{}<|return|>", "{}", "");
    assert_eq!(answer.elements().next().unwrap().params().get("format"), Some("json"));
}
