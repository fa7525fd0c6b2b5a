//! The settings of a stream: compiled once, cheap to clone.

mod bounds;
mod error;

use std::collections::HashMap;
use std::sync::Arc;

use crate::caps::Caps;
use crate::check::Checks;
use crate::document::ValueKind;
use crate::fold::Seed;
pub use crate::format::Format;
pub use crate::format::fields::Unwrap;
pub use crate::format::fields::{AGENTLY_DOCUMENT_NAME, AGENTLY_ROOT_TAG, DOCUMENT_NAME, ROOT_TAG};
use crate::format::fields::{EnvelopeName, FieldOptions, Unwraps};
use crate::format::json::JsonOptions;
pub use crate::format::json::Roots;
pub use crate::format::row::FormatSample;
use crate::format::row::{FormatOptions, FormatRow, UntidyReading};
use crate::format::{FormatMachine, Machine, STANDARD};
use crate::leniency::{Leniencies, Leniency};
use crate::limits::Limits;
use crate::schema::{Presence, Schema};
use crate::tags::TagSet;
use bounds::NeededPath;
pub use error::SpecError;

/// How strictly the input is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Strictness {
    /// The whole input must be one text of the format.
    Strict,
    /// Prose and fences around the payload, and the slips of [`Leniency`], are accepted. Slips are noted.
    #[default]
    Lenient,
}

/// Which answer element is the answer, if there are several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum AnswerView {
    /// All of them, joined.
    #[default]
    Concat,
    /// The first.
    First,
    /// The last.
    Last,
    /// The first that its closer marker closed, or else the last.
    FirstClosedElseLast,
}

/// The settings of a stream. Cloning copies a pointer.
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
    /// The format's row in the table.
    pub(crate) row: &'static dyn FormatRow,
    /// Whether no payload is looked for: the whole answer is text.
    pub(crate) is_text: bool,
    pub(crate) fields: FieldOptions,
    pub(crate) strictness: Strictness,
    pub(crate) checks: Checks,
    /// The family of the element that the stream begins in.
    pub(crate) start_in: Option<u16>,
    pub(crate) view: AnswerView,
    /// For a second reading: from this offset on nothing hides markers.
    pub(crate) bare_from: Option<u64>,
    pub(crate) tags: Option<TagSet>,
    pub(crate) keep_value: bool,
    pub(crate) keep_raw: bool,
    pub(crate) seed: Seed,
    pub(crate) machine: Option<Box<dyn Machine>>,
    /// The schemas of the arguments of tools, by the names of the tools.
    pub(crate) tools: Arc<HashMap<String, Schema>>,
}

impl Settings {
    /// What shapes the machine of the format.
    pub(crate) const fn format_options(&self) -> FormatOptions<'_> {
        FormatOptions { json: &self.json, fields: &self.fields }
    }

    /// The machine of the format, before the first byte.
    pub(crate) fn new_machine(&self) -> FormatMachine {
        self.row.machine(&self.format_options()).0
    }

    /// The settings without the schema, for a part of the payload.
    pub(crate) fn without_schema(&self) -> Self {
        let json = JsonOptions { schema: None, ..self.json.clone() };
        Self { json, ..self.clone() }
    }
}

impl Spec {
    /// Starts a builder with default settings.
    pub fn builder() -> SpecBuilder {
        SpecBuilder::default()
    }

    /// Lenient JSON without a schema.
    #[must_use]
    pub fn json() -> Self {
        Self::builder().format(Format::Json).finish(Checks::default())
    }

    /// Strict JSON without a schema: RFC 8259 only.
    #[must_use]
    pub fn strict_json() -> Self {
        let strict = Self::builder().format(Format::Json).strictness(Strictness::Strict);
        strict.finish(Checks::default())
    }

    /// The spec for a second reading, in which nothing hides markers from `offset` on.
    pub(crate) fn bare_from(&self, offset: u64) -> Self {
        Self(Arc::new(Settings { bare_from: Some(offset), ..(*self.0).clone() }))
    }

    /// The spec for a second reading with another tag set.
    pub(crate) fn with_tags(&self, tags: TagSet) -> Self {
        Self(Arc::new(Settings { tags: Some(tags), ..(*self.0).clone() }))
    }

