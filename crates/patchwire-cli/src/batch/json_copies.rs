//! Values of JSON lines as the JSON that they are, for columns of several types.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use arrow_json::reader::{ArrayDecoder, DecoderContext, DecoderFactory, Tape, TapeElement};
use arrow_schema::{ArrowError, FieldRef};
use patchwire_arrow::JSON_KEY;

/// Reads columns with the mark of JSON as text.
#[derive(Debug)]
pub(super) struct JsonCopies;

impl DecoderFactory for JsonCopies {
    fn make_default_decoder(
        &self,
        _: &DecoderContext,
        field: &FieldRef,
        _: bool,
    ) -> Result<Option<Box<dyn ArrayDecoder>>, ArrowError> {
        let is_json = field.metadata().contains_key(JSON_KEY);
        Ok(is_json.then(|| Box::new(CopyDecoder) as Box<dyn ArrayDecoder>))
    }
}

struct CopyDecoder;

impl ArrayDecoder for CopyDecoder {
    fn decode(&mut self, tape: &Tape<'_>, places: &[u32]) -> Result<ArrayRef, ArrowError> {
        let mut texts = StringBuilder::with_capacity(places.len(), 0);
        let mut json = String::new();
        for place in places {
            if matches!(tape.get(*place), TapeElement::Null) {
                texts.append_null();
                continue;
            }
            json.clear();
            copy(tape, *place, &mut json)?;
            texts.append_value(&json);
        }
        Ok(Arc::new(texts.finish()))
    }
}

/// What an open list or object takes next.
#[derive(PartialEq)]
enum Next {
    Item,
    Key,
    Value,
}

/// Writes a value. Numbers keep their digits.
fn copy(tape: &Tape<'_>, mut place: u32, json: &mut String) -> Result<(), ArrowError> {
    let mut open: Vec<Next> = Vec::new();
    loop {
        let element = tape.get(place);
        let is_end = matches!(element, TapeElement::EndList(_) | TapeElement::EndObject(_));
        let is_value = open.last() == Some(&Next::Value);
        if !open.is_empty() && !is_end && !is_value && !json.ends_with(['[', '{']) {
            json.push(',');
        }
        let is_key = open.last() == Some(&Next::Key);
        match open.last_mut() {
            Some(next @ Next::Key) if !is_end => *next = Next::Value,
            Some(next @ Next::Value) => *next = Next::Key,
            _ => {}
        }
        match element {
            TapeElement::StartObject(_) => {
                json.push('{');
                open.push(Next::Key);
            }
            TapeElement::StartList(_) => {
                json.push('[');
                open.push(Next::Item);
            }
            TapeElement::EndObject(_) | TapeElement::EndList(_) => {
                json.push(if matches!(element, TapeElement::EndList(_)) { ']' } else { '}' });
                open.pop();
            }
            TapeElement::String(at) => {
                let text = serde_json::to_string(tape.get_string(at));
                json.push_str(&text.map_err(|error| ArrowError::JsonError(error.to_string()))?);
            }
            TapeElement::Number(at) => json.push_str(tape.get_string(at)),
            TapeElement::True => json.push_str("true"),
            TapeElement::False => json.push_str("false"),
            TapeElement::Null => json.push_str("null"),
            _ => return Err(tape.error(place, "JSON")),
        }
        if is_key && !is_end {
            json.push(':');
        }
        if open.is_empty() {
            return Ok(());
        }
        place += 1;
    }
}
