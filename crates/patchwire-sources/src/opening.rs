//! Recognizes a body that is not of the expected protocol.

use serde_json::Value as Json;

use crate::decoder::Decoder;
use crate::delta::Delta;
use crate::end::End;
use crate::error::{ProviderError, excerpt};
use crate::protocol::Protocol;

/// The number of bytes that are examined.
const MOST: usize = 1 << 16;

/// The number of characters of a body that a message quotes.
const EXCERPT: usize = 80;

/// APIs that cannot be read, and what their events have, without spaces.
const UNSUPPORTED: [(&str, &[&str]); 6] = [
    ("OpenAI's assistants", &["event:thread.", "\"object\":\"thread."]),
    ("Anthropic's text completions", &["\"type\":\"completion\""]),
    ("text-generation-inference", &["\"token\":{\"id\":"]),
    ("the AI SDK's UI messages", &["\"type\":\"text-start\"", "\"type\":\"start-step\""]),
    (
        "Gemini's interactions",
        &["\"event_type\":\"interaction.", "\"event_type\":\"content.delta\""],
    ),
    ("Replicate", &["event:output\n"]),
];

/// The beginning of a body, until it is known to be of the expected protocol.
///
/// Feed it the chunks that the [`Decoder`] gets, and drop it after the first delta. If the body ends
/// before that, [`foreign`](Self::foreign) names what the body is.
///
/// ```
/// use patchwire_sources::{Foreign, Opening, Protocol};
///
/// let mut opening = Opening::new(Protocol::OpenAiChat);
/// opening.feed(b"<!doctype ");
/// opening.feed(b"html>");
/// let found = opening.foreign().expect("it is no stream");
/// assert_eq!(found.to_string(), "no stream of events, and begins \"<!doctype html>\"");
/// ```
#[derive(Debug, Clone)]
pub struct Opening {
    protocol: Protocol,
    bytes: Vec<u8>,
    fed: u64,
}

/// The content of a body in another protocol than expected. The messages continue the words "it is".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Foreign {
    /// A stream of another protocol.
    #[error("a stream of the protocol {0}")]
    Stream(Protocol),
    /// A stream of an API that cannot be read.
    #[error("a stream of {0}, which is not supported")]
    Unsupported(&'static str),
    /// One JSON text, such as an answer that was not streamed.
    #[error("one JSON text and no stream, and begins {excerpt:?}")]
    #[non_exhaustive]
    Whole {
        /// The beginning of the text.
        excerpt: String,
    },
    /// An error outside the framing of the protocol.
    #[error("an error: {0}")]
    Reported(ProviderError),
    /// Another text, such as the page of a proxy.
    #[error("no stream of events, and begins {excerpt:?}")]
    #[non_exhaustive]
    Text {
        /// The beginning of the text.
        excerpt: String,
    },
}

impl Opening {
    /// For a body that should be in this protocol.
    #[must_use]
    pub const fn new(protocol: Protocol) -> Self {
        Self { protocol, bytes: Vec::new(), fed: 0 }
    }

    /// The expected protocol.
    #[must_use]
    pub const fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// Adds the next bytes of the body. Only the first 64 KiB are examined.
    pub fn feed(&mut self, chunk: &[u8]) {
        let room = MOST - self.bytes.len();
        self.bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
        self.fed += chunk.len() as u64;
    }

