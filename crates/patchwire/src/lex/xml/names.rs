//! Which names are tags.

use crate::order;
use std::sync::Arc;

/// A set of names that is searched by their beginnings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct TagNames(Arc<[Box<str>]>);

impl TagNames {
    /// The names that an element can have. Other names are dropped: no tag can contain them.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let names = names.into_iter().filter(|name| is_name(name)).map(Box::from);
        Self(order::distinct(names).into())
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.0.binary_search_by(|known| (**known).cmp(name)).is_ok()
    }

    /// Whether a name has this beginning.
    pub(super) fn any_begins(&self, start: &str) -> bool {
        let at = self.0.partition_point(|known| &**known < start);
        self.0.get(at).is_some_and(|known| known.starts_with(start))
    }
}

pub(super) fn starts_name(char: char) -> bool {
    char.is_alphabetic() || char == '_'
}

pub(super) fn continues_name(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | ':')
}

fn is_name(name: &str) -> bool {
    name.starts_with(starts_name) && name.chars().all(continues_name)
}

#[cfg(test)]
mod tests {
    use super::TagNames;

    #[test]
    fn names_are_found_by_their_beginnings() {
        let names = TagNames::new(["item", "id", "items", "", "1st", "a b", "é"]);
        assert!(names.contains("item") && names.contains("é"));
        assert!(!names.contains("ite") && !names.contains("1st"));
        assert!(names.any_begins("") && names.any_begins("items") && names.any_begins("i"));
        assert!(!names.any_begins("itemsx") && !names.any_begins("a"));
    }
}
