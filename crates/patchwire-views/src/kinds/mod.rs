//! A contract for small models: every answer is one object `{"kind": …, "text": …}`, and its kind is one
//! of those that the caller grants.
//!
//! Small models drift when they are asked for free prose, and nobody can route what they wrote. With an
//! exact object to write they mostly keep to it. Where a model does not, [`Kinds::read`] still makes a
//! [`Reply`], and its [`Tier`] says how much had to be guessed.
//!
//! ```
//! use patchwire_views::kinds::{Kinds, Tier};
//!
//! let kinds = Kinds::builder(["world.observed", "agent.spoke"]).fallback("agent.spoke").build()?;
//! let prompt = format!("You are a lighthouse.\n\n{}", kinds.prompt());
//!
//! let reply = kinds.parse(r#"Certainly! {"kind": "world.observed", "text": "A bell rings."}"#);
//! assert_eq!((reply.kind(), reply.text()), ("world.observed", "A bell rings."));
//! assert_eq!(reply.tier(), Tier::Embedded);
//!
//! // A kind that was not granted never comes out.
//! let reply = kinds.parse(r#"{"kind": "judge.verdict", "text": "I have won."}"#);
//! assert_eq!(reply.kind(), "agent.spoke");
//!
//! // Where there is no such object, the text itself is the answer.
//! let reply = kinds.parse("I collect echoes.");
//! assert_eq!((reply.kind(), reply.text()), ("agent.spoke", "I collect echoes."));
//! assert!(reply.is_raw_fallback());
//! # Ok::<(), patchwire_views::kinds::KindsError>(())
//! ```
//!
//! [`Kinds::spec`] is an ordinary spec for streams: `text` and the other fields grow, and `kind` arrives
//! whole, as a granted one. The engine guards it: see [`one_of_or`](patchwire::schema::one_of_or).

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/kinds.md")]
struct Guide;

mod prompt;
mod reply;
mod tally;
mod verdict;

use std::sync::Arc;

use patchwire::schema::{self, Choices, Node, Schema};
use patchwire::spec::Roots;
use patchwire::{Answer, Format, Spec, SpecBuilder, Value, ValueRef};

pub use reply::{Reply, Tier};
pub use tally::Tally;
pub use verdict::Verdict;

/// The member that only a wrapped text has.
const RAW_FALLBACK: &str = "_raw_fallback";
const WINNER: &str = "winner";
const SCORES: &str = "scores";
const TEXT_RULE: &str = "one or two sentences, vivid and specific";

/// The kinds of answers that a model may give, and their other fields. Cloning copies a pointer.
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

/// Why a contract cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KindsError {
    /// No kind was granted, so no answer could have one.
    #[error("no kind is granted: name at least one")]
    NoKinds,
    /// The fallback is a kind that the model may not use.
    #[error("the fallback `{0}` is none of the kinds that are granted")]
    FallbackNotGranted(String),
    /// An extra field has a name that every answer uses: `kind`, `text` or `_raw_fallback`.
    #[error("an extra field cannot be called `{0}`")]
    ReservedExtra(String),
    /// The example for the prompt is no strict JSON, its kind was not granted, or it lacks a field.
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
    /// The kind of an answer whose own kind is missing or was not granted. Default: the first granted
    /// kind.
    pub fn fallback(mut self, kind: impl Into<String>) -> Self {
        self.fallback = Some(kind.into());
        self
    }

    /// Fields beside `kind` and `text`, in the order in which the model is to write them.
    ///
    /// Each is a required string, except two well-known names: `winner` is a string or null, and null
    /// if it is missing; `scores` is an object of numbers, and empty if it is missing.
    pub fn extras<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        for name in names {
            let name = name.into();
            if !self.extras.contains(&name) {
                self.extras.push(name);
            }
        }
        self
    }

    /// The rule for the text, for the model to read: "`text` must be …". Default: one or two sentences,
    /// vivid and specific.
    pub fn text_rule(mut self, rule: impl Into<String>) -> Self {
        self.text_rule = rule.into();
        self
    }

    /// An answer that keeps the contract, as JSON, for the model to read. Default: one is generated.
    pub fn example(mut self, json: impl Into<String>) -> Self {
        self.example = Some(json.into());
        self
    }

    /// The contract.
    ///
    /// # Errors
    /// If no kind is granted, the fallback is not granted, an extra field has a name that every answer
    /// uses, or the example does not keep the contract.
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
        let object = schema::object()
            .field("kind", schema::one_of_or(granted.clone(), fallback.as_str()).present())
            .field("text", schema::str(&self.text_rule).required());
        let fields =
            self.extras.iter().fold(object, |object, name| object.field(name, extra(name)));
        let schema = Schema::from(fields);
        let kinds = Kinds(Arc::new(Contract {
            spec: builder(&schema).build().expect("these settings do not contradict one another"),
            choices: Choices::new(granted),
            granted: self.granted,
            fallback,
            extras: self.extras,
            text_rule: self.text_rule,
            example: self.example,
            schema,
        }));
        kinds.check_example().map(|()| kinds)
    }
}

