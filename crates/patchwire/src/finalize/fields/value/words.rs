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
pub(super) const MINUS: char = '−';
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
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let is_hexadecimal = |it: &&str| it.starts_with(|it: char| it.is_ascii_hexdigit());
    if let Some(number) =
        hexadecimal.filter(is_hexadecimal).and_then(|it| u64::from_str_radix(it, 16).ok())
    {
        return literal(NodeKind::Number, &format!("{sign}{number}"));
    }
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

/// A text without pictures such as stars around it.
pub(super) fn without_symbols(text: &str) -> &str {
    const OWN: [char; 9] = ['≈', '€', '£', '¥', '°', MINUS, '№', '–', '—'];
    let is_symbol = |it: char| !it.is_ascii() && !it.is_alphanumeric() && !OWN.contains(&it);
    text.trim_matches(is_symbol).trim()
}

/// The text behind the one check box that is ticked: `[x] Yes`, `[ ] Yes [x] No`.
fn ticked(text: &str) -> Option<&str> {
    let text = text.strip_prefix(['*', '_']).unwrap_or(text);
    let is_box = text.starts_with("[x] ") || text.starts_with("[X] ") || text.starts_with("[ ] ");
    let mut ticked = text.match_indices("[x] ").chain(text.match_indices("[X] "));
    let (at, mark) = ticked.next().filter(|_| is_box && ticked.next().is_none())?;
    let rest = &text[at + mark.len()..];
    Some(rest.split("[ ]").next().unwrap_or(rest).trim())
}

/// The bool that an answer begins with, before a comma or another mark: `Yes, all of it`.
pub(super) fn answer(text: &str) -> Option<Document> {
    let text = text.strip_prefix("- ").unwrap_or(text).trim();
    if let Some(text) = ticked(text) {
        return answer(text);
    }
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
    use super::is_nothing;

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
            ("[x] Yes", Some("true")),
            ("[ ] Yes [x] No", Some("false")),
            ("[x] Yes\n[ ] No", Some("true")),
            ("[ ] Yes [ ] No", None),
            ("[x] Yes [x] No", None),
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
