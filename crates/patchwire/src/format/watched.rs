//! A format that writes down what it emits, for those who debug one. It costs nothing where nobody
//! watches.

use super::Format;
use crate::error::Error;
use crate::lex::{Input, Token};

/// A token that was made, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Seen {
    /// The token.
    pub token: Token,
    /// What it names.
    pub text: String,
}

/// A format and the tokens it made.
#[derive(Debug, Clone)]
pub(crate) struct Watched {
    pub(super) format: Format,
    pub(super) seen: Vec<Seen>,
}

impl Watched {
    pub(super) fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        let token = self.format.step(input)?;
        Ok(self.see(token, input.text()))
    }

    pub(super) fn finish(&mut self, end: u64) -> Result<Option<Token>, Error> {
        let token = self.format.finish(end)?;
        Ok(self.see(token, ""))
    }

    pub(super) fn interrupt(&mut self, end: u64) -> Option<Token> {
        let token = self.format.interrupt(end);
        self.see(token, "")
    }

    fn see(&mut self, token: Option<Token>, input: &str) -> Option<Token> {
        let token = token?;
        let text = self.format.resolve(token.text, input).to_owned();
        self.seen.push(Seen { token, text });
        Some(token)
    }
}
