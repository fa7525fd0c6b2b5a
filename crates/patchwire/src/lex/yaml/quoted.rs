//! Quoted scalars (sections 7.3.1 and 7.3.2), read in parts of lines.

use super::folding::Folding;
use super::is_blank;
use crate::codes::Code;

/// The position in a quoted scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Text,
    /// After a backslash.
    Backslash,
    /// In the digits of an escape; `missing` digits are still to come.
    Digits {
        missing: u8,
    },
    /// After a quote that ends the scalar unless another follows.
    Quote,
}

/// The reason why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QuotedStop {
    /// The part of the line ended.
    More,
    /// The scalar was closed.
    Closed,
    /// The bound on held whitespace was reached.
    Capped,
    /// A deviation, the first of its kind in this scalar.
    Noted(Code),
}

/// The text of a quoted scalar, after its quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QuotedScalar {
    double: bool,
    state: State,
    between: Folding,
    /// The source text of an incomplete escape.
    escape: String,
    /// The first half of a surrogate pair.
    high: Option<u32>,
    /// Whitespace is no longer held.
    flowing: bool,
    bad_escape: Noted,
    lone_surrogate: Noted,
}

/// The state of a notice that is emitted once per scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Noted {
    No,
    /// The deviation occurred, and its notice is pending.
    Now,
    Emitted,
}

impl Noted {
    fn meet(&mut self) {
        if *self == Self::No {
            *self = Self::Now;
        }
    }

    fn emit(&mut self) -> bool {
        let now = *self == Self::Now;
        if now {
            *self = Self::Emitted;
        }
        now
    }
}

impl QuotedScalar {
    pub(crate) fn new(double: bool) -> Self {
        Self {
            double,
            state: State::Text,
            between: Folding::default(),
            escape: String::new(),
            high: None,
            flowing: false,
            bad_escape: Noted::No,
            lone_surrogate: Noted::No,
        }
    }

    /// Reads part of a line, and appends certain text to `out`. Returns how many bytes were read, and how
    /// many bytes are certain.
    pub(crate) fn read(
        &mut self,
        text: &str,
        most: u64,
        out: &mut String,
    ) -> (usize, usize, QuotedStop) {
        let (mut at, mut certain) = (0, 0);
        // One escape may have two deviations: the notice of the second comes before the next text.
        if let Some(code) = self.take_code() {
            return (at, certain, QuotedStop::Noted(code));
        }
        while let Some(char) = text[at..].chars().next() {
            let (from, len) = (at, out.len());
            let next = if self.state == State::Text && char != '\\' && self.high.is_some() {
                self.surrogate_ends(out);
                Next::Again
            } else if self.state == State::Text && !is_special(char, self.double) {
                self.join(out);
                let rest = &text[at..];
                let len = rest.find(|char| is_special(char, self.double)).unwrap_or(rest.len());
                out.push_str(&rest[..len]);
                at += len;
                Next::Read
            } else {
                let next = self.char(char, most, out);
                if !matches!(next, Next::Again | Next::Closed) {
                    at += char.len_utf8();
                }
                next
            };
            if out.len() > len {
                certain = if self.is_idle() { at } else { from };
            }
            if let Some(code) = self.take_code() {
                return (at, certain, QuotedStop::Noted(code));
            }
            match next {
                Next::Read | Next::Again => {}
                Next::Close | Next::Closed => return (at, certain, QuotedStop::Closed),
                Next::Capped => return (at, at, QuotedStop::Capped),
            }
        }
        (at, certain, QuotedStop::More)
    }

    /// Whether nothing is held.
    fn is_idle(&self) -> bool {
        self.state == State::Text && self.between.is_empty() && self.high.is_none()
    }

    /// Takes the code of a deviation that occurred for the first time.
    fn take_code(&mut self) -> Option<Code> {
        if self.bad_escape.emit() {
            return Some(Code::YamlBadEscape);
        }
        self.lone_surrogate.emit().then_some(Code::LoneSurrogate)
    }

