//! The three forms of tables.

use std::path::Path;

use clap::ValueEnum;

use super::error::TableError;

/// The form of a table in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableForm {
    /// Apache Parquet
    Parquet,
    /// One JSON object a line
    JsonLines,
    /// Comma-separated values, with names in the first line
    Csv,
}

impl TableForm {
    /// The form that the end of a file's name tells.
    pub(crate) fn of(file: &Path) -> Result<Self, TableError> {
        let unknown = || TableError::UnknownForm { name: file.display().to_string() };
        Self::by_name(file).ok_or_else(unknown)
    }

    fn by_name(file: &Path) -> Option<Self> {
        let extension = file.extension()?.to_str()?.to_ascii_lowercase();
        match &*extension {
            "parquet" | "pq" => Some(Self::Parquet),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "csv" => Some(Self::Csv),
            _ => None,
        }
    }

    /// The extension of its files.
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::JsonLines => "jsonl",
            Self::Csv => "csv",
        }
    }

    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Parquet => "Parquet",
            Self::JsonLines => "JSON lines",
            Self::Csv => "CSV",
        }
    }
}