    /// A copy of this spec with one more path for [`SpecBuilder::ensure`], for paths that only the request
    /// knows.
    ///
    /// # Errors
    /// If the text is no path, or if there are too many paths: see [`Limit::Paths`](crate::Limit::Paths).
    pub fn ensure(&self, path: &str) -> Result<Self, SpecError> {
        self.ensure_all([path])
    }

    /// A copy of this spec with more paths for [`SpecBuilder::ensure`], in one step.
    ///
    /// # Errors
    /// The errors of [`ensure`](Self::ensure).
    pub fn ensure_all<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p str>,
    ) -> Result<Self, SpecError> {
        let mut settings = (*self.0).clone();
        let presence = Presence::Meaningful;
        let paths = paths.into_iter().map(|path| NeededPath { path, presence });
        settings.checks = bounds::ensured(settings.checks, paths, &settings.json.limits)?;
        Ok(Self(Arc::new(settings)))
    }

    /// A copy of this spec that searches for no better reading at the end, for tests that read millions of
    /// texts and look only at what the stream emits.
    #[cfg(feature = "_internals")]
    #[doc(hidden)]
    #[must_use]
    pub fn without_repair(&self) -> Self {
        let mut settings = (*self.0).clone();
        settings.json.limits = settings.json.limits.with(crate::limits::Limit::Repair, 0);
        Self(Arc::new(settings))
    }

    /// A copy of this spec with another schema. The format stays.
    #[must_use]
    pub fn with_schema(&self, schema: impl Into<Schema>) -> Self {
        let json = JsonOptions { schema: Some(schema.into()), ..self.0.json.clone() };
        Self(Arc::new(Settings { json, ..(*self.0).clone() }))
    }

    /// The schema of the arguments of a tool, as [`SpecBuilder::tool`] declared it.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Schema> {
        self.0.tools.get(name)
    }

    /// The bounds of the stream.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.json.limits
    }

    /// The payload format; never [`Format::Auto`].
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

/// Two specs are equal if one is a clone of the other. Parsers compare their specs this way.
impl PartialEq for Spec {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Builds a [`Spec`]. Every setting has a default, which its method documents.
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
    valid: Option<bool>,
    strict_shape: Option<bool>,
    drops_value: bool,
    drops_raw: bool,
    machine: Option<Box<dyn Machine>>,
    row: Option<&'static dyn FormatRow>,
    tools: Vec<(String, Schema)>,
}

#[derive(Debug, Clone)]
enum Tags {
    None,
    Set(TagSet),
}

impl SpecBuilder {
    /// Takes every setting that this builder does not have from `defaults`.
    ///
    /// Settings that accumulate are joined: fields to [unwrap](Self::unwrap_fence_of), where this builder's
    /// own take precedence, forbidden [leniencies](Self::forbid), and [paths](Self::ensure) to check. A
    /// setting without an opposite, such as [`without_raw`](Self::without_raw), is on if either builder
    /// sets it.
    pub fn or(self, defaults: &Self) -> Self {
        let defaults = defaults.clone();
        Self {
            format: self.format.or(defaults.format),
            root_tag: self.root_tag.or(defaults.root_tag),
            document_name: self.document_name.or(defaults.document_name),
            unwrap: self.unwrap.or(defaults.unwrap),
            // If a field occurs twice, the last entry counts.
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
            valid: self.valid.or(defaults.valid),
            strict_shape: self.strict_shape.or(defaults.strict_shape),
            drops_value: self.drops_value || defaults.drops_value,
            drops_raw: self.drops_raw || defaults.drops_raw,
            machine: self.machine.or(defaults.machine),
            row: self.row.or(defaults.row),
            tools: [self.tools, defaults.tools].concat(),
        }
    }

    /// The payload format. Default: [`Format::Json`]. Building the spec resolves [`Format::Auto`].
    pub fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// The name of the tag around the fields of [`Format::XmlField`]. Default: [`ROOT_TAG`], and
    /// [`AGENTLY_ROOT_TAG`] is read as well.
    pub fn root_tag(mut self, name: impl Into<String>) -> Self {
        self.root_tag = Some(name.into());
        self
    }

    /// The name in the markers around a [`Format::YamlLiteral`] document, `<<<BEGIN name>>>` and
    /// `<<<END name>>>`. Default: [`DOCUMENT_NAME`], and [`AGENTLY_DOCUMENT_NAME`] is read as well.
    pub fn document_name(mut self, name: impl Into<String>) -> Self {
        self.document_name = Some(name.into());
        self
    }

