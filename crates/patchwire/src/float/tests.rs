use super::{exact, is_shortest, nearest};

/// Numbers that look random and are the same every time.
fn numbers(count: usize) -> impl Iterator<Item = u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    (0..count).map(move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    })
}

#[track_caller]
fn compare(text: &str) {
    let bits = |number: Option<f64>| number.map(f64::to_bits);
    assert_eq!(bits(exact::nearest(text)), bits(nearest(text)), "{text}");
}

#[test]
fn both_readers_read_the_same() {
    for bits in numbers(3000) {
        let number = f64::from_bits(bits);
        if !number.is_finite() {
            continue;
        }
        for text in [format!("{number:e}"), format!("{number:.3e}"), format!("{number:.30e}")] {
            compare(&text);
        }
        compare(&number.to_string());
        compare(&format!("{}.{}", bits >> 20, bits % 1000));
        compare(&format!("{bits}e{}", bits as i8));
    }
}

#[test]
fn halves_are_rounded_as_the_standard_says() {
    // The exact decimal between two neighbours, and what is a little more or less.
    for number in [1.0_f64, 0.1, 123_456_789.125, 9_007_199_254_740_992.0, 1e22, 3e-5] {
        let ulp = f64::from_bits(number.to_bits() + 1) - number;
        let (low, gap) = (format!("{number:.120}"), format!("{:.120}", ulp / 2.0));
        let half = sum(&low, &gap);
        for text in [half.clone(), format!("{half}1"), format!("{half}{}1", "0".repeat(900))] {
            compare(&text);
        }
        compare(&low);
    }
}

/// The sum of two decimals that have as many digits behind the point.
fn sum(a: &str, b: &str) -> String {
    let width = a.len().max(b.len());
    let (a, b) = (format!("{a:0>width$}"), format!("{b:0>width$}"));
    let mut carry = 0;
    let mut all: Vec<u8> = a
        .bytes()
        .zip(b.bytes())
        .rev()
        .map(|(a, b)| {
            if a == b'.' {
                return a;
            }
            let both = a - b'0' + b - b'0' + carry;
            carry = both / 10;
            both % 10 + b'0'
        })
        .collect();
    all.reverse();
    format!("{carry}{}", String::from_utf8(all).expect("digits"))
}

#[test]
fn the_ends_of_the_range() {
    for text in [
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e309",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-324",
        "1e-400",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.225073858507201e-308",
        "0",
        "-0",
        "0.000",
        "0e99999999999999999999",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "-1e999",
        "00012",
        "9007199254740993",
        "9007199254740992.9",
    ] {
        compare(text);
    }
    compare(&format!("0.{}1e400", "0".repeat(399)));
    compare(&format!("{}e-400", "7".repeat(400)));
    compare(&"9".repeat(2000));
}

#[test]
fn what_is_no_number() {
    for text in [
        "",
        "+",
        "-",
        ".",
        "e5",
        "1e",
        "1e+",
        ".e1",
        "1.2.3",
        "1 ",
        " 1",
        "0x10",
        "1_000",
        "--1",
        "inf",
        "-infinity",
        "nan",
        "1e5.0",
        "1f",
        "é",
        "-é",
        "1é",
    ] {
        compare(text);
        assert_eq!(nearest(text), None, "{text}");
    }
    for text in ["1.", ".5", "+1", "-.5E-3", "1e+5", "1E05"] {
        compare(text);
        assert!(nearest(text).is_some(), "{text}");
    }
}

#[test]
fn shortest_is_as_it_is_printed() {
    let compare = |text: &str| {
        let printed = text.parse::<f64>().is_ok_and(|number| number.to_string() == text);
        assert_eq!(is_shortest(text), printed, "{text}");
    };
    for bits in numbers(3000) {
        let number = f64::from_bits(bits % (1 << 62));
        for text in [number.to_string(), format!("{number:.3}"), format!("-{number:.17}")] {
            if text.contains('.') && text.len() < 400 {
                compare(&text);
            }
        }
        let text = format!("0.{bits}");
        compare(&text);
        compare(&text[..text.len().min(18)]);
        compare(&text[..text.len().min(19)]);
    }
    for text in ["0.1", "0.0", "1.0", "3.2", "1.10", "0.30000000000000004", "1.", "-0.5", "100.5"] {
        compare(text);
    }
    compare(&format!("0.{}1", "0".repeat(400)));
    compare(&format!("{}.5", "9".repeat(400)));
}
