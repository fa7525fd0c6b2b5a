//! After a value in an object, at something that is neither a comma nor a closer: a key with its
//! colon means that a comma is missing; in a list any value does. All else is text to be dropped.

use super::look::is_blank;
use super::{Code, Error, Input, Leniency, Lexer, Place, Quote, Span, State, word};

/// What was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Probe {
    /// Part of a name.
    Name,
    /// Part of a quoted run.
    Run { quote: Quote, escaped: bool },
    /// A name or run, and blanks: a colon confirms.
    End,
    /// Part of a word in a list: a literal confirms.
    Word,
}

enum Verdict {
    Hold(Probe),
    MissingComma,
    Dropped,
}

impl Lexer {
    /// Begins at a character that may begin a key.
    pub(super) fn begin_probe(&mut self, probe: Probe, len: usize, input: &mut Input<'_>) {
        self.held.clear();
        self.held.push_str(&input.rest()[..len]);
        self.held_from = input.offset();
        input.pos += len;
        self.state = State::Probe(probe);
    }

    pub(super) fn scan_probe(
        &mut self,
        mut probe: Probe,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        while let Some(char) = input.peek_char() {
            let verdict = if input.is_replaced() || self.held.len() > self.caps.run {
                Verdict::Dropped
            } else {
                self.judge_probe(probe, char, input.rest())
            };
            match verdict {
                Verdict::Hold(next) => {
                    probe = next;
                    self.held.push(char);
                    input.pos += char.len_utf8();
                }
                Verdict::MissingComma => {
                    self.missing_comma(self.held_from);
                    self.reread_held(0);
                    return Ok(());
                }
                Verdict::Dropped => {
                    self.refute_probe();
                    return Ok(());
                }
            }
        }
        self.state = State::Probe(probe);
        Ok(())
    }

    fn judge_probe(&self, probe: Probe, char: char, rest: &str) -> Verdict {
        match probe {
            Probe::Name if word::is_name_char(char) => Verdict::Hold(Probe::Name),
            Probe::Name | Probe::End if char == ':' => Verdict::MissingComma,
            Probe::Name | Probe::End if is_blank(char) => Verdict::Hold(Probe::End),
            Probe::Name | Probe::End => Verdict::Dropped,
            Probe::Run { .. } if char == '\n' => Verdict::Dropped,
            Probe::Run { quote, escaped: true } => {
                Verdict::Hold(Probe::Run { quote, escaped: false })
            }
            Probe::Run { quote, .. } if char == '\\' => {
                Verdict::Hold(Probe::Run { quote, escaped: true })
            }
            Probe::Run { quote, .. } if quote.closing(rest).is_some() => Verdict::Hold(Probe::End),
            Probe::Run { .. } => Verdict::Hold(probe),
            Probe::Word if char.is_ascii_alphanumeric() => Verdict::Hold(Probe::Word),
            Probe::Word if word::literal(&self.held).is_some() => Verdict::MissingComma,
            Probe::Word => Verdict::Dropped,
        }
    }

    /// A value or key follows where a comma should be.
    pub(super) fn missing_comma(&mut self, at: u64) {
        self.note(Code::MissingComma, Span::at(at));
        self.state = if self.top() == Some(super::Container::Object) {
            State::Key { first: false }
        } else {
            State::Value(Place::Next)
        };
    }

    /// What was held is no key: it is dropped, with what follows up to the next separator or line end.
    pub(super) fn refute_probe(&mut self) {
        self.begin_trailing(self.held_from);
        match self.held.find('\n') {
            Some(line_end) => self.reread_held(line_end),
            None => self.held.clear(),
        }
    }

    /// Text from `from` on is dropped, up to the next separator or line end.
    pub(super) fn begin_trailing(&mut self, from: u64) {
        self.since = from;
        self.state = State::Trailing;
    }

    pub(super) fn scan_trailing(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let bytes = input.bytes();
        let tuple = self.top() == Some(super::Container::Tuple);
        let stops = |byte: &u8| match byte {
            b',' | b'}' | b']' | b'\n' => true,
            b')' => tuple,
            _ => false,
        };
        let Some(len) = bytes.iter().position(stops) else {
            input.pos += bytes.len();
            return Ok(());
        };
        input.pos += len;
        self.end_trailing(input.offset())
    }

    pub(super) fn end_trailing(&mut self, end: u64) -> Result<(), Error> {
        if !self.allows(Leniency::UnexpectedText) {
            return Err(Self::syntax(super::SyntaxError::ExpectedSeparator, self.since));
        }
        self.note(Code::TrailingAfterValue, Span::new(self.since, end));
        self.state = State::After;
        Ok(())
    }
}
