//! What a caller expects of a stream: compiled once, cheap to clone.

use std::sync::Arc;

use crate::caps::Caps;
use crate::check::Checks;
use crate::fold::Seed;
use crate::format::Machine;
pub use crate::format::fields::Unwrap;
use crate::format::fields::{FieldOptions, Unwraps};
use crate::format::json::JsonOptions;
pub use crate::format::json::Roots;
use crate::leniency::{Leniencies, Leniency};
use crate::limits::Limits;
use crate::names::named;
use crate::path::PatternError;
use crate::schema::{Presence, Schema};
use crate::tags::TagSet;

named! {
/// The syntax of the payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Format {
    /// JSON, RFC 8259.
    #[default]
    Json = "json",
    /// Fields between tags: `<field name="title" type="text">` in a root tag.
    XmlField = "xml_field",
    /// Sections under headers: text, or JSON where the schema has no text.
    Hybrid = "hybrid",
    /// Sections under headers, all of them text while they stream.
    Markdown = "markdown",
    /// One YAML mapping, between markers or in a fence.
    YamlLiteral = "yaml_literal",
    /// No payload: the answer is text.
    Text = "text",
    /// Chosen by the shape of the schema, never by its names or the output: an object of strings
    /// alone is [`XmlField`](Self::XmlField), one of strings and other values
    /// [`Hybrid`](Self::Hybrid), anything else [`Json`](Self::Json). A string that lists its values
    /// counts as another value.
    Auto = "auto",
}
}

impl Format {
    /// The format of a name: one of [`name`](Self::name), or `flat_markdown` for
    /// [`Markdown`](Self::Markdown).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = if name == "flat_markdown" { Self::Markdown.name() } else { name };
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format under a schema: [`Auto`](Self::Auto) is decided by the schema's shape; any other
    /// format stays.
    #[must_use]
    pub fn under(self, schema: Option<&Schema>) -> Self {
        if self != Self::Auto {
            return self;
        }
        let Some(schema) = schema else { return Self::Json };
        let texts: Vec<bool> = schema.members_are_text().collect();
        match (texts.contains(&true), texts.contains(&false)) {
            (true, false) => Self::XmlField,
            (true, true) => Self::Hybrid,
            (false, _) => Self::Json,
        }
    }
}

/// How much is forgiven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Strictness {
    /// The whole input is one text of the format; anything else is an error.
    Strict,
    /// Prose and fences around the payload, and the slips of [`Leniency`], are forgiven and noted.
    #[default]
    Lenient,
}

/// Which of several answer elements is the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum AnswerView {
    /// All, joined.
    #[default]
    Concat,
    /// The first.
    First,
    /// The last.
    Last,
    /// The first that its closer ended, else the last.
    FirstClosedElseLast,
}

/// What is expected of a stream. Cloning copies a pointer.
///
/// ```
/// use patchwire::Spec;
///
/// let answer = Spec::json().parse(r#"Sure! {"title": "Hi"}"#)?;
/// assert_eq!(answer.value().get("title").and_then(|title| title.as_str()), Some("Hi"));
/// # Ok::<(), patchwire::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Spec(pub(crate) Arc<Settings>);

#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) json: JsonOptions,
    pub(crate) format: Format,
    pub(crate) fields: FieldOptions,
    pub(crate) strictness: Strictness,
    pub(crate) checks: Checks,
    /// The family of the element the stream begins in.
    pub(crate) start_in: Option<u16>,
    pub(crate) view: AnswerView,
    /// From this offset on nothing hides markers: a reading beside.
    pub(crate) bare_from: Option<u64>,
    pub(crate) tags: Option<TagSet>,
    pub(crate) keep_value: bool,
    pub(crate) keep_raw: bool,
    pub(crate) seed: Seed,
    pub(crate) machine: Option<Box<dyn Machine>>,
}

impl Settings {
    /// These settings without the schema, for a part of the payload.
    pub(crate) fn without_schema(&self) -> Self {
        let json = JsonOptions { schema: None, ..self.json.clone() };
        Self { json, ..self.clone() }
    }
}

impl Spec {
    /// To say what is expected, piece by piece.
    pub fn builder() -> SpecBuilder {
        SpecBuilder::default()
    }

