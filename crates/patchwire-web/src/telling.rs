//! The deltas of a model, read by the engine, as events for the wire.

use futures_util::{Stream, StreamExt as _, stream};
use patchwire::{OwnedEvent, Spec};
use patchwire_async::{Error, Inputs, TokenStreamExt as _};
use serde_json::{Map, Value as Json, json};

use crate::session::Told;
use crate::upstream::{Delta, Deltas, UpstreamError};

/// All events of an answer. Nothing is read from the model before the events of what came before are taken.
pub(crate) fn events(deltas: Deltas, spec: Spec) -> impl Stream<Item = Told> + Send {
    let response = deltas.fields_with(spec, split);
    stream::unfold(response, |mut response| async move {
        let event = response.next().await?;
        let mut told = Vec::with_capacity(2);
        if matches!(event, Ok(OwnedEvent::Final(_))) {
            told.extend(response.facts().last().and_then(facts));
        }
        told.push(event.map_or_else(|error| failed(&error), |event| of(&event)));
        Some((stream::iter(told), response))
    })
    .flatten()
}

fn split(delta: Delta, out: &mut Inputs) {
    match delta {
        Delta::Text(text) => out.text(text),
        Delta::Reasoning(text) => out.reasoning(text),
        Delta::Call { key, id, name, arguments } => {
            out.tool(key, id.as_deref(), name.as_deref(), arguments);
        }
        Delta::Fact(name, fact) => out.fact(name, fact),
    }
}

fn of(event: &OwnedEvent) -> Told {
    Told { name: event.name(), data: event.to_string() }
}

/// What the model told beside its answer, just before the answer.
fn facts(facts: &Map<String, Json>) -> Option<Told> {
    let data = json!({"event": "facts", "facts": facts}).to_string();
    (!facts.is_empty()).then_some(Told { name: "facts", data })
}

fn failed(error: &Error<UpstreamError>) -> Told {
    let data = match error {
        Error::Parse(error) => error.wire().to_string(),
        error => {
            let source = error.as_source();
            let code = source.map_or("failed", UpstreamError::code);
            let message = source.map_or_else(|| error.to_string(), ToString::to_string);
            json!({"event": "error", "code": code, "message": message}).to_string()
        }
    };
    Told { name: "error", data }
}
