//! Wraps a text that grows.
//!
//! ```text
//! columns: 12
//! text:    the quick brown fox          then " jumps" is appended
//! lines:   |the quick   |brown fox      |the quick   |brown fox   |jumps
//! ```
//!
//! Appended text changes only the last line: a word that does not fit goes to the next line, even
//! if it is longer than a line, so that no line depends on what follows it. A text of a megabyte is
//! therefore wrapped once, not again for each chunk.

use super::glyph::{Glyph, GlyphKind, glyphs};

/// The lines of one text. Invariant: `starts` ascends from 0, and `seen` is at least its last.
#[derive(Debug, Clone)]
pub(crate) struct Wrap {
    columns: usize,
    starts: Vec<usize>,
    /// How much of the text was wrapped.
    seen: usize,
}

impl Wrap {
    pub(crate) fn new(columns: usize) -> Self {
        Self { columns: columns.max(1), starts: vec![0], seen: 0 }
    }

    pub(crate) const fn columns(&self) -> usize {
        self.columns
    }

    /// How many lines are known.
    pub(crate) const fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether the whole text was wrapped.
    #[cfg(test)]
    const fn is_whole(&self, text: &str) -> bool {
        self.seen == text.len()
    }

    /// Wraps more of a text that begins with what was wrapped before, up to `most` lines.
    pub(crate) fn grow(&mut self, text: &str, most: usize) {
        while self.seen < text.len() && self.starts.len() <= most {
            let start = self.starts.last().copied().unwrap_or(0);
            match next_line(text, start, self.columns) {
                Some(next) => {
                    self.starts.push(next);
                    self.seen = next;
                }
                None => self.seen = text.len(),
            }
        }
    }

    /// A line of the text, printable.
    pub(crate) fn line(&self, text: &str, number: usize) -> String {
        let Some(&start) = self.starts.get(number) else { return String::new() };
        let end = self.starts.get(number + 1).copied().unwrap_or(text.len());
        let end = end.min(text.len());
        let line: String = glyphs(&text[..end], start).map(|glyph| glyph.shown).collect();
        line.trim_end_matches(' ').to_owned()
    }

    /// The offset at which a line begins.
    pub(crate) fn start(&self, number: usize) -> usize {
        self.starts.get(number).copied().unwrap_or(0)
    }
}

/// How many columns of whitespace may follow the end of a line.
const HANG: usize = 64;

/// Where the next line begins; `None` if the rest fits on this one.
fn next_line(text: &str, start: usize, columns: usize) -> Option<usize> {
    let mut used = 0;
    // The last offset at which this line may end.
    let mut seam = start;
    for Glyph { columns: wide, start: at, end, kind, .. } in glyphs(text, start) {
        match kind {
            GlyphKind::LineEnd => return Some(end),
            // Whitespace after the end of a line takes no room, up to a limit.
            GlyphKind::Blank if used > columns + HANG => return Some(at),
            GlyphKind::Blank => {
                used += wide;
                seam = end;
                continue;
            }
            GlyphKind::Wide => seam = at,
            GlyphKind::Ink => {}
        }
        // `\r` may be the first half of a line end.
        if &text[at..] == "\r" {
            return None;
        }
        if used + wide > columns && at > start {
            return Some(if seam > start { seam } else { at });
        }
        used += wide;
        if kind == GlyphKind::Wide {
            seam = end;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Wrap;

    const TEXTS: [&str; 7] = [
        "the quick brown fox jumps over the lazy dog",
        "one\n\n  two three  four\r\nfive   \nsix",
        "日本語のテキストは空白なしで折り返す、でも words mix in",
        "averyveryverylongwordthatfitsnowhere and short ones",
        "👨\u{200d}👩\u{200d}👧 families 🇯🇵🇫🇷🇧🇷 and e\u{301}e\u{301}e\u{301} marks",
        "tabs\tand\u{1b}[31mescapes\u{202e}in it",
        "",
    ];

    fn lines(text: &str, columns: usize) -> Vec<String> {
        let mut wrap = Wrap::new(columns);
        wrap.grow(text, usize::MAX);
        (0..wrap.len()).map(|number| wrap.line(text, number)).collect()
    }

    #[test]
    fn words_stay_whole_where_they_can() {
        assert_eq!(lines("the quick brown fox", 12), ["the quick", "brown fox"]);
        assert_eq!(lines("a  bcd", 4), ["a", "bcd"]);
        assert_eq!(lines("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(lines("x abcdefgh", 4), ["x", "abcd", "efgh"]);
        assert_eq!(lines("a\n\n  b\n", 9), ["a", "", "  b", ""]);
        assert_eq!(lines("日本語", 4), ["日本", "語"]);
        assert_eq!(lines("日本語", 1), ["日", "本", "語"]);
    }

    #[test]
    fn no_line_is_too_wide_and_nothing_is_lost() {
        for text in TEXTS {
            for columns in [9, 10, 17, 80] {
                for line in lines(text, columns) {
                    assert!(super::super::columns(&line) <= columns, "{columns}: {line:?}");
                }
                let ink = |text: &str| text.replace([' ', '↵'], "");
                let all = super::super::printable(text);
                assert_eq!(ink(&lines(text, columns).concat()), ink(&all), "{columns}");
            }
        }
    }

    #[test]
    fn a_text_that_grows_is_wrapped_as_if_it_came_at_once() {
        for text in TEXTS {
            for columns in 1..20 {
                let mut wrap = Wrap::new(columns);
                for (end, _) in text.char_indices() {
                    wrap.grow(&text[..end], usize::MAX);
                }
                wrap.grow(text, usize::MAX);
                let grown: Vec<String> =
                    (0..wrap.len()).map(|number| wrap.line(text, number)).collect();
                assert_eq!(grown, lines(text, columns), "{columns}");
            }
        }
    }

    #[test]
    fn only_as_much_is_wrapped_as_is_asked_for() {
        let text = "word ".repeat(200_000);
        let mut wrap = Wrap::new(20);
        wrap.grow(&text, 10);
        assert!(!wrap.is_whole(&text) && wrap.len() == 11 && wrap.start(10) == 200);
        wrap.grow(&text, usize::MAX);
        assert!(wrap.is_whole(&text) && wrap.len() == 50_000);
    }
}
