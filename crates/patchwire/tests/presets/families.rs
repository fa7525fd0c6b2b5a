//! The calls of each model family as one list, and its reasoning.

use patchwire::answer::Call;
use patchwire::{Format, Outcome, Schema, Spec, SpecBuilder, TagSet, schema};

use super::{shown, spec, texts, uncut};

/// The calls: `name{arguments}`, with an id in front and `…` behind a call that was cut.
fn calls_with(spec: &Spec, text: &str) -> Vec<String> {
    let (_, answer) = uncut(spec, text);
    let shown = answer.calls().iter().map(|call| {
        let id = call.id().map_or_else(String::new, |id| format!("{id} "));
        let arguments = match call.text() {
            Some(text) => format!("({text})"),
            None => call.arguments().to_string(),
        };
        let end = if call.is_complete() { "" } else { "…" };
        format!("{id}{}{arguments}{end}", call.name())
    });
    let shown: Vec<String> = shown.collect();
    assert_eq!(answer.outcome() == Outcome::ToolCalls, !shown.is_empty(), "{text}");
    shown
}

fn calls(preset: &str, text: &str) -> Vec<String> {
    calls_with(&spec(&TagSet::preset(preset).unwrap()), text)
}

const ROME: &str = r#"weather{"city":"Rome","days":2}"#;
const ROME_TEXT: &str = r#"weather{"city":"Rome","days":"2"}"#;

