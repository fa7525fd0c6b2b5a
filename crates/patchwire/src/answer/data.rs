//! The value of an answer as a Rust type, and why there may be none.

use core::fmt;

use serde::Deserialize;

use super::{Answer, Outcome};
use crate::document::{DataError, ValueRef};
use crate::notice::Code;

/// Most characters of the model's text that a message quotes.
const MOST_QUOTED: usize = 60;

/// Why an answer is not the value of a type.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// The answer was cut. The error holds what arrived.
    #[error(transparent)]
    Cut(CutAnswer),
    /// The answer has no value.
    #[error(transparent)]
    NoValue(NoValue),
    /// The value does not fit the type.
    #[error(transparent)]
    Data(#[from] DataError),
}

impl AnswerError {
    /// The answer that was cut.
    #[must_use]
    pub const fn cut(&self) -> Option<&CutAnswer> {
        match self {
            Self::Cut(cut) => Some(cut),
            _ => None,
        }
    }
}

/// An answer that was cut: the input ended inside its value.
#[derive(Debug, Clone, PartialEq)]
pub struct CutAnswer(Answer);

impl CutAnswer {
    /// The answer. [`Answer::allow_partial`] reads its value as a type.
    #[must_use]
    pub const fn answer(&self) -> &Answer {
        &self.0
    }

    /// The value that arrived.
    #[must_use]
    pub fn value(&self) -> ValueRef<'_> {
        self.0.value()
    }

    /// The path of the value that was being written; empty if none is known.
    #[must_use]
    pub fn path(&self) -> &str {
        self.0.cut_path().unwrap_or_default()
    }
}

impl fmt::Display for CutAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the answer was cut")?;
        if !self.path().is_empty() {
            write!(f, " inside `{}`", self.path())?;
        }
        f.write_str("; `allow_partial()` reads what arrived")
    }
}

impl core::error::Error for CutAnswer {}

/// An answer without a value: the model wrote only text, only reasoning, only tool calls, or nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct NoValue(Answer);

impl NoValue {
    /// The answer, with the text that the model wrote.
    #[must_use]
    pub const fn answer(&self) -> &Answer {
        &self.0
    }
}

/// Says what the model wrote in place of a value, and quotes its first words.
impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the answer has no value: ")?;
        let (text, reasoning) = (self.0.text().trim(), self.0.reasoning().trim());
        if self.0.outcome() == Outcome::ToolCalls {
            f.write_str("the model called tools (")?;
            for (at, call) in self.0.calls().iter().enumerate() {
                write!(f, "{}`{}`", if at == 0 { "" } else { ", " }, call.name())?;
            }
            return f.write_str(")");
        }
        match (text.is_empty(), reasoning.is_empty()) {
            (false, _) => write!(f, "the model wrote only text, {}", Beginning(text)),
            (true, false) => write!(f, "the model wrote only reasoning, {}", Beginning(reasoning)),
            (true, true) => f.write_str("the model wrote nothing"),
        }
    }
}

impl core::error::Error for NoValue {}

/// The first words of a text on one line, in quotes.
struct Beginning<'a>(&'a str);

impl fmt::Display for Beginning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = self.0.split_whitespace();
        let mut quoted = String::new();
        let mut is_whole = true;
        for word in words.by_ref() {
            let length = quoted.chars().count();
            let fits = length + word.chars().count() < MOST_QUOTED;
            if !fits && length > 0 {
                is_whole = false;
                break;
            }
            quoted.push_str(if length > 0 { " " } else { "" });
            is_whole = fits;
            quoted.extend(word.chars().take(MOST_QUOTED - length));
        }
        is_whole &= words.next().is_none();
        let (verb, rest) = if is_whole { ("which is", "") } else { ("which begins", "…") };
        write!(f, "{verb} “{quoted}{rest}”")
    }
}

/// An answer of which a part is enough. Made by [`Answer::allow_partial`].
#[derive(Debug, Clone, Copy)]
pub struct PartialAnswer<'a>(&'a Answer);

