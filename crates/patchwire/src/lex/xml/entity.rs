//! Entities: the five of XML 1.0, section 4.6, and numeric ones. Without others, none can expand.

/// The names after the `&`, with the `;`.
const NAMED: [(&str, char); 5] =
    [("amp;", '&'), ("lt;", '<'), ("gt;", '>'), ("quot;", '"'), ("apos;", '\'')];

/// The kind of a text that begins with `&`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entity {
    /// The beginning of an entity.
    More,
    /// An entity for this character.
    Whole(char),
    /// Text.
    Refuted,
}

/// Classifies a text that begins with `&`.
pub(super) fn look(text: &str) -> Entity {
    let Some(name) = text.strip_prefix('&') else { return Entity::Refuted };
    if let Some(number) = name.strip_prefix('#') {
        return numeric(number);
    }
    let known = NAMED.iter().find(|(known, _)| known.starts_with(name));
    match known {
        Some((known, char)) if *known == name => Entity::Whole(*char),
        Some(_) => Entity::More,
        None => Entity::Refuted,
    }
}

/// Classifies the characters after `&#`.
fn numeric(number: &str) -> Entity {
    let (digits, radix) = match number.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    let (digits, ended) = match digits.strip_suffix(';') {
        Some(digits) => (digits, true),
        None => (digits, false),
    };
    if !digits.chars().all(|char| char.is_digit(radix)) || (ended && digits.is_empty()) {
        return Entity::Refuted;
    }
    if !ended {
        return Entity::More;
    }
    let code = u32::from_str_radix(digits, radix).ok().filter(|code| *code > 0);
    code.and_then(char::from_u32).map_or(Entity::Refuted, Entity::Whole)
}

/// Appends text with its entities resolved.
pub(crate) fn decode_into(out: &mut String, text: &str, longest: usize) {
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(';').map_or(rest.len(), |end| end + 1);
        match look(&rest[..end]) {
            Entity::Whole(char) if end <= longest => {
                out.push(char);
                rest = &rest[end..];
            }
            _ => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::decode_into;

    #[test]
    fn five_names_and_numbers_are_resolved_and_all_else_is_text() {
        for (text, want) in [
            ("a&amp;b&lt;&gt;&quot;&apos;", "a&b<>\"'"),
            ("&#65;&#x42;&#x1F600;", "AB😀"),
            ("&nbsp;&amp;amp;&", "&nbsp;&amp;&"),
            ("&#0;&#xD800;&#x110000;&#;&#x;", "&#0;&#xD800;&#x110000;&#;&#x;"),
            ("&#0000000000000000000000000000065;", "&#0000000000000000000000000000065;"),
        ] {
            let mut out = String::new();
            decode_into(&mut out, text, 32);
            assert_eq!(out, want);
        }
    }
}
