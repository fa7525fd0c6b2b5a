//! The slips that the search knows, with the cost of each. The cost of a reading is the sum of its slips.
//!
//! A slip that models often make is cheap: single quotes cost 5. A slip that loses text is dear: a surplus
//! closer costs 110. Only differences matter, so the unit is free.

use crate::codes::Code;
use crate::leniency::{Leniencies, Leniency};

macro_rules! slips {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $cost:literal, $leniency:expr, $code:ident;)*) => {
        /// One slip: an arm of the machine that costs something.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum Slip {
            $($(#[doc = $doc])+ $variant,)*
        }

        impl Slip {
            /// Every slip, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stable name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What it costs.
            #[must_use]
            pub const fn cost(self) -> u32 {
                match self { $(Self::$variant => $cost,)* }
            }

            /// The leniency that must be allowed; none for what a cut text may always do.
            #[must_use]
            pub const fn leniency(self) -> Option<Leniency> {
                use Leniency::*;
                match self { $(Self::$variant => $leniency,)* }
            }

            /// The code of its notice.
            #[must_use]
            pub const fn code(self) -> Code {
                match self { $(Self::$variant => Code::$code,)* }
            }

            /// What it is, in a line.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+),)* }
            }
        }
    };
}

slips! {
    // Quotes in a string.
    /// The first quote inside a string
    InnerQuote = "inner_quote", 56, Some(InnerQuotes), InnerQuote;
    /// A further quote inside a string
    InnerQuoteNext = "inner_quote_next", 38, Some(InnerQuotes), InnerQuote;
    /// A quote inside a string that has five already
    InnerQuoteMany = "inner_quote_many", 28, Some(InnerQuotes), InnerQuote;
    /// A string ends after an odd number of quotes inside
    InnerQuoteOdd = "inner_quote_odd", 60, Some(InnerQuotes), InnerQuote;
    /// A string with quotes inside ends before its brackets are closed
    InnerQuoteUnbalanced = "inner_quote_unbalanced", 30, Some(InnerQuotes), InnerQuote;
    /// A quote inside a string that looks like neither an opener nor a closer
    InnerQuotePlace = "inner_quote_place", 15, Some(InnerQuotes), InnerQuote;
    /// A quote inside a string before a colon
    InnerQuoteColon = "inner_quote_colon", 15, Some(InnerQuotes), InnerQuote;
    /// A quote inside a string behind a name and a colon
    InnerQuoteMember = "inner_quote_member", 10, Some(InnerQuotes), InnerQuote;
    /// A quote inside a string that is the first of its line
    InnerQuoteLine = "inner_quote_line", 20, Some(InnerQuotes), InnerQuote;
    /// A quote inside a key
    InnerQuoteKey = "inner_quote_key", 30, Some(InnerQuotes), InnerQuote;
    /// An apostrophe between letters in a string in single quotes
    Apostrophe = "apostrophe", 3, Some(InnerQuotes), InnerQuote;
    /// Quotes inside a string are doubled, as in CSV
    CsvQuotes = "csv_quotes", 50, Some(InnerQuotes), InnerQuote;
    /// A further pair of doubled quotes inside a string
    CsvQuotesNext = "csv_quotes_next", 10, Some(InnerQuotes), InnerQuote;
    /// A second opening or closing quote
    StrayQuote = "stray_quote", 64, Some(InnerQuotes), InnerQuote;
    /// A string that holds JSON whose quotes are not escaped
    NestedJson = "nested_json", 70, Some(InnerQuotes), InnerQuote;
    /// A quote in such a string
    NestedQuote = "nested_quote", 4, Some(InnerQuotes), InnerQuote;

    // Quotes that are not there, or of another kind.
    /// No closing quote before a comma
    MissingQuoteComma = "missing_quote_comma", 96, Some(UnquotedValues), MissingQuote;
    /// No closing quote before a line end
    MissingQuoteLine = "missing_quote_line", 110, Some(UnquotedValues), MissingQuote;
    /// No closing quote before a closer
    MissingQuoteCloser = "missing_quote_closer", 120, Some(UnquotedValues), MissingQuote;
    /// No closing quote before the colon of a key
    MissingQuoteKey = "missing_quote_key", 96, Some(UnquotedKeys), MissingQuote;
    /// No opening quote before a key
    MissingOpenerKey = "missing_opener_key", 36, Some(UnquotedKeys), MissingQuote;
    /// No opening quote before a string, beside what a bare value costs
    MissingOpener = "missing_opener", 20, Some(UnquotedValues), MissingQuote;
    /// No opening quote before a string, where another string has none at all
    MissingOpenerAgain = "missing_opener_again", 60, Some(UnquotedValues), MissingQuote;
    /// A string in `"` ends in a typographic quote
    SmartCloser = "smart_closer", 70, Some(SmartQuotes), SmartQuotes;
    /// A string in `"` ends in `'`, or the other way round
    MixedQuotes = "mixed_quotes", 70, Some(SingleQuotes), MixedQuotes;
    /// A backtick on one side of a string, and another quote on the other
    MixedBackticks = "mixed_backticks", 70, Some(BacktickQuotes), MixedQuotes;
    /// Single quotes
    SingleQuotes = "single_quotes", 5, Some(SingleQuotes), SingleQuotes;
    /// Typographic quotes
    SmartQuotes = "smart_quotes", 10, Some(SmartQuotes), SmartQuotes;
    /// Backticks as quotes
    BacktickQuotes = "backtick_quotes", 10, Some(BacktickQuotes), BacktickQuotes;
    /// Three quotes
    TripleQuotes = "triple_quotes", 5, Some(TripleQuotes), TripleQuotes;
    /// Three backticks as quotes
    FenceQuotes = "fence_quotes", 40, Some(BacktickQuotes), BacktickQuotes;
    /// Two quotes on each side
    DoubledQuotes = "doubled_quotes", 60, Some(TripleQuotes), TripleQuotes;
    /// Two quotes on each side of a value, where those of keys are single
    DoubledValue = "doubled_value", 50, Some(TripleQuotes), TripleQuotes;
    /// One quote in a text that has two on each side
    DoubledLone = "doubled_lone", 60, Some(InnerQuotes), InnerQuote;
    /// Quotes that are escaped outside of strings: the document was escaped once
    EscapedQuotes = "escaped_quotes", 40, Some(InvalidEscapes), InvalidEscape;
    /// Quotes written as HTML entities
    EntityQuotes = "entity_quotes", 40, Some(SmartQuotes), SmartQuotes;
    /// A closing quote behind a backslash: `"C:\"`
    EscapedCloser = "escaped_closer", 64, Some(InvalidEscapes), InvalidEscape;
    /// A letter before a quote: `r"…"`
    QuotePrefix = "quote_prefix", 30, Some(UnexpectedText), UnexpectedBytes;

    // Inside strings and keys.
    /// A line end inside a string
    RawLine = "raw_line", 4, Some(RawControls), RawControl;
    /// An escape that JSON does not know
    InvalidEscape = "invalid_escape", 10, Some(InvalidEscapes), InvalidEscape;
    /// A fence ends inside a string
    FenceInString = "fence_in_string", 90, None, FenceInString;
    /// A line end in a key
    KeyLine = "key_line", 80, Some(RawControls), RawControl;

    // Values and keys without quotes.
    /// A string without quotes
    BareValue = "bare_value", 35, Some(UnquotedValues), UnquotedValue;
    /// A key without quotes
    BareKey = "bare_key", 20, Some(UnquotedKeys), UnquotedKey;
    /// A comma inside a string without quotes
    BareComma = "bare_comma", 56, Some(UnquotedValues), UnquotedValue;
    /// A comma between the words of a string without quotes
    BareCommaProse = "bare_comma_prose", 12, Some(UnquotedValues), UnquotedValue;
    /// A line end inside a string without quotes
    BareLine = "bare_line", 40, Some(UnquotedValues), UnquotedValue;
    /// A line end inside a string without quotes that is an item
    BareLineItem = "bare_line_item", 75, Some(UnquotedValues), UnquotedValue;
    /// A bracket in a string without quotes, right behind a number
    BareBracket = "bare_bracket", 100, Some(UnquotedValues), UnquotedValue;
    /// A closer inside a string without quotes
    BareCloser = "bare_closer", 90, Some(UnquotedValues), UnquotedValue;
    /// An opener inside a string without quotes
    BareOpener = "bare_opener", 10, Some(UnquotedValues), UnquotedValue;
    /// A quote inside a string without quotes
    BareQuote = "bare_quote", 50, Some(UnquotedValues), UnquotedValue;
    /// A colon inside a string without quotes
    BareColon = "bare_colon", 40, Some(UnquotedValues), UnquotedValue;
    /// A string without quotes that begins with a number or a literal
    BareScalar = "bare_scalar", 130, Some(UnquotedValues), UnquotedValue;
    /// A string without quotes that begins with a bracket ends inside it
    BareUnclosed = "bare_unclosed", 70, Some(UnquotedValues), UnquotedValue;
    /// A string without quotes ends at a space
    BareBlankEnd = "bare_blank_end", 35, Some(UnquotedValues), UnquotedValue;
    /// Punctuation between brackets inside a string without quotes
    BareGroup = "bare_group", 3, Some(UnquotedValues), UnquotedValue;
    /// A key without quotes that contains what no name has
    BareKeyOdd = "bare_key_odd", 40, Some(UnquotedKeys), UnquotedKey;
    /// A placeholder of a template in braces
    Placeholder = "placeholder", 40, Some(UnquotedValues), UnquotedValue;
    /// A literal of another language
    ForeignLiteral = "foreign_literal", 5, Some(ForeignLiterals), ForeignLiteral;
    /// `NaN` or an infinity
    NonFinite = "non_finite", 5, Some(NonFinite), NonFinite;
    /// A number in another notation
    ForeignNumber = "foreign_number", 12, Some(ForeignNumbers), ForeignNumber;
    /// Commas between thousands
    Thousands = "thousands", 10, Some(ForeignNumbers), Thousands;

    // Between values.
    /// No comma before a value or member on the same line
    MissingComma = "missing_comma", 60, Some(MissingCommas), MissingComma;
    /// No comma before a word: right after a string, or in a list after a number or a literal
    MissingCommaTight = "missing_comma_tight", 95, Some(MissingCommas), MissingComma;
    /// No comma at the end of a line
    MissingCommaLine = "missing_comma_line", 30, Some(MissingCommas), MissingComma;
    /// A comma before a closer
    TrailingComma = "trailing_comma", 10, Some(ExtraCommas), TrailingComma;
    /// A comma with nothing before it
    ExtraComma = "extra_comma", 40, Some(ExtraCommas), ExtraComma;
    /// A semicolon for a comma
    Semicolon = "semicolon", 30, Some(MissingCommas), MissingComma;
    /// A full stop for a comma
    FullStop = "full_stop", 40, Some(MissingCommas), MissingComma;
    /// Full-width punctuation
    FullWidth = "full_width", 10, Some(UnexpectedText), UnexpectedBytes;
    /// `=` or `=>` for a colon
    Equals = "equals", 20, Some(MissingColons), MissingColon;
    /// No colon before a quote or a bracket
    MissingColon = "missing_colon", 70, Some(MissingColons), MissingColon;
    /// No colon before a word
    MissingColonWord = "missing_colon_word", 90, Some(MissingColons), MissingColon;
    /// A key without colon and value
    MissingValue = "missing_value", 110, Some(MissingValues), MissingValue;
    /// A key with a colon and without a value
    EmptyValue = "empty_value", 60, Some(MissingValues), MissingValue;
    /// An ellipsis for what was left out
    Ellipsis = "ellipsis", 15, Some(Ellipses), Ellipsis;
    /// A comment
    Comment = "comment", 10, Some(Comments), Comment;
    /// A comment ends before its line
    CommentEnd = "comment_end", 60, Some(Comments), Comment;
    /// A comment ends before a member on its line
    CommentMember = "comment_member", 40, Some(Comments), Comment;
    /// Emphasis of Markdown around a key or a value
    Emphasis = "emphasis", 30, Some(UnexpectedText), UnexpectedBytes;
    /// Whitespace that is not JSON's
    UnicodeBlank = "unicode_blank", 5, Some(UnicodeSpaces), UnicodeSpace;
    /// Whitespace written as an escape
    EscapedBlank = "escaped_blank", 5, Some(InvalidEscapes), InvalidEscape;
    /// Strings joined with `+`
    Concatenation = "concatenation", 10, Some(StringConcat), StringConcat;
    /// Strings joined without a sign
    Adjacent = "adjacent_strings", 50, Some(StringConcat), StringConcat;

    // Brackets.
    /// A closer that was left out
    MissingClose = "missing_close", 80, Some(MissingClosers), MissingClose;
    /// A closer of the wrong kind
    WrongClose = "wrong_close", 90, Some(MismatchedClosers), MismatchedClose;
    /// A closer with nothing to close
    SurplusClose = "surplus_close", 110, Some(SurplusClosers), SurplusClose;
    /// A closer that comes too early
    EarlyClose = "early_close", 110, Some(SurplusClosers), ContinuedRoot;
    /// A list that is closed and opened again between two items, where a key should follow
    SplitList = "split_list", 70, Some(SurplusClosers), SurplusClose;
    /// Braces around an object
    DoubledBraces = "doubled_braces", 80, Some(MismatchedClosers), MismatchedClose;
    /// Braces around a list
    Set = "set", 90, Some(MismatchedClosers), MismatchedClose;
    /// Members without braces
    ImpliedObject = "implied_object", 90, Some(MissingClosers), MismatchedClose;
    /// An opener that was left out
    MissingOpen = "missing_open", 90, Some(MissingClosers), MismatchedClose;
    /// Round brackets around a list
    Tuple = "tuple", 12, Some(Tuples), Tuple;

    // Text that is no value.
    /// A remark in brackets after a value
    Remark = "remark", 75, Some(UnexpectedText), UnexpectedBytes;
    /// The first byte of text that fits nowhere
    Junk = "junk", 75, Some(UnexpectedText), UnexpectedBytes;
    /// A further byte of it
    JunkMore = "junk_more", 4, Some(UnexpectedText), UnexpectedBytes;
    /// It begins with a letter right behind a closing quote
    JunkTight = "junk_tight", 40, Some(UnexpectedText), UnexpectedBytes;
    /// A number in it, in a list
    JunkItem = "junk_item", 60, Some(UnexpectedText), UnexpectedBytes;
    /// A quote in it
    JunkQuote = "junk_quote", 80, Some(UnexpectedText), UnexpectedBytes;
    /// A bracket in it
    JunkBracket = "junk_bracket", 60, Some(UnexpectedText), UnexpectedBytes;
    /// A comma in it
    JunkComma = "junk_comma", 30, Some(UnexpectedText), UnexpectedBytes;

    // After the root.
    /// Text right after the root, on its line
    TailDirect = "tail_direct", 60, None, UnexpectedBytes;
    /// A quote in the text after the root
    TailQuote = "tail_quote", 30, None, UnexpectedBytes;
    /// A quote in the text after the root, where there are four already
    TailQuoteMany = "tail_quote_many", 10, None, UnexpectedBytes;
    /// A closer in the text after the root
    TailCloser = "tail_closer", 80, None, SurplusClose;
    /// A bracket in the text after the root
    TailBracket = "tail_bracket", 60, None, UnexpectedBytes;
    /// One more root
    RootAgain = "root_again", 10, None, BetterCandidate;
    /// Text after a root that was not closed
    TailUnclosed = "tail_unclosed", 96, None, MissingClose;
    /// The fence ends before the root does
    FenceEnd = "fence_end", 20, None, MissingClose;

    // The end of the text.
    /// The text ends in a container
    EndOpen = "end_open", 31, None, Truncated;
    /// The text ends in a string
    EndText = "end_text", 40, None, Truncated;
    /// The text ends in text that fits nowhere
    EndJunk = "end_junk", 40, None, Truncated;
    /// The text ends in a key
    EndKey = "end_key", 60, None, Truncated;
    /// The text ends in a string or a comment, with a closer
    EndCloser = "end_closer", 60, None, Truncated;
    /// The text ends in a number or a literal
    EndFragment = "end_fragment", 10, None, TruncatedScalar;
    /// The text ends before a value
    EndValue = "end_value", 20, None, Truncated;
}

