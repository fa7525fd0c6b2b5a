//! Bounds of look-ahead, for bytes whose meaning later bytes decide. They are constants and no settings.
//! Tests set them low, so that an input of a few bytes reaches every bound.

/// Bounds of undecided bytes. At a bound the parser decides at once, and the decision stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Whitespace after a quote that may end its string. More whitespace confirms the end.
    pub blanks: usize,
    /// A name or a quoted run that is a key if a colon follows.
    pub run: usize,
    /// A list item that may turn out to be the next key of the object above.
    pub item: usize,
    /// A bracket in text, up to its first key and colon.
    pub key: usize,
    /// A bracket in text, up to a key that the schema declares.
    pub declared: usize,
    /// A bracket that may open a root, up to its first visible byte.
    pub opening: usize,
    /// A key without quotes after a bracket in text.
    pub name: usize,
    /// The info string of a fence line.
    pub info: usize,
    /// The opening line of a fence, and the whitespace after it.
    pub fence: usize,
    /// Visible characters behind a quote that two readings are compared over.
    pub window: usize,
    /// Such comparisons in one root. After so many, the next visible byte decides alone.
    pub windows: u16,
}

impl Caps {
    /// The bounds that parsers use.
    pub const STANDARD: Self = Self {
        blanks: 64,
        run: 64,
        item: 64,
        key: 256,
        declared: 4 << 10,
        opening: 64 << 10,
        name: 64,
        info: 64,
        fence: 1 << 10,
        window: 32,
        windows: 512,
    };

    /// Every bound at this many bytes.
    #[must_use]
    pub const fn all(bytes: usize) -> Self {
        Self {
            blanks: bytes,
            run: bytes,
            item: bytes,
            key: bytes,
            declared: bytes,
            opening: bytes,
            name: bytes,
            info: bytes,
            fence: bytes,
            window: bytes,
            ..Self::STANDARD
        }
    }
}

/// Bounds of possible markup in an XML body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct XmlCaps {
    /// Bytes of a tag.
    pub tag: usize,
    /// Attributes of a tag.
    pub attributes: usize,
    /// Bytes of an entity.
    pub entity: usize,
    /// Bytes of whitespace before the first text or child of an element.
    pub blanks: usize,
}

impl XmlCaps {
    /// The bounds that parsers use.
    pub const STANDARD: Self = Self { tag: 1 << 10, attributes: 64, entity: 32, blanks: 64 << 10 };
}
