//! The names that have had a header. Lookups take constant time: an answer may have as many headers as lines.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::sections::Style;

/// The names that had a header, and the style of the first header of each.
#[derive(Default)]
pub(super) struct SeenNames<'s> {
    first: HashMap<&'s str, Style>,
    /// Of each style, the first two names.
    by_style: HashMap<Style, (&'s str, Option<&'s str>)>,
}

impl<'s> SeenNames<'s> {
    pub(super) fn add(&mut self, name: &'s str, style: Style) {
        if let Entry::Vacant(place) = self.first.entry(name) {
            place.insert(style);
            let names = self.by_style.entry(style).or_insert((name, None));
            if names.0 != name {
                names.1.get_or_insert(name);
            }
        }
    }

    /// The style of the first header of a name.
    pub(super) fn style_of(&self, name: &str) -> Option<Style> {
        self.first.get(name).copied()
    }

    /// Whether another name has this style.
    pub(super) fn has_other(&self, name: &str, style: Style) -> bool {
        self.by_style.get(&style).is_some_and(|(one, two)| *one != name || two.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::{SeenNames, Style};

    #[test]
    fn the_first_style_of_each_name_counts() {
        let mut seen = SeenNames::default();
        seen.add("a", Style::Framed);
        assert!(!seen.has_other("a", Style::Framed) && seen.has_other("b", Style::Framed));
        seen.add("a", Style::Row);
        assert_eq!(seen.style_of("a"), Some(Style::Framed));
        assert!(!seen.has_other("b", Style::Row));
        seen.add("b", Style::Framed);
        assert!(seen.has_other("a", Style::Framed) && seen.has_other("b", Style::Framed));
        assert_eq!(seen.style_of("c"), None);
    }
}
