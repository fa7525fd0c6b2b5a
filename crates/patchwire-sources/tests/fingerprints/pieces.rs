//! Pieces of bodies, and what is read without a body: calls in small alphabets, recordings, lists of deltas, errors.

use core::fmt::Write;
use std::time::Duration;

use patchwire_sources::{CallState, ProviderError, Recording, RecordingLine, parse_deltas};
use serde_json::{Map, Value as Json, json};

use super::numbers::Random;

const IDS: [Option<&str>; 6] = [None, None, Some(""), Some("x"), Some("y"), Some("z")];
const NAMES: [Option<&str>; 7] =
    [None, None, Some(""), Some("f"), Some("g"), Some("get_"), Some("get_x")];
const ARGUMENTS: [&str; 16] = [
    "",
    "",
    " ",
    "{",
    "{\"a\":",
    "1}",
    "{}",
    "{\"a\":1}",
    "[[1]",
    "]",
    "x",
    "{\"}\\\"{\\\\\"",
    "}",
    " \n{\"b\":[2]}",
    "\"",
    "\\\"",
];

fn member(object: &mut Map<String, Json>, name: &str, value: impl Into<Json>) {
    object.insert(name.to_owned(), value.into());
}

/// The arguments of a part, mostly as text.
fn arguments(random: &mut Random) -> Json {
    match random.below(10) {
        0 => json!({}),
        1 => json!({"a": 1}),
        2 => Json::Null,
        _ => random.pick(&ARGUMENTS).into(),
    }
}

/// Chunks of chat completions with parts of calls.
pub(super) fn chat_calls(random: &mut Random) -> Vec<Json> {
    let mut events = Vec::new();
    let is_custom = random.below(8) == 0;
    let indexes = 1 + random.below(3);
    for _ in 0..1 + random.below(8) {
        let calls = (0..1 + random.below(3)).map(|_| chat_call(is_custom, indexes, random));
        let calls: Vec<Json> = calls.collect();
        let mut choice = json!({"delta": {"tool_calls": calls}});
        if random.below(8) == 0 {
            choice["finish_reason"] =
                random.pick(&["tool_calls", "length", "content_filter", "stop"]).into();
        }
        events.push(json!({"choices": [choice]}));
    }
    events
}

fn chat_call(is_custom: bool, indexes: usize, random: &mut Random) -> Json {
    let (mut call, mut function) = (Map::new(), Map::new());
    if random.below(4) > 0 {
        member(&mut call, "index", random.below(indexes));
    }
    if let Some(id) = random.pick(&IDS) {
        member(&mut call, "id", id);
    }
    if let Some(name) = random.pick(&NAMES) {
        member(&mut function, "name", name);
    }
    if random.below(5) > 0 {
        member(&mut function, if is_custom { "input" } else { "arguments" }, arguments(random));
    }
    match random.below(12) {
        0 => call.extend(function),
        _ => member(&mut call, if is_custom { "custom" } else { "function" }, function),
    }
    call.into()
}

/// Events of responses about calls and the texts of items.
pub(super) fn response_calls(random: &mut Random) -> Vec<Json> {
    let kinds = [
        "function_call",
        "mcp_call",
        "custom_tool_call",
        "apply_patch_call",
        "shell_call",
        "message",
    ];
    let kind = random.pick(&kinds);
    let mut events = Vec::new();
    for _ in 0..1 + random.below(8) {
        let kind = if random.below(6) == 0 { random.pick(&kinds) } else { kind };
        let mut item = json!({"type": kind});
        for name in ["arguments", "input", "operation", "action"] {
            if random.below(2) == 0 {
                item[name] = arguments(random);
            }
        }
        for (name, value) in [("id", random.pick(&IDS)), ("call_id", random.pick(&IDS))] {
            item[name] = value.into();
        }
        item["name"] = random.pick(&NAMES).into();
        if random.below(3) == 0 {
            item["status"] = random.pick(&["incomplete", "completed"]).into();
        }
        let name = random.pick(&[
            "response.output_item.added",
            "response.output_item.added",
            "response.output_item.done",
            "response.output_item.done",
            "response.function_call_arguments.delta",
            "response.function_call_arguments.done",
            "response.mcp_call_arguments.delta",
            "response.custom_tool_call_input.delta",
            "response.custom_tool_call_input.done",
            "response.completed",
        ]);
        let mut event = json!({"type": name, "item": item});
        if random.below(5) > 0 {
            event["output_index"] = random.below(2).into();
        }
        for name in ["delta", "arguments", "input"] {
            event[name] = arguments(random);
        }
        if name == "response.completed" {
            event["response"] = json!({"status": "completed", "output": [event["item"].clone()]});
        }
        events.push(event);
    }
    events
}

