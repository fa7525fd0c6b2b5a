//! JSON lines, read twice: the types of the columns are those of all lines.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

use arrow_schema::{ArrowError, DataType, Field, Schema};

use super::error::TableError;
use super::form::TableForm;
use super::json_copies::JsonCopies;
use super::json_kinds::Members;
use super::table_reader::{BATCH_ROWS, Batches, Counted, WantedColumns, empty, reason};

/// The mark with which some programs begin UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a file as batches. A file without rows has the wanted columns.
pub(super) fn open(
    mut file: Counted,
    name: &str,
    wanted: &WantedColumns<'_>,
) -> Result<Batches, TableError> {
    let read = |error| TableError::Open { name: name.to_owned(), error };
    let lines = unmarked(&mut file).map_err(read)?;
    let Some(members) = members(lines, name, wanted)? else { return Ok(empty(wanted)) };
    let schema = schema(&members, name, wanted)?;
    file.again().map_err(read)?;
    let builder = arrow_json::ReaderBuilder::new(Arc::new(schema)).with_batch_size(BATCH_ROWS);
    // Numbers in the column with the outputs are texts.
    let builder = builder.with_coerce_primitive(true).with_decoder_factory(Arc::new(JsonCopies));
    let batches = builder.build(unmarked(file).map_err(read)?);
    let content =
        |error: ArrowError| TableError::content(name, TableForm::JsonLines, &reason(&error));
    Ok(Box::new(batches.map_err(content)?))
}

/// The members of all lines; none if there are no lines.
fn members(
    mut lines: impl BufRead,
    name: &str,
    wanted: &WantedColumns<'_>,
) -> Result<Option<Members>, TableError> {
    let (mut members, mut line, mut bytes, mut has_rows) =
        (Members::default(), 0_u64, Vec::new(), false);
    loop {
        bytes.clear();
        let read = lines.read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| TableError::Open { name: name.to_owned(), error })?;
        if read == 0 {
            return Ok(has_rows.then_some(members));
        }
        line += 1;
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        has_rows = true;
        members.see(&bytes, &|name| wanted.has(name)).map_err(|error| {
            let reason =
                format!("line {line}, column {}: {}", error.column().max(1), words(&error));
            TableError::content(name, TableForm::JsonLines, &reason)
        })?;
    }
}

/// What is wrong, without the place in the line.
fn words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(&*text, |(words, _)| words).to_owned()
}

/// The wanted columns, in the order in which they appeared.
fn schema(members: &Members, name: &str, wanted: &WantedColumns<'_>) -> Result<Schema, TableError> {
    let mut fields = Vec::new();
    for (member, kinds) in members.all.iter().filter(|(member, _)| wanted.has(member)) {
        if member != wanted.text {
            fields.push(kinds.field(member));
            continue;
        }
        let Some(field) = kinds.text_field(member) else {
            let (name, column) = (name.to_owned(), member.clone());
            return Err(TableError::MixedTexts { name, column });
        };
        fields.push(field);
    }
    for column in wanted.names() {
        if fields.iter().any(|field| field.name() == column) {
            continue;
        }
        if !wanted.may_lack {
            let columns = members.all.iter().map(|(member, _)| member.clone()).collect();
            let (name, column) = (name.to_owned(), column.to_owned());
            return Err(TableError::NoColumn { name, column, columns });
        }
        let is_text = column == wanted.text;
        fields.push(Field::new(
            column,
            if is_text { DataType::Utf8 } else { DataType::Null },
            true,
        ));
    }
    Ok(Schema::new(fields))
}

/// The bytes behind a mark of the byte order.
fn unmarked<R: Read>(file: R) -> io::Result<BufReader<R>> {
    let mut reader = BufReader::new(file);
    if reader.fill_buf()?.starts_with(BYTE_ORDER_MARK) {
        reader.consume(BYTE_ORDER_MARK.len());
    }
    Ok(reader)
}
