//! The options for how the bytes are read.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use patchwire::schema::Presence;
use patchwire::{Format, Leniency, Limit, Pattern};

use super::choices::{Roots, SchemaForm, Strictness, View};
use super::formats;
use super::tags::{Tags, TagsParser};

/// What the answer should be: its format and its value.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ExpectedArgs {
    /// The format that the model was asked for [default: json; text if the tags mark the answer and
    /// there is no schema]
    #[arg(long, value_parser = formats::format(), value_name = "NAME")]
    pub(crate) format: Option<Format>,
    /// The schema of the value: JSON Schema or the output DSL, in JSON or YAML
    #[arg(long, value_name = "FILE", long_help = SCHEMA)]
    pub(crate) schema: Option<PathBuf>,
    /// The language of the schema
    #[arg(long, value_enum, default_value_t, value_name = "FORM", requires = "schema")]
    pub(crate) schema_form: SchemaForm,
    /// The tag round the fields of xml_field [default: answer_fields]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) root_tag: Option<String>,
    /// The name in the markers round `yaml_literal`.
    #[arg(help = "The name in <<<BEGIN NAME>>> of yaml_literal [default: ANSWER_YAML]")]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) document_name: Option<String>,
}

/// The options for how the bytes are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadingArgs {
    #[command(flatten)]
    pub(crate) expected: ExpectedArgs,
    /// Tags to look for around the value (repeatable) [default: think, none if strict]
    #[arg(long, value_name = "NAME|FILE", value_parser = TagsParser, hide_possible_values = true)]
    #[arg(long_help = tags_help())]
    pub(crate) tags: Vec<Tags>,
    /// The tag whose opener ended the prompt: the stream begins inside that element
    #[arg(long, value_name = "FAMILY")]
    pub(crate) start_in: Option<String>,
    /// The tools of the request, as JSON: calls that the model wrote as text get the types of their
    /// schemas
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,
    /// Which element counts, if several hold the answer
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub(crate) view: View,
    /// How much is forgiven
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    pub(crate) strictness: Strictness,
    /// A kind of error not to forgive (repeatable; `--help` lists them)
    #[arg(long, value_name = "SLIP", value_parser = leniencies(), hide_possible_values = true)]
    #[arg(long_help = forbid_help())]
    pub(crate) forbid: Vec<Leniency>,
    /// Which value is the answer, if there are several
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub(crate) roots: Roots,
    /// Change a limit: depth, key, number, held, deferred, aliases, total, nodes, fields, repair, notices,
    /// schema, paths, path_bytes, calls, kept
    /// (repeatable)
    #[arg(long, value_name = "NAME=N", value_parser = limit)]
    pub(crate) limit: Vec<(Limit, u64)>,
}

/// The options for checks of the value.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Checking")]
pub(crate) struct CheckingArgs {
    /// A path that must exist and hold content, or with `=present` only exist (repeatable)
    #[arg(long, value_name = "PATH[=present]", value_parser = ensure, long_help = ENSURE)]
    pub(crate) ensure: Vec<Ensure>,
    /// Accept only values that are valid against the schema
    #[arg(long, requires = "schema")]
    pub(crate) valid: bool,
    /// Accept only values of the schema's exact shape: valid ones, with no keys but those it declares or
    /// allows
    #[arg(long, alias = "strict", requires = "schema")]
    pub(crate) exact: bool,
}

/// A path, and whether it needs content.
#[derive(Debug, Clone)]
pub(crate) struct Ensure {
    pub(crate) path: String,
    pub(crate) presence: Presence,
}

const ENSURE: &str = "\
A path that must exist and hold content, or with `=present` only exist (repeatable)

Null, whitespace and an empty list are no content. `items[*].sku` requires content in each item, and \
at least one item. Required fields of the schema are checked anyway. Failed checks are named on \
stderr, and the exit status is 1";

fn ensure(text: &str) -> Result<Ensure, String> {
    let (path, presence) = match text.strip_suffix("=present") {
        Some(path) => (path, Presence::Present),
        None => (text.strip_suffix("=meaningful").unwrap_or(text), Presence::Meaningful),
    };
    path.parse::<Pattern>().map_err(|error| error.to_string())?;
    Ok(Ensure { path: path.to_owned(), presence })
}

const SCHEMA: &str = "\
The schema of the value: JSON Schema or the output DSL, in JSON or YAML

A file with `$schema` or `$ref`, with `type` and `properties` in the form of JSON Schema, or with only \
keywords of JSON Schema is read as JSON Schema. Any other file is read as the output DSL, which looks \
like the value: {\"title\": [\"str\", \"one line\", true], \"steps\": [{\"do\": \"str\"}]}

A leaf is a type, or [type, description, required], or {$type, $desc, $ensure}; a list is \
[prototype]. If the guess is wrong, set `--schema-form`";

fn name(text: &str) -> Result<String, &'static str> {
    let is_letter = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | ':');
    match text {
        "" => Err("write a name"),
        _ if text.chars().all(is_letter) => Ok(text.to_owned()),
        _ => Err("write it with letters, digits, `_`, `-`, `.` and `:` only, and no brackets"),
    }
}

fn tags_help() -> String {
    format!(
        "Tags to look for around the value (repeatable; several are merged)\n\nA name: {}; \
         or a file with a tag set, ending in .toml or .json\n\n[default: think, none if strict]",
        Tags::names().join(", ")
    )
}

fn forbid_help() -> String {
    let names = Leniency::ALL.map(Leniency::name).join(", ");
    format!("A kind of error not to forgive (repeatable): {names}")
}

fn leniencies() -> impl clap::builder::TypedValueParser<Value = Leniency> {
    let names = PossibleValuesParser::new(Leniency::ALL.map(Leniency::name));
    names.try_map(|name| {
        let mut all = Leniency::ALL.into_iter();
        all.find(|leniency| leniency.name() == name).ok_or("no such leniency")
    })
}

fn limit(text: &str) -> Result<(Limit, u64), String> {
    let (name, number) = text.split_once('=').ok_or("write it as NAME=N, such as depth=512")?;
    let limit = name.parse::<Limit>().map_err(|error| error.to_string())?;
    let number = number.parse().map_err(|error: std::num::ParseIntError| match error.kind() {
        std::num::IntErrorKind::PosOverflow => format!("`{number}` is more than {}", u64::MAX),
        _ => format!("`{number}` is not a whole number"),
    })?;
    Ok((limit, number))
}