/// From the second time on, a slip of these costs a third: who leaves out one comma leaves out more.
const HABITS: &[Slip] = &[
    Slip::Remark,
    Slip::BareKey,
    Slip::BareValue,
    Slip::SingleQuotes,
    Slip::SmartQuotes,
    Slip::BacktickQuotes,
    Slip::TripleQuotes,
    Slip::DoubledQuotes,
    Slip::EscapedQuotes,
    Slip::EntityQuotes,
    Slip::EscapedBlank,
    Slip::UnicodeBlank,
    Slip::MissingComma,
    Slip::MissingCommaLine,
    Slip::Semicolon,
    Slip::FullWidth,
    Slip::Equals,
    Slip::MissingOpenerKey,
    Slip::MissingOpener,
    Slip::CsvQuotes,
    Slip::Tuple,
    Slip::SmartCloser,
    Slip::Comment,
    Slip::MissingQuoteComma,
    Slip::MissingQuoteLine,
    Slip::Ellipsis,
    Slip::Emphasis,
    Slip::Thousands,
    Slip::TailCloser,
    Slip::MixedQuotes,
    Slip::MixedBackticks,
];

/// Habits that are a way of writing: the whole document has them.
const STYLES: &[Slip] = &[
    Slip::BareKey,
    Slip::SingleQuotes,
    Slip::SmartQuotes,
    Slip::BacktickQuotes,
    Slip::DoubledQuotes,
    Slip::EscapedQuotes,
    Slip::EntityQuotes,
    Slip::EscapedBlank,
    Slip::UnicodeBlank,
    Slip::TailCloser,
];

