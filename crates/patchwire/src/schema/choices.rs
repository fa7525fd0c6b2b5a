//! The values of an enum or a literal, and the choice that a text means.

use core::{fmt, iter};
use std::collections::{HashMap, HashSet};

use super::budget;
use super::facts::KindSet;
use crate::document::{ValueKind, ValueRef};
use crate::order;
use crate::text::WHITESPACE;
use crate::text::escape;

/// A scalar that a schema names: a string, a number, a bool or null.
///
/// The [builder](super) converts Rust values to literals.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Literal(ChoiceValue);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum ChoiceValue {
    Null,
    Bool(bool),
    /// The number as written.
    Number(Box<str>),
    String(Box<str>),
}

impl Literal {
    /// `null`.
    pub const NULL: Self = Self(ChoiceValue::Null);

    pub(super) fn number(text: &str) -> Self {
        Self(ChoiceValue::Number(text.into()))
    }

    pub(crate) const fn kind(&self) -> ValueKind {
        match self.0 {
            ChoiceValue::Null => ValueKind::Null,
            ChoiceValue::Bool(_) => ValueKind::Bool,
            ChoiceValue::Number(_) => ValueKind::Number,
            ChoiceValue::String(_) => ValueKind::String,
        }
    }

    /// What the scalar is compared by.
    pub(super) fn key(&self) -> ScalarKey<'_> {
        match &self.0 {
            ChoiceValue::Null => ScalarKey::Null,
            ChoiceValue::Bool(value) => ScalarKey::Bool(*value),
            ChoiceValue::Number(text) => ScalarKey::number(text),
            ChoiceValue::String(text) => ScalarKey::String(text),
        }
    }

    /// The bytes of its text.
    pub(super) fn len(&self) -> usize {
        match &self.0 {
            ChoiceValue::Null | ChoiceValue::Bool(_) => 0,
            ChoiceValue::Number(text) | ChoiceValue::String(text) => text.len(),
        }
    }

    /// The text, if the scalar is a string.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match &self.0 {
            ChoiceValue::String(text) => Some(text),
            _ => None,
        }
    }
}

/// A scalar as it is compared: numbers by their nearest `f64`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum ScalarKey<'t> {
    Null,
    Bool(bool),
    /// The bits of the number; negative numbers in falling order, which does not matter here.
    Number(u64),
    String(&'t str),
}

impl<'t> ScalarKey<'t> {
    /// None for lists, objects and absent values.
    pub(super) fn of(value: ValueRef<'t>) -> Option<Self> {
        Some(match value.kind() {
            ValueKind::Null if !value.exists() => return None,
            ValueKind::Null => Self::Null,
            ValueKind::Bool => Self::Bool(value.as_bool()?),
            ValueKind::Number => Self::number(value.number_text()?),
            ValueKind::String => Self::String(value.as_str()?),
            ValueKind::List | ValueKind::Object => return None,
        })
    }

    fn number(text: &str) -> Self {
        // A zero has no sign. A text that is no number is not a value of JSON.
        Self::Number((text.parse::<f64>().unwrap_or(f64::NAN) + 0.0).to_bits())
    }
}

/// Prints the scalar as JSON.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            ChoiceValue::Null => f.write_str("null"),
            ChoiceValue::Bool(value) => value.fmt(f),
            ChoiceValue::Number(text) => f.write_str(text),
            ChoiceValue::String(text) => f.write_str(&escape::quoted(text)),
        }
    }
}

impl From<&str> for Literal {
    fn from(text: &str) -> Self {
        Self(ChoiceValue::String(text.into()))
    }
}

impl From<String> for Literal {
    fn from(text: String) -> Self {
        Self(ChoiceValue::String(text.into()))
    }
}

impl From<bool> for Literal {
    fn from(value: bool) -> Self {
        Self(ChoiceValue::Bool(value))
    }
}

impl From<i32> for Literal {
    fn from(value: i32) -> Self {
        Self::from(i64::from(value))
    }
}

impl From<i64> for Literal {
    fn from(value: i64) -> Self {
        Self(ChoiceValue::Number(value.to_string().into()))
    }
}

