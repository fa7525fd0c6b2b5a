//! The numbers that texts say, with what they count: one place for all formats.
//!
//! A text that may be several numbers is none: `3 or 4`, `2 million`, `1,000` where fractions are allowed.

use std::borrow::Cow;

use super::words::{MINUS, without_marks, without_symbols, word};
use crate::document::{Document, NodeKind};

/// The number of a text that also says what is counted: `36 years`, `4/5`, `$12.50`, `3 - as expected`. Scales
/// such as `2 million`, ranges, halves such as `1/2`, and digits in groups that may be a fraction are no number.
/// `is_whole` if the type has no fractions: then `1,000` is a thousand.
pub(super) fn measured(text: &str, is_whole: bool) -> Option<Document> {
    const BEFORE: [char; 8] = ['~', '≈', '$', '€', '£', '¥', '#', '№'];
    let bare = without_remark(without_symbols(without_marks(text)));
    if let Some(number) = lettered(bare) {
        return word(number);
    }
    let bare = bare.strip_prefix("US").filter(|rest| rest.starts_with('$')).unwrap_or(bare);
    let (first, rest) = bare.split_once(' ').unwrap_or(("", bare));
    let before = [
        "about",
        "around",
        "approx.",
        "approximately",
        "roughly",
        "circa",
        "ca.",
        "no.",
        "serves",
        "for",
    ];
    let is_before = before.iter().any(|word| word.eq_ignore_ascii_case(first));
    let is_currency = CURRENCIES.contains(&first);
    let bare = if is_before || is_currency { rest } else { bare };
    let amount = bare.trim_start_matches(BEFORE).trim_start();
    let is_in_dollars = bare.starts_with(['$', '£']) || matches!(first, "USD" | "GBP");
    let has_symbol = bare.len() > amount.len();
    let amount = &*without_group_marks(amount);
    let (written, behind) = amount.split_at(written_len(amount));
    let behind = behind.trim_end_matches('.');
    if !is_measure(behind) || !is_whole && is_part(behind) {
        return None;
    }
    let says_unit = is_currency || has_symbol || !behind.is_empty();
    match written.contains(',') {
        false => word(written),
        true => {
            let fraction = || with_point(written).filter(|_| says_unit);
            let grouped = ungrouped(written, is_in_dollars || is_whole);
            word(&grouped.or_else(|| with_both_marks(written)).or_else(fraction)?)
        }
    }
    .filter(|value| value.value().node_kind() == NodeKind::Number)
}

/// The length of the number that a text begins with, its sign and its marks.
fn written_len(amount: &str) -> usize {
    let unsigned = amount.strip_prefix(['+', '-', MINUS]).unwrap_or(amount);
    let sign = amount.len() - unsigned.len();
    let len = unsigned.bytes().take_while(|it| it.is_ascii_digit() || b".,_".contains(it));
    amount[..sign + len.count()].trim_end_matches(['.', ',']).len()
}

/// Whether the digits that a text begins with go on behind a mark: `1,000`, `12,50`, `1 000`. The stream reads the
/// first of them alone.
pub(in crate::finalize::fields) fn has_groups(text: &str) -> bool {
    let is_digit = |it: char| it.is_ascii_digit();
    let unsigned = text.trim().trim_start_matches(['-', '+']);
    let rest = unsigned.trim_start_matches(is_digit);
    let is_fraction = || rest.strip_prefix(',').is_some_and(|it| it.starts_with(is_digit));
    let is_grouped = || matches!(without_group_marks(unsigned), Cow::Owned(_));
    rest.len() < unsigned.len() && (is_fraction() || is_grouped())
}

/// Whether all of a text is one number whose digits stand in groups behind commas.
pub(super) fn is_grouped(text: &str) -> bool {
    let mut groups = text.trim().split(',');
    let is_digits = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let is_first = groups.next().is_some_and(|it| it.len() <= 3 && is_digits(it));
    let mut rest = groups.peekable();
    is_first && rest.peek().is_some() && rest.all(|it| it.len() == 3 && is_digits(it))
}

