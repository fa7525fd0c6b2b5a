//! A table in a file, batch by batch.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::iter;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::error::TableError;
use super::form::TableForm;
use super::json_lines;

/// Rows that are in memory at once.
pub(crate) const BATCH_ROWS: usize = 1024;

pub(super) type Batches = Box<dyn RecordBatchReader>;

/// The columns that are read.
pub(crate) struct WantedColumns<'a> {
    /// The column with the outputs.
    pub(crate) text: &'a str,
    /// The columns to copy; all if there are none.
    pub(crate) keep: Option<&'a [String]>,
    /// Whether JSON lines may have a column in no line: it is null then.
    pub(crate) may_lack: bool,
}

impl<'a> WantedColumns<'a> {
    /// The column with the outputs alone.
    pub(crate) const fn only(text: &'a str) -> Self {
        Self { text, keep: Some(&[]), may_lack: false }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        name == self.text || self.keep.is_none_or(|keep| keep.iter().any(|kept| kept == name))
    }

    /// The columns that are named, each once.
    pub(super) fn names(&self) -> Vec<&'a str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.keep.into_iter().flatten().map(String::as_str).chain([self.text]) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// A table that is being read. Memory holds one batch.
pub(crate) struct TableReader {
    name: String,
    form: TableForm,
    schema: SchemaRef,
    batches: Batches,
    /// The rest of a batch of which rows were passed over.
    held: Option<RecordBatch>,
    /// How far it is: rows of Parquet, bytes of others.
    done: Arc<AtomicU64>,
    all: u64,
}

impl TableReader {
    /// Opens a table. Columns that are not wanted are not read.
    pub(crate) fn open(
        file: &Path,
        form: TableForm,
        wanted: &WantedColumns<'_>,
    ) -> Result<Self, TableError> {
        let name = file.display().to_string();
        let opened = File::open(file).and_then(|opened| {
            let length = opened.metadata()?.len();
            Ok((opened, length))
        });
        let (opened, bytes) =
            opened.map_err(|error| TableError::Open { name: name.clone(), error })?;
        let done = Arc::new(AtomicU64::new(0));
        let counted = Counted { file: opened, done: Arc::clone(&done) };
        let content = |error: &dyn std::fmt::Display| TableError::content(&name, form, error);
        let (batches, all) = match form {
            TableForm::Parquet => {
                let builder = ParquetRecordBatchReaderBuilder::try_new(counted.file)
                    .map_err(|error| content(&error))?;
                parquet(&name, builder, wanted, &done)?
            }
            TableForm::JsonLines => (json_lines::open(counted, &name, wanted)?, bytes),
            TableForm::Csv => (csv(counted, &name, wanted)?, bytes),
        };
        let schema = batches.schema();
        Ok(Self { name, form, schema, batches, held: None, done, all })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The next batch; `None` after the last.
    pub(crate) fn next_batch(&mut self) -> Result<Option<RecordBatch>, TableError> {
        if let Some(held) = self.held.take() {
            return Ok(Some(held));
        }
        let batch = self.batches.next().transpose();
        batch.map_err(|error| TableError::content(&self.name, self.form, &reason(&error)))
    }

    pub(crate) const fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The next batch, of at most so many rows; `None` after the last.
    pub(crate) fn next_batch_of(&mut self, most: usize) -> Result<Option<RecordBatch>, TableError> {
        let Some(batch) = self.next_batch()? else { return Ok(None) };
        if batch.num_rows() <= most {
            return Ok(Some(batch));
        }
        self.held = Some(batch.slice(most, batch.num_rows() - most));
        Ok(Some(batch.slice(0, most)))
    }

    /// Passes over rows. Whether there were so many.
    pub(crate) fn skip(&mut self, rows: u64) -> Result<bool, TableError> {
        let mut left = usize::try_from(rows).unwrap_or(usize::MAX);
        while left > 0 {
            let Some(batch) = self.next_batch()? else { return Ok(false) };
            if batch.num_rows() > left {
                self.held = Some(batch.slice(left, batch.num_rows() - left));
            }
            left = left.saturating_sub(batch.num_rows());
        }
        Ok(true)
    }

    /// How much of the table was read, from 0 to 1.
    pub(crate) fn share(&self) -> f64 {
        if self.all == 0 { 1.0 } else { self.done.load(Ordering::Relaxed) as f64 / self.all as f64 }
    }
}

/// What Arrow says, without the name of its error.
pub(super) fn reason(error: &ArrowError) -> String {
    let text = error.to_string();
    let text = text.split_once(": ").map_or(&*text, |(_, reason)| reason);
    text.to_owned()
}

fn parquet(
    name: &str,
    builder: ParquetRecordBatchReaderBuilder<File>,
    wanted: &WantedColumns<'_>,
    done: &Arc<AtomicU64>,
) -> Result<(Batches, u64), TableError> {
    let all = u64::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or_default();
    let places = places(name, builder.schema(), wanted)?;
    let mask = ProjectionMask::roots(builder.parquet_schema(), places);
    let builder = builder.with_projection(mask).with_batch_size(BATCH_ROWS);
    let batches =
        builder.build().map_err(|error| TableError::content(name, TableForm::Parquet, &error))?;
    Ok((Box::new(CountedRows { batches, done: Arc::clone(done) }), all))
}

/// Parquet that counts the rows that are read.
struct CountedRows {
    batches: ParquetRecordBatchReader,
    done: Arc<AtomicU64>,
}

impl Iterator for CountedRows {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.batches.next()?;
        let rows = batch.as_ref().map_or(0, RecordBatch::num_rows);
        self.done.fetch_add(rows as u64, Ordering::Relaxed);
        Some(batch)
    }
}

impl RecordBatchReader for CountedRows {
    fn schema(&self) -> SchemaRef {
        self.batches.schema()
    }
}

/// Every column is of strings: no type is guessed, and what is written again is what was read.
fn csv(mut file: Counted, name: &str, wanted: &WantedColumns<'_>) -> Result<Batches, TableError> {
    let content = |error: ArrowError| TableError::content(name, TableForm::Csv, &reason(&error));
    let format = arrow_csv::reader::Format::default().with_header(true);
    let (header, _) = format.infer_schema(&mut file, Some(0)).map_err(content)?;
    if header.fields().is_empty() {
        return Ok(empty(wanted));
    }
    let fields = header.fields().iter().map(|field| Field::new(field.name(), DataType::Utf8, true));
    let schema = Schema::new(fields.collect::<Vec<_>>());
    let places = places(name, &schema, wanted)?;
    file.again().map_err(|error| TableError::Open { name: name.to_owned(), error })?;
    let builder = arrow_csv::ReaderBuilder::new(Arc::new(schema)).with_format(format);
    let builder = builder.with_batch_size(BATCH_ROWS).with_projection(places);
    Ok(Box::new(builder.build(file).map_err(content)?))
}

/// A table without rows, with the columns that are named.
pub(super) fn empty(wanted: &WantedColumns<'_>) -> Batches {
    let fields = wanted.names().into_iter().map(|name| Field::new(name, DataType::Utf8, true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    Box::new(RecordBatchIterator::new(iter::empty(), schema))
}

/// The places of the wanted columns, in the order of the table.
fn places(
    name: &str,
    schema: &Schema,
    wanted: &WantedColumns<'_>,
) -> Result<Vec<usize>, TableError> {
    let names = || schema.fields().iter().map(|field| &**field.name());
    for column in wanted.names() {
        if names().all(|name| name != column) {
            let columns = names().map(str::to_owned).collect();
            let (name, column) = (name.to_owned(), column.to_owned());
            return Err(TableError::NoColumn { name, column, columns });
        }
    }
    let mut seen = HashSet::new();
    let mut places = Vec::new();
    for (place, column) in names().enumerate().filter(|(_, column)| wanted.has(column)) {
        if !seen.insert(column) {
            let (name, column) = (name.to_owned(), column.to_owned());
            return Err(TableError::Repeated { name, column });
        }
        places.push(place);
    }
    Ok(places)
}

/// A file that counts what is read of it.
pub(super) struct Counted {
    file: File,
    done: Arc<AtomicU64>,
}

impl Counted {
    /// Starts from the beginning.
    pub(super) fn again(&mut self) -> io::Result<()> {
        self.done.store(0, Ordering::Relaxed);
        self.file.rewind()
    }
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.done.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
