//! Answers in the forms of OpenAI and Anthropic, and requests for them, as a seed writes them: most of them as they should be.
#![allow(dead_code, reason = "each crate uses some of it")]

use serde_json::{Value as Json, json};

use super::shared::{Random, Style, slip, written};

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    ChatStream,
    Chat,
    MessageStream,
    Message,
}

impl Form {
    pub(crate) fn is_stream(self) -> bool {
        matches!(self, Self::ChatStream | Self::MessageStream)
    }

    fn is_chat(self) -> bool {
        matches!(self, Self::ChatStream | Self::Chat)
    }

    pub(crate) fn path(self, random: &mut Random) -> &'static str {
        match (self.is_chat(), random.below(10)) {
            (true, 0) => "/v1/chat/completions?a=b&c",
            (true, _) => "/v1/chat/completions",
            (false, 0) => "/v1/messages?beta=true",
            (false, _) => "/v1/messages",
        }
    }
}

/// A body.
pub(crate) struct Written {
    pub(crate) bytes: Vec<u8>,
}

/// Texts that models write.
const ANSWERS: [&str; 12] = [
    "{\"title\": \"Café ☃\", \"n\": [1, 2], \"deep\": {\"a\": null, \"b\": true}}",
    "Sure! {\"a\": 1,} Done.",
    "```json\n{\"rows\": [{\"n\": 1}, {\"n\": 2}], \"end\": \"a\\nb\\\"c\"}\n```",
    "[1, 2.5, \"x\", {}, []]",
    "{\"a\": \"unfinished",
    "plain words, and nothing else",
    "",
    "{\"a\": 1} {\"b\": 2}",
    "title: Café\nn:\n  - 1\n  - 2\n",
    "### title\nCafé\n### n\n[1]\n",
    "<title>Café</title><n>[1]</n>",
    "<think>Hm.</think>{\"title\": \"}{\"}",
];

/// Names that members get by mistake.
const NAMES: [&str; 20] = [
    "index",
    "delta",
    "message",
    "content",
    "choices",
    "finish_reason",
    "error",
    "usage",
    "type",
    "stop_reason",
    "text",
    "id",
    "model",
    "reasoning_content",
    "refusal",
    "tool_calls",
    "content_block",
    "thinking",
    "object",
    "odd",
];

fn answer(random: &mut Random) -> String {
    if random.one_of(60) {
        // So many events that they come in several deltas.
        let items: Vec<_> = (0..500).collect();
        return json!(items).to_string();
    }
    random.pick(&ANSWERS).to_owned()
}

fn usage(random: &mut Random) -> Json {
    match random.below(4) {
        0 => json!({"input_tokens": 3, "output_tokens": 1 + random.below(9)}),
        1 => Json::Null,
        _ => json!({"prompt_tokens": 3, "completion_tokens": random.below(9), "total_tokens": 12}),
    }
}

pub(crate) fn body(form: Form, random: &mut Random) -> Written {
    let mut text = match form {
        Form::ChatStream => stream(chat_events(random), random),
        Form::MessageStream => stream(message_events(random), random),
        Form::Chat => whole(chat(random), random),
        Form::Message => whole(message(random), random),
    }
    .into_bytes();
    match random.below(16) {
        0 => text = random.damaged(&text),
        1 => text.truncate(random.below(text.len() + 1)),
        2 if !text.is_empty() => {
            let at = random.below(text.len());
            text[at] = 0xff;
        }
        _ => {}
    }
    Written { bytes: text }
}

fn whole(mut value: Json, random: &mut Random) -> String {
    if random.one_of(3) {
        slip(&mut value, &NAMES, random);
    }
    let style = random.pick(&[Style::Compact, Style::Blanks, Style::Lines]);
    let around = random.pick(&["", "", " ", "\r\n"]);
    format!("{around}{}{around}", written(&value, style, random))
}

fn chat(random: &mut Random) -> Json {
    let choices: Vec<Json> = (0..random.pick(&[1, 1, 1, 2, 3, 0]))
        .map(|index| {
            let mut message = json!({"role": "assistant", "content": answer(random)});
            if random.one_of(4) {
                message["reasoning_content"] = json!("Hm.");
            }
            if random.one_of(6) {
                message["tool_calls"] = json!([{"id": "t", "type": "function", "function": {"name": "find", "arguments": "{\"q\": 1}"}}]);
            }
            if random.one_of(12) {
                message["refusal"] = json!("No.");
            }
            json!({"index": index, "message": message, "finish_reason": "stop"})
        })
        .collect();
    let mut chat = json!({"id": "c", "object": "chat.completion", "choices": choices});
    if random.one_of(2) {
        chat["usage"] = usage(random);
    }
    if random.one_of(20) {
        chat["error"] = json!({"message": "busy"});
    }
    chat
}