/// Whether a text begins with a number and goes on so that it says another one, or several: `2 million`, `3 or 4`,
/// `5-7 days`, `1 1/2`. Then the number that it begins with is not its value.
pub(in crate::finalize::fields) fn is_ambiguous(text: &str) -> bool {
    let line = text.trim().lines().next().unwrap_or("");
    let is_digit = |it: char| it.is_ascii_digit();
    if has_groups(line) {
        return true;
    }
    let behind = &line[written_len(line)..];
    if behind.len() == line.len() {
        return false;
    }
    let text = behind.trim_start();
    let word = text.split(|it: char| !it.is_alphabetic()).next().unwrap_or("");
    // `0.6 m` is a length, and `2M` are millions.
    let is_length = behind.starts_with(' ') && matches!(word, "m" | "M");
    let is_scale = SCALES.iter().any(|scale| scale.eq_ignore_ascii_case(word));
    let range = text.strip_prefix(['-', '–', '—', '~', '/', ':']);
    let is_range = range.is_some_and(|rest| rest.trim_start().starts_with(is_digit));
    let is_next = behind.starts_with(' ') && text.starts_with(is_digit);
    is_scale && !is_length || is_range || is_next || text.starts_with(['½', '⅓', '⅔', '¼', '¾'])
}

/// Whether a text behind a number makes a part of one of it: `1/2`, `3/4`. `4/5` is four of five.
fn is_part(behind: &str) -> bool {
    let whole = behind.trim().strip_prefix('/').map(str::trim);
    whole.is_some_and(|whole| matches!(whole, "2" | "3" | "4" | "8" | "16"))
}

/// A number without the blanks or apostrophes between its groups of three digits: `1 000`, `1'000`. A common blank
/// only counts if nothing stands behind the number, because `2 500 ml` may be two numbers.
fn without_group_marks(amount: &str) -> Cow<'_, str> {
    const MARKS: [char; 6] = [' ', '\'', '’', '\u{A0}', '\u{202F}', '\u{2009}'];
    let unsigned = amount.trim_start_matches(['+', '-', MINUS]);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let first = digits(unsigned);
    let mark = unsigned[first..].chars().next().filter(|mark| MARKS.contains(mark));
    let Some(mark) = mark.filter(|_| (1..=3).contains(&first) && !unsigned.starts_with('0')) else {
        return amount.into();
    };
    let mut joined = amount[..amount.len() - unsigned.len() + first].to_owned();
    let mut rest = &unsigned[first..];
    while let Some(group) = rest.strip_prefix(mark).filter(|it| digits(it) == 3) {
        joined.push_str(&group[..3]);
        rest = &group[3..];
    }
    let is_other = rest.len() + first == unsigned.len() || mark == ' ' && !rest.trim().is_empty();
    if is_other { amount.into() } else { (joined + rest).into() }
}

/// A text without the remark in brackets at its end, or without the brackets around all of it.
fn without_remark(text: &str) -> &str {
    let Some((before, remark)) = text.strip_suffix(')').and_then(|it| it.rsplit_once('(')) else {
        return text;
    };
    let before = before.trim_end();
    if before.is_empty() && !remark.contains(')') { remark.trim() } else { before }
}

/// The digits behind the one letter of a grade or label: `P2`, `v3`.
fn lettered(text: &str) -> Option<&str> {
    let digits = text.strip_prefix(|it: char| it.is_ascii_alphabetic())?;
    let is_short = (1..=4).contains(&digits.len());
    (is_short && digits.bytes().all(|it| it.is_ascii_digit())).then_some(digits)
}

/// The digits of a number in groups of three. One group alone may also be a fraction, unless the currency writes
/// fractions with a point.
fn ungrouped(written: &str, has_point: bool) -> Option<String> {
    let (whole, fraction) = written.split_once('.').unwrap_or((written, ""));
    let mut groups = whole.trim_start_matches(['+', '-']).split(',');
    let is_first = groups.next().is_some_and(|first| (1..=3).contains(&first.len()));
    let is_grouped = is_first && groups.clone().all(|group| group.len() == 3);
    let is_certain = has_point || !fraction.is_empty() || groups.count() > 1;
    (is_grouped && is_certain && !fraction.contains([',', '.'])).then(|| written.replace(',', ""))
}

/// A number whose comma stands before one or two digits of a fraction: `12,50`.
fn with_point(written: &str) -> Option<String> {
    let (whole, fraction) = written.split_once(',')?;
    let is_digits = |text: &str| text.bytes().all(|it| it.is_ascii_digit());
    let is_fraction = (1..=2).contains(&fraction.len()) && is_digits(fraction);
    let whole = whole.trim_start_matches(['+', '-', MINUS]);
    (is_fraction && !whole.is_empty() && is_digits(whole)).then(|| written.replace(',', "."))
}

