//! Requests of all endpoints: which are refused and how, what a model is asked, and the whole response.

use std::fmt::Write as _;

use axum::Router;
use axum::body::Body;
use hyper::{HeaderMap, Method, Request};
use patchwire_web::{Limits, Options, router};
use serde_json::json;
use tokio::runtime::{Builder, Runtime};

use super::models::{Scripted, attempts, request};
use super::shared::{Random, Style, compare, compare_text, slip, written};
use crate::support::{bytes_of, get, post_to, send};

/// A runtime whose clock goes on when nothing else does.
pub(super) fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().start_paused(true).build().expect("a runtime")
}

/// The status, the headers that differ from response to response, and the body.
pub(super) async fn response(app: &Router, request: Request<Body>, out: &mut String) {
    let response = send(app, request).await;
    write!(out, "\n{}", response.status().as_u16()).unwrap();
    let mut headers: Vec<_> = response
        .headers()
        .iter()
        .filter(|(name, _)| *name != "patchwire-stream" && *name != "date")
        .map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value.as_bytes())))
        .collect();
    headers.sort_unstable();
    writeln!(out, " {} {headers:?}", response.headers().contains_key("patchwire-stream")).unwrap();
    out.push_str(&String::from_utf8_lossy(&bytes_of(response).await));
}

/// The counters that depend on no clock.
pub(super) async fn counters(app: &Router, out: &mut String) {
    let text = bytes_of(send(app, get("/metrics")).await).await;
    for line in String::from_utf8_lossy(&text).lines() {
        if !line.contains("_bucket{") && !line.contains("seconds_sum") {
            writeln!(out, "{line}").unwrap();
        }
    }
}

fn fields(model: &Scripted, app: &Router, random: &mut Random) -> String {
    let runtime = runtime();
    let mut out = String::new();
    *model.attempts.lock().unwrap() = attempts(None, random);
    model.asked.lock().unwrap().clear();
    let body = request(random);
    writeln!(out, "{body}\n{:?}", model.attempts.lock().unwrap()).unwrap();
    let mut asked = post_to("/v1/fields", body);
    let headers = asked.headers_mut();
    if random.one_of(10) {
        let options = ["{}", "{\"wire\":\"compact\"}", "{\"raw\":true}", "{", "\u{e9}"];
        headers.insert("patchwire", random.pick(&options).parse().unwrap());
    }
    if random.one_of(8) {
        headers.insert("authorization", "Bearer sk-1".parse().unwrap());
    }
    if random.one_of(30) {
        let kinds = ["text/plain", "Application/Json; charset=utf-8", "application/json2", ""];
        headers.insert("content-type", random.pick(&kinds).parse().unwrap());
    }
    runtime.block_on(response(app, asked, &mut out));
    out + &model.asked.lock().unwrap()
}

fn compare_fields(file: &str, lines: u64, is_anthropic: bool, limits: &Limits) {
    let model = Scripted { is_anthropic, ..Scripted::default() };
    let options = Options::default().with_limits(limits.clone()).with_upstream(model.clone());
    let app = router(options).unwrap();
    compare(file, lines, |random| fields(&model, &app, random));
    let mut out = String::new();
    runtime().block_on(counters(&app, &mut out));
    compare_text(&format!("{file} counters"), &out);
}

#[test]
fn requests_for_fields() {
    compare_fields("fields", 80, false, &Limits::default());
}

#[test]
fn requests_for_fields_of_anthropic() {
    compare_fields("fields anthropic", 20, true, &Limits::default());
}

#[test]
fn requests_under_limits() {
    let limits = Limits { answer_bytes: 30, body_bytes: 400, empty_deltas: 1, ..Limits::default() };
    compare_fields("fields limits", 20, false, &limits);
}

/// A text that the client sends, cut as it says.
fn cut(random: &mut Random) -> String {
    let texts = ["{\"title\": \"Café\", \"n\": [1, 2]}", "", "plain", "[1, 2,]", "### a\nb\n"];
    let mut body = json!({"text": random.pick(&texts)});
    if random.one_of(2) {
        let cuts: [&[usize]; 7] =
            [&[], &[2], &[0, 3, 8], &[3, 3], &[9, 2], &[1000], &[1, 2, 3, 4, 5]];
        body["cut"] = json!(random.pick(&cuts));
    } else if random.one_of(2) {
        body["chunk"] = json!(random.pick(&["tokens", "all", "1", "7", "0", "x"]));
    }
    if random.one_of(3) {
        body["speed"] = json!(random.pick(&[0.0, 1.0, 40.0, 1e6, 1e7, -1.0]));
    }
    if random.one_of(3) {
        body["chunks"] = json!(true);
    }
    if random.one_of(3) {
        let options = [
            "{\"format\":\"hybrid\"}",
            "{\"schema\":{\"a\":\"int\"},\"valid\":true}",
            "{\"raw\":true}",
            "{\"max_retries\":1}",
            "{\"prompt\":true}",
            "{\"wire\":\"own\"}",
            "{\"resend_ms\":1}",
            "{\"tags\":\"none\"}",
            "{\"strictness\":\"strict\"}",
        ];
        body["patchwire"] = random.pick(&options).parse().unwrap();
    }
    if random.one_of(6) {
        slip(&mut body, &["text", "cut", "chunk", "odd"], random);
    }
    written(&body, Style::Compact, random)
}

