//! Comments and `CDATA` sections, up to their end of three characters.

use crate::held::{Held, HeldBy};
use crate::lex::{Input, Slice};

/// An open comment or section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct XmlSection {
    /// Whether it is a comment, which ends with `-->`. A `CDATA` section ends with `]]>`.
    pub(super) comment: bool,
    /// How many marks of the end were read, at most two.
    marks: u8,
}

/// A part of a section.
pub(super) enum SectionPart {
    Nothing,
    Text(Slice),
    End,
}

impl XmlSection {
    pub(super) const fn new(comment: bool) -> Self {
        Self { comment, marks: 0 }
    }

    const fn mark(self) -> u8 {
        if self.comment { b'-' } else { b']' }
    }

    /// Reads the next part.
    pub(super) fn read(&mut self, input: &mut Input<'_>, out: &mut String) -> SectionPart {
        let mark = self.mark();
        match (self.marks, input.peek()) {
            (_, None) => SectionPart::Nothing,
            (2, Some(b'>')) => {
                input.pos += 1;
                SectionPart::End
            }
            (0, Some(byte)) if byte != mark => {
                let start = input.pos;
                let bytes = input.bytes();
                let len = memchr::memchr(mark, bytes).unwrap_or(bytes.len());
                input.pos += len;
                SectionPart::Text(Slice::input(start, input.pos))
            }
            (2, Some(byte)) if byte == mark => {
                // The first of three is text.
                input.pos += 1;
                let from = out.len();
                out.push(char::from(mark));
                SectionPart::Text(Slice::buffer(from, out.len()))
            }
            (_, Some(byte)) if byte == mark => {
                input.pos += 1;
                self.marks += 1;
                SectionPart::Nothing
            }
            _ => self.flush(out).map_or(SectionPart::Nothing, SectionPart::Text),
        }
    }

    /// Turns marks that ended nothing into text.
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
