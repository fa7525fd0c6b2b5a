//! `POST /v1/fields`: the answer of a model as events.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use patchwire_wire::UiMessage;

use crate::answer_events;
use crate::attempts::{self, Asker};
use crate::budget::Meter;
use crate::chat_request::{self, PromptPlace, ReadSettings};
use crate::problem::Problem;
use crate::request_parts;
use crate::session::{self, Emitted, LastWords, Stop};
use crate::sse;
use crate::state::Server;
use crate::store::StreamName;
use crate::upstream::{Backlog, Deltas};
use crate::wire::Wire;

/// The path of the gateway's own endpoint.
const FIELDS: &str = "/v1/fields";

/// Forwards a chat request to the model, and sends the fields of its answer.
pub(crate) async fn ask(
    State(server): State<Server>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let body = request_parts::body(&server, &headers, body).await?;
    let costs = server.costs(FIELDS);
    let is_anthropic = server.upstream.about().protocol.as_deref() == Some("anthropic");
    let prompt = if is_anthropic { PromptPlace::System } else { PromptPlace::Message };
    let settings = ReadSettings { answer_bytes: server.options.limits.answer_bytes, prompt };
    let options = request_parts::options(&headers)?;
    let read =
        move |meter: &Meter<'_>| chat_request::read(&body, options.as_deref(), &settings, meter);
    let mut asked = server.pool.read(&costs.budget, read).await?;
    let slot = server.sessions.slot()?;
    let asker = Arc::new(Asker {
        upstream: Arc::clone(&server.upstream),
        body: core::mem::take(&mut asked.body),
        credentials: request_parts::credentials(&headers),
        open_time: server.options.limits.open_time,
        backlog: Backlog::default(),
    });
    let may_repeat = asked.sending.max_retries.is_some_and(|most| most > 0);
    let opening = first_deltas(&server, Arc::clone(&asker), may_repeat);
    let wire = asked.sending.choice.wire;
    let (name, reader) = match &server.durable {
        Some(durable) => durable.begin(asked, asker, opening, (slot, costs)).await?,
        None => {
            let deltas = opening.await?;
            let name = StreamName::random().ok_or(Problem::NoRandomness)?;
            let events = session::events(answer_events::events(deltas, asker, asked, costs));
            let events = session::counted(events, server.metrics.begin(FIELDS));
            let kept = name.as_str().to_owned();
            (name, server.sessions.named(kept, events, last_words(wire), slot))
        }
    };
    let named = HeaderValue::from_str(name.as_str()).map_err(|_| Problem::StreamGone)?;
    let mut response = sse::response(Some(reader));
    response.headers_mut().insert(sse::STREAM, named);
    if wire == Wire::UiMessage {
        let (name, version) = UiMessage::HEADER;
        response.headers_mut().insert(name, HeaderValue::from_static(version));
    }
    Ok(response)
}

/// How a stream says that it was ended from outside.
fn last_words(wire: Wire) -> LastWords {
    fn said(wire: Wire, stop: Stop) -> Emitted {
        wire.error(stop.code(), &stop.to_string()).into()
    }
    match wire {
        Wire::Own | Wire::Compact | Wire::Ops | Wire::JsonPatch => |stop| said(Wire::Own, stop),
        Wire::AgUi => |stop| said(Wire::AgUi, stop),
        Wire::UiMessage => |stop| said(Wire::UiMessage, stop),
    }
}

/// Continues a stream after a lost connection.
pub(crate) async fn resume(
    State(server): State<Server>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let after = sse::last_event(&headers)?.unwrap_or(0);
    let reader = match &server.durable {
        None => server.sessions.resume(&name, after)?,
        Some(durable) => {
            let brought = (request_parts::credentials(&headers), server.costs(FIELDS));
            durable.resume(&name, after, brought).await?
        }
    };
    Ok(sse::response(reader))
}

/// Ends a stream that the client no longer wants.
pub(crate) async fn cancel(
    State(server): State<Server>,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    match &server.durable {
        None => server.sessions.cancel(&name)?,
        Some(durable) => durable.cancel(&name).await?,
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Asks the model for the first time.
async fn first_deltas(
    server: &Server,
    asker: Arc<Asker>,
    may_repeat: bool,
) -> Result<Deltas, Problem> {
    match open(server, &asker).await {
        // An answer that may be asked for again begins, and the failure is its first event.
        Err(Problem::Upstream(error)) if error.is_transient() && may_repeat => {
            Ok(attempts::failed(error))
        }
        opened => opened,
    }
}

async fn open(server: &Server, asker: &Asker) -> Result<Deltas, Problem> {
    tokio::select! {
        opened = asker.open() => Ok(opened?),
        () = server.shutdown.cancelled() => Err(Problem::Draining),
    }
}
