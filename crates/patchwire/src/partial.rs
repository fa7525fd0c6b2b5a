//! Types for values that are still being written.
//!
//! `#[derive(Partial)]` (feature `derive`) makes such a type from the type of the finished value: all fields are
//! options, in nested structs too. A field is `None` until its value begins. Strings, lists and objects then grow;
//! numbers, enums and what is marked `#[partial(whole)]` appear when they are complete.
#![cfg_attr(
    feature = "derive",
    doc = r##"
```
use patchwire::{Partial, Spec};
use serde::Deserialize;

/// An order.
#[derive(Deserialize, Partial)]
#[serde(rename_all = "camelCase")]
struct Order {
    customer_name: String,
    lines: Vec<Line>,
    urgency: Urgency,
}

#[derive(Deserialize, Partial)]
struct Line { sku: String, count: u32 }

#[derive(Debug, Clone, PartialEq, Deserialize, Partial)]
enum Urgency { Low, High }

let mut parser = Spec::json().parser();
parser.feed(r#"{"customerName": "Ada", "lines": [{"sku": "a1", "count": 2}, {"sku": "b"#, |_| {})?;
let draft: PartialOrder = parser.value().read()?;
assert_eq!(draft.customer_name.as_deref(), Some("Ada"));
let lines = draft.lines.unwrap_or_default();
assert_eq!((lines[0].count, lines[1].sku.as_deref()), (Some(2), Some("b")));

parser.feed(r#"2"}], "urgency": "Hi"#, |_| {})?;
assert_eq!(parser.value().read::<PartialOrder>()?.urgency, None); // not complete
parser.feed(r#"gh"}"#, |_| {})?;
assert_eq!(parser.value().read::<PartialOrder>()?.urgency, Some(Urgency::High));
# Ok::<(), Box<dyn std::error::Error>>(())
```
"##
)]
//!
//! A partial type is meant for values of this crate. Other deserializers read complete values with it.

use core::fmt;
use core::marker::PhantomData;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde::{Deserialize, de};

#[doc(hidden)]
pub use serde;

use crate::document::{NAME_SETTLED, WHOLE};

/// A type with a partial form: a type for its values while they are being written.
///
/// Derived by `#[derive(Partial)]`; see the [module](self).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no partial form",
    label = "needed for a value that is still being written",
    note = "derive `Partial` for it, or mark the field with `#[partial(whole)]`: it is then `None` until it is complete"
)]
pub trait Partial {
    /// The type of a value that is still being written.
    type Partial;

    /// Reads what has been written. None if nothing can be read yet, or if the value does not fit.
    ///
    /// # Errors
    /// The deserializer cannot read on. The deserializer of this crate's values always can.
    fn read_partial<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Self::Partial>, D::Error>;
}

/// Reads a field of a partial struct. For derived code.
#[doc(hidden)]
pub fn field<'de, D: Deserializer<'de>, T: Partial>(
    deserializer: D,
) -> Result<Option<T::Partial>, D::Error> {
    T::read_partial(deserializer)
}

/// Reads a value as far as it has come. For derived code.
#[doc(hidden)]
pub fn growing<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    // A value that does not fit is left out: the error is for the whole answer, at its end.
    Ok(Option::deserialize(deserializer).unwrap_or(None))
}

/// Reads a value when it is complete. For derived code.
#[doc(hidden)]
pub fn whole<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    settled(deserializer, WHOLE)
}

/// Reads an enum whose variants are named by a key or a string. For derived code.
#[doc(hidden)]
pub fn variant<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    settled(deserializer, NAME_SETTLED)
}

/// Reads a value once what `name` asks for is complete. For derived code.
#[doc(hidden)]
pub fn settled<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
    name: &'static str,
) -> Result<Option<T>, D::Error> {
    deserializer.deserialize_newtype_struct(name, SettledVisitor(PhantomData))
}

