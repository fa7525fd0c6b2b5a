//! Builds tag sets: from families, from TOML, from JSON.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use super::code_guard::{self, GuardedCode};
use super::family::{
    Attributes, BareCalls, BodyFormat, Channel, Family, Guards, LetterCase, OnStray,
};
use super::pending_marker::MAX_SPAN;
use super::set_data::SetData;
use super::tag_set::{
    CompiledTags, MAX_BETWEEN, MarkerSide, SetOptions, TagSet, TagSetError, closer, opener,
};
use crate::lex::marker::{Automaton, MarkerPattern, MarkerStyle, Mask};
use crate::transcript::FamilyNames;

/// The most parameters, or texts that may follow an opener, of a family.
const MOST_RULES: usize = 64;
/// The most keys or tag names of a body.
const MOST_NAMES: usize = 1024;

impl TagSet {
    /// Compiles families with the default options of a set.
    ///
    /// # Errors
    /// If a marker cannot be compiled, if two families share a name or a marker, or if `within` names
    /// an unknown family.
    pub fn new(families: impl IntoIterator<Item = Family>) -> Result<Self, TagSetError> {
        Self::builder().families(families).build()
    }

    /// A builder, for sets with options.
    pub fn builder() -> TagSetBuilder {
        TagSetBuilder::default()
    }

    /// Reads a set from TOML. `docs/tags.md` lists the keys.
    ///
    /// # Errors
    /// If the text is not TOML of this shape, or for the reasons that [`new`](Self::new) lists.
    #[cfg(feature = "toml")]
    pub fn from_toml(text: &str) -> Result<Self, TagSetError> {
        let data = toml::from_str(text).map_err(|error| TagSetError::Data(error.to_string()))?;
        Self::from_data(data)
    }

    /// Reads a set from JSON, with the keys of the TOML form.
    ///
    /// # Errors
    /// If the text is not JSON of this shape, or for the reasons that [`new`](Self::new) lists.
    pub fn from_json(text: &str) -> Result<Self, TagSetError> {
        let data =
            serde_json::from_str(text).map_err(|error| TagSetError::Data(error.to_string()))?;
        Self::from_data(data)
    }

    /// The set with closers that close nothing dropped. None if it cannot be compiled again.
    pub(crate) fn dropping_strays(&self) -> Option<Self> {
        let (options, mut families) = (self.0.options.clone(), self.0.families.clone());
        for family in &mut families {
            family.policy.stray = Some(OnStray::Drop);
        }
        TagSetBuilder { options, families }.build().ok()
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
        builder.options.bare_calls = data.bare_calls;
        if data.comments {
            builder = builder.comments();
        }
        for family in data.family {
            builder.families.push(family.family(data.case)?);
        }
        builder.build()
    }
}

/// Builds a [`TagSet`].
#[derive(Debug, Default)]
#[must_use]
pub struct TagSetBuilder {
    options: SetOptions,
    families: Vec<Family>,
}

