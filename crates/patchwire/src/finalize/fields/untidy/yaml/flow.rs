//! Lists and mappings in brackets whose texts YAML would read as something else.

/// A list on one line, with quotes around items that YAML would take for a comment: `[#a, #b]`.
pub(super) fn quoted_list(value: &str) -> Option<String> {
    let inner = value.strip_prefix('[')?.strip_suffix(']')?;
    let is_marked = |item: &str| item.starts_with('#') || item.contains(" #");
    let items: Vec<&str> = inner.split(',').map(str::trim).collect();
    if inner.contains(['"', '\'', '[', '{']) || !items.iter().any(|item| is_marked(item)) {
        return None;
    }
    let quoted = items.iter().filter(|item| !item.is_empty()).map(|item| format!("'{item}'"));
    Some(format!("[{}]", quoted.collect::<Vec<_>>().join(", ")))
}

/// A mapping on one line, with quotes around values that hold a colon or a comma: `{a: b: c, d: 1}`.
pub(super) fn quoted_mapping(value: &str, declares: impl Fn(&str) -> bool) -> Option<String> {
    let inner = value.strip_prefix('{')?.strip_suffix('}')?;
    let mut members: Vec<(&str, String)> = Vec::new();
    for part in inner.split(", ") {
        let member = part.split_once(": ").filter(|(key, _)| declares(key.trim()));
        match (member, members.last_mut()) {
            (Some((key, value)), _) => members.push((key.trim(), value.trim().to_owned())),
            (None, Some((_, value))) => {
                value.push_str(", ");
                value.push_str(part.trim());
            }
            (None, None) => return None,
        }
    }
    let is_plain = |value: &str| !value.starts_with(['"', '\'', '[', '{']);
    let is_odd = |value: &str| is_plain(value) && (value.contains(": ") || value.contains(", "));
    members.iter().find(|(_, value)| is_odd(value))?;
    let member = |(key, value): &(&str, String)| match is_odd(value) {
        true => format!("{key}: '{}'", value.replace('\'', "''")),
        false => format!("{key}: {value}"),
    };
    Some(format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", ")))
}

#[cfg(test)]
mod tests {
    use super::{quoted_list, quoted_mapping};

    #[test]
    fn texts_in_brackets() {
        for (text, want) in [
            ("[#a, #b c]", Some("['#a', '#b c']")),
            ("[a, b #c]", Some("['a', 'b #c']")),
            ("[a, b]", None),
            ("['#a', b]", None),
            ("#a", None),
        ] {
            assert_eq!(quoted_list(text).as_deref(), want, "{text}");
        }
        for (text, want) in [
            ("{a: b: c, d: 1}", Some("{a: 'b: c', d: 1}")),
            ("{a: x, y, d: it's: 1}", Some("{a: 'x, y', d: 'it''s: 1'}")),
            ("{a: 1, d: 2}", None),
            ("{a: \"b: c\", d: 1}", None),
            ("{x: 1}", None),
        ] {
            let found = quoted_mapping(text, |key| key == "a" || key == "d");
            assert_eq!(found.as_deref(), want, "{text}");
        }
    }
}
