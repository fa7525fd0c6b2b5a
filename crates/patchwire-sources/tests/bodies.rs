//! A body of each protocol, with everything in it.

use patchwire_sources::{End, Protocol, Stop};
use serde_json::json;

use crate::decoded::Decoded;

pub(crate) const CHAT: &str = r#": a comment keeps the connection open

data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}

data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"reasoning_content":"Hm"}}]}

data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"reasoning":", well"}},{"index":1,"delta":{"content":"of another choice"}}]}

data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"content":"Grüße"},"finish_reason":null}],"usage":null}

data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"!"}]},{"type":"text","text":" ☃\n"},{"type":"reference","ids":[1]}]}}]}

data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"find","arguments":""}},{"index":1,"id":"b","type":"function","function":{"name":"tell","arguments":"{\"to\""}}]}}]}

data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"q\": [1"}}]}}]}

data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":": \"x\"}"}},{"index":0,"function":{"arguments":", 2]}"}}]}}]}

data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

data: {"id":"c1","model":"m-1","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":9}}

data: [DONE]

"#;

pub(crate) const RESPONSES: &str = r#"event: response.created
data: {"type":"response.created","response":{"id":"r1","model":"m-2","status":"in_progress"}}

event: response.output_item.added
data: {"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"rs"}}

event: response.reasoning_summary_text.delta
data: {"type":"response.reasoning_summary_text.delta","output_index":0,"delta":"First "}

event: response.reasoning_text.delta
data: {"type":"response.reasoning_text.delta","output_index":0,"delta":"this."}

event: response.output_item.done
data: {"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs","summary":[]}}

event: response.output_text.delta
data: {"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":"Gr\u00fc\u00dfe"}

event: response.output_text.delta
data: {"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":" ☃\n"}

event: response.output_text.done
data: {"type":"response.output_text.done","output_index":1,"text":"Grüße ☃\n"}

event: response.output_item.done
data: {"type":"response.output_item.done","output_index":1,"item":{"type":"message","content":[{"type":"output_text","text":"Grüße ☃\n"}]}}

event: response.output_item.added
data: {"type":"response.output_item.added","output_index":2,"item":{"type":"function_call","id":"f1","call_id":"a","name":"find","arguments":""}}

event: response.output_item.added
data: {"type":"response.output_item.added","output_index":3,"item":{"type":"function_call","id":"f2","call_id":"b","name":"tell","arguments":""}}

event: response.function_call_arguments.delta
data: {"type":"response.function_call_arguments.delta","output_index":2,"delta":"{\"q\": [1"}

event: response.function_call_arguments.done
data: {"type":"response.function_call_arguments.done","output_index":3,"arguments":"{\"to\": \"x\"}"}

event: response.function_call_arguments.delta
data: {"type":"response.function_call_arguments.delta","output_index":2,"delta":", 2]}"}

event: response.function_call_arguments.done
data: {"type":"response.function_call_arguments.done","output_index":2,"arguments":"{\"q\": [1, 2]}"}

event: response.output_item.done
data: {"type":"response.output_item.done","output_index":3,"item":{"type":"function_call","id":"f2","call_id":"b","name":"tell","arguments":"{\"to\": \"x\"}"}}

event: response.completed
data: {"type":"response.completed","response":{"id":"r1","status":"completed","usage":{"input_tokens":3,"output_tokens":9}}}

"#;

pub(crate) const MESSAGES: &str = r#"event: message_start
data: {"type":"message_start","message":{"id":"m1","model":"m-3","usage":{"input_tokens":3,"output_tokens":1}}}

event: ping
data: {"type": "ping"}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"First this."}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"abc"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"xyz"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"text","text":"Grü"}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"ße ☃\n"}}

event: content_block_stop
data: {"type":"content_block_stop","index":2}

event: content_block_start
data: {"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"a","name":"find","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"q\": [1"}}

event: content_block_delta
data: {"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":", 2]}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":3}

event: content_block_start
data: {"type":"content_block_start","index":4,"content_block":{"type":"tool_use","id":"b","name":"tell","input":{}}}

event: content_block_stop
data: {"type":"content_block_stop","index":4}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}

event: message_stop
data: {"type":"message_stop"}

"#;

pub(crate) const OLLAMA: &str = r#"{"model":"m-4","message":{"role":"assistant","content":"","thinking":"First this."},"done":false}
{"model":"m-4","message":{"role":"assistant","content":"Grü"},"done":false}

