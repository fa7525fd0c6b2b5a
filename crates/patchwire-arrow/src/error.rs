//! What stops a whole batch. Errors of one row are in its row.

use arrow_schema::DataType;

/// Why a column cannot be read. What a model wrote is never the reason.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// The column has no strings.
    #[error("the column has the type {found}; cast it to strings (Utf8, LargeUtf8 or Utf8View)")]
    NotText {
        /// The type of the column.
        found: DataType,
    },
    /// The results of one batch do not fit into Arrow's 32-bit offsets.
    #[error(
        "`{field}` would have more than 2 GiB or 2,147,483,647 items in one batch; pass fewer rows at once"
    )]
    TooLarge {
        /// The field of the result.
        field: String,
    },
    /// The threads cannot be started.
    #[error("cannot start the threads: {reason}; set fewer, or 1 for none")]
    Threads {
        /// What the system said.
        reason: String,
    },
}
