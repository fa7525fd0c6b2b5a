//! Parts of a table into one file. Nothing is decoded: lines are copied, and the column chunks of Parquet are moved.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::writer::SerializedFileWriter;

use super::error::TableError;
use super::form::TableForm;
use super::table_writer::properties;

/// Joins the parts in a new file, in order.
pub(super) fn splice(parts: &[PathBuf], file: &Path, form: TableForm) -> Result<(), TableError> {
    let name = file.display().to_string();
    let write = |error: io::Error| TableError::Write { name: name.clone(), error };
    if form == TableForm::Parquet {
        return row_groups(parts, file).map_err(|error| TableError::encode(&name, form, &error));
    }
    let mut out = File::create(file).map_err(write)?;
    for part in parts {
        let mut part = File::open(part).map_err(write)?;
        io::copy(&mut part, &mut out).map_err(write)?;
    }
    out.sync_all().map_err(write)
}

/// Moves the row groups of all parts.
fn row_groups(parts: &[PathBuf], file: &Path) -> Result<(), ParquetError> {
    let mut out: Option<SerializedFileWriter<File>> = None;
    for part in parts {
        let part = File::open(part)?;
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&part)?;
        if out.is_none() {
            out = Some(begun(file, &metadata)?);
        }
        let Some(out) = &mut out else { continue };
        for group in metadata.row_groups() {
            let mut copy = out.next_row_group()?;
            for column in group.columns() {
                let size = u64::try_from(column.compressed_size()).unwrap_or_default();
                let rows = u64::try_from(group.num_rows()).unwrap_or_default();
                let moved = ColumnCloseResult {
                    bytes_written: size,
                    rows_written: rows,
                    metadata: column.clone(),
                    bloom_filter: None,
                    column_index: None,
                    offset_index: None,
                };
                copy.append_column(&part, moved)?;
            }
            copy.close()?;
        }
    }
    let Some(out) = out else { return Ok(()) };
    out.into_inner()?.sync_all()?;
    Ok(())
}

/// A file with the schema of a part, and with what Arrow says about it.
fn begun(file: &Path, part: &ParquetMetaData) -> Result<SerializedFileWriter<File>, ParquetError> {
    let about = part.file_metadata();
    let schema = about.schema_descr().root_schema_ptr();
    let mut out = SerializedFileWriter::new(File::create(file)?, schema, Arc::new(properties()))?;
    for pair in about.key_value_metadata().into_iter().flatten() {
        out.append_key_value_metadata(pair.clone());
    }
    Ok(out)
}
