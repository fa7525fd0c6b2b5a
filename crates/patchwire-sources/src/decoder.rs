//! Decodes one response body.

use serde_json::Value as Json;

use crate::delta::Delta;
use crate::end::{End, Stop};
use crate::error::{DecodeError, DecodeErrorKind, excerpt};
use crate::framing::{EVENT_BYTES, Framed, Framing, TooLong};
use crate::protocol::{EndState, Protocol, Reader};
use crate::surrogates;

/// The number of characters of an event that an error message quotes.
const EXCERPT: usize = 80;

/// Decodes one response body. Bytes go in, cut anywhere; [`Delta`]s come out.
///
/// The decoder holds at most one event. It ignores events that do not belong to the answer, and unknown
/// fields of the other events, because providers add fields.
#[derive(Debug, Clone)]
pub struct Decoder {
    framing: Framing,
    reader: Reader,
    limit: usize,
    fed: u64,
    /// The offset at which the last event ended.
    read: u64,
    /// The offset of the first event with an error or a refusal.
    trouble: Option<u64>,
    end_state: EndState,
    state: State,
}

#[derive(Debug, Clone)]
enum State {
    Open,
    Finished,
    Broken(DecodeError),
}

impl Decoder {
    /// A decoder for a body in this protocol.
    #[must_use]
    pub fn new(protocol: Protocol) -> Self {
        Self::with_limit(protocol, EVENT_BYTES)
    }

    /// A decoder with another limit on the size of one event, in bytes.
    #[must_use]
    pub fn with_limit(protocol: Protocol, limit: usize) -> Self {
        let framing = if protocol.is_sse() { Framing::sse(limit) } else { Framing::lines(limit) };
        Self {
            framing,
            reader: Reader::new(protocol),
            limit,
            fed: 0,
            read: 0,
            trouble: None,
            end_state: EndState::default(),
            state: State::Open,
        }
    }

    /// Decodes the next bytes of the body.
    ///
    /// # Errors
    /// An event is not a JSON object or is too long; later calls return this error again. The body was
    /// finished before.
    pub fn feed(
        &mut self,
        chunk: &[u8],
        mut on_delta: impl FnMut(Delta),
    ) -> Result<(), DecodeError> {
        self.check()?;
        self.fed += chunk.len() as u64;
        let mut rest = chunk;
        while let Some(framed) = self.framing.next(&mut rest) {
            if let Err(kind) = self.event(framed, &mut on_delta) {
                return Err(self.fail(self.read, kind));
            }
            self.read = self.fed - rest.len() as u64;
        }
        Ok(())
    }

    /// Ends the body. Decodes the last event, and returns how the stream ended.
    ///
    /// # Errors
    /// The decoder failed before, or was finished before. If the end of the connection cut an event, the
    /// result is [`End::Cut`] and no error.
    pub fn finish(&mut self, mut on_delta: impl FnMut(Delta)) -> Result<End, DecodeError> {
        self.check()?;
        self.state = State::Finished;
        if let Some(framed) = self.framing.finish() {
            // Some servers leave out the blank line behind the last event.
            let _cut = self.event(framed, &mut on_delta);
        }
        Ok(self.end())
    }

    /// Whether the provider closed the stream.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.end_state.closed
    }

    /// The offset of the first event in which the provider reports an error or the model refuses, in bytes
    /// from the start of the body. None if there is no such event.
    #[must_use]
    pub const fn trouble_at(&self) -> Option<u64> {
        self.trouble
    }

    fn end(&mut self) -> End {
        let EndState { stop, closed, error } = core::mem::take(&mut self.end_state);
        match (error, stop) {
            (Some(error), _) => End::Failed(error),
            (None, stop) if closed => End::Closed(stop.unwrap_or(Stop::End)),
            (None, stop) => End::Cut(stop),
        }
    }

    fn event(
        &mut self,
        framed: Framed,
        on_delta: &mut dyn FnMut(Delta),
    ) -> Result<(), DecodeErrorKind> {
        let data = framed.map_err(|TooLong| DecodeErrorKind::TooLong { limit: self.limit })?;
        match data.trim() {
            "[DONE]" => {
                self.end_state.closed = true;
                return Ok(());
            }
            // An event that keeps the connection alive.
            "" => return Ok(()),
            _ => {}
        }
        let not_json =
            |reason: String| DecodeErrorKind::NotJson { reason, excerpt: excerpt(&data, EXCERPT) };
        let event = serde_json::from_str(&data).or_else(|error| {
            let mended = surrogates::mended(&data).ok_or(error)?;
            serde_json::from_str::<Json>(&mended)
        });
        let event = event.map_err(|error| not_json(error.to_string()))?;
        if !event.is_object() {
            return Err(not_json("another value".to_owned()));
        }
        let mut refuses = false;
        self.reader.event(&event, &mut self.end_state, &mut |delta| {
            refuses |= matches!(delta, Delta::Refusal(_));
            on_delta(delta);
        });
        if refuses || self.end_state.error.is_some() || self.end_state.stop == Some(Stop::Refusal) {
            self.trouble.get_or_insert(self.read);
        }
        Ok(())
    }

    fn check(&self) -> Result<(), DecodeError> {
        match &self.state {
            State::Open => Ok(()),
            State::Finished => Err(DecodeError { offset: self.fed, kind: DecodeErrorKind::Over }),
            State::Broken(error) => Err(error.clone()),
        }
    }

    fn fail(&mut self, offset: u64, kind: DecodeErrorKind) -> DecodeError {
        let error = DecodeError { offset, kind };
        self.state = State::Broken(error.clone());
        error
    }
}
