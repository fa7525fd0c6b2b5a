//! The values of an enum or a literal, and the choice that a text means.

use core::{fmt, iter};
use std::collections::HashSet;

use crate::document::{ValueKind, ValueRef};
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

    /// Whether a value equals this choice. Numbers compare by value.
    pub(crate) fn is(&self, value: ValueRef<'_>) -> bool {
        match &self.0 {
            ChoiceValue::Null => value.exists() && value.is_null(),
            ChoiceValue::Bool(own) => value.as_bool() == Some(*own),
            ChoiceValue::String(own) => value.as_str() == Some(own),
            ChoiceValue::Number(own) => value.number_text().is_some_and(|text| {
                **own == *text || own.parse::<f64>().ok() == text.parse::<f64>().ok()
            }),
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
        let mut seen = HashSet::new();
        let literals = literals.into_iter().map(Into::into);
        let literals: Box<[Literal]> =
            literals.filter(|literal| seen.insert(literal.clone())).collect();
        let mut spellings: Box<[Spelling]> = (0..)
            .zip(&literals)
            .filter_map(|(literal, value)| {
                let folded: String = folded(trim(value.as_str()?)).collect();
                Some(Spelling { folded: folded.into(), literal })
            })
            .collect();
        spellings.sort();
        let longest = literals.iter().filter_map(Literal::as_str).map(str::len).max().unwrap_or(0);
        Self { literals, spellings, longest, fallback: None }
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

    /// The length of the longest string, in bytes.
    pub(crate) const fn longest(&self) -> usize {
        self.longest
    }

    /// Whether all choices are strings, or strings and null.
    pub(super) fn is_text(&self) -> bool {
        let text_or_null =
            |literal: &Literal| matches!(literal.0, ChoiceValue::Null | ChoiceValue::String(_));
        !self.spellings.is_empty() && self.literals.iter().all(text_or_null)
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
        let begins_so = move |spelling: &&Spelling| {
            let mut rest = spelling.folded.chars();
            folded(trim(text)).all(|c| rest.next() == Some(c))
        };
        self.spellings.iter().filter(begins_so).filter_map(|spelling| self.text(spelling))
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