#[test]
fn texts_that_are_cut() {
    let app = router(Options::default()).unwrap();
    let runtime = runtime();
    compare("cut", 30, |random| {
        let body = cut(random);
        let mut out = body.clone();
        let begun = tokio_now(&runtime);
        runtime.block_on(response(&app, post_to("/v1/cut", body), &mut out));
        writeln!(out, "{:?}", tokio_now(&runtime) - begun).unwrap();
        out
    });
}

fn tokio_now(runtime: &Runtime) -> tokio::time::Instant {
    runtime.block_on(async { tokio::time::Instant::now() })
}

/// The built-in streams, played as the query says, from the beginning and from later on.
#[test]
fn built_in_streams() {
    let app = router(Options::default()).unwrap();
    let runtime = runtime();
    let list = runtime.block_on(async { bytes_of(send(&app, get("/v1/streams")).await).await });
    let list: serde_json::Value = serde_json::from_slice(&list).unwrap();
    let short =
        list["streams"].as_array().unwrap().iter().filter(|it| it["bytes"].as_u64() < Some(3000));
    let names: Vec<&str> = short.map(|it| it["name"].as_str().unwrap()).collect();
    compare("streams", 6, |random| {
        let name = if random.one_of(20) { "none" } else { random.pick(&names) };
        let mut query = Vec::new();
        for (name, values) in [
            ("chunk", ["tokens", "all", "40", "200", "0"]),
            ("cut", ["3", "5,90", "9,2", "99999", "x"]),
            ("speed", ["0", "300", "1000000", "1000001", "-1"]),
            ("chunks", ["true", "false", "true", "1", "true"]),
            ("odd", ["1", "2", "3", "4", "5"]),
        ] {
            let often = if name == "speed" { 1 } else { 3 };
            if random.one_of(if name == "odd" { 30 } else { often }) {
                query.push(format!("{name}={}", random.pick(&values)));
            }
        }
        let path = match random.below(12) {
            0 => format!("/v1/streams/{name}/text"),
            _ => format!("/v1/streams/{name}/fields?{}", query.join("&")),
        };
        let mut request = get(&path);
        if random.one_of(2) {
            let id = random.pick(&["0", "1", "7", "40", "100000", "x", " 3 "]);
            request.headers_mut().insert("last-event-id", id.parse().unwrap());
        }
        let mut out = path;
        let begun = tokio_now(&runtime);
        runtime.block_on(response(&app, request, &mut out));
        // A pause is as long as the text before it.
        writeln!(out, "{:?}", tokio_now(&runtime) - begun).unwrap();
        out
    });
}

/// Of which host something is asked, and by whom.
fn who(headers: &mut HeaderMap, random: &mut Random) {
    for _ in 0..random.pick(&[1, 1, 1, 1, 1, 1, 0, 2]) {
        headers.append(
            "host",
            random
                .pick(&[
                    "localhost:3000",
                    "localhost:3000",
                    "127.0.0.1",
                    "[::1]:80",
                    "MODELS.example",
                    "evil.example",
                    "models.example:",
                    "localhost:99999",
                    "a@localhost",
                    "[::1",
                    "",
                ])
                .parse()
                .unwrap(),
        );
    }
    if random.one_of(2) {
        headers.insert(
            "origin",
            random
                .pick(&[
                    "https://app.example",
                    "http://localhost:3000",
                    "https://LOCALHOST:3000",
                    "null",
                    "https://evil.example",
                    "ftp://localhost:3000",
                    "https://app.example/",
                    "http://models.example",
                ])
                .parse()
                .unwrap(),
        );
    }
    if random.one_of(2) {
        headers.insert("access-control-request-method", "POST".parse().unwrap());
        headers.insert(
            "access-control-request-headers",
            random
                .pick(&[
                    "content-type, x-stainless-lang",
                    "x-stainless-os,x-api-key",
                    "x-odd",
                    "last-event-id, patchwire",
                ])
                .parse()
                .unwrap(),
        );
    }
}

/// Who may ask for what: hosts, origins, methods and paths.
#[test]
fn hosts_and_origins() {
    let options = Options::default().allow_host("models.example").unwrap();
    let app = router(options.allow_origin("https://app.example").unwrap()).unwrap();
    let closed = router(Options::default()).unwrap();
    let runtime = runtime();
    compare("guarded", 40, |random| {
        let app = if random.one_of(3) { &closed } else { &app };
        let path = random.pick(&[
            "/healthz",
            "/v1/streams",
            "/v1/upstream",
            "/v1/fields",
            "/v1/fields/x",
            "/v1/odd",
            "/odd",
            "/v1/cut",
            "http://localhost:3000/healthz",
            "http://LOCALHOST:3000/healthz",
            "http://other/healthz",
        ]);
        let mut request = Request::new(Body::empty());
        let methods = [Method::GET, Method::POST, Method::DELETE, Method::OPTIONS, Method::PUT];
        *request.method_mut() = methods[random.below(8).saturating_sub(3)].clone();
        *request.uri_mut() = path.parse().unwrap();
        who(request.headers_mut(), random);
        let mut out = format!("{request:?}");
        runtime.block_on(response(app, request, &mut out));
        out
    });
}
