//! The look-ahead after a value in an object, at text that is neither a comma nor a closer. A key with its
//! colon shows a missing comma; in a list any value does. Other text is dropped.

use super::{Code, Error, Input, JsonLexer, JsonPlace, JsonQuote, JsonState, Leniency, Span, word};

/// The text seen so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordProbe {
    /// In a name.
    Name,
    /// In a quoted run.
    Run { quote: JsonQuote, escaped: bool },
    /// In whitespace after a name or run: a colon confirms.
    End,
    /// In a word in a list: a literal confirms.
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
        self.held.text.clear();
        self.held.text.push_str(&input.rest()[..len]);
        self.held.from = input.offset();
        input.pos += len;
        self.state = JsonState::Probe(probe);
    }

    pub(super) fn scan_probe(
        &mut self,
        mut probe: WordProbe,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        while let Some(char) = input.peek_char() {
            let verdict = if input.is_replaced() || self.held.text.len() > self.settings.caps.run {
                ProbeVerdict::Dropped
            } else {
                self.judge_probe(probe, char, input.rest())
            };
            match verdict {
                ProbeVerdict::Hold(next) => {
                    probe = next;
                    self.held.text.push(char);
                    input.pos += char.len_utf8();
                }
                ProbeVerdict::MissingComma => {
                    self.missing_comma(self.held.from);
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
            WordProbe::Name | WordProbe::End if self.settings.is_blank(char) => {
                ProbeVerdict::Hold(WordProbe::End)
            }
            // The closing quote of a key without an opener.
            WordProbe::Name if char == '"' => ProbeVerdict::Hold(WordProbe::End),
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
            WordProbe::Word if word::literal(&self.held.text).is_some() => {
                ProbeVerdict::MissingComma
            }
            WordProbe::Word => ProbeVerdict::Dropped,
        }
    }

    /// Notes a missing comma before the value or key at `at`.
    pub(super) fn missing_comma(&mut self, at: u64) {
        self.output.note(Code::MissingComma, Span::at(at));
        self.state = if self.top() == Some(super::JsonContainer::Object) {
            JsonState::Key { first: false }
        } else {
            JsonState::Value(JsonPlace::Next)
        };
    }

    /// The held text is no key: it is dropped, with the text up to the next separator or line end.
    pub(super) fn refute_probe(&mut self) {
        self.begin_trailing(self.held.from);
        match self.held.text.find('\n') {
            Some(line_end) => self.reread_held(line_end),
            None => self.held.text.clear(),
        }
    }

    /// Drops text from `from` on, up to the next separator or line end.
    pub(super) fn begin_trailing(&mut self, from: u64) {
        self.held.since = from;
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
        if !self.settings.allow(Leniency::UnexpectedText) {
            return Err(Self::syntax(super::SyntaxError::ExpectedSeparator, self.held.since));
        }
        self.output.note(Code::TrailingAfterValue, Span::new(self.held.since, end));
        self.state = JsonState::After;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::window::QuoteJudge;
    use super::{JsonLexer, JsonQuote, ProbeVerdict, WordProbe};
    use crate::caps::Caps;
    use crate::leniency::Leniencies;
    use crate::limits::Limits;

    #[test]
    fn text_after_a_value_and_its_meaning() {
        let run = WordProbe::Run { quote: JsonQuote::Double, escaped: false };
        for (probe, held, after, verdict, len) in [
            (WordProbe::Name, "b", "c: 1", "missing comma", 1),
            (WordProbe::Name, "b", " : 1", "missing comma", 1),
            (WordProbe::Name, "b", " x", "dropped", 1),
            (WordProbe::Name, "b", ",", "dropped", 0),
            (WordProbe::Name, "b", "\": 1", "missing comma", 1),
            (WordProbe::Name, "b", "\" x", "dropped", 2),
            (WordProbe::Name, "b", "c-d", "held", 3),
            (run, "\"", "b\": 1", "missing comma", 2),
            (run, "\"", "b\\\"\": 1", "missing comma", 4),
            (run, "\"", "b\n", "dropped", 1),
            (run, "\"", "b\" x", "dropped", 3),
            (WordProbe::Word, "t", "rue]", "missing comma", 3),
            (WordProbe::Word, "t", "ru]", "dropped", 2),
        ] {
            let mut lexer = JsonLexer::new(
                Leniencies::ALL,
                &Limits::default(),
                Caps::STANDARD,
                QuoteJudge::NEVER_ENDS,
            );
            lexer.held.text.push_str(held);
            let (mut probe, mut found) = (probe, ("held", after.len()));
            for (at, char) in after.char_indices() {
                match lexer.judge_probe(probe, char, &after[at..]) {
                    ProbeVerdict::Hold(next) => probe = next,
                    ProbeVerdict::MissingComma => found = ("missing comma", at),
                    ProbeVerdict::Dropped => found = ("dropped", at),
                }
                if found.0 != "held" {
                    break;
                }
                lexer.held.text.push(char);
            }
            assert_eq!(found, (verdict, len), "{held}{after:?}");
        }
    }
}
