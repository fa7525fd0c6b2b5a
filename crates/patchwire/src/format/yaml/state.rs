//! The state of a document: the position in the line, the held text, the scalar that continues over lines,
//! the open collections.

use super::frame::DocumentFrame;
use super::line::YamlLine;
use super::nests::{Expect, Nests};
use super::scalars::OpenScalar;
use crate::lex::Input;
use crate::lex::yaml::{BlockHeader, DocumentMarker, KeyProbe};

/// The construct that a possible key or indicator belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SignRole {
    /// An entry of a mapping or sequence that is open.
    Entry,
    /// The first key of the document.
    Root,
    /// The value that is expected.
    Node,
    /// A kept value, or the entry after it.
    Kept,
}

/// The position in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum LinePlace {
    /// In leading whitespace.
    #[default]
    Lead,
    /// In a possible boundary of the document.
    Candidate(DocumentMarker),
    /// After `---`.
    Dashes,
    /// At the start of an expected value, or in whitespace before it.
    Node,
    /// At a `-`, `?` or `:`, which is an indicator only if whitespace follows. `read`: whether it was read.
    Sign { role: SignRole, read: bool },
    /// In an anchor, a tag or an alias.
    Property,
    /// After an alias that has a value.
    Alias,
    /// In a possible key.
    Probe(KeyProbe, SignRole),
    /// In the first line of a block scalar.
    Header(BlockHeader),
    /// In a line of the open scalar.
    Text,
    /// In a possible key after a quoted scalar that was left open.
    QuoteKey,
    /// After a quoted scalar. `blank`: whether whitespace follows it.
    Behind { blank: bool },
    /// In ignored text, up to the end of the line.
    Rest,
}

/// Held text that turned out to be something else, and is read again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct YamlHeldText {
    text: String,
    at: usize,
    /// Its end in the stream.
    end: u64,
}

impl YamlHeldText {
    pub(super) fn new(text: String, end: u64) -> Self {
        Self { text, at: 0, end }
    }

    pub(super) const fn is_done(&self) -> bool {
        self.at >= self.text.len()
    }

    pub(super) fn input(&self) -> Input<'_> {
        let mut input = Input::new(&self.text, self.end.saturating_sub(self.text.len() as u64));
        input.pos = self.at;
        input
    }

    /// Appends the unread rest of `other`.
    pub(super) fn append(&mut self, other: &Self, read: usize) {
        if read >= other.text.len() {
            return;
        }
        self.text.push_str(&other.text[read..]);
        self.end = other.end;
    }
}

/// The undecided text of a line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct HeldLine {
    pub(super) text: String,
    /// The offset at which it begins.
    pub(super) start: u64,
    /// Text that was held before and is read again.
    pub(super) again: YamlHeldText,
}

impl HeldLine {
    /// Replaces the held text by this character.
    pub(super) fn begin(&mut self, char: char) {
        self.text.clear();
        self.text.push(char);
    }

    /// The first character.
    pub(super) fn first(&self) -> Option<char> {
        self.text.chars().next()
    }

    /// The text, which ends at this offset, is something else: it is read again.
    pub(super) fn read_again(&mut self, end: u64) {
        self.again = YamlHeldText::new(core::mem::take(&mut self.text), end);
    }
}

/// A document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct YamlDocument {
    pub(super) at: LinePlace,
    pub(super) line: YamlLine,
    pub(super) held: HeldLine,
    pub(super) scalar: OpenScalar,
    pub(super) nests: Nests,
    pub(super) frame: DocumentFrame,
    /// Anchors and tags are left out: the library refused the value that they belong to.
    pub(super) without_properties: bool,
}

impl YamlDocument {
    /// A document that begins on the next line.
    pub(super) fn new(marked: bool) -> Self {
        Self { at: LinePlace::Rest, frame: DocumentFrame::new(marked), ..Self::default() }
    }

    /// A document in which the text behind an anchor or a tag is read. It begins at the expected value, on a
    /// line with this offset.
    pub(super) fn without_property(&self, line: u64, expect: Expect) -> Self {
        let nests = Nests { open: self.nests.open.clone(), expect: Some(expect) };
        let frame = DocumentFrame::of_part();
        let (at, line) = (LinePlace::Node, YamlLine::at(line));
        Self { at, line, nests, frame, without_properties: true, ..Self::default() }
    }

    /// The column of the held text.
    pub(super) const fn held_column(&self) -> u64 {
        self.line.column_of(self.held.start)
    }
}
