//! Anthropic's messages (`POST /v1/messages`). A message is a sequence of blocks. In a stream, each block starts, grows
//! and stops; a response that is not streamed is one event with the whole message.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::end_state::EndState;
use super::json_members::{given, index, text};
use crate::delta::{Call, Delta};
use crate::end::Stop;
use crate::error::ProviderError;

#[derive(Debug, Clone, Default)]
pub(crate) struct Messages {
    /// The open tool calls, by block. Each has the arguments of its start, until deltas replace them.
    calls: BTreeMap<u32, Option<String>>,
}

impl Messages {
    pub(crate) fn event(&mut self, event: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
        match text(event, "type").unwrap_or_default() {
            "message" => self.whole(event, end, out),
            "message_start" => started(event.get("message"), out),
            "content_block_start" => self.block_started(event, out),
            "content_block_delta" => self.block_grows(event, out),
            "content_block_stop" => self.block_stopped(event, out),
            "message_delta" => ended(event, end, out),
            "message_stop" => end.closed = true,
            "error" => end.error = ProviderError::find(event),
            _ => {}
        }
    }

    /// A response that is not streamed.
    fn whole(&mut self, message: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
        started(Some(message), out);
        let blocks = message.get("content").and_then(Json::as_array);
        for (index, block) in (0..).zip(blocks.into_iter().flatten()) {
            self.block(index, block, out);
            self.block_ended(index, out);
        }
        stopped(Some(message), end, out);
        end.closed = true;
    }

    fn block_started(&mut self, event: &Json, out: &mut dyn FnMut(Delta)) {
        let Some(block) = given(event, "content_block") else { return };
        self.block(index(event, "index").unwrap_or(0), block, out);
    }

    fn block(&mut self, index: u32, block: &Json, out: &mut dyn FnMut(Delta)) {
        match text(block, "type").unwrap_or_default() {
            "text" => emit_text(text(block, "text"), Delta::Text, out),
            "thinking" => emit_text(text(block, "thinking"), Delta::Reasoning, out),
            "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                let input = given(block, "input").map(Json::to_string);
                self.calls.insert(index, Some(input.unwrap_or_else(|| "{}".to_owned())));
                let [id, name] = ["id", "name"].map(|it| text(block, it).map(str::to_owned));
                out(Delta::Call(Call { index, id, name, ..Call::default() }));
            }
            kind => out(Delta::Item { kind: kind.to_owned(), value: block.clone() }),
        }
    }

    fn block_grows(&mut self, event: &Json, out: &mut dyn FnMut(Delta)) {
        let Some(delta) = given(event, "delta") else { return };
        let index = index(event, "index").unwrap_or(0);
        match text(delta, "type").unwrap_or_default() {
            "text_delta" => emit_text(text(delta, "text"), Delta::Text, out),
            "thinking_delta" => emit_text(text(delta, "thinking"), Delta::Reasoning, out),
            "input_json_delta" => {
                let Some(more) = text(delta, "partial_json") else { return };
                self.calls.insert(index, None);
                let arguments = more.to_owned();
                out(Delta::Call(Call { index, arguments, ..Call::default() }));
            }
            // A signature of the reasoning has no text.
            "signature_delta" => {}
            kind => out(Delta::Item { kind: kind.to_owned(), value: delta.clone() }),
        }
    }

    fn block_stopped(&mut self, event: &Json, out: &mut dyn FnMut(Delta)) {
        self.block_ended(index(event, "index").unwrap_or(0), out);
    }

    /// Emits the arguments of the start if no delta came. Anthropic sends an empty text for a call without
    /// arguments, which is not JSON.
    fn block_ended(&mut self, index: u32, out: &mut dyn FnMut(Delta)) {
        if let Some(Some(arguments)) = self.calls.remove(&index) {
            out(Delta::Call(Call { index, arguments, ..Call::default() }));
        }
    }
}

fn emit_text(text: Option<&str>, delta: impl Fn(String) -> Delta, out: &mut dyn FnMut(Delta)) {
    if let Some(text) = text {
        out(delta(text.to_owned()));
    }
}

fn started(message: Option<&Json>, out: &mut dyn FnMut(Delta)) {
    let Some(message) = message else { return };
    for name in ["id", "model", "usage"] {
        if let Some(value) = given(message, name) {
            out(Delta::fact(name, value.clone()));
        }
    }
}

fn ended(event: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
    stopped(event.get("delta"), end, out);
    if let Some(usage) = given(event, "usage") {
        out(Delta::fact("usage", usage.clone()));
    }
}

fn stopped(delta: Option<&Json>, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
    if let Some(reason) = delta.and_then(|delta| text(delta, "stop_reason")) {
        end.stop = Some(Stop::named(reason));
        out(Delta::fact("stop_reason", reason));
    }
}
