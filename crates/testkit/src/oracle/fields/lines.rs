//! Shared rules of the text formats: line ends, whitespace, trimming, and fences.

/// The characters that separate words in tags and around values.
pub const SPACES: [char; 4] = [' ', '\t', '\n', '\r'];

/// The characters that separate words on a line.
pub const BLANKS: [char; 2] = [' ', '\t'];

/// The text without a byte order mark, and with line feeds as line ends. A carriage return at the very end
/// is a line end; other lone ones stay.
#[must_use]
pub fn normal(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.replace("\r\n", "\n");
    match text.strip_suffix('\r') {
        Some(before) => format!("{before}\n"),
        None => text,
    }
}

/// Whether a text has no visible character.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.trim_matches(SPACES).is_empty()
}

/// A text field without layout. Removed are the text up to the last line end before the first visible
/// character, and the text after the last visible character. Whitespace right before the first visible
/// character is an indent and stays, unless it follows an opening tag on its line.
#[must_use]
pub fn trimmed(text: &str, behind_tag: bool) -> &str {
    let text = text.trim_end_matches(SPACES);
    let visible = text.trim_start_matches(SPACES);
    let lead = &text[..text.len() - visible.len()];
    match lead.rfind('\n') {
        Some(at) => &text[at + 1..],
        None if behind_tag => visible,
        None => text,
    }
}

/// A line of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'t> {
    /// The position of its first character.
    pub start: usize,
    /// The text without the line end.
    pub text: &'t str,
    /// The position of the next line.
    pub end: usize,
}

/// The lines of a text. No line follows the last line end.
#[must_use]
pub fn lines(text: &str) -> Vec<Line<'_>> {
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(|whole| {
        let start = at;
        at += whole.len();
        Line { start, text: whole.strip_suffix('\n').unwrap_or(whole), end: at }
    });
    lines.collect()
}

/// An open fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fence {
    char: char,
    run: usize,
}

impl Fence {
    /// The fence that a line opens, at any indent, and after marks of lists and quotes.
    #[must_use]
    pub fn opened_by(line: &str) -> Option<Self> {
        let mut rest = line.trim_start_matches(BLANKS);
        while let Some(behind) = behind_mark(rest) {
            rest = behind.trim_start_matches(BLANKS);
        }
        let (fence, info) = Self::run(rest)?;
        let whole = fence.run >= 3 && !(fence.char == '`' && info.contains('`'));
        whole.then_some(fence)
    }

    /// Whether a line closes the fence: at least as many of its character, and nothing after them.
    #[must_use]
    pub fn is_closed_by(self, line: &str) -> bool {
        let rest = line.trim_start_matches([' ', '\t', '>']);
        Self::run(rest).is_some_and(|(closer, behind)| {
            let blank = behind.trim_matches(BLANKS).is_empty();
            closer.char == self.char && closer.run >= self.run && blank
        })
    }

    fn run(text: &str) -> Option<(Self, &str)> {
        let char = text.chars().next().filter(|char| matches!(char, '`' | '~'))?;
        let behind = text.trim_start_matches(char);
        Some((Self { char, run: text.len() - behind.len() }, behind))
    }
}

/// The text after the mark of a list item or quote: it begins with whitespace, or with the mark of a quote.
fn behind_mark(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let behind = if (1..=9).contains(&digits) {
        text[digits..].strip_prefix(['.', ')'])
    } else {
        text.strip_prefix(['>', '-', '*', '+'])
    };
    behind.filter(|behind| behind.starts_with([' ', '\t', '>']))
}
