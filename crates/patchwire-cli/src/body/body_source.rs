//! A response body as the source of a response: gives out what was fed, and is pending until more
//! is.

use core::convert::Infallible;
use core::pin::Pin;
use core::task::{Context, Poll};
use std::collections::VecDeque;

use futures_core::Stream;
use patchwire_async::sources::{
    DecodeError, Decoder, Delta, End, Foreign, Opening, Protocol, Stop,
};

use super::fault::{self, Fault};
use crate::recording_writer::{RecordError, RecordingWriter};

/// A response body that is being decoded.
pub(crate) struct BodySource {
    decoder: Decoder,
    ready: VecDeque<Delta>,
    refusal: String,
    /// The answer's text since it was taken last.
    #[cfg(feature = "watch")]
    text: String,
    /// Where the answer's text is recorded.
    recording: Option<RecordingWriter>,
    bytes: u64,
    /// The beginning of the body, as long as it holds no event.
    opening: Option<Opening>,
    end: Option<End>,
    fault: Option<Fault>,
    /// Whether the model called tools.
    calls: bool,
    is_finished: bool,
}

impl BodySource {
    pub(super) fn new(protocol: Protocol, recording: Option<RecordingWriter>) -> Self {
        Self {
            decoder: Decoder::new(protocol),
            ready: VecDeque::new(),
            refusal: String::new(),
            #[cfg(feature = "watch")]
            text: String::new(),
            recording,
            bytes: 0,
            opening: Some(Opening::new(protocol)),
            end: None,
            fault: None,
            calls: false,
            is_finished: false,
        }
    }

    /// Reads more of the body. A body that cannot be decoded becomes a fault, not an error.
    pub(super) fn feed(&mut self, chunk: &[u8]) -> Result<(), RecordError> {
        if self.is_over() {
            return Ok(());
        }
        self.bytes += chunk.len() as u64;
        if let Some(opening) = &mut self.opening {
            opening.feed(chunk);
        }
        let before = self.ready.len();
        let decoded = self.decoder.feed(chunk, |delta| self.ready.push_back(delta));
        self.fault = decoded.err().map(|error| self.unreadable(error));
        self.take_new_deltas(before)
    }

    /// Ends the body.
    pub(super) fn finish(&mut self) -> Result<(), RecordError> {
        self.is_finished = true;
        if self.fault.is_none() {
            let before = self.ready.len();
            let end = self.decoder.finish(|delta| self.ready.push_back(delta));
            self.take_new_deltas(before)?;
            match end {
                Ok(end) => {
                    self.end = Some(end);
                    self.fault = self.find_fault();
                }
                Err(error) => self.fault = Some(self.unreadable(error)),
            }
        }
        match self.recording.take() {
            // A recording holds what the model wrote; without text, its line is removed.
            Some(mut recording) if self.calls || self.fault.is_some() => {
                recording.finish_or_remove()
            }
            Some(mut recording) => recording.finish(),
            None => Ok(()),
        }
    }

    /// The answer's text since this was asked last. Only the view asks.
    #[cfg(feature = "watch")]
    pub(super) fn take_text(&mut self) -> String {
        core::mem::take(&mut self.text)
    }

    /// Whether the rest of the body is ignored.
    pub(super) const fn is_over(&self) -> bool {
        self.is_finished || self.fault.is_some()
    }

    pub(super) const fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    pub(super) const fn stop(&self) -> Option<&Stop> {
        match &self.end {
            Some(End::Closed(stop) | End::Cut(Some(stop))) => Some(stop),
            _ => None,
        }
    }

    /// The model's reason for refusing, if it refused.
    pub(super) fn refusal(&self) -> Option<&str> {
        Some(self.refusal.as_str()).filter(|why| !why.is_empty())
    }

    /// Takes note of the deltas from `before` on, and records their text.
    fn take_new_deltas(&mut self, before: usize) -> Result<(), RecordError> {
        for delta in self.ready.range(before..) {
            // Several protocols report usage in the same place, so it does not identify one.
            if !matches!(delta, Delta::Fact { name: "usage", .. }) {
                self.opening = None;
            }
            match delta {
                Delta::Text(text) => {
                    #[cfg(feature = "watch")]
                    self.text.push_str(text);
                    self.recording
                        .as_mut()
                        .map_or(Ok(()), |recording| recording.chunk(text.as_bytes(), None))?;
                }
                Delta::Call(_) => self.calls = true,
                Delta::Refusal(why) => self.refusal.push_str(why),
                _ => {}
            }
        }
        Ok(())
    }

    /// The fault of a body that cannot be decoded: it may be of an API that is known.
    fn unreadable(&self, error: DecodeError) -> Fault {
        let is_known = |fault: &Fault| {
            matches!(fault, Fault::Silent { found: Some(Foreign::Unsupported(_)), .. })
        };
        let silence = self.opening.as_ref().map(|opening| fault::of_silence(opening, self.bytes));
        silence.filter(is_known).unwrap_or(Fault::Unreadable(error))
    }

    /// Why the body does not end as an answer should.
    fn find_fault(&self) -> Option<Fault> {
        let offset = self.decoder.trouble_at();
        match self.end.as_ref()? {
            End::Failed(error) => Some(Fault::Reported { offset, error: error.clone() }),
            End::Closed(Stop::Refusal) => Some(Fault::refused(offset, &self.refusal)),
            _ if !self.refusal.is_empty() => Some(Fault::refused(offset, &self.refusal)),
            _ if self.opening.is_some() => {
                self.opening.as_ref().map(|opening| fault::of_silence(opening, self.bytes))
            }
            End::Cut(None) => Some(Fault::Cut { offset: self.bytes }),
            // A stop reason is enough: not every server closes its stream.
            _ => None,
        }
    }
}

impl Stream for BodySource {
    type Item = Result<Delta, Infallible>;

    /// No waker is kept: the caller polls again after feeding.
    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.ready.pop_front() {
            Some(delta) => Poll::Ready(Some(Ok(delta))),
            None if self.is_finished => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}
