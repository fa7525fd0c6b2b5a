//! Columns that grow row by row.

use core::fmt::{self, Write as _};
use std::sync::Arc;

use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BooleanArray, ListArray, PrimitiveArray, StringArray, StructArray,
};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, FieldRef, Fields};

use crate::error::BatchError;
use crate::shape::{ITEM, Members, Shape};

/// A column of any type.
pub(crate) enum Column {
    Bool(BoolColumn),
    Integer(NumberColumn<Int64Type>),
    Float(NumberColumn<Float64Type>),
    Text(TextColumn),
    Json(TextColumn),
    List(Box<ListColumn>),
    Struct(StructColumn),
}

impl Column {
    pub(crate) fn new(shape: &Shape) -> Self {
        match shape {
            Shape::Bool => Self::Bool(BoolColumn::default()),
            Shape::Integer => Self::Integer(NumberColumn::default()),
            Shape::Float => Self::Float(NumberColumn::default()),
            Shape::Text => Self::Text(TextColumn::default()),
            Shape::Json => Self::Json(TextColumn::default()),
            Shape::List(item) => Self::List(Box::new(ListColumn {
                rows: Ends::default(),
                item: Self::new(item),
                field: Arc::new(item.field(ITEM)),
            })),
            Shape::Struct(members) => Self::Struct(StructColumn {
                columns: members.shapes.iter().map(Self::new).collect(),
                members: Arc::clone(members),
                nulls: NullBufferBuilder::new(0),
            }),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Bool(column) => column.values.len(),
            Self::Integer(column) => column.values.len(),
            Self::Float(column) => column.values.len(),
            Self::Text(column) | Self::Json(column) => column.rows.len(),
            Self::List(column) => column.rows.len(),
            Self::Struct(column) => column.nulls.len(),
        }
    }

    pub(crate) fn push_null(&mut self) {
        match self {
            Self::Bool(column) => column.push_null(),
            Self::Integer(column) => column.push_null(),
            Self::Float(column) => column.push_null(),
            Self::Text(column) | Self::Json(column) => column.push_null(),
            Self::List(column) => column.rows.push_null(),
            Self::Struct(column) => {
                column.nulls.append_null();
                column.columns.iter_mut().for_each(Self::push_null);
            }
        }
    }

    /// Adds the rows of another column of the same type.
    pub(crate) fn extend(&mut self, other: Self) {
        match (self, other) {
            (Self::Bool(column), Self::Bool(other)) => column.extend(other),
            (Self::Integer(column), Self::Integer(other)) => column.extend(other),
            (Self::Float(column), Self::Float(other)) => column.extend(other),
            (Self::Text(column), Self::Text(other)) | (Self::Json(column), Self::Json(other)) => {
                column.extend(other);
            }
            (Self::List(column), Self::List(other)) => {
                let other = *other;
                column.rows.extend(other.rows);
                column.item.extend(other.item);
            }
            (Self::Struct(column), Self::Struct(other)) => {
                extend_nulls(&mut column.nulls, other.nulls);
                for (column, other) in column.columns.iter_mut().zip(other.columns) {
                    column.extend(other);
                }
            }
            _ => unreachable!("columns of one batch are made of one shape"),
        }
    }

    /// The array; `field` is its name in an error.
    pub(crate) fn finish(self, field: &str) -> Result<ArrayRef, BatchError> {
        Ok(match self {
            Self::Bool(column) => column.finish(),
            Self::Integer(column) => column.finish(),
            Self::Float(column) => column.finish(),
            Self::Text(column) | Self::Json(column) => column.finish(field)?,
            Self::List(column) => {
                let items = column.item.finish(field)?;
                column.rows.list(column.field, items, field)?
            }
            Self::Struct(column) => {
                let finish = |column: Self| column.finish(field);
                let columns: Result<Vec<ArrayRef>, BatchError> =
                    column.columns.into_iter().map(finish).collect();
                structure(column.members.fields.clone(), columns?, column.nulls)
            }
        })
    }
}

/// A list in each row.
pub(crate) struct ListColumn {
    pub(crate) rows: Ends,
    pub(crate) item: Column,
    field: FieldRef,
}

/// An object in each row.
pub(crate) struct StructColumn {
    pub(crate) members: Arc<Members>,
    pub(crate) columns: Vec<Column>,
    pub(crate) nulls: NullBufferBuilder,
}

/// A text in each row.
#[derive(Default)]
pub(crate) struct TextColumn {
    text: String,
    rows: Ends,
}

impl TextColumn {
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.rows.push(self.text.len());
    }

    pub(crate) fn push_printed(&mut self, value: impl fmt::Display) {
        // Writing to a `String` cannot fail.
        let _ = write!(self.text, "{value}");
        self.rows.push(self.text.len());
    }

    pub(crate) fn push_if(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.push(text),
            None => self.push_null(),
        }
    }

    pub(crate) fn push_null(&mut self) {
        self.rows.push_null();
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.text.push_str(&other.text);
        self.rows.extend(other.rows);
    }

    pub(crate) fn finish(self, field: &str) -> Result<ArrayRef, BatchError> {
        let (offsets, mut nulls) = self.rows.offsets(field)?;
        let values = Buffer::from_vec(self.text.into_bytes());
        Ok(Arc::new(checked(StringArray::try_new(offsets, values, nulls.finish()))))
    }
}

