//! The data form of a tag set: the tables of `docs/tags.md`, as JSON.
//!
//! Presets are not available here, so a profile lists all of its families.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::marker::Marker;

/// The channel of text outside elements.
pub const TOP: &str = "text";
/// The channel of reasoning.
pub const REASONING: &str = "reasoning";
/// The channel of the answer.
pub const ANSWER: &str = "answer";
/// The channel of the place where the opener is.
pub const PARENT: &str = "@parent";

/// A tag set.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// For messages.
    #[serde(default)]
    pub name: String,
    /// Whether letter case matters, for families without a setting.
    #[serde(default)]
    pub case: LetterCase,
    /// Which code hides markers.
    #[serde(default)]
    pub guards: Guards,
    /// The policy for stray closers, for families without a setting.
    #[serde(default)]
    pub stray: Stray,
    /// Whether comments are recognized.
    #[serde(default)]
    pub comments: bool,
    /// The families.
    #[serde(default, rename = "family")]
    pub families: Vec<Family>,
}

/// A family of markers.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// Unique in its set.
    pub name: String,
    /// The openers.
    #[serde(deserialize_with = "one_or_many")]
    pub open: Vec<Marker>,
    /// The closers; none for void elements.
    #[serde(default, deserialize_with = "one_or_many")]
    pub close: Vec<Marker>,
    /// The channel of its text.
    pub channel: String,
    /// Whether a user should see it.
    #[serde(default)]
    pub visible: Option<Visible>,
    /// The body of its elements.
    #[serde(default)]
    pub body: Body,
    /// Members of one group may close one another.
    #[serde(default)]
    pub group: Option<String>,
    /// The families that the opener counts directly inside of; anywhere if empty.
    #[serde(default, deserialize_with = "one_or_many")]
    pub within: Vec<String>,
    /// The effect of its opener directly inside its own family.
    #[serde(default)]
    pub same: Option<Same>,
    /// The effect of its opener inside reasoning.
    #[serde(default)]
    pub inside: Inside,
    /// Whether letter case matters.
    #[serde(default)]
    pub case: Option<LetterCase>,
    /// Whether whitespace is allowed inside the markers.
    #[serde(default)]
    pub blanks: bool,
    /// The allowed attributes.
    #[serde(default)]
    pub attributes: Attributes,
    /// The policy for closers with other parameters.
    #[serde(default)]
    pub mismatch: Mismatch,
    /// The policy for stray closers.
    #[serde(default)]
    pub stray: Option<Stray>,
    /// Whether code hides closers that would close an element.
    #[serde(default)]
    pub guard_closers: Option<YesNo>,
    /// Where the opener counts.
    #[serde(default)]
    pub at: At,
    /// What must follow the opener; anything if empty.
    #[serde(default, deserialize_with = "one_or_many")]
    pub then: Vec<String>,
    /// The limits of parameters.
    #[serde(default)]
    pub params: BTreeMap<String, Parameter>,
}

impl Family {
    /// Whether its elements are answers: by their channel, or because they end reasoning without being calls.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        match self.channel.as_str() {
            ANSWER => true,
            REASONING | "tool" => false,
            _ => self.inside == Inside::Interrupt,
        }
    }

    /// Whether its elements may enclose a whole answer.
    #[must_use]
    pub fn is_envelope(&self) -> bool {
        self.channel == TOP && !self.close.is_empty() && self.body == Body::Mixed
    }

    /// The effect of its opener directly inside its own family.
    #[must_use]
    pub fn same(&self) -> Same {
        let usual = if self.body == Body::Raw { Same::Sibling } else { Same::Literal };
        self.same.unwrap_or(usual)
    }

    /// Whether code hides closers that would close an element.
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

/// The limits of a parameter.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Allowed characters and ranges; all, if not set.
    #[serde(default)]
    pub allow: Option<String>,
    /// The largest length in bytes.
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
    /// Whether the parameter may contain the character.
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

/// Whether letter case matters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LetterCase {
    /// It matters.
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

/// The policy for closers with nothing to close.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stray {
    /// `Reclassify` if the opener may have been in the prompt, otherwise `Drop`.
    #[default]
    Auto,
    /// The closer is dropped.
    Drop,
    /// The closer is text.
    Literal,
    /// The closer ends an element whose opener was in the prompt.
    Reclassify,
}

/// Whether a user should see an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visible {
    /// Yes.
    Yes,
    /// No.
    No,
    /// If they want to see it.
    Optional,
}

/// The body of an element.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// Only text.
    Text,
    /// Text and elements.
    #[default]
    Mixed,
    /// A JSON text.
    Json,
    /// Text, such as code or a file.
    Raw,
    /// Lines of `Key: value`.
    Record,
    /// A tree.
    Xml,
    /// A document of any format.
    Fields,
}

/// Where an opener counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// Anywhere.
    #[default]
    Anywhere,
    /// Anywhere but between two words.
    Apart,
}

/// The effect of an opener directly inside its own family or group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Same {
    /// It is text.
    Literal,
    /// It closes the open element and opens another.
    Restart,
    /// It opens an element inside.
    Nest,
    /// It opens an element inside, which goes on after the outer one.
    Parallel,
    /// It closes the innermost element and opens another.
    Sibling,
}

/// The effect of an opener inside reasoning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inside {
    /// It opens an element inside.
    #[default]
    Nest,
    /// It closes the reasoning.
    Interrupt,
}

/// The allowed attributes of openers.
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

/// The policy for a closer with parameters other than the opener's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mismatch {
    /// It is stray.
    #[default]
    Stray,
    /// It closes the element, with a notice.
    Close,
}

/// A boolean setting of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum YesNo {
    /// Yes.
    Yes,
    /// No.
    No,
}

/// Accepts a single value in place of a list.
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
