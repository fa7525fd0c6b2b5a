//! The attributes of an opener.

/// The largest length of a list in bytes, without its end.
const LONGEST: usize = 1024;
/// The largest number of attributes.
const MOST: usize = 64;

/// The attributes and the end of an opener.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// Names and values in order. A missing value is empty.
    pub attributes: Vec<(String, String)>,
    /// The position after the `>`.
    pub end: usize,
    /// Whether the opener ends in `/>`.
    pub closes_itself: bool,
}

/// Reads an opener from its name to its end. `bare`: names may lack a value.
#[must_use]
pub fn read(text: &str, start: usize, bare: bool) -> Option<List> {
    let mut attributes = Vec::new();
    let mut at = start;
    loop {
        let next = skip_space(text, at);
        let rest = &text[next..];
        for (mark, closes_itself) in [(">", false), ("/>", true)] {
            if rest.starts_with(mark) {
                let fits = next - start <= LONGEST && attributes.len() <= MOST;
                let end = next + mark.len();
                return fits.then_some(List { attributes, end, closes_itself });
            }
        }
        if next == at {
            return None;
        }
        let name = name(rest)?;
        at = next + name.len();
        let (value, end) = match value_behind(text, at) {
            Equals::Value(value, end) => (value, end),
            Equals::Absent if bare => ("", at),
            Equals::Absent | Equals::Wrong => return None,
        };
        attributes.push((name.to_owned(), value.to_owned()));
        at = end;
    }
}

fn name(text: &str) -> Option<&str> {
    let in_name = |char: char| char.is_ascii_alphanumeric() || "_-:.".contains(char);
    let name = &text[..text.find(|char| !in_name(char)).unwrap_or(text.len())];
    let first = name.chars().next()?;
    (first.is_ascii_alphanumeric() || first == '_').then_some(name)
}

/// The text after a name.
enum Equals<'t> {
    /// A value, and its end.
    Value(&'t str, usize),
    /// No equals sign.
    Absent,
    /// An equals sign without a value.
    Wrong,
}

fn value_behind(text: &str, at: usize) -> Equals<'_> {
    let sign = skip_space(text, at);
    if !text[sign..].starts_with('=') {
        return Equals::Absent;
    }
    let start = skip_space(text, sign + 1);
    let value = match text[start..].chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let inner = start + 1;
            text[inner..].find(quote).map(|len| (&text[inner..inner + len], inner + len + 1))
        }
        _ => unquoted(&text[start..]).map(|value| (value, start + value.len())),
    };
    value.map_or(Equals::Wrong, |(value, end)| Equals::Value(value, end))
}

/// A value without quotes. The slash of `/>` is not part of it.
fn unquoted(text: &str) -> Option<&str> {
    let ends = |char: char| is_space(char) || "\"'<>=".contains(char);
    let len = text.find(ends).unwrap_or(text.len());
    let closes_itself = text[len..].starts_with('>') && text[..len].ends_with('/');
    let value = &text[..if closes_itself { len - 1 } else { len }];
    (!value.is_empty()).then_some(value)
}

const fn is_space(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\n' | '\r')
}

fn skip_space(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start_matches(is_space).len()
}
