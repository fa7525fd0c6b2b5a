//! Recordings: a stream with its cuts and times as one line of NDJSON, read and written without IO.

use std::time::Duration;

use serde::{Deserialize, Deserializer};

use crate::surrogates::parse_deltas;

/// A recorded stream.
///
/// ```
/// use std::time::Duration;
/// use patchwire_sources::Recording;
///
/// let line = br#"{"source": "m", "kind": "text", "deltas": ["{\"a", "\": 1}"], "at_ms": [212, 240]}"#;
/// let recording = Recording::from_line(line)?;
/// assert_eq!(recording.deltas.concat(), "{\"a\": 1}");
/// assert_eq!(recording.times[1], Duration::from_millis(240));
/// # Ok::<(), patchwire_sources::RecordingError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Recording {
    /// The pieces of text, in order.
    pub deltas: Vec<String>,
    /// When each delta arrived, counted from the beginning, ascending. Deltas without a time are at the end.
    #[serde(default, rename = "at_ms", deserialize_with = "times")]
    pub times: Vec<Duration>,
    /// The kind of stream: `text`, `tool_args` or `reasoning`.
    #[serde(default, deserialize_with = "text")]
    pub kind: Option<String>,
    /// The provider that sent it.
    #[serde(default, deserialize_with = "text")]
    pub provider: Option<String>,
    /// Where it comes from, usually a model.
    #[serde(default, deserialize_with = "text")]
    pub source: Option<String>,
}

/// A line is no recording.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
#[non_exhaustive]
pub struct RecordingError {
    /// The byte in the line at which it fails.
    pub offset: usize,
    /// What is wrong there.
    pub reason: String,
}

impl Recording {
    /// Reads a line. Members other than `deltas` may be missing or of another type; unknown ones are ignored.
    ///
    /// # Errors
    /// If the line is no JSON object with a list `deltas` of strings.
    pub fn from_line(line: &[u8]) -> Result<Self, RecordingError> {
        let parsed = match std::str::from_utf8(line) {
            Ok(text) => parse_deltas(text, |recording: &mut Self| &mut recording.deltas),
            // The error says at which byte.
            Err(_) => serde_json::from_slice(line),
        };
        parsed.map_err(|error| {
            let message = error.to_string();
            let reason = message.rsplit_once(" at line ").map_or(&*message, |(reason, _)| reason);
            RecordingError { offset: offset(line, &error), reason: reason.to_owned() }
        })
    }
}

/// The byte of an error, which counts lines and columns from 1.
fn offset(text: &[u8], error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let before: usize = lines.take(error.line().saturating_sub(1)).map(<[u8]>::len).sum();
    text.len().min(before + error.column().saturating_sub(1))
}

/// Accepts a string; any other value counts as absent.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::String(text) => Ok(Some(text)),
        _ => Ok(None),
    }
}

/// Accepts times and makes them ascend; any other value counts as absent.
fn times<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Duration>, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    let mut latest = Duration::ZERO;
    let numbers = value.as_array().into_iter().flatten();
    Ok(numbers
        .map_while(|number| Duration::try_from_secs_f64(number.as_f64()? / 1000.0).ok())
        .map(|at| {
            latest = latest.max(at);
            latest
        })
        .collect())
}

/// A line of a recording that grows with its stream.
///
/// ```text
/// {"source":"stdin","provider":"unknown","kind":"text","deltas":["{\"a","\": 1}"],"at_ms":[212,240]}
///                                                         next: ,"…"],"at_ms":[212,240,251]}
/// ```
///
/// A [`LinePart`] begins where the list of deltas ended, and includes everything that closes the line. A file
/// into which each part is written with one write therefore holds a complete line after each of them.
///
/// ```
/// use std::time::Duration;
/// use patchwire_sources::{Recording, RecordingLine};
///
/// let (mut line, mut file) = RecordingLine::begin(["stdin", "unknown", "text"]);
/// for chunk in [&b"caf\xc3"[..], b"\xa9!"] {
///     line.chunk(chunk, Duration::from_millis(20));
///     if let Some(part) = line.part() {
///         file.truncate(part.offset);
///         file.push_str(&part.text);
///     }
/// }
/// assert_eq!(Recording::from_line(file.as_bytes())?.deltas, ["caf", "é!"]);
/// # Ok::<(), patchwire_sources::RecordingError>(())
/// ```
#[derive(Debug, Clone)]
pub struct RecordingLine {
    /// Offset at which the list of deltas ends. The bytes after it close the line.
    end: usize,
    /// Deltas that no part holds yet, as JSON.
    unwritten: String,
    /// The times of all deltas, as JSON without brackets.
    times: String,
    /// The beginning of a code point whose other bytes are still to come.
    cut: Vec<u8>,
    is_empty: bool,
}

