//! One body, from its first byte to its end.

use serde_json::Value as Json;

use crate::delta::Delta;
use crate::end::{End, Stop};
use crate::error::{DecodeError, DecodeErrorKind, ProviderError, excerpt};
use crate::framing::{EVENT_BYTES, Framed, Framing, TooLong};
use crate::protocol::{Protocol, Reader};
use crate::surrogates;

/// Most characters of an event that are repeated in a message.
const EXCERPT: usize = 80;

/// Decodes one body: bytes in, cut anywhere, [`Delta`]s out.
///
/// Never holds more than one event. Events of a protocol that say nothing of the answer are passed
/// over, and so is what is unknown in those that do: providers add fields.
#[derive(Debug, Clone)]
pub struct Decoder {
    framing: Framing,
    reader: Reader,
    limit: usize,
    fed: u64,
    /// Where the last event ended.
    read: u64,
    /// Where the event begins that first said that something is wrong.
    trouble: Option<u64>,
    heard: Heard,
    state: State,
}

#[derive(Debug, Clone)]
enum State {
    Open,
    Finished,
    Broken(DecodeError),
}

/// What was heard of the end.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heard {
    /// Why the model stopped.
    pub(crate) stop: Option<Stop>,
    /// That nothing more will come.
    pub(crate) closed: bool,
    pub(crate) error: Option<ProviderError>,
}

impl Decoder {
    /// Of a body in this protocol.
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
            heard: Heard::default(),
            state: State::Open,
        }
    }

    /// Reads more of the body.
    ///
    /// # Errors
    /// If an event is no JSON object or too long, and from then on the same error; if the body was
    /// finished.
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

    /// Ends the body: what the last event still says, and how the stream ended.
    ///
    /// # Errors
    /// If the decoder has failed before, or was finished. An event that the connection's end has cut
    /// is no error but a [cut](End::Cut).
    pub fn finish(&mut self, mut on_delta: impl FnMut(Delta)) -> Result<End, DecodeError> {
        self.check()?;
        self.state = State::Finished;
        if let Some(framed) = self.framing.finish() {
            // Some servers leave out the blank line behind the last event.
            let _cut = self.event(framed, &mut on_delta);
        }
        Ok(self.end())
    }

    /// Whether the provider said that nothing more will come.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.heard.closed
    }

    /// Where the event begins in which the provider first reports an error or the model refuses, in bytes
    /// from the start of the body; none as long as neither has happened.
    #[must_use]
    pub const fn trouble_at(&self) -> Option<u64> {
        self.trouble
    }

    fn end(&mut self) -> End {
        let Heard { stop, closed, error } = core::mem::take(&mut self.heard);
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
                self.heard.closed = true;
                return Ok(());
            }
            // Something to keep the connection alive.
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
        self.reader.event(&event, &mut self.heard, &mut |delta| {
            refuses |= matches!(delta, Delta::Refusal(_));
            on_delta(delta);
        });
        if refuses || self.heard.error.is_some() || self.heard.stop == Some(Stop::Refusal) {
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
