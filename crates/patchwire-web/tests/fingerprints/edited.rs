//! Bodies of model's servers, of both forms, streamed and whole: what a client gets of each, and what the server was asked.

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock, Mutex};

use axum::Router;
use bytes::Bytes;
use hyper::header::{HeaderName, HeaderValue};
use hyper::{HeaderMap, StatusCode};
use patchwire_web::upstream::{Passed, Reply, UpstreamError};
use patchwire_web::{Limits, Options, router};
use tokio::runtime::{Builder, Runtime};

use super::asked::counters;
use super::bodies::{Form, Written, body, options, request};
use super::shared::{Random, compare, compare_text};
use crate::support::{PassedTo, post_to, reply_of, send};

/// What the server answers.
struct Script {
    status: StatusCode,
    headers: HeaderMap,
    chunks: Vec<Result<Bytes, UpstreamError>>,
}

/// A gateway to a server that answers as a script says, and notes what it is asked.
struct Gateway {
    app: Router,
    script: Arc<Mutex<Option<Script>>>,
    asked: Arc<Mutex<String>>,
}

impl Gateway {
    fn new(answer_bytes: u64) -> Self {
        let (script, asked) = (Arc::new(Mutex::new(None::<Script>)), Arc::new(Mutex::default()));
        let (says, notes) = (Arc::clone(&script), Arc::clone(&asked));
        let model = PassedTo(move |request: Passed| {
            *notes.lock().unwrap() = shown(&request);
            let script = says.lock().unwrap().take().expect("a request has a script");
            let body = futures_util::stream::iter(script.chunks);
            let reply = reply_of("", Box::pin(body));
            Ok(Reply::new(script.status, script.headers, reply.body))
        });
        let limits = Limits { answer_bytes, ..Limits::default() };
        let app = router(Options::default().with_limits(limits).with_upstream(model)).unwrap();
        Self { app, script, asked }
    }
}

static RUNTIME: LazyLock<Mutex<Runtime>> = LazyLock::new(|| {
    Mutex::new(Builder::new_current_thread().enable_all().build().expect("a runtime"))
});

/// A request as the server gets it.
fn shown(request: &Passed) -> String {
    let body = String::from_utf8_lossy(&request.body);
    let (endpoint, query, key) = (&request.endpoint, &request.query, request.has_key);
    format!("{endpoint} {query:?} {key} {} {body}", headers_of(&request.headers))
}

fn headers_of(headers: &HeaderMap) -> String {
    let mut all: Vec<String> = headers
        .iter()
        .map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value.as_bytes())))
        .collect();
    all.sort_unstable();
    all.join("; ")
}

/// The headers of an answer: mostly those that fit.
fn headers(form: Form, random: &mut Random) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let fits = if form.is_stream() { "text/event-stream" } else { "application/json" };
    let kind = match random.below(24) {
        0 => "",
        1 => "text/html",
        2 => "application/json",
        3 => "text/event-stream ; charset=utf-8",
        4 => "Application/JSON;x=1",
        5 => "application/jsonl",
        _ => fits,
    };
    if !random.one_of(16) {
        headers.insert("content-type", HeaderValue::from_static(kind));
    }
    if random.one_of(12) {
        let coding = random.pick(&["gzip", "identity", "", "IDENTITY", "br, identity"]);
        headers.append("content-encoding", HeaderValue::from_static(coding));
        if random.one_of(2) {
            headers.append("content-encoding", HeaderValue::from_static("deflate"));
        }
    }
    for name in ["x-request-id", "anthropic-a", "retry-after", "set-cookie", "x-ratelimit-a", "via"]
    {
        if random.one_of(12) {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static("7"));
        }
    }
    headers
}

/// The body in chunks; some break off.
fn chunks(body: &Written, random: &mut Random) -> Vec<Result<Bytes, UpstreamError>> {
    let most = random.pick(&[1, 7, 40, 300, 1 << 20]);
    let bytes = random.chunks(&body.bytes, most);
    let mut chunks: Vec<_> = bytes.into_iter().map(|chunk| Ok(chunk.into())).collect();
    if random.one_of(10) {
        chunks.insert(random.below(chunks.len() + 1), Ok(Bytes::new()));
    }
    if random.one_of(14) {
        chunks.truncate(random.below(chunks.len() + 1));
        chunks.push(Err(match random.below(3) {
            0 => UpstreamError::Timeout { seconds: 3 },
            1 => UpstreamError::Empty("it is".to_owned()),
            _ => UpstreamError::Broken("reset \"é\"".to_owned()),
        }));
    }
    chunks
}

