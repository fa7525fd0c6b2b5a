//! The grammar of numbers (RFC 8259 §6), and number notations of other languages.

use crate::codes::Code;

/// Whether the word is a number of RFC 8259.
pub(super) fn is_standard(word: &[u8]) -> bool {
    let word = word.strip_prefix(b"-").unwrap_or(word);
    let rest = match word {
        [b'0', rest @ ..] => rest,
        _ => match digits(word) {
            Some(rest) => rest,
            None => return false,
        },
    };
    let rest = match rest {
        [b'.', fraction @ ..] => match digits(fraction) {
            Some(rest) => rest,
            None => return false,
        },
        _ => rest,
    };
    match rest {
        [] => true,
        [b'e' | b'E', b'+' | b'-', exponent @ ..] | [b'e' | b'E', exponent @ ..] => {
            digits(exponent).is_some_and(<[u8]>::is_empty)
        }
        _ => false,
    }
}

/// The number before a point or an exponent without digits, if the word is a number that was cut there.
pub(crate) fn whole_part(word: &str) -> Option<&str> {
    let number = word.strip_suffix(['+', '-']).unwrap_or(word);
    let exponent = number.strip_suffix(['e', 'E']);
    let number = match exponent {
        None if number.len() < word.len() => return None,
        None => number.strip_suffix('.')?,
        Some(number) => number,
    };
    is_standard(number.as_bytes()).then_some(number)
}

/// The text after one or more digits.
fn digits(text: &[u8]) -> Option<&[u8]> {
    let len = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    (len > 0).then(|| &text[len..])
}

/// A number in another notation, rewritten for RFC 8259, and the code of its notation.
pub(super) fn rewrite(word: &str) -> Option<(String, Code)> {
    let (sign, size, plus) = match word.as_bytes().first()? {
        b'-' => ("-", &word[1..], false),
        b'+' => ("", &word[1..], true),
        _ => ("", word, false),
    };
    if let Some(hex) = size.strip_prefix("0x").or_else(|| size.strip_prefix("0X")) {
        let digits = !hex.is_empty() && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = digits.then(|| u128::from_str_radix(hex, 16).ok())??;
        return Some((format!("{sign}{value}"), Code::HexNumber));
    }
    let (text, code) = decimal(size)?;
    let code = if plus { Code::PlusSign } else { code? };
    let text = format!("{sign}{text}");
    is_standard(text.as_bytes()).then_some((text, code))
}

/// A decimal number without leading zeros and with digits on both sides of its point.
fn decimal(size: &str) -> Option<(String, Option<Code>)> {
    let point = size.find(['.', 'e', 'E']).unwrap_or(size.len());
    let (whole, rest) = size.split_at(point);
    if !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let exponent = rest.find(['e', 'E']).unwrap_or(rest.len());
    let (fraction, exponent) = rest.split_at(exponent);
    let mut code = None;
    let stripped = whole.trim_start_matches('0');
    let whole = match (whole, stripped) {
        ("", _) if fraction.len() > 1 => {
            code = Some(Code::BareDot);
            "0"
        }
        ("", _) => return None,
        ("0", _) => "0",
        (_, "") => {
            code = Some(Code::LeadingZero);
            "0"
        }
        (all, stripped) => {
            if all.len() != stripped.len() {
                code = Some(Code::LeadingZero);
            }
            stripped
        }
    };
    let fraction = if fraction == "." {
        code = code.or(Some(Code::BareDot));
        ""
    } else {
        fraction
    };
    Some((format!("{whole}{fraction}{exponent}"), code))
}

/// Whether more characters could turn the word into a number.
pub(super) fn may_become(word: &str) -> bool {
    let belongs =
        |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b'+' | b'-' | b'.' | b'x' | b'X');
    let mut bytes = word.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.'))
        && bytes.all(belongs)
}

#[cfg(test)]
mod tests {
    use super::{is_standard, may_become, rewrite};

    /// A word, whether it is a number of RFC 8259, its rewritten form with the code of its notation, and
    /// whether more characters could make a number of it.
    #[test]
    fn words_and_the_numbers_they_write() {
        for (word, standard, rewritten, may) in [
            ("0", true, "", true),
            ("-12.5e+3", true, "", true),
            ("1E7", true, "", true),
            ("1e", false, "", true),
            ("-", false, "", true),
            ("1.", false, "1 bare_dot", true),
            (".5", false, "0.5 bare_dot", true),
            ("007", false, "7 leading_zero", true),
            ("00", false, "0 leading_zero", true),
            ("-01.50", false, "-1.50 leading_zero", true),
            ("+1", false, "1 plus_sign", true),
            ("0x1F", false, "31 hex_number", true),
            ("-0XaB", false, "-171 hex_number", true),
            ("0x", false, "", true),
            (".", false, "", true),
            ("1_000", false, "", false),
            ("1 ", false, "", false),
            ("", false, "", false),
        ] {
            assert_eq!(is_standard(word.as_bytes()), standard, "{word:?}");
            let shown = rewrite(word).map(|(text, code)| format!("{text} {}", code.name()));
            assert_eq!(shown.unwrap_or_default(), rewritten, "{word:?}");
            assert_eq!(may_become(word), may, "{word:?}");
        }
    }
}