{"model":"m-4","message":{"role":"assistant","content":"ße ☃\n"},"done":false}
{"model":"m-4","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"find","arguments":{"q":[1,2]}}},{"function":{"name":"tell"}}]},"done":false}
{"model":"m-4","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":9}
"#;

/// Each body with its protocol.
pub(crate) const ALL: [(Protocol, &str); 4] = [
    (Protocol::OpenAiChat, CHAT),
    (Protocol::OpenAiResponses, RESPONSES),
    (Protocol::Anthropic, MESSAGES),
    (Protocol::Ollama, OLLAMA),
];

#[test]
fn text_reasoning_and_calls_are_distinct() {
    for (protocol, body) in ALL {
        let decoded = Decoded::of(protocol, body);
        assert_eq!(decoded.text(), "Grüße ☃\n", "{protocol}");
        let thought = if protocol == Protocol::OpenAiChat { "Hm, well!" } else { "First this." };
        assert_eq!(decoded.reasoning(), thought, "{protocol}");
        let calls: Vec<(String, String)> =
            decoded.calls().into_values().map(|(name, parts)| (name, parts.concat())).collect();
        let read =
            |at: usize| serde_json::from_str(&calls[at].1).unwrap_or_else(|_| json!("no JSON"));
        assert_eq!(calls.len(), 2, "{protocol}");
        assert_eq!((calls[0].0.as_str(), read(0)), ("find", json!({"q": [1, 2]})), "{protocol}");
        let with_argument = matches!(protocol, Protocol::OpenAiChat | Protocol::OpenAiResponses);
        let second = if with_argument { json!({"to": "x"}) } else { json!({}) };
        assert_eq!((calls[1].0.as_str(), read(1)), ("tell", second), "{protocol}");
        assert_eq!(decoded.end, Ok(End::Closed(Stop::ToolCalls)), "{protocol}");
    }
}

#[test]
fn facts_are_as_the_provider_wrote_them() {
    let usage = [
        json!({"prompt_tokens": 3, "completion_tokens": 9}),
        json!({"input_tokens": 3, "output_tokens": 9}),
        json!({"output_tokens": 9}),
        json!({"prompt_eval_count": 3, "eval_count": 9}),
    ];
    let reasons = ["tool_calls", "completed", "tool_use", "stop"];
    for (at, (protocol, body)) in ALL.into_iter().enumerate() {
        let decoded = Decoded::of(protocol, body);
        assert_eq!(decoded.fact("model"), Some(&json!(format!("m-{}", at + 1))), "{protocol}");
        assert_eq!(decoded.fact("usage"), Some(&usage[at]), "{protocol}");
        assert_eq!(decoded.fact("stop_reason"), Some(&json!(reasons[at])), "{protocol}");
        // A value that does not change is emitted once.
        let models = decoded.deltas.iter().filter(|it| format!("{it:?}").contains("\"model\""));
        assert_eq!(models.count(), 1, "{protocol}");
    }
}

#[test]
fn what_is_neither_text_nor_call_comes_whole() {
    assert_eq!(Decoded::of(Protocol::OpenAiChat, CHAT).items(), ["reference"]);
    assert_eq!(Decoded::of(Protocol::OpenAiResponses, RESPONSES).items(), ["reasoning"]);
    assert_eq!(Decoded::of(Protocol::Anthropic, MESSAGES).items(), ["redacted_thinking"]);
}

#[test]
fn older_and_odder_forms_of_calls_are_read() {
    let body = concat!(
        r#"data: {"choices":[{"delta":{"function_call":{"name":"f","arguments":"{\"a\":"}}}]}"#,
        "\n\n",
        r#"data: {"choices":[{"delta":{"function_call":{"arguments":"1}"}},"finish_reason":"function_call"}]}"#,
        "\n\ndata: [DONE]\n\n",
    );
    let decoded = Decoded::of(Protocol::OpenAiChat, body);
    assert_eq!(decoded.calls()[&0], ("f".to_owned(), vec!["{\"a\":".to_owned(), "1}".to_owned()]));
    assert_eq!(decoded.end, Ok(End::Closed(Stop::ToolCalls)));

    // Arguments as an object, no index, and the whole message at once.
    let body = concat!(
        r#"data: {"choices":[{"message":{"content":"hi","tool_calls":[{"id":"x","function":{"name":"f","arguments":{"a":1}}},{"id":"y","function":{"name":"g","arguments":"{}"}}]},"finish_reason":"stop"}]}"#,
        "\n\ndata: [DONE]\n\n",
    );
    let decoded = Decoded::of(Protocol::OpenAiChat, body);
    assert_eq!(decoded.text(), "hi");
    assert_eq!(decoded.calls()[&0].1.concat(), "{\"a\":1}");
    assert_eq!(decoded.calls()[&1].0, "g");

    let body = r#"{"model":"m","response":"{\"a\"","done":false}
{"model":"m","response":": 1}","done":true,"done_reason":"length"}"#;
    let decoded = Decoded::of(Protocol::Ollama, body);
    assert_eq!(decoded.text(), "{\"a\": 1}");
    assert_eq!(decoded.end, Ok(End::Closed(Stop::Length)));
}

#[test]
fn a_message_of_anthropics_that_is_not_streamed_is_one_event() {
    let message = json!({"type": "message", "id": "m1", "model": "m-3", "content": [
        {"type": "thinking", "thinking": "First this.", "signature": "abc"},
        {"type": "text", "text": "Grüße"},
        {"type": "redacted_thinking", "data": "xyz"},
        {"type": "tool_use", "id": "a", "name": "find", "input": {"q": [1, 2]}},
        {"type": "tool_use", "id": "b", "name": "tell", "input": {}},
        {"type": "text", "text": " ☃"},
    ], "stop_reason": "max_tokens", "usage": {"output_tokens": 9}});
    let decoded = Decoded::of(Protocol::Anthropic, format!("data: {message}\n\n"));
    assert_eq!((decoded.text(), decoded.reasoning()), ("Grüße ☃".into(), "First this.".into()));
    let calls: Vec<_> = decoded.calls().into_values().collect();
    assert_eq!(calls[0], ("find".to_owned(), vec![String::new(), "{\"q\":[1,2]}".to_owned()]));
    assert_eq!(calls[1], ("tell".to_owned(), vec![String::new(), "{}".to_owned()]));
    assert_eq!(decoded.items(), ["redacted_thinking"]);
    assert_eq!(decoded.fact("usage"), Some(&json!({"output_tokens": 9})));
    assert_eq!(decoded.end, Ok(End::Closed(Stop::Length)));
}
