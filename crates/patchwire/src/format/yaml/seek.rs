//! The text around a document, and the line that begins a document.

use super::line::is_line_end;
use super::state::YamlDocument;
use crate::codes::{Code, SkipReason};
use crate::format::fields::PendingTokens;
use crate::lex::yaml::{DocumentBoundary, DocumentMarker, MarkerScope, MarkerStep, is_blank};
use crate::lex::{Input, Slice, Token, TokenKind};
use crate::span::Span;

pub(super) use crate::text::BOM;
/// The longest line that is held as a possible boundary of a document, in bytes.
pub(super) const LONGEST_MARKER: usize = 1 << 10;

/// The position in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum SeekPlace {
    /// In leading whitespace.
    #[default]
    Start,
    Candidate(DocumentMarker),
    /// The line begins no document.
    Text,
}

/// The text before a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Seek {
    at: SeekPlace,
    /// The held start of a possible boundary line.
    held: String,
}

/// The effect of one character.
enum SeekStep {
    Hold(SeekPlace),
    /// The held text is no boundary. The character is read again.
    Text,
    /// The line begins a document; the flag tells whether between markers.
    Begin {
        marked: bool,
    },
}

impl Seek {
    /// The held start of a possible boundary line.
    pub(super) fn held(&self) -> &str {
        &self.held
    }

    /// Emits the held text as text outside the document.
    pub(super) fn flush(&mut self, end: u64, out: &mut PendingTokens) {
        self.at = SeekPlace::Start;
        if !self.held.is_empty() {
            out.push_text(TokenKind::Outside, &self.held, end);
            self.held.clear();
        }
    }

    /// Reads the next character; none at the end of the line.
    fn next(&self, char: Option<char>, names: &[String]) -> SeekStep {
        let scope = MarkerScope {
            begin: true,
            end: false,
            dashes: false,
            fence_open: true,
            fence_close: false,
            names,
        };
        match (self.at, char) {
            _ if self.held.len() >= LONGEST_MARKER => SeekStep::Text,
            (SeekPlace::Start, Some(char)) if is_blank(char) => SeekStep::Hold(SeekPlace::Start),
            (SeekPlace::Start, Some(char)) => {
                match DocumentMarker::begin(char, self.held.is_empty(), &scope) {
                    Some(marker) => SeekStep::Hold(SeekPlace::Candidate(marker)),
                    None => SeekStep::Text,
                }
            }
            (SeekPlace::Candidate(marker), _) => match marker.push(char, &scope) {
                MarkerStep::More(marker) => SeekStep::Hold(SeekPlace::Candidate(marker)),
                MarkerStep::Whole(boundary, _) => {
                    SeekStep::Begin { marked: boundary == DocumentBoundary::Begin }
                }
                MarkerStep::Refuted => SeekStep::Text,
            },
            (SeekPlace::Start | SeekPlace::Text, _) => SeekStep::Text,
        }
    }

    /// Reads text before a document. Returns how the document begins, if the line begins one.
    pub(super) fn read(
        &mut self,
        input: &mut Input<'_>,
        names: &[String],
        out: &mut PendingTokens,
    ) -> Option<YamlDocument> {
        while self.at != SeekPlace::Text {
            let char = input.peek_char()?;
            if char == BOM && input.offset() == 0 {
                let end = input.offset() + BOM.len_utf8() as u64;
                input.pos += BOM.len_utf8();
                out.notice(Code::Bom, Span::new(0, end));
                out.push(TokenKind::Skipped(SkipReason::Bom), end);
                return None;
            }
            match self.next((!is_line_end(char)).then_some(char), names) {
                SeekStep::Hold(at) => {
                    self.at = at;
                    self.held.push(char);
                    input.pos += char.len_utf8();
                }
                SeekStep::Text => {
                    self.flush(input.offset(), out);
                    self.at = SeekPlace::Text;
                }
                SeekStep::Begin { marked } => return Some(YamlDocument::new(marked)),
            }
        }
        let bytes = input.bytes();
        let line = memchr::memchr2(b'\n', b'\r', bytes);
        let start = input.pos;
        input.pos += line.map_or(bytes.len(), |at| at + 1);
        if line.is_some() {
            self.at = SeekPlace::Start;
        }
        out.token(Token::with(TokenKind::Outside, Slice::input(start, input.pos), input.offset()));
        None
    }
}

/// Emits the rest of the input as text.
pub(super) fn pass(input: &mut Input<'_>, out: &mut PendingTokens) {
    let start = input.pos;
    input.pos = input.text().len();
    out.token(Token::with(TokenKind::Outside, Slice::input(start, input.pos), input.offset()));
}
