//! A tag of the field format: its end and its attributes.

use super::lines::SPACES;

/// The end of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagEnd {
    /// At this position, just after its `>`.
    At(usize),
    /// The text ends before the tag does.
    Open,
    /// The tag exceeds the largest length.
    Beyond,
}

/// Whether a text begins with the beginning of a tag, in any letter case, and a character that ends its
/// name.
#[must_use]
pub fn opens(text: &str, start: &str, ends: &[char]) -> bool {
    starts_with(text, start) && text[start.len()..].starts_with(ends)
}

/// Whether a text begins with an ASCII text, in any letter case.
#[must_use]
pub fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start))
}

/// Whether a shorter text is the beginning of an ASCII text, in any letter case.
#[must_use]
pub fn begins(text: &str, whole: &str) -> bool {
    text.len() < whole.len() && starts_with(whole, text)
}

/// The end of the tag at the start of a text: a `>` outside quotes.
#[must_use]
pub fn end(text: &str, longest: usize) -> TagEnd {
    let mut quote = None;
    for (at, char) in text.char_indices() {
        match quote {
            Some(mark) if mark == char => quote = None,
            Some(_) => {}
            None if char == '>' => {
                return if at < longest { TagEnd::At(at + 1) } else { TagEnd::Beyond };
            }
            None if matches!(char, '"' | '\'') => quote = Some(char),
            None => {}
        }
    }
    if text.len() < longest { TagEnd::Open } else { TagEnd::Beyond }
}

/// An attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// The name as written.
    pub name: String,
    /// The value with its entities decoded.
    pub value: String,
    /// Whether the rest of the tag cannot change the value.
    pub whole: bool,
}

/// The attributes of a tag, or of the beginning of one. Other text is skipped.
#[must_use]
pub fn attributes(tag: &str) -> Vec<Attribute> {
    // A `>` inside unclosed quotes does not end the tag either.
    let whole = end(tag, usize::MAX) == TagEnd::At(tag.len());
    let inner = if whole { &tag[..tag.len() - 1] } else { tag };
    let name = inner.find(|char| SPACES.contains(&char) || char == '/');
    let mut rest = name.map_or("", |at| &inner[at..]);
    let mut found = Vec::new();
    loop {
        rest = rest.trim_start_matches(|char| SPACES.contains(&char) || "=/>".contains(char));
        if rest.is_empty() {
            return found;
        }
        if let Some((_, behind)) = quoted(rest) {
            rest = behind.unwrap_or_default();
            continue;
        }
        let (name, behind) = rest.split_at(rest.find(ends_name).unwrap_or(rest.len()));
        rest = behind;
        let Some(value) = rest.trim_start_matches(SPACES).strip_prefix('=') else { continue };
        let value = value.trim_start_matches(SPACES);
        let (text, behind) = quoted(value).unwrap_or_else(|| {
            let len = value.find(ends_bare).unwrap_or(value.len());
            (&value[..len], (len < value.len()).then(|| &value[len..]))
        });
        let whole = behind.is_some() || whole;
        found.push(Attribute { name: name.to_owned(), value: resolved(text), whole });
        rest = behind.unwrap_or_default();
    }
}

/// The first attribute with this name, in any letter case.
#[must_use]
pub fn attribute(tag: &str, name: &str) -> Option<Attribute> {
    attributes(tag).into_iter().find(|attribute| attribute.name.eq_ignore_ascii_case(name))
}

/// Whether a tag closes itself.
#[must_use]
pub fn is_empty(tag: &str) -> bool {
    tag.ends_with("/>")
}

/// The text in the quotes at the start, and the text after them, if they are closed.
fn quoted(text: &str) -> Option<(&str, Option<&str>)> {
    let mark = text.chars().next().filter(|char| matches!(char, '"' | '\''))?;
    Some(match text[1..].split_once(mark) {
        Some((inner, behind)) => (inner, Some(behind)),
        None => (&text[1..], None),
    })
}

fn ends_name(char: char) -> bool {
    SPACES.contains(&char) || "=\"'/>".contains(char)
}

fn ends_bare(char: char) -> bool {
    SPACES.contains(&char) || "\"'/>".contains(char)
}

fn resolved(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let known = ENTITIES.iter().find(|(entity, _)| rest.starts_with(entity));
        let (len, with) = known.map_or((1, "&"), |(entity, with)| (entity.len(), with));
        out.push_str(with);
        rest = &rest[len..];
    }
    out + rest
}

const ENTITIES: [(&str, &str); 5] =
    [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'")];