impl<'a> PartialAnswer<'a> {
    /// Reads what arrived as a Rust type, which may borrow from the answer.
    ///
    /// # Errors
    /// The answer has no value, or what arrived does not fit the type.
    pub fn data<T: Deserialize<'a>>(self) -> Result<T, AnswerError> {
        self.0.read()
    }
}

impl Answer {
    /// Reads the value as a Rust type, which may borrow from the answer.
    ///
    /// ```
    /// use patchwire::Spec;
    ///
    /// let answer = Spec::json().parse(r#"Sure! {"tags": ["a", "b"]}"#)?;
    /// let page: std::collections::HashMap<&str, Vec<&str>> = answer.data()?;
    /// assert_eq!(page["tags"], ["a", "b"]);
    ///
    /// let answer = Spec::json().parse("I cannot help with that.")?;
    /// assert_eq!(
    ///     answer.data::<Vec<u8>>().unwrap_err().to_string(),
    ///     "the answer has no value: the model wrote only text, which is “I cannot help with that.”"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// - [`Cut`](AnswerError::Cut): the answer was [truncated](Outcome::Truncated). The error holds what arrived;
    ///   [`allow_partial`](Self::allow_partial) reads it.
    /// - [`NoValue`](AnswerError::NoValue): the model wrote no value. An `Option` reads as `None` instead.
    /// - [`Data`](AnswerError::Data): the value does not fit the type. The error has the path, what was found, and
    ///   what was expected.
    pub fn data<'a, T: Deserialize<'a>>(&'a self) -> Result<T, AnswerError> {
        if self.outcome() == Outcome::Truncated && self.value().exists() {
            return Err(AnswerError::Cut(CutAnswer(self.clone())));
        }
        self.read()
    }

    /// The answer as one of which a part is enough: [`data`](PartialAnswer::data) then reads the value of an answer
    /// that was cut, as far as it came.
    ///
    /// ```
    /// use patchwire::{Spec, answer::AnswerError};
    ///
    /// let answer = Spec::json().parse(r#"{"tags": ["a", "b"#)?;
    /// let error = answer.data::<serde_json::Value>().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the answer was cut inside `tags[1]`; `allow_partial()` reads what arrived"
    /// );
    /// let AnswerError::Cut(cut) = error else { panic!("{error}") };
    /// assert_eq!(cut.value().to_string(), r#"{"tags":["a","b"]}"#);
    ///
    /// let page: serde_json::Value = answer.allow_partial().data()?;
    /// assert_eq!(page["tags"][0], "a");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn allow_partial(&self) -> PartialAnswer<'_> {
        PartialAnswer(self)
    }

    /// Whether the answer was cut, and the value at this path is not whole because of it.
    ///
    /// ```
    /// let answer = patchwire::Spec::json().parse(r#"{"a": "whole", "b": ["one", "tw"#)?;
    /// assert!(!answer.is_cut_at("a") && answer.is_cut_at("b") && !answer.is_cut_at("b[0]"));
    /// # Ok::<(), patchwire::Error>(())
    /// ```
    #[must_use]
    pub fn is_cut_at(&self, path: &str) -> bool {
        if self.outcome() != Outcome::Truncated {
            return false;
        }
        let rest = self.cut_path().unwrap_or_default().strip_prefix(path);
        rest.is_some_and(|rest| path.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
    }

    /// The path that the last notice of a cut names.
    fn cut_path(&self) -> Option<&str> {
        let cuts = self.notices().iter().rev();
        let mut cuts = cuts.filter(|notice| notice.code == Code::Truncated);
        cuts.next().map(|notice| &*notice.path)
    }

    fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, AnswerError> {
        let value = self.value();
        value.read().map_err(|error| match value.exists() {
            true => AnswerError::Data(error),
            false => AnswerError::NoValue(NoValue(self.clone())),
        })
    }
}
