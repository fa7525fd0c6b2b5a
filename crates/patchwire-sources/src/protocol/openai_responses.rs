//! OpenAI's responses (`POST /v1/responses` with `stream: true`). Each output item is added, grows and is
//! done. The last event of an item repeats the whole item, which is ignored.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::end_state::EndState;
use super::json_members::{given, index, text};
use crate::delta::{Call, Delta};
use crate::end::Stop;
use crate::error::ProviderError;

#[derive(Debug, Clone, Default)]
pub(crate) struct Responses {
    /// The calls whose arguments were emitted.
    with_arguments: BTreeSet<u32>,
    calls: bool,
    refused: bool,
}

impl Responses {
    pub(crate) fn event(&mut self, event: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
        let delta = text(event, "delta");
        match (text(event, "type").unwrap_or_default(), delta) {
            ("response.output_text.delta", Some(delta)) => out(Delta::Text(delta.to_owned())),
            (
                "response.reasoning_text.delta" | "response.reasoning_summary_text.delta",
                Some(delta),
            ) => {
                out(Delta::Reasoning(delta.to_owned()));
            }
            ("response.refusal.delta", Some(delta)) => {
                self.refused = true;
                out(Delta::Refusal(delta.to_owned()));
            }
            (
                "response.function_call_arguments.delta" | "response.mcp_call_arguments.delta",
                Some(delta),
            ) => {
                self.arguments(event, delta, out);
            }
            ("response.function_call_arguments.done" | "response.mcp_call_arguments.done", _) => {
                let index = index(event, "output_index").unwrap_or(0);
                if let Some(whole) =
                    text(event, "arguments").filter(|_| !self.with_arguments.contains(&index))
                {
                    self.arguments(event, whole, out);
                }
            }
            ("response.output_item.added", _) => self.added(event, out),
            ("response.output_item.done", _) => self.done(event, out),
            ("response.output_text.annotation.added", _) => {
                let value = event.get("annotation").cloned().unwrap_or_default();
                out(Delta::Item { kind: "annotation".to_owned(), value });
            }
            ("response.created", _) => created(event, out),
            ("response.completed" | "response.incomplete" | "response.failed", _) => {
                self.ended(event, end, out);
            }
            ("error", _) => end.error = ProviderError::find(event),
            _ => {}
        }
    }

    fn arguments(&mut self, event: &Json, arguments: &str, out: &mut dyn FnMut(Delta)) {
        let index = index(event, "output_index").unwrap_or(0);
        self.with_arguments.insert(index);
        let arguments = arguments.to_owned();
        out(Delta::Call(Call { index, arguments, ..Call::default() }));
    }

    fn added(&mut self, event: &Json, out: &mut dyn FnMut(Delta)) {
        let Some(item) = given(event, "item") else { return };
        if !is_call(item) {
            return;
        }
        self.calls |= text(item, "type") == Some("function_call");
        let index = index(event, "output_index").unwrap_or(0);
        let arguments = text(item, "arguments").unwrap_or_default().to_owned();
        if !arguments.is_empty() {
            self.with_arguments.insert(index);
        }
        let id = text(item, "call_id").or_else(|| text(item, "id")).map(str::to_owned);
        let name = text(item, "name").map(str::to_owned);
        out(Delta::Call(Call { index, id, name, arguments }));
    }

    fn done(&mut self, event: &Json, out: &mut dyn FnMut(Delta)) {
        let Some(item) = given(event, "item") else { return };
        match text(item, "type").unwrap_or_default() {
            "message" => {}
            _ if is_call(item) => {
                let index = index(event, "output_index").unwrap_or(0);
                if let Some(whole) =
                    text(item, "arguments").filter(|_| !self.with_arguments.contains(&index))
                {
                    self.arguments(event, whole, out);
                }
            }
            kind => out(Delta::Item { kind: kind.to_owned(), value: item.clone() }),
        }
    }

    fn ended(&self, event: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
        let response = given(event, "response").unwrap_or(&Json::Null);
        if let Some(usage) = given(response, "usage") {
            out(Delta::fact("usage", usage.clone()));
        }
        end.closed = true;
        let status = text(response, "status").unwrap_or("completed");
        if status == "failed" {
            let error = given(response, "error").and_then(ProviderError::find);
            end.error = error.or_else(|| {
                let message = "the response failed".to_owned();
                Some(ProviderError { status: None, kind: None, message })
            });
            return;
        }
        let reason = response.get("incomplete_details").and_then(|it| text(it, "reason"));
        let reason = reason.unwrap_or(status);
        out(Delta::fact("stop_reason", reason));
        end.stop = Some(match reason {
            "completed" if self.calls => Stop::ToolCalls,
            "completed" if self.refused => Stop::Refusal,
            reason => Stop::named(reason),
        });
    }
}

fn is_call(item: &Json) -> bool {
    matches!(text(item, "type"), Some("function_call" | "mcp_call"))
}

fn created(event: &Json, out: &mut dyn FnMut(Delta)) {
    let Some(response) = given(event, "response") else { return };
    for name in ["id", "model"] {
        if let Some(value) = given(response, name) {
            out(Delta::fact(name, value.clone()));
        }
    }
}