/// A number with points between its groups and a comma before its fraction: `1.249,50`.
fn with_both_marks(written: &str) -> Option<String> {
    let (whole, _) = written.split_once(',').filter(|(whole, _)| whole.contains('.'))?;
    let mut groups = whole.trim_start_matches(['+', '-', MINUS]).split('.');
    let is_first = groups.next().is_some_and(|first| (1..=3).contains(&first.len()));
    let is_grouped = is_first && groups.all(|group| group.len() == 3);
    with_point(&written.replace('.', "")).filter(|_| is_grouped)
}

/// Words behind a number that make it another one, or part of a range.
const SCALES: [&str; 27] = [
    "to", "or", "and", "k", "m", "bn", "mn", "mio", "mrd", "dozen", "hundred", "thousand",
    "million", "millions", "billion", "trillion", "half", "lakh", "crore", "bis", "万", "萬", "亿",
    "億", "千", "百", "十",
];
/// The separators between a number and its maximum.
const OUT_OF: [&str; 13] = [
    "/", "out of ", "of ", "von ", "из ", "від ", "de ", "sur ", "di ", "su ", "van ", "av ", "z ",
];
/// Codes of currencies that stand before an amount.
const CURRENCIES: [&str; 12] =
    ["USD", "EUR", "GBP", "CHF", "JPY", "INR", "CAD", "AUD", "SEK", "NOK", "DKK", "PLN"];
/// Units that stand right behind a number.
const UNITS: [&str; 60] = [
    "%", "°", "°C", "°F", "g", "kg", "mg", "lb", "lbs", "oz", "km", "cm", "mm", "mi", "ft", "in",
    "km/h", "mph", "ms", "s", "sec", "secs", "min", "mins", "h", "hr", "hrs", "d", "days", "yr",
    "yrs", "px", "pt", "pts", "MB", "GB", "TB", "KB", "kB", "GHz", "MHz", "kHz", "Hz", "kWh", "kW",
    "W", "V", "ml", "L", "kcal", "€", "$", "EUR", "USD", "GBP", "x", "st", "nd", "rd", "th",
];

/// Whether a text behind a number says what it counts, or out of how many.
fn is_measure(behind: &str) -> bool {
    let behind = behind.strip_prefix('+').unwrap_or(behind);
    let text = behind.trim();
    if text.is_empty() {
        return true;
    }
    let is_number = |text: &str| text.trim().bytes().all(|it| it.is_ascii_digit());
    for mark in OUT_OF {
        let most = text.strip_prefix(mark).map(str::trim);
        if let Some(most) = most.filter(|most| most.starts_with(|it: char| it.is_ascii_digit())) {
            return is_number(most);
        }
    }
    // `$120/day`
    if let Some(unit) = text.strip_prefix('/') {
        return !unit.is_empty() && unit.chars().all(char::is_alphabetic);
    }
    if let Some(remark) = behind.strip_prefix([',', ';', ':']) {
        let has_digits = remark.contains(|it: char| it.is_ascii_digit());
        let remark = remark.strip_prefix(' ').filter(|_| !has_digits);
        return remark.is_some_and(|it| it.starts_with(char::is_alphabetic));
    }
    if !behind.starts_with(' ') {
        let (unit, more) = text.split_once(' ').unwrap_or((text, ""));
        let is_known = UNITS.contains(&unit) || is_cjk_unit(unit);
        return is_known && (more.is_empty() || is_measure(&text[unit.len()..]));
    }
    let remark = text.strip_prefix(['-', '–', '—']).filter(|rest| rest.starts_with(' '));
    if let Some(remark) = remark {
        return remark.trim_start().starts_with(char::is_alphabetic);
    }
    let unit = text.split_once(" out of ").filter(|(_, most)| is_number(most));
    let unit = unit.map_or(text, |(unit, _)| unit);
    // `0.6 m` is a length, and `2M` are millions.
    let is_scale = |word: &str| SCALES.iter().any(|scale| scale.eq_ignore_ascii_case(word));
    let is_word = |word: &str| word == "m" || !is_scale(word);
    let is_unit =
        |char: char| !char.is_ascii() || char.is_ascii_alphabetic() || " %./".contains(char);
    unit.split_whitespace().count() <= 3
        && unit.chars().all(is_unit)
        && unit.split(' ').all(is_word)
}