/// A bool in each row.
pub(crate) struct BoolColumn {
    values: BooleanBufferBuilder,
    nulls: NullBufferBuilder,
}

impl Default for BoolColumn {
    fn default() -> Self {
        Self { values: BooleanBufferBuilder::new(0), nulls: NullBufferBuilder::new(0) }
    }
}

impl BoolColumn {
    pub(crate) fn push(&mut self, value: bool) {
        self.values.append(value);
        self.nulls.append_non_null();
    }

    fn push_null(&mut self) {
        self.values.append(false);
        self.nulls.append_null();
    }

    pub(crate) fn extend(&mut self, mut other: Self) {
        self.values.append_buffer(&other.values.finish());
        extend_nulls(&mut self.nulls, other.nulls);
    }

    pub(crate) fn finish(mut self) -> ArrayRef {
        Arc::new(BooleanArray::new(self.values.finish(), self.nulls.finish()))
    }
}

/// A number in each row.
pub(crate) struct NumberColumn<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    nulls: NullBufferBuilder,
}

impl<T: ArrowPrimitiveType> Default for NumberColumn<T> {
    fn default() -> Self {
        Self { values: Vec::new(), nulls: NullBufferBuilder::new(0) }
    }
}

impl<T: ArrowPrimitiveType> NumberColumn<T> {
    pub(crate) fn push(&mut self, value: T::Native) {
        self.values.push(value);
        self.nulls.append_non_null();
    }

    pub(crate) fn push_if(&mut self, value: Option<T::Native>) {
        match value {
            Some(value) => self.push(value),
            None => self.push_null(),
        }
    }

    fn push_null(&mut self) {
        self.values.push(T::Native::default());
        self.nulls.append_null();
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.values.extend_from_slice(&other.values);
        extend_nulls(&mut self.nulls, other.nulls);
    }

    pub(crate) fn finish(mut self) -> ArrayRef {
        let values = ScalarBuffer::from(self.values);
        Arc::new(PrimitiveArray::<T>::new(values, self.nulls.finish()))
    }
}

/// Where each row of a text or list ends.
pub(crate) struct Ends {
    ends: Vec<usize>,
    nulls: NullBufferBuilder,
}

impl Default for Ends {
    fn default() -> Self {
        Self { ends: Vec::new(), nulls: NullBufferBuilder::new(0) }
    }
}

impl Ends {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn last(&self) -> usize {
        self.ends.last().copied().unwrap_or_default()
    }

    pub(crate) fn push(&mut self, end: usize) {
        self.ends.push(end);
        self.nulls.append_non_null();
    }

    pub(crate) fn push_null(&mut self) {
        self.ends.push(self.last());
        self.nulls.append_null();
    }

    pub(crate) fn extend(&mut self, other: Self) {
        let before = self.last();
        self.ends.extend(other.ends.iter().map(|end| before + end));
        extend_nulls(&mut self.nulls, other.nulls);
    }

    /// The offsets of Arrow, which are 32 bits wide.
    fn offsets(self, field: &str) -> Result<(OffsetBuffer<i32>, NullBufferBuilder), BatchError> {
        let too_large = || BatchError::TooLarge { field: field.to_owned() };
        i32::try_from(self.last()).map_err(|_| too_large())?;
        // The last is the largest, and it fits.
        let ends = self.ends.iter().map(|end| *end as i32);
        let offsets: Vec<i32> = core::iter::once(0).chain(ends).collect();
        Ok((OffsetBuffer::new(ScalarBuffer::from(offsets)), self.nulls))
    }

    /// The array of lists of these items.
    pub(crate) fn list(
        self,
        item: FieldRef,
        items: ArrayRef,
        field: &str,
    ) -> Result<ArrayRef, BatchError> {
        let (offsets, mut nulls) = self.offsets(field)?;
        Ok(Arc::new(checked(ListArray::try_new(item, offsets, items, nulls.finish()))))
    }
}

/// A struct array of columns of equal length.
pub(crate) fn structure(
    fields: Fields,
    columns: Vec<ArrayRef>,
    mut nulls: NullBufferBuilder,
) -> ArrayRef {
    let len = nulls.len();
    Arc::new(checked(StructArray::try_new_with_length(fields, columns, nulls.finish(), len)))
}

/// Arrow checks what it is given. Columns of this crate are made row by row, so that their parts agree.
fn checked<T>(array: Result<T, ArrowError>) -> T {
    array.unwrap_or_else(|error| unreachable!("the parts of a column agree: {error}"))
}

pub(crate) fn extend_nulls(nulls: &mut NullBufferBuilder, mut other: NullBufferBuilder) {
    let len = other.len();
    match other.finish() {
        Some(other) => nulls.append_buffer(&other),
        None => nulls.append_n_non_nulls(len),
    }
}
