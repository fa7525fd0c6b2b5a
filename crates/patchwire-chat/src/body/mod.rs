//! The body of a request in each protocol. Nothing here is IO.

mod anthropic;
mod ollama;
mod openai_chat;
mod openai_responses;

use patchwire::{Format, Spec};
use patchwire_async::sources::Protocol;
use serde_json::{Map, Value as Json};

/// Whether the request contains the schema, so that the endpoint enforces it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Structured {
    /// If the format is JSON and there is a schema.
    #[default]
    Auto,
    /// Never. Only the prompt describes the answer.
    Off,
}

/// The parts of a body in any protocol.
pub(crate) struct Parts<'p> {
    pub(crate) model: &'p str,
    pub(crate) system: Option<&'p str>,
    pub(crate) prompt: &'p str,
    /// The schema that the endpoint enforces.
    pub(crate) schema: Option<Json>,
}

/// Makes the body. The settings are members that replace those of the body.
pub(crate) fn make(protocol: Protocol, parts: &Parts<'_>, settings: &Json) -> Json {
    let mut body = match protocol {
        Protocol::OpenAiResponses => openai_responses::body(parts),
        Protocol::Anthropic => anthropic::body(parts),
        Protocol::Ollama => ollama::body(parts),
        _ => openai_chat::body(parts),
    };
    if let (Json::Object(body), Json::Object(settings)) = (&mut body, settings) {
        merge(body, settings);
    }
    body
}

/// Applies a merge patch (RFC 7396).
fn merge(body: &mut Map<String, Json>, patch: &Map<String, Json>) {
    for (name, value) in patch {
        match (body.get_mut(name), value) {
            (_, Json::Null) => drop(body.remove(name)),
            (Some(Json::Object(there)), Json::Object(more)) => merge(there, more),
            _ => drop(body.insert(name.clone(), value.clone())),
        }
    }
}

/// The schema for the endpoint. It is closed, as strict modes require.
pub(crate) fn schema(spec: &Spec, structured: Structured) -> Option<Json> {
    if structured == Structured::Off || spec.format() != Format::Json {
        return None;
    }
    serde_json::to_value(spec.schema()?.to_closed_json_schema()).ok()
}

/// The messages of a conversation with one question.
fn messages(parts: &Parts<'_>) -> Vec<Json> {
    let message = |role: &str, content: &str| serde_json::json!({"role": role, "content": content});
    let system = parts.system.map(|system| message("system", system));
    system.into_iter().chain([message("user", parts.prompt)]).collect()
}
