//! A body of each protocol: reasoning, a value of two fields, and a call in between.

/// What each of them holds.
pub(crate) const VALUE: &str = r#"{"title":"Grüße","n":12}"#;
pub(crate) const REASONING: &str = "Two fields.";
pub(crate) const CALLS: &str = r#"[{"id":"a","name":"find","arguments":{"q":[1,2]}}]"#;

/// The values of `--input`, with a body of each.
pub(crate) const ALL: [(&str, &str); 4] = [
    ("openai-chat", CHAT),
    ("openai-responses", RESPONSES),
    ("anthropic", ANTHROPIC),
    ("ollama", OLLAMA),
];

pub(crate) const CHAT: &str = r#"data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"reasoning":"Two "}}]}

data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"reasoning":"fields."}}]}

data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"content":"{\"title\": \"Gr\u00fc"}}]}

data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"find","arguments":"{\"q\": [1"}}]}}]}

data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"content":"ße\", \"n\": 12}"}}]}

data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":", 2]}"}}]}}]}

data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"total_tokens":7}}

data: [DONE]

"#;

pub(crate) const RESPONSES: &str = r#"event: response.created
data: {"type":"response.created","response":{"id":"r1","model":"m-2"}}

event: response.reasoning_text.delta
data: {"type":"response.reasoning_text.delta","output_index":0,"delta":"Two fields."}

event: response.output_text.delta
data: {"type":"response.output_text.delta","output_index":1,"delta":"{\"title\": \"Gr\u00fc"}

event: response.output_text.delta
data: {"type":"response.output_text.delta","output_index":1,"delta":"ße\", \"n\": 12}"}

event: response.output_item.added
data: {"type":"response.output_item.added","output_index":2,"item":{"type":"function_call","call_id":"a","name":"find","arguments":""}}

event: response.function_call_arguments.delta
data: {"type":"response.function_call_arguments.delta","output_index":2,"delta":"{\"q\": [1, 2]}"}

event: response.completed
data: {"type":"response.completed","response":{"status":"completed","usage":{"total_tokens":7}}}

"#;

pub(crate) const ANTHROPIC: &str = r#"event: message_start
data: {"type":"message_start","message":{"id":"m1","model":"m-3"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Two fields."}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"{\"title\": \"Gr\u00fc"}}

event: ping
data: {"type":"ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"ße\", \"n\": 12}"}}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"a","name":"find","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"q\": [1, 2]}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":2}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"total_tokens":7}}

event: message_stop
data: {"type":"message_stop"}

"#;

pub(crate) const OLLAMA: &str = r#"{"model":"m-4","message":{"role":"assistant","content":"","thinking":"Two fields."},"done":false}
{"model":"m-4","message":{"role":"assistant","content":"{\"title\": \"Gr\u00fc"},"done":false}
{"model":"m-4","message":{"role":"assistant","content":"ße\", \"n\": 12}"},"done":false}
{"model":"m-4","message":{"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"name":"find","arguments":{"q":[1,2]}}}]},"done":false}
{"model":"m-4","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","eval_count":7}
"#;

/// A chat completion that says this text, before its end.
pub(crate) fn said(text: &str) -> String {
    let event = serde_json::json!({"choices": [{"delta": {"content": text}}]});
    format!("data: {event}\n\n")
}

/// The end of a chat completion, for this reason.
pub(crate) fn stopped(reason: &str) -> String {
    let event = serde_json::json!({"choices": [{"delta": {}, "finish_reason": reason}]});
    format!("data: {event}\n\ndata: [DONE]\n\n")
}

/// A chat completion that only calls a tool, with these arguments.
pub(crate) fn called(arguments: &str) -> String {
    let call = serde_json::json!({"index": 0, "id": "a", "function": {"name": "find", "arguments": arguments}});
    let event = serde_json::json!({"choices": [{"delta": {"tool_calls": [call]}}]});
    format!("data: {event}\n\n{}", stopped("tool_calls"))
}
