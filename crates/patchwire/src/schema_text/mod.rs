//! The text of a schema: JSON or YAML, JSON Schema or the output DSL; and schemas of Rust types.
//!
//! JSON is read with the engine's own parser, which keeps the order of fields; YAML by a parser of all
//! of YAML, because nobody writes a schema half.

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
    /// Reads a schema from JSON or YAML, in the form that [`SchemaForm::of`] finds it in.
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
    /// Those of [`from_json_schema`](Self::from_json_schema) and
    /// [`from_output_dsl`](Self::from_output_dsl), and a text that is neither JSON nor YAML. YAML
    /// needs the default feature `yaml`.
    pub fn from_text(text: &str) -> Result<Self, SchemaError> {
        with_value(text, |value| Self::from_form(SchemaForm::of(value), value))
    }

    /// Reads a schema from JSON or YAML, in this form.
    ///
    /// # Errors
    /// As [`from_text`](Self::from_text).
    pub fn from_text_in(form: SchemaForm, text: &str) -> Result<Self, SchemaError> {
        with_value(text, |value| Self::from_form(form, value))
    }

    /// Reads the text of a schema in the output DSL, in JSON or YAML, as
    /// [`from_output_dsl`](Self::from_output_dsl) reads its value.
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
    /// As [`from_output_dsl`](Self::from_output_dsl), and when the text is neither JSON nor YAML.
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

/// Reads a text that is no JSON as YAML. If that fails too, a text that begins like JSON gives the
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
