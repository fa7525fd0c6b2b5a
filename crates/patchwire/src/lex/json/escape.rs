//! Escapes (RFC 8259 §7), byte by byte: a chunk may end anywhere in them.

use crate::codes::Code;

/// An escape that is not whole yet: its bytes as they came, up to a pair of `\uXXXX`.
///
/// Invariant: `raw[..len]` is a proper prefix of an escape or of a surrogate pair; from the sixth
/// byte on, the first six are a high surrogate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct JsonEscape {
    raw: [u8; 12],
    len: u8,
}

/// What came of one more byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EscapeStep {
    /// Whether the byte belongs to the escape. If not it is to be read again as text.
    pub(super) eaten: bool,
    /// Whether the escape is over.
    pub(super) over: bool,
    /// What was wrong with it.
    pub(super) flaw: Option<Code>,
}

impl EscapeStep {
    const MORE: Self = Self { eaten: true, over: false, flaw: None };
    const WHOLE: Self = Self { eaten: true, over: true, flaw: None };

    const fn flawed(code: Code, over: bool) -> Self {
        Self { eaten: false, over, flaw: Some(code) }
    }
}

impl JsonEscape {
    /// Begins at a backslash.
    pub(super) fn begin() -> Self {
        let mut raw = [0; 12];
        raw[0] = b'\\';
        Self { raw, len: 1 }
    }

    /// As it was written so far.
    pub(super) fn raw(&self) -> &[u8] {
        &self.raw[..usize::from(self.len)]
    }

    /// Whether the first half of a surrogate pair is whole.
    pub(super) const fn is_between(self) -> bool {
        self.len >= 6
    }

    pub(super) const fn len(self) -> u8 {
        self.len
    }

    /// Takes one more byte; what is decided goes to `out`. `quote` is the byte that this text's
    /// quotes allow to be escaped beside the standard ones.
    pub(super) fn step(&mut self, byte: u8, quote: Option<u8>, out: &mut String) -> EscapeStep {
        match self.len {
            1 => self.simple(byte, quote, out),
            2..=5 | 8..=11 => self.hex(byte, out),
            6 => self.between(byte, out),
            _ => self.second(byte, out),
        }
    }

    /// After the backslash.
    fn simple(&mut self, byte: u8, quote: Option<u8>, out: &mut String) -> EscapeStep {
        let char = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.push(byte);
                return EscapeStep::MORE;
            }
            byte if quote == Some(byte) => char::from(byte),
            // JSON does not know it: the backslash stays.
            _ => {
                out.push('\\');
                return EscapeStep::flawed(Code::InvalidEscape, true);
            }
        };
        out.push(char);
        EscapeStep::WHOLE
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

    /// The digits broke off: what there is of the escape stays as it was written.
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
            // The first was alone; the second may have its pair yet.
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

    /// After a high surrogate: only another escape can save it.
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
