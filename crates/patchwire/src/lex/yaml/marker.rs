//! The lines that begin and end a document, read character by character.
//!
//! ```text
//! <<<BEGIN name>>>   <<<END name>>>   at any indent; letters of either case
//! ---   ...   ```yaml   ```           in the first column
//! ```

use super::is_blank;

/// The kind of a boundary line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentBoundary {
    /// `<<<BEGIN name>>>`, alone on its line.
    Begin,
    /// `<<<END name>>>`, whatever follows.
    End,
    /// `---`, before whitespace or the end of the line.
    Start,
    /// `...`, likewise.
    Stop,
    /// The opening line of a code fence of YAML.
    FenceOpen,
    /// Three backticks, before whitespace or the end of the line.
    FenceClose,
}

/// The boundaries that count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MarkerScope<'s> {
    pub(crate) begin: bool,
    pub(crate) end: bool,
    pub(crate) dashes: bool,
    pub(crate) fence_open: bool,
    pub(crate) fence_close: bool,
    /// The names that the markers may have.
    pub(crate) names: &'s [String],
}

impl MarkerScope<'_> {
    fn name(&self, which: u8) -> &str {
        self.names.get(usize::from(which)).map_or("", String::as_str)
    }
}

/// The part of a name that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct NameRead {
    /// The first of the names that fits so far.
    which: u8,
    /// Its bytes that were read.
    len: u16,
}

/// The effect of a character on a possible boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MarkerStep {
    More(DocumentMarker),
    /// The boundary is complete. The flag: whether the character belongs to it.
    Whole(DocumentBoundary, bool),
    Refuted,
}

/// The start of a possible boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentMarker {
    /// In `<<<`, after this number of characters.
    Less(u8),
    /// After `<<<`, or after whitespace that follows.
    Open,
    /// In the word.
    Word { begin: bool, len: u8 },
    /// After whitespace that follows the word.
    Gap { begin: bool },
    /// In the name.
    Name { begin: bool, read: NameRead },
    /// After whitespace that follows the name.
    Close { begin: bool },
    /// After this many characters of `>>>`.
    Greater { begin: bool, len: u8 },
    /// After `<<<BEGIN name>>>`.
    Rest,
    /// After this many characters of `---` or `...`.
    Run { start: bool, len: u8 },
    /// After this many backticks.
    Ticks(u8),
    /// In the word after the backticks: `yaml`, or `yml`.
    Info { short: bool, len: u8 },
}

impl DocumentMarker {
    /// The boundary that the first visible character of a line may begin. The flag: whether it is in the
    /// first column.
    pub(crate) const fn begin(
        first: char,
        at_start: bool,
        scope: &MarkerScope<'_>,
    ) -> Option<Self> {
        match first {
            '<' if scope.begin || scope.end => Some(Self::Less(1)),
            '-' | '.' if at_start && scope.dashes => {
                Some(Self::Run { start: first == '-', len: 1 })
            }
            '`' if at_start && (scope.fence_open || scope.fence_close) => Some(Self::Ticks(1)),
            _ => None,
        }
    }

    /// Reads the next character; none at the end of the line.
    pub(crate) fn push(self, char: Option<char>, scope: &MarkerScope<'_>) -> MarkerStep {
        let Some(char) = char else { return self.end_line(scope) };
        let blank = is_blank(char);
        match self {
            Self::Less(len @ 1..=2) if char == '<' => {
                MarkerStep::More(if len == 2 { Self::Open } else { Self::Less(2) })
            }
            Self::Open if blank => MarkerStep::More(self),
            Self::Open if scope.begin && char.eq_ignore_ascii_case(&'b') => {
                MarkerStep::More(Self::Word { begin: true, len: 1 })
            }
            Self::Open if scope.end && char.eq_ignore_ascii_case(&'e') => {
                MarkerStep::More(Self::Word { begin: false, len: 1 })
            }
            Self::Word { begin, len } => word(begin, len, char),
            Self::Gap { .. } if blank => MarkerStep::More(self),
            Self::Gap { begin } => name(begin, NameRead::default(), char, scope),
            Self::Name { begin, read } if usize::from(read.len) < scope.name(read.which).len() => {
                name(begin, read, char, scope)
            }
            Self::Name { begin, .. } | Self::Close { begin } if blank => {
                MarkerStep::More(Self::Close { begin })
            }
            Self::Name { begin, .. } | Self::Close { begin } if char == '>' => {
                MarkerStep::More(Self::Greater { begin, len: 1 })
            }
            Self::Greater { begin, len: 1 } if char == '>' => {
                MarkerStep::More(Self::Greater { begin, len: 2 })
            }
            Self::Greater { begin: true, len: 2 } if char == '>' => MarkerStep::More(Self::Rest),
            Self::Greater { begin: false, .. } if char == '>' => {
                MarkerStep::Whole(DocumentBoundary::End, true)
            }
            Self::Rest if blank => MarkerStep::More(self),
            Self::Run { start, len: 3 } if blank => MarkerStep::Whole(run(start), false),
            Self::Run { start, len: len @ 1..=2 } if char == if start { '-' } else { '.' } => {
                MarkerStep::More(Self::Run { start, len: len + 1 })
            }
            Self::Ticks(len @ 1..=2) if char == '`' => MarkerStep::More(Self::Ticks(len + 1)),
            Self::Ticks(3) if blank && scope.fence_close => {
                MarkerStep::Whole(DocumentBoundary::FenceClose, false)
            }
            Self::Ticks(3) if scope.fence_open && char.eq_ignore_ascii_case(&'y') => {
                MarkerStep::More(Self::Info { short: false, len: 1 })
            }
            Self::Info { short, len } => info(short, len, char),
            _ => MarkerStep::Refuted,
        }
    }

