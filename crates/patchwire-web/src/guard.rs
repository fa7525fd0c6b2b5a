//! Checks which hosts and origins may use the server, and adds security headers.

use core::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;
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
    let mut response = match check(&server, request.headers()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn check(server: &Server, headers: &HeaderMap) -> Result<(), Problem> {
    let host = headers.get(header::HOST).ok_or(Problem::NoHost)?;
    let shown = || String::from_utf8_lossy(host.as_bytes()).into_owned();
    let wrong = || Problem::HostNotAllowed(shown());
    let authority: Authority =
        host.to_str().ok().and_then(|host| host.parse().ok()).ok_or_else(wrong)?;
    if !is_own(server, authority.host()) {
        return Err(wrong());
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
