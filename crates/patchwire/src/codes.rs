//! Codes of notices, and reasons for skipped bytes.

use core::fmt;

/// How severe a notice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// The payload is valid; the notice concerns something around it.
    Info,
    /// The payload was repaired by a named rule, so its meaning is a guess.
    Repair,
    /// Something that the model wrote is missing from the value, or something expected did not arrive.
    Loss,
}

macro_rules! codes {
    ($($variant:ident = $name:literal, $severity:ident, $message:literal;)*) => {
        /// Why a notice was emitted. The names are stable, so scripts may match on them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $message] $variant,)*
        }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The severity of the notice.
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
    HoldCap = "hold_cap", Info, "a run reached the bound on held bytes and was emitted undecided";
    Comment = "comment", Repair, "a comment was skipped";
    UnicodeSpace = "unicode_space", Repair, "spaces of Unicode between tokens, read as whitespace";
    SingleQuotes = "single_quotes", Repair, "a key or string in single quotes";
    SmartQuotes = "smart_quotes", Repair, "a key or string in typographic or full-width quotes";
    BacktickQuotes = "backtick_quotes", Repair, "a key or string in backticks";
    MissingQuote = "missing_quote", Repair, "a key or string without its opening or its closing quote";
    MixedQuotes = "mixed_quotes", Repair, "a key or string whose two quotes differ";
    TripleQuotes = "triple_quotes", Repair, "a string in three quotes";
    UnquotedKey = "unquoted_key", Repair, "a key without quotes";
    UnquotedValue = "unquoted_value", Repair, "a string without quotes";
    TrailingComma = "trailing_comma", Repair, "a comma before a closer";
    ExtraComma = "extra_comma", Repair, "a comma with nothing before it";
    Ellipsis = "ellipsis", Loss, "an ellipsis in place of items, which was skipped";
    MissingComma = "missing_comma", Repair, "two values or members without a comma between them";
    MissingColon = "missing_colon", Repair, "a key and its value without a colon between them";
    MissingValue = "missing_value", Loss, "a key without a value";
    ForeignLiteral = "foreign_literal", Repair, "a literal of another language: `True`, `None`, `undefined`";
    NonFinite = "non_finite", Loss, "`NaN` or an infinity, read as null";
    HexNumber = "hex_number", Repair, "a number written in hexadecimal";
    PlusSign = "plus_sign", Repair, "a number with a plus sign";
    LeadingZero = "leading_zero", Repair, "a number with zeros in front";
    BareDot = "bare_dot", Repair, "a number that begins or ends with its point";
    ForeignNumber = "foreign_number", Repair, "a number in another notation";
    Thousands = "thousands", Repair, "a number with commas between its thousands";
    RawControl = "raw_control", Repair, "a control character that should have been escaped, kept unchanged";
    InvalidEscape = "invalid_escape", Repair, "an escape that JSON does not define, kept with its backslash";
    LoneSurrogate = "lone_surrogate", Loss, "half of a surrogate pair, read as U+FFFD";
    InnerQuote = "inner_quote", Repair, "a quote inside a string that should have been escaped";
    StringConcat = "string_concat", Repair, "strings joined with `+`";
    Tuple = "tuple", Repair, "a list in round brackets";
    MissingClose = "missing_close", Repair, "a missing closer before this point";
    MismatchedClose = "mismatched_close", Repair, "a closer of the wrong kind";
    SurplusClose = "surplus_close", Repair, "a closer with nothing to close";
    TrailingAfterValue = "trailing_after_value", Loss, "text between a value and the next separator was dropped";
    UnexpectedBytes = "unexpected_bytes", Loss, "bytes that fit nowhere were dropped";
    DuplicateKey = "duplicate_key", Repair, "a repeated key: its last value replaces the first at the end";
    Truncated = "truncated", Loss, "the input ended inside the payload";
    TruncatedScalar = "truncated_scalar", Loss, "the input ended inside a number, whose whole digits count, or inside a literal, which gives no value";
    EnumMismatch = "enum_mismatch", Loss, "a string that is not one of the choices in its schema";
    EnumSpelling = "enum_spelling", Repair, "an enum value in another spelling";
    KindNotGranted = "kind_not_granted", Loss, "a kind that was not granted, replaced by the fallback";
    BetterCandidate = "better_candidate", Repair, "another part of the text fits better than the streamed one";
    ReadAgain = "read_again", Repair, "another reading of the whole payload has cheaper slips than the streamed one";
    RepairLimit = "repair_limit", Info, "a payload with slips is longer than the limit `repair`, so no better reading was searched for";
    ContinuedRoot = "continued_root", Repair, "members or items after an early closer were added to the root";
    FenceInString = "fence_in_string", Repair, "a string continued past the end of its fence and was cut there";
    ScalarRoot = "scalar_root", Info, "a lone scalar: only the end of the input shows that it is the payload";
    StrayCloser = "stray_closer", Info, "a closing marker with nothing to close";
    RepeatedOpener = "repeated_opener", Info, "the opener of the element in which the stream began was written again";
    MismatchedMarker = "mismatched_marker", Info, "a closer of another name of the same group";
    UnclosedElement = "unclosed_element", Info, "an element that closed without its closer";
    FenceHidMarkers = "fence_hid_markers", Info, "an unclosed fence hid a marker; see the alternative reading";
    CommentHidMarkers = "comment_hid_markers", Info, "an unclosed comment hid a marker; see the alternative reading";
    StringHidCloser = "string_hid_closer", Info, "an unclosed string hid the closer of its element; see the alternative reading";
    BodyNotJson = "body_not_json", Info, "the body of an element should be JSON and is text";
    Reclassified = "reclassified", Info, "text before a closer without an opener belongs to the closer's channel";
    UnclosedSection = "unclosed_section", Loss, "a comment or CDATA section that was not closed";
    StrayText = "stray_text", Loss, "text between fields was skipped";
    UnknownField = "unknown_field", Loss, "a field that the schema does not declare was skipped";
    DuplicateField = "duplicate_field", Loss, "a repeated field: the first one counts";
    MissingField = "missing_field", Loss, "a field that the schema declares is missing";
    MissingRoot = "missing_root", Repair, "fields without an envelope around them";
    SecondRoot = "second_root", Info, "a second envelope after the first, read as text";
    TrailingContent = "trailing_content", Loss, "text after a field's value was skipped";
    BadJson = "bad_json", Loss, "a field should be JSON and is not";
    MissingFenceClose = "missing_fence_close", Repair, "a fence ended where the next field began, without its closing line";
    UnclosedFenceSwallowedHeader = "unclosed_fence_swallowed_header", Loss, "an unclosed fence hid a header";
    SwallowedFields = "swallowed_fields", Repair, "fields hidden by an unclosed fence were emitted at the end";
    Unfenced = "unfenced", Repair, "a fence around the whole value was removed";
    FormatFallback = "format_fallback", Repair, "no payload of the format, but JSON with keys of the schema";
    UntidyFields = "untidy_fields", Repair, "fields whose headers, tags or keys were not as asked, found at the end";
    UntidyValue = "untidy_value", Repair, "a value that is no JSON, such as bullets, a table or `yes`, read as its type";
    LaterDraft = "later_draft", Repair, "a field or all fields were written twice, and the later ones count";
    EchoedHeader = "echoed_header", Repair, "a header that was written twice";
    ScaffoldComment = "scaffold_comment", Repair, "a comment or placeholder copied from the prompt was dropped";
    HeaderLevel = "header_level", Info, "headers of another level than three";
    HeaderSpelling = "header_spelling", Repair, "a header in another spelling";
    YamlBadIndent = "yaml_bad_indent", Repair, "a line whose indent fits no mapping or sequence";
    YamlBadBlockHeader = "yaml_bad_block_header", Repair, "text after the sign of a block scalar is not an indicator: read as plain text";
    YamlUnderindented = "yaml_underindented", Repair, "a line of a block scalar with less indent than its first";
    YamlLeadingSpaces = "yaml_leading_spaces", Repair, "before the text of a block scalar, a blank line with more indent than the text";
    YamlTab = "yaml_tab", Repair, "a tab instead of spaces as indent";
    YamlCommentTruncated = "yaml_comment_truncated", Info, "a comment ended a plain scalar";
    YamlColonInPlain = "yaml_colon_in_plain", Repair, "a colon and whitespace in a plain scalar, kept as text";
    YamlUnterminatedQuote = "yaml_unterminated_quote", Repair, "a quoted scalar that ended where the next key began";
    YamlUnderindentedQuote = "yaml_underindented_quote", Repair, "a line of a quoted scalar with too little indent";
    YamlTrailingAfterQuote = "yaml_trailing_after_quote", Loss, "text after a closing quote was dropped";
    YamlBadEscape = "yaml_bad_escape", Repair, "an escape that YAML does not define, kept with its backslash";
    YamlUnknownAlias = "yaml_unknown_alias", Repair, "an alias of an unknown anchor, kept as text";
    YamlMultiDocument = "yaml_multi_document", Info, "more than one document: the first is the answer";
    YamlReserved = "yaml_reserved", Repair, "a plain scalar that begins with a reserved character, kept as text";
    YamlAliasBudget = "yaml_alias_budget", Loss, "an alias beyond the limit on aliases, read as null";
    BadYaml = "bad_yaml", Loss, "a value that YAML does not allow, read as text or left out";
    DeferredTooLong = "deferred_too_long", Loss, "a deferred value was too long to keep";
    Deferred = "deferred", Info, "a value that is emitted whole at its end";
    TextAsValue = "text_as_value", Repair, "a value that was written as text became the value";
    ValueAsText = "value_as_text", Repair, "a number or literal became text, as its schema wants";
    LoneItem = "lone_item", Repair, "a single value became a list of one item";
    Unwrapped = "unwrapped", Repair, "an object around the answer was removed";
    TypeMismatch = "type_mismatch", Loss, "a value of another type than its schema wants";
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
        /// A fence line around the payload.
        Fence = "fence",
        /// Another candidate for the payload. The finalizer compares them.
        Candidate = "candidate",
        /// The value of a repeated key.
        DuplicateKey = "duplicate_key",
        /// A list or an object where only a granted kind is allowed.
        NotGranted = "not_granted",
        /// Closers with nothing to close.
        SurplusClose = "surplus_close",
        /// The unfinished end of the input, if it gives no value.
        Truncated = "truncated",
        /// A comment or a document type declaration, in a payload that is text.
        Comment = "comment",
    }
}
