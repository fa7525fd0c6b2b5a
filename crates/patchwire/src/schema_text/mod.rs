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
