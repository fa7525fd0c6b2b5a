//! Code fences: the rules of CommonMark 0.31, section 4.5, that all readers of fences share, and the lines
//! that open and close fences in fields.
//!
//! Fields accept more lines as the opening of a fence than CommonMark: at any indent, and after the marks
//! of lists and quotes. Without that, the *closing* line of such a fence would open a fence that swallows
//! the rest of the text.

use crate::text::WHITESPACE;

/// A run of backticks or tildes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FenceRun {
    pub(crate) mark: u8,
    pub(crate) len: u16,
}

impl FenceRun {
    pub(crate) const fn begin(mark: u8) -> Self {
        Self { mark, len: 1 }
    }

    /// Whether a character continues the run.
    pub(crate) const fn goes_on(self, char: char) -> bool {
        self.mark as char as u32 == char as u32
    }

    #[must_use]
    pub(crate) const fn grown(self) -> Self {
        Self { len: self.len.saturating_add(1), ..self }
    }

    /// Whether the run is long enough to open a fence.
    pub(crate) const fn opens(self) -> bool {
        self.len >= 3
    }

    /// Whether the run closes a fence that `open` opened.
    pub(crate) const fn closes(self, open: Self) -> bool {
        self.mark == open.mark && self.len >= open.len
    }

    /// Whether the info string after the run may contain this character. After backticks it contains no
    /// backtick.
    pub(crate) const fn allows_info(self, char: char) -> bool {
        self.mark != b'`' || char != '`'
    }
}

/// The beginning of a line that may open a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum FenceOpener {
    /// Spaces and tabs, and marks of lists and quotes.
    #[default]
    Start,
    /// The digits of a list item.
    Digits(u8),
    /// The mark of a list item, which a space must follow.
    Mark,
    /// The mark of a quote, which another may follow.
    Quote,
    Run(FenceRun),
    Info(FenceRun),
    /// The line opens no fence.
    Other,
}

impl FenceOpener {
    /// Reads one more character of the line.
    #[must_use]
    pub(crate) const fn push(self, char: char) -> Self {
        match (self, char) {
            (Self::Start | Self::Mark | Self::Quote, ' ' | '\t') => Self::Start,
            (Self::Start, '`') => Self::Run(FenceRun::begin(b'`')),
            (Self::Start, '~') => Self::Run(FenceRun::begin(b'~')),
            (Self::Start | Self::Quote, '>') => Self::Quote,
            (Self::Start, '-' | '*' | '+') => Self::Mark,
            (Self::Start, '0'..='9') => Self::Digits(1),
            (Self::Digits(n @ 1..=8), '0'..='9') => Self::Digits(n + 1),
            (Self::Digits(_), '.' | ')') => Self::Mark,
            (Self::Mark, '>') => Self::Quote,
            (Self::Run(run), _) if run.goes_on(char) => Self::Run(run.grown()),
            (Self::Run(run), _) if run.opens() => Self::Info(run),
            (Self::Info(run), _) if run.allows_info(char) => Self::Info(run),
            _ => Self::Other,
        }
    }

    /// The fence that the line opens if it ends here.
    pub(crate) const fn end(self) -> Option<FenceRun> {
        match self {
            Self::Run(run) if run.opens() => Some(run),
            Self::Info(run) => Some(run),
            _ => None,
        }
    }
}

/// The beginning of a line that may close a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum FenceCloser {
    /// Spaces and tabs, and marks of quotes.
    #[default]
    Start,
    /// The length of the closing run.
    Run(u16),
    /// Only spaces and tabs after the run.
    Closed,
    /// The line closes nothing.
    Other,
}

impl FenceCloser {
    /// Reads one more character of the line.
    #[must_use]
    pub(crate) const fn push(self, char: char, fence: FenceRun) -> Self {
        match (self, char) {
            (Self::Start, ' ' | '\t' | '>') => Self::Start,
            (Self::Start, _) if char == fence.mark as char => Self::Run(1),
            (Self::Run(len), _) if char == fence.mark as char => Self::Run(len.saturating_add(1)),
            (Self::Run(len), ' ' | '\t') if len >= fence.len => Self::Closed,
            (Self::Closed, ' ' | '\t') => Self::Closed,
            _ => Self::Other,
        }
    }

    /// Whether the line closes the fence if it ends here.
    pub(crate) const fn end(self, fence: FenceRun) -> bool {
        match self {
            Self::Run(len) => len >= fence.len,
            Self::Closed => true,
            _ => false,
        }
    }
}

/// The content of a text that is one whole fence, apart from whitespace around it.
pub(crate) fn inside(text: &str) -> Option<&str> {
    let text = text.trim_matches(WHITESPACE);
    let (first, rest) = text.split_once('\n')?;
    let fence = first
        .trim_end_matches('\r')
        .chars()
        .fold(FenceOpener::default(), FenceOpener::push)
        .end()?;
    let closes = |line: &str| {
        let line = line.trim_end_matches(['\r', '\n']);
        line.chars()
            .fold(FenceCloser::default(), |closer, char| closer.push(char, fence))
            .end(fence)
    };
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if closes(line) {
            let whole = at + line.len() == rest.len();
            let inner = rest[..at].strip_suffix('\n').unwrap_or(&rest[..at]);
            return whole.then(|| inner.strip_suffix('\r').unwrap_or(inner));
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{FenceCloser, FenceOpener, FenceRun, inside};

    #[test]
    fn what_is_all_one_fence() {
        for (text, inner) in [
            ("```\na\n```", Some("a")),
            ("\n```json\n{}\n\n```  \n", Some("{}\n")),
            ("~~~\r\na\r\n~~~\r\n", Some("a")),
            ("```\n```", Some("")),
            ("````\n```\n````", Some("```")),
            ("```\na\n```\nb", None),
            ("a\n```\nb\n```", None),
            ("```\na", None),
            ("```", None),
            ("a", None),
        ] {
            assert_eq!(inside(text), inner, "{text:?}");
        }
    }

    fn opened(line: &str) -> Option<(char, u16)> {
        let opener = line.chars().fold(FenceOpener::default(), FenceOpener::push);
        opener.end().map(|fence| (char::from(fence.mark), fence.len))
    }

    #[test]
    fn what_opens_a_fence() {
        for (line, fence) in [
            ("```", Some(('`', 3))),
            ("      ~~~~ py `x`", Some(('~', 4))),
            ("- ```sh", Some(('`', 3))),
            ("1. > ```", Some(('`', 3))),
            (">> ```", Some(('`', 3))),
            ("-```", None),
            ("``` `x`", None),
            ("``", None),
            ("x ```", None),
            ("1234567890. ```", None),
        ] {
            assert_eq!(opened(line), fence, "{line:?}");
        }
    }

    #[test]
    fn what_closes_a_fence() {
        let fence = FenceRun { mark: b'`', len: 4 };
        let closes = |line: &str| {
            line.chars()
                .fold(FenceCloser::default(), |closer, char| closer.push(char, fence))
                .end(fence)
        };
        for line in ["````", "  `````  ", "> ````"] {
            assert!(closes(line), "{line:?}");
        }
        for line in ["```", "~~~~", "```` js", "- ````", "```` ````"] {
            assert!(!closes(line), "{line:?}");
        }
    }
}
