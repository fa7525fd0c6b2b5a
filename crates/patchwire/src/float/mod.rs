//! Decimal texts as the nearest `f64`.
//!
//! The standard library's reader and printer are 12 KB of a compressed WebAssembly module, most of them tables of powers. The
//! engine reads few numbers as `f64`, so there it has a reader of its own, without tables, and prints none itself.

#[cfg(any(test, target_family = "wasm"))]
mod big;
#[cfg(any(test, target_family = "wasm"))]
mod decimal;
#[cfg(any(test, target_family = "wasm"))]
mod exact;
#[cfg(test)]
mod tests;

/// The nearest `f64`, infinite where that type ends. None if the text is no decimal number.
pub(crate) fn nearest(text: &str) -> Option<f64> {
    #[cfg(target_family = "wasm")]
    return exact::nearest(text);
    #[cfg(not(target_family = "wasm"))]
    // `inf` and `nan` are words.
    text.parse().ok().filter(|_| text.bytes().any(|byte| byte.is_ascii_digit()))
}

/// Whether a fraction is written with the fewest digits that mean its nearest `f64`. The text has a point, digits
/// before it, and no exponent.
pub(crate) fn is_shortest(text: &str) -> bool {
    if text.ends_with(['0', '.']) {
        return false;
    }
    let number = nearest(text).and_then(serde_json::Number::from_f64);
    number.is_some_and(|number| significant(&number.to_string()).eq(significant(text)))
}

/// The digits of a number, without zeros around them.
fn significant(text: &str) -> impl Iterator<Item = u8> {
    let mantissa = text.find('e').map_or(text, |at| &text[..at]);
    let is_zero = |c: char| !matches!(c, '1'..='9');
    mantissa.trim_matches(is_zero).bytes().filter(u8::is_ascii_digit)
}