/// Responses of Gemini with function calls, whole and value by value.
pub(super) fn gemini_calls(random: &mut Random) -> Vec<Json> {
    let mut events = Vec::new();
    for _ in 0..1 + random.below(7) {
        let mut call = Map::new();
        if let Some(name) = random.pick(&NAMES) {
            member(&mut call, "name", name);
        }
        if let Some(id) = random.pick(&IDS) {
            member(&mut call, "id", id);
        }
        if random.below(5) == 0 {
            member(&mut call, "args", random.pick(&[Some(1), None]).map(|it| json!({"a": it})));
        }
        if random.below(2) == 0 {
            let values: Vec<Json> = (0..random.below(4)).map(|_| argument(random)).collect();
            member(&mut call, "partialArgs", values);
        }
        if random.below(2) == 0 {
            member(&mut call, "willContinue", random.below(4) > 0);
        }
        let mut candidate = json!({"content": {"parts": [{"functionCall": call}]}});
        if random.below(8) == 0 {
            candidate["finishReason"] = random.pick(&["STOP", "MAX_TOKENS"]).into();
        }
        events.push(json!({"candidates": [candidate]}));
    }
    events
}

/// A value with its path.
fn argument(random: &mut Random) -> Json {
    let path = random.pick(&[
        "$.a",
        "$.a",
        "$.b",
        "$.a.b",
        "$.a.c",
        "$.r[0]",
        "$.r[1].a",
        "$.r[1].b",
        "$['a.b']",
        "$[\"q\"][0][0]",
        "$[x]",
        "$['a",
        "$['a'b]",
        "$",
        "a",
        "$a",
    ]);
    let mut value = json!({"jsonPath": path});
    match random.below(6) {
        0 => value["numberValue"] = 7.into(),
        1 => value["boolValue"] = true.into(),
        2 => value["nullValue"] = "NULL_VALUE".into(),
        _ => value["stringValue"] = random.pick(&["", "x", "\"\n", "yz"]).into(),
    }
    if random.below(2) == 0 {
        value["willContinue"] = (random.below(4) > 0).into();
    }
    value
}

/// Which parts are one call, and what the call is then.
pub(super) fn call_state(random: &mut Random) -> String {
    let mut out = String::new();
    let mut state = CallState::default();
    for _ in 0..2 + random.below(8) {
        let (id, name) = (random.pick(&IDS), random.pick(&NAMES));
        let arguments = random.pick(&ARGUMENTS).as_bytes();
        let begins = state.begins_another(id, name, arguments);
        if begins && random.below(2) == 0 {
            state = CallState::default();
        }
        let is_new = state.take(id, name, arguments);
        let is_without = state.is_without_arguments();
        writeln!(out, "{begins} {is_new} {is_without} {:?} {:?}", state.id(), state.name())
            .unwrap();
    }
    out
}

/// A body that is no stream.
pub(super) fn no_stream(random: &mut Random) -> Vec<u8> {
    let bodies = [
        "<html>\nno\n",
        "{\"content\": []}",
        "[{\"error\": {\"message\": \"busy\"}}]",
        "{\"detail\": \"no key\"}",
        "{\"detail\": [{\"msg\": \"m\"}]}",
        "{\"message\": \"no key\", \"id\": \"x\"}",
        "{\"message\": {}, \"done\": true}",
        "{\"error\": null, \"choices\": []}",
        "{\"candidates\": []}",
        "{\"messageStart\": {}}",
        "[]",
        "[1]",
        "event: thread.created\ndata: {}\n\n",
        "data: {\"object\": \"thread.run\"}\n\n",
        "data: {\"type\": \"completion\", \"completion\": \"a\"}\n\n",
        "data:{\"index\":1,\"token\":{\"id\":7,\"text\":\"Hi\"}}\n\n",
        "data: {\"type\": \"text-start\"}\n\n",
        "data: {\"type\": \"start-step\"}\n\n",
        "data: {\"event_type\": \"interaction.start\"}\n\n",
        "data: {\"event_type\": \"content.delta\"}\n\n",
        "event: output\ndata: a\n\n",
        "dat",
        "data",
        "\u{feff}event: x\n",
        "\u{feff}id: 1\n\nretry: 2\r\n",
        "ids\nplain\n: x",
        " \n",
        "\u{feff}",
        "\u{0}\u{0}\u{0}\u{0}",
        "dada\nx",
    ];
    let long = format!("{{\"a\": \"{}\"}}", "long ".repeat(random.below(40)));
    let mut body = match random.below(8) {
        0 => long,
        1 => random.pick(&bodies).to_owned() + random.pick(&bodies),
        _ => random.pick(&bodies).to_owned(),
    };
    if random.below(5) == 0 {
        let end = (0..=random.below(body.len() + 1)).rev().find(|at| body.is_char_boundary(*at));
        body.truncate(end.unwrap_or_default());
    }
    body.into_bytes()
}

