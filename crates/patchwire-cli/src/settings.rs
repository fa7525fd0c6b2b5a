//! From the command line to a spec.

use std::io;
use std::path::Path;

use patchwire::{Limits, Schema, SchemaError, Spec, SpecError, TagSet};

use crate::args::{Format, ReadingArgs, Roots, Strictness, Tags, Values};
use crate::output;

/// Settings that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingsError {
    #[error("cannot read the schema {name}: {error}")]
    SchemaFile { name: String, error: io::Error },
    #[error("the schema {name} cannot be used: {error}")]
    Schema { name: String, error: SchemaError },
    #[error(transparent)]
    Contradiction(#[from] SpecError),
}

/// How streams are read.
pub(crate) struct Settings {
    pub(crate) spec: Spec,
    pub(crate) limits: Limits,
    pub(crate) strictness: Strictness,
}

/// What a command without options reads with.
impl Default for Settings {
    fn default() -> Self {
        let (limits, strictness) = (Limits::default(), Strictness::default());
        Self { spec: Spec::json(), limits, strictness }
    }
}

impl Settings {
    /// What the options say. Parts of a schema that are not used are noted on stderr.
    pub(crate) fn new(args: &ReadingArgs) -> Result<Self, SettingsError> {
        let limits = args
            .limit
            .iter()
            .fold(Limits::default(), |limits, (limit, value)| limits.with(*limit, *value));
        let mut builder = Spec::builder()
            .format(args.format.into())
            .strictness(args.strictness.into())
            .roots(args.roots.into())
            .limits(limits.clone());
        for leniency in &args.forbid {
            builder = builder.forbid(*leniency);
        }
        builder = match args.tags {
            None => builder,
            Some(Tags::Think) => builder.tags(TagSet::think()),
            Some(Tags::None) => builder.without_tags(),
        };
        if let Some(file) = &args.schema {
            builder = builder.schema(read_schema(file)?);
        }
        Ok(Self { spec: builder.build()?, limits, strictness: args.strictness })
    }
}

fn read_schema(file: &Path) -> Result<Schema, SettingsError> {
    let name = file.display().to_string();
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return Err(SettingsError::SchemaFile { name, error }),
    };
    match Schema::from_json_schema_text(&text) {
        Ok(schema) => {
            note_unsupported(&name, &schema);
            Ok(schema)
        }
        Err(error) => Err(SettingsError::Schema { name, error }),
    }
}

/// Most keywords that are named in a note.
const NAMED: usize = 4;

fn note_unsupported(name: &str, schema: &Schema) {
    let unsupported = schema.unsupported();
    if unsupported.is_empty() {
        return;
    }
    let named: Vec<String> = unsupported.iter().take(NAMED).map(ToString::to_string).collect();
    let more = match unsupported.len() - named.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    output::note(&format_args!("{name}: passed over {}{more}", named.join(", ")));
}

impl From<Format> for patchwire::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Json => Self::Json,
        }
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

impl From<Roots> for patchwire::Roots {
    fn from(roots: Roots) -> Self {
        match roots {
            Roots::Best => Self::Best,
            Roots::First => Self::First,
            Roots::Last => Self::Last,
            Roots::Concatenated => Self::Concatenated,
        }
    }
}

impl From<Values> for patchwire::Values {
    fn from(values: Values) -> Self {
        match values {
            Values::Leaf => Self::Leaf,
            Values::Done => Self::Done,
            Values::All => Self::All,
        }
    }
}
