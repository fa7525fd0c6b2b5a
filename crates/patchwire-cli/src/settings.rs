//! Builds a spec from the command line.

use std::io;
use std::path::Path;

use patchwire::schema::Presence;
use patchwire::{Format, Limits, Schema, Spec, SpecBuilder, SpecError, schema::SchemaError};
use patchwire_async::sources::Protocol;
use patchwire_samples::{Sample, SampleError};
use patchwire_views::kinds::KindsError;

use crate::args::{
    CheckingArgs, Ensure, ExpectedArgs, ReadingArgs, Roots, SchemaForm, Strictness, Values, View,
};
use crate::output;
use crate::tag_sets::{TagsError, Wanted};
use crate::tool_schemas::{self, ToolsError};

/// Options that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingsError {
    #[error(
        "cannot read the schema {name}: {error}; give a file with JSON Schema or the output \
         DSL, in JSON or YAML"
    )]
    SchemaFile { name: String, error: io::Error },
    #[error("a schema is the name of a file; put {name} into one")]
    SchemaText { name: String },
    #[error("the schema {name} cannot be used: {error}{guess}")]
    Schema { name: String, error: SchemaError, guess: &'static str },
    #[error(transparent)]
    Tags(#[from] TagsError),
    #[error(transparent)]
    Tools(#[from] ToolsError),
    #[error("no tag family is called `{name}`; {}", known(.families))]
    Family { name: String, families: Vec<String> },
    #[error("`--values` works with `--wire own` and `--wire sse` only; leave out one of the two")]
    Values,
    #[error(
        "`--values` cannot be used with a response body, whose events always carry the values of \
         leaves; leave it out"
    )]
    ValuesOfBody,
    #[error(
        "`{command}` cannot read a response body; record its text with `patchwire parse \
         --input {protocol} --record FILE`, and read that with `--input recording`"
    )]
    Body { command: &'static str, protocol: Protocol },
    #[error(transparent)]
    Kinds(KindsError),
    #[error(transparent)]
    Contradiction(SpecError),
    #[error(transparent)]
    Sample(#[from] SampleError),
}

/// How streams are read.
pub(crate) struct Settings {
    pub(crate) spec: Spec,
    pub(crate) limits: Limits,
    pub(crate) strictness: Strictness,
    pub(crate) format: Format,
    /// If the text has elements, they are the value: no tag family has the channel `answer`.
    pub(crate) lists_elements: bool,
    /// A schema or a required path says what the value should be.
    pub(crate) has_expectations: bool,
}

/// The settings of a command without options.
impl Default for Settings {
    fn default() -> Self {
        let (limits, strictness) = (Limits::default(), Strictness::default());
        let (spec, format) = (Spec::json(), Format::Json);
        Self { spec, limits, strictness, format, lists_elements: false, has_expectations: false }
    }
}

impl Settings {
    /// Settings from the options. A note on stderr lists the keywords of a schema that are not checked.
    pub(crate) fn new(args: &ReadingArgs) -> Result<Self, SettingsError> {
        Self::checking(args, &CheckingArgs::default())
    }

    /// Settings from the options, with checks of the value.
    pub(crate) fn checking(
        args: &ReadingArgs,
        checking: &CheckingArgs,
    ) -> Result<Self, SettingsError> {
        let limits = args
            .limit
            .iter()
            .fold(Limits::default(), |limits, (limit, value)| limits.with(*limit, *value));
        let wanted = Wanted::new(&args.tags, args.strictness)?;
        let mut builder = Spec::builder()
            .format(format(args, &wanted))
            .strictness(args.strictness.into())
            .roots(args.roots.into())
            .view(args.view.into())
            .limits(limits.clone());
        builder = builder.valid(checking.valid).strict_shape(checking.exact);
        for Ensure { path, presence } in &checking.ensure {
            builder = match presence {
                Presence::Present => builder.ensure_present(path),
                _ => builder.ensure(path),
            };
        }
        for leniency in &args.forbid {
            builder = builder.forbid(*leniency);
        }
        if let Some(file) = &args.tools {
            let tools = tool_schemas::read(file)?.into_iter();
            builder = tools.fold(builder, |builder, (name, schema)| builder.tool(name, schema));
        }
        if let Some(family) = &args.start_in {
            builder = builder.start_in(family);
        }
        builder = match &wanted {
            Wanted::Default => builder,
            Wanted::None => builder.without_tags(),
            Wanted::Set(set) => builder.tags(set.clone()),
        };
        builder = expecting(builder, &args.expected)?;
        let spec = builder.build().map_err(|error| contradiction(error, &wanted))?;
        let format = spec.format();
        let unasked = args.expected.format.is_none() && args.expected.schema.is_none();
        let has_expectations = has_expectations(&args.expected, checking);
        let lists_elements = unasked && !has_expectations && wanted.has_only_parts();
        Ok(Self {
            spec,
            limits,
            strictness: args.strictness,
            format,
            lists_elements,
            has_expectations,
        })
    }

    /// The spec for the arguments of tool calls: lenient JSON, within the same limits.
    pub(crate) fn call_spec(&self) -> Spec {
        let builder = Spec::builder().without_tags().limits(self.limits.clone());
        builder.build().unwrap_or_else(|error| unreachable!("nothing contradicts: {error}"))
    }

    /// The spec of `prompt`, which knows only the format and the schema.
    pub(crate) fn expected(args: &ExpectedArgs) -> Result<Spec, SettingsError> {
        let builder = Spec::builder().format(args.format.unwrap_or_default());
        expecting(builder, args)?.build().map_err(SettingsError::Contradiction)
    }

    /// The settings for a built-in sample.
    pub(crate) fn sample(sample: &Sample) -> Result<Self, SettingsError> {
        let spec = sample.spec()?;
        let format = spec.format();
        Ok(Self { spec, format, ..Self::default() })
    }
}

/// Whether a schema or a required path says what the value should be.
pub(crate) const fn has_expectations(expected: &ExpectedArgs, checking: &CheckingArgs) -> bool {
    expected.schema.is_some() || !checking.ensure.is_empty()
}

/// Adds the wire names and the schema.
fn expecting(mut builder: SpecBuilder, args: &ExpectedArgs) -> Result<SpecBuilder, SettingsError> {
    if let Some(name) = &args.root_tag {
        builder = builder.root_tag(name);
    }
    if let Some(name) = &args.document_name {
        builder = builder.document_name(name);
    }
    if let Some(file) = &args.schema {
        builder = builder.schema(read_schema(file, args.schema_form)?);
    }
    Ok(builder)
}

/// The format of `--format`. Without it, `text` if the tags mark the answer and there is no schema,
/// else `json`.
fn format(args: &ReadingArgs, wanted: &Wanted) -> Format {
    let is_text = args.expected.schema.is_none() && wanted.has_answer();
    args.expected.format.unwrap_or(if is_text { Format::Text } else { Format::Json })
}

fn contradiction(error: SpecError, wanted: &Wanted) -> SettingsError {
    match error {
        SpecError::UnknownFamily(name) => {
            SettingsError::Family { name, families: wanted.families() }
        }
        error => SettingsError::Contradiction(error),
    }
}

fn known(families: &[String]) -> String {
    match families {
        [] => "there are no tags".to_owned(),
        known => format!("the families are {}", known.join(", ")),
    }
}

fn read_schema(file: &Path, form: SchemaForm) -> Result<Schema, SettingsError> {
    let name = file.display().to_string();
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(_) if name.starts_with(['{', '[']) => return Err(SettingsError::SchemaText { name }),
        Err(error) => return Err(SettingsError::SchemaFile { name, error }),
    };
    let schema = match form {
        SchemaForm::Auto => Schema::from_text(&text),
        SchemaForm::JsonSchema => {
            Schema::from_text_in(patchwire::schema::SchemaForm::JsonSchema, &text)
        }
        SchemaForm::OutputDsl => {
            Schema::from_text_in(patchwire::schema::SchemaForm::OutputDsl, &text)
        }
    };
    match schema {
        Ok(schema) => {
            note_unchecked(&name, &schema);
            Ok(schema)
        }
        Err(error) => {
            let guess = if form == SchemaForm::Auto { guess(&text, &error) } else { "" };
            Err(SettingsError::Schema { name, error, guess })
        }
    }
}

