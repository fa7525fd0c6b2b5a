//! Bedrock's `ConverseStream`: each event is an object of one member, which the event is named by. AWS frames events
//! in binary; libraries also write them as JSON.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::end_state::EndState;
use super::json_members::{given, index, text};
use crate::delta::{Call, Delta};
use crate::end::Stop;
use crate::error::ProviderError;

#[derive(Debug, Clone, Default)]
pub(crate) struct Bedrock {
    /// Whether arguments came, by the block of the call.
    calls: BTreeMap<u32, bool>,
}

impl Bedrock {
    pub(crate) fn event(&mut self, event: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
        for (name, content) in event.as_object().into_iter().flatten() {
            match name.as_str() {
                "contentBlockStart" => self.started(content, out),
                "contentBlockDelta" => self.grows(content, out),
                "contentBlockStop" => self.stopped(content, out),
                "messageStop" => ended(content, end, out),
                "metadata" => {
                    if let Some(usage) = given(content, "usage") {
                        out(Delta::fact("usage", usage.clone()));
                    }
                }
                name if name.ends_with("Exception") || name == "error" => {
                    let kind = Some(name.to_owned()).filter(|_| name != "error");
                    let found = ProviderError::find(content);
                    let words = || ProviderError::in_words(&content.to_string());
                    end.error = Some(ProviderError { kind, ..found.unwrap_or_else(words) });
                }
                _ => {}
            }
        }
    }

    fn started(&mut self, event: &Json, out: &mut dyn FnMut(Delta)) {
        let Some(tool) = event.get("start").and_then(|start| given(start, "toolUse")) else {
            return;
        };
        let index = index(event, "contentBlockIndex").unwrap_or(0);
        self.calls.insert(index, false);
        let [id, name] = ["toolUseId", "name"].map(|it| text(tool, it).map(str::to_owned));
        out(Delta::Call(Call { index, id, name, ..Call::default() }));
    }

    fn grows(&mut self, event: &Json, out: &mut dyn FnMut(Delta)) {
        let delta = given(event, "delta").unwrap_or(&Json::Null);
        if let Some(piece) = text(delta, "text") {
            out(Delta::Text(piece.to_owned()));
        }
        if let Some(reasoning) = given(delta, "reasoningContent")
            && let Some(piece) = text(reasoning, "text")
        {
            out(Delta::Reasoning(piece.to_owned()));
        }
        if let Some(input) = delta.get("toolUse").and_then(|tool| text(tool, "input")) {
            let index = index(event, "contentBlockIndex").unwrap_or(0);
            *self.calls.entry(index).or_default() |= !input.trim().is_empty();
            out(Delta::Call(Call { index, arguments: input.to_owned(), ..Call::default() }));
        }
        for kind in ["citation", "toolResult", "image"] {
            if let Some(value) = given(delta, kind) {
                out(Delta::Item { kind: kind.to_owned(), value: value.clone() });
            }
        }
    }

    fn stopped(&mut self, event: &Json, out: &mut dyn FnMut(Delta)) {
        let index = index(event, "contentBlockIndex").unwrap_or(0);
        if let Some(false) = self.calls.remove(&index) {
            out(Delta::Call(Call { index, arguments: "{}".to_owned(), ..Call::default() }));
        }
    }
}

fn ended(event: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
    let reason = text(event, "stopReason").unwrap_or("end_turn");
    out(Delta::fact("stop_reason", reason));
    end.closed = true;
    end.stop = Some(match reason {
        "guardrail_intervened" | "content_filtered" => Stop::Filter,
        reason => Stop::named(reason),
    });
}
