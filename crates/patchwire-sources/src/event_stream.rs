//! The binary event stream of AWS (`application/vnd.amazon.eventstream`): messages with their length, headers and a
//! payload. Checksums are not compared, because the connection does that.

use serde_json::{Map, Value as Json};

/// The length of a message without headers and payload.
const LEAST: usize = 16;

/// Messages of a binary event stream.
#[derive(Debug, Clone, Default)]
pub(crate) struct EventStream {
    held: Vec<u8>,
}

/// What a chunk gives.
pub(crate) enum FoundMessage {
    /// A payload, as the member of an object that its type names.
    Event(Json),
    /// Bytes that are no message, or a message that is too long.
    Broken,
}

impl EventStream {
    /// The next message; none if more bytes are needed. Removes the bytes that were read from `bytes`.
    pub(crate) fn next(&mut self, bytes: &mut &[u8], limit: usize) -> Option<FoundMessage> {
        self.take(4, bytes)?;
        let len = number(&self.held, 0)?;
        if !(LEAST..=limit.max(LEAST)).contains(&len) {
            self.held.clear();
            *bytes = b"";
            return Some(FoundMessage::Broken);
        }
        self.take(len, bytes)?;
        let message = core::mem::take(&mut self.held);
        Some(event(&message).map_or(FoundMessage::Broken, FoundMessage::Event))
    }

    /// Fills up to `len` bytes. None if there are not as many.
    fn take(&mut self, len: usize, bytes: &mut &[u8]) -> Option<()> {
        let missing = len.saturating_sub(self.held.len()).min(bytes.len());
        let (taken, rest) = bytes.split_at(missing);
        self.held.extend_from_slice(taken);
        *bytes = rest;
        (self.held.len() >= len).then_some(())
    }
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + 4)?.try_into().ok()?;
    usize::try_from(u32::from_be_bytes(bytes)).ok()
}

/// The event of a whole message.
fn event(message: &[u8]) -> Option<Json> {
    let headers_len = number(message, 4)?;
    let headers = message.get(12..12_usize.checked_add(headers_len)?)?;
    let payload = message.get(12 + headers_len..message.len().checked_sub(4)?)?;
    let name = name(headers)?;
    let payload = serde_json::from_slice(payload)
        .unwrap_or_else(|_| Json::String(String::from_utf8_lossy(payload).into_owned()));
    Some(Json::Object(Map::from_iter([(name, payload)])))
}

/// The type of an event or exception, which is a header with a string.
fn name(mut headers: &[u8]) -> Option<String> {
    while let Some((&len, rest)) = headers.split_first() {
        let (key, rest) = rest.split_at_checked(usize::from(len))?;
        let (&kind, rest) = rest.split_first()?;
        let size = match kind {
            0 | 1 => 0,
            2 => 1,
            3 => 2,
            4 => 4,
            5 | 8 => 8,
            6 | 7 => 2 + usize::from(u16::from_be_bytes(rest.get(..2)?.try_into().ok()?)),
            9 => 16,
            _ => return None,
        };
        let (value, rest) = rest.split_at_checked(size)?;
        if kind == 7 && matches!(key, b":event-type" | b":exception-type" | b":error-code") {
            return Some(String::from_utf8_lossy(&value[2..]).into_owned());
        }
        headers = rest;
    }
    None
}
