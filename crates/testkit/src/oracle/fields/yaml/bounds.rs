//! The start and the end of the document in a text, by lines.

/// The names that the markers may have.
const NAMES: [&str; 2] = ["ANSWER_YAML", "AGENTLY_YAML"];

/// What ended a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The closing marker.
    Marker,
    /// The closing line of the fence.
    Fence,
    /// `---` or `...`.
    Document,
    /// The end of the text.
    OfText,
}

/// A document, and facts about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// The text, without directives and without the line that may begin the document.
    pub document: String,
    /// What ended it.
    pub end: End,
    /// Whether another document follows between the markers.
    pub another: bool,
}

/// The first document of a text.
#[must_use]
pub fn find(text: &str) -> Option<Bounds> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (first, mut fenced) = lines.iter().enumerate().find_map(|(at, line)| {
        let line = line.trim_end_matches('\n');
        let marker = is_begin(line);
        (marker || opens_fence(line)).then_some((at + 1, !marker))
    })?;
    let mut lines = &lines[first..];
    if let Some(behind) = inner_start(lines, fenced) {
        lines = behind;
        fenced = true;
    }
    Some(document(lines, fenced))
}

/// The lines after the inner start, if a marker is inside a fence, or a fence between markers.
fn inner_start<'l>(lines: &'l [&'l str], fenced: bool) -> Option<&'l [&'l str]> {
    let at = lines.iter().position(|line| !is_preamble(line))?;
    let line = lines[at].trim_end_matches('\n').trim_start_matches('\u{feff}');
    let starts = if fenced { is_begin(line) } else { opens_fence(line) };
    starts.then(|| &lines[at + 1..])
}

/// Whether a line comes before the document and has no content of it.
fn is_preamble(line: &str) -> bool {
    let line = line.trim_end_matches('\n').trim_start_matches('\u{feff}');
    line.starts_with('%') || is_nothing(line.strip_prefix("---").unwrap_or(line))
}

fn document(lines: &[&str], fenced: bool) -> Bounds {
    let mut bounds = Bounds { document: String::new(), end: End::OfText, another: false };
    let mut content = false;
    for (at, line) in lines.iter().enumerate() {
        let whole = line.trim_end_matches('\n');
        let whole = if content { whole } else { whole.trim_start_matches('\u{feff}') };
        let last = at + 1 == lines.len() && !line.ends_with('\n');
        if is_end(whole) {
            bounds.end = End::Marker;
            return bounds;
        }
        if fenced && whole.strip_prefix("```").is_some_and(ends_word) {
            bounds.end = End::Fence;
            return bounds;
        }
        let start = whole.strip_prefix("---").filter(|rest| ends_word(rest));
        if whole.strip_prefix("...").is_some_and(ends_word) || content && start.is_some() {
            bounds.end = End::Document;
            bounds.another = start.is_some();
            return bounds;
        }
        if last && (may_be_end(whole) || fenced && ["`", "``"].contains(&whole)) {
            return bounds;
        }
        if !content && (start.is_some_and(is_nothing) || whole.starts_with('%')) {
            continue;
        }
        content |= start.is_some() || !is_nothing(whole);
        bounds.document.push_str(whole);
        if line.ends_with('\n') {
            bounds.document.push('\n');
        }
    }
    bounds
}

/// Whether a line has no content: whitespace, or a comment.
fn is_nothing(line: &str) -> bool {
    let text = line.trim_matches([' ', '\t']);
    text.is_empty() || text.starts_with('#')
}

fn ends_word(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with([' ', '\t'])
}

fn opens_fence(line: &str) -> bool {
    let line = line.trim_end_matches([' ', '\t']);
    line.eq_ignore_ascii_case("```yaml") || line.eq_ignore_ascii_case("```yml")
}

/// Whether a line is `<<<BEGIN name>>>` alone.
fn is_begin(line: &str) -> bool {
    marker(line.trim_matches([' ', '\t']), "BEGIN").is_some_and(str::is_empty)
}

/// Whether a line begins with `<<<END name>>>`.
fn is_end(line: &str) -> bool {
    marker(line.trim_start_matches(' '), "END").is_some()
}

/// The text after the marker at the start of a text.
fn marker<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let rest = text.strip_prefix("<<<")?.trim_start_matches([' ', '\t']);
    let rest = without(rest, word)?;
    let name = rest.trim_start_matches([' ', '\t']);
    if name.len() == rest.len() {
        return None;
    }
    let behind = NAMES.into_iter().find_map(|known| without(name, known))?;
    behind.trim_start_matches([' ', '\t']).strip_prefix(">>>")
}

/// Whether the text ends in a possible beginning of the closing marker.
fn may_be_end(line: &str) -> bool {
    NAMES.into_iter().any(|name| may_be_end_of(line, name))
}

fn may_be_end_of(line: &str, name: &str) -> bool {
    let mut rest = line.trim_start_matches(' ');
    for (word, gap) in [("<<<", false), ("END", true), (name, false), (">>>", false)] {
        if rest.len() <= word.len() && without(word, rest).is_some() {
            return word != "<<<" || !rest.is_empty();
        }
        let Some(behind) = without(rest, word) else { return false };
        rest = behind.trim_start_matches([' ', '\t']);
        if gap && rest.len() == behind.len() {
            return false;
        }
    }
    false
}

/// The text after this ASCII prefix, in any letter case.
fn without<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let begins = text.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start));
    begins.then(|| &text[start.len()..])
}
