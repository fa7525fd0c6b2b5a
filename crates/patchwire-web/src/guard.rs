//! Checks which hosts and origins may use the server, and adds security headers.

use core::net::IpAddr;
use core::sync::atomic::Ordering;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::{Problem, ProblemCode};
use crate::state::Server;

/// The page may load only its own files, and may not make markup from text.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

/// The headers of every response.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

/// Passes a request on if it is meant for this server and its origin may use it.
pub(crate) async fn guard(State(server): State<Server>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    // Counted first: if the server is told to stop right after the check, it knows of this request.
    let unanswered = server.unanswered();
    let mut response = match check(&server, &request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    drop(unanswered);
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    record(&server, &response);
    tracing::info!(
        http.request.method = method.as_str(),
        // The pattern and not the path, which may hold anything.
        http.route = route.as_deref(),
        http.response.status_code = response.status().as_u16(),
        error.type = response.extensions().get::<ProblemCode>().map(|code| code.0),
        seconds = begun.elapsed().as_secs_f64(),
        "a request is answered"
    );
    response
}

fn record(server: &Server, response: &Response) {
    let problem = response.extensions().get::<ProblemCode>().map(|code| code.0);
    server.metrics.response(problem.unwrap_or("ok"));
    if let Some(code) = problem.filter(|code| code.starts_with("upstream_")) {
        server.metrics.upstream_error(code);
    }
}

/// Paths that are answered while the server lets its last streams end: of these streams, and for operators.
fn is_for_running(path: &str) -> bool {
    matches!(path, "/healthz" | "/metrics") || path.starts_with("/v1/fields/")
}

fn check(server: &Server, request: &Request) -> Result<(), Problem> {
    if server.is_draining.load(Ordering::Acquire) && !is_for_running(request.uri().path()) {
        return Err(Problem::Draining);
    }
    let headers = request.headers();
    let authority = host(headers)?;
    // RFC 9112, section 3.2.2: the host of an absolute target counts, not that of the header. They are equal,
    // unless somebody hopes that two servers on the way read different ones.
    let is_target = |target: &Authority| target.as_str().eq_ignore_ascii_case(authority.as_str());
    if !request.uri().authority().is_none_or(is_target) {
        return Err(Problem::BadHost);
    }
    if !is_own(server, authority.host()) {
        return Err(Problem::HostNotAllowed(authority.to_string()));
    }
    match headers.get(header::ORIGIN) {
        None => Ok(()),
        Some(origin) if server.options.origins.contains(origin) => Ok(()),
        Some(origin) if is_same(origin, &authority) => Ok(()),
        Some(origin) => {
            Err(Problem::OriginNotAllowed(String::from_utf8_lossy(origin.as_bytes()).into_owned()))
        }
    }
}

/// The host that the request is for: one header, of a name or an address and maybe a port (RFC 9112, section 3.2).
fn host(headers: &HeaderMap) -> Result<Authority, Problem> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return Err(if headers.contains_key(header::HOST) {
            Problem::BadHost
        } else {
            Problem::NoHost
        });
    };
    let authority: Authority =
        host.to_str().ok().and_then(|host| host.parse().ok()).ok_or(Problem::BadHost)?;
    // What is left of an authority without a user name.
    let port = authority.as_str().strip_prefix(authority.host());
    let is_whole = port.is_some_and(|port| port.is_empty() || authority.port_u16().is_some());
    if is_whole { Ok(authority) } else { Err(Problem::BadHost) }
}

/// Prevents DNS rebinding: a page could point its own name at this server. It cannot do that with
/// an address.
fn is_own(server: &Server, host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(&host);
    host == "localhost" || bare.parse::<IpAddr>().is_ok() || server.options.hosts.contains(&host)
}

/// Whether the origin is this server.
fn is_same(origin: &HeaderValue, host: &Authority) -> bool {
    let origin = origin.to_str().unwrap_or_default();
    let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    rest.is_some_and(|rest| rest.eq_ignore_ascii_case(host.as_str()))
}
