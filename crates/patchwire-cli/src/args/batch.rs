//! The options of `batch`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::reading::{CheckingArgs, ReadingArgs};
use super::{help, numbers};
use crate::batch::TableForm;

/// Read a column of stored outputs into a table of typed answers
///
/// Tables are Parquet, JSON lines or CSV. Each row gets a new column with the value (typed by the
/// schema), outcome, notices, failures, reasoning, text and calls. A row that fails is a row with
/// its error. A file is whole or not there; a rerun goes on where the last run stopped.
#[derive(Debug, Args)]
#[command(after_help = help::BATCH)]
pub(crate) struct BatchArgs {
    /// Tables, or patterns such as 'answers/*.parquet'
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The column with the outputs
    #[arg(long, value_name = "NAME")]
    pub(crate) column: String,
    /// The table to write; a folder for several: one table for each input, those there are skipped
    #[arg(long, value_name = "OUT")]
    pub(crate) out: PathBuf,
    /// The name of the new column
    #[arg(long = "as", value_name = "NAME", default_value = "answer")]
    pub(crate) answer: String,
    /// A column to copy (repeatable) [default: all]
    #[arg(long, value_name = "NAME")]
    pub(crate) keep: Vec<String>,
    /// The form of the inputs [default: what their names end in]
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) from: Option<TableForm>,
    /// The form of the output [default: what its name ends in; in a folder, that of the input]
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) to: Option<TableForm>,
    /// Threads that read rows [default: one for each core]
    #[arg(long, value_name = "N", value_parser = numbers::from_one, allow_negative_numbers = true)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Rows after which a rerun can go on
    #[arg(long, value_name = "N", default_value = "65536", value_parser = numbers::from_one)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) part_rows: NonZeroUsize,
    /// Make tables anew that are there
    #[arg(long)]
    pub(crate) again: bool,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) checking: CheckingArgs,
}
