//! The body and the headers of a request.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, HeaderName, header};
use bytes::Bytes;
use tokio::time::timeout;

use crate::problem::Problem;
use crate::state::Server;
use crate::upstream::Credentials;

/// The name of the member with the options for the gateway, and of the header in its place.
pub(crate) const OPTIONS: &str = "patchwire";

/// Headers with keys, which are forwarded to the model unchanged.
pub(crate) const KEYS: [HeaderName; 3] = [
    header::AUTHORIZATION,
    HeaderName::from_static("x-api-key"),
    HeaderName::from_static("api-key"),
];

/// The bytes of a request whose content type is JSON.
pub(crate) async fn body(
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

/// The options of a client that cannot add members to its requests.
pub(crate) fn options(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(options) = headers.get(OPTIONS) else { return Ok(None) };
    let bad = |_| {
        Problem::BadBody(
            "the header `patchwire` holds JSON in ASCII; write other characters as \\uXXXX"
                .to_owned(),
        )
    };
    options.to_str().map(|options| Some(options.to_owned())).map_err(bad)
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
