//! Splits a body into events.

use core::num::NonZeroUsize;

use sse_core::{PayloadTooLargeError, SseDecoder, SseEvent};

use crate::event_stream::{EventStream, FoundMessage};
use crate::json_objects::{FoundObject, JsonObjects};

/// The limit of one event in bytes, unless a decoder has another.
pub const EVENT_BYTES: usize = 8 << 20;

/// The largest buffer that is kept for the next event, in bytes.
const LONG: usize = 16 << 10;

/// How the events of a body are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FramingKind {
    Sse,
    Lines,
    /// Server-sent events or JSON objects; the first visible byte decides.
    SseOrJson,
    /// Binary messages, server-sent events or JSON objects; the first visible byte decides.
    BinaryOrJson,
}

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
    Sse { decoder: SseDecoder, limit: usize },
    /// One event a line (NDJSON).
    Lines { held: Vec<u8>, limit: usize },
    /// JSON objects, in a list or one after another.
    Objects { objects: JsonObjects, limit: usize },
    /// AWS's binary messages.
    Binary { messages: EventStream, limit: usize },
    /// Before the first visible byte.
    Undecided { binary: bool, limit: usize },
}

impl Framing {
    pub(crate) fn new(kind: FramingKind, limit: usize) -> Self {
        match kind {
            FramingKind::Sse => Self::sse(limit),
            FramingKind::Lines => Self::lines(limit),
            FramingKind::SseOrJson => Self::Undecided { binary: false, limit },
            FramingKind::BinaryOrJson => Self::Undecided { binary: true, limit },
        }
    }

    pub(crate) fn sse(limit: usize) -> Self {
        Self::Sse { decoder: sse_decoder(limit), limit }
    }

    pub(crate) const fn lines(limit: usize) -> Self {
        Self::Lines { held: Vec::new(), limit }
    }

    /// The next event; none if more bytes are needed. Removes the bytes that were read from `bytes`.
    pub(crate) fn next(&mut self, bytes: &mut &[u8]) -> Option<Framed> {
        match self {
            Self::Sse { decoder, limit } => loop {
                match decoder.next(bytes)? {
                    Ok(SseEvent::Message(message)) => {
                        let is_error = message.event == "error";
                        if message.data.capacity() > LONG {
                            // This decoder has reserved as much for the next event.
                            *decoder = sse_decoder(*limit);
                        }
                        return Some(Ok(FramedEvent { data: message.data, is_error }));
                    }
                    Ok(SseEvent::Retry(_)) => {}
                    Err(PayloadTooLargeError) => return Some(Err(TooLong)),
                }
            },
            Self::Lines { held, limit } => next_line(held, *limit, bytes),
            Self::Objects { objects, limit } => Some(match objects.next(bytes, *limit)? {
                FoundObject::Whole(object) => Ok(FramedEvent::of(&object)),
                FoundObject::TooLong => Err(TooLong),
            }),
            Self::Binary { messages, limit } => Some(match messages.next(bytes, *limit)? {
                FoundMessage::Event(event) => Ok(FramedEvent::of(event.to_string().as_bytes())),
                FoundMessage::Broken => {
                    Ok(FramedEvent::of(b"a message that is not framed as AWS frames them"))
                }
            }),
            Self::Undecided { binary, limit } => {
                let blank = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                *bytes = &bytes[blank..];
                *self = Self::of_first(*bytes.first()?, *binary, *limit);
                self.next(bytes)
            }
        }
    }

    /// The framing of a body with this first visible byte.
    fn of_first(first: u8, binary: bool, limit: usize) -> Self {
        match first {
            b'{' | b'[' => Self::Objects { objects: JsonObjects::default(), limit },
            // The first byte of a length: no text begins with it.
            0 if binary => Self::Binary { messages: EventStream::default(), limit },
            _ => Self::sse(limit),
        }
    }

    /// The event that the end of the body completes, if there is one.
    pub(crate) fn finish(&mut self) -> Option<Framed> {
        match self {
            Self::Objects { objects, .. } => objects.rest().map(|rest| Ok(FramedEvent::of(&rest))),
            Self::Binary { .. } | Self::Undecided { .. } => None,
            Self::Sse { .. } | Self::Lines { .. } => self.next(&mut b"\n\n".as_slice()),
        }
    }
}

impl FramedEvent {
    fn of(data: &[u8]) -> Self {
        Self { data: String::from_utf8_lossy(data).into_owned(), is_error: false }
    }
}

fn sse_decoder(limit: usize) -> SseDecoder {
    SseDecoder::with_limit(NonZeroUsize::new(limit).unwrap_or(NonZeroUsize::MIN))
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
        held.shrink_to(LONG);
        if !line.is_empty() {
            return Some(Ok(FramedEvent { data: line, is_error: false }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{EVENT_BYTES, Framing, FramingKind, LONG};

    /// The decoder behind a long event is a new one.
    #[test]
    fn an_event_behind_a_long_one_is_read_at_every_cut() {
        let long = "x".repeat(LONG + 1);
        for end in ["\n", "\r", "\r\n"] {
            let body = format!("data: {long}{end}{end}event: error{end}data: y{end}{end}");
            for at in long.len()..=body.len() {
                let mut framing = Framing::sse(EVENT_BYTES);
                let (mut first, mut second) = body.as_bytes().split_at(at);
                let mut read = Vec::new();
                for part in [&mut first, &mut second] {
                    while let Some(Ok(event)) = framing.next(part) {
                        read.push((event.data.len(), event.is_error));
                    }
                }
                assert_eq!(read, [(LONG + 1, false), (1, true)], "{end:?}, cut at {at}");
            }
        }
    }

    #[test]
    fn a_zero_byte_begins_a_binary_message_only_where_there_may_be_one() {
        let body = b"\0: x\n\ndata: y\n\n";
        let first = |kind| {
            let event = Framing::new(kind, EVENT_BYTES).next(&mut body.as_slice());
            event.and_then(Result::ok).map(|event| event.data)
        };
        assert_eq!(first(FramingKind::SseOrJson).as_deref(), Some("y"));
        // Its first four bytes are the length of a message of which more must come.
        assert_eq!(first(FramingKind::BinaryOrJson), None);
    }
}
