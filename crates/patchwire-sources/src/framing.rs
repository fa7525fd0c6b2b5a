//! Splits a body into events.

use core::num::NonZeroUsize;

use sse_core::{PayloadTooLargeError, SseDecoder, SseEvent};

/// The limit of one event in bytes, unless a decoder has another.
pub const EVENT_BYTES: usize = 8 << 20;

/// One event.
pub(crate) type Framed = Result<FramedEvent, TooLong>;

/// The data of one event.
#[derive(Debug)]
pub(crate) struct FramedEvent {
    pub(crate) data: String,
    /// Whether the event has the name `error`.
    pub(crate) is_error: bool,
}

/// An event is longer than the limit.
pub(crate) struct TooLong;

#[derive(Debug, Clone)]
pub(crate) enum Framing {
    /// Server-sent events (WHATWG HTML §9.2).
    Sse(SseDecoder),
    /// One event a line (NDJSON).
    Lines { held: Vec<u8>, limit: usize },
}

impl Framing {
    pub(crate) fn sse(limit: usize) -> Self {
        Self::Sse(SseDecoder::with_limit(NonZeroUsize::new(limit).unwrap_or(NonZeroUsize::MIN)))
    }

    pub(crate) const fn lines(limit: usize) -> Self {
        Self::Lines { held: Vec::new(), limit }
    }

    /// The next event; none if more bytes are needed. Removes the bytes that were read from `bytes`.
    pub(crate) fn next(&mut self, bytes: &mut &[u8]) -> Option<Framed> {
        match self {
            Self::Sse(decoder) => loop {
                match decoder.next(bytes)? {
                    Ok(SseEvent::Message(message)) => {
                        let is_error = message.event == "error";
                        return Some(Ok(FramedEvent { data: message.data, is_error }));
                    }
                    Ok(SseEvent::Retry(_)) => {}
                    Err(PayloadTooLargeError) => return Some(Err(TooLong)),
                }
            },
            Self::Lines { held, limit } => next_line(held, *limit, bytes),
        }
    }

    /// The event that the end of the body completes, if there is one.
    pub(crate) fn finish(&mut self) -> Option<Framed> {
        self.next(&mut b"\n\n".as_slice())
    }
}

fn next_line(held: &mut Vec<u8>, limit: usize, bytes: &mut &[u8]) -> Option<Framed> {
    loop {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        if held.len() + part.len() > limit {
            return Some(Err(TooLong));
        }
        held.extend_from_slice(part);
        *bytes = &bytes[(part.len() + 1).min(bytes.len())..];
        end?;
        let line = String::from_utf8_lossy(held).trim().to_owned();
        held.clear();
        if !line.is_empty() {
            return Some(Ok(FramedEvent { data: line, is_error: false }));
        }
    }
}
