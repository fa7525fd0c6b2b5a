//! Hides keys in errors that come inside a response of success: as an event of a stream, or as the whole body.

use core::mem;

use bytes::Bytes;
use memchr::{memchr2, memmem, memrchr2};
use serde_json::Value as Json;

use crate::secrets::Secrets;

/// The most bytes that are held until it is known whether they are an error. Errors are shorter.
const HELD_BYTES: usize = 64 << 10;

/// What a body is by its content type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Server-sent events.
    Events,
    /// One JSON text.
    Json,
    /// Something in which no errors are looked for.
    Other,
}

impl Content {
    /// The content of a body with this content type.
    pub(crate) fn of(content_type: &[u8]) -> Self {
        let essence = content_type.split(|byte| *byte == b';').next().unwrap_or_default();
        match essence.trim_ascii().to_ascii_lowercase().as_slice() {
            b"text/event-stream" => Self::Events,
            b"application/json" => Self::Json,
            _ => Self::Other,
        }
    }
}

/// Passes a body on, and hides keys in the errors it finds.
pub(crate) struct ErrorFilter {
    secrets: Secrets,
    content: Content,
    /// The last line of a stream while its end has not come; the whole of a JSON text.
    held: Vec<u8>,
    /// Whether the event whose lines come now is called `error`.
    is_error: bool,
    /// Whether the last line ended in a carriage return: a line feed behind it is no blank line.
    after_cr: bool,
}

impl ErrorFilter {
    pub(crate) const fn new(secrets: Secrets, content: Content) -> Self {
        Self { secrets, content, held: Vec::new(), is_error: false, after_cr: false }
    }

    /// The next bytes that may be passed on.
    pub(crate) fn next(&mut self, chunk: Bytes) -> Bytes {
        match self.content {
            Content::Events => self.next_lines(chunk),
            Content::Json => self.next_of_json(&chunk),
            Content::Other => chunk,
        }
    }

    /// Holds the text while it may be an error.
    fn next_of_json(&mut self, chunk: &[u8]) -> Bytes {
        self.held.extend_from_slice(chunk);
        if self.held.len() <= HELD_BYTES {
            return Bytes::new();
        }
        self.content = Content::Other;
        mem::take(&mut self.held).into()
    }

    /// Passes whole lines on. No client can read the others.
    fn next_lines(&mut self, chunk: Bytes) -> Bytes {
        let mut bytes = chunk;
        if !self.held.is_empty() {
            self.held.extend_from_slice(&bytes);
            bytes = mem::take(&mut self.held).into();
        }
        let whole = memrchr2(b'\r', b'\n', &bytes).map_or(0, |at| at + 1);
        if bytes.len() - whole <= HELD_BYTES {
            self.held = bytes.split_off(whole).to_vec();
        }
        self.without_keys(bytes)
    }

    /// What is held at the end of the body.
    pub(crate) fn rest(&mut self) -> Bytes {
        let held = Bytes::from(mem::take(&mut self.held));
        match self.content {
            Content::Json if is_error(&held) => self.secrets.hide_body(held),
            Content::Events => self.without_keys(held),
            _ => held,
        }
    }

    /// Hides keys in the lines of errors. Most chunks have no such line and stay as they are.
    fn without_keys(&mut self, bytes: Bytes) -> Bytes {
        if !self.is_error && memmem::find(&bytes, b"error").is_none() {
            self.after_cr = bytes.last().map_or(self.after_cr, |last| *last == b'\r');
            return bytes;
        }
        let mut out = Vec::with_capacity(bytes.len());
        let mut rest = &*bytes;
        while !rest.is_empty() {
            let end = memchr2(b'\r', b'\n', rest).unwrap_or(rest.len());
            let (line, behind) = rest.split_at(end);
            self.line(line, behind.first(), &mut out);
            out.extend(behind.first());
            rest = behind.get(1..).unwrap_or_default();
        }
        out.into()
    }

    fn line(&mut self, line: &[u8], end: Option<&u8>, out: &mut Vec<u8>) {
        let is_line_feed = mem::replace(&mut self.after_cr, end == Some(&b'\r'));
        match line {
            b"" if is_line_feed && end == Some(&b'\n') => {}
            b"" => self.is_error = false,
            b"event:error" | b"event: error" => self.is_error = true,
            _ => {}
        }
        let Some(value) = line.strip_prefix(b"data:") else { return out.extend_from_slice(line) };
        // An error may have several lines.
        self.is_error |= is_error(value);
        if !self.is_error {
            return out.extend_from_slice(line);
        }
        let value = value.strip_prefix(b" ").unwrap_or(value);
        out.extend_from_slice(&line[..line.len() - value.len()]);
        out.extend_from_slice(&self.secrets.hide_body(Bytes::copy_from_slice(value)));
    }
}

