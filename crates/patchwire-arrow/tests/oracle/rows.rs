//! A row of a column as JSON.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, StructArray};
use arrow_schema::{DataType, Field};
use serde_json::{Value, json};

/// The row of a result. JSON text is parsed.
pub(crate) fn json(answers: &StructArray, row: usize) -> Value {
    let field = Field::new("", answers.data_type().clone(), true);
    value(&field, answers, row)
}

fn value(field: &Field, array: &dyn Array, row: usize) -> Value {
    assert_eq!(field.data_type(), array.data_type());
    if array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Boolean => json!(array.as_boolean().value(row)),
        DataType::Int64 => json!(array.as_primitive::<Int64Type>().value(row)),
        DataType::Float64 => json!(array.as_primitive::<Float64Type>().value(row)),
        DataType::Utf8 => {
            let text = array.as_string::<i32>().value(row);
            let is_json = field.metadata().contains_key(patchwire_arrow::JSON_KEY);
            if is_json { json!({ "json": text }) } else { json!(text) }
        }
        DataType::List(item) => {
            let items = array.as_list::<i32>().value(row);
            (0..items.len()).map(|at| value(item, &items, at)).collect()
        }
        DataType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            let members =
                columns.map(|(field, column)| (field.name().clone(), value(field, column, row)));
            Value::Object(members.collect())
        }
        other => panic!("no column is of {other}"),
    }
}
