//! Errors that stop a stream. Errors of syntax in lenient reading do not: they become notices.

use crate::limits::Limit;

/// The stream stopped. Every later call returns this error again, and the value read so far stays
/// readable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{kind} at byte {offset}")]
pub struct Error {
    /// Why the stream stopped.
    pub kind: ErrorKind,
    /// The byte offset in the stream at which it stopped.
    pub offset: u64,
}

impl Error {
    pub(crate) const fn new(kind: ErrorKind, offset: u64) -> Self {
        Self { kind, offset }
    }
}

/// Why a stream stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A bound of [`Limits`](crate::Limits) was reached. Raise it, or refuse the stream.
    #[error("limit `{0}` reached")]
    Limit(Limit),
    /// Strict mode: the text breaks the syntax of the format.
    #[error("{0}")]
    Syntax(SyntaxError),
    /// Strict mode: bytes that are not UTF-8.
    #[error("invalid UTF-8")]
    InvalidUtf8,
    /// Strict mode: the input ended inside the payload, or before it began.
    #[error("the input ended too early")]
    UnexpectedEnd,
    /// `feed` was called after `finish`. Call `reset` to read another stream.
    #[error("fed after finish, without a reset")]
    Finished,
    /// The caller's sink asked to stop.
    #[error("cancelled by the caller")]
    Cancelled,
}

impl ErrorKind {
    /// The stable name on the wire: `limit_…` with the name of the limit, `syntax_…` with the name of
    /// the syntax error, or the name of the variant.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Limit(limit) => limit_name(limit),
            Self::Syntax(error) => syntax_name(error),
            Self::InvalidUtf8 => "invalid_utf8",
            Self::UnexpectedEnd => "unexpected_end",
            Self::Finished => "finished",
            Self::Cancelled => "cancelled",
        }
    }
}

const fn limit_name(limit: Limit) -> &'static str {
    match limit {
        Limit::Depth => "limit_depth",
        Limit::Key => "limit_key",
        Limit::Number => "limit_number",
        Limit::Held => "limit_held",
        Limit::Deferred => "limit_deferred",
        Limit::Aliases => "limit_aliases",
        Limit::Total => "limit_total",
        Limit::Nodes => "limit_nodes",
        Limit::Fields => "limit_fields",
        Limit::Repair => "limit_repair",
        Limit::Notices => "limit_notices",
        Limit::Schema => "limit_schema",
        Limit::Paths => "limit_paths",
        Limit::PathBytes => "limit_path_bytes",
        Limit::Calls => "limit_calls",
        Limit::Kept => "limit_kept",
    }
}

const fn syntax_name(error: SyntaxError) -> &'static str {
    match error {
        SyntaxError::ExpectedValue => "syntax_expected_value",
        SyntaxError::ExpectedKey => "syntax_expected_key",
        SyntaxError::ExpectedColon => "syntax_expected_colon",
        SyntaxError::ExpectedSeparator => "syntax_expected_separator",
        SyntaxError::Number => "syntax_number",
        SyntaxError::Literal => "syntax_literal",
        SyntaxError::Escape => "syntax_escape",
        SyntaxError::Surrogate => "syntax_surrogate",
        SyntaxError::ControlCharacter => "syntax_control_character",
        SyntaxError::TrailingText => "syntax_trailing_text",
    }
}

/// What strict JSON expected. Sections are those of RFC 8259.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxError {
    /// §3: a value was expected.
    #[error("expected a value")]
    ExpectedValue,
    /// §4: a quoted member name or `}` was expected.
    #[error("expected a quoted key or `}}`")]
    ExpectedKey,
    /// §4: `:` was expected after a member name.
    #[error("expected `:`")]
    ExpectedColon,
    /// §4, §5: `,` or the closer of the open container was expected.
    #[error("expected `,` or the end of the object or list")]
    ExpectedSeparator,
    /// §6: the text is not a number.
    #[error("malformed number")]
    Number,
    /// §3: the word is not `true`, `false` or `null`.
    #[error("unknown literal")]
    Literal,
    /// §7: the escape is not one of JSON.
    #[error("malformed escape")]
    Escape,
    /// §7, §8.2: half of a surrogate pair.
    #[error("unpaired surrogate")]
    Surrogate,
    /// §7: a control character that must be escaped.
    #[error("unescaped control character in a string")]
    ControlCharacter,
    /// §2: something other than whitespace after the value.
    #[error("text after the value")]
    TrailingText,
}
