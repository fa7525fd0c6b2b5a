//! Gemini's own protocol (`:streamGenerateContent`): server-sent events with `alt=sse`, else one JSON list. Each event
//! is a response with the next parts of the first candidate. A function call is one part, or
//! begins in one and goes on in the next, its arguments as values with paths.

use serde_json::Value as Json;

use super::end_state::EndState;
use super::gemini_arguments::PartialArguments;
use super::json_members::{fact_if_new, given, text};
use crate::delta::{Call, Delta};
use crate::end::Stop;
use crate::error::ProviderError;

#[derive(Debug, Clone, Default)]
pub(crate) struct Gemini {
    model: Option<Json>,
    id: Option<Json>,
    calls: u32,
    /// The last call, if it goes on.
    open: Option<PartialArguments>,
}

impl Gemini {
    pub(crate) fn event(&mut self, event: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
        // Some gateways put each response into a member.
        let event = given(event, "response").unwrap_or(event);
        if given(event, "error").is_some() {
            end.error = ProviderError::find(event);
            return;
        }
        if let Some(model) = given(event, "modelVersion") {
            fact_if_new(("model", model), &mut self.model, out);
        }
        if let Some(id) = given(event, "responseId") {
            fact_if_new(("id", id), &mut self.id, out);
        }
        if let Some(usage) = given(event, "usageMetadata") {
            out(Delta::fact("usage", usage.clone()));
        }
        if let Some(candidate) = first_candidate(event) {
            let parts = candidate.get("content").and_then(|content| content.get("parts"));
            let parts = parts.and_then(Json::as_array);
            parts.into_iter().flatten().for_each(|part| self.part(part, out));
            self.ended(text(candidate, "finishReason"), end, out);
        }
        let blocked = event.get("promptFeedback").and_then(|it| text(it, "blockReason"));
        if blocked.is_some() {
            self.ended(blocked, end, out);
        }
    }

    fn part(&mut self, part: &Json, out: &mut dyn FnMut(Delta)) {
        if let Some(call) = given(part, "functionCall") {
            return self.call(call, out);
        }
        if let Some(piece) = text(part, "text") {
            let is_thought = is_true(part, "thought");
            let piece = piece.to_owned();
            return out(if is_thought { Delta::Reasoning(piece) } else { Delta::Text(piece) });
        }
        let kinds = part.as_object().into_iter().flatten();
        let kind = kinds.map(|(name, _)| name).find(|name| !is_beside(name));
        if let Some(kind) = kind {
            out(Delta::Item { kind: kind.clone(), value: part[kind].clone() });
        }
    }

    fn call(&mut self, call: &Json, out: &mut dyn FnMut(Delta)) {
        let [id, name] = ["id", "name"].map(|it| text(call, it).map(str::to_owned));
        let has_parts = given(call, "partialArgs").is_some() || is_true(call, "willContinue");
        if name.is_none() && self.open.is_some() {
            return self.values(call, out);
        }
        self.close(out);
        let whole = match given(call, "args") {
            Some(arguments) => arguments.to_string(),
            None if name.is_none() && !has_parts => return,
            None if has_parts => String::new(),
            None => "{}".to_owned(),
        };
        if whole.is_empty() {
            self.open = Some(PartialArguments::default());
        }
        out(Delta::Call(Call { index: self.calls, id, name, arguments: whole, is_text: false }));
        self.calls = self.calls.saturating_add(1);
        self.values(call, out);
    }

    /// The next values of the call that goes on.
    fn values(&mut self, call: &Json, out: &mut dyn FnMut(Delta)) {
        let Some(open) = &mut self.open else { return };
        let mut arguments = String::new();
        open.write(call, &mut arguments);
        if !arguments.is_empty() {
            out(Delta::Call(Call { index: self.calls - 1, arguments, ..Call::default() }));
        }
        if !is_true(call, "willContinue") {
            self.close(out);
        }
    }

    /// Ends the call that goes on.
    fn close(&mut self, out: &mut dyn FnMut(Delta)) {
        let Some(mut open) = self.open.take() else { return };
        let mut arguments = String::new();
        open.finish(&mut arguments);
        out(Delta::Call(Call { index: self.calls - 1, arguments, ..Call::default() }));
    }

    fn ended(&mut self, reason: Option<&str>, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
        let Some(reason) = reason else { return };
        if reason == "STOP" {
            self.close(out);
        }
        out(Delta::fact("stop_reason", reason));
        end.closed = true;
        end.stop = Some(match reason {
            "STOP" if self.calls > 0 => Stop::ToolCalls,
            "STOP" => Stop::End,
            "MAX_TOKENS" => Stop::Length,
            "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII"
            | "IMAGE_SAFETY" | "LANGUAGE" => Stop::Filter,
            other => Stop::Other(other.to_owned()),
        });
    }
}

fn is_true(object: &Json, name: &str) -> bool {
    object.get(name).and_then(Json::as_bool) == Some(true)
}

/// Members of a part that say something about its content.
fn is_beside(name: &str) -> bool {
    matches!(name, "text" | "thought" | "thoughtSignature" | "videoMetadata" | "partMetadata")
}

/// The candidate with the index 0, which may be left out.
fn first_candidate(event: &Json) -> Option<&Json> {
    let is_first =
        |candidate: &&Json| candidate.get("index").and_then(Json::as_u64).unwrap_or(0) == 0;
    event.get("candidates")?.as_array()?.iter().find(is_first)
}
