use http_body_util::BodyExt as _;

use crate::support::{always, app, get, problem, send};

#[tokio::test]
async fn the_page_and_its_files_are_served_under_a_strict_policy() {
    let app = app(Default::default(), always(&[]));
    for (path, kind, holds) in [
        ("/", "text/html; charset=utf-8", "<title>patchwire</title>"),
        ("/style.css", "text/css; charset=utf-8", "data-theme"),
        ("/panels.css", "text/css; charset=utf-8", ".stage"),
        ("/icon.svg", "image/svg+xml", "<svg"),
        ("/ask.css", "text/css; charset=utf-8", "#ask"),
        ("/main.js", "text/javascript; charset=utf-8", "async function begin"),
        ("/ask.js", "text/javascript; charset=utf-8", "export class Ask"),
        ("/answer_stream.js", "text/javascript; charset=utf-8", "export class AnswerStream"),
        ("/play.js", "text/javascript; charset=utf-8", "export class Play"),
        ("/stage.js", "text/javascript; charset=utf-8", "export class Stage"),
        ("/raw.js", "text/javascript; charset=utf-8", "export class Raw"),
        ("/theme.js", "text/javascript; charset=utf-8", "export function theme"),
        ("/events.js", "text/javascript; charset=utf-8", "export async function* batches"),
        ("/fold.js", "text/javascript; charset=utf-8", "export class Fold"),
        ("/fields.js", "text/javascript; charset=utf-8", "export class Fields"),
        ("/log.js", "text/javascript; charset=utf-8", "export class Log"),
        ("/cut.js", "text/javascript; charset=utf-8", "export class Cut"),
        ("/own.css", "text/css; charset=utf-8", "#own"),
        ("/connect.js", "text/javascript; charset=utf-8", "export async function* recordsOf"),
        ("/own.js", "text/javascript; charset=utf-8", "export class Own"),
        ("/share.js", "text/javascript; charset=utf-8", "export async function pack"),
        ("/infer.js", "text/javascript; charset=utf-8", "export function infer"),
        ("/notes.js", "text/javascript; charset=utf-8", "export class Notes"),
        ("/lights.js", "text/javascript; charset=utf-8", "export class Lights"),
        ("/programs.js", "text/javascript; charset=utf-8", "export function program"),
        ("/result.js", "text/javascript; charset=utf-8", "export class Result"),
    ] {
        let response = send(&app, get(path)).await;
        let headers = response.headers().clone();
        assert_eq!(
            (response.status().as_u16(), &headers["content-type"]),
            (200, &kind.parse().unwrap())
        );
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
        assert!(policy.contains("require-trusted-types-for 'script'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(headers["x-content-type-options"], "nosniff");
        assert_eq!(headers["x-frame-options"], "DENY");
        assert_eq!(headers["referrer-policy"], "no-referrer");
        assert!(!headers.contains_key("access-control-allow-origin"));
        let body = response.into_body().collect().await.unwrap().to_bytes();
        assert!(str::from_utf8(&body).unwrap().contains(holds), "{path}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_said_in_json() {
    let app = app(Default::default(), always(&[]));
    let (status, code, message) = problem(send(&app, get("/nowhere")).await).await;
    assert_eq!((status, code.as_str()), (404, "not_found"));
    assert!(message.contains("GET /v1/streams"), "{message}");
    let response = send(&app, get("/v1/fields")).await;
    assert_eq!(response.headers()["allow"], "POST");
    let (status, code, _) = problem(response).await;
    assert_eq!((status, code.as_str()), (405, "method_not_allowed"));
}
