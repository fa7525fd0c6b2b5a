//! Tag sets: families that are looked for together, compiled once.

use core::fmt;
use std::sync::{Arc, OnceLock};

use super::data::SetData;
use super::family::{Attributes, BodyFormat, Channel, Family, LetterCase, OnStray, Visibility};
use super::follow::MOST_BETWEEN;
use super::guard::{self, Code};
use super::place::Place;
use crate::lex::marker::{Automaton, MarkerError, Mask, Params, Pattern, Style};
use crate::transcript::Name;

/// Which code hides markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Guards {
    /// Code spans and fences.
    #[default]
    Both,
    /// Code spans.
    Inline,
    /// Fences.
    Fences,
    /// None.
    None,
}

impl Guards {
    /// What code hides. A fence round the whole answer hides nothing, where users see anything of the
    /// elements.
    fn code(self, families: &[Family]) -> Code {
        Code {
            inline: matches!(self, Self::Both | Self::Inline),
            fences: matches!(self, Self::Both | Self::Fences),
            wraps: families
                .iter()
                .any(|family| !family.comment && family.visible() == Visibility::Yes),
        }
    }
}

/// Why families do not go together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TagSetError {
    /// A marker that is none.
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
    /// One marker that means two things in one place.
    #[error(
        "families `{first}` and `{second}` share the marker `{marker}`, and both count in one place"
    )]
    SharedMarker {
        /// A family.
        first: String,
        /// The other one, or the same.
        second: String,
        /// The marker.
        marker: String,
    },
    /// Two families of one name.
    #[error("there are two families `{0}`, and they differ")]
    SameName(String),
    /// A name in `within` that no family has.
    #[error("family `{family}` stands within `{within}`, which is none")]
    UnknownFamily {
        /// The family.
        family: String,
        /// The name.
        within: String,
    },
    /// A name in `include` that no preset has.
    #[error("there is no preset `{0}`")]
    UnknownPreset(String),
    /// Too many families, or markers too long together.
    #[error("the markers are too many to compile: at most {most} families")]
    TooLarge {
        /// Families there may be.
        most: usize,
    },
    /// Data that is no tag set.
    #[error("not a tag set: {0}")]
    Data(String),
}

/// Families that are looked for together. Cloning copies a pointer.
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
pub struct TagSet(pub(super) Arc<Compiled>);

/// The families; what they compile to is thousands of numbers.
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
pub(super) struct Options {
    pub(super) name: String,
    pub(super) guards: Guards,
    pub(super) stray: Option<OnStray>,
}

pub(super) struct Compiled {
    pub(super) options: Options,
    pub(super) families: Vec<Family>,
    pub(super) patterns: Vec<Pattern>,
    /// The marker of each pattern, and its text.
    pub(super) markers: Vec<u16>,
    pub(super) texts: Vec<String>,
    pub(super) automaton: Automaton,
    pub(super) code: Code,
    /// What counts outside elements: the same for every stream.
    pub(super) outermost: OnceLock<Place>,
    /// Bytes that begin no marker, and do not matter to code.
    pub(super) quiet: Box<[bool; 256]>,
    names: Arc<[Name]>,
    max_held: usize,
}

/// Which marker of a family it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Open(u16),
    Close(u16),
}

impl Side {
    pub(super) const fn of(marker: u16) -> Self {
        if marker.is_multiple_of(2) { Self::Open(marker / 2) } else { Self::Close(marker / 2) }
    }
}

pub(super) const fn opener(family: u16) -> u16 {
    family * 2
}

pub(super) const fn closer(family: u16) -> u16 {
    family * 2 + 1
}

impl TagSet {
    /// Compiles families, with the defaults of a set.
    ///
    /// # Errors
    /// If a marker is none, or means two things; if a name is.
    pub fn new(families: impl IntoIterator<Item = Family>) -> Result<Self, TagSetError> {
        Self::builder().families(families).build()
    }

    /// To say more of a set than its families.
    pub fn builder() -> TagSetBuilder {
        TagSetBuilder::default()
    }

    /// Reads a set as TOML.
    ///
    /// # Errors
    /// If it is none, or as [`new`](Self::new).
    pub fn from_toml(text: &str) -> Result<Self, TagSetError> {
        let data = toml::from_str(text).map_err(|error| TagSetError::Data(error.to_string()))?;
        Self::from_data(data)
    }

    /// Reads a set as JSON.
    ///
    /// # Errors
    /// If it is none, or as [`new`](Self::new).
    pub fn from_json(text: &str) -> Result<Self, TagSetError> {
        let data =
            serde_json::from_str(text).map_err(|error| TagSetError::Data(error.to_string()))?;
        Self::from_data(data)
    }

