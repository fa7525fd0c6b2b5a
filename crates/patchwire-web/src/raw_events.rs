//! The model's text, piece by piece, as events of its own.

use serde_json::Value as Json;

use crate::wire_event::WireEvent;

/// Makes an event of each piece: `{"event":"raw","delta":"Hel","span":[0,3]}`.
///
/// A character that a piece cuts comes with the piece that completes it. Invalid bytes become
/// U+FFFD, and the span counts the original bytes.
#[derive(Debug, Default)]
pub(crate) struct RawEvents {
    /// How many bytes have become events.
    emitted: usize,
    /// The beginning of a cut character: at most three bytes.
    begun: Vec<u8>,
}

impl RawEvents {
    /// The event of a piece; none if it only begins a character.
    pub(crate) fn read(&mut self, piece: &[u8]) -> Option<WireEvent> {
        self.begun.extend_from_slice(piece);
        let whole = self.begun.len() - cut_off(&self.begun);
        if whole == 0 {
            return None;
        }
        let rest = self.begun.split_off(whole);
        let delta = Json::from(String::from_utf8_lossy(&self.begun));
        let (start, end) = (self.emitted, self.emitted + whole);
        let data = format!("{{\"event\":\"raw\",\"delta\":{delta},\"span\":[{start},{end}]}}");
        self.emitted = end;
        self.begun = rest;
        Some(WireEvent { name: "raw", data })
    }
}

/// How many bytes at the end may begin a character.
fn cut_off(bytes: &[u8]) -> usize {
    let last = bytes.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
    match str::from_utf8(last) {
        Err(error) if error.error_len().is_none() => last.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(queue: &[&[u8]]) -> Vec<String> {
        let mut raw = RawEvents::default();
        queue.iter().filter_map(|piece| raw.read(piece)).map(|emitted| emitted.data).collect()
    }

    fn emitted(delta: &str, start: usize, end: usize) -> String {
        format!("{{\"event\":\"raw\",\"delta\":\"{delta}\",\"span\":[{start},{end}]}}")
    }

    #[test]
    fn a_piece_is_emitted_as_it_came() {
        assert_eq!(read(&[b"Hel", b"", b"lo"]), [emitted("Hel", 0, 3), emitted("lo", 3, 5)]);
    }

    #[test]
    fn a_character_that_is_cut_comes_whole() {
        let text = "é😀".as_bytes();
        let bytes: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(read(&bytes), [emitted("é", 0, 2), emitted("😀", 2, 6)]);
        assert_eq!(read(&[&text[..4], &text[4..]]), [emitted("é", 0, 2), emitted("😀", 2, 6)]);
    }

    #[test]
    fn what_is_no_text_is_marked_and_counted() {
        assert_eq!(read(&[b"a\xff", b"b"]), [emitted("a\u{fffd}", 0, 2), emitted("b", 2, 3)]);
        assert_eq!(read(&[b"\xe2\x82", b"b"]), [emitted("\u{fffd}b", 0, 3)]);
    }
}
