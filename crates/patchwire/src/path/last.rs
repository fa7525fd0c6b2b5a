//! The path of the last patch, to see whether the next one has the same.

use super::print::AnyPath;
use super::stack::Frame;
use super::{Path, PathBuf};

/// A kept path. Borrowed paths are kept without an allocation once there is room.
#[derive(Debug, Clone, Default)]
pub(crate) struct LastPath {
    frames: Vec<Frame>,
    keys: String,
    owned: Option<PathBuf>,
    is_borrowed: bool,
}

impl LastPath {
    /// Whether it is this path. May be false for an equal path of the other kind.
    pub(crate) fn is(&self, path: AnyPath<'_>) -> bool {
        match path {
            AnyPath::Borrowed(path) => {
                self.is_borrowed && path.frames == self.frames && keys_of(path) == self.keys
            }
            AnyPath::Owned(path) => self.owned.as_ref() == Some(path),
        }
    }

    pub(crate) fn set(&mut self, path: AnyPath<'_>) {
        self.is_borrowed = matches!(path, AnyPath::Borrowed(_));
        self.owned = None;
        match path {
            AnyPath::Borrowed(path) => {
                self.frames.clear();
                self.frames.extend_from_slice(path.frames);
                self.keys.clear();
                self.keys.push_str(keys_of(path));
            }
            AnyPath::Owned(path) => self.owned = Some(path.clone()),
        }
    }
}

/// The keys of the steps. Behind them may be those of containers further in.
fn keys_of(path: Path<'_>) -> &str {
    let end = path.frames.last().map_or(0, |frame| frame.keys_end());
    &path.keys[..end]
}
