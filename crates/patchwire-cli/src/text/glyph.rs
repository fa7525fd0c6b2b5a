//! Grapheme clusters: what is shown for each, and how many columns it takes.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// One grapheme cluster of a text.
#[cfg_attr(
    not(feature = "watch"),
    expect(dead_code, reason = "only the view lays text out in columns")
)]
pub(super) struct Glyph<'a> {
    /// The characters that are written to the screen.
    pub(super) shown: Cow<'a, str>,
    /// The width in columns.
    pub(super) columns: usize,
    /// Offset of the cluster in the text.
    pub(super) start: usize,
    /// Offset after the cluster.
    pub(super) end: usize,
    pub(super) kind: GlyphKind,
}

/// How a cluster affects line breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GlyphKind {
    /// Ends the line.
    LineEnd,
    /// A line may end after it. At the end of a line it takes no room.
    Blank,
    /// A line may end before and after it.
    Wide,
    Ink,
}

/// The most characters of one cluster: more combining marks on one letter show nothing.
const MARKS: usize = 8;
/// What a tab is shown as.
const TAB: &str = "    ";

/// The clusters of a text, from an offset at which one begins.
pub(super) fn glyphs(text: &str, from: usize) -> impl Iterator<Item = Glyph<'_>> {
    text[from..].grapheme_indices(true).map(move |(at, cluster)| {
        let start = from + at;
        let shown = sign(cluster);
        let columns = shown.width();
        let kind = match cluster {
            "\n" | "\r\n" => GlyphKind::LineEnd,
            " " | "\t" | "\u{3000}" => GlyphKind::Blank,
            _ if columns > 1 && matches!(shown, Cow::Borrowed(_)) => GlyphKind::Wide,
            _ => GlyphKind::Ink,
        };
        Glyph { shown, columns, start, end: start + cluster.len(), kind }
    })
}

/// What is shown for a cluster: itself, or a visible symbol if it is a control character or
/// invisible.
fn sign(cluster: &str) -> Cow<'_, str> {
    let mut chars = cluster.chars();
    let (first, alone) = (chars.next().unwrap_or(' '), chars.next().is_none());
    match first {
        '\n' => "".into(),
        '\r' if !alone => "".into(),
        '\t' => TAB.into(),
        '\u{7F}' => "␡".into(),
        '\0'..='\u{1F}' => picture(first),
        _ if alone && is_hidden(first, cluster) => format!("<U+{:04X}>", u32::from(first)).into(),
        _ => match cluster.char_indices().nth(MARKS) {
            Some((end, _)) => cluster[..end].into(),
            None => cluster.into(),
        },
    }
}

/// The symbol of a control character, such as `␛` for escape.
fn picture(char: char) -> Cow<'static, str> {
    let picture = char::from_u32(0x2400 + u32::from(char)).unwrap_or('�');
    picture.to_string().into()
}

/// Characters that move or turn the text around them, or are invisible.
fn is_hidden(char: char, cluster: &str) -> bool {
    char.is_control()
        || matches!(char, '\u{AD}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
        || cluster.width() == 0
}

/// A text on one line, with a visible symbol for each line end and control character.
pub(crate) fn printable(text: &str) -> String {
    glyphs(text, 0)
        .map(|glyph| if glyph.kind == GlyphKind::LineEnd { "↵".into() } else { glyph.shown })
        .collect()
}

/// The width of printable text in columns.
#[cfg(feature = "watch")]
pub(crate) fn columns(shown: &str) -> usize {
    shown.width()
}

/// The beginning of printable text, cut to `most` columns.
#[cfg(feature = "watch")]
pub(crate) fn fit(shown: &str, most: usize) -> Cow<'_, str> {
    if shown.width() <= most {
        return shown.into();
    }
    let mut used = 0;
    let mut end = 0;
    for (at, cluster) in shown.grapheme_indices(true) {
        used += cluster.width();
        if used + 1 > most {
            break;
        }
        end = at + cluster.len();
    }
    if most == 0 { "".into() } else { format!("{}…", &shown[..end]).into() }
}

#[cfg(all(test, feature = "watch"))]
mod tests {
    use super::{columns, fit, printable};

    #[test]
    fn what_would_do_something_to_the_terminal_is_a_sign() {
        assert_eq!(printable("a\u{1b}[31mb\0\u{7f}\r\u{8}"), "a␛[31mb␀␡␍␈");
        assert_eq!(printable("x\u{9b}2J\u{85}"), "x<U+009B>2J<U+0085>");
        assert_eq!(printable("\u{202e}abc\u{200b}\u{feff}\u{2066}"), {
            "<U+202E>abc<U+200B><U+FEFF><U+2066>"
        });
        assert_eq!(printable("a\r\nb\nc\td"), "a↵b↵c    d");
    }

    #[test]
    fn no_character_reaches_the_terminal_that_controls_it() {
        for char in '\0'..='\u{FFFF}' {
            let shown = printable(&format!("a{char}b"));
            assert!(!shown.chars().any(char::is_control), "{:04X}", u32::from(char));
        }
    }

    #[test]
    fn columns_are_those_of_the_terminal() {
        for (text, expected) in [
            ("ascii", 5),
            ("São", 3),
            ("e\u{301}", 1),
            ("日本語", 6),
            ("🍜", 2),
            ("👨\u{200d}👩\u{200d}👧", 2),
            ("🇯🇵", 2),
            ("ｆｕｌｌ", 8),
        ] {
            assert_eq!(columns(&printable(text)), expected, "{text}");
        }
    }

    #[test]
    fn a_mountain_of_marks_is_cut() {
        let heap = format!("z{}", "\u{301}".repeat(500));
        assert_eq!(printable(&heap).chars().count(), super::MARKS);
    }

    #[test]
    fn what_does_not_fit_says_so() {
        assert_eq!(fit("abc", 3), "abc");
        assert_eq!(fit("abcd", 3), "ab…");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!((&*fit("abcd", 1), &*fit("abcd", 0)), ("…", ""));
    }
}
