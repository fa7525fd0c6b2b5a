//! What a text without quotes means. The lexer's rules decide; only thousands are new.

use super::costs::Slip;
use super::source::LOOK;
use crate::leniency::{Leniencies, Leniency};
use crate::lex::Scalar;
use crate::lex::json;

/// Bytes of the longest number that is looked at whole.
pub(super) const LONGEST_NUMBER: usize = 4 << 10;

/// A text that is a scalar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Word {
    /// One of RFC 8259.
    Standard(Scalar),
    /// A literal of another language.
    Foreign(Scalar, Slip),
    /// A number in another notation, as JSON writes it.
    ForeignNumber(String),
}

impl Word {
    /// The slip that the word is; none if it is JSON.
    pub(super) const fn slip(&self) -> Option<Slip> {
        match self {
            Self::Standard(_) => None,
            Self::Foreign(_, slip) => Some(*slip),
            Self::ForeignNumber(_) => Some(Slip::ForeignNumber),
        }
    }
}

/// The scalar that a text is; none if it is text, or if the slip that it is may not be.
pub(super) fn classify(text: &str, rules: Leniencies) -> Option<Word> {
    read(text).filter(|word| word.slip().is_none_or(|slip| slip.is_allowed(rules)))
}

fn read(text: &str) -> Option<Word> {
    if text.is_empty() || text.len() > LONGEST_NUMBER {
        return None;
    }
    if let Some(scalar) = json::scalar(text) {
        return Some(Word::Standard(scalar));
    }
    if text.len() > LOOK {
        return None;
    }
    if let Some((scalar, leniency)) = json::foreign_literal(text) {
        let slip = match leniency {
            Leniency::NonFinite => Slip::NonFinite,
            _ => Slip::ForeignLiteral,
        };
        return Some(Word::Foreign(scalar, slip));
    }
    json::foreign_number(text).or_else(|| without_thousands(text)).map(Word::ForeignNumber)
}

/// A number without the commas between its thousands.
fn without_thousands(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let mut groups = digits.split(',');
    let first = groups.next().filter(|first| (1..=3).contains(&first.len()))?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let mut rest = groups.peekable();
    rest.peek()?;
    let fits = is_number(first) && rest.all(|group| group.len() == 3 && is_number(group));
    let plain = format!("{}{fraction}", whole.replace(',', ""));
    (fits && json::scalar(&plain) == Some(Scalar::Number)).then_some(plain)
}

/// Whether more characters could make a scalar of RFC 8259, or a literal of Python, of a text.
pub(super) fn may_become(text: &str) -> bool {
    let literals = ["true", "false", "null", "True", "False", "None"];
    if text.is_empty() || literals.iter().any(|literal| literal.starts_with(text)) {
        return true;
    }
    let number = |byte: u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
    text.starts_with(|char: char| char == '-' || char.is_ascii_digit()) && text.bytes().all(number)
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_NUMBER, LOOK, Word, read};
    use crate::lex::Scalar;

    #[test]
    fn words_that_are_scalars() {
        // A number of JSON may be long; what is only nearly one is looked at up to 64 bytes.
        let digits = "1".repeat(LOOK + 1);
        assert_eq!(read(&digits), Some(Word::Standard(Scalar::Number)));
        for (len, is_number) in [(LOOK, true), (LOOK + 1, false)] {
            let word = format!("+{}", "1".repeat(len - 1));
            let plain = Word::ForeignNumber("1".repeat(len - 1));
            assert_eq!(read(&word), is_number.then_some(plain), "{len}");
        }
        for (len, is_number) in [(LONGEST_NUMBER, true), (LONGEST_NUMBER + 1, false)] {
            let number = is_number.then_some(Word::Standard(Scalar::Number));
            assert_eq!(read(&"1".repeat(len)), number, "{len}");
        }
        assert_eq!(read(""), None);
        assert_eq!(read("words"), None);
    }

    /// Between commas stand three digits each, and before the first comma one to three.
    #[test]
    fn numbers_with_commas_between_their_thousands() {
        for (text, number) in [
            ("1,000", Some("1000")),
            ("12,345,678", Some("12345678")),
            ("-123,456", Some("-123456")),
            ("1,000.25", Some("1000.25")),
            ("1,000.5e3", Some("1000.5e3")),
            ("1,00", None),
            ("1,0000", None),
            ("1,000,00", None),
            ("1234,567", None),
            ("1,,000", None),
            ("1,000,", None),
            (",000", None),
            ("0,123", None),
            ("1,e00", None),
            ("1e1,000", None),
            ("1,000.", None),
            ("1.5,000", None),
        ] {
            let word = number.map(|number| Word::ForeignNumber(number.to_owned()));
            assert_eq!(read(text), word, "{text}");
        }
    }
}
