//! Paths of values in a document: `a.b[0].c`.
//!
//! While a document is read, its path is a stack of frames over one arena of key text. Nothing is copied or
//! formatted before a caller prints the path, and a deep path costs no more than a flat one.

mod last;
mod owned;
mod pattern;
mod print;
mod stack;

pub(crate) use last::LastPath;
pub use owned::PathBuf;
pub use pattern::{Pattern, PatternError};
pub(crate) use print::{AnyPath, PathForm, Printed};
pub use print::{JsonPath, Pointer, Wildcard};
pub(crate) use stack::{Frame, PathStack};

/// One step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Segment<'a> {
    /// A member of an object.
    Key(&'a str),
    /// An item of a list, counted from 0.
    Index(u32),
}

/// A borrowed path. The root is the empty path.
///
/// Prints as `a.b[0]["odd key"]`; see also [`wildcard`](Self::wildcard),
/// [`pointer`](Self::pointer) and [`json_path`](Self::json_path).
#[derive(Clone, Copy)]
pub struct Path<'a> {
    frames: &'a [Frame],
    keys: &'a str,
}

impl<'a> Path<'a> {
    /// The path of the document's root.
    pub const ROOT: Path<'static> = Path { frames: &[], keys: "" };

    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) const fn new(frames: &'a [Frame], keys: &'a str) -> Self {
        Self { frames, keys }
    }

    /// Number of steps; 0 for the root.
    #[must_use]
    #[cfg_attr(target_family = "wasm", inline)]
    pub const fn len(self) -> usize {
        self.frames.len()
    }

    /// Whether this is the root.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.frames.is_empty()
    }

    /// The steps, from the root down.
    #[must_use]
    pub fn segments(self) -> Segments<'a> {
        Segments { path: self }
    }

    /// The last step; none for the root.
    #[must_use]
    #[cfg_attr(target_family = "wasm", inline)]
    pub fn last(self) -> Option<Segment<'a>> {
        self.frames.last().map(|frame| frame.segment(self.keys))
    }

    /// The path of the enclosing container; none for the root.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        let (_, above) = self.frames.split_last()?;
        Some(Self { frames: above, keys: self.keys })
    }

    /// Whether a pattern such as `items[*].sku` matches this path.
    #[must_use]
    pub fn matches(self, pattern: &Pattern) -> bool {
        pattern.matches(self)
    }

    /// This path with `[*]` for every list index.
    #[must_use]
    pub const fn wildcard(self) -> Wildcard<'a> {
        Wildcard(self)
    }

    /// The path as an RFC 6901 JSON Pointer: `/a/b/0`.
    #[must_use]
    pub const fn pointer(self) -> Pointer<'a> {
        Pointer(self)
    }

    /// The path as an RFC 9535 JSONPath in normalised form: `$['a']['b'][0]`.
    #[must_use]
    pub const fn json_path(self) -> JsonPath<'a> {
        JsonPath(self)
    }

    /// An owned copy of the path.
    #[must_use]
    pub fn to_path_buf(self) -> PathBuf {
        self.segments().fold(PathBuf::root(), |path, segment| path.child(segment))
    }
}

/// The steps of a [`Path`], from the root down.
#[derive(Clone)]
pub struct Segments<'a> {
    path: Path<'a>,
}

impl<'a> Iterator for Segments<'a> {
    type Item = Segment<'a>;

    fn next(&mut self) -> Option<Segment<'a>> {
        let (first, rest) = self.path.frames.split_first()?;
        self.path.frames = rest;
        Some(first.segment(self.path.keys))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.path.len(), Some(self.path.len()))
    }
}

impl DoubleEndedIterator for Segments<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let (last, rest) = self.path.frames.split_last()?;
        self.path.frames = rest;
        Some(last.segment(self.path.keys))
    }
}

impl ExactSizeIterator for Segments<'_> {}

impl PartialEq<Path<'_>> for Path<'_> {
    fn eq(&self, other: &Path<'_>) -> bool {
        self.segments().eq(other.segments())
    }
}

impl Eq for Path<'_> {}

/// Compares with the printed form, without allocating.
impl PartialEq<str> for Path<'_> {
    fn eq(&self, printed: &str) -> bool {
        print::equals(self.segments(), printed)
    }
}

impl PartialEq<&str> for Path<'_> {
    fn eq(&self, printed: &&str) -> bool {
        print::equals(self.segments(), printed)
    }
}
