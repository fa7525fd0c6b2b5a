//! Text of owned events.

use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;

use arrayvec::ArrayString;
use bytestring::ByteString;

/// The text of an owned event: cheap to make and to clone.
///
/// Up to 20 bytes lie in the value itself, as most deltas of a model do. Longer ones lie in a shared buffer: that of the
/// chunk, if it was fed as [`Bytes`](bytes::Bytes), or else a copy.
///
/// It is a `str` in all that reads it, and compares and hashes as one.
///
/// ```
/// use patchwire::event::SharedText;
///
/// let delta = SharedText::from("Hello");
/// assert_eq!(delta, "Hello");
/// assert_eq!(delta.len(), 5);
/// let text: String = delta.into();
/// ```
#[derive(Clone)]
pub struct SharedText(Held);

#[derive(Clone)]
enum Held {
    Short(ArrayString<{ SharedText::SHORT }>),
    Long(ByteString),
}

impl SharedText {
    /// The most bytes of a short text that leave the value as big as a [`ByteString`].
    pub(crate) const SHORT: usize = 20;

    /// The text as a `&str`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Held::Short(text) => text,
            Held::Long(text) => text,
        }
    }

    /// The buffer of a text that is not short.
    pub(crate) const fn buffer(&self) -> Option<&ByteString> {
        match &self.0 {
            Held::Short(_) => None,
            Held::Long(text) => Some(text),
        }
    }

    /// The text, if it is short.
    #[inline(always)]
    pub(super) fn short(text: &str) -> Option<Self> {
        Some(Self(Held::Short(ArrayString::from(text).ok()?)))
    }

    /// The text, short or made by `long`.
    #[inline(always)]
    pub(super) fn or_long(text: &str, long: impl FnOnce() -> ByteString) -> Self {
        Self::short(text).unwrap_or_else(|| Self(Held::Long(long())))
    }
}

impl Default for SharedText {
    fn default() -> Self {
        Self(Held::Short(ArrayString::new()))
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> Self {
        Self::or_long(text, || ByteString::from(text))
    }
}

impl From<String> for SharedText {
    fn from(text: String) -> Self {
        Self::from(ByteString::from(text))
    }
}

impl From<ByteString> for SharedText {
    /// Keeps the buffer of a text that is not short.
    fn from(text: ByteString) -> Self {
        Self(match ArrayString::from(&text) {
            Ok(short) => Held::Short(short),
            Err(_) => Held::Long(text),
        })
    }
}

impl From<SharedText> for ByteString {
    fn from(text: SharedText) -> Self {
        match text.0 {
            Held::Short(text) => Self::from(text.as_str()),
            Held::Long(text) => text,
        }
    }
}

impl From<SharedText> for String {
    fn from(text: SharedText) -> Self {
        Self::from(text.as_str())
    }
}

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for SharedText {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl Borrow<str> for SharedText {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

impl<T: AsRef<str> + ?Sized> PartialEq<T> for SharedText {
    fn eq(&self, other: &T) -> bool {
        self.as_str() == other.as_ref()
    }
}

impl Eq for SharedText {}

impl PartialEq<SharedText> for str {
    fn eq(&self, other: &SharedText) -> bool {
        self == other.as_str()
    }
}

impl PartialEq<SharedText> for &str {
    fn eq(&self, other: &SharedText) -> bool {
        *self == other.as_str()
    }
}

impl PartialOrd for SharedText {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SharedText {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Hash for SharedText {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl serde::Serialize for SharedText {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for SharedText {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests;
