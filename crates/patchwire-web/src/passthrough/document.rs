//! The JSON texts of an event, and the places in its bytes that they stand for.

use core::ops::Range;

use serde_json::Value as Json;

use super::frames::RawEvent;
use super::places::{Content, Dialect};
use crate::json_text;

/// A JSON text of an event.
#[derive(Debug)]
pub(super) struct Document {
    /// The text. Bytes that are not UTF-8 are `?`, so that offsets in the text and in the bytes are equal.
    pub(super) text: String,
    /// The bytes of the text.
    bytes: Vec<u8>,
    /// Where its lines are in the event.
    lines: Vec<Range<usize>>,
    pub(super) content: Content,
}

impl Document {
    /// The texts of an event: all its lines of data are one, or each is one, for servers that leave out the blank
    /// lines between events.
    pub(super) fn all(event: &RawEvent, dialect: Dialect) -> Vec<Self> {
        let whole = Self::of(event, &event.data, dialect);
        if event.data.len() == 1 || whole.is_object() {
            return vec![whole];
        }
        event
            .data
            .iter()
            .map(|line| Self::of(event, core::slice::from_ref(line), dialect))
            .collect()
    }

    fn of(event: &RawEvent, lines: &[Range<usize>], dialect: Dialect) -> Self {
        let bytes =
            lines.iter().map(|line| &event.bytes[line.clone()]).collect::<Vec<_>>().join(&b'\n');
        let text = same_length(&bytes);
        let content = dialect.streamed(&text);
        Self { text, bytes, lines: lines.to_vec(), content }
    }

    /// What the text says about usage, if it stands beside a delta.
    pub(super) fn usage(&self) -> Option<Json> {
        if !self.text.contains("\"usage\"") {
            return None;
        }
        let members = json_text::members(&self.text)?;
        // In the first event of Anthropic's form it is inside `message`.
        let message = json_text::given(&members, "message").and_then(json_text::members);
        let usage = json_text::given(&members, "usage")
            .or_else(|| json_text::given(message.as_ref()?, "usage"))?;
        serde_json::from_str(usage).ok()
    }

    pub(super) fn is_object(&self) -> bool {
        json_text::members(&self.text).is_some()
    }

    /// A part of the text as one line, as it came.
    pub(super) fn line(&self, part: Range<usize>) -> Vec<u8> {
        one_line(&self.bytes[part])
    }

    /// The offset in the event of an offset in the text.
    pub(super) fn offset(&self, at: usize) -> usize {
        let mut rest = at;
        for line in &self.lines {
            if rest <= line.len() {
                return line.start + rest;
            }
            rest -= line.len() + 1;
        }
        self.lines.last().map_or(0, |line| line.end)
    }
}

/// JSON in one line: outside strings, a line end is whitespace, and in strings there is none.
pub(super) fn one_line(json: &[u8]) -> Vec<u8> {
    json.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte }).collect()
}

/// Bytes as text of the same length, with `?` for each byte that is not UTF-8.
pub(super) fn same_length(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}