/// Asks once, and says everything that came of it.
fn read(gateway: &Gateway, form: Form, random: &mut Random) -> String {
    let body = body(form, random);
    let status = match random.below(40) {
        0 => StatusCode::TOO_MANY_REQUESTS,
        1 => StatusCode::CREATED,
        _ => StatusCode::OK,
    };
    let headers = headers(form, random);
    let chunks = chunks(&body, random);
    *gateway.script.lock().unwrap() = Some(Script { status, headers, chunks });
    gateway.asked.lock().unwrap().clear();
    let (options, header) = options(random);
    let asked = request(form, options.as_deref(), random);
    let mut sent = post_to(form.path(random), asked.clone());
    if let Some(header) = header {
        sent.headers_mut().insert("patchwire", HeaderValue::from_bytes(header.as_bytes()).unwrap());
    }
    keys(sent.headers_mut(), random);
    let shown = format!("{asked}\n{}\n", String::from_utf8_lossy(&body.bytes));
    let got = RUNTIME.lock().unwrap().block_on(got(gateway, sent));
    shown + &got
}

fn keys(headers: &mut HeaderMap, random: &mut Random) {
    for (name, values) in [
        ("authorization", ["Bearer sk-1", "Bearer ", "Bearer patchwire", "patchwire", "Basic x"]),
        ("x-api-key", ["sk-2", "", "patchwire", " ", "Bearer"]),
        ("api-key", ["sk-3", "Bearer x", "patchwire2", "", "k"]),
        ("anthropic-version", ["2023-06-01", "", "a", "b", "c"]),
        ("openai-project", ["p", "", "a", "b", "c"]),
        ("idempotency-key", ["i", "", "a", "b", "c"]),
        ("cookie", ["a=b", "", "a", "b", "c"]),
    ] {
        if random.one_of(8) {
            headers.insert(name, HeaderValue::from_static(random.pick(&values)));
        }
    }
}

async fn got(gateway: &Gateway, request: hyper::Request<axum::body::Body>) -> String {
    use http_body_util::BodyExt as _;
    let response = send(&gateway.app, request).await;
    let mut out = String::new();
    let status = response.status().as_u16();
    let passed: HeaderMap = response
        .headers()
        .iter()
        .filter(|(name, _)| {
            !name.as_str().starts_with("cross-origin") && *name != "permissions-policy"
        })
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    writeln!(out, "{}\n{status} {}", gateway.asked.lock().unwrap(), headers_of(&passed)).unwrap();
    let mut body = response.into_body();
    while let Some(frame) = body.frame().await {
        match frame {
            Ok(frame) => {
                out.push_str(&String::from_utf8_lossy(&frame.into_data().unwrap_or_default()));
            }
            Err(error) => {
                writeln!(out, "\nbroken off: {error}").unwrap();
                break;
            }
        }
    }
    out
}

fn compare_form(file: &str, lines: u64, form: Form, answer_bytes: u64) {
    let gateway = Gateway::new(answer_bytes);
    compare(file, lines, |random| read(&gateway, form, random));
    let mut counted = String::new();
    RUNTIME.lock().unwrap().block_on(counters(&gateway.app, &mut counted));
    compare_text(&format!("{file} counters"), &counted);
}

#[test]
fn streams_of_openai() {
    compare_form("streams openai", 45, Form::ChatStream, 1 << 20);
}

#[test]
fn streams_of_anthropic() {
    compare_form("streams anthropic", 45, Form::MessageStream, 1 << 20);
}

#[test]
fn whole_answers_of_openai() {
    compare_form("whole openai", 40, Form::Chat, 1 << 20);
}

#[test]
fn whole_answers_of_anthropic() {
    compare_form("whole anthropic", 40, Form::Message, 1 << 20);
}

/// Answers that have more bytes than they may have.
#[test]
fn long_answers() {
    compare_form("long openai", 6, Form::ChatStream, 40);
    compare_form("long anthropic", 6, Form::MessageStream, 40);
    compare_form("long whole", 6, Form::Chat, 40);
}
