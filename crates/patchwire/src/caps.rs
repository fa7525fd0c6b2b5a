//! How much may be held back where the stream has to show what a byte means: constants, not the
//! caller's to set. Tests set them low, so that every input of a few bytes reaches them.

/// The bounds of what is held back undecided, in bytes. What happens at a cap is decided then and
/// there, and never taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Blanks behind a quote that may end its text; more of them confirm it.
    pub blanks: usize,
    /// A name or quoted run that may be a key, for its colon.
    pub run: usize,
    /// A list item that may turn out to be the next key of the object above.
    pub item: usize,
    /// A bracket in text, for its first key and colon.
    pub key: usize,
    /// A bracket in text, for a key that the schema declares.
    pub declared: usize,
    /// A bracket that opens a root if anything does, for its first visible byte.
    pub opening: usize,
    /// A key without quotes after a bracket in text.
    pub name: usize,
    /// The info string of a fence line.
    pub info: usize,
    /// A fence's opening line and the blanks behind it.
    pub fence: usize,
}

impl Caps {
    /// Those in force.
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
    };

    /// All of them this many bytes.
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
        }
    }
}

/// The bounds on what may be markup in an xml body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct XmlCaps {
    /// Bytes of a tag.
    pub tag: usize,
    /// Attributes of a tag.
    pub attributes: usize,
    /// Bytes of an entity.
    pub entity: usize,
    /// Bytes of blanks in front of an element's first text or child.
    pub blanks: usize,
}

impl XmlCaps {
    /// Those in force.
    pub const STANDARD: Self = Self { tag: 1 << 10, attributes: 64, entity: 32, blanks: 64 << 10 };
}
