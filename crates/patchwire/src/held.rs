//! Why bytes are held back, for people who look for a byte that no event has emitted yet.

use core::fmt;

macro_rules! reasons {
    ($($variant:ident = $name:literal, $layer:literal, $what:literal, $until:literal;)*) => {
        /// Why bytes are held back. Names are stable, so scripts may match on them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum HeldBy {
            $(#[doc = $what] $variant,)*
        }

        impl HeldBy {
            /// Every reason.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The layer that holds the bytes: `text`, `tags`, `finder`, `json`, `xml`, `fields`,
            /// `xml_field`, `sections`, `yaml` or `fold`.
            #[must_use]
            pub const fn layer(self) -> &'static str {
                match self { $(Self::$variant => $layer,)* }
            }

            /// What is held, for a person to read.
            #[must_use]
            pub const fn what(self) -> &'static str {
                match self { $(Self::$variant => $what,)* }
            }

            /// What decides, for a person to read.
            #[must_use]
            pub const fn until(self) -> &'static str {
                match self { $(Self::$variant => $until,)* }
            }
        }
    };
}

reasons! {
    CodePoint = "code_point", "text", "the first bytes of a code point",
        "its remaining bytes; any other byte makes it U+FFFD";
    Marker = "marker", "tags", "a possible marker",
        "the next byte of the marker; any other byte makes it text";
    FenceLine = "fence_line", "finder", "a line that may open or close a code fence",
        "the rest of the line";
    FenceBody = "fence_body", "finder", "the opening line of a code fence",
        "the next visible byte: a bracket may begin the payload, any other byte makes it text";
    SurplusClosers = "surplus_closers", "finder", "closers with nothing to close",
        "the first byte that is not a closer";
    Bracket = "bracket", "finder", "a bracket that may begin the payload",
        "its content: a key with its colon, or the first value of a list, begins the payload";
    SchemaKey = "schema_key", "finder", "a bracket that begins JSON, with no key of the schema yet",
        "a key that the schema declares, or the end of the object";
    Candidate = "candidate", "finder", "another root than the streamed one",
        "its end; the end of the stream decides which root is the answer";
    Key = "key", "json", "an incomplete key",
        "the quote that ends it";
    BareKey = "bare_key", "json", "a key without quotes",
        "the first byte that cannot be part of a name, or the colon of a key that follows";
    Escape = "escape", "json", "an incomplete escape",
        "the rest of the escape";
    Surrogate = "surrogate", "json", "the first half of a surrogate pair",
        "the escape of the second half; anything else makes the first U+FFFD";
    Word = "word", "json", "a number or literal that may continue",
        "the next byte: until then `1` may become `12`, and `tr` may become `true`";
    Blanks = "blanks", "json", "whitespace in a string without quotes",
        "the next visible byte: it continues or ends the string";
    NextMember = "next_member", "json", "text that may end a string without quotes",
        "the text after it: a key with its colon ends the string, other text continues it";
    ValueQuote = "value_quote", "json", "a quote that may end its string",
        "the next visible byte: a closer ends the string, a comma may, any other byte needs a closer look";
    QuoteWindow = "quote_window", "json", "a quote after a slip, and the text after it",
        "the cheaper reading: the string ends there, or the quote is part of it; at most 32 visible characters decide";
    Comma = "comma", "json", "a quote and a comma that may end a string",
        "the next visible byte: a quote or a closer ends the string, a name may, any other byte needs a closer look";
    NextName = "next_name", "json", "a quote, a comma and a possible key without quotes",
        "the text after the name: a colon ends the string, anything else needs a closer look";
    NextQuoted = "next_quoted", "json", "a quote and a possible next key, without a comma between",
        "the text after the second quoted run: a colon ends the string, anything else needs a closer look";
    KeyQuote = "key_quote", "json", "a quote that may end its key",
        "the next visible byte: a colon ends the key, a letter needs a closer look";
    KeyWord = "key_word", "json", "a quote and a possible value, without a colon between",
        "the end of the word: a literal ends the key, anything else is part of it";
    Plus = "plus", "json", "a quote and a plus sign",
        "the next visible byte: an opening quote joins two strings, any other byte makes it content";
    Slash = "slash", "json", "a quote and a slash",
        "the next byte: a comment ends the text, any other byte makes it content";
    TripleQuote = "triple_quote", "json", "quotes that may be the last of three",
        "whether there are three";
    FencedText = "fenced_text", "json", "whitespace or backticks in text between three backticks",
        "the next visible byte: after three backticks and before a separator the text ends, else they are part of it";
    MissingComma = "missing_comma", "json", "a possible next key or item, without a comma before it",
        "the text after it: a key needs a colon, an item is a literal, anything else is dropped";
    Comment = "comment", "json", "a comment",
        "its end";
    Dropped = "dropped", "json", "text that fits nowhere",
        "the next byte that fits";
    FenceEnd = "fence_end", "json", "marks that may close the fence",
        "whether there are three";
    XmlTag = "xml_tag", "xml", "a possible tag or comment",
        "the next character of the tag; any other makes it text";
    XmlEntity = "xml_entity", "xml", "a possible entity",
        "its semicolon; a byte that no entity has makes it text";
    XmlSection = "xml_section", "xml", "a possible end of a comment or section",
        "whether its three characters are there";
    XmlBlanks = "xml_blanks", "xml", "whitespace in an element or after one",
        "the next byte: whitespace before text is part of it, whitespace before a tag is not";
    XmlScalar = "xml_scalar", "xml", "text that may be a number or another value than text",
        "the end of the element, or a character that no such value has";
    FieldBlanks = "field_blanks", "fields", "whitespace in a text field",
        "the next visible byte: whitespace before it is text, whitespace at the end is dropped";
    FieldTag = "field_tag", "xml_field", "a possible tag of the root or of a field",
        "the next character of the tag; any other makes it text";
    FieldCloser = "field_closer", "xml_field", "a possible end of the field: its closer, or the next field's tag",
        "the text after it: another field, or the end of the root or of the text; anything else makes it content";
    Header = "header", "sections", "a line that may be a header",
        "the rest of the line; a character that no header has makes it content";
    Scaffold = "scaffold", "sections", "a line that may be copied from the prompt",
        "the rest of the line; a character that no such line has makes it content";
    YamlLine = "yaml_line", "yaml", "the first characters of a line: a key, a mark, or a scalar",
        "the next character that excludes the others";
    YamlWord = "yaml_word", "yaml", "a plain scalar that may be a number or another value than text",
        "the end of the line, or a character that no such value has";
    YamlDeferred = "yaml_deferred", "yaml", "a value that is emitted whole at its end",
        "its end: the closing bracket, or a line with less indent";
    Choice = "choice", "fold", "a string for which the schema lists choices",
        "its end, or a letter that no choice has there";
    Duplicate = "duplicate", "fold", "the value of a repeated key",
        "its end; it replaces the first one when the stream ends";
    NotGranted = "not_granted", "fold", "a value that is not granted, where only a granted kind is allowed",
        "its end: it is skipped";
}

