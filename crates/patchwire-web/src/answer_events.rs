//! Reads a model's deltas with the engine, and gives out events for the client.

use core::pin::Pin;
use core::task::Poll;
use std::collections::VecDeque;

use futures_util::{Stream, stream};
use patchwire::Spec;
use patchwire_async::{Error, Inputs, ResponseEvent, TokenStreamExt as _};
use serde_json::{Map, Value as Json, json};

use crate::raw_events::{RawEvents, RawQueue};
use crate::session::WireEvent;
use crate::upstream::{Delta, Deltas, UpstreamError};

/// The events of an answer. With `raw`, each piece of its text comes before the events it makes.
/// The model is read only when the earlier events were taken.
pub(crate) fn events(
    deltas: Deltas,
    spec: Spec,
    raw: bool,
) -> impl Stream<Item = WireEvent> + Send {
    let queue = RawQueue::default();
    let mut reads = raw.then(|| RawEvents::new(queue.clone()));
    let mut response = deltas.fields_with(spec, move |delta, out: &mut Inputs| {
        if let (Some(raw), Delta::Text(text)) = (&mut reads, &delta) {
            raw.read(text);
        }
        split(delta, out);
    });
    let mut waiting = VecDeque::new();
    stream::poll_fn(move |cx| {
        if waiting.is_empty() {
            let event = Pin::new(&mut response).poll_next(cx);
            // A raw piece is sent at once, even if it makes no event yet.
            waiting.extend(queue.take());
            match event {
                Poll::Ready(Some(event)) => {
                    if event.as_ref().is_ok_and(|event| event.as_final().is_some()) {
                        waiting.extend(response.facts().last().and_then(facts));
                    }
                    waiting
                        .push_back(event.map_or_else(|error| failed(&error), |event| of(&event)));
                }
                Poll::Pending if waiting.is_empty() => return Poll::Pending,
                Poll::Pending | Poll::Ready(None) => {}
            }
        }
        Poll::Ready(waiting.pop_front())
    })
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

fn of(event: &ResponseEvent) -> WireEvent {
    WireEvent { name: event.name(), data: event.to_string() }
}

/// The provider's facts, just before the last event.
fn facts(facts: &Map<String, Json>) -> Option<WireEvent> {
    let data = json!({"event": "facts", "facts": facts}).to_string();
    (!facts.is_empty()).then_some(WireEvent { name: "facts", data })
}

fn failed(error: &Error<UpstreamError>) -> WireEvent {
    let data = match error {
        Error::Parse(error) => error.wire().to_string(),
        error => {
            let source = error.as_source();
            let code = source.map_or("failed", UpstreamError::code);
            let message = source.map_or_else(|| error.to_string(), ToString::to_string);
            json!({"event": "error", "code": code, "message": message}).to_string()
        }
    };
    WireEvent { name: "error", data }
}