    fn from_data(data: SetData) -> Result<Self, TagSetError> {
        let mut builder = Self::builder().name(data.name);
        for name in &data.include {
            let preset =
                Self::preset(name).ok_or_else(|| TagSetError::UnknownPreset(name.clone()))?;
            builder = builder.include(&preset);
        }
        builder.options.guards = data.guards.unwrap_or(builder.options.guards);
        builder.options.stray = data.stray.or(builder.options.stray);
        if data.comments {
            builder = builder.comments();
        }
        for family in data.family {
            builder.families.push(family.family(data.case, None)?);
        }
        builder.build()
    }

    /// The set's name; empty if it has none.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.options.name
    }

    /// Its families.
    #[must_use]
    pub fn families(&self) -> &[Family] {
        &self.0.families
    }

    /// Most bytes that are ever held back to see whether they are a marker.
    #[must_use]
    pub fn max_held(&self) -> usize {
        self.0.max_held
    }

    /// Pairs of markers of which the first begins the second: where the first is read, it waits for
    /// the byte that emits.
    #[must_use]
    pub fn prefixes(&self) -> Vec<(String, String)> {
        let markers: Vec<&String> =
            self.0.families.iter().flat_map(|f| f.open.iter().chain(&f.close)).collect();
        let begins = |a: &&String, b: &&String| a != b && b.starts_with(a.as_str());
        let pairs = markers.iter().flat_map(|a| markers.iter().map(move |b| (*a, *b)));
        pairs.filter(|(a, b)| begins(a, b)).map(|(a, b)| (a.clone(), b.clone())).collect()
    }

    pub(crate) fn family(&self, number: u16) -> &Family {
        &self.0.families[usize::from(number)]
    }

    /// The number of the family of that name.
    pub(crate) fn number(&self, name: &str) -> Option<u16> {
        self.0.families.iter().position(|family| family.name == name).map(|at| at as u16)
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = u16> {
        0..self.0.families.len() as u16
    }

    /// Whether a family can close an element of another one.
    pub(super) fn may_close(&self, closing: u16, open: u16) -> bool {
        closing == open || self.is_grouped(closing, open)
    }

    pub(super) fn is_grouped(&self, one: u16, other: u16) -> bool {
        let group = &self.family(one).group;
        one == other || (group.is_some() && *group == self.family(other).group)
    }

    pub(super) fn stray(&self, family: u16) -> OnStray {
        self.family(family).stray.or(self.0.options.stray).unwrap_or(OnStray::Auto)
    }

    pub(super) fn params(&self, pattern: u16, text: &str) -> Params {
        let pattern = &self.0.patterns[usize::from(pattern)];
        if pattern.has_params() { pattern.params(text) } else { Params::new() }
    }

    /// What the families are called.
    pub(crate) fn names(&self) -> Arc<[Name]> {
        Arc::clone(&self.0.names)
    }
}

/// Builds a [`TagSet`].
#[derive(Debug, Default)]
#[must_use]
pub struct TagSetBuilder {
    options: Options,
    families: Vec<Family>,
}

impl TagSetBuilder {
    /// A name, for messages.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.options.name = name.into();
        self
    }

    /// One more family.
    pub fn family(mut self, family: Family) -> Self {
        self.families.push(family);
        self
    }

    /// More families.
    pub fn families(mut self, families: impl IntoIterator<Item = Family>) -> Self {
        self.families.extend(families);
        self
    }

    /// The families of another set.
    pub fn include(mut self, set: &TagSet) -> Self {
        self.families.extend(set.0.families.iter().cloned());
        self
    }

    /// Which code hides markers; both kinds if not said.
    pub fn guards(mut self, guards: Guards) -> Self {
        self.options.guards = guards;
        self
    }

    /// What a closer is that closes nothing; [`OnStray::Auto`] if not said.
    pub fn stray(mut self, stray: OnStray) -> Self {
        self.options.stray = Some(stray);
        self
    }

    /// `<!-- … -->` is a comment.
    pub fn comments(mut self) -> Self {
        let comment = Family::new("comment", "<!--", "-->", Channel::Parent);
        self.families.push(Family { comment: true, ..comment });
        self
    }

    /// The set.
    ///
    /// # Errors
    /// As [`TagSet::new`].
    pub fn build(self) -> Result<TagSet, TagSetError> {
        let families = merged(self.families)?;
        let most = usize::from(Mask::MOST / 2);
        if families.len() > most {
            return Err(TagSetError::TooLarge { most });
        }
        check_within(&families)?;
        let mut patterns = Vec::new();
        let (mut markers, mut written) = (Vec::new(), Vec::new());
        for (family, number) in families.iter().zip(0..) {
            let sides = [(&family.open, opener(number)), (&family.close, closer(number))];
            for (texts, marker) in sides {
                for text in texts {
                    patterns.push(pattern(family, text, marker == opener(number))?);
                    markers.push(marker);
                    written.push(text.clone());
                }
            }
        }
        let automaton = Automaton::new(markers.iter().copied().zip(&patterns))
            .map_err(|_| TagSetError::TooLarge { most })?;
        check_shared(&families, &automaton)?;
        let max_held = max_held(&families, &markers, &patterns);
        let options = self.options;
        let name = |family: &Family| Name {
            family: family.name.clone(),
            channel: family.channel.name().to_owned(),
            comment: family.comment,
        };
        let names = families.iter().map(name).collect();
        let code = options.guards.code(&families);
        let quiet = |byte: u8| automaton.begins(byte).is_empty() && !guard::is_mark(byte);
        let quiet = Box::new(core::array::from_fn(|byte| quiet(byte as u8)));
        Ok(TagSet(Arc::new(Compiled {
            options,
            families,
            patterns,
            markers,
            texts: written,
            automaton,
            code,
            outermost: OnceLock::new(),
            quiet,
            names,
            max_held,
        })))
    }
}

