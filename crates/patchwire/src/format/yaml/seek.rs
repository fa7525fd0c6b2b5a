//! The text round a document, and the line that begins one.

use super::{Stage, YamlFormat};
use crate::codes::{Code, SkipReason};
use crate::format::fields::Out;
use crate::lex::yaml::{Boundary, Marker, Scope, Step, is_blank};
use crate::lex::{Input, Slice, Token, TokenKind};
use crate::span::Span;

pub(super) const BOM: char = '\u{FEFF}';
/// Bytes of a line that may begin or end a document, before it is known whether it does.
pub(super) const LONGEST_MARKER: usize = 1 << 10;

/// The position in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum At {
    /// Nothing but blanks came.
    #[default]
    Start,
    Candidate(Marker),
    /// It begins no document.
    Text,
}

/// The text before a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Seek {
    at: At,
    /// What may be the line that begins a document.
    held: String,
}

/// What a character does.
enum Next {
    Hold(At),
    /// What is held is text; the character is read again.
    Text,
    /// The line begins a document; whether between markers.
    Begin {
        marked: bool,
    },
}

impl Seek {
    /// What may be the line that begins a document.
    pub(super) fn held(&self) -> &str {
        &self.held
    }

    /// What is held is text up to there.
    pub(super) fn flush(&mut self, end: u64, out: &mut Out) {
        self.at = At::Start;
        if !self.held.is_empty() {
            out.push_text(TokenKind::Outside, &self.held, end);
            self.held.clear();
        }
    }

    /// The next character; none at the end of the line.
    fn next(&self, char: Option<char>, name: &str) -> Next {
        let scope = Scope {
            begin: true,
            end: false,
            dashes: false,
            fence_open: true,
            fence_close: false,
            name,
        };
        match (self.at, char) {
            _ if self.held.len() >= LONGEST_MARKER => Next::Text,
            (At::Start, Some(char)) if is_blank(char) => Next::Hold(At::Start),
            (At::Start, Some(char)) => match Marker::begin(char, self.held.is_empty(), &scope) {
                Some(marker) => Next::Hold(At::Candidate(marker)),
                None => Next::Text,
            },
            (At::Candidate(marker), _) => match marker.push(char, &scope) {
                Step::More(marker) => Next::Hold(At::Candidate(marker)),
                Step::Whole(boundary, _) => Next::Begin { marked: boundary == Boundary::Begin },
                Step::Refuted => Next::Text,
            },
            (At::Start | At::Text, _) => Next::Text,
        }
    }
}

impl YamlFormat {
    /// Reads on in the text before a document.
    pub(super) fn seek(&mut self, input: &mut Input<'_>) {
        let Stage::Seek(seek) = &mut self.stage else { return };
        let out = &mut self.teller.out;
        while seek.at != At::Text {
            let Some(char) = input.peek_char() else { return };
            if char == BOM && input.offset() == 0 {
                let end = input.offset() + BOM.len_utf8() as u64;
                input.pos += BOM.len_utf8();
                out.notice(Code::Bom, Span::new(0, end));
                return out.push(TokenKind::Skipped(SkipReason::Bom), end);
            }
            match seek.next((!matches!(char, '\n' | '\r')).then_some(char), &self.name) {
                Next::Hold(at) => {
                    seek.at = at;
                    seek.held.push(char);
                    input.pos += char.len_utf8();
                }
                Next::Text => {
                    seek.flush(input.offset(), out);
                    seek.at = At::Text;
                }
                Next::Begin { marked } => {
                    self.stage = Stage::Inside;
                    self.document.begin(marked);
                    return;
                }
            }
        }
        let bytes = input.bytes();
        let line = memchr::memchr2(b'\n', b'\r', bytes);
        let start = input.pos;
        input.pos += line.map_or(bytes.len(), |at| at + 1);
        if line.is_some() {
            seek.at = At::Start;
        }
        out.token(Token::with(TokenKind::Outside, Slice::input(start, input.pos), input.offset()));
    }
}

/// All that is left is text.
pub(super) fn pass(input: &mut Input<'_>, out: &mut Out) {
    let start = input.pos;
    input.pos = input.text().len();
    out.token(Token::with(TokenKind::Outside, Slice::input(start, input.pos), input.offset()));
}