impl From<u64> for Literal {
    fn from(value: u64) -> Self {
        Self(ChoiceValue::Number(value.to_string().into()))
    }
}

/// A set of scalars. Finds the choice that a text means.
///
/// ```
/// use patchwire::schema::Choices;
///
/// let choices = Choices::new(["low", "in progress"]);
/// assert_eq!(choices.resolve("In_Progress "), Some("in progress"));
/// assert_eq!(choices.resolve("high"), None);
/// ```
// Invariants: `literals` differ; `spellings` has one entry for each that is a string, sorted by
// its folded form; `longest` is the length of the longest string in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choices {
    literals: Box<[Literal]>,
    spellings: Box<[Spelling]>,
    longest: usize,
    /// The string that replaces every other value. `None`: other values are emitted unchanged.
    fallback: Option<Box<str>>,
    /// The kinds of the literals.
    kinds: KindSet,
    /// The indexes of the literals, by their values.
    by_value: Box<[u32]>,
    /// How much of a budget a copy takes.
    parts: usize,
    bytes: usize,
    /// The literals that are no strings, by their text in lower case.
    others: HashMap<String, u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Spelling {
    folded: Box<str>,
    /// The index of the literal.
    literal: u32,
}

impl Choices {
    /// The choices, in order. A repeated scalar is dropped.
    pub fn new<L: Into<Literal>>(literals: impl IntoIterator<Item = L>) -> Self {
        Self::of(literals.into_iter().map(Into::into).collect())
    }

    fn of(mut literals: Vec<Literal>) -> Self {
        let mut seen = HashSet::new();
        literals.retain(|literal| seen.insert(literal.clone()));
        let literals: Box<[Literal]> = literals.into();
        let mut spellings: Box<[Spelling]> = (0..)
            .zip(&literals)
            .filter_map(|(literal, value)| {
                let folded: String = folded(trim(value.as_str()?)).collect();
                Some(Spelling { folded: folded.into(), literal })
            })
            .collect();
        order::sort(&mut spellings);
        let kinds = literals.iter().fold(KindSet::default(), |all, it| all.with(it.kind()));
        let mut by_value: Box<[u32]> = (0..literals.len() as u32).collect();
        let key = |at: &u32| literals[*at as usize].key();
        order::sort_by(&mut by_value, |a, b| key(a).cmp(&key(b)));
        let parts = literals.iter().map(|it| budget::parts_of_text(it.len())).sum();
        let mut others = HashMap::new();
        for (at, literal) in (0..).zip(&literals).filter(|(_, it)| it.as_str().is_none()) {
            others.entry(literal.to_string().to_ascii_lowercase()).or_insert(at);
        }
        let bytes = literals.iter().map(|it| 8 + it.len()).sum();
        let longest = literals.iter().filter_map(Literal::as_str).map(str::len).max().unwrap_or(0);
        Self { literals, spellings, longest, fallback: None, kinds, by_value, parts, bytes, others }
    }

    /// Sets the fallback, one of the strings, which replaces every other value.
    pub(super) fn falling_back_to(self, fallback: &str) -> Self {
        debug_assert!(self.literals.iter().any(|literal| literal.as_str() == Some(fallback)));
        Self { fallback: Some(fallback.into()), ..self }
    }

    pub(crate) fn fallback(&self) -> Option<&str> {
        self.fallback.as_deref()
    }

    /// The literals, in their written order.
    pub(crate) const fn literals(&self) -> &[Literal] {
        &self.literals
    }

    /// The kinds of the literals.
    pub(super) const fn kinds(&self) -> KindSet {
        self.kinds
    }

    /// The bytes of the texts, and some for each.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// How much of a budget a copy takes.
    pub(super) const fn parts(&self) -> usize {
        self.parts
    }

    /// Whether a value equals one of the choices. Numbers compare by value.
    pub(crate) fn contains(&self, value: ValueRef<'_>) -> bool {
        let Some(wanted) = ScalarKey::of(value) else { return false };
        let key = |at: &u32| self.literals[*at as usize].key();
        self.by_value.binary_search_by(|at| key(at).cmp(&wanted)).is_ok()
    }