    /// Whether the text so far may also be an item or a scalar: dashes, or dots.
    pub(crate) const fn is_run(self) -> bool {
        matches!(self, Self::Run { .. })
    }

    const fn end_line(self, scope: &MarkerScope<'_>) -> MarkerStep {
        match self {
            Self::Rest => MarkerStep::Whole(DocumentBoundary::Begin, false),
            Self::Run { start, len: 3 } => MarkerStep::Whole(run(start), false),
            Self::Ticks(3) if scope.fence_close => {
                MarkerStep::Whole(DocumentBoundary::FenceClose, false)
            }
            Self::Info { len: 4.., .. } | Self::Info { short: true, len: 3 } => {
                MarkerStep::Whole(DocumentBoundary::FenceOpen, false)
            }
            _ => MarkerStep::Refuted,
        }
    }
}

const fn run(start: bool) -> DocumentBoundary {
    if start { DocumentBoundary::Start } else { DocumentBoundary::Stop }
}

fn word(begin: bool, len: u8, char: char) -> MarkerStep {
    let word: &[u8] = if begin { b"BEGIN" } else { b"END" };
    match word.get(usize::from(len)) {
        Some(byte) if char.eq_ignore_ascii_case(&char::from(*byte)) => {
            MarkerStep::More(DocumentMarker::Word { begin, len: len + 1 })
        }
        None if is_blank(char) => MarkerStep::More(DocumentMarker::Gap { begin }),
        _ => MarkerStep::Refuted,
    }
}

/// The next character of a name. Names may share a start: the first that fits is kept.
fn name(begin: bool, read: NameRead, char: char, scope: &MarkerScope<'_>) -> MarkerStep {
    let so_far = scope.name(read.which).get(..usize::from(read.len)).unwrap_or_default();
    for which in read.which..u8::try_from(scope.names.len()).unwrap_or(u8::MAX) {
        let Some((start, rest)) = scope.name(which).split_at_checked(so_far.len()) else {
            continue;
        };
        let next = rest.chars().next().filter(|next| next.eq_ignore_ascii_case(&char));
        if let Some(next) = next.filter(|_| start.eq_ignore_ascii_case(so_far)) {
            let len = read.len + next.len_utf8() as u16;
            return MarkerStep::More(DocumentMarker::Name { begin, read: NameRead { which, len } });
        }
    }
    MarkerStep::Refuted
}

/// After the backticks: the word, and then whitespace.
fn info(short: bool, len: u8, char: char) -> MarkerStep {
    const BLANKS: u8 = 9;
    let more = |short, len| MarkerStep::More(DocumentMarker::Info { short, len });
    match (short, len, char.to_ascii_lowercase()) {
        (false, 1, 'm') => more(true, 2),
        (true, 2, 'l') => more(true, 3),
        (false, 1, 'a') => more(false, 2),
        (false, 2, 'm') => more(false, 3),
        (false, 3, 'l') => more(false, 4),
        (true, 3, _) | (_, 4.., _) if is_blank(char) => more(short, BLANKS),
        _ => MarkerStep::Refuted,
    }
}

#[cfg(test)]
mod tests {
    use super::{DocumentBoundary, DocumentMarker, MarkerScope, MarkerStep};

    /// The boundary in a line, and its length in characters.
    fn found(line: &str) -> Option<(DocumentBoundary, usize)> {
        let names = ["DOC".to_owned(), "DATA".to_owned()];
        let scope = MarkerScope {
            begin: true,
            end: true,
            dashes: true,
            fence_open: true,
            fence_close: true,
            names: &names,
        };
        let mut chars = line.chars();
        let mut marker = DocumentMarker::begin(chars.next()?, true, &scope)?;
        for (at, char) in chars.map(Some).chain([None]).enumerate() {
            match marker.push(char, &scope) {
                MarkerStep::More(more) => marker = more,
                MarkerStep::Whole(boundary, own) => {
                    return Some((boundary, at + 1 + usize::from(own)));
                }
                MarkerStep::Refuted => return None,
            }
        }
        None
    }

    #[test]
    fn lines_that_bound_a_document() {
        for (line, is) in [
            ("<<<BEGIN DOC>>>", Some((DocumentBoundary::Begin, 15))),
            ("<<< begin\tdoc >>> ", Some((DocumentBoundary::Begin, 18))),
            ("<<<BEGIN DOC>>> x", None),
            ("<<<BEGINDOC>>>", None),
            ("<<<BEGIN DOCS>>>", None),
            ("<<<BEGIN data>>>", Some((DocumentBoundary::Begin, 16))),
            ("<<<BEGIN DATC>>>", None),
            ("<<<END DOC>>> x", Some((DocumentBoundary::End, 13))),
            ("<<END DOC>>>", None),
            ("<<<END DOC>>", None),
            ("---", Some((DocumentBoundary::Start, 3))),
            ("--- x", Some((DocumentBoundary::Start, 3))),
            ("---x", None),
            ("----", None),
            ("...", Some((DocumentBoundary::Stop, 3))),
            ("..-", None),
            ("```", Some((DocumentBoundary::FenceClose, 3))),
            ("``` ", Some((DocumentBoundary::FenceClose, 3))),
            ("````", None),
            ("```yaml", Some((DocumentBoundary::FenceOpen, 7))),
            ("```yml  ", Some((DocumentBoundary::FenceOpen, 8))),
            ("```YML", Some((DocumentBoundary::FenceOpen, 6))),
            ("```yaml x", None),
            ("```yamls", None),
            ("```ya", None),
        ] {
            assert_eq!(found(line), is, "{line:?}");
        }
    }
}
