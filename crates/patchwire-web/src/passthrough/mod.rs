//! OpenAI's and Anthropic's own endpoints: requests are passed on to the model's server, and its responses back, byte
//! for byte. A request that asks for fields gets them in the deltas of its answer.

mod choice;
mod document;
mod editor;
mod frames;
mod own_events;
mod places;
mod request;
mod stream;
mod unanswered;
mod whole;

use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::time::timeout;

use self::choice::Reading;
use self::editor::Editor;
use self::places::Dialect;
use self::request::PassedRequest;
use self::unanswered::Unanswered;
use crate::answer_events::Costs;
use crate::budget::Meter;
use crate::problem::{Problem, ProblemCode};
use crate::request_parts;
use crate::session::{self, EventStream};
use crate::state::Server;
use crate::upstream::{Endpoint, Passed, Reply, ReplyBody, UpstreamError};

/// Headers of requests that belong to the APIs. They are passed on beside those with keys.
pub(crate) const REQUEST_HEADERS: [HeaderName; 5] = [
    HeaderName::from_static("anthropic-beta"),
    HeaderName::from_static("anthropic-version"),
    HeaderName::from_static("idempotency-key"),
    HeaderName::from_static("openai-organization"),
    HeaderName::from_static("openai-project"),
];

/// Headers of responses that are passed back, and the beginnings of their names.
const RESPONSE_HEADERS: [&str; 11] = [
    "anthropic-",
    "content-disposition",
    "content-encoding",
    "content-language",
    "content-type",
    "openai-",
    "request-id",
    "retry-after",
    "x-ratelimit-",
    "x-request-id",
    "x-should-retry",
];

/// `POST /v1/chat/completions`.
pub(crate) async fn chat_completions(
    State(server): State<Server>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let asked = Asked { endpoint: Endpoint::ChatCompletions, dialect: Dialect::OpenAi, query };
    ask(&server, asked, &headers, body).await
}

/// `POST /v1/messages`.
pub(crate) async fn messages(
    State(server): State<Server>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let asked = Asked { endpoint: Endpoint::Messages, dialect: Dialect::Anthropic, query };
    ask(&server, asked, &headers, body).await
}

/// `GET /v1/models`.
pub(crate) async fn models(
    State(server): State<Server>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    list(&server, None, query, &headers).await
}

/// `GET /v1/models/NAME`. Names may have slashes.
pub(crate) async fn model(
    State(server): State<Server>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    list(&server, Some(name), query, &headers).await
}

async fn list(
    server: &Server,
    name: Option<String>,
    query: Option<String>,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let mut request = Passed::new(Endpoint::Models(name), passed_headers(headers));
    request.has_key = request_parts::has_key(&request.headers);
    request.query = query;
    let slot = server.sessions.slot()?;
    let Reply { status, headers, body, .. } = open(server, request, false).await?;
    let events = Box::pin(stream::unchanged(body));
    let reader =
        server.sessions.passed(events, stream::last_words(None, Unanswered::default()), slot);
    Ok(response(status, &headers, Body::from_stream(reader)))
}

/// Which endpoint a request is for.
struct Asked {
    endpoint: Endpoint,
    dialect: Dialect,
    query: Option<String>,
}

impl Asked {
    /// The path, for metrics.
    const fn path(&self) -> &'static str {
        match self.dialect {
            Dialect::OpenAi => "/v1/chat/completions",
            Dialect::Anthropic => "/v1/messages",
        }
    }
}

async fn ask(
    server: &Server,
    asked: Asked,
    headers: &HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let body = request_parts::body(server, headers, body).await?;
    let endpoint = asked.path();
    let costs = server.costs(endpoint);
    let options = request_parts::options(headers)?;
    let most = server.options.limits.answer_bytes;
    let read = move |meter: &Meter<'_>| request::read(&body, options.as_deref(), most, meter);
    let PassedRequest { body, fields, is_stream } = server.pool.read(&costs.budget, read).await?;
    let mut request = Passed::new(asked.endpoint, passed_headers(headers));
    request.has_key = request_parts::has_key(&request.headers);
    (request.query, request.body) = (asked.query, body);
    let slot = server.sessions.slot()?;
    let Reply { status, headers, body, .. } = open(server, request, is_stream).await?;
    let kind = Kind::of(&headers, is_stream);
    let is_stream = kind == Kind::Stream;
    let dialect = asked.dialect;
    let record = costs.record.clone();
    let reading = |options| Reading { dialect, options, record };
    let fields = fields.filter(|_| status.is_success());
    if let Some(coding) = fields.as_ref().and_then(|_| content_coding(&headers)) {
        return Err(UpstreamError::Encoded(coding).into());
    }
    let unanswered = Unanswered::default();
    let source: EventStream = match fields {
        None => Box::pin(stream::unchanged(body)),
        Some(fields) if is_stream => {
            let editor = Editor::new(reading(fields), most);
            Box::pin(stream::with_fields(body, editor, (dialect, unanswered.clone()), costs))
        }
        Some(fields) if kind == Kind::Json => {
            let body = edited(server, body, reading(fields), costs).await?;
            return Ok(response(status, &headers, Body::from(body)));
        }
        Some(_) => {
            let kind = String::from_utf8_lossy(content_type(&headers)).into_owned();
            let what = format!("it sends `{kind}`, and no JSON and no stream");
            return Err(UpstreamError::Foreign(what).into());
        }
    };
    let last_words = stream::last_words(is_stream.then_some(dialect), unanswered);
    let source = session::counted(source, server.metrics.begin(endpoint));
    let reader = server.sessions.passed(source, last_words, slot);
    Ok(response(status, &headers, Body::from_stream(reader)))
}

