//! The types of the members of JSON lines, from all lines.
//!
//! A member whose values are of one type is a column of that type. Any other is JSON as text, with the mark of
//! [`JSON_KEY`]: values of several types, numbers whose digits no type holds, objects without members. So a column is
//! copied as it was, and none is a reason to refuse a table.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use arrow_schema::{DataType, Field};
use patchwire_arrow::JSON_KEY;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Levels of types. What is deeper is JSON as text.
const DEEPEST: usize = 32;
/// Whole numbers up to here are exact in a float.
const EXACT: u64 = 1 << 53;

/// Which values a member has had.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    is_bool: bool,
    is_text: bool,
    is_deep: bool,
    numbers: Option<Numbers>,
    items: Option<Box<Self>>,
    members: Option<Members>,
}

/// Which numbers.
#[derive(Debug, Default)]
struct Numbers {
    has_fractions: bool,
    has_negative: bool,
    /// Whole numbers that a float would round.
    has_long: bool,
    /// Whole numbers above those of 64 bits with a sign.
    has_unsigned: bool,
    /// Numbers that no type of 64 bits holds.
    has_endless: bool,
}

/// The members of objects, in the order in which they were seen first.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub(super) all: Vec<(String, Kinds)>,
    places: HashMap<String, usize>,
}

impl Members {
    fn of(&mut self, name: &str) -> &mut Kinds {
        let place = self.places.get(name).copied().unwrap_or_else(|| {
            self.places.insert(name.to_owned(), self.all.len());
            self.all.push((name.to_owned(), Kinds::default()));
            self.all.len() - 1
        });
        &mut self.all[place].1
    }

    /// Adds an object. Members that are not wanted are only named: whatever they hold, they are passed over.
    pub(super) fn see(
        &mut self,
        json: &[u8],
        wants: &dyn Fn(&str) -> bool,
    ) -> Result<(), serde_json::Error> {
        let mut json = serde_json::Deserializer::from_slice(json);
        ObjectSeed { members: self, wants, depth: 0 }.deserialize(&mut json)?;
        json.end()
    }
}

impl Kinds {
    /// Adds a value, whose syntax is known to be right.
    fn see(&mut self, json: &str, depth: usize) -> Result<(), serde_json::Error> {
        match json.as_bytes().first() {
            Some(b'{' | b'[') if depth == DEEPEST => self.is_deep = true,
            Some(b'{') => {
                let members = self.members.get_or_insert_default();
                let mut json = serde_json::Deserializer::from_str(json);
                ObjectSeed { members, wants: &|_| true, depth }.deserialize(&mut json)?;
            }
            Some(b'[') => {
                let items = self.items.get_or_insert_default();
                serde_json::Deserializer::from_str(json)
                    .deserialize_seq(ListVisitor { items, depth })?;
            }
            Some(b'"') => self.is_text = true,
            Some(b't' | b'f') => self.is_bool = true,
            Some(b'n') | None => {}
            Some(_) => self.numbers.get_or_insert_default().see(json),
        }
        Ok(())
    }

    /// The type, if there is only one: none for JSON as text.
    fn data_type(&self) -> Option<DataType> {
        let scalars = [self.is_bool, self.is_text, self.is_deep, self.numbers.is_some()];
        let nested = [self.items.is_some(), self.members.is_some()];
        match scalars.iter().chain(&nested).filter(|has| **has).count() {
            0 => return Some(DataType::Null),
            1 => {}
            _ => return None,
        }
        if self.is_bool {
            return Some(DataType::Boolean);
        }
        if self.is_text {
            return Some(DataType::Utf8);
        }
        if let Some(numbers) = &self.numbers {
            return numbers.data_type();
        }
        if let Some(items) = &self.items {
            return Some(DataType::List(Arc::new(items.field(Field::LIST_FIELD_DEFAULT_NAME))));
        }
        let members = self.members.as_ref().filter(|members| !members.all.is_empty())?;
        let fields = members.all.iter().map(|(name, kinds)| kinds.field(name));
        Some(DataType::Struct(fields.collect()))
    }

    pub(super) fn field(&self, name: &str) -> Field {
        match self.data_type() {
            Some(data_type) => Field::new(name, data_type, true),
            None => Field::new(name, DataType::Utf8, true)
                .with_metadata(HashMap::from([(JSON_KEY.to_owned(), "json".to_owned())])),
        }
    }

    /// The column with the outputs: texts, among which numbers count as texts. `None` if texts are mixed with lists or
    /// objects.
    pub(super) fn text_field(&self, name: &str) -> Option<Field> {
        let is_nested = self.is_deep || self.items.is_some() || self.members.is_some();
        let is_empty = matches!(self.data_type(), Some(DataType::Null));
        match (self.is_text || is_empty, is_nested) {
            (true, false) => Some(Field::new(name, DataType::Utf8, true)),
            (true, true) => None,
            (false, _) => Some(self.field(name)),
        }
    }
}

impl Numbers {
    fn see(&mut self, text: &str) {
        if text.contains(['.', 'e', 'E']) {
            self.has_fractions = true;
            self.has_endless |= !text.parse::<f64>().is_ok_and(f64::is_finite);
            return;
        }
        match (text.parse::<i64>(), text.parse::<u64>()) {
            (Ok(number), _) => {
                self.has_negative |= number < 0;
                self.has_long |= number.unsigned_abs() > EXACT;
            }
            (_, Ok(_)) => (self.has_unsigned, self.has_long) = (true, true),
            _ => self.has_endless = true,
        }
    }

    const fn data_type(&self) -> Option<DataType> {
        let Self { has_fractions, has_negative, has_long, has_unsigned, has_endless } = self;
        match (*has_fractions, *has_unsigned) {
            _ if *has_endless => None,
            (true, _) if *has_long => None,
            (true, _) => Some(DataType::Float64),
            (false, true) if *has_negative => None,
            (false, true) => Some(DataType::UInt64),
            (false, false) => Some(DataType::Int64),
        }
    }
}

/// A key, without a copy if it has no escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// Reads an object into its members.
struct ObjectSeed<'k> {
    members: &'k mut Members,
    wants: &'k dyn Fn(&str) -> bool,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for ObjectSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ObjectSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Key(name)) = map.next_key::<Key<'de>>()? {
            let kinds = self.members.of(&name);
            if !(self.wants)(&name) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let json = map.next_value::<&'de RawValue>()?;
            kinds.see(json.get(), self.depth + 1).map_err(serde::de::Error::custom)?;
        }
        Ok(())
    }
}

/// Reads the items of a list.
struct ListVisitor<'k> {
    items: &'k mut Kinds,
    depth: usize,
}

impl<'de> Visitor<'de> for ListVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while let Some(json) = items.next_element::<&'de RawValue>()? {
            self.items.see(json.get(), self.depth + 1).map_err(serde::de::Error::custom)?;
        }
        Ok(())
    }
}
