//! The content of a field, up to text that may end it.

use super::closer::{FieldVerdict, MayBe};
use super::{FieldBody, FieldCloser, FieldContent, FieldPlace, XmlFieldFormat};
use crate::codes::Code;
use crate::error::Error;
use crate::format::fields::{FieldText, Run, SHORT, Unwrap, has_either};
use crate::format::{AfterRun, TextRun};
use crate::span::Span;
use crate::text::WHITESPACE;

impl FieldContent {
    /// Records text of the field: where on a line it ends.
    fn pass(&mut self, text: &str) {
        self.blank = self.blank && text.trim_start_matches(WHITESPACE).is_empty();
        let line = last_line_end(text.as_bytes());
        self.first_line &= line.is_none();
        if line.is_some() || self.line_blank {
            let rest = line.map_or(text, |at| &text[at + 1..]);
            let blank = rest.trim_start_matches([' ', '\t']).is_empty();
            self.line_blank = blank && !self.first_line;
        }
    }
}

/// Whether something may begin in text with a `<` or a carriage return in it: a line end of two characters, `</field`,
/// `<field` or `<![CDATA[`. Only short texts are searched.
fn needs_general_path(bytes: &[u8]) -> bool {
    let begins = |at: usize| match bytes[at] {
        b'<' => matches!(bytes.get(at + 1), None | Some(b'/' | b'f' | b'F' | b'!')),
        byte => byte == b'\r',
    };
    bytes.len() > SHORT || (0..bytes.len()).any(begins)
}

/// The position of the last line feed.
fn last_line_end(bytes: &[u8]) -> Option<usize> {
    if bytes.len() > SHORT {
        return memchr::memrchr(b'\n', bytes);
    }
    bytes.iter().rposition(|byte| *byte == b'\n')
}

impl XmlFieldFormat {
    /// Reads a part of the content. Returns the bytes consumed.
    pub(super) fn content(&mut self, text: &str, base: u64) -> Result<usize, Error> {
        let FieldPlace::Content(content) = &mut self.place else { return Ok(0) };
        if content.closer.is_some() {
            return self.closer(text, base);
        }
        let bytes = text.as_bytes();
        let next = match content.section {
            true => memchr::memchr2(b'<', b']', bytes),
            false => memchr::memchr(b'<', bytes),
        };
        let len = next.unwrap_or(bytes.len());
        if len > 0 {
            self.body_text(&text[..len], base)?;
            return Ok(len);
        }
        self.begin_closer(bytes[0], base);
        Ok(1)
    }

    /// Reads a chunk that is nothing but text of the field, if it is.
    pub(super) fn content_run(&mut self, text: &str, scratch: &mut String) -> Option<TextRun> {
        let (FieldPlace::Content(content), FieldBody::Text(field)) =
            (&mut self.place, &mut self.body)
        else {
            return None;
        };
        if has_either(text, b'<', b'\r') && needs_general_path(text.as_bytes()) {
            return None;
        }
        let run = field.text_run(text, scratch)?;
        content.pass(text);
        let is_line_begun = !content.blank && !content.line_blank;
        Some(TextRun { then: if is_line_begun { run.then } else { AfterRun::Any }, ..run })
    }

    /// Begins a possible end of the field, at a `<` or `]`.
    fn begin_closer(&mut self, byte: u8, base: u64) {
        let FieldPlace::Content(content) = &mut self.place else { return };
        let may_open = content.line_blank && !content.section;
        let may_be = MayBe {
            opens: may_open && self.names.is_missing_beginning(""),
            cdata: content.blank && !content.section,
        };
        content.closer = Some(match byte {
            b']' => FieldCloser::in_section(),
            _ => FieldCloser::new(may_be),
        });
        self.held_from = base;
    }

    /// Reads a character of a possible end. Returns the bytes consumed.
    fn closer(&mut self, text: &str, base: u64) -> Result<usize, Error> {
        let here = self.span(base, text.chars().next().map_or(0, char::len_utf8));
        let FieldPlace::Content(content) = &mut self.place else { return Ok(0) };
        let (Some(closer), Some(char)) = (&mut content.closer, text.chars().next()) else {
            return Ok(0);
        };
        let len = char.len_utf8();
        let full = closer.text().len() >= self.held_limit;
        let verdict = if full {
            FieldVerdict::Content
        } else {
            closer.push(char, &self.literals, &self.names)
        };
        let from = self.held_from;
        match verdict {
            FieldVerdict::Wait => return Ok(len),
            FieldVerdict::Cdata => {
                content.closer = None;
                content.section = true;
                match &mut self.body {
                    FieldBody::Text(text) => {
                        *text = FieldText::new(true, Unwrap::Never, self.held_limit)
                    }
                    FieldBody::Json(payload) => payload.begin_again(),
                    FieldBody::None => {}
                }
                return Ok(len);
            }
            FieldVerdict::Content => {
                let held =
                    content.closer.take().map_or_else(String::new, |it| it.text().to_owned());
                self.body_text(&held[..1], from)?;
                self.read_again(&held[1..], Span::new(from + 1, here.start))?;
            }
            FieldVerdict::Closed(at) => {
                let held = self.end_section();
                self.close_field(from, from + at as u64)?;
                self.read_again(&held[at..], Span::new(from + at as u64, here.start))?;
            }
            FieldVerdict::Opened => {
                let mut held = self.end_section();
                held.push(char);
                self.out.notice(Code::MissingClose, Span::at(from));
                self.close_field(from, from)?;
                self.read_again(&held, Span::new(from, here.end))?;
                return Ok(len);
            }
        }
        Ok(0)
    }

    /// Ends the field and returns the held text. A section without its end gets a notice.
    pub(super) fn end_section(&mut self) -> String {
        let FieldPlace::Content(FieldContent { section, closer, .. }) = &mut self.place else {
            return String::new();
        };
        let Some(closer) = closer.take() else { return String::new() };
        if *section && !closer.ends_section() {
            self.out.notice(Code::UnclosedSection, Span::at(self.held_from));
        }
        closer.text().to_owned()
    }

    /// Emits text of the field.
    fn body_text(&mut self, text: &str, base: u64) -> Result<(), Error> {
        if let FieldPlace::Content(content) = &mut self.place {
            content.pass(text);
        }
        let run = Run { text, place: None, span: self.span(base, text.len()) };
        match &mut self.body {
            FieldBody::Text(field) => field.emit(run, &mut self.out),
            FieldBody::Json(payload) => payload.read_run(run, &mut self.out)?,
            FieldBody::None => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::needs_general_path;

    #[test]
    fn a_short_text_needs_the_general_path_where_something_may_begin() {
        for (text, needs) in [
            ("i < 9", false),
            ("<b>x</b", true),
            ("<b>x", false),
            ("i <", true),
            ("</f", true),
            ("<<f", true),
            ("<Fi", true),
            ("<![", true),
            ("<\u{e9}", false),
            ("a\r", true),
            ("i < 9 and more and more", false),
            ("i < 9 and more and more.", false),
            ("i < 9 and more and more..", true),
        ] {
            assert_eq!(needs_general_path(text.as_bytes()), needs, "{text:?}");
        }
    }
}