    /// Reads a special character, or a character of an escape.
    fn char(&mut self, char: char, most: u64, out: &mut String) -> Next {
        match (self.state, char) {
            (State::Text, '\\') => {
                // After the first half of a pair the whitespace is certain already.
                self.join(out);
                self.escape.push('\\');
                self.state = State::Backslash;
            }
            (State::Text, '"') => {
                self.join(out);
                return Next::Close;
            }
            (State::Text, '\'') => {
                self.join(out);
                self.state = State::Quote;
            }
            (State::Text, _) => return self.blank(char, most, out),
            (State::Quote, '\'') => {
                out.push('\'');
                self.state = State::Text;
            }
            (State::Quote, _) => return Next::Closed,
            (State::Backslash, _) => return self.escaped(char, out),
            (State::Digits { missing }, _) if char.is_ascii_hexdigit() => {
                self.escape.push(char);
                self.state = State::Digits { missing: missing - 1 };
                if missing == 1 {
                    self.end_digits(out);
                }
            }
            (State::Digits { .. }, _) => {
                self.refuse(out);
                return Next::Again;
            }
        }
        Next::Read
    }

    fn blank(&mut self, char: char, most: u64, out: &mut String) -> Next {
        if self.flowing && !self.between.has_line_end() {
            out.push(char);
            return Next::Read;
        }
        if self.between.blank(char, most) {
            self.between.give(out);
            self.flowing = true;
            return Next::Capped;
        }
        Next::Read
    }

    fn join(&mut self, out: &mut String) {
        self.between.join(out);
        self.flowing = false;
    }

    /// Reads the character after a backslash.
    fn escaped(&mut self, char: char, out: &mut String) -> Next {
        let missing = match char {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        if missing > 0 {
            self.escape.push(char);
            self.state = State::Digits { missing };
            return Next::Read;
        }
        self.surrogate_ends(out);
        let Some(meant) = meaning(char) else {
            self.refuse(out);
            return Next::Again;
        };
        self.escape.clear();
        out.push(meant);
        self.state = State::Text;
        Next::Read
    }

    /// Decodes an escape after its last digit.
    fn end_digits(&mut self, out: &mut String) {
        let code = u32::from_str_radix(&self.escape[2..], 16).unwrap_or(u32::MAX);
        let high = self.high.take();
        self.state = State::Text;
        match (high, code) {
            (Some(high), 0xDC00..=0xDFFF) => {
                let pair = 0x1_0000 + ((high - 0xD800) << 10) + (code - 0xDC00);
                out.push(char::from_u32(pair).unwrap_or(char::REPLACEMENT_CHARACTER));
                self.escape.clear();
                return;
            }
            (Some(_), _) => self.lone(out),
            (None, _) => {}
        }
        match code {
            0xD800..=0xDBFF => self.high = Some(code),
            0xDC00..=0xDFFF => self.lone(out),
            _ => match char::from_u32(code) {
                Some(char) => out.push(char),
                None => return self.refuse(out),
            },
        }
        self.escape.clear();
    }

    /// Ends the first half of a pair that has no second half.
    fn surrogate_ends(&mut self, out: &mut String) {
        if self.high.take().is_some() {
            self.lone(out);
        }
    }

    fn lone(&mut self, out: &mut String) {
        out.push(char::REPLACEMENT_CHARACTER);
        self.lone_surrogate.meet();
    }

    /// Keeps a text that is not an escape, as written.
    fn refuse(&mut self, out: &mut String) {
        self.surrogate_ends(out);
        out.push_str(&self.escape);
        self.escape.clear();
        self.state = State::Text;
        self.bad_escape.meet();
    }

    /// Prepares the end of a line: appends the certain text before it to `out`. Callers repeat the call
    /// until it returns [`QuotedStop::More`], and then call [`line_end`](Self::line_end).
    pub(crate) fn before_line_end(&mut self, out: &mut String) -> QuotedStop {
        match self.state {
            State::Quote => return QuotedStop::Closed,
            State::Backslash => self.surrogate_ends(out),
            State::Digits { .. } => self.refuse(out),
            State::Text => self.surrogate_ends(out),
        }
        self.take_code().map_or(QuotedStop::More, QuotedStop::Noted)
    }

    /// Ends a line. Returns whether line ends beyond the bound were emitted.
    pub(crate) fn line_end(&mut self, most: u64, out: &mut String) -> bool {
        if self.state == State::Backslash {
            self.escape.clear();
            self.state = State::Text;
            self.between.escaped_line_end();
            return false;
        }
        let full = self.between.line_end(if self.flowing { 0 } else { most });
        if full {
            self.between.give(out);
        }
        full && !core::mem::replace(&mut self.flowing, true)
    }

    /// Whether the last quote, or the end of the text, closed the scalar.
    pub(crate) fn is_closed_by_end(&self) -> bool {
        self.state == State::Quote
    }
}

/// The effect of a character.
enum Next {
    Read,
    /// The character is read again, in another state.
    Again,
    /// The character closed the scalar.
    Close,
    /// The scalar was closed before it.
    Closed,
    Capped,
}

const fn is_special(char: char, double: bool) -> bool {
    is_blank(char) || if double { matches!(char, '"' | '\\') } else { char == '\'' }
}

/// The meaning of a character after a backslash (section 5.7).
const fn meaning(char: char) -> Option<char> {
    Some(match char {
        '0' => '\0',
        'a' => '\x07',
        'b' => '\x08',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\x0B',
        'f' => '\x0C',
        'r' => '\r',
        'e' => '\x1B',
        ' ' | '"' | '/' | '\\' => char,
        'N' => '\u{85}',
        '_' => '\u{A0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        _ => return None,
    })
}

/// Decodes a quoted scalar of one line. Returns its text and the notices.
pub(crate) fn decode(text: &str) -> (String, Vec<Code>) {
    let (mut out, mut codes) = (String::new(), Vec::new());
    let mut quoted = QuotedScalar::new(text.starts_with('"'));
    let mut at = 1;
    while at < text.len() {
        let (read, _, end) = quoted.read(&text[at..], u64::MAX, &mut out);
        at += read;
        match end {
            QuotedStop::Closed => break,
            QuotedStop::Noted(code) => codes.push(code),
            QuotedStop::More | QuotedStop::Capped => {}
        }
    }
    (out, codes)
}

#[cfg(test)]
mod tests {
    use super::{QuotedScalar, QuotedStop, decode};
    use crate::codes::Code;

