//! Values of the engine into columns, without a copy between.

use patchwire::path::{PathBuf, Segment};
use patchwire::{ValueKind, ValueRef};

use crate::column::{Column, ListColumn, StructColumn};

/// At most this many values that do not fit are told apart in a row.
const MOST: usize = 64;

/// Whole numbers up to here are exact in a float.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A value that has no place in its column.
pub(crate) struct Misfit {
    pub(crate) path: String,
    pub(crate) reason: MisfitReason,
}

/// Why a value has no place in its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MisfitReason {
    /// The value is of another type than the column.
    Type(&'static str),
    /// The number is larger than the column's type.
    Range(&'static str),
    /// The schema declares no such member.
    Undeclared,
}

/// The steps from the root to a value, the last one first.
struct Place<'a> {
    above: Option<&'a Self>,
    step: Segment<'a>,
}

/// Writes values into columns, and notes what does not fit.
#[derive(Default)]
pub(crate) struct ValueWriter {
    pub(crate) misfits: Vec<Misfit>,
}

impl ValueWriter {
    /// Adds a row. An absent value is null.
    pub(crate) fn write(&mut self, column: &mut Column, value: ValueRef<'_>) {
        self.value(column, value, None);
    }

    /// Recurses as deep as the type of the column, which has a bound.
    fn value(&mut self, column: &mut Column, value: ValueRef<'_>, at: Option<&Place<'_>>) {
        let reason = match (&mut *column, value.kind()) {
            (_, ValueKind::Null) => return column.push_null(),
            (Column::Json(json), _) => return json.push_printed(value),
            (Column::Text(texts), _) => match value.as_str() {
                Some(text) => return texts.push(text),
                None => MisfitReason::Type("a string"),
            },
            (Column::Bool(bools), _) => match value.as_bool() {
                Some(bool) => return bools.push(bool),
                None => MisfitReason::Type("true or false"),
            },
            (Column::Integer(numbers), ValueKind::Number) => match integer(value) {
                Ok(number) => return numbers.push(number),
                Err(reason) => reason,
            },
            (Column::Float(numbers), ValueKind::Number) => match value.as_f64() {
                Some(number) if number.is_finite() => return numbers.push(number),
                _ => MisfitReason::Range("a number of 64 bits"),
            },
            (Column::List(lists), ValueKind::List) => return self.list(lists, value, at),
            (Column::Struct(objects), ValueKind::Object) => return self.object(objects, value, at),
            (Column::Integer(_), _) => MisfitReason::Type("a whole number"),
            (Column::Float(_), _) => MisfitReason::Type("a number"),
            (Column::List(_), _) => MisfitReason::Type("a list"),
            (Column::Struct(_), _) => MisfitReason::Type("an object"),
        };
        self.note(reason, at);
        column.push_null();
    }

    fn list(&mut self, column: &mut ListColumn, value: ValueRef<'_>, at: Option<&Place<'_>>) {
        for (index, (_, item)) in (0..).zip(value.entries()) {
            let place = Place { above: at, step: Segment::Index(index) };
            self.value(&mut column.item, item, Some(&place));
        }
        column.rows.push(column.item.len());
    }

    fn object(&mut self, column: &mut StructColumn, value: ValueRef<'_>, at: Option<&Place<'_>>) {
        let StructColumn { members, columns, nulls } = column;
        let row = nulls.len();
        nulls.append_non_null();
        // The engine writes members in the order of the schema.
        let mut next = 0;
        for (key, child) in value.entries() {
            let key = key.unwrap_or_default();
            let is_next = members.fields.get(next).is_some_and(|field| field.name() == key);
            let found = if is_next { Some(next) } else { members.place(key) };
            let place = Place { above: at, step: Segment::Key(key) };
            let Some(found) = found else {
                self.note(MisfitReason::Undeclared, Some(&place));
                continue;
            };
            next = found + 1;
            // If a value that was stopped repeats a key, the first counts.
            if columns[found].len() == row {
                self.value(&mut columns[found], child, Some(&place));
            }
        }
        for column in columns {
            if column.len() == row {
                column.push_null();
            }
        }
    }

    fn note(&mut self, reason: MisfitReason, at: Option<&Place<'_>>) {
        if self.misfits.len() < MOST {
            self.misfits.push(Misfit { path: path(at), reason });
        }
    }
}

/// The number, if it is whole, however it is written: `3`, `3.0`, `3e2`.
fn integer(value: ValueRef<'_>) -> Result<i64, MisfitReason> {
    if let Some(number) = value.as_i64() {
        return Ok(number);
    }
    match value.as_f64() {
        Some(number) if number.fract() != 0.0 => Err(MisfitReason::Type("a whole number")),
        // It is whole and small: the conversion is exact.
        Some(number) if number.abs() <= EXACT => Ok(number as i64),
        _ => Err(MisfitReason::Range("a whole number of 64 bits")),
    }
}

fn path(at: Option<&Place<'_>>) -> String {
    let steps = core::iter::successors(at, |place| place.above).map(|place| place.step);
    let steps: Vec<Segment<'_>> = steps.collect();
    let path = steps.iter().rev().fold(PathBuf::root(), |path, step| path.child(*step));
    path.to_string()
}
