//! Elements of the tag set: their numbers, the parameters of their openers, and how they closed.

/// An element, numbered from 1 in the order of the openers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementId(pub(crate) u32);

impl ElementId {
    /// The number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// The parameters and attributes of an opener, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Params<'a>(&'a [(String, String)]);

impl<'a> Params<'a> {
    pub(crate) const fn new(all: &'a [(String, String)]) -> Self {
        Self(all)
    }

    /// Names and values, in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = (&'a str, &'a str)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    /// The value with this name; the first, if there are several.
    #[must_use]
    pub fn get(self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| &**value)
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The number of parameters and attributes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.len()
    }

    pub(crate) fn to_owned(self) -> Vec<(String, String)> {
        self.0.to_vec()
    }
}

/// What closed an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CloseReason {
    /// Its closer was read.
    Observed,
    /// The input ended.
    EndOfInput,
    /// A closer of another name of its group was read, or one with other parameters.
    Mismatched,
    /// Its opener was read again and begins another element.
    Reopened,
    /// The closer of an element around it was read.
    CloseThrough,
    /// The opener of the next of its kind was read.
    SiblingOpener,
    /// An opener was read that ends reasoning.
    Interrupted {
        /// The element it opens.
        by: ElementId,
    },
}

impl CloseReason {
    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Observed => "observed",
            Self::EndOfInput => "end_of_input",
            Self::Mismatched => "mismatched",
            Self::Reopened => "reopened",
            Self::CloseThrough => "close_through",
            Self::SiblingOpener => "sibling_opener",
            Self::Interrupted { .. } => "interrupted",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Params;

    #[test]
    fn parameters_are_found_by_name_and_counted() {
        let own = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let all = [("a", "1"), ("b", ""), ("a", "2")].map(own);
        let params = Params::new(&all);
        assert_eq!((params.len(), params.is_empty(), params.iter().len()), (3, false, 3));
        assert_eq!(
            [params.get("a"), params.get("b"), params.get("c")],
            [Some("1"), Some(""), None]
        );
        assert_eq!(params.to_owned(), all);
        assert_eq!((Params::default().len(), Params::default().is_empty()), (0, true));
    }
}
