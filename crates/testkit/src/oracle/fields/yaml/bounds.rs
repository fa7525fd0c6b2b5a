//! Where the document of a text begins and ends: by its lines.

/// The name in the markers.
pub const NAME: &str = "AGENTLY_YAML";

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

/// A document and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// Its text, without directives and without the line that may begin it.
    pub document: String,
    /// What ended it.
    pub end: End,
    /// Whether another one follows in the same markers.
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

/// A marker may stand in a fence, and a fence between markers: what follows the inner start.
fn inner_start<'l>(lines: &'l [&'l str], fenced: bool) -> Option<&'l [&'l str]> {
    let at = lines.iter().position(|line| !is_preamble(line))?;
    let line = lines[at].trim_end_matches('\n').trim_start_matches('\u{feff}');
    let starts = if fenced { is_begin(line) } else { opens_fence(line) };
    starts.then(|| &lines[at + 1..])
}

/// Whether nothing of the document's content stands in a line that comes before it.
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

/// Whether a line holds no content: blanks, or a comment.
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

/// `<<<BEGIN name>>>`, alone on its line.
fn is_begin(line: &str) -> bool {
    marker(line.trim_matches([' ', '\t']), "BEGIN").is_some_and(str::is_empty)
}

/// `<<<END name>>>`, first on its line.
fn is_end(line: &str) -> bool {
    marker(line.trim_start_matches(' '), "END").is_some()
}

/// What follows a marker that a text begins with.
fn marker<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let rest = text.strip_prefix("<<<")?.trim_start_matches([' ', '\t']);
    let rest = without(rest, word)?;
    let name = rest.trim_start_matches([' ', '\t']);
    if name.len() == rest.len() {
        return None;
    }
    without(name, NAME)?.trim_start_matches([' ', '\t']).strip_prefix(">>>")
}

/// Whether the text ends in what may still become the closing marker.
fn may_be_end(line: &str) -> bool {
    let mut rest = line.trim_start_matches(' ');
    for (word, gap) in [("<<<", false), ("END", true), (NAME, false), (">>>", false)] {
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

/// A text without the ASCII that it starts with, in any case.
fn without<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let begins = text.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start));
    begins.then(|| &text[start.len()..])
}
