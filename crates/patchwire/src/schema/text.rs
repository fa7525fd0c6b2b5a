//! Reading the text of a JSON Schema, with the engine's own parser: it keeps the order of fields.

use super::{Schema, SchemaError, SchemaErrorKind};
use crate::spec::Spec;

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
    /// # Ok::<(), patchwire::SchemaError>(())
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
