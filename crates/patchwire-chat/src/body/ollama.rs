//! Ollama's `/api/chat`.

use serde_json::{Value as Json, json};

use super::{Parts, messages};

pub(super) fn body(parts: &Parts<'_>) -> Json {
    let mut body = json!({"model": parts.model, "messages": messages(parts), "stream": true});
    if let Some(schema) = &parts.schema {
        body["format"] = schema.clone();
    }
    body
}
