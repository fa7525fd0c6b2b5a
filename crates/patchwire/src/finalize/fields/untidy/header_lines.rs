//! Lines that are headers, and their parts.

use super::header_names::{named, without_number};
use super::names::DeclaredNames;
use super::sections::{Header, Style};

/// The parts of a line before and behind its colon, or the dash behind a name with emphasis.
pub(super) fn label(line: &str, has_emphasis: bool) -> Option<(&str, &str)> {
    let dash = dash_label(line).filter(|_| has_emphasis);
    dash.or_else(|| line.split_once([':', '：']))
}

/// The parts of a line before and behind the dash behind a name with emphasis.
pub(super) fn dash_label(line: &str) -> Option<(&str, &str)> {
    ["* - ", "* – ", "* — ", "_ - ", "_ – ", "_ — "].iter().find_map(|dash| {
        let at = line.find(dash)?;
        Some((&line[..=at], &line[at + dash.len() - 1..]))
    })
}

/// The text of a heading in HTML on one line.
pub(super) fn html_heading(line: &str) -> Option<&str> {
    let (level, rest) = line.strip_prefix("<h")?.split_once('>')?;
    let is_level = matches!(level.as_bytes(), [b'1'..=b'6']);
    let (inner, closer) = rest.trim_end().rsplit_once("</h")?;
    (is_level && closer.strip_suffix('>') == Some(level)).then_some(inner)
}

/// A header in a row of a table of two columns: `| name | value |`.
pub(super) fn row<'t, 's>(line: &'t str, names: &DeclaredNames<'s>) -> Option<Header<'t, 's>> {
    let (name, rest) = line.strip_prefix('|')?.trim_end().strip_suffix('|')?.split_once('|')?;
    let name = named(name, names).filter(|_| !rest.contains('|') && !rest.trim().is_empty())?;
    Some(Header { name, style: Style::Row, rest: rest.trim() })
}

/// A header that is a name alone on its line, or before a colon or an equals sign.
pub(super) fn plain<'t, 's>(
    line: &'t str,
    is_indented: bool,
    names: &DeclaredNames<'s>,
) -> Option<Header<'t, 's>> {
    let line = without_pictures(line.strip_prefix(['-', '*']).unwrap_or(line).trim_start());
    let line = without_number(line);
    let signs = [" = ", " → ", " -> ", " => "];
    let assigned = |sign: &&str| {
        let (name, rest) = line.split_once(*sign)?;
        Some((names.find(name.trim())?, rest))
    };
    if let Some((name, rest)) = signs.iter().find_map(assigned) {
        return Some(Header { name, style: Style::Plain { is_indented }, rest: rest.trim() });
    }
    let (name, rest) = line.split_once([':', '：']).unwrap_or((line, ""));
    let is_wide = line[name.len()..].starts_with('：');
    let name = names.find(name.trim())?;
    (is_wide || rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| Header {
        name,
        style: Style::Plain { is_indented },
        rest: rest.trim(),
    })
}

/// A value without the quotes around all of it.
pub(super) fn without_quotes(value: &str) -> &str {
    let inner = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.filter(|inner| !inner.is_empty() && !inner.contains(['"', '\\'])).unwrap_or(value)
}

/// A line without pictures before it.
pub(super) fn without_pictures(line: &str) -> &str {
    let is_picture =
        |it: char| !it.is_ascii() && !it.is_alphanumeric() && !"【「《“„«".contains(it);
    let bare = line.trim_start_matches(is_picture);
    if bare.len() < line.len() { bare.trim_start() } else { line }
}

/// Whether a line is in brackets, or between runs of `=`.
pub(super) fn is_framed(line: &str) -> bool {
    let is_in = |mark: &str, close: &str| line.starts_with(mark) && line.ends_with(close);
    is_in("[", "]") || (is_in("==", "==") && !line.trim_matches('=').is_empty())
}

#[cfg(test)]
mod tests {
    use super::{is_framed, without_pictures};

    #[test]
    fn pictures_before_a_line() {
        for (line, want) in [
            ("📝 a", "a"),
            ("★★a", "a"),
            ("→ 📝 a", "📝 a"),
            ("a 📝", "a 📝"),
            ("é", "é"),
            ("- a", "- a"),
            (" a", " a"),
            ("📝", ""),
            ("", ""),
        ] {
            assert_eq!(without_pictures(line), want, "{line}");
        }
        // Brackets and quotes belong to the text.
        for open in ["【", "「", "《", "“", "„", "«"] {
            let text = format!("{open}a");
            assert_eq!(without_pictures(&text), text);
            assert_eq!(without_pictures(&format!("📝 {text}")), text);
        }
    }

    #[test]
    fn lines_in_brackets_and_between_signs() {
        for line in ["[title]", "== title ==", "==title=="] {
            assert!(is_framed(line), "{line}");
        }
        for line in ["[title", "title]", "= title =", "=====", "title"] {
            assert!(!is_framed(line), "{line}");
        }
    }
}
