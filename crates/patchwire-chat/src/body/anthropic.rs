//! Anthropic's messages.

use serde_json::{Value as Json, json};

use super::Parts;

/// Anthropic requires a limit. The settings of the caller can replace it.
const MAX_TOKENS: u32 = 8192;

pub(super) fn body(parts: &Parts<'_>) -> Json {
    let mut body = json!({
        "model": parts.model,
        "max_tokens": MAX_TOKENS,
        "messages": [{"role": "user", "content": parts.prompt}],
        "stream": true,
    });
    if let Some(system) = parts.system {
        body["system"] = system.into();
    }
    if let Some(schema) = &parts.schema {
        let format = json!({"type": "json_schema", "schema": schema});
        body["output_config"] = json!({"format": format});
    }
    body
}
