//! The deserializer of values.

use serde::Deserialize;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};

use super::DataError;
use super::key::Key;
use super::settling::Settling;
use crate::document::number::{self, Number};
use crate::document::ser::DEPTH_LIMIT;
use crate::document::{DepthError, Entries, ValueKind, ValueRef};
use crate::path::Segment;

type Read<T> = Result<T, DataError>;

/// A value and the number of containers around it that were entered.
#[derive(Clone, Copy)]
pub(super) struct ValueReader<'de> {
    value: ValueRef<'de>,
    above: usize,
}

impl<'de> ValueReader<'de> {
    pub(super) const fn root(value: ValueRef<'de>) -> Self {
        Self { value, above: 0 }
    }

    /// Passes the value to a visitor that takes any kind.
    fn visit<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.value.kind() {
            ValueKind::Null => visitor.visit_unit(),
            ValueKind::Bool => visitor.visit_bool(self.value.as_bool() == Some(true)),
            ValueKind::Number => self.visit_number(visitor),
            ValueKind::String => visitor.visit_borrowed_str(self.value.text()),
            ValueKind::List => self.visit_list(visitor),
            ValueKind::Object => self.visit_object(visitor),
        }
    }

    /// Passes the value to a visitor that takes one kind only; an absent value is an error.
    fn expect<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        if !self.value.exists() {
            return Err(DataError::invalid_type(Unexpected::Other("no value"), &visitor));
        }
        self.visit(visitor)
    }

    /// Passes integers beyond 64 bits as `f64`: the buffers of serde have no wider type.
    fn visit_number<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match Number::of(self.value.text()) {
            Number::Unsigned(number) => visitor.visit_u64(number),
            Number::Signed(number) => visitor.visit_i64(number),
            _ => self.visit_float(visitor),
        }
    }

    fn visit_float<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        let number = number::nearest(self.value.text());
        if number.is_finite() { visitor.visit_f64(number) } else { Err(self.misfit(&visitor)) }
    }

    /// Passes a number to a visitor that takes integers.
    fn visit_integer<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        let text = self.value.text();
        match Number::of(text) {
            Number::Unsigned(number) => visitor.visit_u64(number),
            Number::Signed(number) => visitor.visit_i64(number),
            Number::WideUnsigned(number) => visitor.visit_u128(number),
            Number::WideSigned(number) => visitor.visit_i128(number),
            Number::Float(_) if text == "-0" => visitor.visit_i64(0),
            Number::Float(_) if text.contains(['.', 'e', 'E']) => self.visit_float(visitor),
            Number::Float(_) => Err(self.misfit(&visitor)),
        }
    }

    /// The error for a number that no type holds.
    fn misfit<'v, V: Visitor<'v>>(self, visitor: &V) -> DataError {
        let found = format!("number `{}`", self.value.text());
        DataError::invalid_value(Unexpected::Other(&found), visitor)
    }

    fn visit_list<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        let mut items = ItemReader { rest: self.value.entries(), above: self.enter()?, next: 0 };
        let read = visitor.visit_seq(&mut items)?;
        if items.rest.next().is_some() {
            return Err(DataError::invalid_length(self.value.len(), &"fewer items in the list"));
        }
        Ok(read)
    }

    fn visit_object<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        let mut members =
            MemberReader { rest: self.value.entries(), above: self.enter()?, current: None };
        let read = visitor.visit_map(&mut members)?;
        if members.rest.next().is_some() {
            return Err(DataError::invalid_length(
                self.value.len(),
                &"fewer members in the object",
            ));
        }
        Ok(read)
    }

    fn enter(self) -> Read<usize> {
        if self.above < DEPTH_LIMIT {
            Ok(self.above + 1)
        } else {
            Err(DataError::custom(DepthError))
        }
    }
}

