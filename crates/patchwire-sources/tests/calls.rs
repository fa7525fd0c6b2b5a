//! Which parts of tool calls are one call: bodies of servers that number, name or repeat them oddly.

use patchwire_sources::{Delta, Protocol};

use crate::decoded::Decoded;

/// The calls of a chat body whose events have these lists of `tool_calls`: id, name and arguments.
fn chat(events: &[&str]) -> Vec<(String, String, String)> {
    let event = |calls: &&str| {
        format!("data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{calls}]}}}}]}}\n\n")
    };
    let body: String = events.iter().map(event).collect();
    let end = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n";
    let body = body + end + "data: [DONE]\n\n";
    let decoded = Decoded::of(Protocol::OpenAiChat, &body);
    assert!(decoded.end.is_ok(), "{:?}", decoded.end);
    for size in [1, 7] {
        let cut = Decoded::in_pieces(Protocol::OpenAiChat, body.as_bytes().chunks(size));
        assert_eq!(cut, decoded);
    }
    folded(&decoded)
}

fn folded(decoded: &Decoded) -> Vec<(String, String, String)> {
    let mut calls: Vec<(u32, (String, String, String))> = Vec::new();
    for delta in &decoded.deltas {
        let Delta::Call(part) = delta else { continue };
        let at = calls.iter().position(|(index, _)| *index == part.index).unwrap_or_else(|| {
            calls.push((part.index, Default::default()));
            calls.len() - 1
        });
        let (id, name, arguments) = &mut calls[at].1;
        if let Some(given) = &part.id {
            id.clone_from(given);
        }
        if let Some(given) = &part.name {
            name.clone_from(given);
        }
        arguments.push_str(&part.arguments);
    }
    calls.into_iter().map(|(_, call)| call).collect()
}

fn call(id: &str, name: &str, arguments: &str) -> (String, String, String) {
    (id.to_owned(), name.to_owned(), arguments.to_owned())
}

