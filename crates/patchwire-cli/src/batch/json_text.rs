//! Values of columns as JSON.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{
    Array, ArrayAccessor, ArrayRef, GenericListArray, OffsetSizeTrait, RecordBatch, StringArray,
};
use arrow_json::writer::{Encoder, EncoderFactory, EncoderOptions, NullableEncoder, make_encoder};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema};
use patchwire_arrow::JSON_KEY;
use serde::de::IgnoredAny;

/// Writes columns that hold JSON text as the value that the text is, not as a string.
#[derive(Debug)]
pub(super) struct JsonColumns;

impl EncoderFactory for JsonColumns {
    fn make_default_encoder<'a>(
        &self,
        field: &'a FieldRef,
        array: &'a dyn Array,
        options: &'a EncoderOptions,
    ) -> Result<Option<NullableEncoder<'a>>, ArrowError> {
        // Arrow asks for the items of lists and the values of maps with the field of the whole.
        if field.data_type() != array.data_type() {
            return Ok(None);
        }
        let is_json = field.metadata().contains_key(JSON_KEY);
        let encoder: Box<dyn Encoder + 'a> = match field.data_type() {
            DataType::Utf8 if is_json => Box::new(JsonTexts(array.as_string::<i32>())),
            DataType::LargeUtf8 if is_json => Box::new(JsonTexts(array.as_string::<i64>())),
            DataType::Utf8View if is_json => Box::new(JsonTexts(array.as_string_view())),
            DataType::List(item) if has_json(item) => {
                Box::new(Items::new(item, array.as_list::<i32>(), options)?)
            }
            DataType::LargeList(item) if has_json(item) => {
                Box::new(Items::new(item, array.as_list::<i64>(), options)?)
            }
            _ => return Ok(None),
        };
        Ok(Some(NullableEncoder::new(encoder, array.nulls().cloned())))
    }
}

/// Whether a field, or one in it, has the mark of JSON.
fn has_json(field: &FieldRef) -> bool {
    field.metadata().contains_key(JSON_KEY)
        || match field.data_type() {
            DataType::List(item) | DataType::LargeList(item) => has_json(item),
            DataType::Struct(fields) => fields.iter().any(has_json),
            _ => false,
        }
}

struct JsonTexts<A>(A);

impl<'a, A: ArrayAccessor<Item = &'a str>> Encoder for JsonTexts<A> {
    /// The columns of an input may have the mark, too: what is no JSON is written as a string.
    fn encode(&mut self, row: usize, out: &mut Vec<u8>) {
        let text = self.0.value(row);
        if serde_json::from_str::<IgnoredAny>(text).is_ok() {
            // Line ends are between values, where a space is as good: a row is one line.
            let line_end = |byte: u8| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte };
            out.extend(text.bytes().map(line_end));
        } else if let Ok(quoted) = serde_json::to_vec(text) {
            out.extend_from_slice(&quoted);
        }
    }
}

/// Lists whose items are written by their own field.
struct Items<'a, O: OffsetSizeTrait> {
    lists: &'a GenericListArray<O>,
    items: NullableEncoder<'a>,
}

impl<'a, O: OffsetSizeTrait> Items<'a, O> {
    fn new(
        item: &'a FieldRef,
        lists: &'a GenericListArray<O>,
        options: &'a EncoderOptions,
    ) -> Result<Self, ArrowError> {
        Ok(Self { lists, items: make_encoder(item, lists.values(), options)? })
    }
}

impl<O: OffsetSizeTrait> Encoder for Items<'_, O> {
    fn encode(&mut self, row: usize, out: &mut Vec<u8>) {
        let offsets = self.lists.value_offsets();
        let (from, to) = (offsets[row].as_usize(), offsets[row + 1].as_usize());
        out.push(b'[');
        for item in from..to {
            if item > from {
                out.push(b',');
            }
            if self.items.is_null(item) {
                out.extend_from_slice(b"null");
            } else {
                self.items.encode(item, out);
            }
        }
        out.push(b']');
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