/// What is written next into a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinePart {
    /// Where it is written, counted from the beginning of the line.
    pub offset: usize,
    /// The text, with the end of the line. It reaches at least to the end of what was written before.
    pub text: String,
}

/// The text between the deltas and their times.
const CLOSE: &str = "],\"at_ms\":[";

impl RecordingLine {
    /// A line without deltas: `words` are the source, the provider and the kind. Returns its text as well.
    #[must_use]
    pub fn begin(words: [&str; 3]) -> (Self, String) {
        let [source, provider, kind] = words.map(|word| serde_json::Value::from(word).to_string());
        let head =
            format!("{{\"source\":{source},\"provider\":{provider},\"kind\":{kind},\"deltas\":[");
        let (unwritten, times) = (String::new(), String::new());
        let line = Self { end: head.len(), unwritten, times, cut: Vec::new(), is_empty: true };
        (line, format!("{head}{CLOSE}]}}\n"))
    }

    /// Adds a chunk. A code point that the chunk cuts goes into the next delta; bytes that are no UTF-8 become
    /// U+FFFD. A chunk without a whole code point adds no delta.
    pub fn chunk(&mut self, bytes: &[u8], at: Duration) {
        self.cut.extend_from_slice(bytes);
        let whole = whole(&self.cut);
        if whole > 0 {
            let rest = self.cut.split_off(whole);
            let text = core::mem::replace(&mut self.cut, rest);
            self.add(&text, at);
        }
    }

    /// Adds what is left of a code point whose other bytes never came.
    pub fn finish(&mut self, at: Duration) {
        let rest = core::mem::take(&mut self.cut);
        if !rest.is_empty() {
            self.add(&rest, at);
        }
    }

    fn add(&mut self, text: &[u8], at: Duration) {
        if !core::mem::replace(&mut self.is_empty, false) {
            self.unwritten.push(',');
            self.times.push(',');
        }
        self.unwritten += &serde_json::Value::from(String::from_utf8_lossy(text)).to_string();
        self.times += &at.as_millis().to_string();
    }

    /// What is new since the last part; `None` if nothing is.
    pub fn part(&mut self) -> Option<LinePart> {
        if self.unwritten.is_empty() {
            return None;
        }
        let (new, times) = (core::mem::take(&mut self.unwritten), &self.times);
        let offset = self.end;
        self.end += new.len();
        Some(LinePart { offset, text: format!("{new}{CLOSE}{times}]}}\n") })
    }

    /// Whether no delta was added.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// The bytes that every part repeats: the times of all deltas.
    #[must_use]
    pub const fn repeated(&self) -> usize {
        self.times.len()
    }
}

/// How many bytes end with a whole code point. Invalid bytes count as whole, because no later byte
/// can complete them.
fn whole(bytes: &[u8]) -> usize {
    let mut end = 0;
    for chunk in bytes.utf8_chunks() {
        end += chunk.valid().len();
        let invalid = chunk.invalid();
        let is_last = end + invalid.len() == bytes.len();
        if is_last && is_beginning(invalid) {
            return end;
        }
        end += invalid.len();
    }
    end
}

/// Whether these bytes are the beginning of a code point.
fn is_beginning(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::{Recording, whole};

    #[test]
    fn a_cut_code_point_waits() {
        let text = "aé日😀".as_bytes();
        let ends = [1, 3, 6, 10];
        for len in 0..=text.len() {
            let expected = ends.iter().rev().find(|end| **end <= len).copied().unwrap_or(0);
            assert_eq!(whole(&text[..len]), expected, "{len}");
        }
        assert_eq!(whole(b"a\xff"), 2);
        assert_eq!(whole(b"\xe2\x82a"), 3);
        assert_eq!(whole(b"\xff\xe2\x82"), 1);
    }

    #[test]
    fn an_error_says_at_which_byte() {
        for (line, offset, reason) in [
            (&b"{\"deltas\": [1]}"[..], 12, "invalid type: integer `1`, expected a string"),
            (b"{\n \"deltas\": [1]}", 14, "invalid type: integer `1`, expected a string"),
            (b"{\"deltas\": [\"\xff\"]}", 13, "invalid unicode code point"),
            (b"{}", 1, "missing field `deltas`"),
            (b"[]", 1, "invalid length 0, expected struct Recording with 5 elements"),
            (b"", 0, "EOF while parsing a value"),
        ] {
            let error = Recording::from_line(line).unwrap_err();
            assert_eq!((error.offset, &*error.reason), (offset, reason), "{line:?}");
        }
    }
}
