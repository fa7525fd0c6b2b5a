//! After a value in an object, at something that is neither a comma nor a closer: a key with its
//! colon means that a comma is missing; in a list any value does. All else is text to be dropped.

use super::{Code, Error, Input, JsonLexer, JsonPlace, JsonQuote, JsonState, Leniency, Span, word};
use crate::text::is_whitespace;

/// What was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordProbe {
    /// Part of a name.
    Name,
    /// Part of a quoted run.
    Run { quote: JsonQuote, escaped: bool },
    /// A name or run, and blanks: a colon confirms.
    End,
    /// Part of a word in a list: a literal confirms.
    Word,
}

enum ProbeVerdict {
    Hold(WordProbe),
    MissingComma,
    Dropped,
}

impl JsonLexer {
    /// Begins at a character that may begin a key.
    pub(super) fn begin_probe(&mut self, probe: WordProbe, len: usize, input: &mut Input<'_>) {
        self.held.clear();
        self.held.push_str(&input.rest()[..len]);
        self.held_from = input.offset();
        input.pos += len;
        self.state = JsonState::Probe(probe);
    }

    pub(super) fn scan_probe(
        &mut self,
        mut probe: WordProbe,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        while let Some(char) = input.peek_char() {
            let verdict = if input.is_replaced() || self.held.len() > self.caps.run {
                ProbeVerdict::Dropped
            } else {
                self.judge_probe(probe, char, input.rest())
            };
            match verdict {
                ProbeVerdict::Hold(next) => {
                    probe = next;
                    self.held.push(char);
                    input.pos += char.len_utf8();
                }
                ProbeVerdict::MissingComma => {
                    self.missing_comma(self.held_from);
                    self.reread_held(0);
                    return Ok(());
                }
                ProbeVerdict::Dropped => {
                    self.refute_probe();
                    return Ok(());
                }
            }
        }
        self.state = JsonState::Probe(probe);
        Ok(())
    }

    fn judge_probe(&self, probe: WordProbe, char: char, rest: &str) -> ProbeVerdict {
        match probe {
            WordProbe::Name if word::is_name_char(char) => ProbeVerdict::Hold(WordProbe::Name),
            WordProbe::Name | WordProbe::End if char == ':' => ProbeVerdict::MissingComma,
            WordProbe::Name | WordProbe::End if is_whitespace(char) => {
                ProbeVerdict::Hold(WordProbe::End)
            }
            WordProbe::Name | WordProbe::End => ProbeVerdict::Dropped,
            WordProbe::Run { .. } if char == '\n' => ProbeVerdict::Dropped,
            WordProbe::Run { quote, escaped: true } => {
                ProbeVerdict::Hold(WordProbe::Run { quote, escaped: false })
            }
            WordProbe::Run { quote, .. } if char == '\\' => {
                ProbeVerdict::Hold(WordProbe::Run { quote, escaped: true })
            }
            WordProbe::Run { quote, .. } if quote.closing(rest).is_some() => {
                ProbeVerdict::Hold(WordProbe::End)
            }
            WordProbe::Run { .. } => ProbeVerdict::Hold(probe),
            WordProbe::Word if char.is_ascii_alphanumeric() => ProbeVerdict::Hold(WordProbe::Word),
            WordProbe::Word if word::literal(&self.held).is_some() => ProbeVerdict::MissingComma,
            WordProbe::Word => ProbeVerdict::Dropped,
        }
    }

    /// A value or key follows where a comma should be.
    pub(super) fn missing_comma(&mut self, at: u64) {
        self.note(Code::MissingComma, Span::at(at));
        self.state = if self.top() == Some(super::JsonContainer::Object) {
            JsonState::Key { first: false }
        } else {
            JsonState::Value(JsonPlace::Next)
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
        self.state = JsonState::Trailing;
    }

    pub(super) fn scan_trailing(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let bytes = input.bytes();
        let tuple = self.top() == Some(super::JsonContainer::Tuple);
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
        self.state = JsonState::After;
        Ok(())
    }
}