    /// Reads a scalar with these lines, cut before every character.
    fn read(lines: &[&str], double: bool) -> (String, bool) {
        let (mut out, mut quoted) = (String::new(), QuotedScalar::new(double));
        for (at, line) in lines.iter().enumerate() {
            while at > 0 && quoted.before_line_end(&mut out) != QuotedStop::More {}
            if at > 0 {
                quoted.line_end(9, &mut out);
            }
            for char in line.chars() {
                let char = char.to_string();
                let mut read = 0;
                while read < char.len() {
                    match quoted.read(&char[read..], 9, &mut out) {
                        (_, _, QuotedStop::Closed) => return (out, true),
                        (len, ..) => read += len,
                    }
                }
            }
        }
        let closed = quoted.is_closed_by_end();
        (out, closed)
    }

    #[test]
    fn quoted_scalars_a_character_at_a_time() {
        for (lines, double, text, closed) in [
            (&["a \\\"b\\\" \\x41\\u00e9\""][..], true, "a \"b\" Aé", true),
            (&["x\\", "  y", "", "z \""], true, "xy\nz ", true),
            (&["x  ", "", "", " y"], true, "x\n\ny", false),
            (&["\\ud83d\\ude00"], true, "😀", false),
            (&["\\ud83d x\""], true, "\u{FFFD} x", true),
            (&["\\ud83d\\q\""], true, "\u{FFFD}\\q", true),
            (&["\\u00zz"], true, "\\u00zz", false),
            (&["it''s"], false, "it's", false),
            (&["it'"], false, "it", true),
            (&["a ", "'"], false, "a ", true),
        ] {
            assert_eq!(read(lines, double), (text.to_owned(), closed), "{lines:?}");
        }
        assert_eq!(decode("\"a\\tb\""), ("a\tb".to_owned(), Vec::new()));
        assert_eq!(decode("'it''s'"), ("it's".to_owned(), Vec::new()));
        assert_eq!(decode("\"\\<\""), ("\\<".to_owned(), vec![Code::YamlBadEscape]));
    }
}
