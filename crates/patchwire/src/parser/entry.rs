//! Ways in: a parser of a spec, and whole texts.

use super::Parser;
use crate::answer::Answer;
use crate::error::Error;
use crate::spec::Spec;

impl Spec {
    /// A parser for one stream.
    #[must_use]
    pub fn parser(&self) -> Parser {
        Parser::new(self.clone())
    }

    /// Reads a whole text: one `feed` and `finish`.
    ///
    /// # Errors
    /// The errors of [`Parser::feed`] and [`Parser::finish`].
    pub fn parse(&self, text: impl AsRef<[u8]>) -> Result<Answer, Error> {
        let mut parser = self.parser();
        parser.read_silently(text.as_ref())?;
        parser.end_silently()
    }
}
