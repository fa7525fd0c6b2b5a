//! The open containers of a document, outermost first, each with its current child.

use super::{Path, Segment};

/// An open container and its current child.
///
/// Invariant: `key_start + key_len <= keys.len()` in its stack, and the key text of a frame comes after
/// that of every frame below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    key_start: u32,
    key_len: u32,
    /// Items begun so far. The current one is `count - 1`.
    count: u32,
    is_list: bool,
}

impl Frame {
    /// Where the keys of this frame and of those below it end.
    pub(super) const fn keys_end(self) -> usize {
        (self.key_start + self.key_len) as usize
    }

    #[cfg_attr(target_family = "wasm", inline)]
    pub(super) fn segment(self, keys: &str) -> Segment<'_> {
        if self.is_list {
            Segment::Index(self.count.saturating_sub(1))
        } else {
            let start = self.key_start as usize;
            Segment::Key(&keys[start..start + self.key_len as usize])
        }
    }
}

/// The path of the value being read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PathStack {
    frames: Vec<Frame>,
    keys: String,
}

impl PathStack {
    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) const fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The path of the value at this depth: one step for the current child of each of the `depth` outermost
    /// containers.
    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) fn path(&self, depth: usize) -> Path<'_> {
        Path::new(&self.frames[..depth], &self.keys)
    }

    /// About as many bytes as the whole path takes when it is printed.
    pub(crate) fn size(&self) -> usize {
        self.keys.len() + 12 * self.frames.len()
    }

    /// Reserves room for this many more containers.
    pub(crate) fn reserve(&mut self, containers: usize) {
        self.frames.reserve(containers);
        self.keys.reserve(8 * containers);
    }

    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) fn push(&mut self, is_list: bool) {
        let key_start = self.keys.len() as u32;
        self.frames.push(Frame { key_start, key_len: 0, count: 0, is_list });
    }

    /// This path below a member of an object.
    pub(crate) fn under(&self, key: &str) -> Self {
        let mut path = Self::default();
        path.push(false);
        path.set_key(key);
        for segment in self.path(self.depth()).segments() {
            match segment {
                Segment::Key(key) => {
                    path.push(false);
                    path.set_key(key);
                }
                Segment::Index(index) => {
                    path.push(true);
                    path.set_index(index);
                }
            }
        }
        path
    }

    /// The path of the value at this depth.
    pub(crate) fn up_to(&self, depth: usize) -> Self {
        let frames = self.frames[..depth.min(self.frames.len())].to_vec();
        let keys = frames.last().map_or(0, |frame| frame.keys_end());
        Self { keys: self.keys[..keys].to_owned(), frames }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.keys.truncate(frame.key_start as usize);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.frames.clear();
        self.keys.clear();
    }

    /// Moves the innermost container, an object, on to the member `key`.
    #[inline]
    pub(crate) fn set_key(&mut self, key: &str) {
        self.return_to_key(key);
        if let Some(frame) = self.frames.last_mut() {
            frame.count += 1;
        }
    }

    /// Moves the innermost container, an object, back to its existing member `key`.
    #[inline]
    pub(crate) fn return_to_key(&mut self, key: &str) {
        if let Some(frame) = self.frames.last_mut() {
            self.keys.truncate(frame.key_start as usize);
            self.keys.push_str(key);
            frame.key_len = key.len() as u32;
        }
    }

    /// Moves the innermost container, a list, on to its next item.
    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) fn next_index(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.count += 1;
        }
    }

    /// Moves the innermost container, a list, to the item `index`.
    pub(crate) fn set_index(&mut self, index: u32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.count = index + 1;
        }
    }

    /// Whether the innermost container is a list; `None` at the root.
    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) fn in_list(&self) -> Option<bool> {
        self.frames.last().map(|frame| frame.is_list)
    }

    /// Children begun in the innermost container.
    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) fn count(&self) -> u32 {
        self.frames.last().map_or(0, |frame| frame.count)
    }

    /// The current key of the innermost container.
    pub(crate) fn key(&self) -> &str {
        match self.frames.last().map(|frame| frame.segment(&self.keys)) {
            Some(Segment::Key(key)) => key,
            _ => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PathStack;

    #[test]
    fn a_path_that_goes_down_and_up_again_takes_no_more_room() {
        let mut path = PathStack::default();
        path.push(true);
        let size = path.size();
        for index in 0..9 {
            path.set_index(index);
            path.push(false);
            path.set_key("name");
            assert_eq!(path.path(2).to_string(), format!("[{index}].name"));
            path.pop();
            assert_eq!(path.size(), size);
        }
    }
}
