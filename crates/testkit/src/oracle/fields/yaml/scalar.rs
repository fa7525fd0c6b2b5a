//! The value of a plain scalar: the core schema, with numbers as JSON writes them.

use crate::oracle::Json;

/// Whether a plain scalar is null.
#[must_use]
pub fn is_null(text: &str) -> bool {
    ["", "~", "null", "Null", "NULL"].contains(&text)
}

/// The value of a plain scalar.
#[must_use]
pub fn core(text: &str) -> Json {
    match text {
        _ if is_null(text) || is_no_number(text) => Json::Null,
        "true" | "True" | "TRUE" => Json::Bool(true),
        "false" | "False" | "FALSE" => Json::Bool(false),
        _ => match number(text) {
            Some(number) => Json::Number(number),
            None => Json::String(text.to_owned()),
        },
    }
}

/// Whether a plain scalar is an infinity or NaN, which JSON cannot represent.
#[must_use]
pub fn is_no_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    [".inf", ".Inf", ".INF"].contains(&unsigned) || [".nan", ".NaN", ".NAN"].contains(&text)
}

/// The number of a plain scalar in JSON: decimal, without a plus sign or leading zeros, with digits on both
/// sides of a point.
#[must_use]
pub fn number(text: &str) -> Option<String> {
    for (prefix, radix) in [("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            let fits = !digits.is_empty() && digits.chars().all(|char| char.is_digit(radix));
            return fits.then(|| in_tens(digits, radix));
        }
    }
    let minus = if text.starts_with('-') { "-" } else { "" };
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => unsigned.split_at(at),
        None => (unsigned, ""),
    };
    let (whole, part) = match mantissa.split_once('.') {
        Some((whole, part)) => (whole, Some(part)),
        None => (mantissa, None),
    };
    let part_only = part.is_some_and(|part| !part.is_empty());
    let ok = are_digits(whole) && part.is_none_or(are_digits) && (!whole.is_empty() || part_only);
    if !ok || !is_exponent(exponent) {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let part = match part {
        None => String::new(),
        Some("") => ".0".to_owned(),
        Some(part) => format!(".{part}"),
    };
    Some(format!("{minus}{whole}{part}{exponent}"))
}

fn are_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_exponent(text: &str) -> bool {
    let digits = text.strip_prefix(['e', 'E']).map(|it| it.strip_prefix(['+', '-']).unwrap_or(it));
    text.is_empty() || digits.is_some_and(|digits| !digits.is_empty() && are_digits(digits))
}

/// A whole number in decimal digits. Not limited by any integer type.
fn in_tens(digits: &str, radix: u32) -> String {
    let mut tens: Vec<u32> = vec![0];
    for digit in digits.chars().filter_map(|char| char.to_digit(radix)) {
        let mut carry = digit;
        for ten in &mut tens {
            carry += *ten * radix;
            *ten = carry % 10;
            carry /= 10;
        }
        while carry > 0 {
            tens.push(carry % 10);
            carry /= 10;
        }
    }
    tens.iter().rev().filter_map(|ten| char::from_digit(*ten, 10)).collect()
}

/// The text of a double-quoted scalar without an incomplete escape at its end.
#[must_use]
pub fn without_open_escape(text: &str) -> &str {
    let Some(at) = text.rfind('\\') else { return text };
    let slashes = text[..=at].bytes().rev().take_while(|byte| *byte == b'\\').count();
    let escape = &text[at + 1..];
    let wants = match escape.chars().next() {
        None => 1,
        Some('x') => 3,
        Some('u') => 5,
        Some('U') => 9,
        Some(_) => 0,
    };
    if slashes % 2 == 1 && escape.chars().count() < wants { &text[..at] } else { text }
}