/// The form in which a schema was read that cannot be used, and how to choose the other one. Empty if the text
/// is at fault and not its form.
fn guess(text: &str, error: &SchemaError) -> &'static str {
    use patchwire::schema::SchemaForm as Form;

    let [json_schema, dsl] = [Form::JsonSchema, Form::OutputDsl]
        .map(|form| Schema::from_text_in(form, text).err().is_some_and(|own| own == *error));
    match (json_schema, dsl) {
        (true, false) => {
            "; it was read as JSON Schema, whose keywords it has: `--schema-form output_dsl` reads it as the output \
             DSL"
        }
        (false, true) => {
            "; it was read as the output DSL, because it does not look like JSON Schema: `--schema-form json_schema` \
             reads it as that"
        }
        _ => "",
    }
}

/// Lists what no check uses.
fn note_unchecked(name: &str, schema: &Schema) {
    let unchecked: Vec<String> = schema.unchecked().iter().map(ToString::to_string).collect();
    if !unchecked.is_empty() {
        output::note(&format_args!("{name}: ignored {}", unchecked.join(", ")));
    }
}

impl From<Strictness> for patchwire::Strictness {
    fn from(strictness: Strictness) -> Self {
        match strictness {
            Strictness::Strict => Self::Strict,
            Strictness::Lenient => Self::Lenient,
        }
    }
}

impl From<Roots> for patchwire::spec::Roots {
    fn from(roots: Roots) -> Self {
        match roots {
            Roots::Best => Self::Best,
            Roots::First => Self::First,
            Roots::Last => Self::Last,
            Roots::Concatenated => Self::Concatenated,
        }
    }
}

impl From<Values> for patchwire::wire::IncludeValues {
    fn from(values: Values) -> Self {
        match values {
            Values::Leaf => Self::Leaf,
            Values::Done => Self::Done,
            Values::All => Self::All,
        }
    }
}

impl From<View> for patchwire::spec::AnswerView {
    fn from(view: View) -> Self {
        match view {
            View::Concat => Self::Concat,
            View::First => Self::First,
            View::Last => Self::Last,
            View::FirstClosedElseLast => Self::FirstClosedElseLast,
        }
    }
}
