//! Serializes values with serde, and converts them to serde_json's.

use serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value as Json;

use super::number::{self, Number};
use super::{Entries, Value, ValueKind, ValueRef};

/// The deepest nesting for code that recurses: serde calls itself for each level, and so does
/// `serde_json::Value` when it is printed or dropped.
pub(super) const DEPTH_LIMIT: usize = 512;

/// A value is nested too deeply for code that recurses.
///
/// The value itself can be read, printed, compared and dropped at any depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the value is nested deeper than {} levels", self.limit())]
#[non_exhaustive]
pub struct DepthError;

impl DepthError {
    /// The deepest nesting that is accepted: 512 containers.
    #[must_use]
    pub const fn limit(self) -> usize {
        DEPTH_LIMIT
    }
}

/// Serializes integers of up to 128 bits as integers and other numbers as the nearest `f64`.
///
/// # Errors
/// Nesting of more than 512 levels, a number beyond the range of `f64` (`1e400`), and any error of the
/// serializer. [`Display`](core::fmt::Display) has no such limits: it prints any value exactly.
impl Serialize for ValueRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        NestedValue { value: *self, above: 0 }.serialize(serializer)
    }
}

/// Serializes like [`ValueRef`].
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().serialize(serializer)
    }
}

/// A value and the number of containers around it.
struct NestedValue<'a> {
    value: ValueRef<'a>,
    above: usize,
}

impl Serialize for NestedValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.value;
        match value.kind() {
            ValueKind::Null => serializer.serialize_unit(),
            ValueKind::Bool => serializer.serialize_bool(value.as_bool() == Some(true)),
            ValueKind::Number => serialize_number(value.text(), serializer),
            ValueKind::String => serializer.serialize_str(value.text()),
            ValueKind::List => self.serialize_items(serializer),
            ValueKind::Object => self.serialize_members(serializer),
        }
    }
}

impl<'a> NestedValue<'a> {
    fn serialize_items<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let above = self.enter().map_err(S::Error::custom)?;
        let mut list = serializer.serialize_seq(Some(self.value.len()))?;
        for (_, value) in self.value.entries() {
            list.serialize_element(&NestedValue { value, above })?;
        }
        list.end()
    }

    fn serialize_members<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let above = self.enter().map_err(S::Error::custom)?;
        let mut object = serializer.serialize_map(Some(self.value.len()))?;
        for (key, value) in self.value.entries() {
            object.serialize_entry(key.unwrap_or_default(), &NestedValue { value, above })?;
        }
        object.end()
    }

    fn enter(&self) -> Result<usize, DepthError> {
        if self.above < DEPTH_LIMIT { Ok(self.above + 1) } else { Err(DepthError) }
    }
}

fn serialize_number<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    match Number::of(text) {
        Number::Unsigned(number) => serializer.serialize_u64(number),
        Number::Signed(number) => serializer.serialize_i64(number),
        Number::WideUnsigned(number) => serializer.serialize_u128(number),
        Number::WideSigned(number) => serializer.serialize_i128(number),
        Number::Float(number) if number.is_finite() => serializer.serialize_f64(number),
        Number::Float(_) => {
            Err(S::Error::custom(format_args!("number `{text}` is beyond the range of f64")))
        }
    }
}

impl ValueRef<'_> {
    /// Converts the value to serde_json's type.
    ///
    /// That type holds less. Integers beyond 64 bits and all other numbers become the nearest `f64`, and a
    /// number beyond the range of `f64` (`1e400`) becomes null; [`number_text`](Self::number_text) has every
    /// number as it was written. Members lose their order, unless the build enables the feature
    /// `preserve_order` of serde_json.
    ///
    /// # Errors
    /// Nesting of more than 512 levels: serde_json would overflow the stack when it prints or drops
    /// such a value.
    pub fn to_serde_json(self) -> Result<Json, DepthError> {
        let mut open = Vec::new();
        let mut made = begin(self, &mut open)?;
        loop {
            if let Some(json) = made.take() {
                let Some(container) = open.last_mut() else {
                    return Ok(json);
                };
                container.add(json);
            }
            made = match open.last_mut().and_then(OpenJson::next) {
                Some(child) => begin(child, &mut open)?,
                None => open.pop().map(|container| container.made),
            };
        }
    }
}

