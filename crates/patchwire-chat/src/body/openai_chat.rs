//! OpenAI's chat completions.

use serde_json::{Value as Json, json};

use super::{Parts, messages};

pub(super) fn body(parts: &Parts<'_>) -> Json {
    let mut body = json!({
        "model": parts.model,
        "messages": messages(parts),
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    if let Some(schema) = &parts.schema {
        let schema = json!({"name": "answer", "strict": true, "schema": schema});
        body["response_format"] = json!({"type": "json_schema", "json_schema": schema});
    }
    body
}
