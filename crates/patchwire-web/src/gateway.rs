//! `POST /v1/fields`: the answer of a model as events.

use axum::body::{Body, to_bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use tokio::time::timeout;

use crate::answer_events;
use crate::budget::Meter;
use crate::chat_request::{self, PromptPlace, ReadSettings};
use crate::problem::Problem;
use crate::session;
use crate::sse;
use crate::state::Server;
use crate::upstream::{Chat, Credentials, Deltas, UpstreamError};

/// Headers with keys, which are forwarded to the model unchanged.
pub(crate) const KEYS: [HeaderName; 3] = [
    header::AUTHORIZATION,
    HeaderName::from_static("x-api-key"),
    HeaderName::from_static("api-key"),
];

/// Forwards a chat request to the model, and sends the fields of its answer.
pub(crate) async fn ask(
    State(server): State<Server>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let body = read(&server, &headers, body).await?;
    let costs = server.costs();
    let is_anthropic = server.upstream.about().protocol.as_deref() == Some("anthropic");
    let prompt = if is_anthropic { PromptPlace::System } else { PromptPlace::Message };
    let settings = ReadSettings { answer_bytes: server.options.limits.answer_bytes, prompt };
    let read = move |meter: &Meter<'_>| chat_request::read(&body, &settings, meter);
    let mut asked = server.pool.read(&costs.budget, read).await?;
    let slot = server.sessions.slot()?;
    let chat = Chat::new(core::mem::take(&mut asked.body), credentials(&headers));
    let deltas = open(&server, chat).await?;
    let name = name()?;
    let named = HeaderValue::from_str(&name).map_err(|_| Problem::StreamGone)?;
    let events = session::events(answer_events::events(deltas, asked, costs));
    let mut response = sse::response(Some(server.sessions.named(name, events, slot)));
    response.headers_mut().insert(sse::STREAM, named);
    Ok(response)
}

/// Continues a stream after a lost connection.
pub(crate) async fn resume(
    State(server): State<Server>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let after = sse::last_event(&headers)?.unwrap_or(0);
    Ok(sse::response(server.sessions.resume(&name, after)?))
}

/// Ends a stream that the client no longer wants.
pub(crate) async fn cancel(
    State(server): State<Server>,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    server.sessions.cancel(&name).map(|()| StatusCode::NO_CONTENT)
}

/// The bytes of a request whose content type is JSON.
pub(crate) async fn read(
    server: &Server,
    headers: &HeaderMap,
    body: Body,
) -> Result<Bytes, Problem> {
    if !is_json(headers) {
        return Err(Problem::NotJson);
    }
    let limits = &server.options.limits;
    let most = limits.body_bytes;
    let says = headers.get(header::CONTENT_LENGTH).and_then(|len| len.to_str().ok()?.parse().ok());
    if says.is_some_and(|says: usize| says > most) {
        return Err(Problem::BodyTooLarge { most });
    }
    match timeout(limits.request_time, to_bytes(body, most)).await {
        Err(_) => Err(Problem::BodyTooSlow { seconds: limits.request_time.as_secs() }),
        Ok(Ok(body)) => Ok(body),
        Ok(Err(error)) if is_too_long(&error) => Err(Problem::BodyTooLarge { most }),
        Ok(Err(_)) => Err(Problem::BodyBroken),
    }
}

/// Forms on other sites can send text, but not with the content type of JSON.
fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let essence = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

fn is_too_long(error: &axum::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        if error.is::<http_body_util::LengthLimitError>() {
            return true;
        }
        cause = error.source();
    }
    false
}

async fn open(server: &Server, chat: Chat) -> Result<Deltas, Problem> {
    let time = server.options.limits.open_time;
    let late = UpstreamError::Timeout { seconds: time.as_secs() };
    tokio::select! {
        opened = timeout(time, server.upstream.open(chat)) => Ok(opened.unwrap_or(Err(late))?),
        () = server.shutdown.cancelled() => {
            Err(UpstreamError::Broken("this server is being stopped".to_owned()).into())
        }
    }
}

/// The key that a client sends if it has none: some clients refuse to start without one.
const NO_KEY: &str = "patchwire";

/// The headers with keys. A key that is empty or [`NO_KEY`] is none.
pub(crate) fn credentials(headers: &HeaderMap) -> Credentials {
    let of = |name: &HeaderName| {
        let mut value = headers.get(name)?.clone();
        let key = value.to_str().unwrap_or("?").trim();
        let key = key.strip_prefix("Bearer").unwrap_or(key).trim_start();
        if key.is_empty() || key == NO_KEY {
            return None;
        }
        value.set_sensitive(true);
        Some((name.clone(), value))
    };
    Credentials::new(KEYS.iter().filter_map(of).collect())
}

/// Whether there is a header with a key.
pub(crate) fn has_key(headers: &HeaderMap) -> bool {
    KEYS.iter().any(|name| headers.contains_key(name))
}

/// A name that cannot be guessed: anyone who knows it can read the answer.
fn name() -> Result<String, Problem> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|_| Problem::NoRandomness)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
