//! Requests over HTTP, and the body of the response as a stream.

use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use core::time::Duration;
use std::time::SystemTime;

use bytes::Bytes;
use futures_core::Stream;
use patchwire_async::sources::{Decoder, Delta, End, Opening, Protocol, ProviderError, Stop};
use patchwire_async::{Deltas, DeltasError};
use reqwest::header::{
    ACCEPT, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, DATE, HeaderMap, HeaderValue, LOCATION,
    RETRY_AFTER,
};

use crate::body_filter::BodyFilter;
use crate::endpoint::{Endpoint, Key};
use crate::error::{ChatError, ClientError, reasons};
use crate::error_filter::Content;
use crate::passed::{Passed, PassedBody, PassedResponse, Target};
use crate::secrets::Secrets;
use crate::tls;

/// Timeouts and pauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "to be written with `..Options::default()`")]
pub struct Options {
    /// The time limit for a connection.
    pub connect_timeout: Duration,
    /// The time limit for the next bytes, including the first: a model may think for long.
    pub idle_timeout: Duration,
    /// The first pause before a request is repeated, if the server sends none. It doubles with each
    /// failure, up to one minute.
    pub backoff: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(120),
            backoff: Duration::from_millis(500),
        }
    }
}

/// The header with the version of Anthropic's API, and the version that requests without one have.
const ANTHROPIC_VERSION: &str = "anthropic-version";
const VERSION: &str = "2023-06-01";

/// The number of bytes of an error's body that are read for a message.
const ERROR_BYTES: usize = 64 << 10;

/// The number of bytes of an error's body that are passed on. The rest is cut off.
const PASSED_ERROR_BYTES: usize = 1 << 20;

/// Makes the HTTP client. All requests share it and its connections.
pub(crate) fn client(options: Options) -> Result<reqwest::Client, ClientError> {
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(tls::config()?)
        .connect_timeout(options.connect_timeout)
        .read_timeout(options.idle_timeout)
        // A redirect could send the key to another host.
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("patchwire/", env!("CARGO_PKG_VERSION")))
        .build()?;
    Ok(client)
}

/// Sends a request, and returns the stream of the answer.
pub(crate) async fn send(
    client: reqwest::Client,
    endpoint: Endpoint,
    body: String,
    credentials: HeaderMap,
) -> Result<ResponseStream, ChatError> {
    let url = endpoint.parsed().clone();
    let mut request = client
        .post(url.clone())
        .header(CONTENT_TYPE, "application/json")
        .header(ACCEPT, "text/event-stream, application/x-ndjson");
    if endpoint.protocol() == Protocol::Anthropic {
        request = request.header(ANTHROPIC_VERSION, VERSION);
    }
    // The credentials of the caller take precedence over the key of the endpoint.
    if let Some(key) = endpoint.key().filter(|_| credentials.is_empty()) {
        let (name, value) = authorization(endpoint.protocol(), key);
        request = request.header(name, value);
    }
    let secrets = Secrets::of(&credentials, endpoint.key().map(Key::expose));
    request = request.headers(credentials);
    let url = named(url);
    let sent = request.body(body).send().await;
    let response = sent.map_err(|error| unreachable(url.clone(), error))?;
    let status = response.status();
    if is_redirect(status) {
        let location = location(&url, response.headers(), &secrets);
        return Err(ChatError::Redirect { url, location });
    }
    if !status.is_success() {
        let retry_after = retry_after(response.headers());
        let body = beginning(response, ERROR_BYTES).await;
        let error = hidden(ProviderError::of_response(status.as_u16(), &body), &secrets);
        return Err(ChatError::Status { url, error, retry_after });
    }
    if let Some(coding) = content_coding(response.headers()) {
        return Err(ChatError::Encoded { url, coding });
    }
    let protocol = endpoint.protocol();
    let body = if protocol.is_sse() && is_whole(&response) {
        let whole = whole(response, protocol).await?;
        Body::of_whole(BodyFilter::new(secrets.clone()).without_keys(whole))
    } else {
        // The decoder reads errors, and `ResponseStream` hides what looks like a key in them.
        let stream = PassedBody::new(response.bytes_stream(), secrets.clone(), Content::Other);
        Body::of_stream(stream)
    };
    Ok(ResponseStream { deltas: Deltas::new(body, protocol), secrets })
}

