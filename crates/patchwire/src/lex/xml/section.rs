//! Comments and `CDATA` sections: everything is theirs up to three characters.

use crate::held::{Held, HeldBy};
use crate::lex::{Input, Slice};

/// An open comment or section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Section {
    /// A comment, which ends with `-->`; the other ends with `]]>`.
    pub(super) comment: bool,
    /// Marks of the end that were read: at most two.
    marks: u8,
}

/// What was read of it.
pub(super) enum Piece {
    Nothing,
    Text(Slice),
    End,
}

impl Section {
    pub(super) const fn new(comment: bool) -> Self {
        Self { comment, marks: 0 }
    }

    const fn mark(self) -> u8 {
        if self.comment { b'-' } else { b']' }
    }

    /// Reads on, not beyond what is one piece.
    pub(super) fn read(&mut self, input: &mut Input<'_>, out: &mut String) -> Piece {
        let mark = self.mark();
        match (self.marks, input.peek()) {
            (_, None) => Piece::Nothing,
            (2, Some(b'>')) => {
                input.pos += 1;
                Piece::End
            }
            (0, Some(byte)) if byte != mark => {
                let start = input.pos;
                let bytes = input.bytes();
                let len = memchr::memchr(mark, bytes).unwrap_or(bytes.len());
                input.pos += len;
                Piece::Text(Slice::input(start, input.pos))
            }
            (2, Some(byte)) if byte == mark => {
                // The first of three is text.
                input.pos += 1;
                let from = out.len();
                out.push(char::from(mark));
                Piece::Text(Slice::buffer(from, out.len()))
            }
            (_, Some(byte)) if byte == mark => {
                input.pos += 1;
                self.marks += 1;
                Piece::Nothing
            }
            _ => self.flush(out).map_or(Piece::Nothing, Piece::Text),
        }
    }

    /// Marks that ended nothing are text.
    pub(super) fn flush(&mut self, out: &mut String) -> Option<Slice> {
        let marks = core::mem::take(&mut self.marks);
        let from = out.len();
        out.extend((0..marks).map(|_| char::from(self.mark())));
        (marks > 0).then(|| Slice::buffer(from, out.len()))
    }

    pub(super) fn held(self, end: u64) -> Option<Held> {
        let marks = vec![self.mark(); usize::from(self.marks)];
        (self.marks > 0).then(|| Held::up_to(HeldBy::XmlSection, end, marks))
    }
}
