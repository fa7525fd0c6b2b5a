//! The text that is read, with looks ahead and back that are bounded.

use crate::text::is_whitespace_byte;

/// Most bytes that a look examines.
pub(super) const LOOK: usize = 64;

/// Most bytes of an object that is looked at whole.
const LONG_LOOK: usize = 256;

/// The text that is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'t> {
    text: &'t str,
}

/// JSON's whitespace.
pub(super) const fn is_blank(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\n' | '\r')
}

/// Whitespace that is not JSON's.
pub(super) const fn is_unicode_blank(char: char) -> bool {
    matches!(
        char,
        '\u{a0}' | '\u{1680}' | '\u{180e}' | '\u{2000}'
            ..='\u{200d}'
                | '\u{202f}'
                | '\u{205f}'
                | '\u{2060}'
                | '\u{3000}'
                | '\u{feff}'
                | '\u{b}'
                | '\u{c}'
                | '\u{85}'
                | '\u{2028}'
                | '\u{2029}'
    )
}

/// Whether a name without quotes may begin so.
pub(super) fn starts_name(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '$' | '@')
}

/// Whether a name without quotes may go on so.
pub(super) fn continues_name(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '$' | '-' | '.')
}

impl<'t> Source<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text }
    }

    pub(super) const fn len(self) -> usize {
        self.text.len()
    }

    pub(super) fn byte(self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn char(self, at: usize) -> Option<char> {
        match self.byte(at)? {
            byte @ 0..0x80 => Some(char::from(byte)),
            _ => self.text.get(at..)?.chars().next(),
        }
    }

    /// The character before a position.
    pub(super) fn char_before(self, at: usize) -> Option<char> {
        match self.byte(at.checked_sub(1)?)? {
            byte @ 0..0x80 => Some(char::from(byte)),
            _ => self.text.get(..at)?.chars().next_back(),
        }
    }

    pub(super) fn has(self, at: usize, what: &str) -> bool {
        self.text.as_bytes().get(at..).is_some_and(|rest| rest.starts_with(what.as_bytes()))
    }

    pub(super) fn slice(self, start: u32, end: u32) -> &'t str {
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    /// The next visible character; none at the end of the text, or if it is far away.
    pub(super) fn visible_from(self, at: usize) -> Option<char> {
        let mut next = at;
        while next < at + LOOK {
            let char = self.char(next)?;
            if !is_blank(char) && !is_unicode_blank(char) {
                return Some(char);
            }
            next += char.len_utf8();
        }
        None
    }

    /// The position of this bracket, if only a comma and whitespace stand before it.
    pub(super) fn opener_behind_comma(self, at: usize, opener: char) -> Option<usize> {
        let comma = Some(self.skip_blanks(at)).filter(|at| self.byte(*at) == Some(b','))?;
        Some(self.skip_blanks(comma + 1)).filter(|at| self.char(*at) == Some(opener))
    }

    /// The position behind a key in quotes and its colon, if both stand here.
    pub(super) fn after_member_name(self, at: usize) -> Option<usize> {
        let colon = self.skip_blanks(self.after_quoted(self.skip_blanks(at))?);
        (self.byte(colon) == Some(b':')).then_some(colon + 1)
    }

    /// Whether several values stand here with commas between them, and no colon: a list without its opener.
    pub(super) fn has_items(self, at: usize) -> bool {
        let Some(end) = self.after_item(at) else { return false };
        let comma = self.skip_blanks(end);
        if self.byte(comma) != Some(b',') {
            return false;
        }
        let next = self.skip_blanks(comma + 1);
        if self.byte(next) == Some(b'{') {
            return self.byte(at) == Some(b'{');
        }
        let after = self.after_item(next).map(|end| self.skip_blanks(end));
        matches!(after.and_then(|after| self.byte(after)), Some(b',' | b']' | b'}'))
    }

    /// Whether several values stand here behind whitespace.
    pub(super) fn has_items_next(self, at: usize) -> bool {
        self.has_items(self.skip_blanks(at))
    }

    /// The position behind an object, a string, a number or a literal, as far as a look reaches.
    fn after_item(self, at: usize) -> Option<usize> {
        match self.byte(at)? {
            b'"' | b'\'' => self.after_quoted(at),
            b't' | b'f' | b'n' => {
                let literals = ["true", "false", "null"];
                literals.iter().find(|it| self.has(at, it)).map(|it| at + it.len())
            }
            b'{' => self.after_object(at),
            b'0'..=b'9' | b'-' => {
                let ends = |at: &usize| self.byte(*at).is_some_and(|byte| !is_of_number(byte));
                (at + 1..at + LOOK).find(ends)
            }
            _ => None,
        }
    }

    /// The position behind a short object, whose strings hold no braces.
    fn after_object(self, at: usize) -> Option<usize> {
        let mut depth = 0;
        for next in at..at + LONG_LOOK {
            match self.byte(next)? {
                b'{' => depth += 1,
                b'}' if depth == 1 => return Some(next + 1),
                b'}' => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// The position behind a short text in quotes, on one line and without escapes.
    fn after_quoted(self, at: usize) -> Option<usize> {
        let quote = self.byte(at).filter(|byte| matches!(byte, b'"' | b'\''))?;
        let ends = |at: &usize| {
            self.byte(*at).is_none_or(|byte| byte == quote || matches!(byte, b'\\' | b'\n'))
        };
        let end = (at + 1..at + LOOK).find(ends)?;
        (self.byte(end) == Some(quote)).then_some(end + 1)
    }

    /// The next position that is no whitespace, as far as a look reaches.
    fn skip_blanks(self, at: usize) -> usize {
        let is_space = |at: &usize| self.byte(*at).is_none_or(|byte| !is_whitespace_byte(byte));
        (at..at + LOOK).find(is_space).unwrap_or(at)
    }

    /// The end of a placeholder such as `{name}` or `{{ name }}`.
    pub(super) fn after_placeholder(self, at: usize) -> Option<usize> {
        let twice = usize::from(self.has(at + 1, "{"));
        let start = at + 1 + twice;
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-. ".contains(&byte);
        let ends = |at: &usize| self.byte(*at).is_none_or(|byte| !is_part(byte));
        let end = (start..start + LOOK).find(ends)?;
        let name = self.slice(start as u32, end as u32).trim();
        let is_name = name.starts_with(|char: char| char.is_ascii_alphabetic() || char == '_');
        let closer = &"}}"[..1 + twice];
        (is_name && self.has(end, closer)).then_some(end + closer.len())
    }

    /// The last visible character before a position, and whether a line begins between the two.
    pub(super) fn visible_before(self, at: usize) -> (Option<char>, bool) {
        let mut line = false;
        let mut end = at;
        while end + LOOK > at {
            match self.char_before(end) {
                None => return (None, true),
                Some(char) if !is_blank(char) => return (Some(char), line),
                Some(char) => {
                    line |= char == '\n';
                    end -= 1;
                }
            }
        }
        (None, line)
    }

    /// Whether the text ends in a closer, before the line that closes its fence. It looks at more than a few bytes.
    pub(super) fn ends_in_closer(self) -> bool {
        let inside = self.text.trim_end();
        inside.strip_suffix("```").unwrap_or(inside).trim_end().ends_with(['}', ']'])
    }

    /// Whether a value may follow that is no word.
    pub(super) fn may_be_item(self, at: usize) -> bool {
        let next = self.visible_from(at);
        next.is_some_and(|it| is_any_quote(it) || matches!(it, '{' | '[' | '0'..='9'))
    }

    /// The indent of the line, if only blanks stand between its start and this position.
    pub(super) fn indent_at(self, at: usize) -> Option<u8> {
        let mut start = at;
        while start + LOOK > at {
            match self.byte(start.checked_sub(1)?)? {
                b' ' | b'\t' => start -= 1,
                b'\n' => return Some((at - start) as u8),
                _ => return None,
            }
        }
        None
    }

    /// The indent of the next visible character, if it begins a line.
    pub(super) fn next_indent(self, at: usize) -> Option<u8> {
        let mut next = at;
        while next < at + LOOK {
            match self.byte(next)? {
                b' ' | b'\t' | b'\n' | b'\r' => next += 1,
                _ => return self.indent_at(next),
            }
        }
        None
    }

    /// The end of the text before a position without its whitespace, as far as a look reaches.
    pub(super) fn trimmed_end(self, start: usize, end: usize) -> usize {
        let mut at = end;
        while at > start && at + LOOK > end {
            match self.char_before(at) {
                Some(char) if is_blank(char) || is_unicode_blank(char) => at -= char.len_utf8(),
                _ => break,
            }
        }
        at
    }

    /// Whether a key and its colon may follow. True also if the text ends before that is known.
    pub(super) fn may_be_key(self, at: usize) -> bool {
        let mut next = at;
        let end = at + LOOK;
        while self.char(next).is_some_and(|char| is_blank(char) || is_unicode_blank(char)) {
            next += self.char(next).map_or(1, char::len_utf8);
        }
        let is_quoted = self.char(next).is_some_and(is_any_quote);
        if is_quoted {
            next += self.char(next).map_or(1, char::len_utf8);
        } else if !self.char(next).is_none_or(starts_name) {
            return false;
        }
        while next < end {
            let Some(char) = self.char(next) else { return true };
            match char {
                ':' | '：' | '=' => return true,
                '\n' | ',' | '{' | '}' | '[' | ']' | ';' => return false,
                '"' if !is_quoted => return self.visible_from(next + 1).is_none_or(|it| it == ':'),
                '"' | '\'' if !self.has(next + 1, "s ") => {
                    return self
                        .visible_from(next + 1)
                        .is_none_or(|it| matches!(it, ':' | '：' | '=' | '"' | '{' | '['));
                }
                _ => next += char.len_utf8(),
            }
        }
        is_quoted
    }
}

const fn is_of_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-')
}

/// Whether it opens or closes a string in some way of writing.
pub(super) const fn is_any_quote(char: char) -> bool {
    matches!(
        char,
        '"' | '\'' | '`' | '“' | '”' | '„' | '‟' | '＂' | '«' | '»' | '‘' | '’' | '‚' | '´'
    )
}