    /// Whether the body is empty so far, apart from whitespace.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.bytes.trim_ascii().is_empty()
    }

    /// The content of the body, if it is certainly not in the expected protocol. None if it may be in it and
    /// was cut before the first delta.
    #[must_use]
    pub fn foreign(&self) -> Option<Foreign> {
        if self.is_blank() {
            return None;
        }
        let whole = self.whole();
        if let Some(Foreign::Reported(_)) = whole {
            return whole;
        }
        // A list of Gemini's is one JSON text as well.
        let other = self.other().filter(|it| whole.is_none() || *it == Protocol::Gemini);
        other
            .map(Foreign::Stream)
            .or_else(|| self.unsupported().map(Foreign::Unsupported))
            .or(whole)
            .or_else(|| self.is_text().then(|| Foreign::Text { excerpt: self.excerpt() }))
    }

    /// An error, or an answer that was not streamed: a body of one JSON text.
    fn whole(&self) -> Option<Foreign> {
        if self.fed > self.bytes.len() as u64 {
            return None;
        }
        let json: Json = serde_json::from_slice(&self.bytes).ok()?;
        if is_error(&json) {
            let mut error = ProviderError::of_response(0, &self.bytes);
            error.status = None;
            return Some(Foreign::Reported(error));
        }
        // It may be the first event of a stream that was cut, or a list of events.
        let is_event = match self.protocol {
            Protocol::Ollama => json.get("done").is_some(),
            Protocol::Gemini => json.is_array() || json.get("candidates").is_some(),
            Protocol::Bedrock => json.is_array() || json.get("messageStart").is_some(),
            _ => false,
        };
        (!is_event).then(|| Foreign::Whole { excerpt: self.excerpt() })
    }

    /// The other protocol in which the body has a delta.
    fn other(&self) -> Option<Protocol> {
        let mut others = Protocol::ALL.into_iter().filter(|other| *other != self.protocol);
        others.find(|other| {
            let mut found = false;
            // Deltas before an error count.
            let _ = Decoder::new(*other).feed(&self.bytes, |delta| found |= delta.is_specific());
            found
        })
    }

    /// The API whose events the body has, if that is known and cannot be read.
    fn unsupported(&self) -> Option<&'static str> {
        let compact: Vec<u8> = self.bytes.iter().copied().filter(|byte| *byte != b' ').collect();
        let has = |mark: &str| compact.windows(mark.len()).any(|window| window == mark.as_bytes());
        let known = UNSUPPORTED.iter().find(|(_, marks)| marks.iter().any(|mark| has(mark)));
        known.map(|(name, _)| *name)
    }

    /// Whether no line of the body can be a line of an event.
    fn is_text(&self) -> bool {
        const FIELDS: [&[u8]; 5] = [b"data", b"event", b"id", b"retry", b":"];
        let bytes = self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.bytes);
        let mut lines = bytes.split(|byte| matches!(byte, b'\r' | b'\n'));
        // The last line may be cut.
        let is_field = |line: &[u8]| {
            FIELDS.iter().any(|field| line.starts_with(field) || field.starts_with(line))
        };
        let is_json =
            self.protocol == Protocol::Gemini && bytes.trim_ascii_start().starts_with(b"[");
        self.protocol.is_sse() && !is_json && !lines.any(|line| !line.is_empty() && is_field(line))
    }

    fn excerpt(&self) -> String {
        excerpt(&String::from_utf8_lossy(&self.bytes), EXCERPT)
    }
}

impl Protocol {
    /// The protocol in which the beginning of a body has a piece of an answer. None if more bytes are needed, or if
    /// it is no body of these protocols.
    ///
    /// ```
    /// use patchwire_sources::Protocol;
    ///
    /// let body = br#"[{"candidates": [{"content": {"parts": [{"text": "Hi"}]}}]}"#;
    /// assert_eq!(Protocol::detect(&body[..20]), None);
    /// assert_eq!(Protocol::detect(body), Some(Protocol::Gemini));
    /// ```
    #[must_use]
    pub fn detect(body: &[u8]) -> Option<Self> {
        let has_delta = |protocol: &Self| {
            let mut found = false;
            // Deltas before an error count.
            let _ = Decoder::new(*protocol).feed(body, |delta| found |= delta.is_specific());
            found
        };
        Self::ALL.into_iter().find(has_delta)
    }

    /// The protocol of a body that ended. Server-sent events without a piece of an answer count too, if they say how
    /// the stream ended, as an error does: then it is the protocol that reads most of them.
    ///
    /// ```
    /// use patchwire_sources::Protocol;
    ///
    /// let body = b"event: error\ndata: {\"type\":\"error\",\"error\":{\"message\":\"busy\"}}\n\n";
    /// assert_eq!(Protocol::detect(body), None);
    /// assert!(Protocol::detect_ended(body).is_some());
    /// assert_eq!(Protocol::detect_ended(b"{\"error\": \"busy\"}"), None);
    /// ```
    #[must_use]
    pub fn detect_ended(body: &[u8]) -> Option<Self> {
        let read = |protocol: Self| {
            let (mut deltas, mut specific) = (0_usize, false);
            let mut count = |delta: Delta| {
                deltas += 1;
                specific |= delta.is_specific();
            };
            let mut decoder = Decoder::new(protocol);
            let _ = decoder.feed(body, &mut count);
            let end = decoder.finish(&mut count);
            let has_end = matches!(end, Ok(End::Closed(_) | End::Failed(_)));
            (specific || has_end).then_some((protocol, deltas))
        };
        if !begins_events(body) {
            return Self::detect(body);
        }
        // Of equals the first.
        let readable = Self::ALL.into_iter().rev().filter_map(read);
        readable.max_by_key(|(_, deltas)| *deltas).map(|(protocol, _)| protocol)
    }
}

