//! A column of model outputs in, a typed column out: [`patchwire`] on [Apache Arrow](https://arrow.apache.org).
//!
//! [`parse`] reads each row as [`Spec::parse`](patchwire::Spec::parse) reads one text, and returns a struct array with one
//! row for each row that went in:
//!
//! | field | type | what it is |
//! |---|---|---|
//! | `value` | by the schema; without one, JSON text | the value of the answer |
//! | `outcome` | string | how the answer ended: a name of [`Outcome`](patchwire::Outcome), or [`STOPPED`] |
//! | `notices` | list of `code`, `path`, `message`, `offset` | what was skipped, repaired or guessed |
//! | `failures` | the same | checks that failed, and what stopped the reading |
//! | `reasoning`, `text` | string | the model's reasoning; text outside the payload |
//! | `calls` | list of `id`, `name`, `arguments`, `text`, `is_complete` | tool calls that the model wrote as text |
//!
//! ```
//! use arrow_array::{Array, StringArray, cast::AsArray as _, types::Int64Type};
//! use patchwire::{Schema, Spec, schema::{int, object, str}};
//!
//! let outputs = StringArray::from(vec![
//!     Some(r#"Sure! {"sku": "a1", "count": "3",}"#),
//!     None,
//!     Some("I cannot help with that."),
//! ]);
//! let schema: Schema = object().field("sku", str("")).field("count", int("")).into();
//! let answers = patchwire_arrow::parse(&outputs, &Spec::builder().schema(schema).build()?)?;
//!
//! let value = answers.column_by_name("value").expect("it is a field").as_struct();
//! assert_eq!(value.column(0).as_string::<i32>().value(0), "a1");
//! assert_eq!(value.column(1).as_primitive::<Int64Type>().value(0), 3);
//! assert!(answers.is_null(1) && value.is_null(2));
//! let outcome = answers.column_by_name("outcome").expect("it is a field").as_string::<i32>();
//! assert_eq!((outcome.value(0), outcome.value(2)), ("repaired", "failed"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Types
//!
//! An object with declared members becomes a struct, an array a list, `integer` 64 bits, `number` a float of 64 bits,
//! `boolean` and `string` themselves; every field may be null. What has no single type (unions, maps, recursive
//! types, values without a type) is a string of JSON, whose field has the metadata [`JSON_KEY`].
//!
//! # Rows that fail
//!
//! No row stops the batch. A row that reaches a limit, or breaks the syntax under strict reading, has the outcome
//! [`STOPPED`], the error in `failures`, and the value that was read up to there. A value that does not fit its type is
//! null, and `failures` says so: `wrong_type`, or `out_of_range` for numbers. Members that the schema does not declare have no
//! column: each is a notice `unknown_field`.
//!
//! # Cost
//!
//! Rows are read in parallel on a pool of [`rayon`]; [`BatchParser::with_threads`] sets its size. Results are in order. Memory
//! is proportional to the batch: to read a table of any size, pass it batch by batch.
#![forbid(unsafe_code)]
// Shows on docs.rs which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod batch;
mod column;
mod error;
mod records;
mod rows;
mod shape;
mod texts;
mod value;

pub use batch::{BatchParser, parse};
pub use error::BatchError;
pub use rows::STOPPED;
pub use shape::JSON_KEY;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