/// Whether a text is a unit in a script without blanks: `8分`, `3个月`.
fn is_cjk_unit(text: &str) -> bool {
    let is_wide = |it: char| it >= '\u{3041}' && it.is_alphabetic();
    let mut buffer = [0; 4];
    let mut is_scale = |it: char| SCALES.contains(&&*it.encode_utf8(&mut buffer));
    text.chars().count() <= 4 && text.chars().all(|it| is_wide(it) && !is_scale(it))
}

#[cfg(test)]
mod tests {
    use super::{is_ambiguous, is_grouped, measured, without_remark};

    #[test]
    fn a_remark_in_brackets_is_no_part_of_a_number() {
        for (text, want) in [
            ("4 (of 5)", "4"),
            ("(4)", "4"),
            ("4 (a) (b)", "4 (a)"),
            // These brackets are not around all of it.
            ("(4) 5)", ""),
            ("4)", "4)"),
        ] {
            assert_eq!(without_remark(text), want, "{text}");
        }
    }

    #[test]
    fn numbers_with_what_they_count() {
        for (text, want) in [
            ("36 years", "36"),
            ("4/5", "4"),
            ("4 / 5", "4"),
            ("4 out of 5", "4"),
            ("4.5 stars out of 5", "4.5"),
            ("4 of 5", "4"),
            ("**4** ", "4"),
            ("$12.50", "12.50"),
            ("$1,000", "1000"),
            ("12,500.50", "12500.50"),
            ("1,234,567", "1234567"),
            ("85%", "85"),
            ("~20 min.", "20"),
            ("about 20", "20"),
            ("-3 °C", "-3"),
            ("5kg", "5"),
            ("4 - solid", "4"),
            ("3 business days", "3"),
            ("3 very big dogs", "3"),
            ("−0.6", "-0.6"),
            ("−3 °C", "-3"),
            ("#48213", "48213"),
            ("No. 7", "7"),
            ("P2", "2"),
            ("9+", "9"),
            ("9+ years", "9"),
            ("0.95 (high)", "0.95"),
            ("(2016)", "2016"),
            ("4.5/5 ⭐", "4.5"),
            ("⭐ 4", "4"),
            ("5, but rising", "5"),
            ("8分", "8"),
            ("3个月", "3"),
            ("3个工作日", "3"),
            ("3rd", "3"),
            ("7th grade", "7"),
            ("5kg in total", "5"),
            ("40km/h", "40"),
            ("9 из 10", "9"),
            ("9 von 10", "9"),
            ("9 sur 10", "9"),
            ("$120/day", "120"),
            ("3/week", "3"),
            ("0.6 m", "0.6"),
            ("12,50 €", "12.50"),
            ("€89,90", "89.90"),
            ("36,6 °C", "36.6"),
            (".85", "0.85"),
            ("-.5", "-0.5"),
            ("1_200_000", "1200000"),
            ("1_000.5", "1000.5"),
            ("USD 1,250.00", "1250.00"),
            ("USD 1,250", "1250"),
            ("EUR 12,50", "12.50"),
            ("€1.249,50", "1249.50"),
            ("1.234.567,8", "1234567.8"),
            ("Serves 4", "4"),
            ("for 4 people", "4"),
        ] {
            let found = measured(text, false).map(|it| it.value().to_string());
            assert_eq!(found.as_deref(), Some(want), "{text}");
        }
    }

    #[test]
    fn texts_that_hold_no_one_number() {
        for text in [
            "",
            "x",
            "1,000",
            "€1,000",
            "1,0",
            "12,50",
            "1,234 kg",
            "EUR 1,250",
            "1_2",
            ".",
            "12_0000",
            "3-5",
            "3 - 5",
            "3 to 5",
            "5 or more",
            "2 million",
            "5k",
            "2024-05-03",
            "10:30",
            "1.2.3",
            "4/",
            "12a",
            "7 of them 3",
            "9+5",
            "3, maybe 4",
            "1 (one) or 2 (two)",
            "5万",
            "3个工作日内",
            "0xFF",
            "5mio",
            "PQ2",
            "3/4 cup/2",
            "3/a4",
            "2m",
            "2 M",
            "5kg or 6kg",
            "7th of 8 in 9",
            "3 very big grey dogs",
            "3 cats and dogs too many",
            "1/2",
            "3/4",
            "2 500 ml",
            "1 1/2",
            "0 000",
            "1 0000",
            "1234 567",
            "1 000 ml",
        ] {
            assert!(measured(text, false).is_none(), "{text}");
        }
    }

