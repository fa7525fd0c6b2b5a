//! Values of columns as JSON.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_json::writer::{Encoder, EncoderFactory, EncoderOptions, NullableEncoder, make_encoder};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema};
use patchwire_arrow::JSON_KEY;

/// Writes columns that hold JSON text as the value that the text is, not as a string.
#[derive(Debug)]
pub(super) struct JsonColumns;

impl EncoderFactory for JsonColumns {
    fn make_default_encoder<'a>(
        &self,
        field: &'a FieldRef,
        array: &'a dyn Array,
        _: &'a EncoderOptions,
    ) -> Result<Option<NullableEncoder<'a>>, ArrowError> {
        let is_json = field.metadata().contains_key(JSON_KEY);
        let Some(texts) = array.as_string_opt::<i32>().filter(|_| is_json) else { return Ok(None) };
        let nulls = array.nulls().cloned();
        Ok(Some(NullableEncoder::new(Box::new(JsonTexts(texts)), nulls)))
    }
}

struct JsonTexts<'a>(&'a StringArray);

impl Encoder for JsonTexts<'_> {
    fn encode(&mut self, row: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(self.0.value(row).as_bytes());
    }
}

/// The options that write a value as JSON, with every member.
pub(super) fn options() -> EncoderOptions {
    EncoderOptions::default().with_explicit_nulls(true).with_encoder_factory(Arc::new(JsonColumns))
}

/// The batch with lists and structs as JSON text, for forms that have only scalars.
pub(super) fn flat(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let schema = batch.schema();
    let (mut fields, mut columns) = (Vec::new(), Vec::new());
    for (field, column) in schema.fields().iter().zip(batch.columns()) {
        if column.data_type().is_nested() {
            fields.push(Arc::new(Field::new(field.name(), DataType::Utf8, true)));
            columns.push(printed(field, column)?);
        } else {
            fields.push(Arc::clone(field));
            columns.push(Arc::clone(column));
        }
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}

fn printed(field: &FieldRef, column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let options = options();
    let mut encoder = make_encoder(field, column, &options)?;
    let mut json = Vec::new();
    let texts = (0..column.len()).map(|row| {
        json.clear();
        if encoder.is_null(row) {
            return Ok(None);
        }
        encoder.encode(row, &mut json);
        let text = core::str::from_utf8(&json);
        text.map(|text| Some(text.to_owned()))
            .map_err(|error| ArrowError::JsonError(error.to_string()))
    });
    let texts: Result<Vec<Option<String>>, ArrowError> = texts.collect();
    Ok(Arc::new(StringArray::from(texts?)))
}