/// Some gateways send a list with one error. Others send only its message: no answer has one in words.
fn is_error(json: &Json) -> bool {
    let first = json.get(0).unwrap_or(json);
    let has_words = |name| first.get(name).is_some_and(Json::is_string);
    first.get("error").is_some_and(|error| !error.is_null())
        || has_words("message")
        || has_words("detail")
        || first.get("detail").and_then(|list| list.get(0)?.get("msg")).is_some()
}

/// Whether the first visible line is one of server-sent events.
fn begins_events(body: &[u8]) -> bool {
    const FIELDS: [&[u8]; 5] = [b"data:", b"event:", b"id:", b"retry:", b":"];
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start();
    FIELDS.iter().any(|field| body.starts_with(field))
}

#[cfg(test)]
mod tests {
    use super::{Foreign, Opening};
    use crate::Protocol;

    fn foreign(protocol: Protocol, body: &str) -> Option<Foreign> {
        let mut opening = Opening::new(protocol);
        body.as_bytes().chunks(3).for_each(|chunk| opening.feed(chunk));
        opening.foreign()
    }

    fn one_delta(protocol: Protocol) -> &'static str {
        match protocol {
            Protocol::OpenAiChat => "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n",
            Protocol::OpenAiResponses => {
                "data: {\"type\":\"response.output_text.delta\",\"delta\":\"a\"}\n\n"
            }
            Protocol::Anthropic => {
                "event: x\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\n"
            }
            Protocol::Ollama => {
                "{\"message\":{\"content\":\"a\"},\"done\":false}\n{\"done\":true}\n"
            }
            Protocol::Gemini => {
                "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\n,\n{}]\n"
            }
            Protocol::Cohere => {
                "data: {\"type\":\"content-delta\",\"delta\":{\"message\":{\"content\":{\"text\":\"a\"}}}}\n\n"
            }
            Protocol::Bedrock => {
                "{\"contentBlockDelta\":{\"delta\":{\"text\":\"a\"}}}\n{\"messageStop\":{}}\n"
            }
        }
    }

    #[test]
    fn a_stream_of_another_protocol_is_named() {
        for protocol in Protocol::ALL {
            for other in Protocol::ALL.into_iter().filter(|other| *other != protocol) {
                let found = foreign(protocol, one_delta(other));
                assert_eq!(found, Some(Foreign::Stream(other)), "{protocol}: {other}");
            }
        }
    }

    #[test]
    fn a_body_that_was_cut_before_its_first_delta_may_be_of_the_protocol() {
        for protocol in Protocol::ALL {
            let whole = one_delta(protocol);
            for end in 0..whole.len() / 2 {
                let found = foreign(protocol, &whole[..end]);
                assert_eq!(found, None, "{protocol}: {:?}", &whole[..end]);
            }
        }
        for alive in [": ping\n\n", "\n\n", "\u{feff}data: {\"choices\":[]}\n\n", "event: ping\n"] {
            assert_eq!(foreign(Protocol::OpenAiChat, alive), None, "{alive:?}");
        }
        assert_eq!(foreign(Protocol::Ollama, "{\"message\":{},\"done\":false}\n"), None);
    }

    #[test]
    fn a_message_quotes_the_beginning_of_a_body_that_is_no_stream() {
        let words = |protocol, body: &str| foreign(protocol, body).map(|found| found.to_string());
        let chat = |body: &str| words(Protocol::OpenAiChat, body).expect("it is foreign");
        assert_eq!(chat("<html>\nno\n"), "no stream of events, and begins \"<html>\\nno\"");
        assert!(chat("{\"content\": []}").starts_with("one JSON text and no stream"));
        assert_eq!(chat("[{\"error\": {\"message\": \"busy\"}}]"), "an error: busy");
        assert_eq!(chat("{\"detail\": \"no key\"}"), "an error: no key");
        assert_eq!(chat("{\"message\": \"no key\", \"id\": \"x\"}"), "an error: no key");
        let found = words(Protocol::Ollama, "{\"choices\": []}");
        assert!(found.is_some_and(|words| words.starts_with("one JSON text and no stream")));
        let tgi =
            "data:{\"index\":1,\"token\":{\"id\":7,\"text\":\"Hi\"},\"generated_text\":null}\n\n";
        assert_eq!(chat(tgi), "a stream of text-generation-inference, which is not supported");
        // Too long to be looked at as a whole.
        let long = format!("{{\"a\": \"{}\"}}", "x".repeat(1 << 17));
        assert!(chat(&long).starts_with("no stream of events"));
    }
}
