//! Escapes (RFC 8259, section 7), byte by byte: a chunk boundary may be anywhere in them.

use crate::codes::Code;
use crate::scan::plain_string_bytes;

/// The bytes of an incomplete escape, up to a pair of `\uXXXX`.
///
/// Invariant: `raw[..len]` is a proper prefix of an escape or of a surrogate pair. From the sixth byte on,
/// the first six are a high surrogate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct JsonEscape {
    raw: [u8; 12],
    len: u8,
}

/// The effect of a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EscapeStep {
    /// Whether the byte belongs to the escape. If not, it is read again as text.
    pub(super) eaten: bool,
    /// Whether the escape is complete.
    pub(super) over: bool,
    /// The error in the escape, if any.
    pub(super) flaw: Option<Code>,
}

/// Adds a text with its escapes decoded. Beside the standard escapes, `quote` may be escaped. An escape that
/// is not whole at the end is left out if the text was cut there.
pub(crate) fn unescape(text: &str, quote: u8, is_cut: bool, out: &mut String) {
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let mut escape = JsonEscape::begin();
        loop {
            let Some(&byte) = rest.as_bytes().first() else {
                if !is_cut {
                    escape.give_up(out);
                }
                return;
            };
            let step = escape.step(byte, Some(quote), out);
            rest = &rest[usize::from(step.eaten)..];
            if step.over {
                break;
            }
        }
    }
    out.push_str(rest);
}

/// Room for a decoded text, in bytes, before any is needed.
const DECODED_ROOM: usize = 512;

/// Decodes bytes with escapes of two characters, up to the first quote or the end. `text` has the same bytes, if they are
/// known to be UTF-8. Returns the number of bytes read; none if there is another escape, a control character, or a part of
/// a code point.
pub(super) fn decode_simple(bytes: &[u8], text: Option<&str>, out: &mut String) -> Option<usize> {
    out.reserve(bytes.len().min(DECODED_ROOM));
    let mut at = 0;
    loop {
        let run = at..at + plain_string_bytes(&bytes[at..]);
        at = run.end;
        out.push_str(match text {
            Some(text) => &text[run],
            None => core::str::from_utf8(&bytes[run]).ok()?,
        });
        match bytes[at..] {
            [] | [b'"', ..] => return Some(at),
            [b'\\', letter, ..] => out.push(standard(letter)?),
            _ => return None,
        }
        at += 2;
    }
}

/// The character that a standard escape of two characters writes.
const fn standard(letter: u8) -> Option<char> {
    Some(match letter {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        _ => return None,
    })
}

impl EscapeStep {
    const MORE: Self = Self { eaten: true, over: false, flaw: None };
    const WHOLE: Self = Self { eaten: true, over: true, flaw: None };

    const fn flawed(code: Code, over: bool) -> Self {
        Self { eaten: false, over, flaw: Some(code) }
    }
}

impl JsonEscape {
    /// The state after a backslash.
    pub(super) fn begin() -> Self {
        let mut raw = [0; 12];
        raw[0] = b'\\';
        Self { raw, len: 1 }
    }

    /// The bytes so far, as written.
    pub(super) fn raw(&self) -> &[u8] {
        &self.raw[..usize::from(self.len)]
    }

    /// Whether the first half of a surrogate pair is complete.
    pub(super) const fn is_between(self) -> bool {
        self.len >= 6
    }

    pub(super) const fn len(self) -> u8 {
        self.len
    }

    /// Reads one more byte. Decided text goes to `out`. `quote` is a byte that this text's quotes allow in
    /// escapes, in addition to the standard ones.
    pub(super) fn step(&mut self, byte: u8, quote: Option<u8>, out: &mut String) -> EscapeStep {
        match self.len {
            1 => self.simple(byte, quote, out),
            2..=5 | 8..=11 => self.hex(byte, out),
            6 => self.between(byte, out),
            _ => self.second(byte, out),
        }
    }