impl Slip {
    /// Whether these leniencies allow it.
    pub(super) fn is_allowed(self, rules: Leniencies) -> bool {
        self.leniency().is_none_or(|leniency| rules.allow(leniency))
    }

    /// The bit of a habit; 0 if the slip is none.
    pub(super) fn habit(self) -> u32 {
        HABITS.iter().position(|&it| it == self).map_or(0, |at| 1 << at)
    }

    /// The part of its cost that a habit costs.
    pub(super) fn habit_share(self) -> u32 {
        if STYLES.contains(&self) { 12 } else { 3 }
    }

    /// Whether it is the end of the text, and not a slip before it.
    pub(crate) const fn is_end(self) -> bool {
        matches!(self.code(), Code::Truncated | Code::TruncatedScalar)
    }

    /// Whether it makes a slip dearer, and is no slip of its own.
    pub(super) const fn is_surcharge(self) -> bool {
        matches!(
            self,
            Self::InnerQuoteOdd
                | Self::InnerQuoteUnbalanced
                | Self::InnerQuotePlace
                | Self::InnerQuoteColon
                | Self::InnerQuoteMember
                | Self::InnerQuoteLine
                | Self::InnerQuoteKey
                | Self::NestedQuote
                | Self::DoubledValue
                | Self::JunkMore
                | Self::JunkTight
                | Self::JunkItem
                | Self::JunkQuote
                | Self::JunkBracket
        )
    }
}