    /// Lenient JSON without a schema.
    #[must_use]
    pub fn json() -> Self {
        Self::builder().format(Format::Json).finish(Checks::default())
    }

    /// Strict JSON without a schema: RFC 8259 and nothing else.
    #[must_use]
    pub fn strict_json() -> Self {
        let strict = Self::builder().format(Format::Json).strictness(Strictness::Strict);
        strict.finish(Checks::default())
    }

    /// This spec for a reparse: from that offset on nothing hides markers.
    pub(crate) fn bare_from(&self, offset: u64) -> Self {
        Self(Arc::new(Settings { bare_from: Some(offset), ..(*self.0).clone() }))
    }

    /// This spec with one more path that must exist and be meaningful, as with
    /// [`SpecBuilder::ensure`]: for paths that only the request knows.
    ///
    /// # Errors
    /// If the text is no path.
    pub fn ensuring(&self, path: &str) -> Result<Self, PatternError> {
        let mut settings = (*self.0).clone();
        settings.checks.ensure(path, Presence::Meaningful)?;
        Ok(Self(Arc::new(settings)))
    }

    /// The wire format; never [`Format::Auto`].
    #[must_use]
    pub fn format(&self) -> Format {
        self.0.format
    }

    /// The schema, if there is one.
    #[must_use]
    pub fn schema(&self) -> Option<&Schema> {
        self.0.json.schema.as_ref()
    }
}

impl From<&Self> for Spec {
    fn from(spec: &Self) -> Self {
        spec.clone()
    }
}

/// Two specs are the same if they are one, or a clone of one: their parsers' states compare.
impl PartialEq for Spec {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Settings that contradict one another.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// Strict input is one text of the format and has no elements.
    #[error("strict reading takes no tag set: leave one of the two out")]
    StrictWithTags,
    /// The stream is to begin inside an element of a family that is not in the set.
    #[error("no family of the tag set is called `{0}`")]
    UnknownFamily(String),
    /// A path that is wanted is none.
    #[error("`{path}` is {source}")]
    Path {
        /// As it was given.
        path: String,
        /// What is wrong with it.
        source: PatternError,
    },
}

/// Builds a [`Spec`]. Every setting has a default, which its method names.
///
/// A builder is a value that can be kept and cloned, and [`or`](Self::or) completes one builder with another.
/// So settings come in levels without any global state: the application holds its defaults, a client holds
/// its own, and a request overrides both.
///
/// ```
/// use patchwire::{Format, Spec, schema::{object, str}};
///
/// let application = Spec::builder().format(Format::Auto).without_raw();
/// let client = Spec::builder().format(Format::Hybrid);
/// let request = Spec::builder().schema(object().field("title", str("one line")));
///
/// let spec = request.clone().or(&client).or(&application).build()?;
/// assert_eq!(spec.format(), Format::Hybrid);
/// let spec = request.format(Format::Json).or(&client).or(&application).build()?;
/// assert_eq!(spec.format(), Format::Json);
/// # Ok::<(), patchwire::SpecError>(())
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct SpecBuilder {
    format: Option<Format>,
    root_tag: Option<String>,
    document_name: Option<String>,
    unwrap: Option<Unwrap>,
    unwrap_fields: Vec<(String, Unwrap)>,
    strictness: Option<Strictness>,
    schema: Option<Schema>,
    roots: Option<Roots>,
    tags: Option<Tags>,
    start_in: Option<String>,
    view: Option<AnswerView>,
    limits: Option<Limits>,
    caps: Option<Caps>,
    forbidden: Vec<Leniency>,
    ensures: Vec<(String, Presence)>,
    strict_shape: Option<bool>,
    drops_value: bool,
    drops_raw: bool,
    machine: Option<Box<dyn Machine>>,
}

#[derive(Debug, Clone)]
enum Tags {
    None,
    Set(TagSet),
}

