//! A table into a file, batch by batch.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_json::LineDelimitedWriter;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use super::error::TableError;
use super::form::TableForm;
use super::json_text::{JsonColumns, flat};
use super::named_zones::in_utc;

/// A file that is being written.
pub(crate) struct TableWriter {
    name: String,
    form: TableForm,
    encoder: TableEncoder,
}

enum TableEncoder {
    Parquet(Box<ArrowWriter<File>>),
    JsonLines(LineDelimitedWriter<BufWriter<File>>),
    Csv(Box<arrow_csv::Writer<BufWriter<File>>>),
}

/// Bytes of a group of rows of Parquet, which waits in memory until it is whole.
const LARGEST_GROUP: usize = 64 << 20;

/// How Parquet is written.
pub(super) fn properties() -> WriterProperties {
    WriterProperties::builder().set_compression(Compression::SNAPPY).build()
}

impl TableWriter {
    /// Creates a file. CSV begins with the names of the columns if it `is_first`: the parts of one table are joined.
    pub(crate) fn create(
        file: &Path,
        form: TableForm,
        schema: &SchemaRef,
        is_first: bool,
    ) -> Result<Self, TableError> {
        let name = file.display().to_string();
        let made = File::create(file);
        let made = made.map_err(|error| TableError::Write { name: name.clone(), error })?;
        let encoder = match form {
            TableForm::Parquet => {
                let writer = ArrowWriter::try_new(made, Arc::clone(schema), Some(properties()));
                let writer = writer.map_err(|error| TableError::encode(&name, form, &error))?;
                TableEncoder::Parquet(Box::new(writer))
            }
            TableForm::JsonLines => {
                let builder = arrow_json::WriterBuilder::new().with_explicit_nulls(true);
                let builder = builder.with_encoder_factory(Arc::new(JsonColumns));
                TableEncoder::JsonLines(builder.build(BufWriter::new(made)))
            }
            TableForm::Csv => {
                let builder = arrow_csv::WriterBuilder::new().with_header(is_first);
                TableEncoder::Csv(Box::new(builder.build(BufWriter::new(made))))
            }
        };
        let mut writer = Self { name, form, encoder };
        if form == TableForm::Csv && is_first {
            // So that a table without rows has its names.
            writer.write(&RecordBatch::new_empty(Arc::clone(schema)))?;
        }
        Ok(writer)
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), TableError> {
        let Self { name, form, encoder } = self;
        let encode = |error: &dyn std::fmt::Display| TableError::encode(name, *form, error);
        match encoder {
            TableEncoder::Parquet(writer) => {
                writer.write(batch).map_err(|error| encode(&error))?;
                let is_large = writer.memory_size() > LARGEST_GROUP;
                if is_large { writer.flush().map_err(|error| encode(&error)) } else { Ok(()) }
            }
            TableEncoder::JsonLines(writer) => {
                let batch = in_utc(batch).map_err(|error| encode(&error))?;
                writer.write(&batch).map_err(|error| encode(&error))
            }
            TableEncoder::Csv(writer) => {
                let batch = in_utc(batch).map_err(|error| encode(&error))?;
                let flat = flat(&batch).map_err(|error| encode(&error))?;
                writer.write(&flat).map_err(|error| encode(&error))
            }
        }
    }

    /// Ends the file. When this returns, it is on the disk.
    pub(crate) fn finish(self) -> Result<(), TableError> {
        let Self { name, form, encoder } = self;
        let written = |file: Result<File, io::Error>| {
            let synced = file.and_then(|file| file.sync_all());
            synced.map_err(|error| TableError::Write { name: name.clone(), error })
        };
        let flushed = |mut buffer: BufWriter<File>| {
            buffer.flush()?;
            buffer.into_inner().map_err(io::IntoInnerError::into_error)
        };
        let encode = |error: &dyn std::fmt::Display| TableError::encode(&name, form, error);
        match encoder {
            TableEncoder::Parquet(writer) => {
                written(Ok(writer.into_inner().map_err(|error| encode(&error))?))
            }
            TableEncoder::JsonLines(mut writer) => {
                writer.finish().map_err(|error| encode(&error))?;
                written(flushed(writer.into_inner()))
            }
            TableEncoder::Csv(writer) => written(flushed(writer.into_inner())),
        }
    }
}
