//! Bytes that are skipped between tokens: comments, bytes that fit nowhere, the end of a fence. All of them
//! are slips. [`UndecidedBytes::since`](super::held::UndecidedBytes::since) is the offset where they began.

use super::{
    Code, Error, Input, JsonLexer, JsonQuote, JsonResume, JsonState, Leniency, PayloadFenceRun,
    Span, StringRole, SyntaxError, word,
};

/// The position in a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonComment {
    /// After a slash that may begin a comment.
    Slash,
    /// In `//` or `#`, up to the line end.
    Line,
    /// In `/*`.
    Block,
    /// In `/*`, after a star that may end it.
    Star,
    /// After `<` and so many bytes of `!--`.
    HtmlOpening(u8),
    /// In `<!--`, after so many dashes that may end it.
    Html(u8),
}

impl JsonLexer {
    pub(super) fn comment_begins(
        &mut self,
        byte: u8,
        then: JsonResume,
        input: &mut Input<'_>,
    ) -> bool {
        if !self.settings.allow(Leniency::Comments) {
            return false;
        }
        self.held.since = input.offset();
        input.pos += 1;
        let comment = if byte == b'/' { JsonComment::Slash } else { JsonComment::Line };
        self.state = JsonState::Comment(comment, then);
        true
    }

    /// Begins a possible comment of HTML, where `<` fits nowhere else. Whether one may begin.
    pub(super) fn html_comment_begins(&mut self, then: JsonResume, input: &mut Input<'_>) -> bool {
        let may = self.settings.allow(Leniency::Comments)
            && self.settings.allow(Leniency::UnexpectedText);
        if may {
            self.held.since = input.offset();
            input.pos += 1;
            self.state = JsonState::Comment(JsonComment::HtmlOpening(0), then);
        }
        may
    }

    pub(super) fn scan_comment(
        &mut self,
        comment: JsonComment,
        then: JsonResume,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let Some(byte) = input.peek() else { return Ok(()) };
        let next = match (comment, byte) {
            (JsonComment::Slash, b'/') => JsonComment::Line,
            (JsonComment::Slash, b'*') => JsonComment::Block,
            (JsonComment::Slash, _) => return self.begins_no_comment(then),
            (JsonComment::Line, b'\n') => return self.comment_ends(then, input),
            (JsonComment::Line, _) => {
                input.pos += until(b'\n', input.bytes());
                return Ok(());
            }
            (JsonComment::Star, b'/') => {
                input.pos += 1;
                return self.comment_ends(then, input);
            }
            (JsonComment::Star | JsonComment::Block, b'*') => JsonComment::Star,
            (JsonComment::Star | JsonComment::Block, _) => {
                input.pos += until(b'*', input.bytes());
                self.state = JsonState::Comment(JsonComment::Block, then);
                return Ok(());
            }
            (JsonComment::HtmlOpening(0), b'!') => JsonComment::HtmlOpening(1),
            (JsonComment::HtmlOpening(1), b'-') => JsonComment::HtmlOpening(2),
            (JsonComment::HtmlOpening(2), b'-') => JsonComment::Html(0),
            (JsonComment::HtmlOpening(_), _) => return self.begins_no_comment(then),
            (JsonComment::Html(2), b'>') => {
                input.pos += 1;
                return self.comment_ends(then, input);
            }
            (JsonComment::Html(dashes), b'-') => JsonComment::Html((dashes + 1).min(2)),
            (JsonComment::Html(_), _) => {
                input.pos += until(b'-', input.bytes());
                self.state = JsonState::Comment(JsonComment::Html(0), then);
                return Ok(());
            }
        };
        input.pos += 1;
        self.state = JsonState::Comment(next, then);
        Ok(())
    }

    fn comment_ends(&mut self, then: JsonResume, input: &Input<'_>) -> Result<(), Error> {
        self.output.note(Code::Comment, Span::new(self.held.since, input.offset()));
        self.state = then.into();
        Ok(())
    }

    /// A slash or bracket that begins no comment is text, if unquoted text is allowed here.
    fn begins_no_comment(&mut self, then: JsonResume) -> Result<(), Error> {
        let from = self.held.since;
        match then {
            JsonResume::Value(_) => {
                self.word.clear();
                self.word.push('/');
                self.held.from = from;
                self.state = JsonState::Word;
            }
            JsonResume::After => self.begin_trailing(from),
            then => self.state = JsonState::Junk { then },
        }
        Ok(())
    }

    /// Begins to skip spaces of Unicode. Whether there are any.
    pub(super) fn spaces_begin(
        &mut self,
        byte: u8,
        then: JsonResume,
        input: &mut Input<'_>,
    ) -> bool {
        // Each of them has two bytes or more.
        let space = (!byte.is_ascii()).then(|| input.peek_char()).flatten();
        let Some(space) = space.filter(|char| self.settings.is_foreign_space(*char)) else {
            return false;
        };
        self.held.since = input.offset();
        input.pos += space.len_utf8();
        self.state = JsonState::Spaces { then };
        true
    }

