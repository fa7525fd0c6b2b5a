//! Tag sets are data: families of markers, compiled once.

use core::fmt;
use std::sync::Arc;

use crate::lex::marker::Automaton;

/// Where the text of an element goes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Channel {
    /// The model's reasoning: `Reasoning` events, kept out of the answer.
    Reasoning,
    /// A channel of the caller's: `Text` events that name it.
    Named(String),
}

impl Channel {
    /// The name in events.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Reasoning => "reasoning",
            Self::Named(name) => name,
        }
    }
}

/// A pair of markers and what to do with the text between them.
///
/// Letters of markers match in either case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    pub(crate) name: String,
    pub(crate) open: String,
    pub(crate) close: String,
    pub(crate) channel: Channel,
    pub(crate) group: Option<String>,
}

impl Family {
    /// A family: `open` begins an element, `close` ends it.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        open: impl Into<String>,
        close: impl Into<String>,
        channel: Channel,
    ) -> Self {
        Self { name: name.into(), open: open.into(), close: close.into(), channel, group: None }
    }

    /// Members of one group may close one another, with a notice.
    #[must_use]
    pub fn in_group(mut self, group: impl Into<String>) -> Self {
        self.group = Some(group.into());
        self
    }

    fn may_close(&self, other: &Self) -> bool {
        self == other || (self.group.is_some() && self.group == other.group)
    }
}

/// Why families do not go together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TagSetError {
    /// A marker without a character.
    #[error("family `{0}` has an empty marker")]
    EmptyMarker(String),
    /// One marker that means two things.
    #[error("families `{0}` and `{1}` share the marker `{2}`")]
    SharedMarker(String, String, String),
}

/// Families that are looked for together. Cloning copies a pointer.
#[derive(Clone, PartialEq)]
pub struct TagSet(Arc<Compiled>);

/// The families; what they compile to is thousands of numbers.
impl fmt::Debug for TagSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TagSet").field(&self.0.families).finish()
    }
}

#[derive(PartialEq, Eq)]
struct Compiled {
    families: Vec<Family>,
    /// Outside any element: every opener, and every closer (a stray one).
    outside: Automaton,
    /// Inside an element of each family: the closers that end it.
    inside: Vec<Automaton>,
}

/// What a marker number means: openers are even, closers odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marker {
    Open(u16),
    Close(u16),
}

impl Marker {
    pub(crate) const fn of(number: u16) -> Self {
        if number.is_multiple_of(2) { Self::Open(number / 2) } else { Self::Close(number / 2) }
    }
}

impl TagSet {
    /// Compiles families.
    ///
    /// # Errors
    /// If a marker is empty, or means two things.
    pub fn new(families: impl IntoIterator<Item = Family>) -> Result<Self, TagSetError> {
        let families: Vec<Family> = families.into_iter().collect();
        check(&families)?;
        let numbered = || families.iter().zip(0_u16..);
        let opens = numbered().map(|(family, at)| (&*family.open, 2 * at));
        let closes = numbered().map(|(family, at)| (&*family.close, 2 * at + 1));
        let outside = Automaton::new(opens.chain(closes));
        let inside = families
            .iter()
            .map(|open| {
                let ends = numbered().filter(|(family, _)| family.may_close(open));
                Automaton::new(ends.map(|(family, at)| (&*family.close, 2 * at + 1)))
            })
            .collect();
        Ok(Self(Arc::new(Compiled { families, outside, inside })))
    }

    /// Most bytes that are ever held back to see whether they are a marker.
    #[must_use]
    pub fn max_held(&self) -> usize {
        let inside = self.0.inside.iter().map(Automaton::max_held);
        inside.chain([self.0.outside.max_held()]).max().unwrap_or(0)
    }

    pub(crate) fn family(&self, number: u16) -> &Family {
        &self.0.families[usize::from(number)]
    }

    /// The markers that are enabled there and begin so.
    pub(crate) fn begun<'t>(&'t self, inside: Option<u16>, start: &str) -> Vec<&'t str> {
        let open = inside.map(|family| self.family(family));
        let markers = self.0.families.iter().flat_map(|family| match open {
            None => [Some(&*family.open), Some(&*family.close)],
            Some(open) => [None, family.may_close(open).then_some(&*family.close)],
        });
        let begins_so = |marker: &&str| {
            marker.get(..start.len()).is_some_and(|begun| begun.eq_ignore_ascii_case(start))
        };
        markers.flatten().filter(begins_so).collect()
    }

    /// The markers enabled inside an element of that family, or outside any.
    pub(crate) fn automaton(&self, inside: Option<u16>) -> &Automaton {
        inside.map_or(&self.0.outside, |family| &self.0.inside[usize::from(family)])
    }
}

fn check(families: &[Family]) -> Result<(), TagSetError> {
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for family in families {
        for marker in [&*family.open, &*family.close] {
            if marker.is_empty() {
                return Err(TagSetError::EmptyMarker(family.name.clone()));
            }
            let same = |(_, other): &&(&str, &str)| other.eq_ignore_ascii_case(marker);
            if let Some((name, _)) = seen.iter().find(same) {
                let (first, second) = ((*name).to_owned(), family.name.clone());
                return Err(TagSetError::SharedMarker(first, second, marker.to_owned()));
            }
            seen.push((&family.name, marker));
        }
    }
    Ok(())
}