    /// The text ends in the escape.
    fn give_up(&self, out: &mut String) {
        if self.is_between() && self.len == 6 {
            out.push(char::REPLACEMENT_CHARACTER);
        } else if self.len > 1 {
            self.broken(out);
        } else {
            out.push('\\');
        }
    }

    /// After the backslash.
    fn simple(&mut self, byte: u8, quote: Option<u8>, out: &mut String) -> EscapeStep {
        match byte {
            b'u' => {
                self.push(byte);
                EscapeStep::MORE
            }
            byte if quote == Some(byte) => {
                out.push(char::from(byte));
                EscapeStep::WHOLE
            }
            // Other languages escape this quote, too.
            b'\'' => {
                out.push('\'');
                EscapeStep { flaw: Some(Code::InvalidEscape), ..EscapeStep::WHOLE }
            }
            byte => match standard(byte) {
                Some(char) => {
                    out.push(char);
                    EscapeStep::WHOLE
                }
                // JSON does not define the escape: its backslash stays.
                None => {
                    out.push('\\');
                    EscapeStep::flawed(Code::InvalidEscape, true)
                }
            },
        }
    }

    /// At one of the four digits of `\uXXXX`.
    fn hex(&mut self, byte: u8, out: &mut String) -> EscapeStep {
        if !byte.is_ascii_hexdigit() {
            return self.broken(out);
        }
        self.push(byte);
        match self.len {
            6 => self.first_unit(out),
            12 => self.second_unit(out),
            _ => EscapeStep::MORE,
        }
    }

    /// The digits are incomplete: the escape stays as written.
    fn broken(&self, out: &mut String) -> EscapeStep {
        let written = if self.len > 6 {
            out.push(char::REPLACEMENT_CHARACTER);
            &self.raw[6..usize::from(self.len)]
        } else {
            &self.raw[..usize::from(self.len)]
        };
        out.extend(written.iter().copied().map(char::from));
        EscapeStep::flawed(Code::InvalidEscape, true)
    }

    fn first_unit(&self, out: &mut String) -> EscapeStep {
        match self.unit(2) {
            0xD800..=0xDBFF => EscapeStep::MORE,
            unit => Self::whole(u32::from(unit), out),
        }
    }

    fn second_unit(&mut self, out: &mut String) -> EscapeStep {
        let (high, low) = (self.unit(2), self.unit(8));
        match low {
            0xDC00..=0xDFFF => {
                let (high, low) = (u32::from(high) - 0xD800, u32::from(low) - 0xDC00);
                Self::whole(0x10000 + (high << 10) + low, out)
            }
            // The first surrogate has no pair. The second may still get one.
            0xD800..=0xDBFF => {
                out.push(char::REPLACEMENT_CHARACTER);
                self.raw.copy_within(6.., 0);
                self.len = 6;
                EscapeStep { eaten: true, over: false, flaw: Some(Code::LoneSurrogate) }
            }
            unit => {
                out.push(char::REPLACEMENT_CHARACTER);
                Self::whole(u32::from(unit), out);
                EscapeStep { flaw: Some(Code::LoneSurrogate), ..EscapeStep::WHOLE }
            }
        }
    }

    /// After a high surrogate: only another escape can complete the pair.
    fn between(&mut self, byte: u8, out: &mut String) -> EscapeStep {
        if byte == b'\\' {
            self.push(byte);
            return EscapeStep::MORE;
        }
        out.push(char::REPLACEMENT_CHARACTER);
        EscapeStep::flawed(Code::LoneSurrogate, true)
    }

    /// After a high surrogate and a backslash.
    fn second(&mut self, byte: u8, out: &mut String) -> EscapeStep {
        if byte == b'u' {
            self.push(byte);
            return EscapeStep::MORE;
        }
        out.push(char::REPLACEMENT_CHARACTER);
        *self = Self::begin();
        EscapeStep::flawed(Code::LoneSurrogate, false)
    }