impl fmt::Display for HeldBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Bytes that were fed and not emitted, because their meaning is undecided.
/// [`Parser::held`](crate::Parser::held) returns them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Held {
    /// Why they are held.
    pub by: HeldBy,
    /// The offset at which the undecided bytes begin, or, where that is not tracked, the offset at which
    /// the last event ended.
    pub from: u64,
    /// The held bytes. Bytes that will be dropped in any case are left out.
    pub bytes: Vec<u8>,
    /// What the bytes may still become, where the choices are few: markers, literals, listed values.
    pub could_be: Vec<String>,
}

impl Held {
    pub(crate) fn new(by: HeldBy, from: u64, bytes: impl AsRef<[u8]>) -> Self {
        Self { by, from, bytes: bytes.as_ref().to_vec(), could_be: Vec::new() }
    }

    /// A record of bytes that end at this offset.
    pub(crate) fn up_to(by: HeldBy, end: u64, bytes: impl AsRef<[u8]>) -> Self {
        let from = end.saturating_sub(bytes.as_ref().len() as u64);
        Self::new(by, from, bytes)
    }

    pub(crate) fn or<T: Into<String>>(self, could_be: impl IntoIterator<Item = T>) -> Self {
        Self { could_be: could_be.into_iter().map(Into::into).collect(), ..self }
    }
}
