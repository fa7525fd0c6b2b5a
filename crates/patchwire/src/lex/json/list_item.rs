//! A string item that may be the next key of the object around its list, as in `{"a": ["x", "b": 1}`.

/// The beginning of such an item.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ListItem {
    pub(super) may_be_key: bool,
    text: String,
}

impl ListItem {
    #[cfg_attr(target_family = "wasm", inline)]
    pub(super) fn begin(&mut self, may_be_key: bool) {
        self.text.clear();
        self.may_be_key = may_be_key;
    }

    /// Keeps more text of the item. An item of more than `most` bytes is no key.
    #[inline(always)]
    pub(super) fn push(&mut self, text: &str, most: usize) {
        if self.may_be_key {
            self.push_within(text, most);
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    fn push_within(&mut self, text: &str, most: usize) {
        if self.text.len() + text.len() <= most {
            self.text.push_str(text);
        } else {
            self.begin(false);
        }
    }

    /// Takes the text: the item was a key.
    pub(super) fn take(&mut self) -> String {
        self.may_be_key = false;
        core::mem::take(&mut self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::ListItem;

    #[test]
    fn only_short_items_that_may_be_keys_are_kept() {
        for (may_be_key, parts, kept) in [
            (true, ["ab", "cd"], Some("abcd")),
            (true, ["ab", "cde"], None),
            (true, ["abcde", ""], None),
            (false, ["a", "b"], None),
        ] {
            let mut item = ListItem::default();
            item.begin(may_be_key);
            parts.iter().for_each(|part| item.push(part, 4));
            assert_eq!(item.may_be_key, kept.is_some(), "{parts:?}");
            assert_eq!(item.take(), kept.unwrap_or_default(), "{parts:?}");
            assert_eq!(item, ListItem::default());
        }
    }
}
