//! The state of a document: the place in the line, the scalar that goes on over lines, the open
//! collections.

use super::deferred::Deferred;
use super::emitter::PlainWant;
use crate::lex::Input;
use crate::lex::yaml::{
    BlockHeader, BlockScalar, CoreWord, DocumentMarker, KeyProbe, PlainLines, QuotedScalar,
};

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
    /// Behind `---`.
    Dashes,
    /// At the start of an expected value, or in whitespace before it.
    Node,
    /// At a `-`, `?` or `:` that is an indicator only if whitespace follows. `read` says that it
    /// was read.
    Sign { role: SignRole, read: bool },
    /// In an anchor, a tag or an alias.
    Property,
    /// Behind an alias that has a value.
    Alias,
    /// In a possible key.
    Probe(KeyProbe, SignRole),
    /// In the first line of a block scalar.
    Header(BlockHeader),
    /// In a line of the open scalar.
    Text,
    /// In a possible key after a quoted scalar that was left open.
    QuoteKey,
    /// After a quoted scalar. `blank` says that whitespace follows it.
    Behind { blank: bool },
    /// In ignored text, up to the end of the line.
    Rest,
}

/// A plain scalar that is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlainScalar {
    pub(super) plain: PlainLines,
    pub(super) want: PlainWant,
    /// It may still be no string: its text so far is `text`.
    pub(super) word: Option<CoreWord>,
    pub(super) text: String,
    /// The offset at which it begins, and the offset at which its certain text ends.
    pub(super) start: u64,
    pub(super) end: u64,
}

/// The scalar or kept value that may go on in the next line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum OpenScalar {
    #[default]
    None,
    Plain(PlainScalar),
    Quoted {
        quoted: QuotedScalar,
        /// It was noticed that a line has too little indent.
        noted: bool,
    },
    Block(BlockScalar),
    Deferred(Deferred),
}

/// A value that is expected: behind a key or a dash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Expect {
    /// The offset just past its key, dash or last line.
    pub(super) end: u64,
    /// It may be a mapping or sequence that begins here.
    pub(super) fresh: bool,
    /// The line is that of the key or dash.
    pub(super) same_line: bool,
    /// A tab stands before it on this line.
    pub(super) tab: bool,
}

/// An open mapping or sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Nest {
    pub(super) list: bool,
    pub(super) column: u64,
}

/// Held text that turned out to be something else, and is read again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct YamlHeldText {
    text: String,
    at: usize,
    /// Where it ends in the stream.
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

/// A document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct YamlDocument {
    pub(super) at: LinePlace,
    /// The held text of the line, and the offset at which it begins.
    pub(super) held: String,
    pub(super) start: u64,
    pub(super) again: YamlHeldText,
    /// The last line ended with a carriage return: a line feed belongs to it.
    pub(super) cr: bool,
    /// Where the line begins in the stream.
    pub(super) line: u64,
    /// The number of leading spaces, and of whitespace characters from the first tab on.
    pub(super) spaces: u64,
    pub(super) tabs: u64,
    pub(super) scalar: OpenScalar,
    pub(super) expect: Option<Expect>,
    pub(super) nests: Vec<Nest>,
    /// It stands between markers; in a fence.
    pub(super) marked: bool,
    pub(super) fenced: bool,
    /// Something that is no comment came.
    pub(super) begun: bool,
    /// Anchors and tags are left out: the library refused the value that they belong to.
    pub(super) without_properties: bool,
    /// The document ended, and text up to the last marker is ignored. The value says whether that
    /// was noticed.
    pub(super) over: Option<bool>,
}

impl YamlDocument {
    /// The line behind the one that begins it.
    pub(super) fn begin(&mut self, marked: bool) {
        *self = Self { at: LinePlace::Rest, marked, fenced: !marked, ..Self::default() };
    }

    /// The column at which the line's text begins.
    pub(super) const fn column(&self) -> u64 {
        self.spaces + self.tabs
    }

    /// The column of the innermost open collection.
    pub(super) fn parent(&self) -> Option<u64> {
        self.nests.last().map(|nest| nest.column)
    }
}
