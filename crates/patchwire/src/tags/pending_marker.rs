//! A complete marker of which only the text after it shows whether it counts.

use super::element_stack::FoundMarker;
use super::pending_closer::{CloserVerdict, PendingCloser};
use crate::lex::marker::Automaton;

/// The end of a code span is looked for in this many bytes after a marker.
pub(super) const MAX_SPAN: u16 = 128;

/// A marker whose meaning depends on the text after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PendingMarker {
    /// A closer of a raw element.
    Raw(PendingCloser),
    /// A marker in a code span that is open.
    Span(PendingSpan),
}

/// A marker in a code span that is open. It is text if the span closes on the line, within [`MAX_SPAN`] bytes and
/// before a U+FFFD, which may stand for bytes that are no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PendingSpan {
    marker: FoundMarker,
    /// Length of the run of backticks that closes the span.
    span: u16,
    /// Length of the run just read.
    run: u16,
    /// Bytes read after the marker.
    read: u16,
    /// Bytes of a U+FFFD just read.
    replaced: u8,
}

impl PendingMarker {
    pub(super) const fn in_span(marker: FoundMarker, span: u16) -> Self {
        Self::Span(PendingSpan { marker, span, run: 0, read: 0, replaced: 0 })
    }

    /// Reads one byte after the marker.
    pub(super) fn step(&mut self, automaton: &Automaton, byte: u8) -> CloserVerdict {
        match self {
            Self::Raw(closer) => closer.step(automaton, byte),
            Self::Span(span) => span.step(byte),
        }
    }

    /// Whether the marker is text if the input ends, or if bytes follow that are no text.
    pub(super) const fn ends_as_text(&self, bytes_follow: bool) -> bool {
        match self {
            Self::Raw(closer) => bytes_follow || closer.is_in_follower(),
            Self::Span(span) => span.run == span.span,
        }
    }

    pub(super) const fn marker(&self) -> &FoundMarker {
        match self {
            Self::Raw(closer) => &closer.closer,
            Self::Span(span) => &span.marker,
        }
    }

    pub(super) fn into_marker(self) -> FoundMarker {
        match self {
            Self::Raw(closer) => closer.closer,
            Self::Span(span) => span.marker,
        }
    }
}

impl PendingSpan {
    const fn step(&mut self, byte: u8) -> CloserVerdict {
        if byte == b'`' {
            self.run += 1;
        } else if self.run == self.span {
            return CloserVerdict::Content;
        } else if matches!(byte, b'\n' | b'\r') {
            return CloserVerdict::Closer;
        } else {
            self.run = 0;
        }
        self.replaced = match (self.replaced, byte) {
            (2, 0xBD) => return CloserVerdict::Closer,
            (1, 0xBF) => 2,
            (_, 0xEF) => 1,
            _ => 0,
        };
        self.read += 1;
        if self.read < MAX_SPAN { CloserVerdict::Undecided } else { CloserVerdict::Closer }
    }
}
