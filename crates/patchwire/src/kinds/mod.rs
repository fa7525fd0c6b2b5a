//! A contract for small models: every answer is one object `{"kind": …, "text": …}`, and its kind is one
//! of those that were granted.
//!
//! Small models drift when they are asked for free prose, and what they wrote cannot be routed. Told
//! exactly which object to write they mostly do; where they do not, something can be made of it all the
//! same, and it is said how much was made.
//!
//! ```
//! use patchwire::kinds::{Kinds, Tier};
//!
//! let kinds = Kinds::builder(["world.observed", "agent.spoke"]).fallback("agent.spoke").build()?;
//! let prompt = format!("You are a lighthouse.\n\n{}", kinds.prompt());
//!
//! let said = kinds.parse(r#"Certainly! {"kind": "world.observed", "text": "A bell rings."}"#);
//! assert_eq!((said.kind(), said.text()), ("world.observed", "A bell rings."));
//! assert_eq!(said.tier(), Tier::Embedded);
//!
//! // A kind that was not granted is never given out.
//! let said = kinds.parse(r#"{"kind": "judge.verdict", "text": "I have won."}"#);
//! assert_eq!(said.kind(), "agent.spoke");
//!
//! // Where there is no such object, the text itself is the answer.
//! let said = kinds.parse("I collect echoes.");
//! assert_eq!((said.kind(), said.text()), ("agent.spoke", "I collect echoes."));
//! assert!(said.is_raw_fallback());
//! # Ok::<(), patchwire::kinds::KindsError>(())
//! ```
//!
//! While it streams, [`Kinds::spec`] is a spec as any: `text` and the other fields grow, and `kind` comes
//! whole, as one that was granted. No event and no value ever shows another.

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/kinds.md")]
struct Guide;

mod kinded;
mod prompt;
mod tally;
mod verdict;

use std::sync::Arc;

use crate::answer::Answer;
use crate::check::Checks;
use crate::document::{Document, Place, Value};
use crate::format::json::Roots;
use crate::schema::{self, Choices, Node, Schema};
use crate::spec::{Format, Spec, SpecBuilder};
pub use kinded::{Kinded, Tier};
pub use tally::Tally;
pub use verdict::Verdict;

/// The member that only what was wrapped has.
const RAW_FALLBACK: &str = "_raw_fallback";
const WINNER: &str = "winner";
const SCORES: &str = "scores";
const TEXT_RULE: &str = "one or two sentences, vivid and specific";

/// Which kinds of answers a model may give, and what else they hold. Cloning copies a pointer.
///
/// See the [module](self).
#[derive(Debug, Clone)]
pub struct Kinds(Arc<Contract>);

#[derive(Debug)]
struct Contract {
    granted: Vec<String>,
    choices: Choices,
    fallback: String,
    extras: Vec<String>,
    text_rule: String,
    example: Option<String>,
    schema: Schema,
    spec: Spec,
}

/// A contract that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KindsError {
    /// Nothing was granted, so that no answer could have a kind.
    #[error("no kind is granted: name at least one")]
    NoKinds,
    /// The kind to fall back to would be one that the model may not use.
    #[error("the fallback `{0}` is none of the kinds that are granted")]
    FallbackNotGranted(String),
    /// Every answer has these: `kind`, `text` and `_raw_fallback`.
    #[error("an extra field cannot be called `{0}`")]
    ReservedExtra(String),
    /// The example for the prompt is no strict JSON, or its kind was not granted, or it lacks a field.
    #[error("the example is no answer as it should be: {0}")]
    UnfitExample(String),
}

/// Builds [`Kinds`]. Made by [`Kinds::builder`].
#[derive(Debug, Clone)]
#[must_use]
pub struct KindsBuilder {
    granted: Vec<String>,
    fallback: Option<String>,
    extras: Vec<String>,
    text_rule: String,
    example: Option<String>,
}

impl KindsBuilder {
    /// The kind of an answer whose own was not granted or is missing; the first that was granted, if not
    /// said.
    pub fn fallback(mut self, kind: impl Into<String>) -> Self {
        self.fallback = Some(kind.into());
        self
    }

    /// Fields beside `kind` and `text`, in the order in which they are to be written.
    ///
    /// Each is a text that has to be there, but for two whose names are known: `winner` is a text or
    /// null, and null if it is missing; `scores` is a number by name, and empty if it is missing.
    pub fn extras<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        for name in names {
            let name = name.into();
            if !self.extras.contains(&name) {
                self.extras.push(name);
            }
        }
        self
    }

    /// What the text must be, for the model to read: "`text` must be …". One or two sentences, vivid and
    /// specific, if not said.
    pub fn text_rule(mut self, rule: impl Into<String>) -> Self {
        self.text_rule = rule.into();
        self
    }

    /// An answer as it should be, for the model to read, as JSON. If not said, one is made.
    pub fn example(mut self, json: impl Into<String>) -> Self {
        self.example = Some(json.into());
        self
    }

    /// The contract.
    ///
    /// # Errors
    /// If nothing is granted, the fallback is not granted, an extra field is called as one that every
    /// answer has, or the example is no answer that [`Kinds::parse`] takes as it is.
    pub fn build(self) -> Result<Kinds, KindsError> {
        let first = self.granted.first().cloned().ok_or(KindsError::NoKinds)?;
        let fallback = self.fallback.unwrap_or(first);
        if !self.granted.contains(&fallback) {
            return Err(KindsError::FallbackNotGranted(fallback));
        }
        let reserved = |name: &&String| ["kind", "text", RAW_FALLBACK].contains(&name.as_str());
        if let Some(name) = self.extras.iter().find(reserved) {
            return Err(KindsError::ReservedExtra(name.clone()));
        }
        let granted = self.granted.iter().map(String::as_str);
        let choices = Choices::new(granted.clone());
        let object = schema::object()
            .field("kind", schema::one_of_or(granted, fallback.as_str()).present())
            .field("text", schema::str(&self.text_rule).required());
        let fields =
            self.extras.iter().fold(object, |object, name| object.field(name, extra(name)));
        let schema = Schema::from(fields);
        let kinds = Kinds(Arc::new(Contract {
            spec: builder(&schema).finish(Checks::default()),
            granted: self.granted,
            choices,
            fallback,
            extras: self.extras,
            text_rule: self.text_rule,
            example: self.example,
            schema,
        }));
        kinds.check_example().map(|()| kinds)
    }
}

