//! The header of a section: `### name`, and what models put around the name.

use super::Schema;
use super::lines::BLANKS;

/// What emphasis is written with.
const EMPHASIS: [char; 3] = ['*', '_', '`'];
/// What may be said of the section behind its name.
const KINDS: [&str; 4] = ["[text]", "[json]", "(text)", "(json)"];
/// The longest text of a header whose name is not declared, in bytes.
const LONGEST_NAME: usize = 128;

/// A line that begins a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// How many `#`.
    pub level: usize,
    /// The name as declared; as written without a schema.
    pub name: String,
    /// Whether it says that JSON follows; asked where nothing is declared.
    pub json: bool,
}

/// The header that a line is.
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

/// The declared name that a header's text is: the longest, as it is spelt rather than otherwise.
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

/// The text of a header without what stands around a name, and whether that speaks of JSON. Of
/// emphasis only pairs are taken away: nobody knows whether `snake_` has one.
fn any(text: &str) -> Option<(String, bool)> {
    let text = text.trim_end_matches(BLANKS);
    if text.len() > LONGEST_NAME || text.contains('\r') {
        return None;
    }
    // Where there is no name, the blank before it is that before what follows one.
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

/// What stands between two equal marks.
fn emphasised(name: &str) -> Option<&str> {
    EMPHASIS.into_iter().find_map(|mark| name.strip_prefix(mark)?.strip_suffix(mark))
}

/// Where a name may begin: behind any part of what emphasises it.
fn starts(text: &str) -> impl Iterator<Item = usize> {
    0..=text.len() - text.trim_start_matches(EMPHASIS).len()
}

/// Where a name may end: where what follows may stand behind a name.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    let places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    places.filter(|at| may_follow(&text[*at..], true))
}

/// Whether a text is `[*_`]* :? blanks kind? :? (blanks #+)? blanks`; whether emphasis may be in it.
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

/// What follows any number of the blanks at the start.
fn behind_blanks(text: &str) -> impl Iterator<Item = &str> {
    let lead = text.len() - text.trim_start_matches(BLANKS).len();
    (0..=lead).map(|at| &text[at..])
}

fn behind_kind(text: &str) -> Option<&str> {
    KINDS.into_iter().find_map(|kind| text.strip_prefix(kind))
}

/// A name in small letters, each run of spaces and hyphens one underscore.
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
