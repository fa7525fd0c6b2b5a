//! Reads rows, one after another, into the columns of the result.

use std::sync::Arc;

use arrow_array::{ArrayRef, StructArray};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::Fields;
use patchwire::notice::OwnedNotice;
use patchwire::{Answer, Code, Error, Parser, Spec};

use crate::column::{Column, TextColumn};
use crate::error::BatchError;
use crate::records::{Calls, Record, Records};
use crate::shape::Shape;
use crate::value::{Misfit, MisfitReason, ValueWriter};

/// The outcome of a row that was not read to its end: a limit was reached, or strict reading found an error, which
/// `failures` names.
pub const STOPPED: &str = "stopped";

/// The names of the fields of a result, in order.
const NAMES: [&str; 7] = ["value", "outcome", "notices", "failures", "reasoning", "text", "calls"];

/// The fields of a result whose values have this type.
pub(crate) fn fields(value: &Shape) -> Fields {
    let (text, records) = (Shape::Text, Records::shape());
    let shapes = [value, &text, &records, &records, &text, &text, &Calls::shape()];
    NAMES.iter().zip(shapes).map(|(name, shape)| Arc::new(shape.field(name))).collect()
}

/// Rows that were read, as columns that grow.
pub(crate) struct Rows {
    parser: Parser,
    writer: ValueWriter,
    nulls: NullBufferBuilder,
    value: Column,
    outcome: TextColumn,
    notices: Records,
    failures: Records,
    reasoning: TextColumn,
    text: TextColumn,
    calls: Calls,
}

impl Rows {
    pub(crate) fn new(spec: &Spec, value: &Shape) -> Self {
        Self {
            parser: spec.parser(),
            writer: ValueWriter::default(),
            nulls: NullBufferBuilder::new(0),
            value: Column::new(value),
            outcome: TextColumn::default(),
            notices: Records::default(),
            failures: Records::default(),
            reasoning: TextColumn::default(),
            text: TextColumn::default(),
            calls: Calls::default(),
        }
    }

    /// Reads the text of the next row.
    pub(crate) fn push(&mut self, text: Option<&str>) {
        let Some(text) = text else { return self.push_null() };
        self.nulls.append_non_null();
        let fed = self.parser.feed(text, |_| {});
        match fed.and_then(|()| self.parser.finish(|_| {})) {
            Ok(answer) => self.answer(&answer),
            Err(error) => self.stopped(error),
        }
        self.parser.reset();
        self.misfits();
        self.notices.end_row();
        self.failures.end_row();
    }

    fn push_null(&mut self) {
        self.nulls.append_null();
        self.value.push_null();
        self.outcome.push_null();
        self.notices.push_null();
        self.failures.push_null();
        self.reasoning.push_null();
        self.text.push_null();
        self.calls.push_null();
    }

    fn answer(&mut self, answer: &Answer) {
        self.writer.write(&mut self.value, answer.value());
        self.outcome.push(answer.outcome().name());
        for OwnedNotice { code, path, span, .. } in answer.notices() {
            let (code, message) = (code.name(), code.message());
            self.notices.push(&Record { code, path, message, offset: Some(span.start) });
        }
        for failure in answer.failures() {
            let (code, path) = (failure.kind.name(), failure.path.to_string());
            let message = failure.to_string();
            self.failures.push(&Record { code, path: &path, message: &message, offset: None });
        }
        self.reasoning.push(answer.reasoning());
        self.text.push(answer.text());
        self.calls.push_row(answer.calls());
    }

    /// The value so far, and what stopped the reading.
    fn stopped(&mut self, error: Error) {
        self.writer.write(&mut self.value, self.parser.value());
        self.outcome.push(STOPPED);
        let (code, message) = (error.kind.name(), error.to_string());
        let offset = Some(error.offset);
        self.failures.push(&Record { code, path: "", message: &message, offset });
        self.reasoning.push_null();
        self.text.push_null();
        self.calls.push_null();
    }

    /// Notes the values that have no place in their columns.
    fn misfits(&mut self) {
        for Misfit { path, reason } in self.writer.misfits.drain(..) {
            let (code, wanted) = match reason {
                MisfitReason::Type(wanted) => ("wrong_type", wanted),
                MisfitReason::Range(wanted) => ("out_of_range", wanted),
                MisfitReason::Undeclared => {
                    let (code, message) = (Code::UnknownField.name(), Code::UnknownField.message());
                    self.notices.push(&Record { code, path: &path, message, offset: None });
                    continue;
                }
            };
            let place = if path.is_empty() { "the answer" } else { &path };
            let message = format!("{place} should be {wanted}, and is null here");
            self.failures.push(&Record { code, path: &path, message: &message, offset: None });
        }
    }

    /// Adds the rows of another part of the batch.
    pub(crate) fn extend(&mut self, other: Self) {
        crate::column::extend_nulls(&mut self.nulls, other.nulls);
        self.value.extend(other.value);
        self.outcome.extend(other.outcome);
        self.notices.extend(other.notices);
        self.failures.extend(other.failures);
        self.reasoning.extend(other.reasoning);
        self.text.extend(other.text);
        self.calls.extend(other.calls);
    }

    pub(crate) fn finish(mut self, fields: &Fields) -> Result<StructArray, BatchError> {
        let len = self.nulls.len();
        let columns: Vec<ArrayRef> = vec![
            self.value.finish("value")?,
            self.outcome.finish("outcome")?,
            self.notices.finish("notices")?,
            self.failures.finish("failures")?,
            self.reasoning.finish("reasoning")?,
            self.text.finish("text")?,
            self.calls.finish("calls")?,
        ];
        let array =
            StructArray::try_new_with_length(fields.clone(), columns, self.nulls.finish(), len);
        Ok(array.unwrap_or_else(|error| unreachable!("the columns have equal lengths: {error}")))
    }
}
