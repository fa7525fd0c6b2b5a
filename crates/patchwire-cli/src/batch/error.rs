//! What can go wrong with a table, and what to do.

use std::fmt::Display;
use std::io;

use arrow_schema::DataType;
use patchwire_arrow::BatchError;

use super::form::TableForm;

/// Why a table cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TableError {
    #[error("cannot read {name}: {error}; give a file, or a pattern such as 'answers/*.parquet'")]
    Open { name: String, error: io::Error },
    #[error("no file is like {pattern}; quote a pattern, so that the shell leaves it alone")]
    NoMatch { pattern: String },
    #[error("{pattern} is no pattern: {reason}")]
    Pattern { pattern: String, reason: &'static str },
    #[error("{name} cannot be read as {form}: {reason}")]
    Content { name: String, form: &'static str, reason: String },
    #[error(
        "the form of {name} is not known: its name should end in .parquet, .jsonl, .ndjson or .csv; `batch` takes \
         `--from` and `--to`, too"
    )]
    UnknownForm { name: String },
    #[error("{name} has no column `{column}`; it has {}", listed(.columns))]
    NoColumn { name: String, column: String, columns: Vec<String> },
    #[error(
        "the column `{column}` of {name} has the type {found}, and not strings; choose another one with \
         `--column`"
    )]
    NotText { name: String, column: String, found: DataType },
    #[error(
        "the column `{column}` of {name} has texts, and lists or objects, too; write all as texts, or choose another \
         column with `--column`"
    )]
    MixedTexts { name: String, column: String },
    #[error(
        "{name} has two columns `{column}`; rename one, or name the columns to copy with `--keep`"
    )]
    Repeated { name: String, column: String },
    #[error("{name} already has a column `{column}`; call the new one otherwise with `--as`")]
    Taken { name: String, column: String },
    #[error(
        "`--out -` is no file, and a table is a whole file; give one, as in `--out answers.jsonl`"
    )]
    Stdout,
    #[error(
        "{folder} has `{file}`, which `batch` did not put there: nothing was removed; move it away, or give another \
         file with `--out`"
    )]
    Foreign { folder: String, file: String },
    #[error("{folder} is a link; remove it, or give another file with `--out`")]
    Link { folder: String },
    #[error(
        "{name} is being made by another run{}; wait until it has ended, or give another file with `--out`",
        number(*.process)
    )]
    OtherRun { name: String, process: Option<u32> },
    #[error("several inputs make several files: give a folder, as in `--out answers/`")]
    NeedsFolder,
    #[error(
        "{one} and {other} would both become {out}; rename one, or convert them into two folders"
    )]
    SameOutput { one: String, other: String, out: String },
    #[error("{out} is an input; give another file with `--out`")]
    OntoInput { out: String },
    #[error("cannot write {name}: {error}; give another file or folder with `--out`")]
    Write { name: String, error: io::Error },
    #[error("cannot write {name} as {form}: {reason}")]
    Encode { name: String, form: &'static str, reason: String },
    #[error("{name}, near row {row}: {error}")]
    Batch { name: String, row: u64, error: BatchError },
}

impl TableError {
    /// Whether the same run may go well later, as when a disk was full.
    pub(crate) const fn may_pass(&self) -> bool {
        matches!(self, Self::Write { .. })
    }

    pub(crate) fn content(name: &str, form: TableForm, reason: &dyn Display) -> Self {
        Self::Content { name: name.to_owned(), form: form.words(), reason: reason.to_string() }
    }

    pub(crate) fn encode(name: &str, form: TableForm, reason: &dyn Display) -> Self {
        Self::Encode { name: name.to_owned(), form: form.words(), reason: reason.to_string() }
    }
}

fn number(process: Option<u32>) -> String {
    process.map_or_else(String::new, |process| format!(" (process {process})"))
}

/// Most names that a message lists.
const LISTED: usize = 12;

fn listed(columns: &[String]) -> String {
    let names: Vec<String> = columns.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    match columns.len() {
        0 => "none".to_owned(),
        count if count > LISTED => format!("{} and {} more", names.join(", "), count - LISTED),
        _ => names.join(", "),
    }
}
