//! The data form of a tag set: the tables of `docs/tags.md`, as JSON.
//!
//! Presets are not known here, so a profile has its families written out.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::marker::Marker;

/// The channel of text outside of elements.
pub const TOP: &str = "text";
/// The channel of what a model says to itself.
pub const REASONING: &str = "reasoning";
/// The channel of what a model says to its user.
pub const ANSWER: &str = "answer";
/// The channel of whatever the opener stands in.
pub const PARENT: &str = "@parent";

/// A tag set.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// For messages.
    #[serde(default)]
    pub name: String,
    /// Whether case matters, where a family does not say.
    #[serde(default)]
    pub case: LetterCase,
    /// Which code hides markers.
    #[serde(default)]
    pub guards: Guards,
    /// What stray closers are, where a family does not say.
    #[serde(default)]
    pub stray: Stray,
    /// Whether there are comments.
    #[serde(default)]
    pub comments: bool,
    /// The families.
    #[serde(default, rename = "family")]
    pub families: Vec<Family>,
}

/// Markers that belong together.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// Unique in its set.
    pub name: String,
    /// What begins an element.
    #[serde(deserialize_with = "one_or_many")]
    pub open: Vec<Marker>,
    /// What ends it; none for void elements.
    #[serde(default, deserialize_with = "one_or_many")]
    pub close: Vec<Marker>,
    /// Where text goes.
    pub channel: String,
    /// Whether a user is to see it.
    #[serde(default)]
    pub visible: Option<Visible>,
    /// What stands inside.
    #[serde(default)]
    pub body: Body,
    /// Members of one group may close one another.
    #[serde(default)]
    pub group: Option<String>,
    /// Families that the opener counts directly inside of; none: anywhere.
    #[serde(default, deserialize_with = "one_or_many")]
    pub within: Vec<String>,
    /// What its opener does directly inside of it.
    #[serde(default)]
    pub same: Option<Same>,
    /// What its opener does inside reasoning.
    #[serde(default)]
    pub inside: Inside,
    /// Whether case matters.
    #[serde(default)]
    pub case: Option<LetterCase>,
    /// Whether blanks may stand inside the markers.
    #[serde(default)]
    pub blanks: bool,
    /// Which attributes openers take.
    #[serde(default)]
    pub attributes: Attributes,
    /// What a closer with other parameters is.
    #[serde(default)]
    pub mismatch: Mismatch,
    /// What stray closers are.
    #[serde(default)]
    pub stray: Option<Stray>,
    /// Whether code hides closers even where they would end an element.
    #[serde(default)]
    pub guard_closers: Option<YesNo>,
    /// What parameters may be.
    #[serde(default)]
    pub params: BTreeMap<String, Parameter>,
}

impl Family {
    /// What its opener does directly inside of it.
    #[must_use]
    pub fn same(&self) -> Same {
        let usual = if self.body == Body::Raw { Same::Sibling } else { Same::Literal };
        self.same.unwrap_or(usual)
    }

    /// Whether code hides closers that would end something.
    #[must_use]
    pub fn guards_closers(&self) -> bool {
        let usual = || self.visible() == Visible::Yes;
        self.guard_closers.map_or_else(usual, |guard| guard == YesNo::Yes)
    }

    /// Whether users see its text.
    #[must_use]
    pub fn visible(&self) -> Visible {
        let usual = if self.channel == REASONING { Visible::No } else { Visible::Yes };
        self.visible.unwrap_or(usual)
    }

    /// Whether its elements have no content.
    #[must_use]
    pub const fn is_void(&self) -> bool {
        self.close.is_empty()
    }

    /// Whether both are of one family or group.
    #[must_use]
    pub fn is_akin(&self, other: &Self) -> bool {
        self.name == other.name || (self.group.is_some() && self.group == other.group)
    }
}

/// What one parameter of a marker may be.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Characters and ranges of them; all, if it does not say.
    #[serde(default)]
    pub allow: Option<String>,
    /// How many bytes at most.
    #[serde(default = "usual_cap")]
    pub cap: usize,
}

impl Default for Parameter {
    fn default() -> Self {
        Self { allow: None, cap: usual_cap() }
    }
}

const fn usual_cap() -> usize {
    128
}

impl Parameter {
    /// Whether the character may stand in it.
    #[must_use]
    pub fn allows(&self, char: char) -> bool {
        let Some(allow) = &self.allow else { return true };
        let mut rest: Vec<char> = allow.chars().collect();
        while let Some(first) = rest.first().copied() {
            let is_range = rest.len() >= 3 && rest[1] == '-';
            let last = if is_range { rest[2] } else { first };
            if (first..=last).contains(&char) {
                return true;
            }
            rest.drain(..if is_range { 3 } else { 1 });
        }
        false
    }
}

/// Whether case matters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LetterCase {
    /// It does.
    #[default]
    Exact,
    /// ASCII letters match in either case.
    Fold,
}

/// Which code hides markers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Guards {
    /// Spans and fences.
    #[default]
    Both,
    /// Spans.
    Inline,
    /// Fences.
    Fences,
    /// None.
    None,
}

/// What a closer with nothing to close is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stray {
    /// `Reclassify` where the opener may have been in the prompt, else `Drop`.
    #[default]
    Auto,
    /// Nothing.
    Drop,
    /// Text.
    Literal,
    /// The end of an element without opener.
    Reclassify,
}

/// Whether a user is to see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visible {
    /// Yes.
    Yes,
    /// No.
    No,
    /// If they want to.
    Optional,
}

/// What stands inside an element.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// Text.
    Text,
    /// Text and elements.
    #[default]
    Mixed,
    /// A JSON text.
    Json,
    /// Code, or a file.
    Raw,
    /// Lines of `Key: value`.
    Record,
    /// A tree.
    Xml,
    /// A document of any format.
    Fields,
}

/// What an opener does directly inside its own family or group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Same {
    /// It is text.
    Literal,
    /// It ends the open element and begins another.
    Restart,
    /// It begins an element inside.
    Nest,
    /// It ends the innermost element and begins another.
    Sibling,
}

/// What an opener does inside reasoning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inside {
    /// It begins an element inside.
    #[default]
    Nest,
    /// It ends the reasoning.
    Interrupt,
}

/// Which attributes openers take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attributes {
    /// None.
    #[default]
    None,
    /// Names with values.
    Valued,
    /// Also names alone.
    Bare,
}

/// What a closer is whose parameters differ from the opener's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mismatch {
    /// Stray.
    #[default]
    Stray,
    /// A closer, with a notice.
    Close,
}

/// An answer to a question of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum YesNo {
    /// Yes.
    Yes,
    /// No.
    No,
}

/// The tables allow one thing where a list of one is meant.
fn one_or_many<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany<T> {
        One(T),
        Many(Vec<T>),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(one) => vec![one],
        OneOrMany::Many(many) => many,
    })
}