fn message(random: &mut Random) -> Json {
    let mut content = vec![json!({"type": "text", "text": answer(random)})];
    if random.one_of(4) {
        content.insert(0, json!({"type": "thinking", "thinking": "Hm."}));
    }
    if random.one_of(4) {
        content.push(json!({"type": "tool_use", "id": "t", "name": "find", "input": {"q": "x"}}));
    }
    let mut message =
        json!({"type": "message", "id": "m", "content": content, "stop_reason": "end_turn"});
    if random.one_of(2) {
        message["usage"] = usage(random);
    }
    match random.below(20) {
        0 => json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}),
        _ => message,
    }
}

/// An event of a stream: its name, if it has one, and its data.
type Event = (Option<&'static str>, Json);

/// The deltas of a choice.
fn deltas(index: u32, random: &mut Random) -> Vec<Json> {
    let mut own = Vec::new();
    if random.one_of(2) {
        own.push(json!({"index": index, "delta": {"role": "assistant", "content": ""}}));
    }
    if random.one_of(4) {
        own.push(json!({"index": index, "delta": {"reasoning_content": "Hm, é."}}));
    }
    let (text, most) = (answer(random), random.pick(&[3, 12, 2000]));
    for piece in random.pieces(&text, most) {
        own.push(json!({"index": index, "delta": {"content": piece}, "finish_reason": null}));
    }
    if random.one_of(5) {
        let call =
            json!({"index": 0, "id": "t", "function": {"name": "find", "arguments": "{\"q\": [1"}});
        own.push(json!({"index": index, "delta": {"tool_calls": [call]}}));
        let more = json!({"index": 0, "function": {"arguments": "]}"}});
        own.push(json!({"index": index, "delta": {"tool_calls": [more]}}));
    }
    if random.one_of(10) {
        own.push(json!({"index": index, "delta": {"refusal": "No."}}));
    }
    let reason = random.pick(&["stop", "stop", "stop", "length", "tool_calls", ""]);
    if !random.one_of(6) {
        own.push(json!({"index": index, "delta": {}, "finish_reason": reason}));
    }
    own
}

fn chat_events(random: &mut Random) -> Vec<Event> {
    let has_head = !random.one_of(4);
    let chunk = |choices: Vec<Json>| {
        let mut chunk = json!({"choices": choices});
        if has_head {
            chunk["id"] = json!("c1");
            chunk["object"] = json!("chat.completion.chunk");
            chunk["model"] = json!("m");
            chunk["created"] = json!(7);
        }
        chunk
    };
    let mut events = Vec::new();
    let many = random.pick(&[1, 1, 1, 2, 3]);
    for index in 0..many {
        let own = deltas(index, random);
        // The choices come one after another, or among each other.
        let mut at = if random.one_of(3) { events.len() } else { 0 };
        for choice in own {
            at = (at + 1 + random.below(2)).min(events.len());
            events.insert(at, choice);
        }
    }
    let mut chunks: Vec<Json> = Vec::new();
    for choice in events {
        match chunks.last_mut().and_then(|last| last["choices"].as_array_mut()) {
            Some(choices) if random.one_of(6) => choices.push(choice),
            _ => chunks.push(chunk(vec![choice])),
        }
        if random.one_of(8) {
            chunks.last_mut().unwrap()["usage"] = usage(random);
        }
    }
    if random.one_of(3) {
        let mut last = chunk(Vec::new());
        last["usage"] = usage(random);
        chunks.push(last);
    }
    if random.one_of(16) {
        let at = random.below(chunks.len() + 1);
        chunks.insert(at, json!({"error": {"message": "busy é", "type": "server_error"}}));
    }
    let mut events: Vec<Event> = chunks.into_iter().map(|chunk| (None, chunk)).collect();
    if !random.one_of(6) {
        events.push((None, json!("[DONE]")));
    }
    events
}

fn message_events(random: &mut Random) -> Vec<Event> {
    let mut data = vec![
        json!({"type": "message_start", "message": {"id": "m1", "role": "assistant", "content": [], "usage": usage(random)}}),
    ];
    for index in 0..random.pick(&[1, 1, 1, 2, 3]) {
        let (kind, member, delta) = random.pick(&[
            ("text", "text", "text_delta"),
            ("text", "text", "text_delta"),
            ("thinking", "thinking", "thinking_delta"),
            ("tool_use", "partial_json", "input_json_delta"),
            ("thinking", "signature", "signature_delta"),
        ]);
        let block = json!({"type": kind, "text": "", "id": "t", "name": "find", "input": {}});
        data.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        let (text, most) = (answer(random), random.pick(&[3, 12, 2000]));
        for piece in random.pieces(&text, most) {
            data.push(json!({"type": "content_block_delta", "index": index, "delta": {"type": delta, member: piece}}));
        }
        if random.one_of(4) {
            data.push(json!({"type": "ping"}));
        }
        data.push(json!({"type": "content_block_stop", "index": index}));
    }
    if !random.one_of(8) {
        let reason = random.pick(&["end_turn", "end_turn", "max_tokens", "refusal", ""]);
        data.push(json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null}, "usage": usage(random)}));
    }
    if random.one_of(16) {
        let at = random.below(data.len() + 1);
        data.insert(
            at,
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}),
        );
    }
    if !random.one_of(6) {
        data.push(json!({"type": "message_stop"}));
    }
    data.into_iter().map(|data| (Some("message"), data)).collect()
}

