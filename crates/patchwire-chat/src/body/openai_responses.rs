//! OpenAI's responses.

use serde_json::{Value as Json, json};

use super::Parts;

pub(super) fn body(parts: &Parts<'_>) -> Json {
    let mut body = json!({"model": parts.model, "input": parts.prompt, "stream": true});
    if let Some(system) = parts.system {
        body["instructions"] = system.into();
    }
    if let Some(schema) = &parts.schema {
        let format =
            json!({"type": "json_schema", "name": "answer", "strict": true, "schema": schema});
        body["text"] = json!({"format": format});
    }
    body
}
