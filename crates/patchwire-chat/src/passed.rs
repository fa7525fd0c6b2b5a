//! Requests and responses that are passed on as they are.

use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;

use crate::body_filter::BodyFilter;
use crate::error_filter::{Content, ErrorFilter};
use crate::secrets::Secrets;

/// Where a request goes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// The endpoint itself, with POST.
    Endpoint,
    /// The list of models beside it, or one of them, with GET.
    Models(Option<String>),
}

/// A request as a client sent it.
#[derive(Clone)]
#[expect(clippy::exhaustive_structs, reason = "written by gateways")]
pub struct Passed {
    /// Where it goes.
    pub target: Target,
    /// A query to add to the URL.
    pub query: Option<String>,
    /// The headers to send.
    pub headers: HeaderMap,
    /// Whether the key of the endpoint is sent.
    pub wants_key: bool,
    /// The body; ignored for GET.
    pub body: Bytes,
}

/// Prints no header, because some hold keys, and no text.
impl fmt::Debug for Passed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passed")
            .field("target", &self.target)
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

/// A response as the server sent it.
#[derive(Debug)]
#[non_exhaustive]
pub struct PassedResponse {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: PassedBody,
}

/// The body of a response, chunk by chunk. A key of the request that is in it is replaced, and in an error also what looks
/// like one.
pub struct PassedBody {
    /// None after its end.
    chunks: Option<Chunks>,
    keys: BodyFilter,
    errors: ErrorFilter,
    /// Why the body broke off, once its last bytes are passed on.
    broken: Option<reqwest::Error>,
}

type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes, reqwest::Error>> + Send>>;

impl PassedBody {
    pub(crate) fn new(
        body: impl Stream<Item = Result<Bytes, reqwest::Error>> + Send + 'static,
        secrets: Secrets,
        content: Content,
    ) -> Self {
        let errors = ErrorFilter::new(secrets.clone(), content);
        let keys = BodyFilter::new(secrets);
        Self { chunks: Some(Box::pin(body)), keys, errors, broken: None }
    }

    /// A body that is known.
    pub(crate) fn whole(body: Bytes) -> Self {
        let errors = ErrorFilter::new(Secrets::default(), Content::Other);
        Self { chunks: None, keys: BodyFilter::holding(body), errors, broken: None }
    }

    /// What the filters hold at the end of the body.
    fn rest(&mut self) -> Bytes {
        let rest = self.keys.rest();
        let passed = self.errors.next(rest);
        [passed, self.errors.rest()].concat().into()
    }
}

impl Stream for PassedBody {
    type Item = Result<Bytes, reqwest::Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        while let Some(chunks) = &mut this.chunks {
            match ready!(chunks.as_mut().poll_next(cx)) {
                Some(Ok(chunk)) => {
                    let chunk = this.errors.next(this.keys.next(chunk));
                    if !chunk.is_empty() {
                        return Poll::Ready(Some(Ok(chunk)));
                    }
                }
                Some(Err(error)) => (this.chunks, this.broken) = (None, Some(error)),
                None => this.chunks = None,
            }
        }
        let rest = this.rest();
        if rest.is_empty() {
            return Poll::Ready(this.broken.take().map(Err));
        }
        Poll::Ready(Some(Ok(rest)))
    }
}

impl fmt::Debug for PassedBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PassedBody(…)")
    }
}