    /// Whether a fence around the whole value of a text field is removed. Default: never.
    pub fn unwrap_fences(mut self, unwrap: Unwrap) -> Self {
        self.unwrap = Some(unwrap);
        self
    }

    /// Whether a fence around the whole value of one text field is removed. Overrides
    /// [`unwrap_fences`](Self::unwrap_fences) for that field.
    pub fn unwrap_fence_of(mut self, field: impl Into<String>, unwrap: Unwrap) -> Self {
        self.unwrap_fields.push((field.into(), unwrap));
        self
    }

    /// Declares the arguments of a tool. [`Answer::calls`](crate::Answer::calls) then gives them the types of the
    /// schema, which most ways of writing calls do not show: `<parameter=days>3</parameter>` is the number 3 if the
    /// schema says so. Each call adds a tool; of one name the first counts.
    pub fn tool(mut self, name: impl Into<String>, arguments: impl Into<Schema>) -> Self {
        self.tools.push((name.into(), arguments.into()));
        self
    }

    /// How strictly the input is read. Default: lenient.
    pub fn strictness(mut self, strictness: Strictness) -> Self {
        self.strictness = Some(strictness);
        self
    }

    /// The expected shape of the payload. Default: any.
    pub fn schema(mut self, schema: impl Into<Schema>) -> Self {
        self.schema = Some(schema.into());
        self
    }

    /// Which root is the payload, if there are several. Default: [`Roots::Best`].
    pub fn roots(mut self, roots: Roots) -> Self {
        self.roots = Some(roots);
        self
    }

    /// The elements to look for. Default: [`TagSet::think`], and none in strict reading.
    pub fn tags(mut self, tags: TagSet) -> Self {
        self.tags = Some(Tags::Set(tags));
        self
    }

    /// Looks for no elements: `<think>` is text.
    pub fn without_tags(mut self) -> Self {
        self.tags = Some(Tags::None);
        self
    }

    /// Begins the stream inside an element of this family, because the prompt ended with its opener.
    pub fn start_in(mut self, family: impl Into<String>) -> Self {
        self.start_in = Some(family.into());
        self
    }

    /// Which elements of the answer channel are the answer. Default: all, joined.
    pub fn view(mut self, view: AnswerView) -> Self {
        self.view = Some(view);
        self
    }

    /// The bounds of the stream. Default: those of [`Limits::default`].
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Forbids a slip that lenient reading would forgive.
    pub fn forbid(mut self, leniency: Leniency) -> Self {
        self.forbidden.push(leniency);
        self
    }

    /// Requires a path to exist and to be meaningful (not null, blank or an empty list), in addition to the
    /// paths that the schema requires. `items[*].sku` requires at least one item, and a meaningful `sku` in
    /// each. See [`Answer::failures`](crate::Answer::failures).
    pub fn ensure(mut self, path: impl Into<String>) -> Self {
        self.ensures.push((path.into(), Presence::Meaningful));
        self
    }

    /// Requires a path to exist, with any value.
    pub fn ensure_present(mut self, path: impl Into<String>) -> Self {
        self.ensures.push((path.into(), Presence::Present));
        self
    }