/// Methods for types whose visitor takes the value as it is or returns an error.
macro_rules! as_it_is {
    ($($method:ident($($type:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $(_: $type,)* visitor: V) -> Read<V::Value> {
            self.expect(visitor)
        }
    )*};
}

macro_rules! as_integer {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
            match self.value.kind() {
                ValueKind::Number => self.visit_integer(visitor),
                _ => self.expect(visitor),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for ValueReader<'de> {
    type Error = DataError;

    as_it_is! {
        deserialize_bool();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_tuple(usize);
        deserialize_tuple_struct(&'static str, usize);
        deserialize_identifier();
    }

    as_integer! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        if self.value.is_awaited() { self.visit_list(visitor) } else { self.expect(visitor) }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        if self.value.is_awaited() { self.visit_object(visitor) } else { self.expect(visitor) }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        self.deserialize_map(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.visit(visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.visit(visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Read<V::Value> {
        self.visit(visitor)
    }

    /// Ignores the value, which may be of any depth.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_unit()
    }

    /// Parses the text, because a conversion from `f64` would round twice.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.value.number_text().map(str::parse::<f32>) {
            Some(Ok(number)) if number.is_finite() => visitor.visit_f32(number),
            Some(_) => Err(self.misfit(&visitor)),
            None => self.expect(visitor),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.value.kind() {
            ValueKind::Number => self.visit_float(visitor),
            _ => self.expect(visitor),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.value.as_str() {
            Some(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            None => self.expect(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    /// A name that asks for a settled value gets none while the value can still become another one.
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Read<V::Value> {
        match Settling::of(name) {
            Some(settling) if !settling.is_reached(self.value) => visitor.visit_none(),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    /// Reads the name of a variant, or an object whose only member is a variant with its content.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        if let Some(name) = self.value.as_str() {
            return visitor.visit_enum(VariantReader { name, content: None });
        }
        let mut members = self.value.entries();
        match (members.next(), members.next()) {
            (Some((Some(name), value)), None) => {
                let content = Some(ValueReader { value, above: self.enter()? });
                visitor.visit_enum(VariantReader { name, content })
            }
            _ if self.value.kind() == ValueKind::Object => Err(DataError::invalid_value(
                Unexpected::Map,
                &"a variant's name or an object with one member",
            )),
            _ => self.expect(visitor),
        }
    }
}

struct ItemReader<'de> {
    rest: Entries<'de>,
    above: usize,
    next: u32,
}

impl<'de> SeqAccess<'de> for &mut ItemReader<'de> {
    type Error = DataError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Read<Option<T::Value>> {
        let Some((_, value)) = self.rest.next() else {
            return Ok(None);
        };
        let index = Segment::Index(self.next);
        self.next += 1;
        let read = seed.deserialize(ValueReader { value, above: self.above });
        read.map(Some).map_err(|error| error.below(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

struct MemberReader<'de> {
    rest: Entries<'de>,
    above: usize,
    /// The member whose key has been read.
    current: Option<(&'de str, ValueRef<'de>)>,
}

impl<'de> MapAccess<'de> for &mut MemberReader<'de> {
    type Error = DataError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Read<Option<K::Value>> {
        let Some((Some(key), value)) = self.rest.next() else {
            return Ok(None);
        };
        self.current = Some((key, value));
        seed.deserialize(Key(key)).map(Some).map_err(|error| error.below(Segment::Key(key)))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Read<T::Value> {
        let Some((key, value)) = self.current.take() else {
            return Err(DataError::custom("a value was asked for before its key"));
        };
        let read = seed.deserialize(ValueReader { value, above: self.above });
        read.map_err(|error| error.below(Segment::Key(key)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

struct VariantReader<'de> {
    name: &'de str,
    content: Option<ValueReader<'de>>,
}

impl<'de> VariantReader<'de> {
    /// The content of the variant. If there is only a name, an error that names what is missing.
    fn content(self, wanted: &str) -> Read<ValueReader<'de>> {
        self.content.ok_or_else(|| DataError::invalid_type(Unexpected::UnitVariant, &wanted))
    }
}

impl<'de> EnumAccess<'de> for VariantReader<'de> {
    type Error = DataError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Read<(V::Value, Self)> {
        Ok((seed.deserialize(BorrowedStrDeserializer::new(self.name))?, self))
    }
}

impl<'de> VariantAccess<'de> for VariantReader<'de> {
    type Error = DataError;

    fn unit_variant(self) -> Read<()> {
        let Some(content) = self.content else {
            return Ok(());
        };
        <()>::deserialize(content).map_err(|error| error.below(Segment::Key(self.name)))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Read<T::Value> {
        let name = Segment::Key(self.name);
        let content = self.content("a variant with a value")?;
        seed.deserialize(content).map_err(|error| error.below(name))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Read<V::Value> {
        let name = Segment::Key(self.name);
        let content = self.content("a variant with a list")?;
        content.deserialize_tuple(len, visitor).map_err(|error| error.below(name))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        let name = Segment::Key(self.name);
        let content = self.content("a variant with fields")?;
        content.deserialize_struct("", fields, visitor).map_err(|error| error.below(name))
    }
}
