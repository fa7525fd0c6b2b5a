//! One field as a type.

use core::future::poll_fn;
use core::pin::Pin;

use futures_core::Stream;
use patchwire::{Value, document::DataError};
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde::forward_to_deserialize_any;

use crate::error::Error;
use crate::path_error::PathError;
use crate::verbs::FieldEvent;

/// Reads the events of a field to their end, and the field as a type.
pub(crate) async fn get_field<T: DeserializeOwned, E>(
    path: &str,
    mut events: impl Stream<Item = Result<FieldEvent, Error<E>>> + Unpin,
) -> Result<T, Error<E>> {
    let end = loop {
        match poll_fn(|cx| Pin::new(&mut events).poll_next(cx)).await {
            Some(Ok(FieldEvent::Done(value) | FieldEvent::Replaced(value))) => break Ok(value),
            Some(Ok(_)) => {}
            Some(Err(error)) => break Err(error),
            None => break Err(Error::Path(PathError::missing(path))),
        }
    };
    read_field(path, end)
}

fn read_field<T: DeserializeOwned, E>(
    path: &str,
    end: Result<Value, Error<E>>,
) -> Result<T, Error<E>> {
    match end {
        Ok(value) => value.as_ref().read().map_err(|error| Error::Data(below(path, error))),
        Err(Error::Path(PathError::Missing { path, names })) => {
            T::deserialize(Absent).map_err(|_| Error::Path(PathError::Missing { path, names }))
        }
        Err(error) => Err(error),
    }
}

fn below(path: &str, mut error: DataError) -> DataError {
    let is_joined = path.is_empty() || error.path.is_empty() || error.path.starts_with('[');
    error.path = format!("{path}{}{}", if is_joined { "" } else { "." }, error.path);
    error
}

/// A field that the answer does not have: `None` for an `Option`, an error for all other types.
struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = DataError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, DataError> {
        Err(de::Error::custom("no value"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
