//! Text between fields: tags, comments, the end of the root, and stray text.

use super::{AttributeReader, FieldPlace, MOST_TAG, XmlFieldFormat, continues};
use crate::codes::Code;
use crate::error::Error;
use crate::span::Span;
use crate::text::is_whitespace;

impl XmlFieldFormat {
    pub(super) fn between(&mut self, char: char, end: u64) {
        let FieldPlace::Between { ticks, noted } = &mut self.place else { return };
        match char {
            // Only whitespace may follow the closing line of a fence.
            ' ' | '\t' | '\n' | '\r' if *ticks > 0 => *ticks = 3,
            ' ' | '\t' | '\n' | '\r' => {}
            '<' => {
                if *ticks > 0 {
                    self.stray(end);
                }
                self.begin_tag(false, end);
            }
            // A fence around the whole payload may end here.
            '`' if *ticks < 3 => *ticks += 1,
            _ if *noted => {}
            _ => self.stray(end),
        }
    }

    /// Reads a character of a comment.
    pub(super) fn comment(&mut self, char: char, end: u64) {
        let FieldPlace::Comment { hyphens } = &mut self.place else { return };
        match (char, *hyphens) {
            ('<', _) => self.begin_tag(true, end),
            ('-', _) => *hyphens = (*hyphens + 1).min(2),
            ('>', 2) => self.place = FieldPlace::Between { ticks: 0, noted: false },
            _ => *hyphens = 0,
        }
    }

    fn begin_tag(&mut self, comment: bool, end: u64) {
        self.place = FieldPlace::Tag { comment };
        self.held.push('<');
        self.held_from = end - 1;
    }

    fn stray(&mut self, end: u64) {
        self.out.notice(Code::StrayText, Span::at(end));
        self.place = FieldPlace::Between { ticks: 0, noted: true };
    }

    /// Reads a character of a possible tag. Returns the bytes consumed.
    pub(super) fn tag(&mut self, char: char, span: Span) -> Result<usize, Error> {
        let (len, end) = (char.len_utf8(), span.end);
        let blank = is_whitespace(char);
        if self.held.eq_ignore_ascii_case("<field") && (blank || matches!(char, '/' | '>')) {
            let mut attributes = AttributeReader::default();
            attributes.push(char);
            self.place = FieldPlace::Field(attributes);
            self.field_tag(char, end)?;
            return Ok(len);
        }
        if self.literals.is_closer(&self.held) && (blank || char == '>') {
            self.place = FieldPlace::Closing;
            return Ok(self.closing(char, span));
        }
        let goes_on = |whole: &str| continues(whole, &self.held, char);
        let ends_root = self.literals.closers.iter().any(|closer| goes_on(closer));
        if goes_on("<field") || ends_root || goes_on("<!--") {
            self.held.push(char);
            if self.held == "<!--" {
                self.held.clear();
                // `<!-->` is a comment.
                self.place = FieldPlace::Comment { hyphens: 2 };
            }
            return Ok(len);
        }
        let held = core::mem::take(&mut self.held);
        match self.place {
            FieldPlace::Tag { comment: true } => self.place = FieldPlace::Comment { hyphens: 0 },
            _ => self.stray(span.start),
        }
        self.read_again(&held[1..], Span::new(self.held_from + 1, span.start))?;
        Ok(0)
    }

    /// Continues the tag of a field, whose attributes have read the character.
    pub(super) fn field_tag(&mut self, char: char, end: u64) -> Result<(), Error> {
        self.held.push(char);
        let FieldPlace::Field(attributes) = &self.place else { return Ok(()) };
        if attributes.is_done() {
            let attributes = attributes.clone();
            self.held.clear();
            return self.open_field(&attributes, end);
        }
        if self.held.len() >= MOST_TAG {
            self.held.clear();
            self.out.notice(Code::HoldCap, Span::new(self.held_from, end));
            self.stray(end);
        }
        Ok(())
    }

    /// Reads a character of the closing tag of the root, which ends before a character that belongs to no
    /// tag. Returns the bytes consumed.
    pub(super) fn closing(&mut self, char: char, span: Span) -> usize {
        let (blank, len) = (is_whitespace(char), char.len_utf8());
        if blank {
            return len;
        }
        let (end, eaten) = if char == '>' { (span.end, len) } else { (span.start, 0) };
        self.close_root(end);
        eaten
    }
}
