//! Frames of a server-sent event stream.

use core::fmt::Write as _;

use crate::message::Message;

/// Puts messages into frames of a server-sent event stream (`text/event-stream`).
///
/// ```
/// use patchwire_wire::{Message, Sse};
///
/// let mut sse = Sse::numbered();
/// let frame = sse.frame(&Message::new("{\"n\":1}").with_name("patch"));
/// assert_eq!(frame, "id: 1\nevent: patch\ndata: {\"n\":1}\n\n");
/// assert_eq!(sse.frame(&Message::new("two\nlines")), "id: 2\ndata: two\ndata: lines\n\n");
/// assert_eq!(Sse::heartbeat(), ":\n\n");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Sse {
    /// The number of the last frame, if they have numbers.
    last: Option<u64>,
}

impl Sse {
    /// Frames with a number, from 1, and the name of the message, for [`JsonEvents`](crate::JsonEvents).
    #[must_use]
    pub const fn numbered() -> Self {
        Self::after(0)
    }

    /// Frames with data only, for AG-UI and the AI SDK.
    #[must_use]
    pub const fn plain() -> Self {
        Self { last: None }
    }

    /// Numbers that continue after this one, which a reconnecting client sends as `Last-Event-ID`.
    #[must_use]
    pub const fn after(last: u64) -> Self {
        Self { last: Some(last) }
    }

    /// The message in a frame.
    pub fn frame(&mut self, message: &Message) -> String {
        let mut out = String::with_capacity(message.as_str().len() + 32);
        if let Some(last) = &mut self.last {
            *last += 1;
            // Writing to a string does not fail.
            let _ = writeln!(out, "id: {last}");
            if let Some(name) = message.name() {
                let _ = writeln!(out, "event: {name}");
            }
        }
        for line in lines(message.as_str()) {
            let _ = writeln!(out, "data: {line}");
        }
        out.push('\n');
        out
    }

    /// A comment, which readers ignore. Sent during a pause, it keeps the connection open.
    #[must_use]
    pub const fn heartbeat() -> &'static str {
        ":\n\n"
    }
}

/// The lines of a text. As in the format, a line ends in CR, LF or CRLF.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    core::iter::from_fn(move || {
        let text = rest?;
        let Some(at) = text.find(['\r', '\n']) else {
            rest = None;
            return Some(text);
        };
        let (line, after) = text.split_at(at);
        rest = after.strip_prefix("\r\n").or_else(|| after.get(1..));
        Some(line)
    })
}
