//! Ollama's own protocol: `/api/chat` and `/api/generate`. Each event is a line of JSON. A tool call is
//! one event, with its arguments as an object.

use serde_json::{Map, Value as Json};

use super::end_state::EndState;
use super::json_members::{fact_if_new, given, text};
use crate::delta::{Call, Delta};
use crate::end::Stop;
use crate::error::ProviderError;

#[derive(Debug, Clone, Default)]
pub(crate) struct Ollama {
    model: Option<Json>,
    calls: u32,
}

/// The counters of the last event.
const COUNTS: [&str; 6] = [
    "total_duration",
    "load_duration",
    "prompt_eval_count",
    "prompt_eval_duration",
    "eval_count",
    "eval_duration",
];

impl Ollama {
    pub(crate) fn event(&mut self, event: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
        if given(event, "error").is_some() {
            end.error = ProviderError::find(event);
            return;
        }
        if text(event, "model").is_some() {
            fact_if_new(("model", &event["model"]), &mut self.model, out);
        }
        let message = given(event, "message").unwrap_or(event);
        if let Some(thinking) = text(message, "thinking") {
            out(Delta::Reasoning(thinking.to_owned()));
        }
        if let Some(content) = text(message, "content").or_else(|| text(event, "response")) {
            out(Delta::Text(content.to_owned()));
        }
        let calls = message.get("tool_calls").and_then(Json::as_array);
        calls.into_iter().flatten().for_each(|call| self.call(call, out));
        if event.get("done").and_then(Json::as_bool) == Some(true) {
            self.done(event, end, out);
        }
    }

    fn call(&mut self, call: &Json, out: &mut dyn FnMut(Delta)) {
        let Some(function) = given(call, "function") else { return };
        let arguments = match function.get("arguments") {
            Some(Json::String(arguments)) => arguments.clone(),
            Some(arguments @ Json::Object(_)) => arguments.to_string(),
            _ => "{}".to_owned(),
        };
        let id = text(call, "id").map(str::to_owned);
        let name = text(function, "name").map(str::to_owned);
        out(Delta::Call(Call { index: self.calls, id, name, arguments, is_text: false }));
        self.calls = self.calls.saturating_add(1);
    }

    fn done(&self, event: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
        let counts = COUNTS.into_iter().filter_map(|name| Some((name, given(event, name)?)));
        let usage: Map<String, Json> =
            counts.map(|(name, count)| (name.to_owned(), count.clone())).collect();
        if !usage.is_empty() {
            out(Delta::fact("usage", usage));
        }
        let reason = text(event, "done_reason").unwrap_or("stop");
        out(Delta::fact("stop_reason", reason));
        end.closed = true;
        end.stop = Some(match Stop::named(reason) {
            Stop::End if self.calls > 0 => Stop::ToolCalls,
            stop => stop,
        });
    }
}