    #[test]
    fn groups_and_fractions_are_told_apart_by_their_digits() {
        for (text, want) in [
            ("123.456,50", Some("123456.50")),
            ("-12.345,5", Some("-12345.5")),
            ("1234.567,50", None),
            (".123,50", None),
            ("1.23,50", None),
            ("1.249,500", None),
            ("1,234.5", Some("1234.5")),
            ("-1,234.5", Some("-1234.5")),
            ("123,456.5", Some("123456.5")),
            ("1234,567.8", None),
            ("1,23.4", None),
            ("1,234.5,6", None),
            ("£1,250", Some("1250")),
            ("GBP 1,250", Some("1250")),
            ("US$5", Some("5")),
            ("US 5", None),
            ("CHF 12,50", Some("12.50")),
            ("~12,5", Some("12.5")),
            ("-12,50 €", Some("-12.50")),
            ("12,500 €", None),
            (",5 €", None),
            ("12, €", None),
            ("P1234", Some("1234")),
            ("P12345", None),
            ("P", None),
            ("1/5", Some("1")),
            ("1/8", None),
            ("1/16", None),
        ] {
            let found = measured(text, false).map(|it| it.value().to_string());
            assert_eq!(found.as_deref(), want, "{text}");
        }
    }

    #[test]
    fn blanks_and_apostrophes_between_groups() {
        for (text, want) in [
            ("1 000", "1000"),
            ("1 234 567", "1234567"),
            ("1'000 km", "1000"),
            ("12 345", "12345"),
            ("123 456", "123456"),
            ("-1 000", "-1000"),
            ("−1’000 km", "-1000"),
            ("1\u{A0}000 km", "1000"),
            ("1\u{2009}000\u{2009}000 km", "1000000"),
            ("1\u{202F}000,50 €", "1000.50"),
        ] {
            let found = measured(text, false).map(|it| it.value().to_string());
            assert_eq!(found.as_deref(), Some(want), "{text}");
        }
    }

    #[test]
    fn digits_in_groups_are_one_number_without_fractions() {
        for (text, want) in [
            ("1,000", Some("1000")),
            ("1,000 users", Some("1000")),
            ("-12,345", Some("-12345")),
            ("1/2", Some("1")),
            ("1,00", None),
            ("12,50 €", Some("12.50")),
            ("2 million", None),
        ] {
            let found = measured(text, true).map(|it| it.value().to_string());
            assert_eq!(found.as_deref(), want, "{text}");
        }
        for (text, want) in [
            ("1,000", true),
            ("12,345,678", true),
            ("1000", false),
            ("1,00", false),
            (",000", false),
            (" 123,456 ", true),
            ("1234,567", false),
            ("1,2345", false),
            ("1,000,00", false),
            ("1,00a", false),
            ("a,000", false),
            ("", false),
        ] {
            assert_eq!(is_grouped(text), want, "{text}");
        }
    }

    #[test]
    fn texts_whose_first_number_is_not_their_value() {
        for text in [
            "1,000",
            "12,50",
            "1 000",
            "1'000",
            "2 million",
            "3 or 4",
            "5 to 10 days",
            "5-7",
            "3 – 5",
            "1 1/2",
            "1/2",
            "10:30",
            "2024-05-03",
            "5k",
            "2M",
            "1½",
            "-2 bis 3",
            "+2 million",
            "−2 million",
            ".5 or 1",
        ] {
            assert!(is_ambiguous(text), "{text}");
        }
        for text in [
            "",
            "x",
            "x 3 or 4",
            "million",
            "½ cup",
            "3",
            "3 apples",
            "4 - solid",
            "0.6 m",
            "3\n4",
            "3, maybe 4",
            "3 (2)",
            "5.",
            ",5",
            ".5",
            "-",
        ] {
            assert!(!is_ambiguous(text), "{text}");
        }
    }
}
