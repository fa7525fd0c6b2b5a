//! The nearest `f64` without tables: short numbers by one operation of that type, others by whole numbers of any size.

use super::big::Big;
use super::decimal::Decimal;

/// Whole numbers of so many digits are `f64`s.
const EXACT_DIGITS: usize = 15;
/// Powers of ten up to this one are `f64`s.
const EXACT_POWER: i64 = 22;
/// The exponents of an `f64` with all of its digits.
const LEAST: i64 = -1022;
const MOST: i64 = 1023;

/// The nearest `f64`. None if the text is no decimal number.
pub(super) fn nearest(text: &str) -> Option<f64> {
    let number = Decimal::of(text)?;
    let size = size(&number);
    Some(if number.is_negative { -size } else { size })
}

fn size(number: &Decimal) -> f64 {
    match number.magnitude() {
        _ if number.digits.is_empty() => 0.0,
        ..-330 => 0.0,
        311.. => f64::INFINITY,
        _ if number.digits.len() <= EXACT_DIGITS && number.exponent.abs() <= EXACT_POWER => {
            short(number)
        }
        _ => long(number),
    }
}

/// Both operands are exact, so that the result is rounded once.
fn short(number: &Decimal) -> f64 {
    let whole = number.digits.iter().fold(0.0, |whole, digit| whole * 10.0 + f64::from(*digit));
    let power = (0..number.exponent.abs()).fold(1.0, |power, _| power * 10.0);
    if number.exponent < 0 { whole / power } else { whole * power }
}

/// Divides whole numbers, so that the quotient has at least 64 bits, and rounds that.
fn long(number: &Decimal) -> f64 {
    let (mut above, mut below) = (Big::of(&number.digits), Big::of(&[1]));
    let scaled = if number.exponent < 0 { &mut below } else { &mut above };
    scaled.times_ten_to(number.exponent.unsigned_abs());
    let shift = 64 - (above.bits() - below.bits());
    let scaled = if shift < 0 { &mut below } else { &mut above };
    scaled.shift_left(shift.unsigned_abs());
    let quotient = above.divide_by(&below);
    rounded(quotient, shift, !above.is_zero())
}

/// The quotient over a power of two, to the nearest, or to the even one of two. `is_more`: the number is a little
/// greater.
fn rounded(quotient: u128, shift: i64, is_more: bool) -> f64 {
    let bits = i64::from(128 - quotient.leading_zeros());
    let exponent = bits - 1 - shift;
    if exponent > MOST {
        return f64::INFINITY;
    }
    // Numbers below the least exponent have fewer digits.
    let kept = 53 - (LEAST - exponent).max(0);
    if kept < 0 {
        return 0.0;
    }
    let dropped = bits - kept;
    let (mut digits, rest) = (quotient >> dropped, quotient & ((1 << dropped) - 1));
    let half = 1 << (dropped - 1);
    if rest > half || rest == half && (is_more || digits & 1 == 1) {
        digits += 1;
    }
    // A carry out of the digits raises the exponent, up to that of infinity.
    let base = (exponent - LEAST).max(0) as u64;
    f64::from_bits((base << 52) + digits as u64)
}
