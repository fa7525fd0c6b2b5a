//! Schemas from text, in JSON or YAML, as JSON Schema or in the output DSL; and schemas of Rust types.
//!
//! JSON is read with the engine's parser, which keeps the order of fields. YAML is read with a complete
//! YAML parser, because a schema text is never partial.

#[cfg(feature = "schemars")]
mod of;
#[cfg(feature = "yaml")]
mod yaml;

#[cfg(test)]
mod tests;

use crate::document::{Value, ValueRef};
use crate::schema::{Schema, SchemaError, SchemaErrorKind, SchemaForm};
use crate::spec::Spec;

impl Schema {
    /// Reads a schema from JSON or YAML. [`SchemaForm::of`] finds its form.
    ///
    /// ```
    /// use patchwire::Schema;
    /// use patchwire::schema::{list, object, str};
    ///
    /// let schema = Schema::from_text("title: [str, one line, true]\ntags: [[str]]")?;
    /// let title = str("one line").required();
    /// assert_eq!(schema, object().field("title", title).field("tags", list(str(""))).into());
    /// # Ok::<(), patchwire::schema::SchemaError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`from_json_schema`](Self::from_json_schema) and
    /// [`from_output_dsl`](Self::from_output_dsl), and an error if the text is neither JSON nor YAML. YAML
    /// needs the default feature `yaml`.
    pub fn from_text(text: &str) -> Result<Self, SchemaError> {
        with_value(text, |value| Self::from_form(SchemaForm::of(value), value))
    }

    /// Reads a schema from JSON or YAML, in this form.
    ///
    /// # Errors
    /// The errors of [`from_text`](Self::from_text).
    pub fn from_text_in(form: SchemaForm, text: &str) -> Result<Self, SchemaError> {
        with_value(text, |value| Self::from_form(form, value))
    }

    /// Reads a schema in the output DSL from JSON or YAML text, like
    /// [`from_output_dsl`](Self::from_output_dsl) from a value.
    ///
    /// ```
    /// use patchwire::Schema;
    /// use patchwire::schema::{list, number, object, str};
    ///
    /// let schema = Schema::from_output_dsl_text(
    ///     r#"{"vendor": ["str", "as printed", true],
    ///         "items": [{"sku": ["str"], "amount": ["float", "in euros"]}]}"#,
    /// )?;
    /// let item = object().field("sku", str("")).field("amount", number("in euros"));
    /// let invoice = object().field("vendor", str("as printed").required()).field("items", list(item));
    /// assert_eq!(schema, invoice.into());
    /// # Ok::<(), patchwire::schema::SchemaError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`from_output_dsl`](Self::from_output_dsl), and an error if the text is neither JSON nor
    /// YAML.
    pub fn from_output_dsl_text(text: &str) -> Result<Self, SchemaError> {
        Self::from_text_in(SchemaForm::OutputDsl, text)
    }

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

    /// The schema of a Rust type that derives `JsonSchema` of `schemars` 1: the values that serde reads.
    ///
    /// Fields keep their order, and doc comments become descriptions. A field must exist ([`Presence::Present`](crate::schema::Presence::Present)) if serde requires it; one that is an
    /// `Option` or has a default may be absent. Other constraints of the type, such as the range of a
    /// `u8`, are listed in [`unsupported`](Self::unsupported).
    ///
    /// Needs the feature `schemars`, which is off by default. That feature enables `preserve_order` of
    /// `serde_json` for the whole build, because the order of fields would be lost otherwise: maps of
    /// `serde_json` then keep the order of insertion instead of sorting their keys.
    ///
    /// ```
    /// use patchwire::Schema;
    /// use patchwire::schema::{list, object, str};
    ///
    /// #[derive(schemars::JsonSchema)]
    /// struct Report {
    ///     /// one line
    ///     title: String,
    ///     tags: Vec<String>,
    ///     note: Option<String>,
    /// }
    ///
    /// let report = object()
    ///     .field("title", str("one line").present())
    ///     .field("tags", list(str("")).present())
    ///     .field("note", str("").nullable());
    /// assert_eq!(Schema::of::<Report>()?, report.into());
    /// # Ok::<(), patchwire::schema::SchemaError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`from_json_schema_text`](Self::from_json_schema_text), because a handwritten `JsonSchema`
    /// may produce an invalid schema.
    #[cfg(feature = "schemars")]
    pub fn of<T: schemars::JsonSchema + ?Sized>() -> Result<Self, SchemaError> {
        of::read::<T>()
    }
}

fn with_value(
    text: &str,
    read: impl FnOnce(ValueRef<'_>) -> Result<Schema, SchemaError>,
) -> Result<Schema, SchemaError> {
    match Spec::strict_json().parse(text) {
        Ok(answer) => read(answer.value()),
        Err(error) => {
            let error = SchemaError::new(SchemaErrorKind::NotJson(error), "");
            other_than_json(text, error).and_then(|value| read(value.as_ref()))
        }
    }
}

/// Reads a text as YAML after it failed as JSON. If that fails, too, a text that begins like JSON gets the
/// error of JSON.
#[cfg(feature = "yaml")]
fn other_than_json(text: &str, error: SchemaError) -> Result<Value, SchemaError> {
    yaml::read(text)
        .map_err(|own| if text.trim_start().starts_with(['{', '[', '"']) { error } else { own })
}

#[cfg(not(feature = "yaml"))]
fn other_than_json(_text: &str, error: SchemaError) -> Result<Value, SchemaError> {
    Err(error)
}