    pub(super) fn scan_spaces(
        &mut self,
        then: JsonResume,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        match input.peek_char() {
            Some(char) if self.settings.is_foreign_space(char) => input.pos += char.len_utf8(),
            Some(_) => self.end_spaces(then, input.offset()),
            None => {}
        }
        Ok(())
    }

    /// Notes a run of spaces once.
    pub(super) fn end_spaces(&mut self, then: JsonResume, end: u64) {
        self.output.note(Code::UnicodeSpace, Span::new(self.held.since, end));
        self.state = then.into();
    }

    /// Begins to skip bytes that fit nowhere.
    pub(super) fn begin_junk(
        &mut self,
        then: JsonResume,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let from = input.offset();
        if !self.settings.allow(Leniency::UnexpectedText) {
            let error = match then {
                JsonResume::Key { .. } => SyntaxError::ExpectedKey,
                JsonResume::Colon => SyntaxError::ExpectedColon,
                _ => SyntaxError::ExpectedValue,
            };
            return Err(Self::syntax(error, from));
        }
        input.pos += input.peek_char().map_or(1, char::len_utf8);
        self.held.since = from;
        self.state = JsonState::Junk { then };
        Ok(())
    }

    pub(super) fn scan_junk(
        &mut self,
        then: JsonResume,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let Some(char) = input.peek_char() else { return Ok(()) };
        let goes_on = match then {
            JsonResume::Value(_) => matches!(char, ':' | '=' | ';' | '>'),
            JsonResume::Key { .. } => {
                !(char.is_whitespace()
                    || self.settings.is_blank(char)
                    || matches!(char, '}' | ']' | ')' | ',' | '/' | '#' | '`' | '~')
                    || word::is_name_start(char)
                    || char.is_ascii_digit()
                    || self.opening(input.rest()).is_some())
            }
            JsonResume::Colon | JsonResume::After => matches!(char, ']' | ')' | ';' | '*'),
        };
        if goes_on {
            input.pos += char.len_utf8();
            return Ok(());
        }
        self.end_junk(then, input.offset())
    }

    pub(super) fn end_junk(&mut self, then: JsonResume, end: u64) -> Result<(), Error> {
        self.output.note(Code::UnexpectedBytes, Span::new(self.held.since, end));
        self.state = then.into();
        Ok(())
    }

    /// At a backtick or tilde: three of them end the fence.
    pub(super) fn begin_fence_run(
        &mut self,
        mark: u8,
        then: JsonResume,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        self.held.since = input.offset();
        input.pos += 1;
        self.state = JsonState::FenceRun(PayloadFenceRun { mark, count: 1, then });
        Ok(())
    }

    pub(super) fn scan_fence_run(
        &mut self,
        run: PayloadFenceRun,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let PayloadFenceRun { mark, count, then } = run;
        if input.peek() != Some(mark) {
            return self.no_fence(run);
        }
        input.pos += 1;
        self.state = JsonState::FenceRun(PayloadFenceRun { count: count + 1, ..run });
        if count == 2 && self.may_be_fenced_text(mark, then) {
            self.begin_fenced_text(input.offset());
        } else if count == 2 {
            self.forgive(Leniency::MissingClosers, Code::MissingClose, Span::at(self.held.since))?;
            self.fence.ended_root = true;
            self.close_all_but(0, self.held.since);
        }
        Ok(())
    }

    /// Fewer than three marks: a backtick quote, or bytes that fit nowhere.
    fn no_fence(&mut self, run: PayloadFenceRun) -> Result<(), Error> {
        let PayloadFenceRun { mark, count, then } = run;
        let from = self.held.since;
        let quotes = mark == b'`' && self.settings.allow(Leniency::BacktickQuotes);
        let role = match then {
            JsonResume::Value(_) if quotes => StringRole::Value,
            JsonResume::Key { .. } if quotes => StringRole::Key,
            JsonResume::After => {
                self.begin_trailing(from);
                return Ok(());
            }
            JsonResume::Value(_) => {
                self.word.clear();
                self.word.extend(core::iter::repeat_n(char::from(mark), count.into()));
                self.held.from = from;
                self.state = JsonState::Word;
                return Ok(());
            }
            then => {
                self.state = JsonState::Junk { then };
                return Ok(());
            }
        };
        let mut quote = Input::new("`", from);
        self.open_text(role, JsonQuote::Backtick, 1, &mut quote);
        if count == 2 {
            self.close_text(role, from + 2);
        }
        Ok(())
    }
}

/// The length of the run before `byte`.
fn until(byte: u8, bytes: &[u8]) -> usize {
    memchr::memchr(byte, bytes).unwrap_or(bytes.len())
}
