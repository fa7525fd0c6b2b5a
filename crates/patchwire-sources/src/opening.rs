//! What a body is that says nothing of its protocol.

use serde_json::Value as Json;

use crate::decoder::Decoder;
use crate::delta::Delta;
use crate::error::{ProviderError, excerpt};
use crate::protocol::Protocol;

/// Most bytes that are looked at.
const MOST: usize = 1 << 16;

/// Most characters of a body that are repeated in a message.
const EXCERPT: usize = 80;

/// The beginning of a body, for as long as the body says nothing of its protocol.
///
/// It is given the chunks that the [`Decoder`] is given. Once the body has said anything there is no more
/// use for it; where it ends before that, [`foreign`](Self::foreign) says what else it is.
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

/// What a body is that is not of its protocol. Its words go on from "it is".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Foreign {
    /// A stream of another protocol.
    #[error("a stream of the protocol {0}")]
    Stream(Protocol),
    /// One JSON text: an answer that was not streamed, or anything else.
    #[error("one JSON text and no stream, and begins {excerpt:?}")]
    #[non_exhaustive]
    Whole {
        /// How it begins.
        excerpt: String,
    },
    /// An error, which was not framed as one of the protocol.
    #[error("an error: {0}")]
    Reported(ProviderError),
    /// Nothing of the kind: the page of a proxy, say.
    #[error("no stream of events, and begins {excerpt:?}")]
    #[non_exhaustive]
    Text {
        /// How it begins.
        excerpt: String,
    },
}

impl Opening {
    /// Of a body that should be in this protocol.
    #[must_use]
    pub const fn new(protocol: Protocol) -> Self {
        Self { protocol, bytes: Vec::new(), fed: 0 }
    }

    /// What the body should be.
    #[must_use]
    pub const fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// More of the body. What comes behind the first 64 KiB is not looked at.
    pub fn feed(&mut self, chunk: &[u8]) {
        let room = MOST - self.bytes.len();
        self.bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
        self.fed += chunk.len() as u64;
    }

    /// Whether nothing came but blanks.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.bytes.trim_ascii().is_empty()
    }

    /// What the body is, if it is surely not of its protocol; none where it may only have been cut
    /// before it said anything.
    #[must_use]
    pub fn foreign(&self) -> Option<Foreign> {
        if self.is_blank() {
            return None;
        }
        self.whole()
            .or_else(|| self.other().map(Foreign::Stream))
            .or_else(|| self.is_text().then(|| Foreign::Text { excerpt: self.excerpt() }))
    }

    /// What comes with an error, or was not streamed, is one JSON text.
    fn whole(&self) -> Option<Foreign> {
        if self.fed > self.bytes.len() as u64 {
            return None;
        }
        let said: Json = serde_json::from_slice(&self.bytes).ok()?;
        if is_error(&said) {
            let mut error = ProviderError::of_response(0, &self.bytes);
            error.status = None;
            return Some(Foreign::Reported(error));
        }
        // Where a line is an event, the first of several may be all that came.
        let is_event = !self.protocol.is_sse() && said.get("done").is_some();
        (!is_event).then(|| Foreign::Whole { excerpt: self.excerpt() })
    }

    /// The protocol in which it says something.
    fn other(&self) -> Option<Protocol> {
        let mut others = Protocol::ALL.into_iter().filter(|other| *other != self.protocol);
        others.find(|other| {
            let mut says = false;
            // What was said before an error counts.
            let _ = Decoder::new(*other).feed(&self.bytes, |delta| says |= is_telling(&delta));
            says
        })
    }

    /// Whether no line of it can be one of an event.
    fn is_text(&self) -> bool {
        const FIELDS: [&[u8]; 5] = [b"data", b"event", b"id", b"retry", b":"];
        let bytes = self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.bytes);
        let mut lines = bytes.split(|byte| matches!(byte, b'\r' | b'\n'));
        // The last line may be cut.
        let is_field = |line: &[u8]| {
            FIELDS.iter().any(|field| line.starts_with(field) || field.starts_with(line))
        };
        self.protocol.is_sse() && !lines.any(|line| !line.is_empty() && is_field(line))
    }

    fn excerpt(&self) -> String {
        excerpt(&String::from_utf8_lossy(&self.bytes), EXCERPT)
    }
}

/// Whether only an answer in the protocol says that: facts such as names and usage stand in the same
/// place in several.
const fn is_telling(delta: &Delta) -> bool {
    !matches!(delta, Delta::Fact { .. })
}

/// Some gateways send a list with one error.
fn is_error(said: &Json) -> bool {
    let first = said.get(0).unwrap_or(said);
    first.get("error").is_some_and(|error| !error.is_null())
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

    fn said(protocol: Protocol) -> &'static str {
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
        }
    }

    #[test]
    fn a_stream_of_another_protocol_is_named() {
        for protocol in Protocol::ALL {
            for other in Protocol::ALL.into_iter().filter(|other| *other != protocol) {
                let found = foreign(protocol, said(other));
                assert_eq!(found, Some(Foreign::Stream(other)), "{protocol}: {other}");
            }
        }
    }

    #[test]
    fn what_was_cut_before_it_said_anything_may_be_of_the_protocol() {
        for protocol in Protocol::ALL {
            let whole = said(protocol);
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
    fn what_is_no_stream_says_how_it_begins() {
        let words = |protocol, body: &str| foreign(protocol, body).map(|found| found.to_string());
        let chat = |body: &str| words(Protocol::OpenAiChat, body).expect("it is foreign");
        assert_eq!(chat("<html>\nno\n"), "no stream of events, and begins \"<html>\\nno\"");
        assert!(chat("{\"content\": []}").starts_with("one JSON text and no stream"));
        assert_eq!(chat("[{\"error\": {\"message\": \"busy\"}}]"), "an error: busy");
        let found = words(Protocol::Ollama, "{\"choices\": []}");
        assert!(found.is_some_and(|words| words.starts_with("one JSON text and no stream")));
        // Too long to be looked at as a whole.
        let long = format!("{{\"a\": \"{}\"}}", "x".repeat(1 << 17));
        assert!(chat(&long).starts_with("no stream of events"));
    }
}