/// Reads an item of a variant, which cannot be read without it. For derived code.
#[doc(hidden)]
pub fn needed<'de, D: Deserializer<'de>, T: Partial>(
    deserializer: D,
) -> Result<T::Partial, D::Error> {
    T::read_partial(deserializer)?.ok_or_else(|| de::Error::custom("not yet complete"))
}

/// Reads an item of a variant when it is complete. For derived code.
#[doc(hidden)]
pub fn needed_whole<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    whole(deserializer)?.ok_or_else(|| de::Error::custom("not yet complete"))
}

/// Reads a value when it is complete, with a function for its type. For derived code.
#[doc(hidden)]
pub fn whole_with<'de, D: Deserializer<'de>, T: WholeWith<'de>>(
    deserializer: D,
) -> Result<Option<T::Value>, D::Error> {
    let read: Option<WithFunction<T::Value, T>> = whole(deserializer)?;
    Ok(read.map(|read| read.value))
}

/// A function that reads a field, as `#[serde(deserialize_with)]` names it. For derived code.
#[doc(hidden)]
pub trait WholeWith<'de> {
    /// The type of the field.
    type Value;

    /// Calls the function.
    ///
    /// # Errors
    /// The errors that the function returns.
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self::Value, D::Error>;
}

struct WithFunction<V, T> {
    value: V,
    function: PhantomData<T>,
}

impl<'de, T: WholeWith<'de>> Deserialize<'de> for WithFunction<T::Value, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { value: T::read(deserializer)?, function: PhantomData })
    }
}

struct SettledVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for SettledVisitor<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_none<E: de::Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        growing(deserializer)
    }
}

/// Types whose values are read as they are: numbers appear whole, and strings grow.
macro_rules! read_as_it_is {
    ($($type:ty => $partial:ty),* $(,)?) => {$(
        impl Partial for $type {
            type Partial = $partial;

            fn read_partial<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Option<$partial>, D::Error> {
                growing(deserializer)
            }
        }
    )*};
}

read_as_it_is! {
    bool => bool, u8 => u8, u16 => u16, u32 => u32, u64 => u64, u128 => u128, usize => usize,
    i8 => i8, i16 => i16, i32 => i32, i64 => i64, i128 => i128, isize => isize,
    f32 => f32, f64 => f64, String => String, Box<str> => String, Cow<'static, str> => String,
    serde_json::Value => serde_json::Value,
    serde_json::Map<String, serde_json::Value> => serde_json::Map<String, serde_json::Value>,
}

/// Types that are read when they are complete.
macro_rules! read_when_whole {
    ($([$($of:ident),*] $type:ty),* $(,)?) => {$(
        impl<$($of: DeserializeOwned),*> Partial for $type {
            type Partial = Self;

            fn read_partial<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Option<Self>, D::Error> {
                whole(deserializer)
            }
        }
    )*};
}

read_when_whole! {
    [] char, [] (), [] std::path::PathBuf, [] std::time::Duration, [] std::net::IpAddr,
    [A] (A,), [A, B] (A, B), [A, B, C] (A, B, C), [A, B, C, E] (A, B, C, E),
}

/// Lists and sets: their items in order. An item that cannot be read yet is left out.
macro_rules! read_as_list {
    ($([$($const:tt)*] $type:ty),* $(,)?) => {$(
        impl<T: Partial, $($const)*> Partial for $type {
            type Partial = Vec<T::Partial>;

            fn read_partial<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Option<Self::Partial>, D::Error> {
                Ok(deserializer.deserialize_seq(ListVisitor::<T>(PhantomData)).ok())
            }
        }
    )*};
}

read_as_list! {
    [] Vec<T>, [] VecDeque<T>, [] Box<[T]>, [] BTreeSet<T>, [S] HashSet<T, S>, [const N: usize] [T; N],
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Partial> Visitor<'de> for ListVisitor<T> {
    type Value = Vec<T::Partial>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Reading::<T>(PhantomData))? {
            list.extend(item);
        }
        Ok(list)
    }
}