/// Converts a scalar. Puts a container on `open` instead, empty.
fn begin<'a>(
    value: ValueRef<'a>,
    open: &mut Vec<OpenJson<'a>>,
) -> Result<Option<Json>, DepthError> {
    let made = match value.kind() {
        ValueKind::Null => return Ok(Some(Json::Null)),
        ValueKind::Bool => return Ok(value.as_bool().map(Json::Bool)),
        ValueKind::Number => return Ok(Some(json_number(value.text()))),
        ValueKind::String => return Ok(Some(value.text().into())),
        ValueKind::List => Json::Array(Vec::with_capacity(value.len())),
        ValueKind::Object => Json::Object(serde_json::Map::new()),
    };
    if open.len() == DEPTH_LIMIT {
        return Err(DepthError);
    }
    open.push(OpenJson { rest: value.entries(), key: "", made });
    Ok(None)
}

fn json_number(text: &str) -> Json {
    match Number::of(text) {
        Number::Unsigned(number) => number.into(),
        Number::Signed(number) => number.into(),
        Number::WideUnsigned(_) | Number::WideSigned(_) => number::nearest(text).into(),
        Number::Float(number) => number.into(),
    }
}

/// A container that is being converted.
struct OpenJson<'a> {
    rest: Entries<'a>,
    /// The key of the member that is being converted, if this is an object.
    key: &'a str,
    made: Json,
}

impl<'a> OpenJson<'a> {
    fn next(&mut self) -> Option<ValueRef<'a>> {
        let (key, value) = self.rest.next()?;
        self.key = key.unwrap_or_default();
        Some(value)
    }

    fn add(&mut self, child: Json) {
        match &mut self.made {
            Json::Array(items) => items.push(child),
            Json::Object(members) => drop(members.insert(self.key.to_owned(), child)),
            // Only containers are put on the stack.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DEPTH_LIMIT, DepthError};
    use crate::document::Document;
    use crate::document::sample::{deep, document, on_stack_of_a_thread};

    #[test]
    fn json_through_serde_is_the_json_that_is_printed() {
        let json = r#"{"b":[1,-2,1.5,{}],"a":{"x\"":[]},"c":[true,false,null,"é"]}"#;
        let doc = document(json);
        assert_eq!(serde_json::to_string(&doc.value()).unwrap(), json);
        assert_eq!(serde_json::to_string(&doc.value().to_value()).unwrap(), json);
        let pretty = serde_json::to_string_pretty(&doc.value()).unwrap();
        assert_eq!(pretty, format!("{:#}", doc.value()));
        assert_eq!(serde_json::to_string(&Document::default().value()).unwrap(), "null");
    }

    #[test]
    fn integers_are_exact_up_to_128_bits() {
        let json = format!("[{},{},{}]", u64::MAX, u128::MAX, i128::MIN);
        assert_eq!(serde_json::to_string(&document(&json).value()).unwrap(), json);
    }

    #[test]
    fn a_number_beyond_f64_is_an_error_through_serde_and_null_in_serde_json() {
        let doc = document(r#"{"far":1e400}"#);
        let error = serde_json::to_string(&doc.value()).unwrap_err();
        assert_eq!(error.to_string(), "number `1e400` is beyond the range of f64");
        assert_eq!(doc.value().to_serde_json().unwrap(), serde_json::json!({"far": null}));
    }

    #[test]
    fn to_serde_json_agrees_with_its_parser() {
        let json = r#"{"b":[1,-2,1.5,-0,1e3,123456789012345678901234567890,{}],"a":{"x":[[]]},"c":[true,null,"é\n"]}"#;
        let expected: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(document(json).value().to_serde_json(), Ok(expected));
        assert_eq!(Document::default().value().to_serde_json(), Ok(serde_json::Value::Null));
    }

    #[test]
    fn the_limit_on_depth_is_exact_and_typed() {
        on_stack_of_a_thread(|| {
            let (most, over) = (deep(DEPTH_LIMIT, "1"), deep(DEPTH_LIMIT + 1, "1"));
            assert!(most.value().to_serde_json().is_ok());
            assert_eq!(over.value().to_serde_json(), Err(DepthError));
            assert!(serde_json::to_string(&most.value()).is_ok());
            let error = serde_json::to_string(&deep(1_000_000, "1").value()).unwrap_err();
            assert_eq!(error.to_string(), "the value is nested deeper than 512 levels");
            assert_eq!(DepthError.to_string(), error.to_string());
            assert_eq!(DepthError.limit(), 512);
        });
    }
}
