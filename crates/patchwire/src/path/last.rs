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

#[cfg(test)]
mod tests {
    use super::super::stack::PathStack;
    use super::{AnyPath, LastPath};

    fn stack(keys: &[&str]) -> PathStack {
        let mut stack = PathStack::default();
        for key in keys {
            stack.push(false);
            stack.set_key(key);
        }
        stack
    }

    #[test]
    fn the_last_path_is_the_one_that_was_set_last() {
        let stacks = [stack(&["a"]), stack(&["b"]), stack(&["a", "bc"]), stack(&["ab", "c"])];
        let mut last = LastPath::default();
        for one in &stacks {
            let path = one.path(one.depth());
            last.set(AnyPath::Borrowed(path));
            for other in &stacks {
                let is_same = core::ptr::eq(one, other);
                assert_eq!(last.is(AnyPath::Borrowed(other.path(other.depth()))), is_same);
                assert!(!last.is(AnyPath::Owned(&other.path(other.depth()).to_path_buf())));
            }
            let owned = path.to_path_buf();
            last.set(AnyPath::Owned(&owned));
            assert!(last.is(AnyPath::Owned(&owned)) && !last.is(AnyPath::Borrowed(path)));
        }
    }

    /// The keys of containers further in are no part of the path.
    #[test]
    fn a_path_further_out_has_fewer_keys() {
        let deep = stack(&["a", "b"]);
        let mut last = LastPath::default();
        last.set(AnyPath::Borrowed(deep.path(1)));
        assert!(last.is(AnyPath::Borrowed(stack(&["a"]).path(1))));
        assert!(!last.is(AnyPath::Borrowed(deep.path(2))));
        last.set(AnyPath::Borrowed(deep.path(0)));
        assert!(last.is(AnyPath::Borrowed(stack(&["x"]).path(0))));
    }
}
