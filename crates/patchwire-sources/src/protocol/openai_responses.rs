//! OpenAI's responses (`POST /v1/responses` with `stream: true`). Each output item is added, grows and is
//! done. The last events of an item repeat all of it: they count only where nothing came before, because
//! some servers send the text of an item at its end only.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::call_numbers::CallNumbers;
use super::end_state::EndState;
use super::json_members::{given, index, json_text, text};
use crate::delta::{Call, Delta};
use crate::end::Stop;
use crate::error::ProviderError;

#[derive(Debug, Clone, Default)]
pub(crate) struct Responses {
    /// The calls of functions that were emitted, by output index.
    calls: CallNumbers,
    /// The calls that were added, and those of them whose arguments were emitted.
    added: BTreeSet<u32>,
    with_arguments: BTreeSet<u32>,
    /// The texts that were emitted.
    texts: BTreeSet<TextPlace>,
    /// The model waits for the results of functions.
    waits: bool,
    refused: bool,
}

/// The place of a text in a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct TextPlace {
    kind: TextKind,
    /// Some servers leave the indices out.
    item: Option<u32>,
    part: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TextKind {
    Output,
    Refusal,
    Reasoning,
    Summary,
}

impl TextKind {
    const ALL: [Self; 4] = [Self::Output, Self::Refusal, Self::Reasoning, Self::Summary];
}

/// What an event does to a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextStep {
    Grows,
    Ends,
}

impl Responses {
    pub(crate) fn event(&mut self, event: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
        let name = text(event, "type").unwrap_or_default();
        if let Some((kind, step)) = text_event(name) {
            return self.text(event, kind, step, out);
        }
        match name {
            "response.function_call_arguments.delta"
            | "response.mcp_call_arguments.delta"
            | "response.custom_tool_call_input.delta" => {
                if let Some(delta) = text(event, "delta") {
                    self.arguments(event, delta, name.contains("custom"), out);
                }
            }
            "response.function_call_arguments.done" | "response.mcp_call_arguments.done" => {
                self.whole_arguments(event, text(event, "arguments"), false, out);
            }
            "response.custom_tool_call_input.done" => {
                self.whole_arguments(event, text(event, "input"), true, out);
            }
            "response.output_item.added" => self.added(event, out),
            "response.output_item.done" => self.done(event, out),
            "response.output_text.annotation.added" => {
                let value = event.get("annotation").cloned().unwrap_or_default();
                out(Delta::Item { kind: "annotation".to_owned(), value });
            }
            "response.created" => created(event, out),
            "response.completed" | "response.incomplete" | "response.failed" => {
                self.ended(event, end, out);
            }
            "error" => end.error = ProviderError::find(event),
            _ => {}
        }
    }

    /// A piece of a text, or all of it at its end.
    fn text(&mut self, event: &Json, kind: TextKind, step: TextStep, out: &mut dyn FnMut(Delta)) {
        let member = match (step, kind) {
            (TextStep::Grows, _) => "delta",
            (TextStep::Ends, TextKind::Refusal) => "refusal",
            (TextStep::Ends, _) => "text",
        };
        let part = if kind == TextKind::Summary { "summary_index" } else { "content_index" };
        let item = index(event, "output_index");
        let place = TextPlace { kind, item, part: index(event, part).unwrap_or(0) };
        if let Some(piece) = text(event, member) {
            self.piece(place, step, piece, out);
        }
    }

    fn piece(&mut self, place: TextPlace, step: TextStep, piece: &str, out: &mut dyn FnMut(Delta)) {
        if step == TextStep::Ends && self.has(place) {
            return;
        }
        self.texts.insert(place);
        let piece = piece.to_owned();
        out(match place.kind {
            TextKind::Output => Delta::Text(piece),
            TextKind::Refusal => {
                self.refused = true;
                Delta::Refusal(piece)
            }
            TextKind::Reasoning | TextKind::Summary => Delta::Reasoning(piece),
        });
    }

    /// Whether text of this place was emitted. A text without an index may be of any item.
    fn has(&self, place: TextPlace) -> bool {
        let first = self.first_of(place.kind);
        let is_unplaced = |it: TextPlace| it.item.is_none() || place.item.is_none();
        self.texts.contains(&place) || first.is_some_and(is_unplaced)
    }

    /// The first text of a kind that was emitted. Texts without an index come first.
    fn first_of(&self, kind: TextKind) -> Option<TextPlace> {
        let least = TextPlace { kind, item: None, part: 0 };
        self.texts.range(least..).next().copied().filter(|it| it.kind == kind)
    }

    fn arguments(&mut self, event: &Json, more: &str, is_text: bool, out: &mut dyn FnMut(Delta)) {
        let index = index(event, "output_index").unwrap_or(0);
        self.with_arguments.insert(index);
        let arguments = more.to_owned();
        self.calls.part(Call { index, arguments, is_text, ..Call::default() }, out);
    }

    /// All arguments of a call, unless they were emitted.
    fn whole_arguments(
        &mut self,
        event: &Json,
        whole: Option<&str>,
        is_text: bool,
        out: &mut dyn FnMut(Delta),
    ) {
        let index = index(event, "output_index").unwrap_or(0);
        if self.with_arguments.contains(&index) {
            return;
        }
        // A function without parameters may have empty arguments, which are not JSON.
        let whole = whole.unwrap_or(if is_text { "" } else { "{}" });
        if !whole.is_empty() {
            self.arguments(event, whole, is_text, out);
        }
    }

