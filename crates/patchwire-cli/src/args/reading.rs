//! How the bytes are read.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use patchwire::{Leniency, Limit};

use super::choices::{Format, Roots, Strictness, View};
use super::tags::{Tags, TagsParser};

/// How the bytes are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadingArgs {
    /// What the model was asked to write [default: json; text where the tags mark the answer and
    /// there is no schema]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) format: Option<Format>,
    /// A JSON Schema of the value
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Elements to look for around the value (repeatable) [default: think, none if strict]
    #[arg(long, value_name = "NAME|FILE", value_parser = TagsParser, hide_possible_values = true)]
    #[arg(long_help = tags_help())]
    pub(crate) tags: Vec<Tags>,
    /// The tag whose opener ended the prompt: the stream begins inside that element
    #[arg(long, value_name = "FAMILY")]
    pub(crate) start_in: Option<String>,
    /// Which of several elements that are the answer counts
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub(crate) view: View,
    /// How much is forgiven
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    pub(crate) strictness: Strictness,
    /// A slip that is not to be forgiven (repeatable; `--help` lists them)
    #[arg(long, value_name = "SLIP", value_parser = leniencies(), hide_possible_values = true)]
    #[arg(long_help = forbid_help())]
    pub(crate) forbid: Vec<Leniency>,
    /// Which value is the answer, where there are several
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub(crate) roots: Roots,
    /// Change a limit: depth, key, number, held, total, nodes, fields, notices (repeatable)
    #[arg(long, value_name = "NAME=N", value_parser = limit)]
    pub(crate) limit: Vec<(Limit, u64)>,
}

fn tags_help() -> String {
    format!(
        "Elements to look for around the value (repeatable; several are merged)\n\nA name: {}. Or \
         a file with a tag set, if it ends in .toml or .json\n\n[default: think, none if strict]",
        Tags::names().join(", ")
    )
}

fn forbid_help() -> String {
    let names = Leniency::ALL.map(Leniency::name).join(", ");
    format!("A slip that is not to be forgiven (repeatable). Known are {names}")
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
    let number = number.parse().map_err(|_| format!("`{number}` is not a whole number"))?;
    Ok((limit, number))
}
