//! Elements that are numbers, bools or null.

use crate::document::ValueKind;
use crate::lex::Scalar;
use crate::schema::{Schema, SchemaId};

/// Whether a text may begin a number that prints as the same text.
pub(super) fn may_be_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    match digits.as_bytes() {
        [] | [b'0'] => true,
        [b'0', b'.', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        [b'1'..=b'9', ..] => {
            let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
            whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit())
        }
        _ => false,
    }
}

/// Whether a text is a number that prints as the same text: `15`, `3.2`; not `007`, `1.10`, `-0`.
pub(super) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || text == "-0" || !may_be_number(text) {
        return false;
    }
    if !digits.contains('.') {
        return true;
    }
    text.parse::<f64>().is_ok_and(|number| number.to_string() == text)
}

/// The value of a text where the schema wants no string. None if the schema does not allow the value.
pub(super) fn typed(schema: &Schema, id: SchemaId, text: &str) -> Option<(Scalar, String)> {
    let may = |kind| schema.matches_kind(id, kind);
    let text = text.trim();
    if let Some(number) = number(text).filter(|_| may(ValueKind::Number)) {
        return Some((Scalar::Number, number));
    }
    let whole = |scalar| Some((scalar, String::new()));
    match text {
        _ if may(ValueKind::Bool) && text.eq_ignore_ascii_case("true") => whole(Scalar::True),
        _ if may(ValueKind::Bool) && text.eq_ignore_ascii_case("false") => whole(Scalar::False),
        "" | "null" if may(ValueKind::Null) => whole(Scalar::Null),
        _ => None,
    }
}

/// A number as JSON writes it: without zeros in front, and without a plus sign.
fn number(text: &str) -> Option<String> {
    let (sign, size) = match text.strip_prefix('-') {
        Some(size) => ("-", size),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = size.bytes().take_while(u8::is_ascii_digit).count();
    let (whole, rest) = size.split_at(digits);
    if whole.is_empty() || !is_tail(rest) {
        return None;
    }
    let stripped = whole.trim_start_matches('0');
    let whole = if stripped.is_empty() { "0" } else { stripped };
    Some(format!("{sign}{whole}{rest}"))
}

/// Whether this is nothing, or the fraction and exponent of a number.
fn is_tail(rest: &str) -> bool {
    let (fraction, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], Some(&rest[at + 1..])),
        None => (rest, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let fraction = fraction.is_empty() || fraction.strip_prefix('.').is_some_and(digits);
    fraction && exponent.is_none_or(|text| digits(text.strip_prefix(['+', '-']).unwrap_or(text)))
}

#[cfg(test)]
mod tests {
    use super::{is_number, may_be_number, number};

    #[test]
    fn numbers_are_those_that_print_as_they_stand() {
        let huge = "123456789012345678901234567890";
        for text in ["0", "15", "-3", "3.2", "0.5", "-0.25", "10", huge] {
            assert!(is_number(text), "{text}");
            assert!((0..=text.len()).all(|end| may_be_number(&text[..end])), "{text}");
        }
        for text in ["007", "1.10", "-0", "", "-", "1.", ".5", "1e5", " 1", "0.10", "+1", "1.0"] {
            assert!(!is_number(text), "{text}");
        }
        assert!(!is_number("3.14159265358979323846"));
        assert!(!may_be_number("00") && !may_be_number("1.2.3") && !may_be_number("1a"));
    }

    #[test]
    fn a_schema_takes_what_can_only_be_its_number() {
        let read =
            [("007", "7"), ("+1.50", "1.50"), ("-00", "-0"), ("1e5", "1e5"), ("1E+05", "1E+05")];
        for (text, want) in read {
            assert_eq!(number(text).as_deref(), Some(want));
        }
        for text in ["", "a", "1.", ".5", "1e", "1,000", "1 2", "--1"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
