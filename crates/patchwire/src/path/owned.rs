//! Owned paths, linked to their parent: a thousand patches below one container share the container's path.

use core::hash::{Hash, Hasher};
use std::sync::Arc;

use super::{Path, Segment, print};

/// An owned path. Cloning copies a pointer. Dropping is a loop, so any depth is safe.
#[derive(Clone, Default)]
pub struct PathBuf(Option<Arc<Link>>);

struct Link {
    parent: PathBuf,
    step: OwnedStep,
    len: usize,
}

enum OwnedStep {
    Key(Box<str>),
    /// A short key, stored in the link itself. Saves an allocation for nearly every field.
    Short(Short),
    Index(u32),
}

/// A short text. Invariant: `bytes[..len]` is UTF-8.
struct Short {
    len: u8,
    bytes: [u8; Self::MOST],
}

impl Short {
    /// The largest length that does not make a step bigger.
    const MOST: usize = 22;

    fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; Self::MOST];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(Self { len: text.len() as u8, bytes })
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }
}

impl OwnedStep {
    fn new(segment: Segment<'_>) -> Self {
        match segment {
            Segment::Key(key) => Short::new(key).map_or_else(|| Self::Key(key.into()), Self::Short),
            Segment::Index(index) => Self::Index(index),
        }
    }

    fn is(&self, segment: Segment<'_>) -> bool {
        match (self, segment) {
            (Self::Index(index), Segment::Index(other)) => *index == other,
            (Self::Short(key), Segment::Key(other)) => key.as_bytes() == other.as_bytes(),
            (Self::Key(key), Segment::Key(other)) => **key == *other,
            _ => false,
        }
    }

    fn segment(&self) -> Segment<'_> {
        match self {
            Self::Key(key) => Segment::Key(key),
            Self::Short(key) => Segment::Key(key.as_str()),
            Self::Index(index) => Segment::Index(*index),
        }
    }
}

impl PathBuf {
    /// The path of a document's root.
    #[must_use]
    pub const fn root() -> Self {
        Self(None)
    }

    /// This path with one more step. It shares this path.
    #[must_use]
    pub fn child(&self, segment: Segment<'_>) -> Self {
        let step = OwnedStep::new(segment);
        Self(Some(Arc::new(Link { parent: self.clone(), step, len: self.len() + 1 })))
    }

    /// Whether this is the last step.
    pub(crate) fn ends_in(&self, segment: Segment<'_>) -> bool {
        self.0.as_ref().is_some_and(|link| link.step.is(segment))
    }

    /// Replaces the last step: in place, if nobody else holds this path.
    pub(crate) fn set_last(&mut self, segment: Segment<'_>) {
        match self.0.as_mut().and_then(Arc::get_mut) {
            Some(link) => link.step = OwnedStep::new(segment),
            None => *self = self.parent().cloned().unwrap_or_default().child(segment),
        }
    }

    /// Number of steps; 0 for the root.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |link| link.len)
    }

    /// Whether this is the root.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The last step; none for the root.
    #[must_use]
    pub fn last(&self) -> Option<Segment<'_>> {
        self.0.as_ref().map(|link| link.step.segment())
    }

    /// The path of the enclosing container; none for the root.
    #[must_use]
    pub fn parent(&self) -> Option<&Self> {
        self.0.as_ref().map(|link| &link.parent)
    }

    /// The steps, from the root down.
    #[must_use]
    pub fn segments(&self) -> Vec<Segment<'_>> {
        let mut steps: Vec<_> = self.up().collect();
        steps.reverse();
        steps
    }

    /// The steps, from the leaf up.
    pub(super) fn up(&self) -> impl Iterator<Item = Segment<'_>> {
        let mut at = self;
        core::iter::from_fn(move || {
            let link = at.0.as_deref()?;
            at = &link.parent;
            Some(link.step.segment())
        })
    }
}

/// Takes the links above along that nobody else holds. The path itself has no `drop`: most paths are shared, and then only
/// a count changes.
impl Drop for Link {
    fn drop(&mut self) {
        let mut next = self.parent.0.take();
        while let Some(link) = next {
            next = Arc::into_inner(link).and_then(|mut link| link.parent.0.take());
        }
    }
}

impl PartialEq for PathBuf {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.up().eq(other.up())
    }
}

impl Eq for PathBuf {}

impl PartialEq<Path<'_>> for PathBuf {
    fn eq(&self, other: &Path<'_>) -> bool {
        self.len() == other.len() && self.up().eq(other.segments().rev())
    }
}

impl Hash for PathBuf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.up().for_each(|segment| segment.hash(state));
    }
}

impl PartialEq<str> for PathBuf {
    fn eq(&self, printed: &str) -> bool {
        print::equals(self.segments().into_iter(), printed)
    }
}

impl PartialEq<&str> for PathBuf {
    fn eq(&self, printed: &&str) -> bool {
        print::equals(self.segments().into_iter(), printed)
    }
}

#[cfg(test)]
mod tests {
    use super::{OwnedStep, PathBuf, Segment};

    #[test]
    fn a_path_prints_with_a_width() {
        let path = PathBuf::root().child(Segment::Key("a")).child(Segment::Index(7));
        assert_eq!(format!("{path}|{path:>6}|{path:<6}|{path:.2}"), "a[7]|  a[7]|a[7]  |a[");
    }

    #[test]
    fn the_last_step_is_replaced_in_this_path_alone() {
        let above = PathBuf::root().child(Segment::Key("a"));
        let mut path = above.child(Segment::Index(0));
        let kept = path.clone();
        for (step, printed) in [
            (Segment::Key("x"), "a.x"),
            (Segment::Index(7), "a[7]"),
            (Segment::Key("a key of more than 22 bytes"), "a[\"a key of more than 22 bytes\"]"),
        ] {
            path.set_last(step);
            assert_eq!((path.to_string().as_str(), path.len()), (printed, 2));
            assert!(path.ends_in(step) && !path.ends_in(Segment::Index(1)));
            assert!(!path.ends_in(Segment::Key("y")) && !path.ends_in(Segment::Key("")));
        }
        assert_eq!((kept.to_string(), above.to_string()), ("a[0]".into(), "a".into()));
        assert!(kept.ends_in(Segment::Index(0)) && !PathBuf::root().ends_in(Segment::Index(0)));
    }

    #[test]
    fn keys_of_every_length_are_kept() {
        assert_eq!(size_of::<OwnedStep>(), 24);
        for len in 0..40 {
            let key = "\u{e9}x".repeat(14).chars().take(len).collect::<String>();
            let path = PathBuf::root().child(Segment::Key(&key)).child(Segment::Index(7));
            assert_eq!(path.segments(), [Segment::Key(&key), Segment::Index(7)]);
            assert_eq!(path, path.parent().unwrap().child(Segment::Index(7)));
        }
    }
}
