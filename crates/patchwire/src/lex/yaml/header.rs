//! The first line of a block scalar (section 8.1.1), after its `|` or `>`.

use super::is_blank;

/// The treatment of line ends after the text (section 8.1.1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Chomp {
    /// All line ends are dropped.
    Strip,
    /// One line end is kept.
    #[default]
    Clip,
    /// All line ends are kept.
    Keep,
}

/// The indicators of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Indicators {
    pub(crate) folded: bool,
    pub(crate) chomp: Option<Chomp>,
    /// The indent of the text, relative to the enclosing collection.
    pub(crate) indent: Option<u8>,
}

/// The position in a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Indicators,
    Blanks,
    Comment,
}

/// A header, read so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockHeader {
    pub(crate) says: Indicators,
    phase: Phase,
}

impl BlockHeader {
    /// The state after its sign.
    pub(crate) const fn new(folded: bool) -> Self {
        let says = Indicators { folded, chomp: None, indent: None };
        Self { says, phase: Phase::Indicators }
    }

    /// Reads one more character of the line. Returns whether it fits.
    pub(crate) fn push(&mut self, char: char) -> bool {
        let says = &mut self.says;
        match (self.phase, char) {
            (Phase::Comment, _) => {}
            (_, _) if is_blank(char) => self.phase = Phase::Blanks,
            (Phase::Blanks, '#') => self.phase = Phase::Comment,
            (Phase::Indicators, '1'..='9') if says.indent.is_none() => {
                says.indent = char.to_digit(10).map(|digit| digit as u8);
            }
            (Phase::Indicators, '-') if says.chomp.is_none() => says.chomp = Some(Chomp::Strip),
            (Phase::Indicators, '+') if says.chomp.is_none() => says.chomp = Some(Chomp::Keep),
            _ => return false,
        }
        true
    }

    /// Whether the rest of the line can only be a comment.
    pub(crate) fn is_certain(&self) -> bool {
        self.phase == Phase::Comment
    }
}