impl SpecBuilder {
    /// Takes every setting that this builder does not have from `defaults`.
    ///
    /// Settings that add up are joined: fields to [unwrap](Self::unwrap_fence_of), where this builder's own
    /// come first, forbidden [leniencies](Self::forbid), and [paths](Self::ensure) that must be there.
    /// Settings without an opposite, as [`without_raw`](Self::without_raw), hold if either builder has
    /// them.
    pub fn or(self, defaults: &Self) -> Self {
        let defaults = defaults.clone();
        Self {
            format: self.format.or(defaults.format),
            root_tag: self.root_tag.or(defaults.root_tag),
            document_name: self.document_name.or(defaults.document_name),
            unwrap: self.unwrap.or(defaults.unwrap),
            // The last one of a field counts.
            unwrap_fields: [defaults.unwrap_fields, self.unwrap_fields].concat(),
            strictness: self.strictness.or(defaults.strictness),
            schema: self.schema.or(defaults.schema),
            roots: self.roots.or(defaults.roots),
            tags: self.tags.or(defaults.tags),
            start_in: self.start_in.or(defaults.start_in),
            view: self.view.or(defaults.view),
            limits: self.limits.or(defaults.limits),
            caps: self.caps.or(defaults.caps),
            forbidden: [self.forbidden, defaults.forbidden].concat(),
            ensures: [self.ensures, defaults.ensures].concat(),
            strict_shape: self.strict_shape.or(defaults.strict_shape),
            drops_value: self.drops_value || defaults.drops_value,
            drops_raw: self.drops_raw || defaults.drops_raw,
            machine: self.machine.or(defaults.machine),
        }
    }

    /// The wire format. Default: [`Format::Json`]. [`Format::Auto`] is decided when the spec is built.
    pub fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// The name of the tag round the fields of [`Format::XmlField`]; `agently_output` if not said.
    pub fn root_tag(mut self, name: impl Into<String>) -> Self {
        self.root_tag = Some(name.into());
        self
    }

    /// The name in the markers round a [`Format::YamlLiteral`] document, `<<<BEGIN name>>>` and
    /// `<<<END name>>>`; `AGENTLY_YAML` if not said.
    pub fn document_name(mut self, name: impl Into<String>) -> Self {
        self.document_name = Some(name.into());
        self
    }

    /// Whether text fields are taken out of a fence round their whole value; never if not said.
    pub fn unwrap_fences(mut self, unwrap: Unwrap) -> Self {
        self.unwrap = Some(unwrap);
        self
    }

    /// Whether one text field, by its name, is taken out of a fence around its whole value.
    pub fn unwrap_fence_of(mut self, field: impl Into<String>, unwrap: Unwrap) -> Self {
        self.unwrap_fields.push((field.into(), unwrap));
        self
    }

    /// How much is forgiven; lenient if not said.
    pub fn strictness(mut self, strictness: Strictness) -> Self {
        self.strictness = Some(strictness);
        self
    }

    /// What the payload should look like.
    pub fn schema(mut self, schema: impl Into<Schema>) -> Self {
        self.schema = Some(schema.into());
        self
    }

    /// Which root is the payload, where there is more than one.
    pub fn roots(mut self, roots: Roots) -> Self {
        self.roots = Some(roots);
        self
    }

    /// The elements to look for. If not said: [`TagSet::think`], and none in strict reading.
    pub fn tags(mut self, tags: TagSet) -> Self {
        self.tags = Some(Tags::Set(tags));
        self
    }

    /// No elements at all: `<think>` is text.
    pub fn without_tags(mut self) -> Self {
        self.tags = Some(Tags::None);
        self
    }

    /// The prompt ended with the opener of this family: the stream begins inside such an element.
    pub fn start_in(mut self, family: impl Into<String>) -> Self {
        self.start_in = Some(family.into());
        self
    }

    /// Which of several elements whose channel is the answer counts; all, joined, if not said.
    pub fn view(mut self, view: AnswerView) -> Self {
        self.view = Some(view);
        self
    }

    /// The bounds.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// One slip that lenient reading is not to forgive.
    pub fn forbid(mut self, leniency: Leniency) -> Self {
        self.forbidden.push(leniency);
        self
    }

    /// A path that has to be there and to say something, beside those the schema wants: not null,
    /// blank text or an empty list. `items[*].sku` wants that of each item, and one item at least.
    /// See [`Answer::failures`](crate::Answer::failures).
    pub fn ensure(mut self, path: impl Into<String>) -> Self {
        self.ensures.push((path.into(), Presence::Meaningful));
        self
    }