/// Sends a request as it is, and returns the response as it is.
pub(crate) async fn pass(
    client: reqwest::Client,
    endpoint: Endpoint,
    passed: Passed,
) -> Result<PassedResponse, ChatError> {
    let mut url = match &passed.target {
        Target::Endpoint => endpoint.parsed().clone(),
        Target::Models(name) => endpoint.models(name.as_deref()),
    };
    if let Some(query) = &passed.query {
        let own = url.query().map(|own| format!("{own}&")).unwrap_or_default();
        url.set_query(Some(&format!("{own}{query}")));
    }
    let mut request = match passed.target {
        Target::Endpoint => {
            client.post(url.clone()).header(CONTENT_TYPE, "application/json").body(passed.body)
        }
        Target::Models(_) => client.get(url.clone()),
    };
    if let Some(key) = endpoint.key().filter(|_| passed.wants_key) {
        let (name, value) = authorization(endpoint.protocol(), key);
        request = request.header(name, value);
    }
    if endpoint.protocol() == Protocol::Anthropic && !passed.headers.contains_key(ANTHROPIC_VERSION)
    {
        request = request.header(ANTHROPIC_VERSION, VERSION);
    }
    let secrets = Secrets::of(&passed.headers, endpoint.key().map(Key::expose));
    let sent = request.headers(passed.headers).send().await;
    let url = named(url);
    let response = sent.map_err(|error| unreachable(url.clone(), error))?;
    let status = response.status();
    if is_redirect(status) {
        let location = location(&url, response.headers(), &secrets);
        return Err(ChatError::Redirect { url, location });
    }
    let headers = response.headers().iter();
    let headers = headers.map(|(name, value)| (name.clone(), secrets.hide_value(value))).collect();
    let body = if status.is_success() {
        let content = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
        let content = Content::of(content.unwrap_or_default());
        PassedBody::new(response.bytes_stream(), secrets, content)
    } else {
        let body = beginning(response, PASSED_ERROR_BYTES).await;
        PassedBody::whole(secrets.hide_body(body.into()))
    };
    Ok(PassedResponse { status, headers, body })
}

fn unreachable(url: String, error: reqwest::Error) -> ChatError {
    let error = error.without_url();
    ChatError::Unreachable { url, reason: reasons(&error), error }
}

/// An error of the server without keys.
fn hidden(mut error: ProviderError, secrets: &Secrets) -> ProviderError {
    error.message = secrets.hide(&error.message);
    error.kind = error.kind.map(|kind| secrets.hide(&kind));
    error
}

/// Whether the status says that the answer is at another address.
fn is_redirect(status: reqwest::StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Where a redirect leads; none if it is no URL or may hold a secret.
pub(crate) fn location(url: &str, headers: &HeaderMap, secrets: &Secrets) -> Option<String> {
    let location = headers.get(LOCATION)?.to_str().ok()?;
    let location = reqwest::Url::parse(url).ok()?.join(location).ok()?;
    let has_user = !location.username().is_empty() || location.password().is_some();
    let has_more = location.query().is_some() || location.fragment().is_some();
    let is_http = matches!(location.scheme(), "http" | "https");
    (is_http && !has_user && !has_more).then(|| secrets.hide(location.as_str()))
}

/// The content coding, if the body has one.
pub(crate) fn content_coding(headers: &HeaderMap) -> Option<String> {
    let coding = String::from_utf8_lossy(headers.get(CONTENT_ENCODING)?.as_bytes());
    let coding = coding.trim();
    let is_none = coding.is_empty() || coding.eq_ignore_ascii_case("identity");
    (!is_none).then(|| coding.to_owned())
}

/// Whether the server sent a whole answer, although the request asked for a stream.
fn is_whole(response: &reqwest::Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.trim_start().starts_with("application/json"))
}