/// Reads one item or member.
struct Reading<T>(PhantomData<T>);

impl<'de, T: Partial> DeserializeSeed<'de> for Reading<T> {
    type Value = Option<T::Partial>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        T::read_partial(deserializer)
    }
}

/// Maps: their members. A member that cannot be read yet is left out.
macro_rules! read_as_map {
    ($([$($bound:tt)*] [$($hasher:tt)*] $map:ty => $partial:ty),* $(,)?) => {$(
        impl<K: DeserializeOwned + $($bound)*, T: Partial, $($hasher)*> Partial for $map {
            type Partial = $partial;

            fn read_partial<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Option<Self::Partial>, D::Error> {
                let read = deserializer.deserialize_map(MapVisitor::<K, T>(PhantomData));
                Ok(read.ok().map(|members| members.into_iter().collect()))
            }
        }
    )*};
}

read_as_map! {
    [Ord] [] BTreeMap<K, T> => BTreeMap<K, T::Partial>,
    [Hash + Eq] [S] HashMap<K, T, S> => HashMap<K, T::Partial>,
}

struct MapVisitor<K, T>(PhantomData<fn() -> (K, T)>);

impl<'de, K: DeserializeOwned, T: Partial> Visitor<'de> for MapVisitor<K, T> {
    type Value = Vec<(K, T::Partial)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut map = Vec::new();
        while let Some(key) = members.next_key::<MapKey<K>>()? {
            let Some(key) = key.0 else {
                members.next_value::<IgnoredAny>()?;
                continue;
            };
            let value = members.next_value_seed(Reading::<T>(PhantomData))?;
            map.extend(value.map(|value| (key, value)));
        }
        Ok(map)
    }
}

/// The key of a member; none if it does not fit.
struct MapKey<K>(Option<K>);

impl<'de, K: Deserialize<'de>> Deserialize<'de> for MapKey<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(K::deserialize(deserializer).ok()))
    }
}

impl<T: Partial> Partial for Option<T> {
    type Partial = Option<T::Partial>;

    fn read_partial<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Self::Partial>, D::Error> {
        deserializer.deserialize_option(OptionVisitor::<T>(PhantomData)).map(Some)
    }
}

struct OptionVisitor<T>(PhantomData<T>);

impl<'de, T: Partial> Visitor<'de> for OptionVisitor<T> {
    type Value = Option<T::Partial>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or null")
    }

    fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        T::read_partial(deserializer)
    }
}

impl<T: Partial> Partial for Box<T> {
    type Partial = Box<T::Partial>;

    fn read_partial<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Self::Partial>, D::Error> {
        T::read_partial(deserializer).map(|value| value.map(Box::new))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use crate::document::{Document, NodeKind, Placement};

    #[derive(Debug, PartialEq, Deserialize)]
    struct Row {
        #[serde(deserialize_with = "super::growing")]
        growing: Option<String>,
        #[serde(deserialize_with = "super::whole")]
        whole: Option<String>,
        #[serde(deserialize_with = "super::variant")]
        variant: Option<String>,
    }

    #[test]
    fn an_open_text_is_none_where_all_of_it_is_asked_for() {
        let mut document = Document::default();
        let root = document.open(Placement::Root, NodeKind::Object);
        let texts = ["growing", "whole", "variant"].map(|name| {
            let text = document.open(Placement::Member(root, name), NodeKind::String);
            document.append(text, "ab");
            text
        });
        let text = || Some("ab".to_owned());
        let open = Row { growing: text(), whole: None, variant: None };
        assert_eq!(document.value().read(), Ok(open));
        texts.into_iter().for_each(|text| document.complete(text));
        let done = Row { growing: text(), whole: text(), variant: text() };
        assert_eq!(document.value().read(), Ok(done));
    }
}
