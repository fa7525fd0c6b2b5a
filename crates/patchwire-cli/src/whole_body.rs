//! Recognizes response bodies that are no stream which can be read: errors, answers that were not streamed, and streams
//! of other APIs. They are no text of a model.

use patchwire_async::sources::{Foreign, Opening, Protocol};
use serde_json::Value as Json;

/// The protocol whose reader says what the body is. None if it may be the text of a model.
pub(crate) fn protocol_of(body: &[u8]) -> Option<Protocol> {
    let protocol = Protocol::OpenAiChat;
    if is_response(body) {
        return Some(protocol);
    }
    let mut opening = Opening::new(protocol);
    opening.feed(body);
    let is_stream = || matches!(opening.foreign(), Some(Foreign::Unsupported(_)));
    (begins_events(body) && is_stream()).then_some(protocol)
}

/// Whether the first line is one of server-sent events. A text about them hardly begins with one.
fn begins_events(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start();
    ["data:", "event:", "id:", "retry:", ":"].iter().any(|field| body.starts_with(field.as_bytes()))
}

/// Whether a text is one JSON value with the shape of an error or of an answer of a provider, or begins with a line that
/// is an event without its framing.
fn is_response(body: &[u8]) -> bool {
    if let Ok(json) = serde_json::from_slice::<Json>(body) {
        let first = json.get(0).unwrap_or(&json);
        return is_error(first) || is_answer(first) || is_event(first);
    }
    let line = body.trim_ascii_start().split(|byte| *byte == b'\n').next().unwrap_or_default();
    serde_json::from_slice::<Json>(line).is_ok_and(|json| is_event(&json))
}

/// An event of a chat completion.
fn is_event(json: &Json) -> bool {
    let choice = json.get("choices").and_then(|choices| choices.get(0));
    choice.is_some_and(|choice| choice.get("delta").is_some())
}

/// `{"error": {"message": …}}`, or an object with nothing but an error in words.
fn is_error(json: &Json) -> bool {
    let has_message = json.get("error").and_then(|error| error.get("message")).is_some();
    let is_alone = json.as_object().is_some_and(|object| object.len() == 1);
    let in_words = ["error", "detail"].iter().any(|name| json.get(name).is_some_and(is_reason));
    has_message || is_alone && in_words
}

/// A text, or the list of objects that FastAPI sends.
fn is_reason(json: &Json) -> bool {
    json.is_string() || json.get(0).is_some_and(|first| first.get("msg").is_some())
}

fn is_answer(json: &Json) -> bool {
    let list = |name: &str, member: &str| {
        json.get(name).and_then(|list| list.get(0)).is_some_and(|first| first.get(member).is_some())
    };
    let says = |name: &str, value: &str| json.get(name).and_then(Json::as_str) == Some(value);
    let has = |name: &str, member: &str| json.get(name).is_some_and(|it| it.get(member).is_some());
    list("choices", "message")
        || list("choices", "text")
        || list("candidates", "content")
        || says("object", "response") && json.get("output").is_some()
        || says("type", "message") && says("role", "assistant")
        || has("message", "role")
            && (json.get("done").is_some() || json.get("finish_reason").is_some())
        || has("output", "message") && json.get("stopReason").is_some()
        || json.get("generated_text").is_some_and(Json::is_string)
}
