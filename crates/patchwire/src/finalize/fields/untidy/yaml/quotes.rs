//! Quotes inside quoted scalars, and beside them.

/// A quoted scalar that YAML does not allow, as one that it does. None if it is fine, or not quoted.
pub(super) fn mended(value: &str) -> Option<String> {
    let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let closer = closing_quote(value, quote);
    let behind = closer.map(|at| value[at + 1..].trim_start());
    if behind.is_none_or(|rest| rest.is_empty() || rest == "," || rest.starts_with('#')) {
        return None;
    }
    let whole = || format!("'{}'", value.replace('\'', "''"));
    let Some(inner) = value[1..].strip_suffix(quote) else { return Some(whole()) };
    // A quote behind a word and before a space closes: then the outer quotes are no pair.
    let at = closer? - 1;
    // YAML knows no `\'`.
    let is_escaped = quote == '\'' && inner[..at].ends_with('\\');
    let opens = is_escaped
        || inner[..at].ends_with([' ', '('])
        || inner[at + 1..].starts_with(char::is_alphanumeric);
    if !opens {
        return Some(whole());
    }
    Some(match quote {
        '"' => format!("\"{}\"", escaped(inner)),
        _ => {
            let plain = inner.replace("\\'", "'").replace("''", "'");
            format!("'{}'", plain.replace('\'', "''"))
        }
    })
}

/// The position of the quote that closes a scalar.
fn closing_quote(value: &str, quote: char) -> Option<usize> {
    let mut chars = value.char_indices().skip(1).peekable();
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' if quote == '"' => drop(chars.next()),
            _ if char != quote => {}
            _ if quote == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'') => {
                chars.next();
            }
            _ => return Some(at),
        }
    }
    None
}

/// A text with its quotes escaped.
fn escaped(inner: &str) -> String {
    let mut out = String::new();
    let mut chars = inner.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => {
                out.push(char);
                out.extend(chars.next());
            }
            '"' => out.push_str("\\\""),
            _ => out.push(char),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::mended;

    #[test]
    fn quoted_scalars_that_yaml_does_not_allow() {
        for (value, want) in [
            (r#""Dune"'s end"#, Some(r#"'"Dune"''s end'"#)),
            (r#"'Dune' by Herbert"#, Some("'''Dune'' by Herbert'")),
            (r#""the "old" one""#, Some(r#""the \"old\" one""#)),
            (r#"'it''s'"#, None),
            // A quote behind a backslash is part of the text, whatever follows it.
            (r"'the cats\' toy'", Some("'the cats'' toy'")),
            (r"'it\'s (\'a\')'", Some("'it''s (''a'')'")),
            (r"'the cats' toy'", Some("'''the cats'' toy'''")),
            (r"'a ('b')'", Some("'a (''b'')'")),
            (r#""a","b""#, Some(r#"'"a","b"'"#)),
            (r#""a","#, None),
            (r#""a\"b""#, None),
            (r#""a" # note"#, None),
            ("a", None),
        ] {
            assert_eq!(mended(value).as_deref(), want, "{value}");
        }
    }
}
