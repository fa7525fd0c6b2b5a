//! The header of a section: `### name`, and what models put around the name.

use super::Schema;
use super::lines::BLANKS;

/// The marks of emphasis.
const EMPHASIS: [char; 3] = ['*', '_', '`'];
/// The kinds of a section that may follow its name.
const KINDS: [&str; 4] = ["[text]", "[json]", "(text)", "(json)"];
/// The longest text of a header whose name is not declared, in bytes.
const LONGEST_NAME: usize = 128;

/// A header line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The number of `#`.
    pub level: usize,
    /// The declared name, or the written name without a schema.
    pub name: String,
    /// Whether it names the kind JSON. Only used without a declaration.
    pub json: bool,
}

/// The header, if the line is one.
#[must_use]
pub fn read(line: &str, schema: Option<&Schema>) -> Option<Header> {
    let behind = line.trim_start_matches('#');
    let level = line.len() - behind.len();
    let rest = behind.trim_start_matches(BLANKS);
    if !(1..=6).contains(&level) || rest.len() == behind.len() {
        return None;
    }
    let (name, json) = match schema {
        Some(schema) => (declared(rest, schema)?, false),
        None => any(rest)?,
    };
    Some(Header { level, name, json })
}

/// The declared name in a header's text: the longest one; of equal names the one with this spelling.
fn declared(text: &str, schema: &Schema) -> Option<String> {
    let mut best: Option<(usize, bool, &str)> = None;
    for from in starts(text) {
        for to in ends(text).filter(|to| *to > from) {
            let written = &text[from..to];
            for name in schema.names().filter(|name| folded(name) == folded(written)) {
                let found = (to - from, name == written, name);
                if best.is_none_or(|best| (best.0, best.1) < (found.0, found.1)) {
                    best = Some(found);
                }
            }
        }
    }
    best.map(|(_, _, name)| name.to_owned())
}

/// The name in a header's text, and whether the text names the kind JSON. Emphasis is only removed in
/// pairs, because `snake_` may be a name.
fn any(text: &str) -> Option<(String, bool)> {
    let text = text.trim_end_matches(BLANKS);
    if text.len() > LONGEST_NAME || text.contains('\r') {
        return None;
    }
    // Without a name, the whitespace before it counts as whitespace before the tail.
    if may_follow(&format!(" {text}"), false) || may_follow(text, false) {
        return None;
    }
    let is_end = |at: &usize| may_follow(&text[*at..], false);
    let places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let end = places.filter(is_end).find(|end| !text[..*end].trim_matches(BLANKS).is_empty())?;
    let mut name = text[..end].trim_end_matches(BLANKS);
    while let Some(shorter) = emphasised(name) {
        name = shorter;
    }
    let is_name = name.contains(|char: char| !EMPHASIS.contains(&char));
    let json = ["[json]", "(json)"].iter().any(|kind| text[end..].contains(kind));
    is_name.then(|| (name.to_owned(), json))
}

/// The text between two equal marks.
fn emphasised(name: &str) -> Option<&str> {
    EMPHASIS.into_iter().find_map(|mark| name.strip_prefix(mark)?.strip_suffix(mark))
}

/// The positions where a name may begin: after any part of the emphasis.
fn starts(text: &str) -> impl Iterator<Item = usize> {
    0..=text.len() - text.trim_start_matches(EMPHASIS).len()
}

/// The positions where a name may end: before a text that may follow a name.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    let places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    places.filter(|at| may_follow(&text[*at..], true))
}

/// Whether a text matches `[*_`]* :? blanks kind? :? (blanks #+)? blanks`. `emphasis`: whether it may
/// contain emphasis.
fn may_follow(text: &str, emphasis: bool) -> bool {
    let text = if emphasis { text.trim_start_matches(EMPHASIS) } else { text };
    let colon = text.strip_prefix(':').into_iter().chain([text]);
    let blanks = colon.flat_map(behind_blanks);
    let kinds = blanks.flat_map(|rest| behind_kind(rest).into_iter().chain([rest]));
    let mut rests = kinds.flat_map(|rest| rest.strip_prefix(':').into_iter().chain([rest]));
    rests.any(|rest| {
        let inner = rest.trim_matches(BLANKS);
        let hashes = rest.starts_with(BLANKS) && inner.trim_matches('#').is_empty();
        inner.is_empty() || hashes
    })
}

/// The suffixes after any number of the leading blanks.
fn behind_blanks(text: &str) -> impl Iterator<Item = &str> {
    let lead = text.len() - text.trim_start_matches(BLANKS).len();
    (0..=lead).map(|at| &text[at..])
}

fn behind_kind(text: &str) -> Option<&str> {
    KINDS.into_iter().find_map(|kind| text.strip_prefix(kind))
}

/// A name in lower case, with one underscore for each run of spaces and hyphens.
fn folded(name: &str) -> String {
    let mut out = String::new();
    for char in name.chars() {
        match char {
            ' ' | '-' if out.ends_with('\u{0}') => {}
            ' ' | '-' => out.push('\u{0}'),
            char => out.push(char.to_ascii_lowercase()),
        }
    }
    out.replace('\u{0}', "_")
}