    /// The choice that is no string and has this text, in any case.
    pub(crate) fn other(&self, text: &str) -> Option<&Literal> {
        let at = *self.others.get(&text.to_ascii_lowercase())?;
        Some(&self.literals[at as usize])
    }

    /// The length of the longest string, in bytes.
    pub(crate) const fn longest(&self) -> usize {
        self.longest
    }

    /// Whether all choices are strings, or strings and null.
    pub(super) fn is_text(&self) -> bool {
        let others = [ValueKind::Bool, ValueKind::Number];
        self.kinds.has(ValueKind::String) && !others.into_iter().any(|kind| self.kinds.has(kind))
    }

    /// Whether more text could make this one of the strings, in any spelling that
    /// [`resolve`](Self::resolve) reads. Trailing whitespace may end the text or belong to a longer
    /// choice. Choices that differ only in their exact spelling count for every spelling they share.
    pub(crate) fn could_become(&self, text: &str) -> bool {
        let begun = text.trim_start_matches(WHITESPACE);
        let at =
            self.spellings.partition_point(|spelling| spelling.folded.chars().lt(folded(begun)));
        let goes_on = self.spellings.get(at).is_some_and(|spelling| {
            let mut rest = spelling.folded.chars();
            folded(begun).all(|c| rest.next() == Some(c))
        });
        goes_on || !self.spelled(text).is_empty()
    }

    /// The strings that have this text as a beginning.
    pub(crate) fn begun(&self, text: &str) -> impl Iterator<Item = &str> {
        let text = trim(text);
        let first =
            self.spellings.partition_point(|spelling| spelling.folded.chars().lt(folded(text)));
        let begins_so = move |spelling: &&Spelling| {
            let mut rest = spelling.folded.chars();
            folded(text).all(|c| rest.next() == Some(c))
        };
        let alike = self.spellings[first..].iter().take_while(begins_so);
        alike.filter_map(|spelling| self.text(spelling))
    }

    /// The string that `text` means: the choice that is equal to it, else the only choice that differs
    /// only in surrounding whitespace, in ASCII case or in the separators of its words, where runs of
    /// spaces, `-` and `_` are equal. None if there is no such choice, or more than one.
    #[must_use]
    pub fn resolve(&self, text: &str) -> Option<&str> {
        self.resolve_spelling(text).map(|(choice, _)| choice)
    }

    /// The choice that [`resolve`](Self::resolve) finds, and whether `text` has its exact spelling.
    pub(crate) fn resolve_spelling(&self, text: &str) -> Option<(&str, bool)> {
        let alike = self.spelled(text);
        let exact = alike.iter().filter_map(|spelling| self.text(spelling)).find(|it| *it == text);
        match (exact, alike) {
            (Some(exact), _) => Some((exact, true)),
            (None, [only]) => Some((self.text(only)?, false)),
            _ => None,
        }
    }

    /// The choices with this folded form.
    fn spelled(&self, text: &str) -> &[Spelling] {
        let text = trim(text);
        let start =
            self.spellings.partition_point(|spelling| spelling.folded.chars().lt(folded(text)));
        let rest = &self.spellings[start..];
        &rest[..rest.partition_point(|spelling| spelling.folded.chars().eq(folded(text)))]
    }

    fn text(&self, spelling: &Spelling) -> Option<&str> {
        self.literals[spelling.literal as usize].as_str()
    }
}

fn trim(text: &str) -> &str {
    text.trim_matches(WHITESPACE)
}

/// The text with its case and its word separators unified.
fn folded(text: &str) -> impl Iterator<Item = char> + '_ {
    let mut rest = text.chars();
    let mut after_joint = false;
    iter::from_fn(move || {
        let c = rest.find(|c| !(after_joint && is_joint(*c)))?;
        after_joint = is_joint(c);
        Some(if after_joint { '_' } else { c.to_ascii_lowercase() })
    })
}

const fn is_joint(c: char) -> bool {
    matches!(c, ' ' | '-' | '_')
}