/// The events as server-sent events: with slips, and with everything that may stand between.
fn stream(mut events: Vec<Event>, random: &mut Random) -> String {
    for _ in 0..random.pick(&[0, 0, 1, 2]) {
        if events.is_empty() {
            return String::new();
        }
        let at = random.below(events.len());
        match random.below(8) {
            0 => drop(events.remove(at)),
            1 => events.insert(at, events[at].clone()),
            2 => events.swap(0, at),
            _ => slip(&mut events[at].1, &NAMES, random),
        }
    }
    let style = random.pick(&[Style::Compact, Style::Compact, Style::Blanks, Style::Lines]);
    let end = random.pick(&["\n", "\n", "\r\n", "\r"]);
    let mut out = String::from(if random.one_of(12) { "\u{feff}" } else { "" });
    let last = events.len().saturating_sub(1);
    for (at, (name, data)) in events.into_iter().enumerate() {
        if random.one_of(10) {
            out += random.pick(&[": between", "id: 3", "retry: 10", "", ":"]);
            out += random.pick(&[end, end, "\n\n"]);
        }
        if let Some(name) = name.filter(|_| !random.one_of(8)) {
            out += &format!("event: {}{end}", data["type"].as_str().unwrap_or(name));
        }
        let text = match &data {
            Json::String(word) => word.clone(),
            data => written(data, style, random),
        };
        for line in text.split('\n') {
            out += random.pick(&["data: ", "data: ", "data: ", "data:"]);
            out += line;
            out += end;
        }
        if random.one_of(24) {
            out += random.pick(&["data", ": inside", "data: ", "datax: 1"]);
            out += end;
        }
        // Some servers leave out the blank line.
        if !random.one_of(if at == last { 8 } else { 30 }) {
            out += end;
        }
    }
    out
}

/// Options for the gateway: as a member, as a header, or both.
pub(crate) fn options(random: &mut Random) -> (Option<String>, Option<String>) {
    let options = match random.below(20) {
        0 => "{\"format\": \"hybrid\"}",
        1 => "{\"format\": \"yaml_literal\"}",
        2 => "{\"format\":\"text\"}",
        3 => "{\"schema\": {\"title\": \"str\", \"n\": [\"int\"]}}",
        4 => {
            "{\"schema\": {\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"integer\"}}, \"required\": [\"a\", \"b\"]}, \"valid\": true}"
        }
        5 => "{\"schema\": {\"a\": \"int\"}, \"exact\": true, \"ensure\": [\"a\"]}",
        6 => "{\"strictness\": \"strict\"}",
        7 => "{\"tags\": \"think\"}",
        8 => "{\"tags\": \"none\", \"format\": \"markdown\"}",
        9 => "{\"wire\": \"ops\"}",
        10 => "{\"raw\": true}",
        11 => "7",
        _ => "{}",
    };
    match random.below(12) {
        0 => (None, None),
        1 | 2 => (None, Some(options.to_owned())),
        3 => (Some(options.to_owned()), Some("{}".to_owned())),
        _ => (Some(options.to_owned()), None),
    }
}

/// A request: the options stand somewhere among its members.
pub(crate) fn request(form: Form, options: Option<&str>, random: &mut Random) -> String {
    let stream = match (form.is_stream(), random.below(12)) {
        (_, 0) => "1",
        (true, 1..) => "true",
        (false, 1..=6) => "false",
        (false, 7..) => "null",
    };
    let mut members = vec![
        format!("\"model\":{}", random.pick(&["\"m\"", " \"m\\u00e9\"", "1.50"])),
        format!("\"stream\": {stream}"),
        "\"messages\" : [ {\"role\":\"user\", \"content\":\"Go, é.\"} ]".to_owned(),
    ];
    if let Some(options) = options {
        let name = random.pick(&["patchwire", "patchwire", "patchwire", "\\u0070atchwire"]);
        members.insert(random.below(members.len() + 1), format!("\"{name}\" : {options}"));
        if random.one_of(8) {
            let twice = format!("\"patchwire\":{}", random.pick(&["null", "{}", options]));
            members.insert(random.below(members.len() + 1), twice);
        }
    }
    let comma = random.pick(&[",", ", ", " ,\n"]);
    let blank = random.pick(&["", " ", "\n"]);
    let text = format!("{blank}{{{blank}{}{blank}}}{blank}", members.join(comma));
    match random.below(30) {
        0 => String::from_utf8_lossy(&random.damaged(text.as_bytes())).into_owned(),
        1 => "[1]".to_owned(),
        _ => text,
    }
}