fn pattern(family: &Family, text: &str, opens: bool) -> Result<Pattern, TagSetError> {
    let attributes = match family.attributes {
        Attributes::None => None,
        _ if !opens => None,
        kind => Some(kind == Attributes::Bare),
    };
    let style =
        Style { fold: family.case == Some(LetterCase::Fold), blanks: family.blanks, attributes };
    Pattern::parse(text, style, &family.params).map_err(|why| TagSetError::Marker {
        family: family.name.clone(),
        marker: text.to_owned(),
        why,
    })
}

/// Equal families are one.
fn merged(families: Vec<Family>) -> Result<Vec<Family>, TagSetError> {
    let mut all: Vec<Family> = Vec::new();
    for family in families {
        match all.iter().find(|known| known.name == family.name) {
            None => all.push(family),
            Some(known) if *known == family => {}
            Some(_) => return Err(TagSetError::SameName(family.name)),
        }
    }
    Ok(all)
}

fn check_within(families: &[Family]) -> Result<(), TagSetError> {
    for family in families {
        let known = |name: &&String| families.iter().any(|other| other.name == **name);
        if let Some(unknown) = family.within.iter().find(|name| !known(name)) {
            let (family, within) = (family.name.clone(), unknown.clone());
            return Err(TagSetError::UnknownFamily { family, within });
        }
    }
    Ok(())
}

/// No text may be two openers in one place, or an opener and a closer; two closers only of one group.
fn check_shared(families: &[Family], automaton: &Automaton) -> Result<(), TagSetError> {
    for accepts in automaton.all_accepts() {
        for (at, a) in accepts.iter().enumerate() {
            for b in &accepts[at + 1..] {
                if a.marker == b.marker {
                    continue;
                }
                let (first, second) =
                    (side_family(families, a.marker), side_family(families, b.marker));
                let clash = match (Side::of(a.marker), Side::of(b.marker)) {
                    (Side::Open(_), Side::Open(_)) => meet(first, second),
                    (Side::Close(_), Side::Close(_)) => {
                        first.group.is_none() || first.group != second.group
                    }
                    _ => true,
                } && !meet_never(first, second)
                    && first.named_by.is_some() == second.named_by.is_some();
                if clash {
                    let marker = shared_marker(first, second);
                    let (first, second) = (first.name.clone(), second.name.clone());
                    return Err(TagSetError::SharedMarker { first, second, marker });
                }
            }
        }
    }
    Ok(())
}

fn side_family(families: &[Family], marker: u16) -> &Family {
    &families[usize::from(marker / 2)]
}

/// Whether both openers count in some place.
fn meet(first: &Family, second: &Family) -> bool {
    let free = first.within.is_empty() || second.within.is_empty();
    free || first.within.iter().any(|name| second.within.contains(name))
}

/// Whether the families are never found in one place.
fn meet_never(first: &Family, second: &Family) -> bool {
    first.name != second.name && !meet(first, second)
}

/// The marker of the first that the second has too, in whatever case.
fn shared_marker(first: &Family, second: &Family) -> String {
    let all = |family: &Family| -> Vec<String> {
        family.open.iter().chain(&family.close).cloned().collect()
    };
    let theirs = all(second);
    let own = all(first);
    let same = |marker: &&String| theirs.iter().any(|other| other.eq_ignore_ascii_case(marker));
    own.iter().find(same).or_else(|| own.first()).cloned().unwrap_or_default()
}

/// The longest marker but its last byte; where a closer needs a follower, both.
fn max_held(families: &[Family], markers: &[u16], patterns: &[Pattern]) -> usize {
    let longest = patterns.iter().map(Pattern::max_len).max().unwrap_or(0);
    let needs = |family: &Family| family.body == BodyFormat::Raw && !family.within.is_empty();
    let closers = markers.iter().zip(patterns).filter(|&(&marker, _)| {
        matches!(Side::of(marker), Side::Close(_)) && families.iter().any(needs)
    });
    let followed = closers.map(|(_, pattern)| pattern.max_len()).max();
    let followed = followed.map_or(0, |closer| closer + usize::from(MOST_BETWEEN) + longest);
    longest.max(followed).saturating_sub(1)
}
