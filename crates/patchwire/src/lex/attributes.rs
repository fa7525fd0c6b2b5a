//! Attributes of tags: `name="value"`, in any order.
//!
//! [`attribute_list`] reads the list of a complete tag. [`AttributeReader`] reads a tag character by
//! character, for machines that act before the tag is complete.

use crate::text::{WHITESPACE, is_whitespace};

/// The attributes between a tag's name and its `>` or `/>`, as written. A name without a value has an empty
/// value. Values are in quotes of either kind, or end at whitespace.
pub(crate) fn attribute_list(list: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = list.strip_suffix('/').unwrap_or(list);
    core::iter::from_fn(move || {
        rest = rest.trim_start_matches(WHITESPACE);
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(|char| char == '=' || is_whitespace(char)).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let Some(value) = after.trim_start_matches(WHITESPACE).strip_prefix('=') else {
            rest = after;
            return Some((name, ""));
        };
        let value = value.trim_start_matches(WHITESPACE);
        let (value, after) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                value[1..].split_once(quote).unwrap_or_else(|| (&value[1..], ""))
            }
            _ => value.split_at(value.find(is_whitespace).unwrap_or(value.len())),
        };
        rest = after;
        Some((name, value))
    })
}

/// The position in a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum AttributeState {
    #[default]
    Between,
    Name,
    /// After a name, before its `=`.
    Named,
    /// After the `=`.
    Equals,
    Quoted(char),
    Bare,
    /// After a slash that may be the last character before `>`.
    Slash,
    Done {
        empty: bool,
    },
}

/// Reads the attributes of one tag.
///
/// Quoted values may contain `>` and line ends; CRLF becomes LF. Unquoted values end before whitespace, a
/// quote, `/` or `>`. The five entities of XML 1.0, section 4.6, are decoded. If two attributes have one
/// name, the first counts. Characters outside attributes are skipped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct AttributeReader {
    state: AttributeState,
    name: String,
    value: String,
    read: Vec<(String, String)>,
}

impl AttributeReader {
    /// Reads one character after the tag's name.
    pub(crate) fn push(&mut self, char: char) {
        let blank = is_whitespace(char);
        self.state = match (self.state, char) {
            (AttributeState::Quoted(quote), _) if char == quote => self.end_value(),
            (AttributeState::Quoted(_), _) => {
                if char == '\n' && self.value.ends_with('\r') {
                    self.value.pop();
                }
                self.value.push(char);
                self.state
            }
            (AttributeState::Bare, _) if blank => self.end_value(),
            (AttributeState::Bare, '"' | '\'' | '/' | '>') => {
                self.end_value();
                self.state = AttributeState::Between;
                return self.push(char);
            }
            (AttributeState::Bare, _) => {
                self.value.push(char);
                AttributeState::Bare
            }
            (AttributeState::Slash, '>') => AttributeState::Done { empty: true },
            (AttributeState::Equals, '/' | '>') => {
                self.end_value();
                self.state = AttributeState::Between;
                return self.push(char);
            }
            (_, '>') => AttributeState::Done { empty: false },
            (AttributeState::Equals, '"' | '\'') => AttributeState::Quoted(char),
            (AttributeState::Equals, _) if blank => AttributeState::Equals,
            (AttributeState::Equals, _) => {
                self.value.push(char);
                AttributeState::Bare
            }
            (_, '/') => AttributeState::Slash,
            (AttributeState::Name | AttributeState::Named, '=') => AttributeState::Equals,
            (AttributeState::Name, _) if blank => AttributeState::Named,
            (AttributeState::Name, _) if !matches!(char, '"' | '\'') => {
                self.name.push(char);
                AttributeState::Name
            }
            (AttributeState::Named, _) if blank => AttributeState::Named,
            (_, _) if blank => AttributeState::Between,
            (_, '"' | '\'') => {
                self.drop_attribute();
                AttributeState::Quoted(char)
            }
            (_, '=') => {
                self.drop_attribute();
                AttributeState::Between
            }
            (_, _) => {
                self.drop_attribute();
                self.name.push(char);
                AttributeState::Name
            }
        };
    }

    fn drop_attribute(&mut self) {
        self.name.clear();
        self.value.clear();
    }

    fn end_value(&mut self) -> AttributeState {
        let name = self.name.to_ascii_lowercase();
        let value = decode(&self.value);
        self.drop_attribute();
        if !name.is_empty() && self.get(&name).is_none() {
            self.read.push((name, value));
        }
        AttributeState::Between
    }