impl TagSetBuilder {
    /// Sets the name, which messages use.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.options.name = name.into();
        self
    }

    /// Adds a family.
    pub fn family(mut self, family: Family) -> Self {
        self.families.push(family);
        self
    }

    /// Adds families.
    pub fn families(mut self, families: impl IntoIterator<Item = Family>) -> Self {
        self.families.extend(families);
        self
    }

    /// Adds the families of another set, without its options.
    pub fn include(mut self, set: &TagSet) -> Self {
        self.families.extend(set.0.families.iter().cloned());
        self
    }

    /// Sets which code hides markers. Default: [`Guards::Both`].
    pub fn guards(mut self, guards: Guards) -> Self {
        self.options.guards = guards;
        self
    }

    /// Sets what happens to a closer that closes nothing, for families that do not set it. Default:
    /// [`OnStray::Auto`].
    pub fn stray(mut self, stray: OnStray) -> Self {
        self.options.stray = Some(stray);
        self
    }

    /// Sets whether an answer without markers may be tool calls. Default: [`BareCalls::None`].
    pub fn bare_calls(mut self, form: BareCalls) -> Self {
        self.options.bare_calls = form;
        self
    }

    /// Reads `<!-- … -->` as a comment.
    pub fn comments(mut self) -> Self {
        let comment = Family::new("comment", "<!--", "-->", Channel::Parent);
        self.families.push(Family { comment: true, ..comment });
        self
    }

    /// Compiles the set.
    ///
    /// # Errors
    /// For the reasons that [`TagSet::new`] lists.
    pub fn build(self) -> Result<TagSet, TagSetError> {
        let most = usize::from(Mask::MOST / 2);
        let families = merged(self.families, most)?;
        families.iter().try_for_each(check_lists)?;
        check_within(&families)?;
        let mut patterns = Vec::new();
        let (mut markers, mut written) = (Vec::new(), Vec::new());
        for (family, number) in families.iter().zip(0..) {
            let sides =
                [(&family.syntax.open, opener(number)), (&family.syntax.close, closer(number))];
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
        let options = self.options;
        let code = guarded_code(options.guards, &families);
        let spans = if code.inline { usize::from(MAX_SPAN) } else { 0 };
        let max_held = spans + max_held(&families, &markers, &patterns);
        let name = |family: &Family| FamilyNames {
            family: family.name.clone(),
            channel: family.channel.name().to_owned(),
            is_comment: family.comment,
        };
        let names = families.iter().map(name).collect();
        let quiet = |byte: u8| automaton.begins(byte).is_empty() && !code_guard::is_mark(byte);
        let quiet = Box::new(core::array::from_fn(|byte| quiet(byte as u8)));
        Ok(TagSet(Arc::new(CompiledTags {
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

/// The code that hides markers. A fence around the whole answer hides nothing if users see the text of any
/// element.
fn guarded_code(guards: Guards, families: &[Family]) -> GuardedCode {
    GuardedCode {
        inline: matches!(guards, Guards::Both | Guards::Inline),
        fences: matches!(guards, Guards::Both | Guards::Fences),
        wraps: families.iter().any(Family::is_answer),
    }
}

fn pattern(family: &Family, text: &str, opens: bool) -> Result<MarkerPattern, TagSetError> {
    let syntax = &family.syntax;
    let attributes = match syntax.attributes {
        Attributes::None => None,
        _ if !opens => None,
        kind => Some(kind == Attributes::Bare),
    };
    let style = MarkerStyle {
        fold: syntax.case == Some(LetterCase::Fold),
        blanks: syntax.blanks,
        attributes,
    };
    MarkerPattern::parse(text, style, &syntax.params).map_err(|why| TagSetError::Marker {
        family: family.name.clone(),
        marker: text.to_owned(),
        why,
    })
}

/// Families without repetitions, at most this many.
fn merged(families: Vec<Family>, most: usize) -> Result<Vec<Family>, TagSetError> {
    let mut all: Vec<Family> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for family in families {
        match places.get(&family.name).map(|at| &all[*at]) {
            None if all.len() == most => return Err(TagSetError::TooLarge { most }),
            None => {
                places.insert(family.name.clone(), all.len());
                all.push(family);
            }
            Some(known) if *known == family => {}
            Some(_) => return Err(TagSetError::SameName(family.name)),
        }
    }
    Ok(all)
}

/// Checks the lengths of a family's lists. A lookup compares their entries one by one.
fn check_lists(family: &Family) -> Result<(), TagSetError> {
    let lists = [
        ("within", family.policy.within.len(), usize::from(Mask::MOST / 2)),
        ("then", family.policy.then.len(), MOST_RULES),
        ("params", family.syntax.params.len(), MOST_RULES),
        ("keys", family.body.keys.len(), MOST_NAMES),
        ("names", family.body.names.len(), MOST_NAMES),
    ];
    match lists.into_iter().find(|(_, len, most)| len > most) {
        None => Ok(()),
        Some((list, _, most)) => {
            Err(TagSetError::LongList { family: family.name.clone(), list, most })
        }
    }
}

fn check_within(families: &[Family]) -> Result<(), TagSetError> {
    let names: HashSet<&str> = families.iter().map(|family| &*family.name).collect();
    for family in families {
        let known = |name: &&String| names.contains(name.as_str());
        if let Some(unknown) = family.policy.within.iter().find(|name| !known(name)) {
            let (family, within) = (family.name.clone(), unknown.clone());
            return Err(TagSetError::UnknownFamily { family, within });
        }
    }
    Ok(())
}

/// Checks that no text has two meanings in one place. Closers of one group may share a text.
fn check_shared(families: &[Family], automaton: &Automaton) -> Result<(), TagSetError> {
    for accepts in automaton.all_accepts() {
        for (at, a) in accepts.iter().enumerate() {
            for b in &accepts[at + 1..] {
                if a.marker == b.marker {
                    continue;
                }
                let (first, second) =
                    (side_family(families, a.marker), side_family(families, b.marker));
                let clash = match (MarkerSide::of(a.marker), MarkerSide::of(b.marker)) {
                    (MarkerSide::Open(_), MarkerSide::Open(_)) => meet(first, second),
                    (MarkerSide::Close(_), MarkerSide::Close(_)) => {
                        first.policy.group.is_none() || first.policy.group != second.policy.group
                    }
                    _ => true,
                } && !meet_never(first, second)
                    && !gives_way(first, second);
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

/// Whether the openers of both families count in some common place.
fn meet(first: &Family, second: &Family) -> bool {
    let free = first.policy.within.is_empty() || second.policy.within.is_empty();
    free || first.policy.within.iter().any(|name| second.policy.within.contains(name))
}

/// Whether the family that is declared first wins, because it knows elements of which another one takes any name.
/// Two families with `named_by` may share texts, but no marker.
fn gives_way(first: &Family, second: &Family) -> bool {
    match (&first.named_by, &second.named_by) {
        (None, None) => false,
        (Some(_), Some(_)) => !first.syntax.open.iter().any(|it| second.syntax.open.contains(it)),
        _ => true,
    }
}

/// Whether two families never meet in one place.
fn meet_never(first: &Family, second: &Family) -> bool {
    first.name != second.name && !meet(first, second)
}

/// A marker of the first family that the second has too, in either case.
fn shared_marker(first: &Family, second: &Family) -> String {
    let all = |family: &Family| -> Vec<String> { family.markers().cloned().collect() };
    let theirs = all(second);
    let own = all(first);
    let same = |marker: &&String| theirs.iter().any(|other| other.eq_ignore_ascii_case(marker));
    own.iter().find(same).or_else(|| own.first()).cloned().unwrap_or_default()
}

/// The length of the longest marker without its last byte. If a marker needs a follower, both count.
fn max_held(families: &[Family], markers: &[u16], patterns: &[MarkerPattern]) -> usize {
    let longest = patterns.iter().map(MarkerPattern::max_len).max().unwrap_or(0);
    let needs =
        |family: &Family| family.body() == BodyFormat::Raw && !family.policy.within.is_empty();
    let closers = markers.iter().zip(patterns).filter(|&(&marker, _)| {
        matches!(MarkerSide::of(marker), MarkerSide::Close(_)) && families.iter().any(needs)
    });
    let followed = closers.map(|(_, pattern)| pattern.max_len()).max();
    let followed = followed.map_or(0, |closer| closer + usize::from(MAX_BETWEEN) + longest);
    let then = families.iter().flat_map(|family| family.policy.then.iter().map(String::len)).max();
    let opened = then.map_or(0, |then| longest + usize::from(MAX_BETWEEN) + then);
    longest.max(followed).max(opened).saturating_sub(1)
}
