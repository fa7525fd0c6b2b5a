//! Elements of tag sets, as `final` and `parse` give them.

use serde_json::{Value, json};

use crate::run::{Scratch, lines, patchwire};

/// A scratch pad that is interrupted, a thought in the output, and an output that begins twice.
const PAD: &str = "<scratch_pad>plan <output>Hi <think level=\"1\">hm</think>there <output>again";

fn final_value(options: &[&str], input: &str) -> String {
    patchwire(&[&["final"], options].concat(), input).ok()
}

fn envelope(options: &[&str], input: &str) -> Value {
    let run = patchwire(&[&["final", "--envelope"], options].concat(), input);
    lines(&run.out).remove(0)
}

#[test]
fn where_the_tags_mark_the_answer_it_is_text() {
    let pad = ["--tags", "scratchpad"];
    assert_eq!(final_value(&pad, PAD), "\"Hi there again\"\n");
    assert_eq!(final_value(&pad, "no tags, {\"a\": 1}"), "\"no tags, {\\\"a\\\": 1}\"\n");
    // But not where something else is asked for.
    let json = "<think>hm</think>{\"a\": 1}";
    assert_eq!(final_value(&["--tags", "scratchpad", "--format", "json"], json), "{\"a\":1}\n");
    let schema = Scratch::new("any.json", "{\"type\": \"object\"}");
    let schema = ["--tags", "scratchpad", "--schema", schema.path()];
    assert_eq!(final_value(&schema, json), "{\"a\":1}\n");
    // Nor where no family is the answer.
    assert_eq!(final_value(&["--tags", "think"], "{\"a\": 1}"), "{\"a\":1}\n");
}

#[test]
fn the_answer_in_an_element_may_be_a_value() {
    let json = ["--tags", "scratchpad", "--format", "json"];
    assert_eq!(final_value(&json, "Hm.<output>{\"a\":1}</output>"), "{\"a\":1}\n");
    let result = "pre <result><a>x</a></result><metadata><n>3</n></metadata>";
    assert_eq!(final_value(&["--tags", "hermes"], result), "{\"a\":\"x\"}\n");
    assert_eq!(final_value(&["--tags", "hermes"], "<result>so</result>"), "\"so\"\n");
}

#[test]
fn where_no_element_is_the_answer_all_of_them_are() {
    let history = "So: <<thinking>>hm<</thinking>><<STEP_START>>Look\
                   <<TOOL_STEP_START/web:1>><<TOOL_STEP_INPUT_START>>{\"q\": 1}<<TOOL_STEP_INPUT_END>>\
                   <<TOOL_STEP_END/web:1>><<STEP_END>> done";
    let listed = &lines(&final_value(&["--tags", "ubik"], history))[0];
    let names: Vec<&Value> =
        listed.as_array().unwrap().iter().map(|element| &element["name"]).collect();
    assert_eq!(names, ["step", "tool", "tool_input"]);
    assert_eq!(listed[2]["value"], json!({"q": 1}));
    assert_eq!(listed[1]["params"], json!({"name": "web", "id": "1"}));
    // A format says what else is wanted.
    assert_eq!(final_value(&["--tags", "ubik", "--format", "text"], history), "\"So:  done\"\n");
    let none = patchwire(&["final", "--tags", "ubik"], "only text");
    assert_eq!((none.status, none.out.as_str()), (Some(3), ""));
}

#[test]
fn text_can_be_asked_for() {
    let input = "<think>hm</think>{\"a\": 1}";
    assert_eq!(final_value(&["--format", "text"], input), "\"{\\\"a\\\": 1}\"\n");
    let none = ["--format", "text", "--tags", "none"];
    assert_eq!(final_value(&none, "<think>"), "\"<think>\"\n");
}

#[test]
fn which_element_is_the_answer_can_be_chosen() {
    for (view, expected) in [
        ("concat", "\"onetwothree\"\n"),
        ("first", "\"one\"\n"),
        ("last", "\"three\"\n"),
        ("first_closed_else_last", "\"two\"\n"),
    ] {
        let input = "<output>one<output>two</output><output>three";
        assert_eq!(final_value(&["--tags", "scratchpad", "--view", view], input), expected);
    }
}