    fn added(&mut self, event: &Json, out: &mut dyn FnMut(Delta)) {
        let Some(item) = given(event, "item") else { return };
        let Some(call) = ItemCall::of(item) else { return };
        self.waits |= call.waits;
        let index = index(event, "output_index").unwrap_or(0);
        let arguments = text(item, call.member).unwrap_or_default().to_owned();
        self.added.insert(index);
        self.with_arguments.remove(&index);
        if !arguments.is_empty() {
            self.with_arguments.insert(index);
        }
        let id = text(item, "call_id").or_else(|| text(item, "id")).map(str::to_owned);
        let name = Some(text(item, "name").unwrap_or(call.tool).to_owned());
        let name = name.filter(|name| !name.is_empty());
        self.calls.part(Call { index, id, name, arguments, is_text: call.is_text }, out);
        self.calls.event_ended();
    }

    fn done(&mut self, event: &Json, out: &mut dyn FnMut(Delta)) {
        let Some(item) = given(event, "item") else { return };
        if let Some(call) = ItemCall::of(item) {
            let index = index(event, "output_index").unwrap_or(0);
            if !self.added.contains(&index) {
                self.added(event, out);
            }
            if text(item, "status") != Some("incomplete") {
                let whole = item.get(call.member).map(json_text).filter(|it| !it.is_empty());
                self.whole_arguments(event, whole.as_deref(), call.is_text, out);
            }
            self.added.remove(&index);
            return;
        }
        self.texts_of(index(event, "output_index"), item, &[], out);
        let kind = text(item, "type").unwrap_or_default();
        if kind != "message" {
            out(Delta::Item { kind: kind.to_owned(), value: item.clone() });
        }
    }

    /// The texts of an item that is done, where no piece of them came before.
    fn texts_of(
        &mut self,
        number: Option<u32>,
        item: &Json,
        known: &[TextKind],
        out: &mut dyn FnMut(Delta),
    ) {
        for (member, part) in parts_of(item) {
            let (kind, whole) = match text(part, "type") {
                Some("output_text") => (TextKind::Output, text(part, "text")),
                Some("refusal") => (TextKind::Refusal, text(part, "refusal")),
                Some("reasoning_text") => (TextKind::Reasoning, text(part, "text")),
                Some("summary_text") => (TextKind::Summary, text(part, "text")),
                _ => continue,
            };
            if let Some(whole) = whole.filter(|_| !known.contains(&kind)) {
                let place = TextPlace { kind, item: number, part: member };
                self.piece(place, TextStep::Ends, whole, out);
            }
        }
    }

    fn ended(&mut self, event: &Json, end: &mut EndState, out: &mut dyn FnMut(Delta)) {
        let response = given(event, "response").unwrap_or(&Json::Null);
        self.whole_output(response, out);
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
            "completed" if self.waits => Stop::ToolCalls,
            "completed" if self.refused => Stop::Refusal,
            reason => Stop::named(reason),
        });
    }

    /// The output that the last event repeats, as far as nothing of its kind came before.
    fn whole_output(&mut self, response: &Json, out: &mut dyn FnMut(Delta)) {
        let known: Vec<TextKind> =
            TextKind::ALL.into_iter().filter(|kind| self.first_of(*kind).is_some()).collect();
        let had_calls = self.calls.any();
        let items = response.get("output").and_then(Json::as_array);
        for (number, item) in (0_u32..).zip(items.into_iter().flatten()) {
            if ItemCall::of(item).is_none() {
                self.texts_of(Some(number), item, &known, out);
            } else if !had_calls {
                self.done(&serde_json::json!({"output_index": number, "item": item}), out);
            }
        }
    }
}

/// The kind of text that an event is about, and what it does.
fn text_event(name: &str) -> Option<(TextKind, TextStep)> {
    let name = name.strip_prefix("response.")?;
    let (name, step) = match name.strip_suffix(".delta") {
        Some(name) => (name, TextStep::Grows),
        None => (name.strip_suffix(".done")?, TextStep::Ends),
    };
    let kind = match name {
        "output_text" => TextKind::Output,
        "refusal" => TextKind::Refusal,
        "reasoning_text" => TextKind::Reasoning,
        "reasoning_summary_text" => TextKind::Summary,
        _ => return None,
    };
    Some((kind, step))
}

/// The parts of an item, with their indices.
fn parts_of(item: &Json) -> impl Iterator<Item = (u32, &Json)> {
    let lists = ["content", "summary"].into_iter().filter_map(|name| item.get(name)?.as_array());
    lists.flat_map(|list| (0_u32..).zip(list))
}

/// How an output item is a call.
struct ItemCall {
    /// The name of the tool, if the item has none.
    tool: &'static str,
    /// The member that holds the arguments.
    member: &'static str,
    is_text: bool,
    /// Whether the model waits for the result.
    waits: bool,
}

impl ItemCall {
    fn of(item: &Json) -> Option<Self> {
        let (tool, member, is_text, waits) = match text(item, "type")? {
            "function_call" => ("", "arguments", false, true),
            "mcp_call" => ("", "arguments", false, false),
            "custom_tool_call" => ("", "input", true, true),
            "apply_patch_call" => ("apply_patch", "operation", false, true),
            "shell_call" => ("shell", "action", false, true),
            "local_shell_call" => ("local_shell", "action", false, true),
            "computer_call" => ("computer", "action", false, true),
            _ => return None,
        };
        Some(Self { tool, member, is_text, waits })
    }
}

fn created(event: &Json, out: &mut dyn FnMut(Delta)) {
    let Some(response) = given(event, "response") else { return };
    for name in ["id", "model"] {
        if let Some(value) = given(response, name) {
            out(Delta::fact(name, value.clone()));
        }
    }
}
