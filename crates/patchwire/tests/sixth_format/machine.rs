//! The machine of the sixth format.

use patchwire::Error;
use patchwire::internals::{Input, Machine, Position, Region, Slice, Token, TokenKind};

/// Lines of `key: value`, read as an object of strings.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Lines {
    at: At,
    key: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum At {
    #[default]
    Start,
    Key,
    Opening,
    Value,
    Ended,
}

impl Lines {
    fn move_to(&mut self, at: At, what: TokenKind, end: u64) -> Option<Token> {
        self.at = at;
        Some(Token::new(what, end))
    }

    fn key_token(&self, end: u64) -> Token {
        let end_of_key = u32::try_from(self.key.len()).unwrap();
        Token::with(TokenKind::Key, Slice::Buffer { start: 0, end: end_of_key }, end)
    }
}

impl Machine for Lines {
    fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        while let Some(char) = input.peek_char() {
            let (start, offset) = (input.pos, input.offset());
            if self.at == At::Start {
                return Ok(self.move_to(At::Key, TokenKind::ObjectOpen, offset));
            }
            if self.at == At::Opening {
                self.key.clear();
                return Ok(self.move_to(At::Value, TokenKind::StringOpen, offset));
            }
            input.pos += char.len_utf8();
            match (self.at, char) {
                (At::Key, ':') => {
                    self.at = At::Opening;
                    return Ok(Some(self.key_token(input.offset())));
                }
                (At::Key, '\n') => self.key.clear(),
                (At::Key, _) => self.key.push(char),
                (_, '\n') => {
                    return Ok(self.move_to(At::Key, TokenKind::StringClose, input.offset()));
                }
                _ => {
                    let slice = Slice::Input { start: start as u32, end: input.pos as u32 };
                    return Ok(Some(Token::with(TokenKind::StringText, slice, input.offset())));
                }
            }
        }
        Ok(None)
    }

    fn finish(&mut self, end: u64) -> Result<Option<Token>, Error> {
        Ok(match self.at {
            At::Start | At::Ended => None,
            At::Value => self.move_to(At::Key, TokenKind::StringClose, end),
            At::Key | At::Opening => self.move_to(At::Ended, TokenKind::Close, end),
        })
    }

    fn buffer(&self) -> &str {
        &self.key
    }

    fn position(&self) -> Position {
        Position::at(if self.at == At::Value { Region::Payload } else { Region::Outside })
    }
}
