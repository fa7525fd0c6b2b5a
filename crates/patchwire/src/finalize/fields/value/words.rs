//! The scalars that words and marks mean.

use crate::document::{Document, NodeKind};

/// The emphasis and the quotes that may stand around a text.
const AROUND: [(&str, &str); 14] = [
    ("**", "**"),
    ("__", "__"),
    ("`", "`"),
    ("\"", "\""),
    ("'", "'"),
    ("“", "”"),
    ("„", "“"),
    ("„", "”"),
    ("«", "»"),
    ("»", "«"),
    ("‘", "’"),
    ("‚", "‘"),
    ("「", "」"),
    ("『", "』"),
];

/// A text without emphasis and quotes around it.
pub(super) fn without_marks(text: &str) -> &str {
    let mut text = text.trim();
    for (open, close) in AROUND {
        let inner = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        if let Some(inner) = inner.filter(|inner| !inner.contains(open)) {
            text = inner.trim();
        }
    }
    text
}

/// The sign of a negative number in typeset text.
const MINUS: char = '−';
/// More words for yes and no, and those of other languages.
#[rustfmt::skip]
const YES: [&str; 29] = [
    "yep", "yeah", "yup", "absolutely", "definitely", "ja", "oui", "sí", "sì", "sim", "tak", "evet", "ano", "kyllä", "igen", "da", "ναι", "да", "так", "نعم", "हाँ", "是", "对",
    "はい", "예", "네", "có", "ya", "כן",
];
#[rustfmt::skip]
const NO: [&str; 25] = [
    "nope", "nah", "nein", "non", "não", "nie", "nej", "nei", "nee", "hayır", "ei", "nem", "ne", "όχι", "нет", "ні", "لا", "नहीं", "否", "不是",
    "いいえ", "아니요", "không", "tidak", "לא",
];
/// The words for none in other languages.
const NONE: [&str; 12] = [
    "keine", "ninguno", "ninguna", "aucun", "aucune", "nessuno", "nessuna", "nenhum", "无", "無",
    "なし", "нет",
];

/// The literal or number that a word means.
pub(super) fn word(text: &str) -> Option<Document> {
    let bare = without_marks(text).trim_end_matches(['.', ',']);
    let lower = bare.to_lowercase();
    let is = |words: &[&str]| words.contains(&&*lower);
    let literal = |kind, text| Some(Document::one_scalar(kind, text));
    if is(&["true", "yes", "y", "on", "✅", "✓", "✔", "✔️", "☑", "[x]"]) || is(&YES) {
        return literal(NodeKind::True, "true");
    }
    if is(&["false", "no", "n", "off", "❌", "✗", "✘", "☐", "[ ]"]) || is(&NO) {
        return literal(NodeKind::False, "false");
    }
    if is(&["null", "none", "nil", "n/a"]) {
        return literal(NodeKind::Null, "null");
    }
    let digits = bare.strip_prefix('+').unwrap_or(bare);
    let (sign, digits) = digits.strip_prefix(['-', MINUS]).map_or(("", digits), |rest| ("-", rest));
    let joined = without_underscores(digits);
    let digits = joined.as_deref().unwrap_or(digits);
    let whole = digits.bytes().take_while(u8::is_ascii_digit).count();
    let zeros = digits[..whole].len() - digits[..whole].trim_start_matches('0').len();
    // `.85`
    let zero = if digits.starts_with('.') { "0" } else { "" };
    let number = format!("{sign}{zero}{}", &digits[zeros.min(whole.saturating_sub(1))..]);
    let is_number = crate::lex::json::scalar(&number) == Some(crate::lex::Scalar::Number);
    is_number.then(|| Document::one_scalar(NodeKind::Number, &number))
}