    /// Whether the tag is complete.
    pub(crate) const fn is_done(&self) -> bool {
        matches!(self.state, AttributeState::Done { .. })
    }

    /// Whether the tag ended in `/>`.
    pub(crate) const fn is_empty(&self) -> bool {
        matches!(self.state, AttributeState::Done { empty: true })
    }

    /// The value of a complete attribute, by its name in lower case.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.read.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The possible beginnings of an attribute's value while the value is being read. There are several
    /// if an entity has begun.
    pub(crate) fn reading(&self, name: &str) -> Option<Vec<String>> {
        let inside = matches!(self.state, AttributeState::Quoted(_) | AttributeState::Bare);
        if !inside || !self.name.eq_ignore_ascii_case(name) {
            return None;
        }
        let begun = self.value.rfind('&').filter(|&at| {
            ENTITIES.iter().any(|(entity, _)| entity.starts_with(&self.value[at..]))
                && !self.value.ends_with(';')
        });
        let sure = decode(&self.value[..begun.unwrap_or(self.value.len())]);
        let Some(at) = begun else { return Some(vec![sure]) };
        let entity = &self.value[at..];
        let chars = ENTITIES.iter().filter(|(whole, _)| whole.starts_with(entity));
        let ends = chars.map(|(_, char)| char.to_string()).chain([entity.to_owned()]);
        Some(ends.map(|end| format!("{sure}{end}")).collect())
    }
}

const ENTITIES: [(&str, char); 5] =
    [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&'), ("&quot;", '"'), ("&apos;", '\'')];

/// A text with its entities decoded. Other text that begins with `&` stays.
fn decode(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let entity = ENTITIES.iter().find(|(entity, _)| rest.starts_with(entity));
        let (len, char) = entity.map_or((1, '&'), |(entity, char)| (entity.len(), *char));
        out.push(char);
        rest = &rest[len..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::{AttributeReader, attribute_list};

    fn read(text: &str) -> (Option<String>, Option<String>, bool) {
        let mut attributes = AttributeReader::default();
        for char in text.chars() {
            assert!(!attributes.is_done(), "{text:?} goes on");
            attributes.push(char);
        }
        assert!(attributes.is_done(), "{text:?} is not whole");
        let get = |name| attributes.get(name).map(str::to_owned);
        (get("name"), get("type"), attributes.is_empty())
    }

    #[test]
    fn a_list_keeps_order_and_spelling() {
        for (list, want) in [
            (" id=\"1\" a = 'x > y'\n b=2 c=\"=\" d=q/", "id=1;a=x > y;b=2;c==;d=q;"),
            (" x=\"1 > 0\" y = 'q\"' z=7\nopen/", "x=1 > 0;y=q\";z=7;open=;"),
            (" /", ""),
            (" b='x'/", "b=x;"),
            (" d=q/ ", "d=q/;"),
            (" d=/", "d=;"),
            (" e=\"", "e=;"),
            (" e='ab c", "e=ab c;"),
            ("", ""),
        ] {
            let found: String =
                attribute_list(list).map(|(name, value)| format!("{name}={value};")).collect();
            assert_eq!(found, want, "{list:?}");
        }
    }

    #[test]
    fn attributes_come_in_any_order_and_form() {
        for (text, name, kind, empty) in [
            (" name=\"a\" type=\"text\">", Some("a"), Some("text"), false),
            (" type='json' NAME = 'a>b'/>", Some("a>b"), Some("json"), true),
            (" name=a type=b>", Some("a"), Some("b"), false),
            ("\n name\n=\n\"a&amp;&lt;&x\">", Some("a&<&x"), None, false),
            (" name=\"a\" name=\"b\" junk other>", Some("a"), None, false),
            ("/>", None, None, true),
            (" name='a\r\nb\rc\n\rd'>", Some("a\nb\rc\n\rd"), None, false),
            (" name=/type=\"b\" name='c'>", Some(""), Some("b"), false),
            (" =name='a' 'x'= type=b>", Some("a"), Some("b"), false),
            (">", None, None, false),
        ] {
            let (read_name, read_kind, read_empty) = read(text);
            assert_eq!(
                (read_name.as_deref(), read_kind.as_deref(), read_empty),
                (name, kind, empty),
                "{text:?}"
            );
        }
    }
}
