//! Reasoning that a provider sends apart from the text.

use super::Parser;
use super::ending::Stage;
use super::quick::Open;
use crate::codes::Code;
use crate::error::{Error, ErrorKind};
use crate::event::{Event, Flow, ReasoningEvent, Text};
use crate::fold::EmissionKind;
use crate::lex::Input;
use crate::limits::Limit;
use crate::span::Span;
use crate::spec::Strictness;
use crate::text::{Carry, Piece};
use crate::transcript::Route;

const REPLACEMENT: &str = "\u{FFFD}";

/// What of it lasts from call to call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Apart {
    carry: Carry,
    /// Bytes fed this way.
    fed: u64,
}

impl Parser {
    /// Takes in reasoning that does not come in the text, and emits it as [`Event::Reasoning`]
    /// without an element.
    ///
    /// Its bytes are no part of the text: they move no offset, their spans are empty, and no marker
    /// is looked for in them. They are cut as the caller likes, are bounded by [`Limit::Total`] on
    /// their own, and are joined to [`Answer::reasoning`](crate::Answer::reasoning).
    ///
    /// ```
    /// use patchwire::Spec;
    ///
    /// let mut parser = Spec::json().parser();
    /// parser.feed_reasoning("First the ", |_| {})?;
    /// parser.feed(r#"{"n": "#, |_| {})?;
    /// parser.feed_reasoning("number.", |_| {})?;
    /// parser.feed("1}", |_| {})?;
    /// let answer = parser.finish(|_| {})?;
    /// assert_eq!((answer.reasoning(), answer.value().to_string()), ("First the number.", r#"{"n":1}"#.into()));
    /// # Ok::<(), patchwire::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`feed`](Self::feed).
    pub fn feed_reasoning<R: Flow>(
        &mut self,
        delta: impl AsRef<[u8]>,
        mut on_event: impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        self.lane = Open::default();
        let (mut rest, over) = self.admit_apart(delta.as_ref())?;
        while let Some(piece) = self.apart.carry.next(&mut rest) {
            let mut bytes = [0; 4];
            let text = match piece {
                Piece::Run(text) => text,
                Piece::Joined { char, .. } => char.encode_utf8(&mut bytes),
                Piece::Replaced { .. } => {
                    self.refuse_apart()?;
                    let mut nothing = Input::new("", self.offset);
                    if !self.drain(&mut nothing, None, &mut on_event)? {
                        return Err(self.fail(ErrorKind::Cancelled));
                    }
                    REPLACEMENT
                }
            };
            self.keep_apart(text);
            if !on_event(self.reasoning_apart(text)).goes_on() {
                return Err(self.fail(ErrorKind::Cancelled));
            }
        }
        over.map_err(|error| self.latch(error))
    }

    fn admit_apart<'c>(&mut self, delta: &'c [u8]) -> Result<(&'c [u8], Result<(), Error>), Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if self.stage != Stage::Feeding {
            return Err(Error::new(ErrorKind::Finished, self.fed));
        }
        let room = usize::try_from(self.total_limit - self.apart.fed).unwrap_or(usize::MAX);
        let taken = &delta[..delta.len().min(room)];
        self.apart.fed += taken.len() as u64;
        if taken.len() == delta.len() {
            return Ok((taken, Ok(())));
        }
        Ok((taken, Err(Error::new(ErrorKind::Limit(Limit::Total), self.fed))))
    }

    /// Bytes that are not UTF-8: an error or a notice.
    fn refuse_apart(&mut self) -> Result<(), Error> {
        if self.spec.0.strictness == Strictness::Strict {
            return Err(self.latch(Error::new(ErrorKind::InvalidUtf8, self.fed)));
        }
        self.note_apart();
        Ok(())
    }

    /// The payload is as it was: the notice does not count as a repair of it.
    fn note_apart(&mut self) {
        let here = Span::at(self.fold.outbox.last_end);
        self.fold.outbox.emit_marker(EmissionKind::Notice(Code::InvalidUtf8, 0), here);
    }

    fn keep_apart(&mut self, text: &str) {
        self.transcript.emit(0, Route::Reasoning, text, Span::at(self.fold.outbox.last_end));
    }

    fn reasoning_apart<'a>(&self, text: &'a str) -> Event<'a> {
        let span = Span::at(self.fold.outbox.last_end);
        Event::Reasoning(ReasoningEvent { element: None, delta: Text::new(text, None), span })
    }

    /// The end of the input. Whether a code point was not whole.
    pub(super) fn end_apart(&mut self) -> bool {
        let cut = self.apart.carry.finish().is_some();
        if cut {
            self.note_apart();
            self.keep_apart(REPLACEMENT);
        }
        cut
    }

    /// What stands for a code point that was not whole.
    pub(super) fn cut_reasoning(&self) -> Event<'static> {
        self.reasoning_apart(REPLACEMENT)
    }
}
