//! OpenAI's chat completions (`POST /v1/chat/completions` with `stream: true`), and the additions of other
//! servers: reasoning as `reasoning_content` (DeepSeek, vLLM, llama.cpp) or `reasoning` (Groq,
//! OpenRouter), content in parts (Mistral), errors in place of an event.
//!
//! Only the first of several choices is read.

use serde_json::Value as Json;

use super::end_state::EndState;
use super::json_members::{fact_if_new, given, index, text};
use crate::delta::{Call, Delta};
use crate::end::Stop;
use crate::error::ProviderError;

#[derive(Debug, Clone, Default)]
pub(crate) struct Chat {
    model: Option<Json>,
    id: Option<Json>,
}

impl Chat {
    pub(crate) fn event(&mut self, event: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
        if given(event, "error").is_some() {
            end.error = ProviderError::find(event);
            return;
        }
        for (name, last) in [("id", &mut self.id), ("model", &mut self.model)] {
            if text(event, name).is_some() {
                fact_if_new((name, &event[name]), last, out);
            }
        }
        let choices = event.get("choices").and_then(Json::as_array);
        for choice in choices.into_iter().flatten() {
            // A choice without an index is the only one.
            if index(choice, "index").unwrap_or(0) == 0 {
                self::choice(choice, end, out);
            }
        }
        if let Some(usage) = given(event, "usage") {
            out(Delta::fact("usage", usage.clone()));
        }
    }
}

fn choice(choice: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
    // A response that is not streamed has the whole message.
    if let Some(delta) = given(choice, "delta").or_else(|| given(choice, "message")) {
        message(delta, out);
    }
    if let Some(reason) = text(choice, "finish_reason") {
        end.stop = Some(Stop::named(reason));
        out(Delta::fact("stop_reason", reason));
    }
}

fn message(delta: &Json, out: &mut dyn FnMut(Delta)) {
    let reasoning = text(delta, "reasoning_content").or_else(|| text(delta, "reasoning"));
    if let Some(reasoning) = reasoning {
        out(Delta::Reasoning(reasoning.to_owned()));
    }
    match delta.get("content") {
        Some(Json::String(content)) if !content.is_empty() => out(Delta::Text(content.clone())),
        Some(Json::Array(parts)) => parts.iter().for_each(|it| part(it, out)),
        _ => {}
    }
    if let Some(refusal) = text(delta, "refusal") {
        out(Delta::Refusal(refusal.to_owned()));
    }
    let calls = delta.get("tool_calls").and_then(Json::as_array);
    for (at, tool) in calls.into_iter().flatten().enumerate() {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        call(index(tool, "index").unwrap_or(at), tool, "function", out);
    }
    // The older form of tool calls, with at most one call.
    if given(delta, "function_call").is_some() {
        call(0, delta, "function_call", out);
    }
}

/// One part of content in parts.
fn part(part: &Json, out: &mut dyn FnMut(Delta)) {
    match text(part, "type") {
        Some("text") => {
            out(Delta::Text(text(part, "text").unwrap_or_default().to_owned()));
        }
        Some("thinking") => match part.get("thinking") {
            Some(Json::String(thinking)) => out(Delta::Reasoning(thinking.clone())),
            Some(Json::Array(parts)) => {
                let texts = parts.iter().filter_map(|it| text(it, "text"));
                texts.for_each(|it| out(Delta::Reasoning(it.to_owned())));
            }
            _ => {}
        },
        kind => {
            let kind = kind.unwrap_or("content").to_owned();
            out(Delta::Item { kind, value: part.clone() });
        }
    }
}

fn call(index: u32, tool: &Json, function: &str, out: &mut dyn FnMut(Delta)) {
    let Some(function) = given(tool, function) else { return };
    let arguments = match function.get("arguments") {
        Some(Json::String(arguments)) => arguments.clone(),
        // Some servers send an object instead of its text.
        Some(arguments @ Json::Object(_)) => arguments.to_string(),
        _ => String::new(),
    };
    out(Delta::Call(Call {
        index,
        id: text(tool, "id").map(str::to_owned),
        name: text(function, "name").map(str::to_owned),
        arguments,
    }));
}
