//! The body of a provider's response, as a stream of what it says.

use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::collections::VecDeque;

use futures_core::Stream;
use futures_core::stream::FusedStream;
use patchwire_sources::{
    DecodeError, Decoder, Delta, End, Foreign, Opening, Protocol, ProviderError, Stop,
};

/// What a provider says in the body of a response: bytes, cut anywhere, become [`Delta`]s.
///
/// The stream ends where the provider says that it does, with an error where it ends otherwise: see
/// [`DeltasError`]. Give it to [`fields_with`](crate::TokenStreamExt::fields_with) with
/// [`Inputs::delta`](crate::Inputs::delta).
pub struct Deltas<S> {
    /// None when it is over.
    body: Option<Pin<Box<S>>>,
    decoder: Decoder,
    ready: VecDeque<Delta>,
    refusal: String,
    /// How the body begins, as long as it says nothing.
    opening: Option<Opening>,
    end: Option<Result<End, DecodeError>>,
    /// The end was told.
    told: bool,
}

/// Why a body did not end as it should. What came before it stands.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeltasError<E> {
    /// The connection failed.
    #[error("the connection failed")]
    Body(#[source] E),
    /// What came is not of the protocol.
    #[error("the response cannot be read: {0}")]
    Decode(#[source] DecodeError),
    /// Nothing that came is of the protocol: it is something else. To ask again is in vain.
    #[error("what came is not of the protocol {protocol}: it is {found}")]
    Foreign {
        /// What it should be.
        protocol: Protocol,
        /// What it is.
        found: Foreign,
    },
    /// The provider sent an error in place of the rest.
    #[error("the provider reports {0}")]
    Provider(#[source] ProviderError),
    /// The connection ended, and the provider had not said that this is all.
    #[error("the connection ended in the middle of the answer")]
    Cut,
    /// The model does not want to answer.
    #[error("the model refuses: {0}")]
    Refused(String),
}

impl<S> Deltas<S> {
    /// Of a body in this protocol.
    #[must_use]
    pub fn new(body: S, protocol: Protocol) -> Self {
        let opening = Some(Opening::new(protocol));
        Self { opening, ..Self::decoding(body, Decoder::new(protocol)) }
    }

    /// Decodes a body with a decoder that is already set up. A body of another protocol then counts as
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
            told: false,
        }
    }

    /// How the provider ended the body; none before that, and none if it could not be read.
    #[must_use]
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()?.as_ref().ok()
    }

    /// Reads more of the body, or its end. Deltas come before an error that is behind them.
    fn decode(&mut self, chunk: Option<&[u8]>) {
        let Self { decoder, ready, opening, .. } = self;
        let mut says = false;
        let on_delta = |delta| {
            // Several protocols have that in the same place.
            says |= !matches!(delta, Delta::Fact { name: "usage", .. });
            ready.push_back(delta);
        };
        if let (Some(opening), Some(chunk)) = (opening.as_mut(), chunk) {
            opening.feed(chunk);
        }
        self.end = match chunk {
            Some(chunk) => decoder.feed(chunk, on_delta).err().map(Err),
            None => Some(decoder.finish(on_delta)),
        };
        if says {
            *opening = None;
        }
        if self.end.is_some() {
            self.body = None;
        }
    }

    /// What the body is, if it ended, said nothing, and is surely not of the protocol.
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

    /// The error that the end is, if it is one and was not told.
    fn error<E>(&mut self) -> Option<DeltasError<E>> {
        if core::mem::replace(&mut self.told, true) {
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
            // A reason is enough: not every server closes its streams.
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
            match ready!(body.as_mut().poll_next(cx)) {
                Some(Ok(chunk)) => this.decode(Some(chunk.as_ref())),
                None => this.decode(None),
                Some(Err(error)) => {
                    (this.body, this.told) = (None, true);
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
        self.told && self.ready.is_empty()
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
