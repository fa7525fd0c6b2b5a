//! Columns of strings, whatever their layout.

use arrow_array::cast::AsArray as _;
use arrow_array::{Array, LargeStringArray, StringArray, StringViewArray};
use arrow_schema::DataType;

use crate::error::BatchError;

/// The strings of a dictionary, each in its row, as pandas and Polars have them in columns of categories. `None` if the array
/// is no dictionary of strings. A value may be repeated in many rows: the offsets have 64 bits.
pub(crate) fn written_out(array: &dyn Array) -> Option<LargeStringArray> {
    let dictionary = array.as_any_dictionary_opt()?;
    let values = Texts::of(dictionary.values()).ok()?;
    if values.len() == 0 {
        return Some(LargeStringArray::new_null(array.len()));
    }
    let keys = dictionary.normalized_keys();
    let text = |(row, key): (usize, &usize)| values.get(*key).filter(|_| array.is_valid(row));
    Some(keys.iter().enumerate().map(text).collect())
}

/// A column of strings. Copying copies a pointer.
#[derive(Clone, Copy)]
pub(crate) enum Texts<'a> {
    Small(&'a StringArray),
    Large(&'a LargeStringArray),
    View(&'a StringViewArray),
    /// A column without a type: so many nulls.
    Nulls(usize),
}

impl<'a> Texts<'a> {
    pub(crate) fn of(array: &'a dyn Array) -> Result<Self, BatchError> {
        match array.data_type() {
            DataType::Utf8 => Ok(Self::Small(array.as_string())),
            DataType::LargeUtf8 => Ok(Self::Large(array.as_string())),
            DataType::Utf8View => Ok(Self::View(array.as_string_view())),
            DataType::Null => Ok(Self::Nulls(array.len())),
            found => Err(BatchError::NotText { found: found.clone() }),
        }
    }

    pub(crate) fn len(self) -> usize {
        match self {
            Self::Small(array) => array.len(),
            Self::Large(array) => array.len(),
            Self::View(array) => array.len(),
            Self::Nulls(len) => len,
        }
    }

    /// The text of a row; `None` if it is null.
    pub(crate) fn get(self, row: usize) -> Option<&'a str> {
        match self {
            Self::Small(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Self::View(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Nulls(_) => None,
        }
    }
}
