//! Lines of the form `Key: value` in a text.

/// The value of the first line with that key, in any case; none if it is empty.
pub(super) fn field<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines().find_map(|line| value(line, key)).filter(|value| !value.is_empty())
}

/// The text without the lines that have one of these keys.
pub(super) fn without(text: &str, keys: &[&str]) -> String {
    let is_field = |line: &&str| keys.iter().any(|key| value(line, key).is_some());
    let lines: Vec<&str> = text.lines().filter(|line| !is_field(line)).collect();
    trimmed(&lines.join("\n")).to_owned()
}

/// The text without blank lines before it and whitespace after it. The indent of its first line stays.
pub(super) fn trimmed(text: &str) -> &str {
    let text = text.trim_end();
    let first = text.len() - text.trim_start().len();
    &text[text[..first].rfind('\n').map_or(0, |at| at + 1)..]
}

fn value<'t>(line: &'t str, key: &str) -> Option<&'t str> {
    let (name, value) = line.split_once(':')?;
    name.trim().eq_ignore_ascii_case(key).then(|| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_lines() {
        let text = "\nWhere to?\n expected Input types : text, url\nEmpty:\nat 10:30\n";
        assert_eq!(field(text, "Expected input types"), Some("text, url"));
        assert_eq!((field(text, "at 10"), field(text, "10")), (Some("30"), None));
        assert_eq!(field(text, "Empty"), None);
        let rest = without(text, &["Expected input types", "Empty"]);
        assert_eq!(rest, "Where to?\nat 10:30");
    }

    #[test]
    fn an_indent_is_kept() {
        for (text, expected) in [("\n \n  a\n b \n\n", "  a\n b"), (" \n ", ""), (" a", " a")] {
            assert_eq!(trimmed(text), expected);
        }
    }
}
