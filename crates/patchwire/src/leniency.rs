//! The slips lenient reading forgives. Each has a name, a notice code, a test and a switch.

/// One slip that lenient reading forgives.
///
/// On valid input none of them changes anything: a lenient parser gives what a strict one gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Leniency {
    /// `//`, `/* */` and `#` comments.
    Comments,
    /// `'single'` quotes.
    SingleQuotes,
    /// Typographic and full-width quotes.
    SmartQuotes,
    /// Backtick quotes.
    BacktickQuotes,
    /// `"""three"""` or `'''three'''` quotes.
    TripleQuotes,
    /// Keys without quotes.
    UnquotedKeys,
    /// Strings without quotes, up to `,` `}` `]` or the end of the line.
    UnquotedValues,
    /// A comma before a closer, or one too many.
    ExtraCommas,
    /// No comma between two values or members.
    MissingCommas,
    /// No colon between a key and its value.
    MissingColons,
    /// A key without a value.
    MissingValues,
    /// `True`, `None`, `undefined` and their like.
    ForeignLiterals,
    /// `NaN` and the infinities, as null.
    NonFinite,
    /// `0x1F`, `+1`, `007`, `5.` and `.5`.
    ForeignNumbers,
    /// Control characters in strings.
    RawControls,
    /// Escapes JSON does not know, kept with their backslash.
    InvalidEscapes,
    /// Half of a surrogate pair, as U+FFFD.
    LoneSurrogates,
    /// Quotes in strings that were not escaped.
    InnerQuotes,
    /// `"a" + "b"`.
    StringConcat,
    /// `(1, 2)` as a list.
    Tuples,
    /// Closers left out before a key or an outer closer.
    MissingClosers,
    /// Closers of the wrong kind.
    MismatchedClosers,
    /// Closers after the root.
    SurplusClosers,
    /// Text between a value and the next separator, and bytes that fit nowhere.
    UnexpectedText,
    /// Headers in another case, or with blanks or hyphens for underscores.
    HeaderNames,
    /// Headers of another level than three: the first fixes it.
    HeaderLevels,
    /// A header written twice before its section has content.
    HeaderEchoes,
    /// Lines of the prompt's own form at the start of a section.
    ScaffoldLines,
    /// Values written as text, where the schema wants the value; choices in quotes.
    TextValues,
    /// Numbers, `true` and `false` where the schema wants text.
    ValueTexts,
    /// One value where the schema wants a list.
    LoneItems,
    /// An object of one member round the answer.
    Wrappers,
}

impl Leniency {
    /// All of them.
    pub const ALL: [Self; 32] = [
        Self::Comments,
        Self::SingleQuotes,
        Self::SmartQuotes,
        Self::BacktickQuotes,
        Self::TripleQuotes,
        Self::UnquotedKeys,
        Self::UnquotedValues,
        Self::ExtraCommas,
        Self::MissingCommas,
        Self::MissingColons,
        Self::MissingValues,
        Self::ForeignLiterals,
        Self::NonFinite,
        Self::ForeignNumbers,
        Self::RawControls,
        Self::InvalidEscapes,
        Self::LoneSurrogates,
        Self::InnerQuotes,
        Self::StringConcat,
        Self::Tuples,
        Self::MissingClosers,
        Self::MismatchedClosers,
        Self::SurplusClosers,
        Self::UnexpectedText,
        Self::HeaderNames,
        Self::HeaderLevels,
        Self::HeaderEchoes,
        Self::ScaffoldLines,
        Self::TextValues,
        Self::ValueTexts,
        Self::LoneItems,
        Self::Wrappers,
    ];

    /// Those that make a value another type than it was written as, at the end, by the schema.
    pub const ALIGNMENT: [Self; 4] =
        [Self::TextValues, Self::ValueTexts, Self::LoneItems, Self::Wrappers];

    /// The name, as configuration takes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Comments => "comments",
            Self::SingleQuotes => "single_quotes",
            Self::SmartQuotes => "smart_quotes",
            Self::BacktickQuotes => "backtick_quotes",
            Self::TripleQuotes => "triple_quotes",
            Self::UnquotedKeys => "unquoted_keys",
            Self::UnquotedValues => "unquoted_values",
            Self::ExtraCommas => "extra_commas",
            Self::MissingCommas => "missing_commas",
            Self::MissingColons => "missing_colons",
            Self::MissingValues => "missing_values",
            Self::ForeignLiterals => "foreign_literals",
            Self::NonFinite => "non_finite",
            Self::ForeignNumbers => "foreign_numbers",
            Self::RawControls => "raw_controls",
            Self::InvalidEscapes => "invalid_escapes",
            Self::LoneSurrogates => "lone_surrogates",
            Self::InnerQuotes => "inner_quotes",
            Self::StringConcat => "string_concat",
            Self::Tuples => "tuples",
            Self::MissingClosers => "missing_closers",
            Self::MismatchedClosers => "mismatched_closers",
            Self::SurplusClosers => "surplus_closers",
            Self::UnexpectedText => "unexpected_text",
            Self::HeaderNames => "header_names",
            Self::HeaderLevels => "header_levels",
            Self::HeaderEchoes => "header_echoes",
            Self::ScaffoldLines => "scaffold_lines",
            Self::TextValues => "text_values",
            Self::ValueTexts => "value_texts",
            Self::LoneItems => "lone_items",
            Self::Wrappers => "wrappers",
        }
    }

    const fn bit(self) -> u64 {
        1 << self as u8
    }
}

/// Which slips are forgiven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leniencies(u64);

impl Leniencies {
    /// All: lenient reading.
    pub const ALL: Self = Self((1 << Leniency::ALL.len()) - 1);
    /// None: the format as specified, and nothing around it.
    pub const NONE: Self = Self(0);

    /// The same without one.
    #[must_use]
    pub const fn without(self, leniency: Leniency) -> Self {
        Self(self.0 & !leniency.bit())
    }

    /// Whether this slip is forgiven.
    #[must_use]
    pub const fn allow(self, leniency: Leniency) -> bool {
        self.0 & leniency.bit() != 0
    }
}
