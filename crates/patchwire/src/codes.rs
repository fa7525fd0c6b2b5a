//! Codes of notices, and reasons for skipped bytes. Ground: machines and lexers name them.

use core::fmt;

/// How much a notice says against the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// The payload is as its format wants it; something around it is worth knowing.
    Info,
    /// The payload was repaired: what it means was guessed by a named rule.
    Repair,
    /// Something the model wrote is missing from the value, or never came.
    Loss,
}

macro_rules! codes {
    ($($variant:ident = $name:literal, $severity:ident, $message:literal;)*) => {
        /// Why a notice was given. The names are stable; scripts may match on them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $message] $variant,)*
        }

        impl Code {
            /// Every code there is.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// How much it says against the answer.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// What happened, for a person to read.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self { $(Self::$variant => $message,)* }
            }
        }
    };
}

codes! {
    Bom = "bom", Info, "a byte order mark at the start was dropped";
    InvalidUtf8 = "invalid_utf8", Repair, "bytes that are not UTF-8 became U+FFFD";
    HoldCap = "hold_cap", Info, "a run reached the bound on what may be held back and was given out undecided";
    Comment = "comment", Repair, "a comment was skipped";
    SingleQuotes = "single_quotes", Repair, "a key or string in single quotes";
    SmartQuotes = "smart_quotes", Repair, "a key or string in typographic or full-width quotes";
    BacktickQuotes = "backtick_quotes", Repair, "a key or string in backticks";
    TripleQuotes = "triple_quotes", Repair, "a string in three quotes";
    UnquotedKey = "unquoted_key", Repair, "a key without quotes";
    UnquotedValue = "unquoted_value", Repair, "a string without quotes";
    TrailingComma = "trailing_comma", Repair, "a comma before a closer";
    ExtraComma = "extra_comma", Repair, "a comma with nothing before it";
    MissingComma = "missing_comma", Repair, "two values or members without a comma between them";
    MissingColon = "missing_colon", Repair, "a key and its value without a colon between them";
    MissingValue = "missing_value", Loss, "a key without a value";
    ForeignLiteral = "foreign_literal", Repair, "a literal of another language: `True`, `None`, `undefined`";
    NonFinite = "non_finite", Loss, "`NaN` or an infinity, read as null";
    HexNumber = "hex_number", Repair, "a number written in hexadecimal";
    PlusSign = "plus_sign", Repair, "a number with a plus sign";
    LeadingZero = "leading_zero", Repair, "a number with zeros in front";
    BareDot = "bare_dot", Repair, "a number that begins or ends with its point";
    RawControl = "raw_control", Repair, "a control character that should have been escaped, kept as it is";
    InvalidEscape = "invalid_escape", Repair, "an escape JSON does not know, kept with its backslash";
    LoneSurrogate = "lone_surrogate", Loss, "half of a surrogate pair, read as U+FFFD";
    InnerQuote = "inner_quote", Repair, "a quote inside a string that should have been escaped";
    StringConcat = "string_concat", Repair, "strings joined with `+`";
    Tuple = "tuple", Repair, "a list in round brackets";
    MissingClose = "missing_close", Repair, "a closer that was left out before this point";
    MismatchedClose = "mismatched_close", Repair, "a closer of the wrong kind";
    SurplusClose = "surplus_close", Repair, "a closer with nothing to close";
    TrailingAfterValue = "trailing_after_value", Loss, "text between a value and the next separator was dropped";
    UnexpectedBytes = "unexpected_bytes", Loss, "bytes that fit nowhere were dropped";
    DuplicateKey = "duplicate_key", Repair, "a key that was there before: the last value wins, at the end";
    Truncated = "truncated", Loss, "the input ended inside the payload";
    TruncatedScalar = "truncated_scalar", Loss, "the input ended inside a number or literal, which gives no value";
    EnumMismatch = "enum_mismatch", Loss, "a string that is none of the values its schema lists";
    EnumSpelling = "enum_spelling", Repair, "an enum value in another spelling";
    KindNotGranted = "kind_not_granted", Loss, "a kind that was not granted: the fallback stands in its place";
    BetterCandidate = "better_candidate", Repair, "another part of the text fitted better than the one that was streamed";
    ContinuedRoot = "continued_root", Repair, "what followed a closer that came too early was put back";
    FenceInString = "fence_in_string", Repair, "a string that ran past the end of its fence was cut there";
    ScalarRoot = "scalar_root", Info, "a value standing alone, which only the end of the input shows to be the payload";
    StrayCloser = "stray_closer", Info, "a marker that closes what was not open";
    MismatchedMarker = "mismatched_marker", Info, "a closer of another name of the same group";
    UnclosedElement = "unclosed_element", Info, "an element that closed without its closer";
    FenceHidMarkers = "fence_hid_markers", Info, "a fence that was never closed hid a marker; see the reading beside";
    CommentHidMarkers = "comment_hid_markers", Info, "a comment that was never closed hid a marker; see the reading beside";
    StringHidCloser = "string_hid_closer", Info, "a string that was never closed hid the closer of its element; see the reading beside";
    BodyNotJson = "body_not_json", Info, "the body of an element that should be JSON is text";
    Reclassified = "reclassified", Info, "text before a closer without an opener belongs to the closer's channel";
    UnclosedSection = "unclosed_section", Loss, "a comment or CDATA section that was not closed";
    StrayText = "stray_text", Loss, "text between fields was passed over";
    UnknownField = "unknown_field", Loss, "a field that the schema does not declare was passed over";
    DuplicateField = "duplicate_field", Loss, "a field that was there before: the first stays";
    MissingField = "missing_field", Loss, "a field that the schema declares is not there";
    MissingRoot = "missing_root", Repair, "fields without the envelope round them";
    SecondRoot = "second_root", Info, "a second envelope behind the first, which is text";
    TrailingContent = "trailing_content", Loss, "text behind a field's value was passed over";
    BadJson = "bad_json", Loss, "a field that should be JSON is none";
    MissingFenceClose = "missing_fence_close", Repair, "a fence ended where the next field began, without its closing line";
    UnclosedFenceSwallowedHeader = "unclosed_fence_swallowed_header", Loss, "a fence that was never closed hid a header";
    SwallowedFields = "swallowed_fields", Repair, "fields behind a fence that was never closed were emitted apart at the end";
    Unfenced = "unfenced", Repair, "a value that was all one fence was taken out of it";
    FormatFallback = "format_fallback", Repair, "no payload of the format, but JSON with keys of the schema";
    EchoedHeader = "echoed_header", Repair, "a header that was written twice";
    ScaffoldComment = "scaffold_comment", Repair, "a comment or placeholder of the prompt that was repeated was dropped";
    HeaderLevel = "header_level", Info, "headers of another level than three";
    HeaderSpelling = "header_spelling", Repair, "a header in another spelling";
    YamlBadIndent = "yaml_bad_indent", Repair, "a line whose indent fits no mapping or sequence";
    YamlBadBlockHeader = "yaml_bad_block_header", Repair, "what follows the sign of a block scalar is none of its indicators: read as plain text";
    YamlUnderindented = "yaml_underindented", Repair, "a line of a block scalar with less indent than its first";
    YamlLeadingSpaces = "yaml_leading_spaces", Repair, "a blank line before a block scalar's text with more indent than the text";
    YamlTab = "yaml_tab", Repair, "a tab where spaces should indent";
    YamlCommentTruncated = "yaml_comment_truncated", Info, "a comment ended a plain scalar";
    YamlColonInPlain = "yaml_colon_in_plain", Repair, "a colon and a blank in a plain scalar, kept as text";
    YamlUnterminatedQuote = "yaml_unterminated_quote", Repair, "a quoted scalar that ended where the next key began";
    YamlUnderindentedQuote = "yaml_underindented_quote", Repair, "a line of a quoted scalar with too little indent";
    YamlTrailingAfterQuote = "yaml_trailing_after_quote", Loss, "text behind a closing quote was dropped";
    YamlBadEscape = "yaml_bad_escape", Repair, "an escape YAML does not know, kept with its backslash";
    YamlUnknownAlias = "yaml_unknown_alias", Repair, "a star that names no anchor, kept as text";
    YamlMultiDocument = "yaml_multi_document", Info, "more than one document: the first is the answer";
    YamlReserved = "yaml_reserved", Repair, "a plain scalar that begins with a sign YAML keeps for other uses, kept as text";
    YamlAliasBudget = "yaml_alias_budget", Loss, "an alias of more than aliases may stand for, read as null";
    BadYaml = "bad_yaml", Loss, "a value that YAML does not allow: its text, or nothing";
    DeferredTooLong = "deferred_too_long", Loss, "a value that only the end of its field can give was too long to keep";
    Deferred = "deferred", Info, "a value that only the end of its field can give";
    TextAsValue = "text_as_value", Repair, "a value that was written as text became the value";
    ValueAsText = "value_as_text", Repair, "a number or literal became text, which its schema wants";
    LoneItem = "lone_item", Repair, "a value that stood alone became a list of one";
    Unwrapped = "unwrapped", Repair, "an object round the answer was taken off";
    TypeMismatch = "type_mismatch", Loss, "a value that is not of the type its schema wants";
    ValidatorIgnored = "validator_ignored", Info, "a validator that came after the outcome was decided was not run";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

crate::names::named! {
    /// Why bytes were skipped.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum SkipReason {
        /// A byte order mark.
        Bom = "bom",
        /// A fence line round the payload.
        Fence = "fence",
        /// Another candidate for the payload; the finalizer compares them.
        Candidate = "candidate",
        /// The value of a key that was there before.
        DuplicateKey = "duplicate_key",
        /// A list or an object where only a granted kind may stand.
        NotGranted = "not_granted",
        /// Closers with nothing to close.
        SurplusClose = "surplus_close",
        /// What the input ended in that gives no value.
        Truncated = "truncated",
        /// A comment, or a document type, in a payload that is text.
        Comment = "comment",
    }
}
