//! Ways in: a parser of a spec, and whole texts.

use super::Parser;
use crate::answer::Answer;
use crate::error::Error;
use crate::format::FormatMachine;
use crate::format::json::JsonFormat;
use crate::format::sections::Sections;
use crate::format::text::TextFormat;
use crate::format::xml_field::XmlFieldFormat;
use crate::format::yaml::YamlFormat;
use crate::schema::{Schema, SchemaError, SchemaErrorKind};
use crate::spec::{Format, Settings, Spec};

/// The machine of a spec's format.
pub(super) fn format_of(settings: &Settings) -> FormatMachine {
    let json = &settings.json;
    match settings.format {
        Format::Text => FormatMachine::Other(Box::new(TextFormat)),
        Format::Hybrid => {
            FormatMachine::Other(Box::new(Sections::new(&settings.fields, json, true)))
        }
        Format::Markdown => {
            FormatMachine::Other(Box::new(Sections::new(&settings.fields, json, false)))
        }
        Format::XmlField => {
            FormatMachine::Other(Box::new(XmlFieldFormat::new(&settings.fields, json)))
        }
        Format::YamlLiteral => {
            FormatMachine::Other(Box::new(YamlFormat::new(&settings.fields, json)))
        }
        // No spec has `Auto`: it is settled when the spec is built.
        Format::Json | Format::Auto => FormatMachine::Json(Box::new(JsonFormat::new(json))),
    }
}

impl Spec {
    /// A parser for one stream.
    #[must_use]
    pub fn parser(&self) -> Parser {
        Parser::new(self.clone())
    }

    /// Reads a whole text: `feed` once and `finish`.
    ///
    /// # Errors
    /// As [`Parser::feed`] and [`Parser::finish`].
    pub fn parse(&self, text: impl AsRef<[u8]>) -> Result<Answer, Error> {
        let mut parser = self.parser();
        parser.feed(text, |_| {})?;
        parser.finish(|_| {})
    }
}

/// The text of a schema is read with the engine's own parser: it keeps the order of fields.
impl Schema {
    /// Reads the text of a JSON Schema, as [`from_json_schema`](Self::from_json_schema) reads its
    /// value. The text has to be strict JSON.
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
    /// As for [`from_json_schema`](Self::from_json_schema), and when the text is not JSON.
    pub fn from_json_schema_text(text: &str) -> Result<Self, SchemaError> {
        let answer = Spec::strict_json()
            .parse(text)
            .map_err(|error| SchemaError::new(SchemaErrorKind::NotJson(error), ""))?;
        Self::from_json_schema(answer.value())
    }
}
