//! Reasoning that the source delivers in a field of its own.

use super::reader::Reader;
use crate::codes::Code;
use crate::error::{Error, ErrorKind};
use crate::event::{Event, ReasoningEvent, Text};
use crate::fold::EmissionKind;
use crate::limits::Limit;
use crate::span::Span;
use crate::text::Carry;
use crate::transcript::Route;

pub(super) const REPLACEMENT: &str = "\u{FFFD}";

/// The state of side reasoning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SideReasoning {
    pub(super) carry: Carry,
    /// The number of bytes fed as side reasoning.
    fed: u64,
}

impl SideReasoning {
    /// The part of a delta that fits into the limit, and whether that is all of it. Counts it as fed.
    pub(super) fn admit<'c>(&mut self, delta: &'c [u8], limit: u64) -> (&'c [u8], bool) {
        let room = usize::try_from(limit - self.fed).unwrap_or(usize::MAX);
        let taken = &delta[..delta.len().min(room)];
        self.fed += taken.len() as u64;
        (taken, taken.len() == delta.len())
    }

    /// At the end of the input, turns a cut code point into U+FFFD. Whether there was one.
    pub(super) fn finish(&mut self, reader: &mut Reader) -> bool {
        let cut = self.carry.finish().is_some();
        if cut {
            note_invalid(reader);
            keep(reader, REPLACEMENT);
        }
        cut
    }

    /// The event for a cut code point.
    pub(super) fn cut_event(self, reader: &Reader) -> Event<'static> {
        event(reader, REPLACEMENT)
    }
}

/// Emits a notice of invalid bytes. It does not count as a repair of the payload.
pub(super) fn note_invalid(reader: &mut Reader) {
    let outbox = &mut reader.fold.outbox;
    let here = Span::at(outbox.last_end);
    outbox.emit_marker(EmissionKind::Notice(Code::InvalidUtf8, 0), here);
}

pub(super) fn keep(reader: &mut Reader, text: &str) {
    let here = Span::at(reader.fold.outbox.last_end);
    reader.collected.transcript.emit(0, Route::Reasoning, text, here);
}

pub(super) fn event<'a>(reader: &Reader, text: &'a str) -> Event<'a> {
    let span = Span::at(reader.fold.outbox.last_end);
    Event::Reasoning(ReasoningEvent { element: None, delta: Text::new(text, None), span })
}

/// The error of side reasoning that exceeds its limit.
pub(super) const fn over_limit(fed: u64) -> Error {
    Error::new(ErrorKind::Limit(Limit::Total), fed)
}

#[cfg(test)]
mod tests {
    use super::SideReasoning;

    #[test]
    fn the_limit_is_its_own_and_lets_in_what_fits() {
        let mut side = SideReasoning::default();
        assert_eq!(side.admit(b"ab", 3), (&b"ab"[..], true));
        assert_eq!(side.admit(b"cd", 3), (&b"c"[..], false));
        assert_eq!(side.admit(b"", 3), (&b""[..], true));
    }
}