/// What an extra field is.
fn extra(name: &str) -> Node {
    match name {
        WINNER => schema::str("a player's name, or null").nullable(),
        SCORES => schema::map(schema::number("0 to 10")).describe("points by player"),
        _ => schema::str("").present(),
    }
}

fn builder(schema: &Schema) -> SpecBuilder {
    Spec::builder()
        .format(Format::Json)
        .without_alignment()
        .schema(schema.clone())
        .roots(Roots::FirstFit)
}

impl Kinds {
    /// A contract that grants these kinds, to be built.
    pub fn builder<S: Into<String>>(granted: impl IntoIterator<Item = S>) -> KindsBuilder {
        KindsBuilder {
            granted: granted.into_iter().map(Into::into).collect(),
            fallback: None,
            extras: Vec::new(),
            text_rule: TEXT_RULE.to_owned(),
            example: None,
        }
    }

    /// The kinds that are granted, in order.
    pub fn granted(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.granted.iter().map(String::as_str)
    }

    /// The kind of an answer whose own was not granted or is missing.
    #[must_use]
    pub fn fallback(&self) -> &str {
        &self.0.fallback
    }

    /// The fields beside `kind` and `text`, in order.
    pub fn extras(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.extras.iter().map(String::as_str)
    }

    /// What an answer looks like. Whatever spec it is put in, no kind is emitted but those granted.
    #[must_use]
    pub fn schema(&self) -> Schema {
        self.0.schema.clone()
    }

    /// The same as JSON Schema, for an endpoint that holds the model to it: `kind` is one of those
    /// granted, so that no other can be written. With the defaults of what may be missing.
    ///
    /// Where the endpoint wants every field required: [`Schema::to_closed_json_schema`].
    ///
    /// ```
    /// use patchwire::kinds::Kinds;
    ///
    /// let kinds = Kinds::builder(["judge.verdict"]).extras(["winner"]).build()?;
    /// let schema = kinds.json_schema();
    /// let winner = schema.as_ref().at("properties.winner.default").expect("it may be missing");
    /// assert!(winner.is_null());
    /// # Ok::<(), patchwire::kinds::KindsError>(())
    /// ```
    #[must_use]
    pub fn json_schema(&self) -> Value {
        let written = self.0.schema.to_json_schema();
        let mut document = Document::default();
        let root = document.graft(Place::Root, written.as_ref());
        for name in [WINNER, SCORES] {
            let properties = document.at(root).get("properties");
            let field = properties.and_then(|all| all.get(name)?.node());
            if let Some(field) = field.filter(|_| self.0.extras.iter().any(|extra| extra == name)) {
                kinded::add_default(&mut document, Place::Member(field, "default"), name);
            }
        }
        Value::of(&Arc::new(document))
    }

    /// How answers are read: JSON in prose and fences, with what is forgiven. Of several objects the
    /// first that has all that is required.
    #[must_use]
    pub fn spec(&self) -> Spec {
        self.0.spec.clone()
    }

    /// The same, to be built with other settings beside: tags, limits, strictness. A schema or a choice
    /// of roots of one's own is not for this.
    pub fn spec_builder(&self) -> SpecBuilder {
        builder(&self.0.schema)
    }

    /// What an answer comes to.
    ///
    /// An object with a text in `text` is taken as it is; a kind that was not granted, or is missing,
    /// becomes the fallback. Anything else is wrapped: the text of the answer, without its reasoning, in
    /// the fallback kind.
    #[must_use]
    pub fn read(&self, answer: &Answer) -> Kinded {
        Kinded::of(&self.0, answer)
    }

    /// The same of a whole text, which is read with [`spec`](Self::spec). A text that cannot be read
    /// within the limits is wrapped, too.
    #[must_use]
    pub fn parse(&self, text: impl AsRef<[u8]>) -> Kinded {
        match self.0.spec.parse(&text) {
            Ok(answer) => self.read(&answer),
            Err(_) => Kinded::wrapped(&self.0, &String::from_utf8_lossy(text.as_ref()), Vec::new()),
        }
    }

    fn check_example(&self) -> Result<(), KindsError> {
        let Some(example) = &self.0.example else { return Ok(()) };
        let read = self.parse(example);
        if read.tier() == Tier::Strict && read.notices().is_empty() {
            return Ok(());
        }
        Err(KindsError::UnfitExample(example.clone()))
    }
}