/// Turns a whole answer into a stream of one event.
async fn whole(response: reqwest::Response, protocol: Protocol) -> Result<Bytes, ChatError> {
    let body = response.bytes().await.map_err(DeltasError::Body)?;
    // The data of an event is one line. In JSON, a line end is whitespace.
    let blank = |byte: &u8| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte };
    let event = b"data: ".iter().copied().chain(body.iter().map(blank));
    let event: Bytes = event.chain(*b"\n\ndata: [DONE]\n\n").collect();
    if has_no_answer(protocol, &event) {
        let mut opening = Opening::new(protocol);
        opening.feed(&body);
        if let Some(found) = opening.foreign() {
            return Err(DeltasError::Foreign { protocol, found }.into());
        }
    }
    Ok(event)
}

/// Whether the event contains no answer and no reason for its absence. Facts such as the model do not
/// count, because other protocols have them in the same place.
fn has_no_answer(protocol: Protocol, event: &[u8]) -> bool {
    let mut decoder = Decoder::new(protocol);
    let mut found = false;
    let named = |name: &str| matches!(name, "id" | "model" | "usage");
    let read = decoder.feed(event, |delta| {
        found |= !matches!(delta, Delta::Fact { name, .. } if named(name));
    });
    read.is_ok() && !found && matches!(decoder.finish(drop), Ok(End::Closed(Stop::End)))
}

/// The URL without secrets: a key may be in the query, a password before the host.
pub(crate) fn named(mut url: reqwest::Url) -> String {
    url.set_query(None);
    // These calls only fail for a URL without a host, which an endpoint cannot have.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

/// The pause that the server asks for (RFC 9110 section 10.2.3): a number of seconds, or the time until a
/// date by the server's clock, if the response has one.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|header: &HeaderValue| header.to_str().ok());
    let value = text(RETRY_AFTER)?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that does not fit means for ever.
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    let date = text(DATE).and_then(|date| httpdate::parse_http_date(date.trim()).ok());
    let now = date.unwrap_or_else(SystemTime::now);
    Some(until.duration_since(now).unwrap_or_default())
}

pub(crate) fn authorization(
    protocol: Protocol,
    key: &Key,
) -> (reqwest::header::HeaderName, HeaderValue) {
    let (name, value) = match protocol {
        Protocol::Anthropic => {
            (reqwest::header::HeaderName::from_static("x-api-key"), key.expose().to_owned())
        }
        _ => (AUTHORIZATION, format!("Bearer {}", key.expose())),
    };
    // A text that no header can contain is not a key. The endpoint will refuse the request.
    let mut value = HeaderValue::from_str(&value).unwrap_or_else(|_| HeaderValue::from_static(""));
    value.set_sensitive(true);
    (name, value)
}

/// The beginning of a body.
async fn beginning(mut response: reqwest::Response, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        bytes.extend_from_slice(&chunk);
        if bytes.len() >= most {
            bytes.truncate(most);
            break;
        }
    }
    bytes
}

/// The most bytes of a body that are decoded at once. What follows a delta in a chunk is decoded when the delta was
/// read: the decoder copies an event that has begun, and a chunk of a fast server has a hundred kilobytes.
const PART: usize = 4 << 10;

/// The bytes of a response, in parts.
pub struct Body {
    /// None if the body came whole.
    stream: Option<PassedBody>,
    /// What is left of a chunk.
    chunk: Bytes,
}

impl Body {
    const fn of_stream(stream: PassedBody) -> Self {
        Self { stream: Some(stream), chunk: Bytes::new() }
    }

    const fn of_whole(chunk: Bytes) -> Self {
        Self { stream: None, chunk }
    }
}

