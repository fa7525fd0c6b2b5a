//! Plain scalars other than strings: the core schema (section 10.3.2).

/// The type that the core schema gives a plain scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CoreValue {
    Null,
    Bool(bool),
    /// A number that JSON can represent, perhaps in another notation.
    Number,
    /// An infinity or NaN.
    NonFinite,
    Text,
}

const NULLS: [&str; 4] = ["null", "Null", "NULL", "~"];
const TRUES: [&str; 3] = ["true", "True", "TRUE"];
const FALSES: [&str; 3] = ["false", "False", "FALSE"];
const NON_FINITE: [&str; 12] = [
    ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF", ".nan", ".NaN",
    ".NAN",
];
/// The length of the longest word, in bytes.
const LONGEST: usize = 5;

/// The position in the grammar of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    Start,
    Sign,
    /// A single zero, without a sign.
    Zero,
    Digits,
    /// A point with no digit before it.
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
    /// After `0o` or `0x`.
    Prefix {
        hex: bool,
    },
    Based {
        hex: bool,
    },
    /// The text is not a number.
    None,
}

impl Number {
    const fn push(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::Start, b'+' | b'-') => Self::Sign,
            (Self::Start, b'0') => Self::Zero,
            (Self::Start | Self::Sign | Self::Zero | Self::Digits, b'0'..=b'9') => Self::Digits,
            (Self::Start | Self::Sign, b'.') => Self::Point,
            (Self::Zero, b'o') => Self::Prefix { hex: false },
            (Self::Zero, b'x') => Self::Prefix { hex: true },
            (Self::Zero | Self::Digits, b'.') | (Self::Point | Self::Fraction, b'0'..=b'9') => {
                Self::Fraction
            }
            (Self::Zero | Self::Digits | Self::Fraction, b'e' | b'E') => Self::Exponent,
            (Self::Exponent, b'+' | b'-') => Self::ExponentSign,
            (Self::Exponent | Self::ExponentSign | Self::ExponentDigits, b'0'..=b'9') => {
                Self::ExponentDigits
            }
            (Self::Prefix { hex: false } | Self::Based { hex: false }, b'0'..=b'7') => {
                Self::Based { hex: false }
            }
            (
                Self::Prefix { hex: true } | Self::Based { hex: true },
                b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F',
            ) => Self::Based { hex: true },
            _ => Self::None,
        }
    }

    const fn is_whole(self) -> bool {
        matches!(
            self,
            Self::Zero | Self::Digits | Self::Fraction | Self::ExponentDigits | Self::Based { .. }
        )
    }
}

/// The types that a growing plain scalar may still have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CoreWord {
    /// Only null counts as something other than a string.
    nulls: bool,
    /// The text may become one of the listed words.
    listed: bool,
    number: Number,
}

impl CoreWord {
    /// The state before the first character. `nulls`: whether only null counts as something other than a
    /// string.
    pub(crate) const fn new(nulls: bool) -> Self {
        let number = if nulls { Number::None } else { Number::Start };
        Self { nulls, listed: true, number }
    }

    /// Reads one more character; `text` is the scalar so far. Returns whether it may still be something
    /// other than a string.
    pub(crate) fn push(&mut self, text: &str) -> bool {
        let begins = |words: &[&str]| words.iter().any(|word| word.starts_with(text));
        self.listed = self.listed
            && text.len() <= LONGEST
            && (begins(&NULLS)
                || !self.nulls && (begins(&TRUES) || begins(&FALSES) || begins(&NON_FINITE)));
        let last = text.as_bytes().last().copied().unwrap_or_default();
        self.number = self.number.push(last);
        self.listed || self.number != Number::None
    }
}

/// The type of a complete plain scalar. With `nulls`, every scalar except null is a string.
pub(crate) fn resolve(text: &str, nulls: bool) -> CoreValue {
    if text.is_empty() || NULLS.contains(&text) {
        return CoreValue::Null;
    }
    let number = || text.bytes().fold(Number::Start, Number::push);
    match text {
        _ if nulls => CoreValue::Text,
        _ if TRUES.contains(&text) => CoreValue::Bool(true),
        _ if FALSES.contains(&text) => CoreValue::Bool(false),
        _ if NON_FINITE.contains(&text) => CoreValue::NonFinite,
        _ if number().is_whole() => CoreValue::Number,
        _ => CoreValue::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::{CoreValue, CoreWord, resolve};

    #[test]
    fn the_core_schema() {
        for (text, is) in [
            ("", CoreValue::Null),
            ("~", CoreValue::Null),
            ("NULL", CoreValue::Null),
            ("nULL", CoreValue::Text),
            ("True", CoreValue::Bool(true)),
            ("yes", CoreValue::Text),
            ("FALSE", CoreValue::Bool(false)),
            ("-.Inf", CoreValue::NonFinite),
            (".NaN", CoreValue::NonFinite),
            ("-.nan", CoreValue::Text),
        ] {
            assert_eq!(resolve(text, false), is, "{text}");
        }
        for text in
            ["0", "-0", "+12", "007", "0o17", "0x1F", "1.", ".5", "-.5e-3", "1e400", "5.E+1"]
        {
            assert_eq!(resolve(text, false), CoreValue::Number, "{text}");
            assert_eq!(resolve(text, true), CoreValue::Text, "{text}");
        }
        for text in ["-0x1", "0o8", "0x", "1_000", ".", "+", "-", "1e", "1e+", "1.2.3", "0b1"] {
            assert_eq!(resolve(text, false), CoreValue::Text, "{text}");
        }
    }

    #[test]
    fn a_word_is_refuted_with_the_first_character_that_does_not_fit() {
        for (text, nulls, fits) in [
            ("nul", true, true),
            ("nulls", true, false),
            ("1", true, false),
            ("trU", false, false),
            ("-.in", false, true),
            ("12.5e", false, true),
            ("12 ", false, false),
            ("0xG", false, false),
        ] {
            let mut word = CoreWord::new(nulls);
            let mut last = true;
            for at in 1..=text.len() {
                assert!(last, "{text}");
                last = word.push(&text[..at]);
            }
            assert_eq!(last, fits, "{text}");
        }
    }
}