/// One call in the form of each family.
const FORMS: [(&str, &str, &str); 37] = [
    (
        "hermes-json",
        r#"<tool_call>{"name": "weather", "arguments": {"city": "Rome", "days": 2}}</tool_call>"#,
        ROME,
    ),
    (
        "qwen",
        "<tool_call>\n<function=weather>\n<parameter=city>\nRome\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>",
        ROME_TEXT,
    ),
    (
        "anthropic-xml",
        "<function_calls><invoke name=\"weather\"><parameter name=\"city\">Rome</parameter><parameter name=\"days\">2</parameter></invoke></function_calls>",
        ROME_TEXT,
    ),
    (
        "harmony",
        "<|channel|>commentary to=functions.weather<|message|>{\"city\": \"Rome\", \"days\": 2}<|call|>",
        ROME,
    ),
    (
        "kimi",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>{\"city\": \"Rome\", \"days\": 2}<|tool_call_end|><|tool_calls_section_end|>",
        r#"functions.weather:0 weather{"city":"Rome","days":2}"#,
    ),
    ("mistral", "[TOOL_CALLS]weather[ARGS]{\"city\": \"Rome\", \"days\": 2}", ROME),
    (
        "deepseek-v3",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n```json\n{\"city\": \"Rome\", \"days\": 2}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ROME,
    ),
    (
        "deepseek-v3.1",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>{\"city\": \"Rome\", \"days\": 2}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ROME,
    ),
    (
        "deepseek-v3.2",
        "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"weather\">\n<｜DSML｜parameter name=\"city\" string=\"true\">Rome</｜DSML｜parameter>\n<｜DSML｜parameter name=\"days\" string=\"false\">2</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        ROME,
    ),
    (
        "glm4",
        "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n<arg_key>days</arg_key>\n<arg_value>2</arg_value>\n</tool_call>",
        ROME,
    ),
    (
        "minimax-m2",
        "<minimax:tool_call>\n<invoke name=\"weather\">\n<parameter name=\"city\">Rome</parameter>\n<parameter name=\"days\">2</parameter>\n</invoke>\n</minimax:tool_call>",
        ROME_TEXT,
    ),
    (
        "minimax-m3",
        "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"weather\">]<]minimax[>[<city>Rome]<]minimax[>[</city>]<]minimax[>[<days>2]<]minimax[>[</days>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
        ROME,
    ),
    (
        "kimi-k3",
        "<|open|>tools<|sep|><|open|>call tool=\"weather\" index=\"1\"<|sep|><|open|>argument key=\"city\" type=\"string\"<|sep|>Rome<|close|>argument<|sep|><|open|>argument key=\"days\" type=\"number\"<|sep|>2<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|><|end_of_msg|>",
        ROME,
    ),
    (
        "inkling",
        "<|message_model|>weather<|content_invoke_tool_json|>{\"name\": \"weather\", \"args\": {\"city\": \"Rome\", \"days\": 2}}<|end_message|>",
        ROME,
    ),
    (
        "hy-v3",
        "<tool_calls><tool_call>weather<tool_sep><arg_key>city</arg_key><arg_value>Rome</arg_value>\n<arg_key>days</arg_key><arg_value>2</arg_value></tool_call></tool_calls>",
        ROME,
    ),
    (
        "step3.5",
        "<tool_call>\n<function=weather>\n<parameter=city>\nRome\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>",
        ROME_TEXT,
    ),
    (
        "phi4",
        "functools[{\"name\": \"weather\", \"arguments\": {\"city\": \"Rome\", \"days\": 2}}]",
        ROME,
    ),
    (
        "granite",
        "<|tool_call|>[{\"name\": \"weather\", \"arguments\": {\"city\": \"Rome\", \"days\": 2}}]",
        ROME,
    ),
    (
        "internlm2",
        "<|action_start|><|plugin|>{\"name\": \"weather\", \"parameters\": {\"city\": \"Rome\", \"days\": 2}}<|action_end|>",
        ROME,
    ),
    (
        "longcat",
        "<longcat_tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"Rome\", \"days\": 2}}</longcat_tool_call>",
        ROME,
    ),
    (
        "hunyuan",
        "<tool_calls>[{\"name\": \"weather\", \"arguments\": {\"city\": \"Rome\", \"days\": 2}}]</tool_calls>",
        ROME,
    ),
    (
        "jamba",
        "<tool_calls>[\n{\"name\": \"weather\", \"arguments\": \"{\\\"city\\\": \\\"Rome\\\", \\\"days\\\": 2}\"}\n]</tool_calls>",
        ROME,
    ),
    (
        "nemotron",
        "<TOOLCALL>[{\"name\": \"weather\", \"arguments\": {\"city\": \"Rome\", \"days\": 2}}]</TOOLCALL>",
        ROME,
    ),
    (
        "step3",
        "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"weather\"><steptml:parameter name=\"city\">Rome</steptml:parameter><steptml:parameter name=\"days\">2</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>",
        ROME_TEXT,
    ),
    (
        "gigachat3",
        "function call<|role_sep|>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Rome\", \"days\": 2}}",
        ROME,
    ),
    (
        "seed-oss",
        "<seed:tool_call>\n<function=weather>\n<parameter=city>Rome</parameter>\n<parameter=days>2</parameter>\n</function>\n</seed:tool_call>",
        ROME_TEXT,
    ),
    (
        "cohere",
        "<|START_ACTION|>[\n{\"tool_call_id\": \"0\", \"tool_name\": \"weather\", \"parameters\": {\"city\": \"Rome\", \"days\": 2}}\n]<|END_ACTION|>",
        r#"0 weather{"city":"Rome","days":2}"#,
    ),
    (
        "apertus",
        "<|tools_prefix|>[{\"weather\": {\"city\": \"Rome\", \"days\": 2}}]<|tools_suffix|>",
        ROME,
    ),
    (
        "granite-20b",
        "<function_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"Rome\", \"days\": 2}}",
        ROME,
    ),
    (
        "k2-horizon",
        "<ifm|tool_calls><ifm|tool_call>weather<ifm|arg_key>city</ifm|arg_key><ifm|arg_value>Rome</ifm|arg_value><ifm|arg_key>days</ifm|arg_key><ifm|arg_value>2</ifm|arg_value></ifm|tool_call></ifm|tool_calls>",
        ROME,
    ),
    (
        "minicpm5",
        "<function name=\"weather\"><param name=\"city\">Rome</param><param name=\"days\">2</param></function>",
        ROME,
    ),
    (
        "plamo3",
        "<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>{\"city\": \"Rome\", \"days\": 2}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>",
        ROME,
    ),
    (
        "dots",
        "<dots_function_call><invoke name=\"weather\"><parameter name=\"city\">Rome</parameter><parameter name=\"days\">2</parameter></invoke></dots_function_call>",
        ROME,
    ),
    ("gemma4", "<|tool_call>call:weather{city:<|\"|>Rome<|\"|>,days:2}<tool_call|>", ROME),
    ("olmo3", "<function_calls>\nweather(city=\"Rome\", days=2)\n</function_calls>", ROME),
    ("lfm2", "<|tool_call_start|>[weather(city='Rome', days=2)]<|tool_call_end|>", ROME),
    ("llama4", "<|python_start|>[weather(city='Rome', days=2)]<|python_end|>", ROME),
];

#[test]
fn one_call_in_every_form() {
    for (preset, text, expected) in FORMS {
        assert_eq!(calls(preset, text), [expected], "{preset}");
        let text = format!("Let me see.\n{text}");
        assert_eq!(calls(preset, &text), [expected], "{preset}, after text");
    }
}

/// The types of a tool's schema reach the arguments in every form.
#[test]
fn arguments_have_the_types_of_the_schema() {
    let arguments =
        || Schema::object().field("city", schema::str("")).field("days", schema::int(""));
    for (preset, text, expected) in FORMS {
        let tags = TagSet::preset(preset).unwrap();
        let spec = Spec::builder().format(Format::Text).tags(tags);
        let spec = spec.tool("weather", arguments()).build().unwrap();
        let expected = expected.replace("\"2\"", "2");
        assert_eq!(calls_with(&spec, text), [expected], "{preset}");
    }
}

fn shown_calls(calls: &[Call]) -> Vec<String> {
    let shown = calls.iter().map(|call| match call.text() {
        Some(text) => format!("{}({text})", call.name()),
        None => format!("{}{}", call.name(), call.arguments()),
    });
    shown.collect()
}

/// The calls so far after each byte. They are the same however the bytes before were cut.
fn growing(spec: &Spec, text: &str) -> Vec<Vec<String>> {
    let mut parser = spec.parser();
    let mut seen: Vec<Vec<String>> = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        parser.feed([byte], |_| {}).unwrap();
        let now = shown_calls(&parser.calls());
        let mut whole = spec.parser();
        whole.feed(&text.as_bytes()[..=at], |_| {}).unwrap();
        assert_eq!(shown_calls(&whole.calls()), now, "{:?}", &text.as_bytes()[..=at]);
        if seen.last() != Some(&now) {
            seen.push(now);
        }
    }
    let answer = parser.finish(|_| {}).unwrap();
    assert_eq!(parser.calls(), answer.calls());
    seen.push(shown_calls(answer.calls()));
    seen
}

/// A call is listed once its name is known, and its arguments grow.
#[test]
fn calls_grow_while_they_are_written() {
    for (preset, text, expected) in FORMS {
        let seen = growing(&spec(&TagSet::preset(preset).unwrap()), text);
        let expected = &expected[expected.rfind("weather{").unwrap()..];
        assert_eq!(seen.last(), Some(&vec![expected.to_owned()]), "{preset}");
        for calls in &seen {
            let is_known = calls.iter().all(|call| call.starts_with("weather"));
            assert!(calls.len() <= 1 && is_known, "{preset}: {calls:?}");
        }
        let has = |part: &str| seen.iter().flatten().any(|call| call.ends_with(part));
        assert!(has(r#"{"city":"Ro"}"#) && has(r#"{"city":"Rom"}"#), "{preset}: {seen:?}");
    }
}

#[test]
fn growing_arguments_have_the_types_of_the_schema() {
    let arguments = Schema::object().field("on", schema::bool("")).field("days", schema::int(""));
    let tags = TagSet::qwen();
    let spec = Spec::builder().tags(tags).tool("f", arguments).build().unwrap();
    let text =
        "<function=f>\n<parameter=on>\ntrue\n</parameter>\n<parameter=days>\n12\n</parameter>";
    let seen = growing(&spec, text);
    let has = |wanted: &str| seen.iter().flatten().any(|call| call == wanted);
    assert!(has(r#"f{"on":true}"#) && has(r#"f{"on":true,"days":12}"#), "{seen:?}");
}

#[test]
fn several_calls_grow_one_after_another() {
    for (preset, text, expected) in [
        (
            "hermes-json",
            "<tool_call>{\"name\":\"f\"}\n{\"name\":\"g\",\"arguments\":{\"a\":[1]}}</tool_call>",
            &["", "f{}", "f{} g{}", "f{} g{\"a\":[]}", "f{} g{\"a\":[1]}"][..],
        ),
        (
            "glm4",
            "<tool_call>now</tool_call><tool_call>at<arg_key>l</arg_key><arg_value>x</arg_value></tool_call>",
            &["", "now{}", "now{} at{\"l\":\"\"}", "now{} at{\"l\":\"x\"}"],
        ),
        (
            "mistral",
            "[TOOL_CALLS]f[ARGS]{\"a\": 1}[TOOL_CALLS]g[ARGS]{}",
            &["", "f{}", "f{\"a\":1}", "f{\"a\":1} g{}"],
        ),
        (
            "llama4",
            "[f(a='x'), g()]",
            &["", "f{}", "f{\"a\":\"\"}", "f{\"a\":\"x\"}", "f{\"a\":\"x\"} g{}"],
        ),
        (
            "gemma4",
            "<|tool_call>call:f{a:<|\"|>x<|\"|>}<tool_call|>",
            &["", "f{}", "f{\"a\":\"\"}", "f{\"a\":\"x\"}"],
        ),
    ] {
        let seen = growing(&spec(&TagSet::preset(preset).unwrap()), text);
        let mut seen: Vec<String> = seen.iter().map(|calls| calls.join(" ")).collect();
        seen.dedup();
        assert_eq!(seen, expected, "{preset}");
    }
}

#[test]
fn several_calls() {
    for (preset, text, expected) in [
        (
            "hermes-json",
            "<tool_call>{\"name\":\"f\"}\n{\"name\":\"g\",\"arguments\":{\"a\":1}}</tool_call>",
            &["f{}", "g{\"a\":1}"][..],
        ),
        (
            "hermes-json",
            "<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call> and <tool_call>{\"name\":\"g\"}</tool_call>",
            &["f{}", "g{}"],
        ),
        (
            "qwen",
            "<function=f>\n</function>\n<function=g><parameter=a>1</parameter></function>",
            &["f{}", "g{\"a\":\"1\"}"],
        ),
        (
            "glm4",
            "<tool_call>now</tool_call><tool_call>f<arg_key>l</arg_key><arg_value>[1, \"x\"]</arg_value></tool_call>",
            &["now{}", "f{\"l\":[1,\"x\"]}"],
        ),
        ("mistral", "[TOOL_CALLS]f[ARGS]{\"a\": 1}[TOOL_CALLS]g[ARGS]{}", &["f{\"a\":1}", "g{}"]),
        (
            "mistral",
            "[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": {\"a\": 1}, \"id\": \"x1\"}]",
            &["x1 f{\"a\":1}"],
        ),
        ("mistral", "[TOOL_CALLS]f{\"a\": 1}", &["f{\"a\":1}"]),
        (
            "kimi",
            "<|tool_call_begin|>search:1<|tool_call_argument_begin|>{}<|tool_call_end|>",
            &["search:1 search{}"],
        ),
        (
            "harmony",
            "<|channel|>analysis to=python<|message|>print(1)<|call|>",
            &["python(print(1))"],
        ),
        (
            "harmony",
            "<|channel|>analysis to=browser.search<|message|>{\"q\":\"x\"}<|call|>",
            &["browser.search{\"q\":\"x\"}"],
        ),
        ("olmo3", "<function_calls>\nf(a=1)\ng()\n</function_calls>", &["f{\"a\":1}", "g{}"]),
        (
            "lfm2",
            "<|tool_call_start|>{\"name\": \"f\", \"arguments\": {\"a\": 1}}<|tool_call_end|>",
            &["f{\"a\":1}"],
        ),
        (
            "gemma4",
            "<|tool_call>call:f{}<tool_call|><|tool_call>call:g{a:1}<tool_call|>",
            &["f{}", "g{\"a\":1}"],
        ),
    ] {
        assert_eq!(calls(preset, text), expected, "{preset}: {text}");
    }
}

/// MiniMax M3 writes lists and objects as tags.
#[test]
fn arguments_inside_arguments() {
    let tag =
        |name: &str, value: &str| format!("]<]minimax[>[<{name}>{value}]<]minimax[>[</{name}>");
    let call = |inside: &str| {
        let invoke = "]<]minimax[>[<invoke name=\"f\">";
        calls("minimax-m3", &format!("{invoke}{inside}]<]minimax[>[</invoke>"))
    };
    let (one, two) = (tag("item", "1"), tag("item", "two"));
    for (inside, expected) in [
        (String::new(), "f{}"),
        (tag("a", "x < y"), r#"f{"a":"x < y"}"#),
        (tag("a", &tag("b", "1")), r#"f{"a":{"b":1}}"#),
        (tag("a", &format!("{}{}", tag("b", "1"), tag("c", "x"))), r#"f{"a":{"b":1,"c":"x"}}"#),
        (tag("a", &format!("{one}{two}")), r#"f{"a":[1,"two"]}"#),
        (tag("a", &one), r#"f{"a":[1]}"#),
        (tag("a", &format!("{}{}", tag("t", "x"), tag("t", "y"))), r#"f{"a":{"t":["x","y"]}}"#),
        (tag("a", &tag("item", &tag("b", "1"))), r#"f{"a":[{"b":1}]}"#),
        (format!("{}{}", tag("a", "1"), tag("a", "2")), r#"f{"a":2}"#),
        (tag("zip", "018956"), r#"f{"zip":"018956"}"#),
    ] {
        assert_eq!(call(&inside), [expected], "{inside}");
    }
}

/// Content that is no text is neither the answer nor reasoning.
#[test]
fn pictures_and_sound_of_inkling() {
    let tags = TagSet::preset("inkling").unwrap();
    let text = |kind: &str, body: &str| {
        format!("<|message_model|><|content_{kind}|>{body}<|end_message|>")
    };
    for kind in ["image", "audio_input", "tool_error"] {
        let all = format!("{}{}", text(kind, "DATA"), text("text", "done"));
        let answer = shown(&tags, &all, "done", "");
        assert_eq!(texts(&answer, kind), ["DATA"], "{kind}");
    }
    shown(&tags, &format!("{}{}", text("thinking", "hm"), text("text", "done")), "done", "hm");
}

/// What says the type of an argument.
#[test]
fn arguments_of_kimi_k3_say_their_type() {
    let call = |kind: &str, value: &str| {
        let open = format!("<|open|>call tool=\"f\"<|sep|><|open|>argument key=\"a\"{kind}<|sep|>");
        calls("kimi-k3", &format!("{open}{value}<|close|>argument<|sep|><|close|>call<|sep|>"))
    };
    for (kind, value, expected) in [
        (" type=\"string\"", "2", r#"f{"a":"2"}"#),
        (" type=\"number\"", "2", r#"f{"a":2}"#),
        (" type=\"boolean\"", "true", r#"f{"a":true}"#),
        (" type=\"object\"", "{\"b\": [1]}", r#"f{"a":{"b":[1]}}"#),
        (" type=\"array\"", "no list", r#"f{"a":"no list"}"#),
        ("", "2", r#"f{"a":"2"}"#),
    ] {
        assert_eq!(call(kind, value), [expected], "{kind} {value}");
    }
}

#[test]
fn answers_without_calls() {
    let none: [&str; 0] = [];
    assert_eq!(calls("hermes-json", "No call."), none);
    assert_eq!(calls("think", "<tool_call>{\"name\":\"f\"}</tool_call>"), none);
    for (preset, text) in [
        ("hermes-json", "Wrap calls in <tool_call> tags."),
        ("hermes-json", "Wrap calls in \"<tool_call>\" tags."),
        ("qwen", "Qwen writes <tool_call> before each call."),
        ("kimi", "The token <|tool_calls_section_begin|> opens the section."),
        ("anthropic-xml", "Claude writes <function_calls> blocks."),
        ("jamba", "It writes <tool_calls> first."),
        ("minimax-m2", "It writes <minimax:tool_call> first."),
    ] {
        let tags = TagSet::preset(preset).expect("a preset");
        let answer =
            Spec::builder().tags(tags).format(Format::Text).build().unwrap().parse(text).unwrap();
        assert_eq!((answer.text(), answer.calls().len()), (text, 0), "{preset}");
    }
    let steps = "<<TOOL_STEP_START/f:1>><<TOOL_STEP_END/f:1>>";
    assert!(spec(&TagSet::ubik()).parse(steps).unwrap().calls().is_empty());
}

#[test]
fn calls_without_markers() {
    for (preset, text, expected) in [
        ("llama3", "{\"name\": \"f\", \"parameters\": {\"a\": 1}}", &["f{\"a\":1}"][..]),
        ("llama3", "<|python_tag|>{\"name\": \"f\", \"parameters\": {}}<|eom_id|>", &["f{}"]),
        (
            "llama3",
            "{\"name\": \"f\", \"parameters\": {}}; {\"name\": \"g\", \"parameters\": {\"b\": \"x\"}}",
            &["f{}", "g{\"b\":\"x\"}"],
        ),
        (
            "llama3",
            "{\"type\": \"function\", \"function\": {\"name\": \"f\", \"arguments\": \"{}\"}}",
            &["f{}"],
        ),
        ("llama3", "{\"name\": \"Ada\", \"age\": 36}", &[]),
        ("llama3", "Use {\"name\": \"f\", \"parameters\": {}} for it.", &[]),
        (
            "xlam",
            "[{\"name\": \"f\", \"arguments\": {\"a\": 1}}, {\"name\": \"g\", \"arguments\": {}}]",
            &["f{\"a\":1}", "g{}"],
        ),
        ("xlam", "```json\n[{\"name\": \"f\", \"arguments\": {}}]\n```", &["f{}"]),
        ("xlam", "<think>hm</think>[{\"name\": \"f\", \"arguments\": {}}]", &["f{}"]),
        ("llama4", "[f(a=1), g(b='x')]", &["f{\"a\":1}", "g{\"b\":\"x\"}"]),
        ("llama4", "[1, 2]", &[]),
        ("llama4", "I call f(a=1).", &[]),
    ] {
        assert_eq!(calls(preset, text), expected, "{preset}: {text}");
    }
}

#[test]
fn calls_that_are_cut() {
    for (preset, text, expected) in [
        ("hermes-json", "Let me check.\n<tool_call>{\"name\":\"f\",\"arg", &["f{}…"][..]),
        (
            "hermes-json",
            "<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":\"x",
            &["f{\"a\":\"x\"}…"],
        ),
        ("qwen", "<tool_call><function=f><parameter=a>1", &["f{\"a\":\"1\"}…"]),
        ("mistral", "[TOOL_CALLS]f[ARGS]{\"a\": 1", &["f{\"a\":1}…"]),
        (
            "kimi",
            "<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"a\": [1",
            &["functions.f:0 f{\"a\":[1]}…"],
        ),
        ("llama4", "[f(a=1), g(b='x", &["f{\"a\":1}", "g{\"b\":\"x\"}…"]),
        ("llama3", "{\"name\": \"f\", \"parameters\": {\"a\": \"x", &["f{\"a\":\"x\"}…"]),
        ("gemma4", "<|tool_call>call:f{a:<|\"|>Ro", &["f{\"a\":\"Ro\"}…"]),
        ("granite", "<|tool_call|>[{\"name\": \"f\", \"arguments\": {\"a\": 1", &["f{\"a\":1}…"]),
        ("glm4", "<tool_call>f<arg_key>a</arg_key><arg_value>Ro", &["f{\"a\":\"Ro\"}…"]),
    ] {
        assert_eq!(calls(preset, text), expected, "{preset}: {text}");
    }
}

#[test]
fn reasoning_of_every_family() {
    for (preset, text, answer, reasoning) in [
        ("gemma4", "<|channel>thought\nhm<channel|>Yes", "Yes", "hm"),
        ("granite", "Here is my thought process:hm Here is my response:Yes", "Yes", "hm "),
        ("hunyuan", "<think>\nhm\n</think>\n<answer>\nYes\n</answer>", "Yes", "hm"),
        ("minimax-m3", "<mm:think>hm</mm:think>Yes", "Yes", "hm"),
        ("seed-oss", "<seed:think>hm</seed:think>Yes", "Yes", "hm"),
        (
            "kimi-k3",
            "<|open|>think<|sep|>hm<|close|>think<|sep|><|open|>response<|sep|>Yes<|close|>response<|sep|>",
            "Yes",
            "hm",
        ),
        (
            "inkling",
            "<|message_model|><|content_thinking|>hm<|end_message|><|message_model|><|content_text|>Yes<|end_message|>",
            "Yes",
            "hm",
        ),
        (
            "cohere",
            "<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>Yes<|END_RESPONSE|>",
            "Yes",
            "hm",
        ),
        ("apertus", "<|inner_prefix|>hm<|inner_suffix|>Yes", "Yes", "hm"),
        ("longcat", "<longcat_think>hm</longcat_think>Yes", "Yes", "hm"),
        ("thoughts", "[THINK]hm[/THINK]Yes", "Yes", "hm"),
        ("thoughts", "◁think▷hm◁/think▷Yes", "Yes", "hm"),
        ("thoughts", "<reflection>hm</reflection>Yes", "Yes", "hm"),
        ("thoughts", "<Analysis>hm</Analysis>Yes", "Yes", "hm"),
        ("thoughts", "<antThinking>hm</antThinking>Yes", "Yes", "hm"),
        ("thoughts", "<think>hm</think>Yes", "Yes", "hm"),
    ] {
        let (_, read) = uncut(&spec(&TagSet::preset(preset).unwrap()), text);
        assert_eq!((read.text(), read.reasoning()), (answer, reasoning), "{preset}: {text}");
    }
    assert_eq!(TagSet::preset("seed_oss").unwrap().name(), "seed-oss");
}

#[test]
fn of_calls_without_elements_the_last_one_is_cut() {
    let text = r#"{"name": "f", "parameters": {"a": 1}}; {"name": "g", "parameters": {"a": "x"#;
    assert_eq!(calls("llama3", text), [r#"f{"a":1}"#, r#"g{"a":"x"}…"#]);
}

/// A text that ran over markers is not read again: another reading would lose what is behind them.
#[test]
fn arguments_that_swallowed_a_call_stay_as_they_were_streamed() {
    let text = "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{\"a\": \"x}<｜tool▁call▁end｜>\
                <｜tool▁call▁begin｜>g<｜tool▁sep｜>{\"b\": \"y}<｜tool▁call▁end｜><｜tool▁calls▁end｜>";
    let swallowed =
        r#"f{"a":"x}<｜tool▁call▁end｜><｜tool▁call▁begin｜>g<｜tool▁sep｜>{\"b\": \"y}"}…"#;
    assert_eq!(calls("deepseek-v3.1", text), [swallowed]);
}

/// Calls without markers are found in the text, which is kept with the raw text or without it.
#[test]
fn calls_without_markers_grow_where_no_raw_text_is_kept() {
    let tags = || TagSet::preset("llama4").unwrap();
    let spec = |builder: SpecBuilder| builder.format(Format::Text).tags(tags()).build().unwrap();
    let text = "[f(a=1), g(b='x')]";
    let seen = growing(&spec(Spec::builder().without_raw()), text);
    assert_eq!(seen, growing(&spec(Spec::builder()), text));
    assert_eq!(seen.last(), Some(&vec![r#"f{"a":1}"#.to_owned(), r#"g{"b":"x"}"#.to_owned()]));
}
