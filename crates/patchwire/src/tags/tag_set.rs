//! Tag sets: compiled families, and what the router and the parser read from them.

use core::fmt;
use std::sync::{Arc, OnceLock};

use super::code_guard::GuardedCode;
use super::family::{BareCalls, Family, Guards, OnStray};
use super::marker_place::MarkerPlace;
use crate::lex::marker::{Automaton, MarkerError, MarkerParams, MarkerPattern};
use crate::transcript::FamilyNames;

/// Whitespace between the closer of a `raw` element and what may follow it, in bytes at most.
pub(super) const MAX_BETWEEN: u16 = 64;

/// Why families do not make a tag set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TagSetError {
    /// A marker that cannot be compiled.
    #[error("family `{family}`: the marker `{marker}`: {why}")]
    Marker {
        /// The family.
        family: String,
        /// The marker.
        marker: String,
        /// What is wrong.
        why: MarkerError,
    },
    /// A class of bytes that cannot be read.
    #[error("family `{family}`: `allow` of the parameter `{param}` is no class like `A-Za-z0-9_`")]
    Class {
        /// The family.
        family: String,
        /// The parameter.
        param: String,
    },
    /// One marker with two meanings in one place.
    #[error(
        "families `{first}` and `{second}` share the marker `{marker}`, and both count in one place"
    )]
    SharedMarker {
        /// One family.
        first: String,
        /// The other family. It may be the same one.
        second: String,
        /// The marker.
        marker: String,
    },
    /// Two different families with one name.
    #[error("there are two families `{0}`, and they differ")]
    SameName(String),
    /// A name in `within` that no family has.
    #[error("`within` of the family `{family}` names `{within}`, and no family has that name")]
    UnknownFamily {
        /// The family.
        family: String,
        /// The unknown name.
        within: String,
    },
    /// A name in `include` that no preset has.
    #[error("there is no preset `{0}`")]
    UnknownPreset(String),
    /// Too many families, or markers whose automaton gets too large.
    #[error("the markers are too many to compile: at most {most} families")]
    TooLarge {
        /// The largest number of families.
        most: usize,
    },
    /// A list of a family with too many entries.
    #[error("family `{family}`: `{list}` has more than {most} entries")]
    LongList {
        /// The family.
        family: String,
        /// The key of the list.
        list: &'static str,
        /// The largest number of entries.
        most: usize,
    },
    /// Data that does not describe a tag set.
    #[error("not a tag set: {0}")]
    Data(String),
}

/// Families whose markers are searched together, compiled once. A clone shares the compiled tables.
///
/// ```
/// use patchwire::{Event, Spec, TagSet};
///
/// let tags = TagSet::from_toml(r#"
///     [[family]]
///     name = "notes"
///     open = "<notes>"
///     close = "</notes>"
///     channel = "reasoning"
/// "#)?;
/// let mut parser = Spec::builder().tags(tags).build()?.parser();
/// let mut shown = String::new();
/// for chunk in ["<not", "es>hm</no", "tes>Hi ", "there"] {
///     parser.feed(chunk, |event| match event {
///         Event::Text(text) => shown.push_str(&text.delta),
///         Event::Reasoning(text) => shown.push_str(&format!("({})", text.delta)),
///         _ => {}
///     })?;
/// }
/// assert_eq!(shown, "(hm)Hi there");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct TagSet(pub(super) Arc<CompiledTags>);

/// Prints the families only: the compiled tables are thousands of numbers.
impl fmt::Debug for TagSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TagSet").field(&self.0.families).finish()
    }
}

impl PartialEq for TagSet {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.families == other.0.families && self.0.options == other.0.options)
    }
}

/// What holds for a whole set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct SetOptions {
    pub(super) name: String,
    pub(super) guards: Guards,
    pub(super) stray: Option<OnStray>,
    pub(super) bare_calls: BareCalls,
}

pub(super) struct CompiledTags {
    pub(super) options: SetOptions,
    pub(super) families: Vec<Family>,
    pub(super) patterns: Vec<MarkerPattern>,
    /// The marker of each pattern.
    pub(super) markers: Vec<u16>,
    /// The declared text of each pattern.
    pub(super) texts: Vec<String>,
    pub(super) automaton: Automaton,
    pub(super) code: GuardedCode,
    /// The place outside all elements. It is the same for every stream.
    pub(super) outermost: OnceLock<MarkerPlace>,
    /// Bytes that begin no marker and do not matter to code guards.
    pub(super) quiet: Box<[bool; 256]>,
    pub(super) names: Arc<[FamilyNames]>,
    pub(super) max_held: usize,
}

/// Whether a marker opens or closes, and the family it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkerSide {
    Open(u16),
    Close(u16),
}

impl MarkerSide {
    pub(super) const fn of(marker: u16) -> Self {
        if marker.is_multiple_of(2) { Self::Open(marker / 2) } else { Self::Close(marker / 2) }
    }
}

/// The marker number of a family's openers.
pub(super) const fn opener(family: u16) -> u16 {
    family * 2
}

/// The marker number of a family's closers.
pub(super) const fn closer(family: u16) -> u16 {
    family * 2 + 1
}

impl TagSet {
    /// The set's name. Empty if it has none.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.options.name
    }

    /// The families, in the order of declaration.
    #[must_use]
    pub fn families(&self) -> &[Family] {
        &self.0.families
    }

    /// The largest number of bytes that the set ever holds back to see whether they are a marker.
    #[must_use]
    pub fn max_held(&self) -> usize {
        self.0.max_held
    }

    /// Pairs of markers where the first is a prefix of the second. The router holds the shorter marker
    /// back until the next byte decides between the two.
    #[must_use]
    pub fn prefixes(&self) -> Vec<(String, String)> {
        let markers: Vec<&String> = self.0.families.iter().flat_map(Family::markers).collect();
        let begins = |a: &&String, b: &&String| a != b && b.starts_with(a.as_str());
        let pairs = markers.iter().flat_map(|a| markers.iter().map(move |b| (*a, *b)));
        pairs.filter(|(a, b)| begins(a, b)).map(|(a, b)| (a.clone(), b.clone())).collect()
    }

    /// Whether an answer without markers may be tool calls.
    #[must_use]
    pub fn bare_calls(&self) -> BareCalls {
        self.0.options.bare_calls
    }

    pub(crate) fn family(&self, number: u16) -> &Family {
        &self.0.families[usize::from(number)]
    }

    /// The number of the family with a name.
    pub(crate) fn number(&self, name: &str) -> Option<u16> {
        self.0.families.iter().position(|family| family.name == name).map(|at| at as u16)
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = u16> {
        0..self.0.families.len() as u16
    }

    /// Whether a family's closer can close an element of another family.
    pub(super) fn may_close(&self, closing: u16, open: u16) -> bool {
        closing == open || self.is_grouped(closing, open)
    }

    pub(crate) fn is_grouped(&self, one: u16, other: u16) -> bool {
        let group = &self.family(one).policy.group;
        one == other || (group.is_some() && *group == self.family(other).policy.group)
    }

    pub(super) fn stray(&self, family: u16) -> OnStray {
        self.family(family).policy.stray.or(self.0.options.stray).unwrap_or(OnStray::Auto)
    }

    pub(super) fn params(&self, pattern: u16, text: &str) -> MarkerParams {
        let pattern = &self.0.patterns[usize::from(pattern)];
        if pattern.has_params() { pattern.params(text) } else { MarkerParams::new() }
    }

    /// Names of families and channels, for the transcript.
    pub(crate) fn names(&self) -> Arc<[FamilyNames]> {
        Arc::clone(&self.0.names)
    }
}