impl Stream for Body {
    type Item = Result<Bytes, reqwest::Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        if this.chunk.is_empty() {
            let Some(stream) = &mut this.stream else { return Poll::Ready(None) };
            match ready!(Pin::new(stream).poll_next(cx)) {
                Some(Ok(chunk)) => this.chunk = chunk,
                end => return Poll::Ready(end),
            }
        }
        if this.chunk.len() <= PART {
            return Poll::Ready(Some(Ok(core::mem::take(&mut this.chunk))));
        }
        Poll::Ready(Some(Ok(this.chunk.split_to(PART))))
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Body(…)")
    }
}

/// The deltas of a model's answer.
pub struct ResponseStream {
    deltas: Deltas<Body>,
    secrets: Secrets,
}

impl fmt::Debug for ResponseStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ResponseStream").field(&self.deltas).finish()
    }
}

impl ResponseStream {
    /// The decoded body. It knows how the stream ended.
    #[must_use]
    pub const fn deltas(&self) -> &Deltas<Body> {
        &self.deltas
    }
}

impl Stream for ResponseStream {
    type Item = Result<Delta, ChatError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = Pin::new(&mut self.deltas).poll_next(cx);
        next.map_err(|error: DeltasError<reqwest::Error>| {
            ChatError::Stream(match error {
                DeltasError::Provider(error) => DeltasError::Provider(hidden(error, &self.secrets)),
                error => error,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use reqwest::header::{DATE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER};

    use super::{
        Body, Bytes, Context, PART, Pin, Poll, Secrets, Stream as _, location, retry_after,
    };

    #[test]
    fn a_body_comes_in_parts_and_whole() {
        for len in [1, PART, PART + 1, 3 * PART] {
            let text: Bytes = (0..len).map(|at| at as u8).collect();
            let (mut body, mut read) = (Body::of_whole(text.clone()), Vec::new());
            let mut cx = Context::from_waker(core::task::Waker::noop());
            while let Poll::Ready(Some(part)) = Pin::new(&mut body).poll_next(&mut cx) {
                let part = part.expect("it is here");
                assert!((1..=PART).contains(&part.len()), "{} of {len}", part.len());
                read.extend_from_slice(&part);
            }
            assert_eq!(read, text);
        }
    }

    #[test]
    fn a_redirect_is_named_where_its_address_has_no_secret() {
        let location = |to: &'static str| {
            let headers = HeaderMap::from_iter([(LOCATION, HeaderValue::from_static(to))]);
            location("https://a.example/v1/chat", &headers, &Secrets::default())
        };
        assert_eq!(location("/v2/chat").as_deref(), Some("https://a.example/v2/chat"));
        assert_eq!(location("http://b.example/").as_deref(), Some("http://b.example/"));
        for secret in [
            "/v2?token=x",
            "/v2#token",
            "https://user@b.example/",
            "https://:word@b.example/",
            "ftp://b.example/",
        ] {
            assert_eq!(location(secret), None, "{secret}");
        }
    }

    fn pause(retry: &'static str, date: &'static str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, HeaderValue::from_static(retry));
        headers.insert(DATE, HeaderValue::from_static(date));
        retry_after(&headers)
    }

    #[test]
    fn a_wait_is_so_many_seconds_or_until_a_time_by_the_servers_clock() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        let seconds = |retry, date| pause(retry, date).map(|wait| wait.as_secs());
        assert_eq!(seconds(" 7 ", ""), Some(7));
        assert_eq!(seconds("99999999999999999999", date), Some(u64::MAX));
        assert_eq!(seconds("Sun, 06 Nov 1994 08:50:07 GMT", date), Some(30));
        // The format from before 1994.
        assert_eq!(seconds("Sunday, 06-Nov-94 08:49:40 GMT", date), Some(3));
        assert_eq!(seconds("Sun Nov  6 08:49:41 1994", date), Some(4));
        // The time is in the past.
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:00 GMT", date), Some(0));
        // Without the server's clock, the local clock counts.
        assert_eq!(seconds("Sun, 06 Nov 1994 08:50:07 GMT", ""), Some(0));
        for other in ["", "soon", "-1", "1.5", "Sun, 06 Nov"] {
            assert_eq!(pause(other, date), None, "{other:?}");
        }
    }
}
