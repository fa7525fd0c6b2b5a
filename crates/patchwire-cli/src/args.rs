//! What can be said on the command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, Parser, Subcommand, ValueEnum};
use patchwire::{Leniency, Limit};

use crate::cutting::Sizes;
use crate::style;

/// A model's tokens in; the fields of its answer out, each as it is being written.
#[derive(Debug, Parser)]
#[command(name = "patchwire", version, styles = style::HELP, max_term_width = 100)]
#[command(
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
#[command(after_help = help::TOP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Parse(ParseArgs),
    Final(FinalArgs),
    Check(CheckArgs),
    Demo(DemoArgs),
    Trace(TraceArgs),
    Completions(CompletionsArgs),
}

/// Print the events as they come: one JSON object a line, `final` last
///
/// What is read is fed at once, and its events are written at once: put it behind a model and see
/// the fields arrive.
#[derive(Debug, Args)]
#[command(after_help = help::PARSE)]
pub(crate) struct ParseArgs {
    /// The model's output [default: stdin]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) values: ValuesArgs,
}

/// Print only the final value, as JSON
///
/// Several streams, and several roots, are printed one a line. Where reading stops early the value
/// so far is printed, and the exit status tells.
#[derive(Debug, Args)]
#[command(after_help = help::FINAL)]
pub(crate) struct FinalArgs {
    /// The model's output [default: stdin]
    pub(crate) file: Option<PathBuf>,
    /// Print outcome, value, reasoning, text and notices, also where there is no value
    #[arg(long)]
    pub(crate) envelope: bool,
    /// Indent by two spaces
    #[arg(long)]
    pub(crate) pretty: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// Check that it makes no difference to your outputs where chunks end
///
/// Each stream is read whole and then cut: in two at every byte, byte by byte, as it was recorded,
/// and at random. The events, with neighbouring deltas joined, and the answer have to be the same
/// each time. Of long inputs not every cut in two is tried; the table says how many were.
#[derive(Debug, Args)]
#[command(after_help = help::CHECK)]
pub(crate) struct CheckArgs {
    /// Model outputs [default: stdin]
    pub(crate) files: Vec<PathBuf>,
    /// Random cuttings of each stream [default: 100, fewer for long inputs]
    #[arg(long, value_name = "N")]
    pub(crate) random: Option<u32>,
    /// Where the random numbers start; the i-th cutting is that of `--chunk-seed S+i`
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) form: FormArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// Watch an answer come in, field by field: no setup, no model
#[derive(Debug, Args)]
#[command(after_help = help::DEMO)]
pub(crate) struct DemoArgs {
    /// What the model writes
    #[arg(value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Print the events instead, one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
    /// Times as fast as 40 tokens a second; 0 for no pause. Only a terminal is made to wait
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = speed)]
    pub(crate) speed: f64,
    #[command(flatten)]
    pub(crate) values: ValuesArgs,
}

