//! The parts of a decimal text.

/// The most digits that a decimal halfway between two `f64`s has is 767. Digits behind those only say that the number
/// is greater.
const MOST_DIGITS: usize = 768;

/// A positive number: its digits as a whole, times a power of ten.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    pub(super) is_negative: bool,
    /// Values of digits, without zeros in front. Empty for zero.
    pub(super) digits: Vec<u8>,
    /// The power of ten.
    pub(super) exponent: i64,
}

impl Decimal {
    /// None if the text is no decimal number.
    pub(super) fn of(text: &str) -> Option<Self> {
        let (is_negative, text) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (mantissa, power) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], power(&text[at + 1..])?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = || whole.bytes().chain(fraction.bytes());
        if all().next().is_none() || !all().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let mut digits: Vec<u8> =
            all().map(|byte| byte - b'0').skip_while(|digit| *digit == 0).collect();
        let mut exponent = power.saturating_sub(fraction.len() as i64);
        if digits.len() > MOST_DIGITS {
            exponent = exponent.saturating_add((digits.len() - MOST_DIGITS) as i64);
            let is_more = digits.drain(MOST_DIGITS..).any(|digit| digit > 0);
            digits[MOST_DIGITS - 1] |= u8::from(is_more);
        }
        Some(Self { is_negative, digits, exponent })
    }

    /// How many digits are before the point.
    pub(super) const fn magnitude(&self) -> i64 {
        self.exponent.saturating_add(self.digits.len() as i64)
    }
}

/// An exponent. Beyond all that matters it stays where it is.
fn power(text: &str) -> Option<i64> {
    let (is_negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let far = i64::MAX / 20;
    let size =
        digits.bytes().fold(
            0,
            |size: i64, byte| {
                if size > far { size } else { size * 10 + i64::from(byte - b'0') }
            },
        );
    Some(if is_negative { -size } else { size })
}
