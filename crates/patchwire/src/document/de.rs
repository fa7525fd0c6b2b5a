//! Reads values as Rust types: a `Deserializer` that lends its strings and reports where it failed.

mod key;
mod reader;
mod settling;
#[cfg(test)]
mod tests;

use core::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Expected, Unexpected, Visitor};

use super::ValueRef;
use crate::path::{PathBuf, Segment};
use reader::ValueReader;
pub(crate) use settling::{NAME_SETTLED, WHOLE};

/// A value that does not fit the Rust type it was read as.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DataError {
    /// The path below the value that was read, as in `items[2].sku`. Empty for the value itself.
    pub path: String,
    /// What was found and what was expected.
    pub message: Arc<str>,
}

impl DataError {
    /// The error as the container reports it whose child at `segment` failed.
    fn below(self, segment: Segment<'_>) -> Self {
        let mut path = PathBuf::root().child(segment).to_string();
        if !self.path.is_empty() && !self.path.starts_with('[') {
            path.push('.');
        }
        path.push_str(&self.path);
        Self { path, message: self.message }
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

impl core::error::Error for DataError {}

impl serde::de::Error for DataError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { path: String::new(), message: message.to_string().into() }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid type: {}, expected {expected}", FoundValue(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid value: {}, expected {expected}", FoundValue(found)))
    }
}

/// Names what was found in the words of JSON: serde calls null a "unit value".
struct FoundValue<'a>(Unexpected<'a>);

impl fmt::Display for FoundValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Unexpected::Unit => f.write_str("null"),
            Unexpected::Seq => f.write_str("list"),
            Unexpected::Map => f.write_str("object"),
            other => other.fmt(f),
        }
    }
}

impl<'a> ValueRef<'a> {
    /// The value as a Rust type. Strings may be borrowed: `&'a str` is lent, not copied.
    ///
    /// A string that is still open is read as far as it has come, and no value at all reads as
    /// `None` where an `Option` is wanted. Numbers are read from their text, integers exactly up to
    /// 128 bits; `1.0` is no integer, and `1e400` is an error, not an infinity. A type that takes
    /// any number, such as an untagged enum, gets `u64`, `i64` or else `f64`.
    ///
    /// # Errors
    /// The path at which the value does not fit the type, and why. Types that nest deeper than 512
    /// levels are refused, because reading them recurses.
    pub fn read<T: Deserialize<'a>>(self) -> Result<T, DataError> {
        T::deserialize(self)
    }
}

/// Methods that a [`ValueReader`] at the root answers.
macro_rules! handed_to_reader {
    ($($method:ident($($name:ident: $type:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value, DataError> {
            ValueReader::root(self).$method($($name,)* visitor)
        }
    )*};
}

/// See [`read`](ValueRef::read) for what is read as what.
impl<'de> Deserializer<'de> for ValueRef<'de> {
    type Error = DataError;

    handed_to_reader! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_map();
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }
}
