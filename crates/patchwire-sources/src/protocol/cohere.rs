//! Cohere's chat, version 2 (`POST /v2/chat` with `stream: true`). Parts of the content and tool calls start, grow and
//! end.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::end_state::EndState;
use super::json_members::{given, index, text};
use crate::delta::{Call, Delta};
use crate::end::Stop;
use crate::error::ProviderError;

#[derive(Debug, Clone, Default)]
pub(crate) struct Cohere {
    /// Whether arguments came, by call.
    calls: BTreeMap<u32, bool>,
}

impl Cohere {
    pub(crate) fn event(&mut self, event: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
        let delta = given(event, "delta").unwrap_or(&Json::Null);
        let message = given(delta, "message").unwrap_or(&Json::Null);
        match text(event, "type").unwrap_or_default() {
            "message-start" => {
                if let Some(id) = given(event, "id") {
                    out(Delta::fact("id", id.clone()));
                }
            }
            "content-start" | "content-delta" => content(message, out),
            "tool-plan-delta" => {
                if let Some(plan) = text(message, "tool_plan") {
                    out(Delta::Reasoning(plan.to_owned()));
                }
            }
            "tool-call-start" | "tool-call-delta" => self.call(event, message, out),
            "tool-call-end" => self.call_ended(event, out),
            "citation-start" => {
                let value = given(message, "citations").unwrap_or(&Json::Null).clone();
                out(Delta::Item { kind: "citation".to_owned(), value });
            }
            "message-end" => ended(delta, end, out),
            "" if given(event, "message").is_some() => end.error = ProviderError::find(event),
            _ => {}
        }
    }

    fn call(&mut self, event: &Json, message: &Json, out: &mut dyn FnMut(Delta)) {
        let Some(call) = given(message, "tool_calls") else { return };
        let function = given(call, "function").unwrap_or(&Json::Null);
        let index = index(event, "index").unwrap_or(0);
        let arguments = text(function, "arguments").unwrap_or_default().to_owned();
        *self.calls.entry(index).or_default() |= !arguments.trim().is_empty();
        let id = text(call, "id").map(str::to_owned);
        let name = text(function, "name").map(str::to_owned);
        out(Delta::Call(Call { index, id, name, arguments, is_text: false }));
    }

    fn call_ended(&mut self, event: &Json, out: &mut dyn FnMut(Delta)) {
        let index = index(event, "index").unwrap_or(0);
        if self.calls.insert(index, true) == Some(false) {
            let arguments = "{}".to_owned();
            out(Delta::Call(Call { index, arguments, ..Call::default() }));
        }
    }
}

fn content(message: &Json, out: &mut dyn FnMut(Delta)) {
    let Some(content) = given(message, "content") else { return };
    if let Some(piece) = text(content, "thinking") {
        out(Delta::Reasoning(piece.to_owned()));
    }
    if let Some(piece) = text(content, "text") {
        out(Delta::Text(piece.to_owned()));
    }
}

fn ended(delta: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
    if let Some(usage) = given(delta, "usage") {
        out(Delta::fact("usage", usage.clone()));
    }
    end.closed = true;
    let reason = text(delta, "finish_reason").unwrap_or("COMPLETE");
    out(Delta::fact("stop_reason", reason));
    match reason {
        "COMPLETE" => end.stop = Some(Stop::End),
        "STOP_SEQUENCE" => end.stop = Some(Stop::Sequence),
        "MAX_TOKENS" => end.stop = Some(Stop::Length),
        "TOOL_CALL" => end.stop = Some(Stop::ToolCalls),
        "ERROR" | "TIMEOUT" | "ERROR_TOXIC" | "ERROR_LIMIT" => {
            let message = text(delta, "error").unwrap_or(reason);
            end.error = Some(ProviderError::in_words(message));
        }
        other => end.stop = Some(Stop::Other(other.to_owned())),
    }
}
