//! Plain scalars (section 7.3.3), read in parts of lines.

use super::folding::Folding;

/// The reason why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlainStop {
    /// The part of the line ended.
    More,
    /// A comment begins.
    Comment,
    /// The first colon with whitespace after it.
    Colon,
    /// Whitespace after the indicator that the scalar begins with.
    Sign,
    /// The bound on held whitespace was reached.
    Capped,
}

/// The text of a plain scalar.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct PlainLines {
    between: Folding,
    /// Whether the scalar's first character, an indicator, was read. The indicator is text only if no
    /// whitespace follows. None if the scalar begins with another character.
    sign: Option<bool>,
    /// The last character was a colon.
    colon: bool,
    /// Whitespace or a line end followed a colon.
    colons: bool,
    /// Whitespace is no longer held.
    flowing: bool,
}

impl PlainLines {
    /// A scalar that begins with this character.
    pub(crate) fn new(first: char) -> Self {
        let sign = matches!(first, '-' | '?' | ':').then_some(false);
        Self { sign, ..Self::default() }
    }

    /// Reads part of a line, and appends certain text to `out`. Returns how many bytes were read, and how
    /// many bytes are certain.
    pub(crate) fn read(
        &mut self,
        text: &str,
        most: u64,
        out: &mut String,
    ) -> (usize, usize, PlainStop) {
        let (mut at, mut certain) = (0, 0);
        while at < text.len() {
            let rest = &text[at..];
            let word = memchr::memchr2(b' ', b'\t', rest.as_bytes()).unwrap_or(rest.len());
            if word == 0 {
                if let Some(met) = self.meets_blank() {
                    return (at, certain, met);
                }
                let char = char::from(rest.as_bytes()[0]);
                at += 1;
                let before = out.len();
                if self.blank(char, most, out) {
                    return (at, at, PlainStop::Capped);
                }
                if out.len() > before {
                    certain = at;
                }
                continue;
            }
            if rest.starts_with('#') && !self.between.is_empty() {
                return (at, certain, PlainStop::Comment);
            }
            self.between.join(out);
            self.flowing = false;
            out.push_str(&rest[..word]);
            self.colon = rest[..word].ends_with(':');
            self.sign = self.sign.filter(|read| !read && word == 1).map(|_| true);
            at += word;
            certain = at;
        }
        (at, certain, PlainStop::More)
    }

    /// Handles whitespace or a line end. Returns the deviation that it shows, once.
    pub(crate) fn meets_blank(&mut self) -> Option<PlainStop> {
        if self.sign.take() == Some(true) {
            self.colons |= core::mem::take(&mut self.colon);
            return Some(PlainStop::Sign);
        }
        let first = core::mem::take(&mut self.colon) && !core::mem::replace(&mut self.colons, true);
        first.then_some(PlainStop::Colon)
    }

    /// Holds a space or tab. Returns whether held whitespace was emitted.
    fn blank(&mut self, char: char, most: u64, out: &mut String) -> bool {
        if self.flowing && !self.between.has_line_end() {
            out.push(char);
            return false;
        }
        let full = self.between.blank(char, most);
        if full {
            self.between.give(out);
            self.flowing = true;
        }
        full
    }

    /// Ends a line. Returns whether line ends beyond the bound were emitted.
    pub(crate) fn line_end(&mut self, most: u64, out: &mut String) -> bool {
        let full = self.between.line_end(if self.flowing { 0 } else { most });
        if full {
            self.between.give(out);
        }
        full && !core::mem::replace(&mut self.flowing, true)
    }
}

/// Whether no plain scalar begins with this sign (section 5.3), whatever follows.
pub(crate) const fn is_reserved(first: char) -> bool {
    matches!(first, ',' | ']' | '}' | '@' | '`' | '%' | '\u{FEFF}')
}
