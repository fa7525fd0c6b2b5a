//! The format without a payload: everything is text.

mod row;

use super::{Machine, Position, Region};
use crate::error::Error;
use crate::lex::{Input, Slice, Token, TokenKind};
pub(crate) use row::TextRow;

/// The machine of plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextFormat;

impl Machine for TextFormat {
    fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        let (start, end) = (input.pos, input.text().len());
        input.pos = end;
        let text = Slice::input(start, end);
        Ok((start < end).then(|| Token::with(TokenKind::Outside, text, input.offset())))
    }

    fn finish(&mut self, _end: u64) -> Result<Option<Token>, Error> {
        Ok(None)
    }

    fn position(&self) -> Position {
        Position { drained: true, ..Position::at(Region::Outside) }
    }
}