#[test]
fn a_name_after_complete_arguments_begins_a_call() {
    let two = vec![call("", "f", r#"{"a":1}"#), call("", "g", r#"{"b":2}"#)];
    let cases: [&[&str]; 8] = [
        // Gemini's compatible endpoint: one index, empty ids.
        &[
            r#"{"index":0,"id":"","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}"#,
            r#"{"index":0,"id":"","type":"function","function":{"name":"g","arguments":"{\"b\":2}"}}"#,
        ],
        // No ids, null ids, and no indices.
        &[
            r#"{"index":0,"function":{"name":"f","arguments":"{\"a\":1}"}}"#,
            r#"{"index":0,"function":{"name":"g","arguments":"{\"b\":2}"}}"#,
        ],
        &[
            r#"{"index":0,"id":null,"function":{"name":"f","arguments":"{\"a\":1}"}}"#,
            r#"{"index":0,"id":null,"function":{"name":"g","arguments":"{\"b\":2}"}}"#,
        ],
        &[
            r#"{"function":{"name":"f","arguments":"{\"a\":1}"}}"#,
            r#"{"function":{"name":"g","arguments":"{\"b\":2}"}}"#,
        ],
        // Both in one event, and arguments as objects.
        &[
            r#"{"index":0,"function":{"name":"f","arguments":{"a":1}}},{"index":0,"function":{"name":"g","arguments":{"b":2}}}"#,
        ],
        // The arguments come in pieces.
        &[
            r#"{"index":0,"id":"","function":{"name":"f","arguments":""}}"#,
            r#"{"index":0,"id":"","function":{"name":"","arguments":"{\"a\""}}"#,
            r#"{"index":0,"id":"","function":{"name":"","arguments":":1}"}}"#,
            r#"{"index":0,"id":"","function":{"name":"g","arguments":""}}"#,
            r#"{"index":0,"function":{"arguments":"{\"b\":"}}"#,
            r#"{"index":0,"function":{"arguments":"2}"}}"#,
        ],
        // The name is repeated with each part.
        &[
            r#"{"index":0,"function":{"name":"f","arguments":"{\"a\""}}"#,
            r#"{"index":0,"function":{"name":"f","arguments":":1}"}}"#,
            r#"{"index":0,"function":{"name":"f","arguments":""}}"#,
            r#"{"index":0,"function":{"name":"g","arguments":"{\"b\":2}"}}"#,
        ],
        &[
            r#"{"index":0,"function":{"name":"f","arguments":"{\"a\":1}"}}"#,
            r#"{"index":0,"function":{"name":"g"}}"#,
            r#"{"index":0,"function":{"arguments":"{\"b\":2}"}}"#,
        ],
    ];
    for events in cases {
        assert_eq!(chat(events), two, "{events:?}");
    }
}

#[test]
fn brackets_in_strings_end_no_arguments() {
    let same = [
        r#"{"index":0,"function":{"name":"f","arguments":"{\"a\":\"}\\\"{\"}"}}"#,
        r#"{"index":0,"function":{"name":"f","arguments":"{\"a\":2}"}}"#,
    ];
    let expected = [call("", "f", r#"{"a":"}\"{"}"#), call("", "f", r#"{"a":2}"#)];
    assert_eq!(chat(&same), expected);
}

#[test]
fn another_name_ends_arguments_that_are_not_complete() {
    let cut = [
        r#"{"index":0,"function":{"name":"f","arguments":"{\"a\":"}}"#,
        r#"{"index":0,"function":{"name":"g","arguments":"{}"}}"#,
    ];
    assert_eq!(chat(&cut), [call("", "f", r#"{"a":"#), call("", "g", "{}")]);
}

#[test]
fn ids_tell_calls_of_one_index_apart() {
    let expected = vec![call("x", "f", r#"{"a":1}"#), call("y", "g", r#"{"b":2}"#)];
    let cases: [&[&str]; 4] = [
        &[
            r#"{"index":0,"id":"x","function":{"name":"f","arguments":"{\"a\":1}"}}"#,
            r#"{"index":0,"id":"y","function":{"name":"g","arguments":"{\"b\":2}"}}"#,
        ],
        &[
            r#"{"index":0,"id":"x","function":{"name":"f","arguments":"{\"a\""}}"#,
            r#"{"index":0,"id":"y","function":{"name":"g","arguments":"{\"b\""}}"#,
            r#"{"index":0,"id":"x","function":{"arguments":":1}"}}"#,
            r#"{"index":0,"id":"y","function":{"arguments":":2}"}}"#,
        ],
        &[
            r#"{"index":0,"id":"x","function":{"name":"f","arguments":""}}"#,
            r#"{"index":0,"id":"x","function":{"name":"f","arguments":"{\"a\":1}"}}"#,
            r#"{"index":0,"id":"y","function":{"name":"g","arguments":""}}"#,
            r#"{"index":0,"id":"y","function":{"name":"g","arguments":"{\"b\":2}"}}"#,
        ],
        // Alibaba continues a call with an empty id.
        &[
            r#"{"index":0,"id":"x","type":"function","function":{"name":"f","arguments":""}}"#,
            r#"{"index":0,"id":"","type":"function","function":{"name":"","arguments":"{\"a\":"}}"#,
            r#"{"index":0,"id":"","type":"function","function":{"name":null,"arguments":"1}"}}"#,
            r#"{"index":1,"id":"y","type":"function","function":{"name":"g","arguments":""}}"#,
            r#"{"index":1,"id":"","type":"function","function":{"arguments":"{\"b\":2}"}}"#,
        ],
    ];
    for events in cases {
        assert_eq!(chat(events), expected, "{events:?}");
    }
    // Each part has an id of its own.
    let new_ids = [
        r#"{"index":0,"id":"x","function":{"name":"f","arguments":""}}"#,
        r#"{"index":0,"id":"t-1","function":{"arguments":"{\"a\""}}"#,
        r#"{"index":0,"id":"t-2","function":{"arguments":":1}"}}"#,
        r#"{"index":0,"id":"y","function":{"name":"g","arguments":"{\"b\":2}"}}"#,
    ];
    assert_eq!(chat(&new_ids), expected);
    // One id for all calls does not make them one.
    let constant = [
        r#"{"index":0,"id":"c","function":{"name":"f","arguments":"{\"a\":1}"}}"#,
        r#"{"index":0,"id":"c","function":{"name":"g","arguments":"{\"b\":2}"}}"#,
    ];
    assert_eq!(chat(&constant), [call("c", "f", r#"{"a":1}"#), call("c", "g", r#"{"b":2}"#)]);
    // An id that comes late belongs to the call before it.
    let late = [
        r#"{"index":0,"function":{"name":"f","arguments":""}}"#,
        r#"{"index":0,"id":"x","function":{"arguments":"{\"a\":1}"}}"#,
    ];
    assert_eq!(chat(&late), [call("x", "f", r#"{"a":1}"#)]);
}

#[test]
fn a_call_without_arguments_ends_where_a_whole_call_comes() {
    let events = [
        r#"{"index":0,"id":"","function":{"name":"now","arguments":""}}"#,
        r#"{"index":0,"id":"","function":{"name":"del","arguments":"{\"p\":1}"}}"#,
    ];
    assert_eq!(chat(&events), [call("", "now", "{}"), call("", "del", r#"{"p":1}"#)]);
}

#[test]
fn names_come_in_pieces() {
    let cases: [&[&str]; 3] = [
        &[
            r#"{"index":0,"id":"x","function":{"name":"get_","arguments":""}}"#,
            r#"{"index":0,"function":{"name":"weather"}}"#,
            r#"{"index":0,"function":{"arguments":"{}"}}"#,
        ],
        &[
            r#"{"index":0,"id":"x","function":{"name":"get"}}"#,
            r#"{"index":0,"id":"x","function":{"name":"_wea"}}"#,
            r#"{"index":0,"id":"x","function":{"name":"ther","arguments":"{}"}}"#,
        ],
        &[
            r#"{"index":0,"id":"x","function":{"name":"get_"}}"#,
            r#"{"index":0,"id":"x","function":{"name":"get_weather"}}"#,
            r#"{"index":0,"id":"x","function":{"name":"get_weather","arguments":"{}"}}"#,
        ],
    ];
    for events in cases {
        assert_eq!(chat(events), [call("x", "get_weather", "{}")], "{events:?}");
    }
}

#[test]
fn a_call_without_arguments_has_an_empty_object() {
    for arguments in [r#","arguments":"""#, "", r#","arguments":null"#, r#","arguments":" \n""#] {
        let part = format!(r#"{{"index":0,"id":"x","function":{{"name":"now"{arguments}}}}}"#);
        let calls = chat(&[&part]);
        assert_eq!((calls.len(), calls[0].2.trim()), (1, "{}"), "{part}");
    }
    // A call that the length cut has none.
    let body = concat!(
        r#"data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":""}}]},"finish_reason":"length"}]}"#,
        "\n\ndata: [DONE]\n\n",
    );
    let decoded = Decoded::of(Protocol::OpenAiChat, body);
    assert_eq!(folded(&decoded), [call("", "f", "")]);
    let body = concat!(
        r#"data: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"x","name":"now","arguments":""}}"#,
        "\n\n",
        r#"data: {"type":"response.function_call_arguments.done","output_index":0,"arguments":""}"#,
        "\n\n",
        r#"data: {"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","call_id":"x","name":"now","arguments":""}}"#,
        "\n\n",
    );
    let decoded = Decoded::of(Protocol::OpenAiResponses, body);
    assert_eq!(folded(&decoded), [call("x", "now", "{}")]);
}

#[test]
fn a_call_needs_no_object_around_its_name() {
    let flat = [
        r#"{"index":0,"id":"x","type":"function","name":"f","arguments":"{\"a\":"}"#,
        r#"{"index":0,"arguments":"1}"}"#,
    ];
    assert_eq!(chat(&flat), [call("x", "f", r#"{"a":1}"#)]);
    // A type alone is no call.
    assert_eq!(chat(&[r#"{"index":0,"type":"function"}"#]), []);
}

#[test]
fn custom_tools_take_text() {
    let events = [
        r#"{"index":0,"id":"x","type":"custom","custom":{"name":"sql","input":"SELECT "}}"#,
        r#"{"index":0,"custom":{"input":"1"}}"#,
    ];
    assert_eq!(chat(&events), [call("x", "sql", "SELECT 1")]);
    let [first, _] = events;
    let chunk = format!("data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{first}]}}}}]}}\n\n");
    let decoded = Decoded::of(Protocol::OpenAiChat, &chunk);
    let is_text = |delta: &Delta| matches!(delta, Delta::Call(part) if part.is_text);
    assert!(decoded.deltas.iter().any(is_text), "{:?}", decoded.deltas);
    let item = r#"{"type":"custom_tool_call","id":"i","call_id":"x","name":"sql","input":""#;
    let deltas = r#"data: {"type":"response.custom_tool_call_input.delta","output_index":0,"delta":"SELECT 1"}"#;
    let done = r#"data: {"type":"response.custom_tool_call_input.done","output_index":0,"input":"SELECT 1"}"#;
    for growing in [deltas, done, ""] {
        let body = format!(
            "data: {{\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{item}\"}}}}\n\n{growing}\n\n\
             data: {{\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{item}SELECT 1\"}}}}\n\n"
        );
        let decoded = Decoded::of(Protocol::OpenAiResponses, &body);
        assert_eq!(folded(&decoded), [call("x", "sql", "SELECT 1")], "{body}");
        let is_text = |delta: &Delta| matches!(delta, Delta::Call(part) if part.is_text);
        assert!(decoded.deltas.iter().all(is_text), "{:?}", decoded.deltas);
    }
}

/// Tools that the model knows without a definition.
#[test]
fn calls_of_tools_of_the_provider_are_calls() {
    for (kind, member, name) in [
        ("apply_patch_call", "operation", "apply_patch"),
        ("shell_call", "action", "shell"),
        ("local_shell_call", "action", "local_shell"),
        ("computer_call", "action", "computer"),
    ] {
        let item = |arguments: &str| {
            format!(
                r#"{{"type":"{kind}","id":"i","call_id":"x","status":"completed","{member}":{arguments}}}"#
            )
        };
        let event = |step: &str, item: &str| {
            format!(
                "data: {{\"type\":\"response.output_item.{step}\",\"output_index\":0,\"item\":{item}}}\n\n"
            )
        };
        let body = event("added", &item("{}")) + &event("done", &item(r#"{"type":"exec"}"#));
        let expected = [call("x", name, r#"{"type":"exec"}"#)];
        assert_eq!(folded(&Decoded::of(Protocol::OpenAiResponses, &body)), expected, "{kind}");
        // Only the last event came.
        let whole = format!(
            "data: {{\"type\":\"response.completed\",\"response\":{{\"status\":\"completed\",\"output\":[{}]}}}}\n\n",
            item(r#"{"type":"exec"}"#)
        );
        assert_eq!(folded(&Decoded::of(Protocol::OpenAiResponses, &whole)), expected, "{kind}");
    }
}