/// A number without the underscores between its groups of three digits: `1_200_000`.
pub(in crate::finalize) fn without_underscores(number: &str) -> Option<String> {
    let (whole, _) = number.split_once('.').unwrap_or((number, ""));
    let mut groups = whole.split('_');
    let first = groups.next().filter(|_| whole.contains('_'))?;
    let is_digits = |group: &str| group.bytes().all(|it| it.is_ascii_digit());
    let is_group = |group: &str| group.len() == 3 && is_digits(group);
    let is_grouped = (1..=3).contains(&first.len()) && is_digits(first) && groups.all(is_group);
    is_grouped.then(|| number.replace('_', ""))
}

/// Whether a text says that a list has no items: `None`, `No issues found.`
pub(super) fn is_nothing(text: &str) -> bool {
    let bare = without_symbols(without_marks(text)).trim_matches(['*', '_']);
    let bare = bare.trim_end_matches(['.', '!', '。']);
    let bare = bare.strip_prefix("- ").unwrap_or(bare);
    let bracketed = |(open, close)| bare.strip_prefix(open)?.strip_suffix(close);
    let bare = [('(', ')'), ('[', ']')].into_iter().find_map(bracketed).unwrap_or(bare);
    let lower = bare.to_lowercase();
    let is_in = |words: &[&str]| words.contains(&&*lower);
    is_in(&["none", "n/a", "n.a", "nil", "null", "nothing", "empty", "-", "–", "—"])
        || is_in(&["not applicable", "not available", "does not apply", "none so far"])
        || is_in(&NONE)
        || is_denial(bare, &FOUND)
}

/// The words that end a sentence about a list without items.
#[rustfmt::skip]
const FOUND: [&str; 27] = [
    "time", "moment", "now", "currently", "found", "identified", "detected", "reported", "needed", "required", "noted",
    "applicable", "available", "present", "report", "specified", "provided", "listed", "yet", "submitted", "made", "recorded",
    "mentioned", "raised", "assigned", "planned", "scored",
];

/// Whether a sentence denies that there is anything: `No issues found`, `There are no issues`. The last word of the
/// first kind is one of these.
pub(super) fn is_denial(text: &str, last: &[&str]) -> bool {
    let text = text.trim().trim_end_matches(['.', '!']);
    let words: Vec<&str> = text.split(' ').collect();
    let is = |word: &str, known: &[&str]| known.iter().any(|it| it.eq_ignore_ascii_case(word));
    let is_there = words.len() > 3 && is(words[0], &["there"]) && is(words[2], &["no"]);
    let begins = is_there || is(words[0], &["no", "none", "nothing"]);
    let is_short = words.len() == 2 && is(words[0], &["none", "nothing"]);
    let is_last = words.last().is_some_and(|word| last.is_empty() || is(word, last));
    let ends = is_last || is_there || is_short;
    let is_plain = |char: char| char.is_alphanumeric() || matches!(char, ' ' | '-' | '\'');
    (2..=7).contains(&words.len()) && begins && ends && text.chars().all(is_plain)
}

/// The number of a text that also says what is counted: `36 years`, `4/5`, `$12.50`, `3 - as expected`. Scales
/// such as `2 million`, ranges, and digits in groups that may be a fraction are no number.
pub(super) fn measured(text: &str) -> Option<Document> {
    const BEFORE: [char; 8] = ['~', '≈', '$', '€', '£', '¥', '#', '№'];
    let bare = without_remark(without_symbols(without_marks(text)));
    if let Some(number) = lettered(bare) {
        return word(number);
    }
    let bare = bare.strip_prefix("US").filter(|rest| rest.starts_with('$')).unwrap_or(bare);
    let (first, rest) = bare.split_once(' ').unwrap_or(("", bare));
    let before = ["about", "around", "approx.", "approximately", "roughly", "circa", "ca.", "no."];
    let is_before = before.iter().any(|word| word.eq_ignore_ascii_case(first));
    let is_currency = CURRENCIES.contains(&first);
    let bare = if is_before || is_currency { rest } else { bare };
    let amount = bare.trim_start_matches(BEFORE).trim_start();
    let is_in_dollars = bare.starts_with(['$', '£']) || matches!(first, "USD" | "GBP");
    let unsigned = amount.strip_prefix(['+', '-', MINUS]).unwrap_or(amount);
    let sign = amount.len() - unsigned.len();
    let len = unsigned.bytes().take_while(|it| it.is_ascii_digit() || b".,_".contains(it));
    let written = amount[..sign + len.count()].trim_end_matches(['.', ',']);
    let behind = amount[written.len()..].trim_end_matches('.');
    if !is_measure(behind) {
        return None;
    }
    let says_unit = is_currency || bare.len() > amount.len() || !behind.is_empty();
    match written.contains(',') {
        false => word(written),
        true => {
            let fraction = || with_point(written).filter(|_| says_unit);
            word(&ungrouped(written, is_in_dollars).or_else(fraction)?)
        }
    }
    .filter(|value| value.value().node_kind() == NodeKind::Number)
}