/// What the body of a failed request says.
pub(super) fn error_of_response(random: &mut Random) -> String {
    let words = ["overloaded_error", "rate_limit_error", "rate_limit_exceeded", "api_error"];
    let kinds = ["server_error", "timeout_error", "invalid_api_key", ""];
    let mut error = Map::new();
    for (name, one_in) in [("message", 2), ("detail", 3), ("code", 2), ("type", 2), ("status", 3)] {
        if random.below(one_in) > 0 {
            continue;
        }
        let value = match random.below(5) {
            0 => json!(random.pick(&[399, 400, 408, 409, 425, 429, 499, 500, 599, 600, 70_000])),
            1 => Json::Null,
            2 => random.pick(&words).into(),
            3 => random.pick(&kinds).into(),
            _ => random.pick(&["no", "later"]).into(),
        };
        member(&mut error, name, value);
    }
    let body = match random.below(6) {
        0 => Json::Object(error).to_string(),
        1 => json!([{"error": error}]).to_string(),
        2 => json!({"error": "words"}).to_string(),
        3 => "é ".repeat(random.below(200)),
        _ => json!({"error": error, "message": "around"}).to_string(),
    };
    let status = random.pick(&[400, 408, 409, 410, 425, 429, 499, 500, 529, 599, 600]);
    let error = ProviderError::of_response(status, body.as_bytes());
    // Without a status, the kind decides.
    let mut kind = error.clone();
    kind.status = None;
    format!("{error} {error:?} {} {kind} {}", error.is_transient(), kind.is_transient())
}

/// A recording that is written part by part and read again, whole and damaged.
pub(super) fn recorded(random: &mut Random) -> String {
    let mut out = String::new();
    let (mut line, text) = RecordingLine::begin(["a \"s\"", "p", "text"]);
    let mut file = text.into_bytes();
    let text = "aé日😀\"\\\n\u{1}".repeat(1 + random.below(3)).into_bytes();
    let mut rest: &[u8] = &text;
    let mut at = 0;
    while !rest.is_empty() {
        let (chunk, behind) = rest.split_at(rest.len().min(random.below(6)));
        rest = behind;
        at += random.below(3) as u64;
        line.chunk(chunk, Duration::from_millis(at));
        if random.below(12) == 0 {
            line.chunk(random.pick(&[b"\xff", b"\xe2", b"\xf0"]), Duration::from_millis(at));
        }
        if random.below(2) == 0 {
            part(&mut line, &mut file, &mut out);
        }
    }
    line.finish(Duration::from_millis(at + 7));
    part(&mut line, &mut file, &mut out);
    part(&mut line, &mut file, &mut out);
    for _ in 0..random.below(3) {
        let at = random.below(file.len() + 1);
        let to = file.len().min(at + random.below(3));
        let pieces: [&[u8]; 8] =
            [b"", b"1", b"\"", b"\\ud83d", b"\n", b"\xff", b",-1,null,1e999", b",9.5,2"];
        file.splice(at..to, random.pick(&pieces).iter().copied());
    }
    writeln!(out, "{:?}", Recording::from_line(&file)).unwrap();
    writeln!(out, "{:?}", Recording::from_line(&odd_line(random))).unwrap();
    out
}

fn part(line: &mut RecordingLine, file: &mut Vec<u8>, out: &mut String) {
    let part = line.part();
    writeln!(out, "{part:?} {} {}", line.is_empty(), line.repeated()).unwrap();
    if let Some(part) = part {
        file.truncate(part.offset);
        file.extend_from_slice(part.text.as_bytes());
    }
}

/// A line with members of odd types.
fn odd_line(random: &mut Random) -> Vec<u8> {
    let values =
        ["null", "1", "\"x\"", "[1,2.5,1,null,4]", "[3,-1,4]", "[\"a\",\"b\"]", "[]", "{}"];
    let mut line = String::from("{");
    for name in ["deltas", "at_ms", "kind", "provider", "source", "more"] {
        if random.below(4) > 0 {
            let value =
                if name == "deltas" { "[\"a\\ud83d\",\"\\ude00\"]" } else { random.pick(&values) };
            line += &format!("\"{name}\":{value}{}", random.pick(&[",", ",", ",\n"]));
        }
    }
    (line.trim_end_matches([',', '\n']).to_owned() + "}").into_bytes()
}

/// Strings with halves of characters.
pub(super) fn parsed_deltas(random: &mut Random) -> String {
    let pieces = [
        "a",
        "\\ud83d",
        "\\ude00",
        "\\uD83D",
        "\\udbff",
        "\\udfff",
        "\\udc00",
        "\\udbfc\\udc3d",
        "\\ud800",
        "\\u0041",
        "\\\\",
        "\\n",
        "é",
        "\u{10f03d}",
        "\u{10f7ff}",
        "\u{10f800}",
        "\\u+d83",
        "\\ud8",
        "\\\"",
    ];
    let most = if random.below(3) == 0 { pieces.len() } else { 7 };
    let strings = (0..1 + random.below(5)).map(|_| {
        let text: String = (0..random.below(5)).map(|_| pieces[random.below(most)]).collect();
        format!("\"{text}\"")
    });
    let strings: Vec<String> = strings.collect();
    let end = random.pick(&["]", "]", "]", ",1]", ""]);
    let json = format!("[{}{end}", strings.join(","));
    format!("{json} {:?}", parse_deltas::<Vec<String>>(&json, |all| all))
}
