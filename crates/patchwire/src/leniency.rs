//! The slips that lenient reading of JSON, headers and values forgives. Each has a name, a notice code,
//! a test and a switch.
//!
//! The repairs of YAML and of marked fields have notice codes but no switch: `docs/yaml.md` lists them.

crate::names::named! {
    /// One slip that lenient reading forgives.
    ///
    /// On valid input no leniency has an effect: a lenient and a strict parser emit equal events.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    #[repr(u8)]
    pub enum Leniency {
        /// `//`, `/* */` and `#` comments.
        Comments = "comments",
        /// No-break, ideographic and other spaces of Unicode between tokens.
        UnicodeSpaces = "unicode_spaces",
        /// `'single'` quotes.
        SingleQuotes = "single_quotes",
        /// Typographic and full-width quotes.
        SmartQuotes = "smart_quotes",
        /// Backtick quotes.
        BacktickQuotes = "backtick_quotes",
        /// `"""three"""` or `'''three'''` quotes.
        TripleQuotes = "triple_quotes",
        /// Keys without quotes.
        UnquotedKeys = "unquoted_keys",
        /// Strings without quotes, up to `,` `}` `]` or the end of the line.
        UnquotedValues = "unquoted_values",
        /// A comma before a closer, or one too many.
        ExtraCommas = "extra_commas",
        /// `...` or `…` in place of items that were left out.
        Ellipses = "ellipses",
        /// No comma between two values or members.
        MissingCommas = "missing_commas",
        /// No colon between a key and its value.
        MissingColons = "missing_colons",
        /// A key without a value.
        MissingValues = "missing_values",
        /// Literals of other languages: `True`, `None`, `undefined`.
        ForeignLiterals = "foreign_literals",
        /// `NaN` and the infinities, as null.
        NonFinite = "non_finite",
        /// `0x1F`, `+1`, `007`, `5.` and `.5`.
        ForeignNumbers = "foreign_numbers",
        /// Control characters in strings.
        RawControls = "raw_controls",
        /// Escapes JSON does not know, kept with their backslash.
        InvalidEscapes = "invalid_escapes",
        /// Half of a surrogate pair, as U+FFFD.
        LoneSurrogates = "lone_surrogates",
        /// Quotes in strings that were not escaped.
        InnerQuotes = "inner_quotes",
        /// `"a" + "b"`.
        StringConcat = "string_concat",
        /// `(1, 2)` as a list.
        Tuples = "tuples",
        /// Closers left out before a key or an outer closer.
        MissingClosers = "missing_closers",
        /// Closers of the wrong kind.
        MismatchedClosers = "mismatched_closers",
        /// Closers after the root.
        SurplusClosers = "surplus_closers",
        /// Text between a value and the next separator, and bytes that fit nowhere.
        UnexpectedText = "unexpected_text",
        /// Headers in another case, or with spaces or hyphens for underscores.
        HeaderNames = "header_names",
        /// Headers of another level than three. The first header decides the level.
        HeaderLevels = "header_levels",
        /// A header written twice before its section has content.
        HeaderEchoes = "header_echoes",
        /// Lines of the prompt's own form at the start of a section.
        ScaffoldLines = "scaffold_lines",
        /// Values written as text, where the schema wants the value; choices in quotes.
        TextValues = "text_values",
        /// Numbers, `true` and `false` where the schema wants text.
        ValueTexts = "value_texts",
        /// One value where the schema wants a list.
        LoneItems = "lone_items",
        /// An object with a single member around the answer, or around a list or an object in it.
        Wrappers = "wrappers",
        /// Fields whose headers, tags or keys are not as the format has them, and fields in another format
        /// than the one that was asked for: they are looked for at the end, if others are missing.
        UntidyFields = "untidy_fields",
    }
}

impl Leniency {
    /// The leniencies that give a value the type that its schema wants, when the stream ends.
    pub const ALIGNMENT: [Self; 4] =
        [Self::TextValues, Self::ValueTexts, Self::LoneItems, Self::Wrappers];

    const fn bit(self) -> u64 {
        1 << self as u8
    }
}

/// The set of slips that a parser forgives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leniencies(u64);

impl Leniencies {
    /// Every leniency: lenient reading.
    pub const ALL: Self = Self((1 << Leniency::ALL.len()) - 1);
    /// No leniency: the format as specified, and nothing around it.
    pub const NONE: Self = Self(0);

    /// This set without one leniency.
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
