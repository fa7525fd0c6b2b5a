//! The scalars that words and marks mean.

use crate::document::{Document, NodeKind};

/// A text without emphasis, quotes and a full stop around it.
pub(super) fn without_marks(text: &str) -> &str {
    let mut text = text.trim();
    for (open, close) in
        [("**", "**"), ("__", "__"), ("`", "`"), ("\"", "\""), ("'", "'"), ("“", "”")]
    {
        let inner = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        if let Some(inner) = inner.filter(|inner| !inner.contains(open)) {
            text = inner.trim();
        }
    }
    text
}

/// The literal or number that a word means.
pub(super) fn word(text: &str) -> Option<Document> {
    let bare = without_marks(text).trim_end_matches(['.', ',']);
    let is = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(bare));
    let literal = |kind, text| Some(Document::one_scalar(kind, text));
    if is(&["true", "yes", "y", "on", "✅", "✓", "✔", "✔️", "☑", "[x]"]) {
        return literal(NodeKind::True, "true");
    }
    if is(&["false", "no", "n", "off", "❌", "✗", "✘", "☐", "[ ]"]) {
        return literal(NodeKind::False, "false");
    }
    if is(&["null", "none", "nil", "n/a"]) {
        return literal(NodeKind::Null, "null");
    }
    let digits = bare.strip_prefix('+').unwrap_or(bare);
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
    let whole = digits.bytes().take_while(u8::is_ascii_digit).count();
    let zeros = digits[..whole].len() - digits[..whole].trim_start_matches('0').len();
    let number = format!("{sign}{}", &digits[zeros.min(whole.saturating_sub(1))..]);
    let is_number = crate::lex::json::scalar(&number) == Some(crate::lex::Scalar::Number);
    is_number.then(|| Document::one_scalar(NodeKind::Number, &number))
}

/// Whether a text says that a list has no items.
pub(super) fn is_nothing(text: &str) -> bool {
    let bare = without_marks(text).trim_end_matches('.');
    let bare = bare.strip_prefix("- ").unwrap_or(bare);
    let words = ["none", "(none)", "[none]", "n/a", "nil", "null", "-", "–", "—"];
    words.iter().any(|word| word.eq_ignore_ascii_case(bare))
}