    fn whole(code: u32, out: &mut String) -> EscapeStep {
        let char = char::from_u32(code);
        out.push(char.unwrap_or(char::REPLACEMENT_CHARACTER));
        match char {
            Some(_) => EscapeStep::WHOLE,
            None => EscapeStep { flaw: Some(Code::LoneSurrogate), ..EscapeStep::WHOLE },
        }
    }

    fn push(&mut self, byte: u8) {
        self.raw[usize::from(self.len)] = byte;
        self.len += 1;
    }

    /// The code unit whose digits begin at `at`.
    fn unit(self, at: usize) -> u16 {
        self.raw[at..at + 4]
            .iter()
            .fold(0, |unit, &digit| unit << 4 | char::from(digit).to_digit(16).unwrap_or(0) as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonEscape, decode_simple};

    /// Reads the text after a backslash, until the escape is over. Returns the decoded text, the number of
    /// bytes that belong to the escape, and the codes of its errors.
    fn decode(text: &str, quote: Option<u8>) -> (String, usize, Vec<&'static str>) {
        let (mut escape, mut out) = (JsonEscape::begin(), String::new());
        let (mut eaten, mut flaws) = (0, Vec::new());
        while let Some(&byte) = text.as_bytes().get(eaten) {
            let step = escape.step(byte, quote, &mut out);
            flaws.extend(step.flaw.map(|code| code.name()));
            eaten += usize::from(step.eaten);
            if step.over {
                break;
            }
        }
        (out, eaten, flaws)
    }

    #[test]
    fn escapes_and_the_text_they_write() {
        let (lone, invalid) = ("lone_surrogate", "invalid_escape");
        for (text, want, eaten, flaws) in [
            ("nx", "\n", 1, &[][..]),
            ("\\", "\\", 1, &[]),
            ("u00e9x", "é", 5, &[]),
            ("ud83d\\ude00", "😀", 11, &[]),
            ("ud83dx", "\u{FFFD}", 5, &[lone]),
            ("ud83d\\n", "\u{FFFD}\n", 7, &[lone]),
            ("ud83d\\u0041", "\u{FFFD}A", 11, &[lone]),
            ("ud83d\\ud83d\\ude00", "\u{FFFD}😀", 17, &[lone]),
            ("ud83d\\u00x", "\u{FFFD}\\u00", 9, &[invalid]),
            ("ude00", "\u{FFFD}", 5, &[lone]),
            ("d", "\\", 0, &[invalid]),
            ("u12x", "\\u12", 3, &[invalid]),
            ("u12", "", 3, &[]),
        ] {
            assert_eq!(decode(text, None), (want.to_owned(), eaten, flaws.to_vec()), "{text}");
        }
        assert_eq!(decode("'", Some(b'\'')), ("'".to_owned(), 1, vec![]));
        assert_eq!(decode("'", Some(b'`')), ("'".to_owned(), 1, vec![invalid]));
        assert_eq!(decode("`", None), ("\\".to_owned(), 0, vec![invalid]));
    }

    #[test]
    fn escapes_of_two_characters_are_decoded_at_once_and_all_others_are_left() {
        for (text, decoded) in [
            (r#"a\nb"#, Some(("a\nb", 4))),
            (r#"\"\\\/\b\f\n\r\t" rest"#, Some(("\"\\/\u{8}\u{c}\n\r\t", 16))),
            (r#"é\t"x"#, Some(("é\t", 4))),
            ("", Some(("", 0))),
            (r"a\", None),
            (r"a\u0041", None),
            (r"a\n\x", None),
            (r"a\'", None),
            ("a\\nb\u{1}", None),
        ] {
            for known in [None, Some(text)] {
                let mut out = String::new();
                let read = decode_simple(text.as_bytes(), known, &mut out);
                assert_eq!(read.map(|len| (&*out, len)), decoded, "{text}");
            }
        }
        // A part of a code point.
        assert_eq!(decode_simple(b"a\\n\xC3", None, &mut String::new()), None);
    }
}