/// A text without pictures such as stars around it.
fn without_symbols(text: &str) -> &str {
    const OWN: [char; 9] = ['≈', '€', '£', '¥', '°', MINUS, '№', '–', '—'];
    let is_symbol = |it: char| !it.is_ascii() && !it.is_alphanumeric() && !OWN.contains(&it);
    text.trim_matches(is_symbol).trim()
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

/// The bool that an answer begins with, before a comma or another mark: `Yes, all of it`.
pub(super) fn answer(text: &str) -> Option<Document> {
    let text = text.strip_prefix("- ").unwrap_or(text).trim();
    let first = text.split([',', ';', ':', '.', '!', '(', '\n', '—', '–']).next()?;
    let first = first.split(" - ").next()?.split(" -- ").next()?.trim();
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
            "0xFF",
            "5mio",
            "PQ2",
            "3/4 cup/2",
            "3/a4",
            "2m",
            "2 M",
            "5kg or 6kg",
            "7th of 8 in 9",
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
            ("No - why", None),
        ] {
            let found = super::first_word(text).map(|it| it.value().to_string());
            assert_eq!(found.as_deref(), want, "{text}");
        }
    }

    #[test]
    fn answers_with_a_reason() {
        for (text, want) in [
            ("Yes - the customer waits", Some("true")),
            ("No - why", Some("false")),
            ("No, not yet", Some("false")),
            ("Ja", Some("true")),
            ("否", Some("false")),
            ("Non - pas encore", Some("false")),
            ("Да, готово", Some("true")),
            ("НЕТ", Some("false")),
            ("Maybe - who knows", None),
        ] {
            let found = super::answer(text).map(|it| it.value().to_string());
            assert_eq!(found.as_deref(), want, "{text}");
        }
    }

    #[test]
    fn words_for_a_list_without_items() {
        for (text, want) in [
            ("None", true),
            ("- none.", true),
            ("**N/A**", true),
            ("(none)", true),
            ("Keine", true),
            ("none yet", true),
            ("No issues found.", true),
            ("There are no risks identified.", true),
            ("No bugs found! 🎉", true),
            ("None at this time.", true),
            ("No risks so far", false),
            ("Not applicable", true),
            ("*None*", true),
            ("Nothing missing.", true),
            ("None known", true),
            ("None of these", false),
            ("No comments were submitted.", true),
            ("No pets are allowed.", false),
            ("There is no smoke without fire in the house", false),
            ("No known issues", false),
            ("No: it was found", false),
            ("None of the tests that we ran so far was found", false),
            ("", false),
        ] {
            assert_eq!(is_nothing(text), want, "{text}");
        }
    }

    #[test]
    fn quotes_of_other_languages() {
        for text in ["„a“", "„a”", "«a»", "»a«", "‘a’", "‚a‘", "「a」", "『a』", "“a”"]
        {
            assert_eq!(super::without_marks(text), "a", "{text}");
        }
        assert_eq!(super::without_marks("«a» und «b»"), "«a» und «b»");
    }
}