/// The type of an extra field.
fn extra(name: &str) -> Node {
    match name {
        WINNER => schema::str("a player's name, or null").nullable(),
        SCORES => schema::map(schema::number("0 to 10")).describe("points by player"),
        _ => schema::str("").present(),
    }
}

/// The value of a well-known extra field that is missing.
fn default_of(name: &str) -> Value {
    if name == SCORES { Value::from_iter([]) } else { Value::default() }
}

fn builder(schema: &Schema) -> SpecBuilder {
    Spec::builder()
        .format(Format::Json)
        .without_alignment()
        .schema(schema.clone())
        .roots(Roots::FirstFit)
}

impl Kinds {
    /// Begins a contract that grants these kinds.
    pub fn builder<S: Into<String>>(granted: impl IntoIterator<Item = S>) -> KindsBuilder {
        KindsBuilder {
            granted: granted.into_iter().map(Into::into).collect(),
            fallback: None,
            extras: Vec::new(),
            text_rule: TEXT_RULE.to_owned(),
            example: None,
        }
    }

    /// The granted kinds, in order.
    pub fn granted(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.granted.iter().map(String::as_str)
    }

    /// The kind of an answer whose own kind is missing or was not granted.
    #[must_use]
    pub fn fallback(&self) -> &str {
        &self.0.fallback
    }

    /// The fields beside `kind` and `text`, in order.
    pub fn extras(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.extras.iter().map(String::as_str)
    }

    /// The schema of an answer. Every spec with this schema emits granted kinds only.
    #[must_use]
    pub fn schema(&self) -> Schema {
        self.0.schema.clone()
    }

    /// The contract as JSON Schema, for an endpoint that holds the model to a schema while it writes.
    /// `kind` is an enum of the granted kinds, and extra fields that may be missing have their defaults.
    ///
    /// Where the endpoint requires every field, use [`Schema::to_closed_json_schema`].
    ///
    /// ```
    /// use patchwire_views::kinds::Kinds;
    ///
    /// let kinds = Kinds::builder(["judge.verdict"]).extras(["winner"]).build()?;
    /// let schema = kinds.json_schema();
    /// let winner = schema.as_ref().at("properties.winner.default").expect("it may be missing");
    /// assert!(winner.is_null());
    /// # Ok::<(), patchwire_views::kinds::KindsError>(())
    /// ```
    #[must_use]
    pub fn json_schema(&self) -> Value {
        let written = self.0.schema.to_json_schema();
        let properties = written.as_ref().get("properties").map(|all| self.with_defaults(all));
        let all = written.as_ref().entries().map(|(name, value)| {
            let name = name.unwrap_or_default();
            let own = properties.as_ref().filter(|_| name == "properties");
            (name, own.map_or(value, Value::as_ref))
        });
        all.collect()
    }

    /// The properties of a JSON Schema, with the defaults of the well-known extra fields.
    fn with_defaults(&self, properties: ValueRef<'_>) -> Value {
        let with_default = |(name, field): (Option<&str>, ValueRef<'_>)| {
            let name = name.unwrap_or_default().to_owned();
            // Beside `kind` and `text` there are only extra fields.
            if ![WINNER, SCORES].contains(&&*name) {
                return (name, field.to_value());
            }
            let default = default_of(&name);
            let members = field.entries().map(|(key, value)| (key.unwrap_or_default(), value));
            let field = members.chain([("default", default.as_ref())]).collect();
            (name, field)
        };
        let fields: Vec<(String, Value)> = properties.entries().map(with_default).collect();
        fields.iter().map(|(name, field)| (&**name, field.as_ref())).collect()
    }

    /// The spec that reads answers: JSON in prose and fences, with every leniency but alignment. Of several
    /// objects it takes the first that has all required fields.
    #[must_use]
    pub fn spec(&self) -> Spec {
        self.0.spec.clone()
    }

    /// A builder of [`spec`](Self::spec), to add other settings: tags, limits, strictness. Do not replace its
    /// schema or its choice of roots.
    pub fn spec_builder(&self) -> SpecBuilder {
        builder(&self.0.schema)
    }

    /// What an answer comes to under the contract.
    ///
    /// An object with a string in `text` is taken as it is; a kind that is missing or was not granted
    /// becomes the fallback. Anything else is wrapped: the text of the answer, without its reasoning, in
    /// the fallback kind.
    #[must_use]
    pub fn read(&self, answer: &Answer) -> Reply {
        Reply::of(&self.0, answer)
    }

    /// Reads a whole text with [`spec`](Self::spec). A text that exceeds the limits is wrapped too.
    #[must_use]
    pub fn parse(&self, text: impl AsRef<[u8]>) -> Reply {
        match self.0.spec.parse(&text) {
            Ok(answer) => self.read(&answer),
            Err(_) => Reply::wrapped(&self.0, &String::from_utf8_lossy(text.as_ref()), Vec::new()),
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