#[test]
fn a_prompt_may_have_begun_an_element() {
    let options = ["--tags", "scratchpad", "--start-in", "scratch_pad", "--envelope"];
    let envelope = &lines(&final_value(&options, "plan</scratch_pad><output>Hi</output>"))[0];
    assert_eq!((&envelope["reasoning"], &envelope["value"]), (&"plan".into(), &"Hi".into()));
    assert_eq!(envelope["elements"][0]["name"], "scratch_pad");
    assert_eq!(envelope["notices"], json!([]));
}

#[test]
fn the_envelope_has_the_elements() {
    let envelope = envelope(&["--tags", "scratchpad"], PAD);
    let expected = json!([
        {"id": 1, "name": "scratch_pad", "channel": "reasoning", "params": {},
         "reason": "interrupted", "by": 2, "text": "plan ", "span": [0, 18]},
        {"id": 2, "name": "output", "channel": "answer", "params": {},
         "reason": "reopened", "text": "Hi there ", "span": [18, 62]},
        {"id": 3, "parent": 2, "name": "think", "channel": "reasoning", "params": {"level": "1"},
         "reason": "observed", "text": "hm", "span": [29, 56]},
        {"id": 4, "name": "output", "channel": "answer", "params": {},
         "reason": "end_of_input", "text": "again", "span": [62, 75]},
    ]);
    assert_eq!(envelope["elements"], expected);
    assert_eq!(
        (&envelope["value"], &envelope["text"]),
        (&"Hi there again".into(), &"Hi there again".into())
    );
    assert_eq!(envelope["reasoning"], "plan hm");
}

#[test]
fn a_stream_that_is_stopped_shows_the_elements_so_far() {
    let options = ["--tags", "scratchpad", "--limit", "total=50"];
    let envelope = envelope(&options, PAD);
    assert_eq!((&envelope["outcome"], &envelope["value"]), (&"failed".into(), &"Hi ".into()));
    assert_eq!(envelope["elements"][0]["reason"], "interrupted");
    assert_eq!(envelope["elements"][2]["params"], json!({"level": "1"}));
    assert_eq!(envelope["elements"][2]["text"], "hm");
    assert!(envelope["elements"][2]["reason"].is_null());
    let run = patchwire(&[&["final"], &options[..]].concat(), PAD);
    assert_eq!((run.status, run.out.as_str()), (Some(4), "\"Hi \"\n"));
}

#[test]
fn without_an_answer_there_is_no_value() {
    for (input, why) in [
        ("<scratch_pad>plan", "only reasoning in 17 bytes"),
        ("<output> </output>", "only whitespace in 18 bytes"),
    ] {
        let run = patchwire(&["final", "--tags", "scratchpad"], input);
        let (status, out, err) = run.failed();
        assert_eq!((status, out), (Some(3), ""), "{input}");
        assert!(err.contains(why), "{err}");
    }
}

#[test]
fn tag_sets_are_merged() {
    let notes = "[[family]]\nname = \"notes\"\nopen = \"<notes>\"\nclose = \"</notes>\"\nchannel = \"reasoning\"\n";
    let toml = Scratch::new("notes.toml", notes);
    let json = Scratch::new(
        "aside.json",
        r#"{"family": [{"name": "aside", "open": "<aside>", "close": "</aside>", "channel": "aside"}]}"#,
    );
    let input = "<notes>a</notes><aside>b</aside><think>c</think><output>d</output>";
    let options = ["--tags", toml.path(), "--tags", json.path(), "--tags", "scratchpad"];
    let envelope = envelope(&options, input);
    let names = envelope["elements"].as_array().expect("they are a list").iter();
    let names: Vec<&Value> = names.map(|element| &element["name"]).collect();
    assert_eq!(names, ["notes", "aside", "think", "output"]);
    assert_eq!((&envelope["reasoning"], &envelope["value"]), (&"ac".into(), &"d".into()));
    // A set that comes twice is there once.
    let twice = ["--tags", "think", "--tags", "scratchpad", "--tags", "think"];
    assert_eq!(final_value(&twice, "<think>a</think>b"), "\"b\"\n");
}

#[test]
fn a_file_alone_keeps_what_it_says_of_the_whole_set() {
    let file = "stray = \"literal\"\n[[family]]\nname = \"notes\"\nopen = \"<notes>\"\nclose = \"</notes>\"\nchannel = \"reasoning\"\n";
    let file = Scratch::new("stray.toml", file);
    let options = ["--tags", file.path(), "--format", "text"];
    assert_eq!(final_value(&options, "a</notes>b"), "\"a</notes>b\"\n");
}

