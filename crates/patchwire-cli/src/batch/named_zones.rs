//! Times of zones that have a name, such as `UTC` or `Europe/Berlin`.
//!
//! Arrow stores times in UTC, and the zone beside them. To print them in a zone, its offsets must be known, and tables
//! of all zones are large: such times are printed in UTC, as the same instants.

use std::sync::Arc;

use arrow_array::timezone::Tz;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema};

/// The offset of UTC.
const UTC: &str = "+00:00";

/// The batch with all times in zones that can be printed.
pub(super) fn in_utc(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let schema = batch.schema();
    let fields: Vec<FieldRef> = schema.fields().iter().map(printable).collect();
    let columns: Result<Vec<ArrayRef>, ArrowError> =
        fields.iter().zip(batch.columns()).map(|(field, column)| cast(column, field)).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns?)
}

fn cast(column: &ArrayRef, field: &Field) -> Result<ArrayRef, ArrowError> {
    if column.data_type() == field.data_type() {
        return Ok(Arc::clone(column));
    }
    arrow_cast::cast(column, field.data_type())
}

/// The field in whose type no zone has a name.
fn printable(field: &FieldRef) -> FieldRef {
    let printed = match field.data_type() {
        DataType::Timestamp(unit, Some(zone)) if zone.parse::<Tz>().is_err() => {
            DataType::Timestamp(*unit, Some(UTC.into()))
        }
        DataType::List(item) => DataType::List(printable(item)),
        DataType::LargeList(item) => DataType::LargeList(printable(item)),
        DataType::FixedSizeList(item, length) => DataType::FixedSizeList(printable(item), *length),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(printable).collect()),
        DataType::Map(entries, is_sorted) => DataType::Map(printable(entries), *is_sorted),
        _ => return Arc::clone(field),
    };
    Arc::new(field.as_ref().clone().with_data_type(printed))
}
