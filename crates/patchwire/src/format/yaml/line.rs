//! A line: its offset, its indent, and how it ends.

use crate::lex::Input;

/// The largest part of a line that is searched for its end at a time.
const WINDOW: usize = 4 << 10;

/// Whether a character ends a line.
pub(super) const fn is_line_end(char: char) -> bool {
    matches!(char, '\n' | '\r')
}

/// The next part of the line; empty at its end.
pub(super) fn piece<'a>(input: &Input<'a>) -> &'a str {
    let rest = input.rest();
    let most = (rest.len().min(WINDOW)..).find(|at| rest.is_char_boundary(*at));
    let most = &rest[..most.unwrap_or(rest.len())];
    let end = memchr::memchr2(b'\n', b'\r', most.as_bytes()).unwrap_or(most.len());
    &most[..end]
}

/// The line at the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct YamlLine {
    /// The stream offset at which it begins.
    pub(super) start: u64,
    /// The number of leading spaces.
    pub(super) spaces: u64,
    /// The number of leading whitespace characters from the first tab on.
    pub(super) tabs: u64,
    /// Whether the line before ended with a carriage return: a line feed belongs to it.
    cr: bool,
}

impl YamlLine {
    /// A line that begins at this offset, with no indent yet.
    pub(super) const fn at(start: u64) -> Self {
        Self { start, spaces: 0, tabs: 0, cr: false }
    }

    /// The column at which the text begins.
    pub(super) const fn column(&self) -> u64 {
        self.spaces + self.tabs
    }

    /// The column of a stream offset.
    pub(super) const fn column_of(&self, offset: u64) -> u64 {
        offset - self.start
    }

    /// Reads the character that ends the line, and begins the next line.
    pub(super) fn end(&mut self, input: &mut Input<'_>) {
        let cr = input.peek() == Some(b'\r');
        input.pos += 1;
        *self = Self { cr, ..Self::at(input.offset()) };
    }

    /// Reads the line feed of a line end that began with a carriage return. Returns whether there was one.
    pub(super) fn read_line_feed(&mut self, input: &mut Input<'_>) -> bool {
        let is_read = core::mem::take(&mut self.cr) && input.peek() == Some(b'\n');
        if is_read {
            input.pos += 1;
            self.start = input.offset();
        }
        is_read
    }

    /// Reads the rest of the line and its end. Returns whether the end was there.
    pub(super) fn skip(&mut self, input: &mut Input<'_>) -> bool {
        let bytes = input.bytes();
        let end = memchr::memchr2(b'\n', b'\r', bytes);
        input.pos += end.unwrap_or(bytes.len());
        if end.is_some() {
            self.end(input);
        }
        end.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::YamlLine;
    use crate::lex::Input;

    #[test]
    fn the_next_line_begins_after_any_line_end() {
        for (text, skipped, start, read) in [
            ("", false, 0, 0),
            ("ab", false, 0, 2),
            ("ab\ncd", true, 3, 3),
            ("ab\rcd", true, 3, 3),
            ("ab\r\ncd", true, 4, 4),
            ("\n\n", true, 1, 1),
            ("\r\r\n", true, 1, 1),
        ] {
            let mut line = YamlLine { spaces: 2, tabs: 1, ..YamlLine::default() };
            let mut input = Input::new(text, 0);
            assert_eq!(line.skip(&mut input), skipped, "{text:?}");
            line.read_line_feed(&mut input);
            assert_eq!((line.start, input.pos), (start, read), "{text:?}");
            assert_eq!(line.column(), if skipped { 0 } else { 3 }, "{text:?}");
        }
    }
}