/// The number of a text that also says what is counted: `36 years`, `4/5`, `$12.50`, `3 - as expected`. Scales
/// such as `2 million`, ranges, and digits in groups that may be a fraction are no number.
pub(super) fn measured(text: &str) -> Option<Document> {
    const BEFORE: [char; 6] = ['~', '≈', '$', '€', '£', '¥'];
    let bare = without_marks(text).trim_start_matches("US");
    let (first, rest) = bare.split_once(' ').unwrap_or(("", bare));
    let is_about = ["about", "around", "approx.", "approximately", "circa", "ca."];
    let is_about = is_about.iter().any(|word| word.eq_ignore_ascii_case(first));
    let bare = if is_about { rest } else { bare };
    let amount = bare.trim_start_matches(BEFORE).trim_start();
    let is_in_dollars = bare.starts_with(['$', '£']);
    let sign = usize::from(amount.starts_with(['+', '-']));
    let len = amount[sign..].bytes().take_while(|it| it.is_ascii_digit() || b".,".contains(it));
    let written = amount[..sign + len.count()].trim_end_matches(['.', ',']);
    let behind = amount[written.len()..].trim_end_matches('.');
    if !is_measure(behind) {
        return None;
    }
    match written.contains(',') {
        false => word(written),
        true => word(&ungrouped(written, is_in_dollars)?),
    }
    .filter(|value| value.value().node_kind() == NodeKind::Number)
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

/// Whether a text behind a number says what it counts, or out of how many.
fn is_measure(behind: &str) -> bool {
    const SCALES: [&str; 13] = [
        "to", "or", "and", "k", "m", "bn", "dozen", "hundred", "thousand", "million", "billion",
        "trillion", "half",
    ];
    const SHORT: [&str; 30] = [
        "%", "°", "°C", "°F", "g", "kg", "mg", "lb", "oz", "km", "cm", "mm", "mi", "ft", "in",
        "ms", "s", "min", "h", "d", "px", "MB", "GB", "KB", "kB", "ml", "€", "$", "x", "th",
    ];
    let text = behind.trim();
    if text.is_empty() {
        return true;
    }
    let is_number = |text: &str| text.trim().bytes().all(|it| it.is_ascii_digit());
    for mark in ["/", "out of ", "of "] {
        if let Some(most) = text.strip_prefix(mark).filter(|most| !most.trim().is_empty()) {
            return is_number(most);
        }
    }
    if !behind.starts_with(' ') {
        return SHORT.contains(&text);
    }
    let remark = text.strip_prefix(['-', '–', '—']).filter(|rest| rest.starts_with(' '));
    if let Some(remark) = remark {
        return remark.trim_start().starts_with(char::is_alphabetic);
    }
    let unit = text.split_once(" out of ").filter(|(_, most)| is_number(most));
    let unit = unit.map_or(text, |(unit, _)| unit);
    let is_word = |word: &str| !SCALES.iter().any(|scale| scale.eq_ignore_ascii_case(word));
    let is_unit =
        |char: char| !char.is_ascii() || char.is_ascii_alphabetic() || " %./".contains(char);
    unit.split_whitespace().count() <= 3
        && unit.chars().all(is_unit)
        && unit.split(' ').all(is_word)
}

/// The bool that an answer begins with, before a comma or another mark: `Yes, all of it`.
pub(super) fn answer(text: &str) -> Option<Document> {
    let text = text.strip_prefix("- ").unwrap_or(text).trim();
    let first = text.split([',', ';', ':', '.', '!', '(', '\n', '—', '–']).next()?.trim();
    let is_symbol = |mark: &&str| !mark.chars().any(char::is_alphanumeric);
    let mark = first.split(' ').next().filter(|mark| !mark.is_ascii());
    let words: Vec<&str> = first.split_whitespace().filter(|it| !is_symbol(it)).collect();
    let alone = words.first().filter(|_| words.len() == 1);
    let value = word(first).or_else(|| word(mark?)).or_else(|| word(alone?))?;
    matches!(value.value().node_kind(), NodeKind::True | NodeKind::False).then_some(value)
}

/// The bool of an answer in words whose first word is one: `No breaking changes`. `No idea` is none.
pub(super) fn first_word(text: &str) -> Option<Document> {
    const OPEN: [&str; 6] = ["idea", "information", "data", "answer", "clue", "opinion"];
    let mut words = text.split_whitespace();
    let (first, second) = (words.next()?, words.next()?);
    let is_bool = ["yes", "no", "true", "false"].iter().any(|it| it.eq_ignore_ascii_case(first));
    let second = second.trim_end_matches(|it: char| !it.is_alphanumeric());
    let is_open = OPEN.iter().any(|it| it.eq_ignore_ascii_case(second));
    let has_words = second.starts_with(char::is_alphabetic);
    (is_bool && has_words && !is_open).then(|| word(first)).flatten()
}

#[cfg(test)]
mod tests {
    use super::{is_nothing, measured};

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
        ] {
            let found = measured(text).map(|it| it.value().to_string());
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
            "3 cats and dogs too many",
        ] {
            assert!(measured(text).is_none(), "{text}");
        }
    }

    #[test]
    fn answers_in_words() {
        for (text, want) in [
            ("No breaking changes.", Some("false")),
            ("Yes it is", Some("true")),
            ("No idea.", None),
            ("No", None),
            ("On Monday", None),
            ("no 3", None),
        ] {
            let found = super::first_word(text).map(|it| it.value().to_string());
            assert_eq!(found.as_deref(), want, "{text}");
        }
    }

    #[test]
    fn words_for_a_list_without_items() {
        for (text, want) in
            [("None", true), ("- none.", true), ("**N/A**", true), ("none yet", false), ("", false)]
        {
            assert_eq!(is_nothing(text), want, "{text}");
        }
    }
}
