//! Names of members, which are text but may be read as other types: `HashMap<u32, _>`.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{Deserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::DataError;
use crate::document::number::Number;

/// The name of a member.
pub(super) struct Key<'de>(pub(super) &'de str);

impl<'de> Key<'de> {
    fn visit_integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
        match Number::of(self.0) {
            Number::Unsigned(number) => visitor.visit_u64(number),
            Number::Signed(number) => visitor.visit_i64(number),
            Number::WideUnsigned(number) => visitor.visit_u128(number),
            Number::WideSigned(number) => visitor.visit_i128(number),
            Number::Float(_) => visitor.visit_borrowed_str(self.0),
        }
    }

    fn visit_float<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
        match self.0.parse::<f64>() {
            Ok(number) if number.is_finite() => visitor.visit_f64(number),
            _ => visitor.visit_borrowed_str(self.0),
        }
    }
}

macro_rules! as_integer {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
            self.visit_integer(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = DataError;

    as_integer! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
        match self.0.parse() {
            Ok(bool) => visitor.visit_bool(bool),
            Err(_) => visitor.visit_borrowed_str(self.0),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.visit_float(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.visit_float(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, DataError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DataError> {
        BorrowedStrDeserializer::new(self.0).deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}