    /// A path that has to be there, whatever its value.
    pub fn ensure_present(mut self, path: impl Into<String>) -> Self {
        self.ensures.push((path.into(), Presence::Present));
        self
    }

    /// Whether the value has to be of exactly the schema's shape: its types, what it requires, and no
    /// member that it does not declare. Not if not said.
    pub const fn strict_shape(mut self, strict: bool) -> Self {
        self.strict_shape = Some(strict);
        self
    }

    /// Leaves every value the type it was written as, whatever the schema wants: forbids
    /// [`Leniency::ALIGNMENT`].
    pub fn without_alignment(mut self) -> Self {
        self.forbidden.extend(Leniency::ALIGNMENT);
        self
    }

    /// Keeps no value: patches have paths and deltas, and scalars theirs, but there is no document
    /// to read, no answer's value, and no correction at the end.
    pub fn without_value(mut self) -> Self {
        self.drops_value = true;
        self
    }

    /// Keeps no raw text. The finalizer then cannot read a better candidate, a lone scalar or what
    /// follows a closer that came too early.
    pub fn without_raw(mut self) -> Self {
        self.drops_raw = true;
        self
    }

    /// Other bounds of what is held back undecided: for tests that have to reach them.
    #[doc(hidden)]
    pub fn caps(mut self, caps: Caps) -> Self {
        self.caps = Some(caps);
        self
    }

    /// A format from outside the engine.
    #[doc(hidden)]
    pub fn machine(mut self, machine: Box<dyn Machine>) -> Self {
        self.machine = Some(machine);
        self
    }

    /// The spec.
    ///
    /// # Errors
    /// If settings contradict one another.
    pub fn build(self) -> Result<Spec, SpecError> {
        let mut checks = Checks::new(self.strict_shape.unwrap_or_default());
        for (path, presence) in &self.ensures {
            let wanted = checks.ensure(path, *presence);
            wanted.map_err(|source| SpecError::Path { path: path.clone(), source })?;
        }
        if !self.is_lenient() && matches!(self.tags, Some(Tags::Set(_))) {
            return Err(SpecError::StrictWithTags);
        }
        if let Some(name) = &self.start_in
            && self.start_family().is_none()
        {
            return Err(SpecError::UnknownFamily(name.clone()));
        }
        Ok(self.finish(checks))
    }

    fn is_lenient(&self) -> bool {
        self.strictness.unwrap_or_default() == Strictness::Lenient
    }

    /// The number of the family in which the stream begins.
    fn start_family(&self) -> Option<u16> {
        let number = |tags: &TagSet| tags.number(self.start_in.as_deref()?);
        match &self.tags {
            None if self.is_lenient() => number(&TagSet::think()),
            Some(Tags::Set(tags)) => number(tags),
            None | Some(Tags::None) => None,
        }
    }

    pub(crate) fn finish(self, checks: Checks) -> Spec {
        let lenient = self.is_lenient();
        let all = if lenient { Leniencies::ALL } else { Leniencies::NONE };
        let rules = self.forbidden.iter().fold(all, |rules, slip| rules.without(*slip));
        let start_in = self.start_family();
        let format = self.format.unwrap_or_default().under(self.schema.as_ref());
        let tags = match self.tags {
            None => lenient.then(TagSet::think),
            Some(Tags::None) => None,
            Some(Tags::Set(tags)) => Some(tags),
        };
        let standard = FieldOptions::default();
        let fields = FieldOptions {
            root_tag: self.root_tag.unwrap_or(standard.root_tag),
            document: self.document_name.unwrap_or(standard.document),
            unwraps: Unwraps { all: self.unwrap.unwrap_or_default(), fields: self.unwrap_fields },
        };
        Spec(Arc::new(Settings {
            json: JsonOptions {
                rules,
                roots: self.roots.unwrap_or_default(),
                schema: self.schema,
                limits: self.limits.unwrap_or_default(),
                caps: self.caps.unwrap_or(Caps::STANDARD),
                strict: !lenient,
            },
            format,
            fields,
            strictness: self.strictness.unwrap_or_default(),
            checks,
            start_in,
            view: self.view.unwrap_or_default(),
            bare_from: None,
            tags,
            keep_value: !self.drops_value,
            keep_raw: !self.drops_raw,
            seed: Seed::default(),
            machine: self.machine,
        }))
    }
}
