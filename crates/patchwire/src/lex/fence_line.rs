//! Lines that open and close code fences, read a character at a time.
//!
//! More openers than in CommonMark 0.31, section 4.5, are openers here: at any indent, and behind the
//! marks of lists and quotes. Otherwise only the *closing* line of such a fence would be seen, and open
//! a fence that swallows the rest of the text.

/// An open fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fence {
    pub(crate) mark: u8,
    pub(crate) len: u16,
}

/// A line that may open a fence, so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Opener {
    /// Blanks, and marks of lists and quotes.
    #[default]
    Start,
    /// So many digits.
    Digits(u8),
    /// A mark that a blank must follow.
    Mark,
    /// A quote's mark, which another may follow.
    Quote,
    Run(Fence),
    Info(Fence),
    /// It opens none.
    Other,
}

impl Opener {
    /// One more character of the line.
    #[must_use]
    pub(crate) const fn push(self, char: char) -> Self {
        match (self, char) {
            (Self::Start | Self::Mark | Self::Quote, ' ' | '\t') => Self::Start,
            (Self::Start, '`') => Self::Run(Fence { mark: b'`', len: 1 }),
            (Self::Start, '~') => Self::Run(Fence { mark: b'~', len: 1 }),
            (Self::Start | Self::Quote, '>') => Self::Quote,
            (Self::Start, '-' | '*' | '+') => Self::Mark,
            (Self::Start, '0'..='9') => Self::Digits(1),
            (Self::Digits(n @ 1..=8), '0'..='9') => Self::Digits(n + 1),
            (Self::Digits(_), '.' | ')') => Self::Mark,
            (Self::Mark, '>') => Self::Quote,
            (Self::Run(fence), _) if char == fence.mark as char => {
                Self::Run(Fence { len: fence.len.saturating_add(1), ..fence })
            }
            (Self::Run(fence), '`') | (Self::Info(fence), '`') if fence.mark == b'`' => Self::Other,
            (Self::Run(fence), _) if fence.len >= 3 => Self::Info(fence),
            (Self::Info(fence), _) => Self::Info(fence),
            _ => Self::Other,
        }
    }

    /// The line ended: the fence it opens.
    pub(crate) const fn end(self) -> Option<Fence> {
        match self {
            Self::Run(fence) if fence.len >= 3 => Some(fence),
            Self::Info(fence) => Some(fence),
            _ => None,
        }
    }
}

/// A line that may close a fence, so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Closer {
    /// Blanks, and marks of quotes.
    #[default]
    Start,
    /// So many of the fence's marks.
    Run(u16),
    /// Behind them, only blanks.
    Closed,
    /// It closes nothing.
    Other,
}

impl Closer {
    /// One more character of the line.
    #[must_use]
    pub(crate) const fn push(self, char: char, fence: Fence) -> Self {
        match (self, char) {
            (Self::Start, ' ' | '\t' | '>') => Self::Start,
            (Self::Start, _) if char == fence.mark as char => Self::Run(1),
            (Self::Run(len), _) if char == fence.mark as char => Self::Run(len.saturating_add(1)),
            (Self::Run(len), ' ' | '\t') if len >= fence.len => Self::Closed,
            (Self::Closed, ' ' | '\t') => Self::Closed,
            _ => Self::Other,
        }
    }

    /// The line ended: whether it closes the fence.
    pub(crate) const fn end(self, fence: Fence) -> bool {
        match self {
            Self::Run(len) => len >= fence.len,
            Self::Closed => true,
            _ => false,
        }
    }
}

/// What stands in a fence that is all of a text, blanks aside: none if the text is anything else.
pub(crate) fn inside(text: &str) -> Option<&str> {
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    let (first, rest) = text.split_once('\n')?;
    let fence = first.trim_end_matches('\r').chars().fold(Opener::default(), Opener::push).end()?;
    let closes = |line: &str| {
        let line = line.trim_end_matches(['\r', '\n']);
        line.chars().fold(Closer::default(), |closer, char| closer.push(char, fence)).end(fence)
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
    use super::{Closer, Fence, Opener, inside};

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
        let opener = line.chars().fold(Opener::default(), Opener::push);
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
        let fence = Fence { mark: b'`', len: 4 };
        let closes = |line: &str| {
            line.chars().fold(Closer::default(), |closer, char| closer.push(char, fence)).end(fence)
        };
        for line in ["````", "  `````  ", "> ````"] {
            assert!(closes(line), "{line:?}");
        }
        for line in ["```", "~~~~", "```` js", "- ````", "```` ````"] {
            assert!(!closes(line), "{line:?}");
        }
    }
}