#[test]
fn calls_are_one_list_whatever_the_tags() {
    let json =
        "I look.\n<tool_call>{\"name\": \"find\", \"arguments\": {\"q\": \"x\"}}</tool_call>";
    let xml = "I look.\n<function=find><parameter=q>x</parameter></function>";
    let python = "[find(q='x')]";
    for (tags, input) in [("hermes-json", json), ("qwen", xml), ("llama4", python)] {
        let options = ["--tags", tags, "--format", "text"];
        let out = patchwire(&[&["final"], &options[..]].concat(), input).ok();
        assert_eq!(out.trim_end(), "[{\"name\":\"find\",\"arguments\":{\"q\":\"x\"}}]", "{tags}");
        let envelope = envelope(&options, input);
        assert_eq!(envelope["outcome"], "tool_calls", "{tags}");
        assert_eq!(envelope["calls"][0]["outcome"], "complete", "{tags}");
    }
    let cut = &json[..json.len() - 20];
    let run = patchwire(&["final", "--tags", "hermes-json", "--format", "text"], cut);
    assert!(run.err.contains("the call of `find` was cut off"), "{}", run.err);
    assert_eq!(
        envelope(&["--tags", "hermes-json", "--format", "text"], cut)["outcome"],
        "tool_calls"
    );
}

#[test]
fn a_second_reading_can_be_had() {
    for (tags, input, first, second) in [
        ("ubik", "<<STEP_START>>\n```python\nx\n<<STEP_END>>\nafter", "", "\"\\nafter\"\n"),
        ("think", "Hello! How can I help?</think>\n\n", "", "\"Hello! How can I help?\\n\\n\"\n"),
        ("think", "<think>a</think>b", "\"b\"\n", "\"b\"\n"),
    ] {
        let options = ["final", "--tags", tags, "--format", "text"];
        assert_eq!(patchwire(&options, input).out, first, "{input}");
        let alternative = patchwire(&[&options[..], &["--alternative"]].concat(), input);
        assert_eq!(alternative.ok(), second, "{input}");
        let envelope = envelope(&options[1..], input);
        assert_eq!(envelope["alternative"].is_object(), first.is_empty(), "{input}");
    }
}

#[test]
fn the_tools_of_the_request_give_types() {
    let call = "<function=find><parameter=n>3</parameter><parameter=q>7</parameter></function>";
    let schema =
        r#"{"type": "object", "properties": {"n": {"type": "integer"}, "q": {"type": "string"}}}"#;
    for tools in [
        format!(
            r#"[{{"type": "function", "function": {{"name": "find", "parameters": {schema}}}}}]"#
        ),
        format!(r#"{{"tools": [{{"name": "find", "input_schema": {schema}}}]}}"#),
        format!(r#"[{{"functionDeclarations": [{{"name": "find", "parameters": {schema}}}]}}]"#),
        format!(r#"[{{"toolSpec": {{"name": "find", "inputSchema": {{"json": {schema}}}}}}}]"#),
    ] {
        let file = Scratch::new("tools.json", &tools);
        let options = ["final", "--tags", "qwen", "--format", "text", "--tools", file.path()];
        let out = patchwire(&options, call).ok();
        assert_eq!(out.trim_end(), r#"[{"name":"find","arguments":{"n":3,"q":"7"}}]"#, "{tools}");
    }
    let none = Scratch::new("none.json", "{}");
    let run = patchwire(&["final", "--tools", none.path()], call);
    let (status, _, err) = run.failed();
    assert_eq!(status, Some(2));
    assert!(err.contains("has no list of tools with names"), "{err}");
}

/// As where the calls come beside the text.
#[test]
fn only_calls_are_no_value_where_one_is_asked_for() {
    let schema = Scratch::new("city.json", r#"{"city": ["str"]}"#);
    for (tags, text) in [
        ("hermes-json", r#"<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>"#),
        (
            "harmony",
            "<|channel|>commentary to=functions.f <|constrain|>json<|message|>{\"a\": 1}<|call|>",
        ),
    ] {
        for expected in [["--schema", schema.path()], ["--ensure", "city"]] {
            let run = patchwire(&[&["final", "--tags", tags][..], &expected].concat(), text);
            let (status, out, err) = run.failed();
            assert_eq!((status, out), (Some(3), ""), "{tags} {expected:?}");
            assert!(err.contains("no value: only tool calls"), "{err}");
        }
        assert!(patchwire(&["final", "--tags", tags], text).ok().contains("\"name\":"), "{tags}");
    }
}