/// A response that is not streamed, with the answers in its messages.
async fn edited(
    server: &Server,
    body: ReplyBody,
    reading: Reading,
    costs: Costs,
) -> Result<Bytes, Problem> {
    let limits = &server.options.limits;
    let most = limits.answer_bytes;
    let late = UpstreamError::Timeout { seconds: limits.stream_time.as_secs() };
    let whole = timeout(limits.stream_time, whole_body(body, most.saturating_add(1 << 20)));
    let body = stoppable(server, async { whole.await.unwrap_or(Err(late)) }).await?;
    let edit = move |meter: &Meter<'_>| whole::with_answers(&body, &reading, most, meter);
    server.pool.read(&costs.budget, edit).await
}

async fn whole_body(mut body: ReplyBody, most: u64) -> Result<Bytes, UpstreamError> {
    let mut whole = Vec::new();
    while let Some(chunk) = body.next().await {
        whole.extend_from_slice(&chunk?);
        if whole.len() as u64 > most {
            let what = format!("the response has more than {most} bytes");
            return Err(UpstreamError::Broken(what));
        }
    }
    Ok(whole.into())
}

/// Sends the request. Without streaming, the response begins when the answer is finished, so it has
/// the time of a whole stream.
async fn open(server: &Server, request: Passed, is_stream: bool) -> Result<Reply, Problem> {
    let limits = &server.options.limits;
    let time = if is_stream { limits.open_time } else { limits.stream_time };
    let late = UpstreamError::Timeout { seconds: time.as_secs() };
    let reply = timeout(time, server.upstream.pass(request));
    stoppable(server, async { reply.await.unwrap_or(Err(late)) }).await
}

/// Waits for the model, but not after the server was told to stop.
async fn stoppable<T>(
    server: &Server,
    wait: impl Future<Output = Result<T, UpstreamError>>,
) -> Result<T, Problem> {
    tokio::select! {
        done = wait => Ok(done?),
        () = server.shutdown.cancelled() => Err(Problem::Draining),
    }
}

/// The headers that are passed on.
fn passed_headers(headers: &HeaderMap) -> HeaderMap {
    let keys = request_parts::credentials(headers);
    let keys = keys.iter().map(|(name, value)| (name.clone(), value.clone()));
    let own = REQUEST_HEADERS.into_iter().filter_map(|name| {
        let value = headers.get(&name)?.clone();
        Some((name, value))
    });
    keys.chain(own).collect()
}

/// What a response is, by its content type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Stream,
    Json,
    Other,
}

impl Kind {
    /// A response without a content type is what was asked for.
    fn of(headers: &HeaderMap, asked_for_stream: bool) -> Self {
        let essence = content_type(headers).split(|byte| *byte == b';').next();
        match essence.unwrap_or_default().trim_ascii().to_ascii_lowercase().as_slice() {
            b"text/event-stream" => Self::Stream,
            b"application/json" => Self::Json,
            b"" if asked_for_stream => Self::Stream,
            b"" => Self::Json,
            _ => Self::Other,
        }
    }
}

/// The content coding, if the body has one.
fn content_coding(headers: &HeaderMap) -> Option<String> {
    let codings = headers.get_all(header::CONTENT_ENCODING).iter();
    let codings: Vec<_> = codings
        .map(|coding| String::from_utf8_lossy(coding.as_bytes()).trim().to_owned())
        .collect();
    let is_none = |coding: &String| coding.is_empty() || coding.eq_ignore_ascii_case("identity");
    (!codings.iter().all(is_none)).then(|| codings.join(", "))
}

fn content_type(headers: &HeaderMap) -> &[u8] {
    headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default()
}

fn response(status: StatusCode, headers: &HeaderMap, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let own = response.headers_mut();
    for (name, value) in headers {
        let is_passed = |begin: &&str| name.as_str().starts_with(*begin);
        if RESPONSE_HEADERS.iter().any(is_passed) {
            own.append(name, value.clone());
        }
    }
    own.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    own.insert("x-accel-buffering", HeaderValue::from_static("no"));
    if !status.is_success() {
        // Passed on, and an error of the model's server all the same.
        response.extensions_mut().insert(ProblemCode(UpstreamError::REFUSED));
    }
    response
}
