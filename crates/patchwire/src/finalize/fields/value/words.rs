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
    let bare = without_marks(text).trim_end_matches('.');
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

/// The bool that an answer begins with, before a comma or another mark: `Yes, all of it`.
pub(super) fn answer(text: &str) -> Option<Document> {
    let text = text.strip_prefix("- ").unwrap_or(text).trim();
    let first = text.split([',', ';', ':', '.', '!', '(', '\n', '—', '–']).next()?.trim();
    let mark = first.split(' ').next().filter(|mark| !mark.is_ascii());
    let value = word(first).or_else(|| word(mark?))?;
    matches!(value.value().node_kind(), NodeKind::True | NodeKind::False).then_some(value)
}
