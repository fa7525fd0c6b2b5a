//! A trace for programs: one JSON object for each line, whose first member names its kind.

use std::io::{self, Write};

use patchwire::internals::{LiteralMarker, TokenKind, TokenRecord};
use patchwire::{Code, Error, Event, held::Held, wire::IncludeValues};
use serde::Serialize;

use super::{Chunk, Tracer};
use crate::source::Name;

pub(crate) struct JsonLines<W> {
    out: W,
}

impl<W: Write> JsonLines<W> {
    pub(crate) const fn new(out: W) -> Self {
        Self { out }
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        writeln!(self.out)
    }
}

#[derive(Serialize)]
struct ChunkLine<'a> {
    chunk: usize,
    span: [u64; 2],
    #[serde(flatten)]
    bytes: Bytes<'a>,
}

/// Bytes as text, and as numbers if they are not UTF-8.
#[derive(Serialize)]
struct Bytes<'a> {
    text: std::borrow::Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<&'a [u8]>,
}

impl<'a> Bytes<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let is_text = core::str::from_utf8(bytes).is_ok();
        Self { text: String::from_utf8_lossy(bytes), bytes: (!is_text).then_some(bytes) }
    }
}

#[derive(Serialize)]
struct TokenLine<'a> {
    token: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<&'static str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
    end: u64,
}

#[derive(Serialize)]
struct HeldLine<'a> {
    held: &'static str,
    layer: &'static str,
    from: u64,
    #[serde(flatten)]
    bytes: Bytes<'a>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    could_be: &'a [String],
    what: &'static str,
    until: &'static str,
}

impl<W: Write> Tracer for JsonLines<W> {
    type Summary = String;

    fn summarize(&mut self, event: &Event<'_>) -> String {
        event.wire(IncludeValues::Leaf).to_string()
    }

    fn stream(&mut self, name: &Name) -> io::Result<()> {
        self.line(&serde_json::json!({ "stream": name.to_string() }))
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> io::Result<()> {
        let span = [chunk.offset, chunk.offset + chunk.bytes.len() as u64];
        self.line(&ChunkLine { chunk: chunk.number, span, bytes: Bytes::new(chunk.bytes) })
    }

    fn token(&mut self, seen: &TokenRecord) -> io::Result<()> {
        let what = match seen.token.kind {
            TokenKind::Skipped(reason) => Some(reason.name()),
            what => what.notice().map(Code::name),
        };
        let (token, end) = (seen.token.kind.name(), seen.token.end);
        self.line(&TokenLine { token, what, text: &seen.text, end })
    }

    fn event(&mut self, summary: String) -> io::Result<()> {
        writeln!(self.out, "{summary}")
    }

    fn literal(&mut self, literal: &LiteralMarker) -> io::Result<()> {
        self.line(&serde_json::json!({
            "literal": literal.why.name(),
            "marker": literal.marker,
            "span": [literal.span.start, literal.span.end],
            "what": literal.why.what(),
        }))
    }

    fn held(&mut self, held: &[Held]) -> io::Result<()> {
        held.iter().try_for_each(|held| {
            self.line(&HeldLine {
                held: held.by.name(),
                layer: held.by.layer(),
                from: held.from,
                bytes: Bytes::new(&held.bytes),
                could_be: &held.could_be,
                what: held.by.what(),
                until: held.by.until(),
            })
        })
    }

    fn end(&mut self, offset: u64) -> io::Result<()> {
        self.line(&serde_json::json!({ "end": offset }))
    }

    fn error(&mut self, error: Error) -> io::Result<()> {
        writeln!(self.out, "{}", error.wire())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