/// Show what bytes become, chunk by chunk, and why one is held back
///
/// For each chunk: the tokens the format makes of it, with the offset at which they end; the events
/// they become; and what is held back at its end, by which layer, and what would decide it.
#[derive(Debug, Args)]
#[command(after_help = help::TRACE)]
pub(crate) struct TraceArgs {
    /// The model's output [default: stdin]
    pub(crate) file: Option<PathBuf>,
    /// Print one JSON object a line: chunks, tokens, events, what is held
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// Print what lets a shell complete this command
#[derive(Debug, Args)]
#[command(after_help = help::COMPLETIONS)]
pub(crate) struct CompletionsArgs {
    /// The shell that reads it
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// What the bytes are, and how they are cut.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    #[command(flatten)]
    pub(crate) form: FormArgs,
    /// Cut the input into chunks of N bytes
    #[arg(long, value_name = "N", help_heading = "Input")]
    chunk_bytes: Option<NonZeroUsize>,
    /// Cut it at random, as tokens would; with `--chunk-bytes` into 1 to N bytes
    #[arg(long, value_name = "S", help_heading = "Input")]
    chunk_seed: Option<u64>,
}

impl InputArgs {
    pub(crate) fn sizes(&self) -> Option<Sizes> {
        Sizes::new(self.chunk_bytes, self.chunk_seed)
    }
}

#[derive(Debug, Args)]
pub(crate) struct FormArgs {
    /// What the input is
    #[arg(long, value_enum, default_value_t, value_name = "FORM", help_heading = "Input")]
    pub(crate) input: InputForm,
}

/// How the bytes are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadingArgs {
    /// What the model was asked to write
    #[arg(long, value_enum, default_value_t, value_name = "NAME")]
    pub(crate) format: Format,
    /// A JSON Schema of the value
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Elements to look for around the value [default: think, none if strict]
    #[arg(long, value_enum, value_name = "SET")]
    pub(crate) tags: Option<Tags>,
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

#[derive(Debug, Args)]
pub(crate) struct ValuesArgs {
    /// Which events repeat the value of their field
    #[arg(long, value_enum, default_value_t, value_name = "WHICH", help_heading = "Output")]
    pub(crate) values: Values,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    /// JSON
    #[default]
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum InputForm {
    /// The bytes of one stream
    #[default]
    Raw,
    /// One stream a line, fed with its own cuts: {"deltas": ["…", …]}
    Recording,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tags {
    /// `<think>` and its like: reasoning
    Think,
    /// All is text
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Strictness {
    /// The format to the letter, and nothing around it
    Strict,
    /// Prose, fences and known slips are forgiven and noted
    #[default]
    Lenient,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Roots {
    /// The one that fits best; of equals the last
    #[default]
    Best,
    /// The first
    First,
    /// The last
    Last,
    /// All of them
    Concatenated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Values {
    /// `done` of strings and scalars
    #[default]
    Leaf,
    /// Also `done` of lists and objects
    Done,
    /// Also `delta`
    All,
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

fn speed(text: &str) -> Result<f64, &'static str> {
    match text.parse() {
        Ok(speed) if (0.0..=1e6).contains(&speed) => Ok(speed),
        _ => Err("write a number from 0 to 1000000, such as 0.5"),
    }
}

/// What the help ends in. Titles are bold where clap's are.
mod help {
    pub(super) const TOP: &str = "\
\u{1b}[1mTry it:\u{1b}[0m
  patchwire demo
  echo '{\"title\": \"Hi\", \"tags\": [\"a\", \"b\"]}' | patchwire parse
  patchwire final --pretty answer.txt

\u{1b}[1mExit status:\u{1b}[0m 0 complete, 1 a check failed or strict reading found a flaw,
2 usage, 3 no value in the input, 4 a limit was reached";

    pub(super) const PARSE: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  my-model | patchwire parse
  patchwire parse answer.txt --schema report.json
  patchwire parse answer.txt --chunk-bytes 1 | grep '\"path\":\"title\"'
  patchwire parse streams.ndjson --input recording --values done";

    pub(super) const FINAL: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire final answer.txt
  my-model | patchwire final --pretty
  patchwire final answer.txt --envelope | jq .notices
  patchwire final answer.json --strictness strict && echo valid
  patchwire final values.ndjson --roots concatenated";

    pub(super) const CHECK: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire check answers/*.txt
  patchwire check streams.ndjson --input recording
  patchwire check answer.txt --random 1000 --seed 7 --schema report.json";

    pub(super) const DEMO: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire demo
  patchwire demo --speed 0.3
  patchwire demo --json | head";

    pub(super) const TRACE: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire trace answer.txt --chunk-bytes 1
  patchwire trace answer.txt --chunk-seed 7 --schema report.json
  patchwire trace streams.ndjson --input recording --json | grep '\"held\"'";

    pub(super) const COMPLETIONS: &str = "\
\u{1b}[1mExamples:\u{1b}[0m
  patchwire completions bash > ~/.local/share/bash-completion/completions/patchwire
  patchwire completions zsh > ~/.zfunc/_patchwire   # with ~/.zfunc in $fpath
  patchwire completions fish > ~/.config/fish/completions/patchwire.fish
  patchwire completions powershell >> $PROFILE
  patchwire completions elvish > ~/.config/elvish/lib/patchwire.elv   # then: use patchwire";
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_sound() {
        super::Cli::command().debug_assert();
    }
}