    /// Whether the value must be valid against its schema. Default: false.
    ///
    /// With the feature `validate`, a schema read from JSON Schema judges the finished value by all of its
    /// keywords. Without it, and for other schemas, types and required members are checked, and members that
    /// the schema forbids.
    ///
    /// ```
    /// # #[cfg(feature = "validate")] {
    /// use patchwire::{Schema, Spec};
    ///
    /// let schema = Schema::from_text(r#"{"type": "array", "items": {"minimum": 3}, "uniqueItems": true}"#)?;
    /// let spec = Spec::builder().schema(schema).valid(true).build()?;
    /// let answer = spec.parse("[4, 2]")?;
    /// assert_eq!(answer.failures()[0].to_string(), "[1] should be at least 3");
    /// assert_eq!(answer.failures()[0].keyword.as_deref(), Some("minimum"));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn valid(mut self, valid: bool) -> Self {
        self.valid = Some(valid);
        self
    }

    /// Whether the value must have exactly the schema's shape: it is [valid](Self::valid), and has no members
    /// beside those that the schema declares or explicitly allows. Default: false.
    pub const fn strict_shape(mut self, strict: bool) -> Self {
        self.strict_shape = Some(strict);
        self
    }

    /// Keeps the type in which each value was written, whatever the schema wants: forbids
    /// [`Leniency::ALIGNMENT`].
    pub fn without_alignment(mut self) -> Self {
        self.forbidden.extend(Leniency::ALIGNMENT);
        self
    }

    /// Keeps no values. Patches have paths, deltas and scalars, but there is no document to read, no value
    /// of the answer, and no correction at the end.
    pub fn without_value(mut self) -> Self {
        self.drops_value = true;
        self
    }

    /// Keeps no raw text. The finalizer then cannot read a better candidate, a lone scalar, or text after a
    /// closer that came too early.
    pub fn without_raw(mut self) -> Self {
        self.drops_raw = true;
        self
    }

    /// Sets bounds of look-ahead, for tests that have to reach them.
    #[doc(hidden)]
    pub fn caps(mut self, caps: Caps) -> Self {
        self.caps = Some(caps);
        self
    }

    /// Sets a format machine from outside the engine.
    #[doc(hidden)]
    pub fn machine(mut self, machine: Box<dyn Machine>) -> Self {
        self.machine = Some(machine);
        self
    }

    /// Sets a format from outside the engine. [`Spec::format`] does not name it.
    #[doc(hidden)]
    pub fn format_row(mut self, row: &'static dyn FormatRow) -> Self {
        self.row = Some(row);
        self
    }

    /// The spec.
    ///
    /// # Errors
    /// If settings contradict each other, or are larger than their limits allow.
    pub fn build(self) -> Result<Spec, SpecError> {
        let exact = self.strict_shape.unwrap_or_default();
        let checks = Checks::new(exact || self.valid.unwrap_or_default(), exact);
        let limits = self.limits.clone().unwrap_or_default();
        bounds::schema(self.schema.as_ref(), &limits)?;
        let paths = self.ensures.iter();
        let paths = paths.map(|(path, presence)| NeededPath { path, presence: *presence });
        let checks = bounds::ensured(checks, paths, &limits)?;
        if !self.is_lenient() && matches!(self.tags, Some(Tags::Set(_))) {
            return Err(SpecError::StrictWithTags);
        }
        if let Some(name) = &self.start_in
            && self.start_family().is_none()
        {
            return Err(SpecError::UnknownFamily(name.clone()));
        }
        self.check_root()?;
        #[cfg(feature = "validate")]
        if let Some(text) = self.schema.as_ref().and_then(Schema::text).filter(|_| checks.valid()) {
            text.compile().map_err(|reason| SpecError::InvalidSchema(reason.to_owned()))?;
        }
        Ok(self.finish(checks))
    }

    /// Fails if the format has fields and the schema has none to write.
    fn check_root(&self) -> Result<(), SpecError> {
        let format = self.format.unwrap_or_default().under(self.schema.as_ref());
        let row = self.row.or_else(|| format.row()).unwrap_or(STANDARD);
        let has_fields =
            matches!(row.untidy_reading(), UntidyReading::Sections | UntidyReading::Tags);
        let is_object = |schema: &Schema| schema.matches_kind(schema.root(), ValueKind::Object);
        match &self.schema {
            Some(schema) if has_fields && !is_object(schema) => {
                Err(SpecError::RootIsNoObject(format))
            }
            _ => Ok(()),
        }
    }

    fn is_lenient(&self) -> bool {
        self.strictness.unwrap_or_default() == Strictness::Lenient
    }

    /// The number of the family that the stream begins in.
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
        let row = self.row.or_else(|| format.row()).unwrap_or(STANDARD);
        let tags = match self.tags {
            None => lenient.then(TagSet::think),
            Some(Tags::None) => None,
            Some(Tags::Set(tags)) => Some(tags),
        };
        let standard = FieldOptions::default();
        let fields = FieldOptions {
            root_tag: self.root_tag.map_or(standard.root_tag, EnvelopeName::only),
            document: self.document_name.map_or(standard.document, EnvelopeName::only),
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
            is_text: self.machine.is_none() && !row.has_payload(),
            row,
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
            tools: Arc::new(bounds::by_name(self.tools)),
        }))
    }
}
