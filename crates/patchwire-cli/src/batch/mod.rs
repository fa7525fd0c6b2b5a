//! Tables of outputs: Parquet, JSON lines and CSV, read and written in batches.
//!
//! | module | what lives there |
//! |---|---|
//! | `error` | what can go wrong with a table, and what to do |
//! | `form` | the three forms of tables |
//! | `table_reader`, `column_texts` | batches of rows; the texts of one column |
//! | `json_lines`, `json_kinds`, `json_copies` | JSON lines: the types of their columns, and values of several types |
//! | `json_text`, `table_writer` | batches into a file; values as JSON |
//! | `named_zones` | times of zones that have a name |
//! | `splice` | parts into one file |
//! | `counts` | how rows ended, and the line of progress |
//! | `output_file` | one input to one whole file, in parts that a rerun keeps |
//! | `workplace`, `run_lock` | the folder of the parts, in which one run works at a time |
//! | `plan` | which input becomes which file |

mod column_texts;
mod counts;
mod error;
mod form;
mod json_copies;
mod json_kinds;
mod json_lines;
mod json_text;
mod named_zones;
mod output_file;
mod plan;
mod run_lock;
mod splice;
mod table_reader;
mod table_writer;
mod workplace;

pub(crate) use column_texts::ColumnTexts;
pub(crate) use counts::grouped;
pub(crate) use error::TableError;
pub(crate) use form::TableForm;
pub(crate) use output_file::{Converted, Converter};
pub(crate) use plan::{Forms, Job, expanded, jobs};
