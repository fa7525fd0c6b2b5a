//! Layout around a text that is no part of it: an indent of all its lines, the quotes of JSON.

use crate::lex::fence_line;

/// A text without the indent that all its lines have, if that is `above` and more.
pub(in crate::finalize) fn dedented(text: &str, above: &str) -> Option<String> {
    let indent = |line: &'_ str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let mut filled = text.lines().filter(|line| !line.trim().is_empty());
    let first = filled.next()?;
    let mut common = &first[..indent(first)];
    for line in filled {
        let is_same = |(one, other): &(u8, u8)| one == other;
        let len = common.bytes().zip(line.bytes()).take_while(is_same).count();
        common = &common[..len];
    }
    if common.len() <= above.len() || !common.starts_with(above) {
        return None;
    }
    let line = |line: &'_ str| line.get(common.len()..).unwrap_or("").to_owned();
    Some(text.lines().map(line).collect::<Vec<_>>().join("\n"))
}

/// The text that a string of JSON means, if it is all of a text.
pub(in crate::finalize) fn json_text(text: &str) -> Option<String> {
    let text = text.trim();
    let is_quoted = text.len() > 1 && text.starts_with('"') && text.ends_with('"');
    is_quoted.then(|| serde_json::from_str(text).ok()).flatten()
}

/// The text of a string of JSON whose escapes show that it is one.
pub(in crate::finalize) fn escaped_text(text: &str) -> Option<String> {
    let has_escapes = text.contains("\\n") || text.contains("\\\"");
    json_text(text).filter(|_| has_escapes)
}

/// Whether all texts, two or more, are fences without a language: then the fences are the layout of the answer.
pub(in crate::finalize) fn are_all_fenced<'t>(texts: impl Iterator<Item = &'t str>) -> bool {
    const PLAIN: [&str; 7] = ["", "text", "txt", "plain", "plaintext", "markdown", "md"];
    let is_fenced = |text: &str| {
        let info = text.trim_start_matches(['`', '~', ' ']).lines().next().unwrap_or("");
        fence_line::inside(text).is_some_and(|inner| !inner.trim().is_empty())
            && PLAIN.contains(&info.trim())
    };
    let mut count = 0;
    let all = { texts }.all(|text| {
        count += 1;
        is_fenced(text)
    });
    all && count > 1
}

/// Whether a text is another without layout: its beginning, or without indent or quotes.
pub(super) fn is_inner(new: &str, old: &str) -> bool {
    old.starts_with(new)
        || dedented(old, "").is_some_and(|old| old.starts_with(new))
        || json_text(old).is_some_and(|old| old == new)
        || fence_line::inside(old).is_some_and(|old| old == new)
}

#[cfg(test)]
mod tests {
    use super::{dedented, escaped_text, is_inner};

    #[test]
    fn an_indent_of_all_lines() {
        for (text, above, want) in [
            ("    a\n\n      b", "  ", Some("a\n\n  b")),
            ("    a\n  b", "  ", None),
            ("\ta", "", Some("a")),
            ("\t\ta\n\t b", "", Some("\ta\n b")),
            ("\ta\n  b", "", None),
            ("  a", "\t", None),
            ("a", "", None),
            ("", "", None),
        ] {
            assert_eq!(dedented(text, above).as_deref(), want, "{text:?}");
        }
    }

    #[test]
    fn strings_of_json() {
        for (text, want) in [
            (r#""a\nb""#, Some("a\nb")),
            (r#""he said \"no\"""#, Some("he said \"no\"")),
            (r#""a""#, None),
            (r#""a\nb" and more"#, None),
            (r#"a\nb"#, None),
        ] {
            assert_eq!(escaped_text(text).as_deref(), want, "{text}");
        }
        for (new, old, want) in
            [("a", "a b", true), ("a", "  a", true), ("a", "\"a\"", true), ("b", "a b", false)]
        {
            assert_eq!(is_inner(new, old), want, "{new} {old}");
        }
    }
}
