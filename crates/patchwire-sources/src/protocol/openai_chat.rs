//! OpenAI's chat completions (`POST /v1/chat/completions` with `stream: true`), and the additions of other
//! servers: reasoning as `reasoning_content` (DeepSeek, vLLM, llama.cpp), `reasoning` (Groq, OpenRouter),
//! `reasoning_text` (Copilot) or `reasoning_details` (OpenRouter, MiniMax), content in parts (Mistral), errors
//! in place of an event. Legacy completions (`POST /v1/completions`) have `text` in place of a message.
//!
//! Of several choices one is read: the first, unless [`Decoder::with_choice`](crate::Decoder::with_choice) sets another.

use serde_json::Value as Json;

use super::call_numbers::CallNumbers;
use super::end_state::EndState;
use super::json_members::{fact_if_new, given, index, json_text, text};
use crate::delta::{Call, Delta};
use crate::end::Stop;
use crate::error::ProviderError;

#[derive(Debug, Clone, Default)]
pub(crate) struct Chat {
    model: Option<Json>,
    id: Option<Json>,
    calls: CallNumbers,
    /// The index of the choice that is read.
    pub(crate) choice: u32,
}

/// The members that may hold reasoning. Servers that send several repeat the text.
const REASONING: [&str; 3] = ["reasoning_content", "reasoning", "reasoning_text"];

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
            if index(choice, "index").unwrap_or(0) == self.choice {
                self.choice(choice, end, out);
            }
        }
        self.calls.event_ended();
        if let Some(usage) = given(event, "usage") {
            out(Delta::fact("usage", usage.clone()));
        }
    }

    /// Calls that have no arguments by now will have none.
    pub(crate) fn ended(&mut self, end: &EndState, out: &mut dyn FnMut(Delta)) {
        if !end.stop.as_ref().is_some_and(Stop::is_cut) {
            self.calls.ended(out);
        }
    }

    fn choice(&mut self, choice: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
        // A response that is not streamed has the whole message.
        if let Some(delta) = given(choice, "delta").or_else(|| given(choice, "message")) {
            self.message(delta, out);
        } else if let Some(completion) = text(choice, "text") {
            out(Delta::Text(completion.to_owned()));
        }
        if let Some(reason) = text(choice, "finish_reason") {
            end.stop = Some(Stop::named(reason));
            out(Delta::fact("stop_reason", reason));
            self.ended(end, out);
        }
    }

    fn message(&mut self, delta: &Json, out: &mut dyn FnMut(Delta)) {
        match REASONING.into_iter().find_map(|name| text(delta, name)) {
            Some(reasoning) => out(Delta::Reasoning(reasoning.to_owned())),
            None => reasoning_details(delta, out),
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
            self.call(index(tool, "index").unwrap_or(at), tool, out);
        }
        // The older form of tool calls, with at most one call. Some servers send both forms.
        if let (Some(function), None) = (given(delta, "function_call"), calls) {
            self.calls.part(function_part(0, None, function), out);
        }
    }

    fn call(&mut self, index: u32, tool: &Json, out: &mut dyn FnMut(Delta)) {
        // An empty id says that the server gives none.
        let id = tool.get("id").and_then(Json::as_str);
        if let Some(function) = given(tool, "function") {
            self.calls.part(function_part(index, id, function), out);
        } else if let Some(custom) = given(tool, "custom") {
            self.calls.part(custom_part(index, id, custom), out);
        } else {
            // Some gateways leave the object around the name and the arguments out.
            let part = function_part(index, id, tool);
            if part.name.is_some() || !part.arguments.is_empty() {
                self.calls.part(part, out);
            }
        }
    }
}

/// A part of the call of a function, whose arguments are JSON.
fn function_part(index: u32, id: Option<&str>, function: &Json) -> Call {
    Call {
        index,
        id: id.map(str::to_owned),
        name: text(function, "name").map(str::to_owned),
        arguments: function.get("arguments").map(json_text).unwrap_or_default(),
        is_text: false,
    }
}

/// A part of the call of a custom tool, whose input is text.
fn custom_part(index: u32, id: Option<&str>, custom: &Json) -> Call {
    Call {
        index,
        id: id.map(str::to_owned),
        name: text(custom, "name").map(str::to_owned),
        arguments: text(custom, "input").unwrap_or_default().to_owned(),
        is_text: true,
    }
}

/// Reasoning as a list of details. Encrypted details have no text.
fn reasoning_details(delta: &Json, out: &mut dyn FnMut(Delta)) {
    let details = delta.get("reasoning_details").and_then(Json::as_array);
    for detail in details.into_iter().flatten() {
        if let Some(reasoning) = text(detail, "text").or_else(|| text(detail, "summary")) {
            out(Delta::Reasoning(reasoning.to_owned()));
        }
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
