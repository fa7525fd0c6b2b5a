//! Events that the gateway adds itself, where no event of the provider can carry the patches.

use serde_json::json;

use super::document::Document;
use super::places::Dialect;
use crate::json_text::{self, Member};

/// What events of a stream have in common.
#[derive(Debug, Clone, Default)]
pub(super) struct OwnEvents {
    /// The members of a chunk of OpenAI's, as the first chunk has them.
    head: Option<String>,
}

/// The members of a chunk that name its answer.
const HEAD: [&str; 4] = ["id", "object", "created", "model"];

impl OwnEvents {
    /// Looks at a document of the stream.
    pub(super) fn see(&mut self, document: &Document) {
        if self.head.is_none()
            && let Some(members) = json_text::members(&document.text)
            && json_text::value(&members, "choices").is_some()
        {
            let head = HEAD.iter().filter_map(|name| {
                Some(format!("\"{name}\":{},", json_text::value(&members, name)?))
            });
            self.head = Some(one_line(&head.collect::<String>()));
        }
    }

    /// An event with these members in its delta and no content. `near` is the document that it stands before; without
    /// one, the stream is at its end.
    pub(super) fn event(
        &self,
        dialect: Dialect,
        choice: u32,
        members: &str,
        near: Option<&Document>,
    ) -> String {
        match dialect {
            Dialect::OpenAi => {
                let head = self.head.as_deref().unwrap_or("\"object\":\"chat.completion.chunk\",");
                format!(
                    "data: {{{head}\"choices\":[{{\"index\":{choice},\"delta\":{{{members}}},\"finish_reason\":null}}]}}\n\n"
                )
            }
            Dialect::Anthropic => near.and_then(|near| block_delta(&near.text, members)).unwrap_or_else(|| {
                let usage = near.and_then(|near| usage(&near.text));
                let usage = usage.unwrap_or_else(|| "{\"output_tokens\":0}".to_owned());
                format!(
                    "event: message_delta\ndata: {{\"type\":\"message_delta\",\"delta\":{{\"stop_reason\":null,\"stop_sequence\":null,{members}}},\"usage\":{usage}}}\n\n"
                )
            }),
        }
    }

    /// An event that reports an error, in the provider's form.
    pub(super) fn error(dialect: Dialect, code: &str, message: &str) -> String {
        match dialect {
            Dialect::OpenAi => {
                let error = json!({"error": {"message": message, "type": code, "param": null, "code": code}});
                format!("data: {error}\n\n")
            }
            Dialect::Anthropic => {
                let error = json!({"type": "error", "error": {"type": code, "message": message}});
                format!("event: error\ndata: {error}\n\n")
            }
        }
    }
}

fn one_line(json: &str) -> String {
    json.replace(['\r', '\n'], " ")
}

/// The delta of a block of Anthropic's, with empty content.
fn block_delta(near: &str, members: &str) -> Option<String> {
    let event = json_text::members(near)?;
    let delta = json_text::members(json_text::value(&event, "delta")?)?;
    let index = json_text::value(&event, "index")?;
    let kind = json_text::text(&delta, "type")?;
    let content = match &*kind {
        "text_delta" => "text",
        "thinking_delta" => "thinking",
        "input_json_delta" => "partial_json",
        _ => return None,
    };
    Some(format!(
        "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":{index},\"delta\":{{\"type\":\"{kind}\",\"{content}\":\"\",{members}}}}}\n\n"
    ))
}

/// What the provider says about usage.
fn usage(near: &str) -> Option<String> {
    let event: Vec<Member<'_>> = json_text::members(near)?;
    json_text::value(&event, "usage").map(one_line)
}

#[cfg(test)]
mod tests {
    use super::block_delta;

    #[test]
    fn a_delta_of_a_block_keeps_its_index_and_kind() {
        let near = |kind: &str| {
            format!(
                "{{\"type\":\"content_block_delta\",\"index\":3,\"delta\":{{\"type\":\"{kind}\"}}}}"
            )
        };
        for (kind, content) in [
            ("text_delta", "text"),
            ("thinking_delta", "thinking"),
            ("input_json_delta", "partial_json"),
        ] {
            let event = block_delta(&near(kind), "\"patchwire\":[]").expect("a known kind");
            let data = event
                .strip_prefix("event: content_block_delta\ndata: ")
                .and_then(|data| data.strip_suffix("\n\n"))
                .expect("one event");
            let data: serde_json::Value = serde_json::from_str(data).expect("it is JSON");
            let delta = serde_json::json!({"type": kind, content: "", "patchwire": []});
            let whole =
                serde_json::json!({"type": "content_block_delta", "index": 3, "delta": delta});
            assert_eq!(data, whole);
        }
        assert_eq!(block_delta(&near("signature_delta"), ""), None);
        assert_eq!(block_delta("{\"index\":3}", ""), None);
    }
}
