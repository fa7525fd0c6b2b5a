//! A table in a file, batch by batch.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::error::TableError;
use super::form::TableForm;

/// Rows that are in memory at once.
pub(crate) const BATCH_ROWS: usize = 1024;

type Batches = Box<dyn RecordBatchReader>;

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
    /// Opens a table. Columns other than `wanted`, if they are given, are not read.
    pub(crate) fn open(
        file: &Path,
        form: TableForm,
        wanted: Option<&[String]>,
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
            TableForm::JsonLines => {
                let batches = json_lines(counted, &name, wanted)?;
                (batches, bytes)
            }
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
fn reason(error: &ArrowError) -> String {
    let text = error.to_string();
    let text = text.split_once(": ").map_or(&*text, |(_, reason)| reason);
    text.to_owned()
}

fn parquet(
    name: &str,
    builder: ParquetRecordBatchReaderBuilder<File>,
    wanted: Option<&[String]>,
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

/// The types of the columns are those of all lines: the file is read twice.
fn json_lines(
    mut file: Counted,
    name: &str,
    wanted: Option<&[String]>,
) -> Result<Batches, TableError> {
    let content =
        |error: ArrowError| TableError::content(name, TableForm::JsonLines, &reason(&error));
    let inferred = arrow_json::reader::infer_json_schema(BufReader::new(&mut file), None);
    let (schema, _) = inferred.map_err(content)?;
    let schema = projected(name, schema, wanted)?;
    file.again().map_err(|error| TableError::Open { name: name.to_owned(), error })?;
    let builder = arrow_json::ReaderBuilder::new(Arc::new(schema));
    let builder = builder.with_batch_size(BATCH_ROWS).with_coerce_primitive(true);
    Ok(Box::new(builder.build(BufReader::new(file)).map_err(content)?))
}

/// Every column is of strings: no type is guessed, and what is written again is what was read.
fn csv(mut file: Counted, name: &str, wanted: Option<&[String]>) -> Result<Batches, TableError> {
    let content = |error: ArrowError| TableError::content(name, TableForm::Csv, &reason(&error));
    let format = arrow_csv::reader::Format::default().with_header(true);
    let (header, _) = format.infer_schema(&mut file, Some(0)).map_err(content)?;
    let fields = header.fields().iter().map(|field| Field::new(field.name(), DataType::Utf8, true));
    let schema = Schema::new(fields.collect::<Vec<_>>());
    let places = places(name, &schema, wanted)?;
    file.again().map_err(|error| TableError::Open { name: name.to_owned(), error })?;
    let builder = arrow_csv::ReaderBuilder::new(Arc::new(schema)).with_format(format);
    let builder = builder.with_batch_size(BATCH_ROWS).with_projection(places);
    Ok(Box::new(builder.build(file).map_err(content)?))
}

/// The places of the wanted columns, in the order of the table.
fn places(
    name: &str,
    schema: &Schema,
    wanted: Option<&[String]>,
) -> Result<Vec<usize>, TableError> {
    let names = || schema.fields().iter().map(|field| field.name());
    let Some(wanted) = wanted else { return Ok((0..schema.fields().len()).collect()) };
    if let Some(missing) = wanted.iter().find(|wanted| names().all(|name| name != *wanted)) {
        let columns = names().cloned().collect();
        let (name, column) = (name.to_owned(), missing.clone());
        return Err(TableError::NoColumn { name, column, columns });
    }
    let places = names().enumerate().filter(|(_, name)| wanted.contains(name));
    Ok(places.map(|(place, _)| place).collect())
}

fn projected(name: &str, schema: Schema, wanted: Option<&[String]>) -> Result<Schema, TableError> {
    let places = places(name, &schema, wanted)?;
    Ok(Schema::new(places.iter().map(|place| schema.field(*place).clone()).collect::<Vec<_>>()))
}

/// A file that counts what is read of it.
struct Counted {
    file: File,
    done: Arc<AtomicU64>,
}

impl Counted {
    /// Starts from the beginning.
    fn again(&mut self) -> io::Result<()> {
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
