//! The text of a number as the types of serde's data model.

/// A number in the narrowest type that holds it: integers exactly while 128 bits suffice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    Unsigned(u64),
    Signed(i64),
    WideUnsigned(u128),
    WideSigned(i128),
    /// Not written as an integer, too wide for one, or `-0`, whose sign no integer keeps. The
    /// nearest `f64`; infinite where that type ends.
    Float(f64),
}

impl Number {
    pub(super) fn of(text: &str) -> Self {
        if text == "-0" {
            return Self::Float(-0.0);
        }
        let narrow = text.parse().map(Self::Unsigned).or_else(|_| text.parse().map(Self::Signed));
        narrow
            .or_else(|_| text.parse().map(Self::WideUnsigned))
            .or_else(|_| text.parse().map(Self::WideSigned))
            .unwrap_or_else(|_| Self::Float(nearest(text)))
    }
}

/// The nearest `f64`, infinite where that type ends.
pub(super) fn nearest(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn the_narrowest_type_that_holds_it() {
        assert_eq!(Number::of("0"), Number::Unsigned(0));
        assert_eq!(Number::of("18446744073709551615"), Number::Unsigned(u64::MAX));
        assert_eq!(Number::of("-9223372036854775808"), Number::Signed(i64::MIN));
        assert_eq!(Number::of("18446744073709551616"), Number::WideUnsigned(1 << 64));
        assert_eq!(Number::of("-9223372036854775809"), Number::WideSigned(-(1 << 63) - 1));
        assert_eq!(Number::of(&u128::MAX.to_string()), Number::WideUnsigned(u128::MAX));
        assert_eq!(Number::of(&format!("1{}", "0".repeat(39))), Number::Float(1e39));
        assert_eq!(Number::of("1.0"), Number::Float(1.0));
        assert_eq!(Number::of("1e3"), Number::Float(1000.0));
        assert_eq!(Number::of("1e400"), Number::Float(f64::INFINITY));
        assert!(matches!(Number::of("-0"), Number::Float(zero) if zero.is_sign_negative()));
    }
}
