//! Calls as models write them: Qwen, Hermes, Anthropic's prompts, Kimi, Mistral.

use patchwire::{Format, Outcome, Spec, TagSet};

use super::{check, shown, texts, values};

#[test]
fn qwen_calls() {
    let text = "<think>look it up</think>\n<tool_call>\n<function=weather>\n<parameter=city>\nParis\n\
                </parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>";
    let answer = check(
        &TagSet::qwen(),
        text,
        &[
            "<think>",
            "reasoning: look it up",
            "</think>",
            "text: \n",
            "<tool_call>",
            "tool: \n",
            "<function name=weather>",
            "<parameter key=city>",
            "arg: Paris",
            "</parameter>",
            "<parameter key=days>",
            "arg: 3",
            "</parameter>",
            "tool: \n",
            "</function>",
            "tool: \n",
            "</tool_call>",
        ],
    );
    assert_eq!(texts(&answer, "parameter"), ["Paris", "3"]);
    assert_eq!(answer.reasoning(), "look it up");
}

#[test]
fn calls_are_the_outcome_without_their_values() {
    let spec = Spec::builder().format(Format::Text).tags(TagSet::qwen()).without_value();
    let text = "<tool_call>\n<function=f>\n</function>\n</tool_call>";
    assert_eq!(spec.build().unwrap().parse(text).unwrap().outcome(), Outcome::ToolCalls);
}

#[test]
fn a_closer_with_another_suffix_is_content() {
    let tags = TagSet::preset("hy-v3").unwrap();
    let value = |text: &str| texts(&super::spec(&tags).parse(text).unwrap(), "arg_value");
    let open = "<tool_call:a>f<tool_sep:a><arg_key:a>k</arg_key:a><arg_value:a>";
    let text = format!("{open}</arg_value:b> x</arg_value:a></tool_call:a>");
    assert_eq!(value(&text), ["</arg_value:b> x"]);
}

#[test]
fn qwen_values_keep_what_looks_like_markers() {
    let call = |inside: &str| format!("<tool_call><function=f>{inside}</function></tool_call>done");
    let qwen = TagSet::qwen();
    for (inside, expected) in [
        ("<parameter=x>a </parameter> b</parameter>", &["a </parameter> b"][..]),
        ("<parameter=x>\n\n<tool_call>\n</parameter>", &["\n<tool_call>"]),
        ("<parameter=x>\n</parameter>", &[""]),
        ("<parameter=x></parameter>", &[""]),
        // A closer that was forgotten.
        ("<parameter=a>1<parameter=b>2</parameter>", &["1", "2"]),
        ("<parameter=a>\nx\n<parameter=b>\n2\n</parameter>", &["x", "2"]),
        ("<parameter=a>1", &["1"]),
    ] {
        let answer = shown(&qwen, &call(inside), "done", "");
        assert_eq!(texts(&answer, "parameter"), expected, "{inside}");
    }
}

#[test]
fn qwen_without_the_element_around() {
    let text = "I ask.\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>";
    let answer = check(
        &TagSet::qwen(),
        text,
        &[
            "text: I ask.\n",
            "<function name=f>",
            "<parameter key=a>",
            "arg: 1",
            "</parameter>",
            "tool: \n",
            "</function>",
            "text: \n",
            "! stray_closer",
            "stray tool_call",
        ],
    );
    assert_eq!(answer.text(), "I ask.\n\n");
}

#[test]
fn qwen_in_prose_and_in_code() {
    let fenced =
        "Example:\n```xml\n<tool_call>\n<function=Bash>\n</function>\n</tool_call>\n```\nSo.";
    for text in ["a <function=f> b", "`<tool_call>`", "<tool_calls>", fenced] {
        check(&TagSet::qwen(), text, &[&format!("text: {text}")]);
    }
    let pair = "Calls stand between <tool_call> and </tool_call>";
    check(&TagSet::qwen(), pair, &[&format!("text: {pair}")]);
    let cut = check(
        &TagSet::qwen(),
        "<tool_call><function=f><parameter=a>1</para",
        &[
            "<tool_call>",
            "<function name=f>",
            "<parameter key=a>",
            "arg: 1</para",
            "! unclosed_element",
            "</parameter> end_of_input",
            "! unclosed_element",
            "</function> end_of_input",
            "! unclosed_element",
            "</tool_call> end_of_input",
        ],
    );
    assert_eq!(cut.outcome(), Outcome::ToolCalls);
}

