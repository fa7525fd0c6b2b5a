//! Numbers of the core schema as JSON writes them: exactly, digit by digit.

/// The number of hexadecimal or octal digits that are read at a time.
const HEX_DIGITS: usize = 14;
const OCTAL_DIGITS: usize = 18;
/// The bound of one limb of a long number.
const LIMB: u128 = 1_000_000_000_000_000_000;

/// A number of the core schema as JSON writes it: no plus, no zeros in front, digits on both sides of
/// a point, in tens.
pub(crate) fn to_json(text: &str) -> String {
    if let Some(digits) = text.strip_prefix("0x") {
        return in_tens(digits, 16, HEX_DIGITS);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return in_tens(digits, 8, OCTAL_DIGITS);
    }
    let (sign, size) = match text.as_bytes().first() {
        Some(b'-') => ("-", &text[1..]),
        Some(b'+') => ("", &text[1..]),
        _ => ("", text),
    };
    let exponent = size.find(['e', 'E']).unwrap_or(size.len());
    let (size, exponent) = size.split_at(exponent);
    let (whole, fraction) = match size.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (size, None),
    };
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    match fraction {
        None => format!("{sign}{whole}{exponent}"),
        Some("") => format!("{sign}{whole}.0{exponent}"),
        Some(fraction) => format!("{sign}{whole}.{fraction}{exponent}"),
    }
}

/// Converts digits of another base to decimal, a group at a time.
fn in_tens(digits: &str, base: u32, at_a_time: usize) -> String {
    // The lowest limb first.
    let mut limbs: Vec<u128> = vec![0];
    for part in digits.as_bytes().chunks(at_a_time) {
        let digit = |byte: &u8| u128::from(char::from(*byte).to_digit(base).unwrap_or_default());
        let value = part.iter().fold(0, |sum, byte| sum * u128::from(base) + digit(byte));
        let factor = u128::from(base).pow(part.len() as u32);
        let mut carry = value;
        for limb in &mut limbs {
            let product = *limb * factor + carry;
            *limb = product % LIMB;
            carry = product / LIMB;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let mut rest = limbs.iter().rev();
    let first = rest.next().copied().unwrap_or_default();
    rest.fold(first.to_string(), |text, limb| format!("{text}{limb:018}"))
}

#[cfg(test)]
mod tests {
    use super::to_json;

    #[test]
    fn numbers_as_json_writes_them() {
        for (text, json) in [
            ("12", "12"),
            ("-0", "-0"),
            ("+12", "12"),
            ("0123", "123"),
            ("-007.50", "-7.50"),
            ("00", "0"),
            (".5", "0.5"),
            ("5.", "5.0"),
            ("5.e3", "5.0e3"),
            ("1e400", "1e400"),
            ("0x1F", "31"),
            ("0x0", "0"),
            ("0o17", "15"),
            (
                "0xffffffffffffffffffffffffffffffffffff",
                "22300745198530623141535718272648361505980415",
            ),
            ("0xde0b6b3a7640000", "1000000000000000000"),
            ("0o67405553164731000000", "1000000000000000000"),
        ] {
            assert_eq!(to_json(text), json, "{text}");
        }
    }
}