/// Whether a text is the error of a provider: OpenAI's and Anthropic's have a member `error`, vLLM's are called `error`. A text
/// that has the word as a member and is no JSON, such as a line of several, counts too.
fn is_error(text: &[u8]) -> bool {
    if memmem::find(text, b"\"error\"").is_none() {
        return false;
    }
    let Ok(json) = serde_json::from_slice::<Json>(text) else { return true };
    let is_named = |name: &str| json.get(name).is_some_and(|value| value == "error");
    json.get("error").is_some_and(|error| !error.is_null())
        || is_named("type")
        || is_named("object")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::tests::secrets;

    const KEY: &str = "zz-zz-key-0123";

    fn filtered(body: &str, content: Content, chunk: usize) -> String {
        let mut filter = ErrorFilter::new(secrets(KEY), content);
        let mut seen = Vec::new();
        for part in body.as_bytes().chunks(chunk) {
            seen.extend_from_slice(&filter.next(Bytes::copy_from_slice(part)));
        }
        seen.extend_from_slice(&filter.rest());
        String::from_utf8(seen).unwrap()
    }

    /// Bodies, and what is passed on of them.
    const STREAMS: [(&str, &str); 6] = [
        (
            "data: {\"a\":\"sk-0123456789\"}\n\ndata: {\"error\":{\"message\":\"key sk-0123456789 zz-zz-key\"}}\n\n",
            "data: {\"a\":\"sk-0123456789\"}\n\ndata: {\"error\":{\"message\":\"key [key] [key]\"}}\n\n",
        ),
        (
            "event: error\r\nid: 1\r\ndata: key sk-0123456789\r\n\r\ndata: key sk-0123456789\r\n\r\n",
            "event: error\r\nid: 1\r\ndata: key [key]\r\n\r\ndata: key sk-0123456789\r\n\r\n",
        ),
        (
            "event:error\rdata:sk-0123456789\r\rdata:sk-0123456789\r\r",
            "event:error\rdata:[key]\r\rdata:sk-0123456789\r\r",
        ),
        (
            "data: {\"message\":\"sk-0123456789\",\"object\":\"error\"}",
            "data: {\"message\":\"[key]\",\"object\":\"error\"}",
        ),
        // A text about errors is no error.
        (
            "data: {\"content\":\"\\\"error\\\": sk-0123456789\",\"error\":null}\n\n",
            "data: {\"content\":\"\\\"error\\\": sk-0123456789\",\"error\":null}\n\n",
        ),
        (
            "data: {\"error\":\ndata: \"sk-0123456789\"}\n\n",
            "data: {\"error\":\ndata: \"[key]\"}\n\n",
        ),
    ];

    #[test]
    fn an_event_with_an_error_has_no_key_wherever_it_is_cut() {
        for (body, expected) in STREAMS {
            for chunk in 1..=body.len() {
                assert_eq!(filtered(body, Content::Events, chunk), expected, "{chunk}");
            }
        }
    }

    #[test]
    fn a_body_that_is_an_error_has_no_key_and_an_answer_stays() {
        for (body, expected) in [
            ("{\"error\":\"sk-0123456789\"}", "{\"error\":\"[key]\"}"),
            (
                " {\"a\":\"sk-0123456789\",\"error\":null}",
                " {\"a\":\"sk-0123456789\",\"error\":null}",
            ),
            ("{\"error\":\"sk-0123456789", "{\"error\":\"[key]"),
        ] {
            for chunk in 1..=body.len() {
                assert_eq!(filtered(body, Content::Json, chunk), expected, "{chunk}");
            }
        }
    }

    #[test]
    fn what_is_too_long_for_an_error_is_passed_on() {
        let long = format!("{{\"error\":\"{} sk-0123456789\"}}", "x".repeat(2 * HELD_BYTES));
        assert_eq!(filtered(&long, Content::Json, 1 << 20), long);
        assert_eq!(filtered(&long, Content::Json, 1000), long);
        let event = format!("data: {long}");
        assert_eq!(filtered(&event, Content::Events, 1000), event);
        for (len, is_error) in [(HELD_BYTES, true), (HELD_BYTES + 1, false)] {
            let error = "{\"error\":\"sk-0123456789\"}";
            let body = format!("{error}{}", " ".repeat(len - error.len()));
            let passed = filtered(&body, Content::Json, len);
            assert_eq!(passed.starts_with("{\"error\":\"[key]\"}"), is_error, "{len}");
        }
    }
}