/// Thought, call, thought, text; and reasoning that the prompt began.
#[test]
fn qwen_thinks_in_between() {
    let text =
        "<think>look</think><tool_call><function=g></function></tool_call><think>now</think>18";
    shown(&TagSet::qwen(), text, "18", "looknow");
    shown(&TagSet::qwen(), "hm</think>18", "18", "hm");
    // A call inside a thought. The thought continues after it.
    let inside = "<think>a<tool_call><function=f></function></tool_call>b</think>ok";
    shown(&TagSet::qwen(), inside, "ok", "ab");
}

#[test]
fn json_in_tags() {
    let text = "I look.\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"t\": \"a </tool_call> b\"}}\n\
                </tool_call>\n<tool_call>{\"name\": \"g\"}</tool_call>";
    let tags = TagSet::hermes_json();
    let answer = shown(&tags, text, "I look.\n\n", "");
    let expected = [r#"{"name":"f","arguments":{"t":"a </tool_call> b"}}"#, r#"{"name":"g"}"#];
    assert_eq!(values(&answer, "tool_call"), expected);
    check(
        &tags,
        "<tool_call>{\"name\": \"g\"}</tool_call>",
        &["<tool_call>", " open", "name open", "name += g", "name done", " done", "</tool_call>"],
    );
}

/// What was repaired in a call is told with its arguments, and not with those of others.
#[test]
fn calls_have_the_notices_of_their_own_bodies() {
    let text = "<tool_call>{'name': 'f', 'arguments': {'a': 1}}</tool_call>\
                <tool_call>{\"name\": \"g\", \"arguments\": {\"a\": 1,}}</tool_call>\
                <tool_call>{\"name\": \"h\", \"arguments\": {}}</tool_call>";
    let answer = super::spec(&TagSet::hermes_json()).parse(text).unwrap();
    let calls: Vec<_> = answer
        .calls()
        .iter()
        .map(|call| {
            let answer = call.answer();
            let codes: Vec<_> = answer.notices().iter().map(|notice| notice.code.name()).collect();
            assert_eq!(answer.notice_count(), codes.len() as u64);
            (call.name(), answer.outcome(), codes.join(" "))
        })
        .collect();
    let quotes = ["single_quotes"; 4].join(" ");
    assert_eq!(
        calls,
        [
            ("f", Outcome::Repaired, quotes),
            ("g", Outcome::Repaired, "trailing_comma".to_owned()),
            ("h", Outcome::Complete, String::new()),
        ]
    );
}

#[test]
fn json_in_tags_gone_wrong() {
    let tags = TagSet::hermes_json();
    let answer = shown(&tags, "{\"a\":1}</tool_call></tool_call>", "{\"a\":1}", "");
    assert_eq!(answer.notice_count(), 2);
    let text = "<tool_call>sorry \"</tool_call>x";
    let answer = shown(&tags, text, text, "");
    assert_eq!((answer.calls().len(), answer.notice_count()), (0, 0));
    // Nothing is hidden in a string that the end of the input cuts.
    let answer = shown(&tags, "<tool_call>{\"name\": \"f", "", "");
    assert_eq!((answer.notice_count(), answer.alternative().is_some()), (2, false));
    // The string ends at a quote of the next call: what it swallowed is no argument that was meant.
    let text = "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"x}}</tool_call>\n\
                <tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call>";
    let answer = shown(&tags, text, "", "");
    let calls: Vec<_> =
        answer.calls().iter().map(|call| (call.name(), call.is_complete())).collect();
    assert_eq!(calls, [("f", false)]);
    // The string never ends, so neither does the call. The alternative has the meaning if it did.
    let answer = shown(&tags, "<tool_call>{\"t\":\"say hi}</tool_call>tail", "", "");
    assert_eq!(values(&answer, "tool_call"), [r#"{"t":"say hi}</tool_call>tail"}"#]);
    let beside = answer.alternative().unwrap();
    assert_eq!(
        (beside.text(), values(beside, "tool_call")),
        ("tail", vec![r#"{"t":"say hi}"}"#.to_owned()])
    );
}

#[test]
fn anthropic_calls() {
    let text = "Let me see.\n<function_calls>\n<invoke name=\"weather\">\n\
                <parameter name=\"city\">Paris </parameter>\n<parameter name='days'>[1, 2]</parameter>\n\
                </invoke>\n</function_calls>";
    let answer = check(
        &TagSet::anthropic_xml(),
        text,
        &[
            "text: Let me see.\n",
            "<function_calls>",
            "tool: \n",
            "<invoke name=weather>",
            "tool: \n",
            "<parameter key=city>",
            "arg: Paris ",
            "</parameter>",
            "tool: \n",
            "<parameter key=days>",
            "arg: [1, 2]",
            "</parameter>",
            "tool: \n",
            "</invoke>",
            "tool: \n",
            "</function_calls>",
        ],
    );
    assert_eq!(texts(&answer, "parameter"), ["Paris ", "[1, 2]"]);
}

#[test]
fn anthropic_calls_gone_wrong() {
    let tags = TagSet::anthropic_xml();
    let call = |inside: &str| {
        format!("<function_calls><invoke name=\"m\">{inside}</invoke></function_calls>")
    };
    for (inside, expected) in [
        ("<parameter name=\"t\">a </parameter> b</parameter>", &["a </parameter> b"][..]),
        // The wrong closer stays in the value, and the next parameter begins all the same.
        (
            "<parameter name=\"a\">text</content><parameter name=\"b\">2</parameter>",
            &["text</content>", "2"],
        ),
        ("<parameter name=\"a\" type=\"int\">1</parameter>", &["1"]),
        ("<parameter>1</parameter>", &[]),
    ] {
        let answer = shown(&tags, &call(inside), "", "");
        assert_eq!(texts(&answer, "parameter"), expected, "{inside}");
    }
    let stray = check(
        &tags,
        "All good.</parameter></invoke> Bye",
        &[
            "text: All good.",
            "! stray_closer",
            "stray parameter",
            "! stray_closer",
            "stray invoke",
            "text:  Bye",
        ],
    );
    assert_eq!(stray.text(), "All good. Bye");
    // The prompt's stop text ends the input in place of the last closer.
    let cut =
        "<function_calls>\n<invoke name=\"f\">\n<parameter name=\"a\">1</parameter>\n</invoke>\n";
    let answer = shown(&tags, cut, "", "");
    let complete = answer.elements().map(|element| element.is_complete());
    assert!(complete.eq([false, true, true]));
}

#[test]
fn anthropic_calls_with_a_prefix() {
    let text = "<@function_calls><@invoke name=\"f\"><@parameter name=\"a\">1</@parameter></@invoke>\
                </@function_calls>";
    let answer = shown(&TagSet::anthropic_xml(), &text.replace('@', PREFIX), "", "");
    assert_eq!(texts(&answer, "parameter"), ["1"]);
}

const PREFIX: &str = "antml:";

#[test]
fn kimi_calls() {
    let text = "<think>two cities</think>I ask twice.<|tool_calls_section_begin|><|tool_call_begin|>\
                functions.get_weather:0<|tool_call_argument_begin|>{\"city\": \"Rom\"}<|tool_call_end|>\
                <|tool_call_begin|> search:1 <|tool_call_argument_begin|> {} <|tool_call_end|>\
                <|tool_calls_section_end|>";
    let answer = check(
        &TagSet::kimi(),
        text,
        &[
            "<think>",
            "reasoning: two cities",
            "</think>",
            "text: I ask twice.",
            "<tool_calls>",
            "<tool_call name=get_weather index=0>",
            " open",
            "city open",
            "city += Rom",
            "city done",
            " done",
            "</tool_call>",
            "<tool_call id= search:1 >",
            " open",
            " done",
            "</tool_call>",
            "</tool_calls>",
        ],
    );
    assert_eq!(values(&answer, "tool_call"), [r#"{"city":"Rom"}"#, "{}"]);
}

#[test]
fn kimi_thinks() {
    let kimi = TagSet::kimi();
    check(
        &kimi,
        "x ◁think▷why◁/think▷ok",
        &["text: x ", "<think>", "reasoning: why", "</think>", "text: ok"],
    );
    // A call closes open reasoning.
    let text = "<think>so<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0\
                <|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|></think>ok";
    let answer = shown(&kimi, text, "ok", "so");
    assert_eq!(values(&answer, "tool_call"), ["{}"]);
    // Cut in the arguments.
    let cut = "<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"a\": \"b";
    let answer = shown(&kimi, cut, "", "");
    assert_eq!(values(&answer, "tool_call"), [r#"{"a":"b"}"#]);
    assert_eq!(answer.outcome(), Outcome::ToolCalls);
    assert!(!answer.elements().next().unwrap().is_complete());
}

#[test]
fn mistral_calls() {
    let text = "[THINK]which?[/THINK]Two.[TOOL_CALLS]weather[ARGS]{\"city\": \"Rom\"}\
                [TOOL_CALLS]search[CALL_ID]a1B2c3D4e[ARGS]{\"q\": \"x\"}</s>";
    let answer = check(
        &TagSet::mistral(),
        text,
        &[
            "<think>",
            "reasoning: which?",
            "</think>",
            "text: Two.",
            "<tool_call name=weather>",
            " open",
            "city open",
            "city += Rom",
            "city done",
            " done",
            "! unclosed_element",
            "</tool_call> sibling_opener",
            "<tool_call name=search id=a1B2c3D4e>",
            " open",
            "q open",
            "q += x",
            "q done",
            " done",
            "</tool_call>",
        ],
    );
    assert_eq!(values(&answer, "tool_call"), [r#"{"city":"Rom"}"#, r#"{"q":"x"}"#]);
    // A marker in a string is data.
    let text = "[TOOL_CALLS]f[ARGS]{\"a\": \"[TOOL_CALLS]g[ARGS]{}\"}";
    let answer = shown(&TagSet::mistral(), text, "", "");
    assert_eq!(values(&answer, "tool_call"), [r#"{"a":"[TOOL_CALLS]g[ARGS]{}"}"#]);
}

#[test]
fn mistral_calls_in_one_list() {
    let text = "[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": {\"a\": 1}}]";
    let answer = shown(&TagSet::mistral(), text, "", "");
    assert_eq!(values(&answer, "tool_calls"), [r#"[{"name":"f","arguments":{"a":1}}]"#]);
}

#[test]
fn mistral_brackets_in_prose() {
    let mistral = TagSet::mistral();
    shown(
        &mistral,
        "[THE](u) [THINK]r[/THINK]ok [ARGS] [TOOL_CALL]",
        "[THE](u) ok [ARGS] [TOOL_CALL]",
        "r",
    );
    // Without the mark between name and arguments, both are one text.
    let answer = shown(&mistral, "[TOOL_CALLS]f{\"a\": 1}", "", "");
    assert_eq!(values(&answer, "tool_calls"), [r#""f{\"a\": 1}""#]);
    let answer = shown(&mistral, "[TOOL_CALLS]f{\"a\": 1}[TOOL_CALLS]g{}", "", "");
    assert_eq!(values(&answer, "tool_calls"), [r#""f{\"a\": 1}""#, r#""g{}""#]);
    for text in ["It writes [TOOL_CALLS], then a name.", "Look for `[TOOL_CALLS]` in the log."] {
        shown(&mistral, text, text, "");
    }
}

/// A tool that takes code takes no JSON, also where the code is.
#[test]
fn a_tool_that_takes_a_text_is_known_by_its_call() {
    let spec = super::spec(&TagSet::harmony());
    let call =
        |to: &str, text: &str| format!("<|channel|>commentary to={to}<|message|>{text}<|call|>");
    for (to, text, is_text, told) in [
        ("python", "print(1)", true, Some("print(1)")),
        ("python", "[1]", true, Some("[1]")),
        ("functions.f", r#"{"a": 1}"#, false, None),
    ] {
        let answer = spec.parse(call(to, text)).unwrap();
        let [call] = answer.calls() else { panic!("{to}") };
        assert_eq!(
            (call.is_text(), call.text(), call.is_complete()),
            (is_text, told, true),
            "{to}"
        );
    }
}
