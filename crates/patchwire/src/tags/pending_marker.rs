//! A complete marker of which only the text after it shows whether it counts.

use super::code_guard::OpenSpan;
use super::element_stack::FoundMarker;
use super::pending_closer::{CloserVerdict, PendingCloser};
use super::pending_follower::PendingFollower;
use super::pending_mention::PendingMention;
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
    /// A marker behind a quote or another sign that may enclose it.
    Mention(PendingMention),
    /// An opener that counts only before certain text.
    Follower(PendingFollower),
}

/// A marker in a code span that is open, read up to [`MAX_SPAN`] bytes and to the next U+FFFD, which may stand for
/// bytes that are no text.
///
/// The marker is text if the span closes on the line that opened it. A span may also close on the next line. But the
/// run that seemed to open it may have been a lone backtick, and the run on the next line opens a span of its own.
/// So the marker is text only if that line has an odd number of such runs.
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
    line: SpanLine,
}

/// The line after a pending marker that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SpanLine {
    /// The one that opened the span.
    Own,
    /// The next one. Whether an odd number of its runs are as long as that of the span.
    Next { is_odd: bool },
}

impl PendingMarker {
    pub(super) const fn in_span(marker: FoundMarker, span: OpenSpan) -> Self {
        let line = if span.carried { SpanLine::Next { is_odd: false } } else { SpanLine::Own };
        Self::Span(PendingSpan { marker, span: span.run, run: 0, read: 0, replaced: 0, line })
    }

    /// Reads one byte after the marker.
    pub(super) fn step(&mut self, automaton: &Automaton, byte: u8) -> CloserVerdict {
        match self {
            Self::Raw(closer) => closer.step(automaton, byte),
            Self::Span(span) => span.step(byte),
            Self::Mention(mention) => mention.step(byte),
            Self::Follower(follower) => follower.step(byte),
        }
    }

    /// Whether the marker is text if the input ends, or if bytes follow that are no text.
    pub(super) const fn ends_as_text(&self, bytes_follow: bool) -> bool {
        match self {
            Self::Raw(closer) => bytes_follow || closer.is_in_follower(),
            Self::Span(span) => span.ends_as_text(bytes_follow),
            Self::Mention(_) => false,
            Self::Follower(_) => bytes_follow,
        }
    }

    pub(super) const fn marker(&self) -> &FoundMarker {
        match self {
            Self::Raw(closer) => &closer.closer,
            Self::Span(span) => &span.marker,
            Self::Mention(mention) => &mention.marker,
            Self::Follower(follower) => &follower.marker,
        }
    }

    pub(super) fn into_marker(self) -> FoundMarker {
        match self {
            Self::Raw(closer) => closer.closer,
            Self::Span(span) => span.marker,
            Self::Mention(mention) => mention.marker,
            Self::Follower(follower) => follower.marker,
        }
    }
}

impl PendingSpan {
    fn step(&mut self, byte: u8) -> CloserVerdict {
        if byte == b'`' {
            self.run += 1;
        } else if let Some(verdict) = self.end_run(byte) {
            return verdict;
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

    /// Reads a byte that is no backtick. Some if it decides.
    fn end_run(&mut self, byte: u8) -> Option<CloserVerdict> {
        let is_break = matches!(byte, b'\n' | b'\r');
        let closes = core::mem::take(&mut self.run) == self.span;
        match &mut self.line {
            SpanLine::Own if closes => return Some(CloserVerdict::Content),
            SpanLine::Own if is_break => self.line = SpanLine::Next { is_odd: false },
            SpanLine::Own => {}
            SpanLine::Next { is_odd } => {
                *is_odd ^= closes;
                let is_text = *is_odd;
                return is_break.then_some(if is_text {
                    CloserVerdict::Content
                } else {
                    CloserVerdict::Closer
                });
            }
        }
        None
    }

    /// Whether the marker is text if no more text comes.
    const fn ends_as_text(&self, bytes_follow: bool) -> bool {
        let closes = self.run == self.span;
        match self.line {
            SpanLine::Own => closes,
            SpanLine::Next { is_odd } => !bytes_follow && is_odd != closes,
        }
    }
}
