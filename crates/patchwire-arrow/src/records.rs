//! The lists of a row: notices, failures and calls.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::types::Int64Type;
use arrow_buffer::NullBufferBuilder;
use arrow_schema::Field;
use patchwire::answer::Call;

use crate::column::{BoolColumn, Ends, NumberColumn, TextColumn, structure};
use crate::error::BatchError;
use crate::shape::{ITEM, Shape, members};

/// What is said about a place of an answer.
pub(crate) struct Record<'a> {
    pub(crate) code: &'a str,
    pub(crate) path: &'a str,
    pub(crate) message: &'a str,
    /// The byte of the text, if it is known.
    pub(crate) offset: Option<u64>,
}

/// A list of records in each row.
#[derive(Default)]
pub(crate) struct Records {
    rows: Ends,
    code: TextColumn,
    path: TextColumn,
    message: TextColumn,
    offset: NumberColumn<Int64Type>,
    count: usize,
}

impl Records {
    pub(crate) fn shape() -> Shape {
        let text = |name: &str| (name.to_owned(), Shape::Text);
        let offset = ("offset".to_owned(), Shape::Integer);
        list(vec![text("code"), text("path"), text("message"), offset])
    }

    pub(crate) fn push(&mut self, record: &Record<'_>) {
        self.code.push(record.code);
        self.path.push(record.path);
        self.message.push(record.message);
        self.offset.push_if(record.offset.and_then(|offset| offset.try_into().ok()));
        self.count += 1;
    }

    /// Ends the row of the records before.
    pub(crate) fn end_row(&mut self) {
        self.rows.push(self.count);
    }

    pub(crate) fn push_null(&mut self) {
        self.rows.push_null();
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.rows.extend(other.rows);
        self.code.extend(other.code);
        self.path.extend(other.path);
        self.message.extend(other.message);
        self.offset.extend(other.offset);
        self.count += other.count;
    }

    pub(crate) fn finish(self, field: &str) -> Result<ArrayRef, BatchError> {
        let columns = vec![
            self.code.finish(field)?,
            self.path.finish(field)?,
            self.message.finish(field)?,
            self.offset.finish(),
        ];
        list_of(&Self::shape(), self.rows, self.count, columns, field)
    }
}

/// A list of tool calls in each row.
#[derive(Default)]
pub(crate) struct Calls {
    rows: Ends,
    id: TextColumn,
    name: TextColumn,
    arguments: TextColumn,
    text: TextColumn,
    is_complete: BoolColumn,
    count: usize,
}

impl Calls {
    pub(crate) fn shape() -> Shape {
        let text = |name: &str| (name.to_owned(), Shape::Text);
        let arguments = ("arguments".to_owned(), Shape::Json);
        let is_complete = ("is_complete".to_owned(), Shape::Bool);
        list(vec![text("id"), text("name"), arguments, text("text"), is_complete])
    }

    pub(crate) fn push_row(&mut self, calls: &[Call]) {
        for call in calls {
            self.id.push_if(call.id());
            self.name.push(call.name());
            match call.arguments() {
                arguments if arguments.exists() => self.arguments.push_printed(arguments),
                _ => self.arguments.push_null(),
            }
            self.text.push_if(call.text());
            self.is_complete.push(call.is_complete());
        }
        self.count += calls.len();
        self.rows.push(self.count);
    }

    pub(crate) fn push_null(&mut self) {
        self.rows.push_null();
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.rows.extend(other.rows);
        self.id.extend(other.id);
        self.name.extend(other.name);
        self.arguments.extend(other.arguments);
        self.text.extend(other.text);
        self.is_complete.extend(other.is_complete);
        self.count += other.count;
    }

    pub(crate) fn finish(self, field: &str) -> Result<ArrayRef, BatchError> {
        let columns = vec![
            self.id.finish(field)?,
            self.name.finish(field)?,
            self.arguments.finish(field)?,
            self.text.finish(field)?,
            self.is_complete.finish(),
        ];
        list_of(&Self::shape(), self.rows, self.count, columns, field)
    }
}

fn list(fields: Vec<(String, Shape)>) -> Shape {
    Shape::List(Arc::new(members(fields)))
}

/// The array of lists of structs with these columns.
fn list_of(
    shape: &Shape,
    rows: Ends,
    count: usize,
    columns: Vec<ArrayRef>,
    field: &str,
) -> Result<ArrayRef, BatchError> {
    let Shape::List(item) = shape else { unreachable!("it is the shape of a list") };
    let Shape::Struct(members) = &**item else { unreachable!("its items are structs") };
    let mut nulls = NullBufferBuilder::new(0);
    nulls.append_n_non_nulls(count);
    let item: Field = item.field(ITEM);
    rows.list(Arc::new(item), structure(members.fields.clone(), columns, nulls), field)
}
