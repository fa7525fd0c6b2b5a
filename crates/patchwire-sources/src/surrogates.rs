//! Lone surrogates in JSON.
//!
//! RFC 8259 section 8.2 allows an escape that is half of a surrogate pair. Gateways that cut a character
//! between two deltas write such escapes. UTF-8 cannot represent one, so it becomes U+FFFD.

/// Length of `\\uXXXX`.
const ESCAPE: usize = 6;

/// The JSON text with U+FFFD in place of each lone surrogate. None if there is no lone surrogate.
pub(crate) fn mended(json: &str) -> Option<String> {
    let mut mended = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = json[at..].find('\\') {
        at += found;
        let high = unit(json, at);
        match high {
            Some(0xD800..=0xDBFF) if matches!(unit(json, at + ESCAPE), Some(0xDC00..=0xDFFF)) => {
                at += 2 * ESCAPE;
            }
            Some(0xD800..=0xDFFF) => {
                mended.push_str(&json[copied..at]);
                mended.push_str("\\ufffd");
                at += ESCAPE;
                copied = at;
            }
            // The backslash, and what it escapes.
            _ => at += 1 + json[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    if copied == 0 {
        return None;
    }
    mended.push_str(&json[copied..]);
    Some(mended)
}

/// The code unit of the `\u` escape at this position, if there is one.
fn unit(json: &str, at: usize) -> Option<u16> {
    let digits = json.get(at..at + ESCAPE)?.strip_prefix("\\u")?;
    if digits.starts_with('+') { None } else { u16::from_str_radix(digits, 16).ok() }
}

#[cfg(test)]
mod tests {
    use super::mended;

    #[test]
    fn lone_halves_become_replacement_characters_and_nothing_else_changes() {
        let text = |json: &str| serde_json::from_str::<String>(json);
        let cases = [
            (r#""a\ud83d""#, "a\u{fffd}"),
            (r#""\ude00b""#, "\u{fffd}b"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
            (r#""\ud83d\u0041""#, "\u{fffd}A"),
            (r#""\\\ud83d""#, "\\\u{fffd}"),
            (r#""\uD83Dé\ud83d\n""#, "\u{fffd}é\u{fffd}\n"),
        ];
        for (json, expected) in cases {
            assert!(text(json).is_err(), "{json}");
            assert_eq!(text(&mended(json).unwrap()).unwrap(), expected, "{json}");
        }
        for json in
            [r#""\ud83d\ude00""#, r#""\\ud83d""#, r#""plain é""#, r#""\""#, r#""\u+d83""#, "\\u"]
        {
            assert_eq!(mended(json), None, "{json}");
        }
    }
}
