//! The body of a provider's response as a stream of deltas.

use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::collections::VecDeque;

use futures_core::Stream;
use futures_core::stream::FusedStream;
use patchwire_sources::{
    DecodeError, Decoder, Delta, End, Foreign, Opening, Protocol, ProviderError, Stop,
};

/// After so many bytes without a delta, other tasks have their turn: a body can come faster than it is decoded.
const TURN: usize = 64 << 10;

/// Decodes the body of a provider's response: bytes, cut anywhere, become [`Delta`]s.
///
/// If the provider does not close the stream, or reports an error, the stream ends with a
/// [`DeltasError`]. Read it with [`fields_with`](crate::TokenStreamExt::fields_with) and
/// [`Inputs::delta`](crate::Inputs::delta).
pub struct Deltas<S> {
    /// None after its end.
    body: Option<Pin<Box<S>>>,
    decoder: Decoder,
    ready: VecDeque<Delta>,
    refusal: String,
    /// The beginning of the body, until the first delta.
    opening: Option<Opening>,
    end: Option<Result<End, DecodeError>>,
    /// Whether the end was returned.
    end_returned: bool,
}

/// Why a body did not end normally. Earlier deltas stay valid.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeltasError<E> {
    /// The connection failed.
    #[error("the connection failed")]
    Body(#[source] E),
    /// The body cannot be decoded.
    #[error("the response cannot be read: {0}")]
    Decode(#[source] DecodeError),
    /// The body is of another protocol, or no stream. Repeating the request does not help.
    #[error("what came is not of the protocol {protocol}: it is {found}")]
    Foreign {
        /// The expected protocol.
        protocol: Protocol,
        /// What the body is.
        found: Foreign,
    },
    /// The provider sent an error in place of the rest.
    #[error("the provider reports {0}")]
    Provider(#[source] ProviderError),
    /// The connection ended before the provider closed the stream.
    #[error("the connection ended in the middle of the answer")]
    Cut,
    /// The model refused to answer, with this explanation.
    #[error("the model refuses: {0}")]
    Refused(String),
}

impl<S> Deltas<S> {
    /// Decodes a body in this protocol.
    #[must_use]
    pub fn new(body: S, protocol: Protocol) -> Self {
        let opening = Some(Opening::new(protocol));
        Self { opening, ..Self::decoding(body, Decoder::new(protocol)) }
    }

    /// Decodes a body with a given decoder. A body of another protocol then counts as
    /// [cut](DeltasError::Cut).
    #[must_use]
    pub fn decoding(body: S, decoder: Decoder) -> Self {
        Self {
            body: Some(Box::pin(body)),
            decoder,
            ready: VecDeque::new(),
            refusal: String::new(),
            opening: None,
            end: None,
            end_returned: false,
        }
    }

    /// How the body ended. None before the end, and none if the body could not be decoded.
    #[must_use]
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()?.as_ref().ok()
    }

    /// Bytes of the provider's event that has begun and is not complete: what the next chunk may have to decode at
    /// once.
    #[must_use]
    pub const fn pending_bytes(&self) -> u64 {
        self.decoder.pending_bytes()
    }

    /// Decodes the next chunk, or the end. Deltas are returned before an error that follows them.
    fn decode(&mut self, chunk: Option<&[u8]>) {
        let Self { decoder, ready, opening, .. } = self;
        let mut is_known = false;
        let on_delta = |delta| {
            // Several protocols have usage in the same place.
            is_known |= !matches!(delta, Delta::Fact { name: "usage", .. });
            ready.push_back(delta);
        };
        if let (Some(opening), Some(chunk)) = (opening.as_mut(), chunk) {
            opening.feed(chunk);
        }
        self.end = match chunk {
            Some(chunk) => decoder.feed(chunk, on_delta).err().map(Err),
            None => Some(decoder.finish(on_delta)),
        };
        if is_known {
            *opening = None;
        }
        if self.end.is_some() {
            self.body = None;
        }
    }

    /// The error of a body that ended without a delta, and is certainly not of the protocol.
    fn foreign<E>(&self) -> Option<DeltasError<E>> {
        let (Ok(End::Cut(None) | End::Closed(_)), Some(opening)) =
            (self.end.as_ref()?, &self.opening)
        else {
            return None;
        };
        Some(match opening.foreign()? {
            Foreign::Reported(error) => DeltasError::Provider(error),
            found => DeltasError::Foreign { protocol: opening.protocol(), found },
        })
    }

    /// The error of the end, once.
    fn error<E>(&mut self) -> Option<DeltasError<E>> {
        if core::mem::replace(&mut self.end_returned, true) {
            return None;
        }
        if let Some(error) = self.foreign() {
            return Some(error);
        }
        let refusal = core::mem::take(&mut self.refusal);
        let refused = |why: &str| {
            DeltasError::Refused(
                if why.is_empty() { "it does not say why" } else { why }.to_owned(),
            )
        };
        match self.end.as_ref()? {
            Err(error) => Some(DeltasError::Decode(error.clone())),
            Ok(End::Failed(error)) => Some(DeltasError::Provider(error.clone())),
            Ok(End::Cut(None)) => Some(DeltasError::Cut),
            Ok(End::Closed(Stop::Refusal)) => Some(refused(&refusal)),
            // A stop reason is enough, because some servers do not close their streams.
            Ok(_) => (!refusal.is_empty()).then(|| refused(&refusal)),
        }
    }
}

impl<S, C, E> Stream for Deltas<S>
where
    S: Stream<Item = Result<C, E>>,
    C: AsRef<[u8]>,
{
    type Item = Result<Delta, DeltasError<E>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        let mut without = 0;
        loop {
            if let Some(delta) = this.ready.pop_front() {
                if let Delta::Refusal(text) = &delta {
                    this.refusal.push_str(text);
                }
                return Poll::Ready(Some(Ok(delta)));
            }
            let Some(body) = &mut this.body else {
                return Poll::Ready(this.error().map(Err));
            };
            if without >= TURN {
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            match ready!(body.as_mut().poll_next(cx)) {
                Some(Ok(chunk)) => {
                    without += chunk.as_ref().len();
                    this.decode(Some(chunk.as_ref()));
                }
                None => this.decode(None),
                Some(Err(error)) => {
                    (this.body, this.end_returned) = (None, true);
                    return Poll::Ready(Some(Err(DeltasError::Body(error))));
                }
            }
        }
    }
}

impl<S, C, E> FusedStream for Deltas<S>
where
    S: Stream<Item = Result<C, E>>,
    C: AsRef<[u8]>,
{
    fn is_terminated(&self) -> bool {
        self.end_returned && self.ready.is_empty()
    }
}

impl<S> fmt::Debug for Deltas<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deltas")
            .field("decoder", &self.decoder)
            .field("ready", &self.ready.len())
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}
