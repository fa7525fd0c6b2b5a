//! The texts of one column of a table, one after another.

use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;

use super::error::TableError;
use super::form::TableForm;
use super::table_reader::{TableReader, WantedColumns};

/// Whether a column of this type can be read.
pub(super) fn is_text(of: &DataType) -> bool {
    match of {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// The column of strings of this name in a batch. Strings that share their values are written out.
pub(super) fn strings(
    name: &str,
    batch: &RecordBatch,
    column: &str,
) -> Result<ArrayRef, TableError> {
    let Some(array) = batch.column_by_name(column) else {
        let schema = batch.schema();
        let columns = schema.fields().iter().map(|field| field.name().clone()).collect();
        let (name, column) = (name.to_owned(), column.to_owned());
        return Err(TableError::NoColumn { name, column, columns });
    };
    let found = array.data_type();
    if !is_text(found) {
        let (name, column, found) = (name.to_owned(), column.to_owned(), found.clone());
        return Err(TableError::NotText { name, column, found });
    }
    if !matches!(found, DataType::Dictionary(..)) {
        return Ok(Arc::clone(array));
    }
    // With offsets of 64 bits: a value may be repeated in each row.
    let texts = arrow_cast::cast(array, &DataType::LargeUtf8);
    texts.map_err(|error| TableError::content(name, TableForm::Parquet, &error))
}

/// Reads the texts of one column. Nulls are left out.
pub(crate) struct ColumnTexts {
    table: TableReader,
    column: String,
    texts: Option<ArrayRef>,
    /// The next row of `texts`.
    at: usize,
    /// The row of the table, from 1.
    row: usize,
}

impl ColumnTexts {
    pub(crate) fn open(file: &Path, form: TableForm, column: &str) -> Result<Self, TableError> {
        let table = TableReader::open(file, form, &WantedColumns::only(column))?;
        Ok(Self { table, column: column.to_owned(), texts: None, at: 0, row: 0 })
    }

    /// The next text and its row; `None` after the last.
    pub(crate) fn next_text(&mut self) -> Result<Option<(usize, String)>, TableError> {
        loop {
            let Some(texts) = self.texts.as_ref().filter(|texts| self.at < texts.len()) else {
                let Some(batch) = self.table.next_batch()? else { return Ok(None) };
                self.texts = Some(strings(self.table.name(), &batch, &self.column)?);
                self.at = 0;
                continue;
            };
            let text = text(texts, self.at);
            (self.at, self.row) = (self.at + 1, self.row + 1);
            if let Some(text) = text {
                return Ok(Some((self.row, text.to_owned())));
            }
        }
    }
}

fn text(texts: &ArrayRef, row: usize) -> Option<&str> {
    if texts.data_type() == &DataType::Null || texts.is_null(row) {
        return None;
    }
    Some(match texts.data_type() {
        DataType::LargeUtf8 => texts.as_string::<i64>().value(row),
        DataType::Utf8View => texts.as_string_view().value(row),
        _ => texts.as_string::<i32>().value(row),
    })
}
