//! Ways in: a parser of a spec, and whole texts.

use super::Parser;
use crate::answer::Answer;
use crate::error::Error;
use crate::schema::{Schema, SchemaError, SchemaErrorKind};
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
        parser.feed(text, |_| {})?;
        parser.finish(|_| {})
    }
}

/// The text of a schema is read with the engine's own parser: it keeps the order of fields.
impl Schema {
    /// Reads a JSON Schema from text, like [`from_json_schema`](Self::from_json_schema) from a value. The
    /// text has to be strict JSON.
    ///
    /// ```
    /// use patchwire::Schema;
    /// use patchwire::schema::{list, object, str};
    ///
    /// let schema = Schema::from_json_schema_text(
    ///     r#"{"type": "object", "properties": {
    ///         "tags": {"type": "array", "items": {"type": "string", "format": "uri"}}}}"#,
    /// )?;
    /// assert_eq!(schema, object().field("tags", list(str(""))).into());
    /// assert_eq!(schema.unsupported()[0].keyword, "format");
    /// # Ok::<(), patchwire::schema::SchemaError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`from_json_schema`](Self::from_json_schema), and an error if the text is not JSON.
    pub fn from_json_schema_text(text: &str) -> Result<Self, SchemaError> {
        let answer = Spec::strict_json()
            .parse(text)
            .map_err(|error| SchemaError::new(SchemaErrorKind::NotJson(error), ""))?;
        Self::from_json_schema(answer.value())
    }
}
