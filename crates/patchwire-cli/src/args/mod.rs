//! The command line.

#[cfg(feature = "batch")]
mod batch;
#[cfg(feature = "chat")]
mod chat;
mod choices;
mod formats;
mod help;
mod numbers;
mod reading;
#[cfg(feature = "serve")]
mod serve;
mod tags;

#[cfg(not(all(feature = "batch", feature = "chat", feature = "serve", feature = "watch")))]
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

#[cfg(feature = "batch")]
pub(crate) use batch::BatchArgs;
#[cfg(feature = "chat")]
pub(crate) use chat::ChatArgs;
#[cfg(feature = "serve")]
pub(crate) use choices::UpstreamProtocol;
pub(crate) use choices::{
    Colour, Documents, GroupBy, InputForm, Roots, SchemaForm, Strictness, Values, View, Wire,
};
pub(crate) use reading::{CheckingArgs, Ensure, ExpectedArgs, ReadingArgs};
#[cfg(feature = "serve")]
pub(crate) use serve::{ConfigError, LogLevel, ServeArgs, parse};
pub(crate) use tags::Tags;

use patchwire_samples::Sample;

use crate::chunk_sizes::ChunkSizes;
#[cfg(feature = "watch")]
use crate::pace::Pace;
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
    /// Use colours: auto, always or never
    #[arg(long, value_enum, default_value_t, value_name = "WHEN", global = true)]
    #[arg(hide_possible_values = true)]
    pub(crate) color: Colour,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Parse(ParseArgs),
    Final(FinalArgs),
    Check(CheckArgs),
    Rate(RateArgs),
    #[cfg(feature = "batch")]
    Batch(Box<BatchArgs>),
    /// Read a column of stored outputs into a table of typed answers (not in this build)
    #[cfg(not(feature = "batch"))]
    Batch(NotBuiltInArgs),
    Demo(DemoArgs),
    #[cfg(feature = "chat")]
    Chat(Box<ChatArgs>),
    /// Ask a model, and print the events of its answer (not in this build)
    #[cfg(not(feature = "chat"))]
    Chat(NotBuiltInArgs),
    #[cfg(feature = "watch")]
    Watch(WatchArgs),
    /// Watch an answer as a form that fills in (not in this build)
    #[cfg(not(feature = "watch"))]
    Watch(NotBuiltInArgs),
    Prompt(PromptArgs),
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
    /// Serve a page that shows fields as they arrive, and a gateway (not in this build)
    #[cfg(not(feature = "serve"))]
    Serve(NotBuiltInArgs),
    Trace(TraceArgs),
    #[command(hide = true)]
    Completions(CompletionsArgs),
    #[command(hide = true)]
    Man(ManArgs),
    #[command(hide = true)]
    Help(HelpArgs),
}

/// Any arguments of a command that this build leaves out. Running it explains how to get it.
#[cfg(not(all(feature = "batch", feature = "chat", feature = "serve", feature = "watch")))]
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct NotBuiltInArgs {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _ignored: Vec<OsString>,
}

/// Print the events as they come, one JSON object per line
///
/// The last event is `final` or `error`. Input is parsed as soon as it arrives, and its events are
/// printed at once: pipe a model into it and see the fields arrive. `--wire` prints other
/// protocols.
#[derive(Debug, Args)]
#[command(after_help = help::PARSE)]
pub(crate) struct ParseArgs {
    /// The model's outputs, one after another [default: stdin]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) checking: CheckingArgs,
    #[command(flatten)]
    pub(crate) wire: WireArgs,
    #[command(flatten)]
    pub(crate) values: ValuesArgs,
    #[command(flatten)]
    pub(crate) record: RecordArgs,
}

/// The protocol of the output.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct WireArgs {
    /// The protocol of the printed events
    #[arg(long, value_enum, default_value_t, value_name = "PROTOCOL")]
    pub(crate) wire: Wire,
    /// The documents to show; `own`, `compact` and `sse` always show all
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub(crate) documents: Documents,
}

/// Print only the final value, as JSON
///
/// Several streams or roots are printed one per line. If reading stops early, the value so far is
/// printed and the exit status is not 0. If a response body only calls tools, the calls are
/// printed. A note on stderr says whether the answer was repaired or cut off.
#[derive(Debug, Args)]
#[command(after_help = help::FINAL)]
pub(crate) struct FinalArgs {
    /// The model's outputs, one after another [default: stdin]
    pub(crate) files: Vec<PathBuf>,
    /// Print outcome, value, reasoning, text, elements and notices, and for a response body its
    /// calls and facts; also if there is no value
    #[arg(long)]
    pub(crate) envelope: bool,
    /// Print the second reading, if there is one: as if an unclosed fence, comment or string hid no
    /// tags, or as if a closing tag without an opening one meant nothing
    #[arg(long)]
    pub(crate) alternative: bool,
    /// Indent by two spaces
    #[arg(long)]
    pub(crate) pretty: bool,
    /// A kind that the answer may have (repeatable): prints the answer under the contract of kinds
    #[arg(long, value_name = "KIND", conflicts_with_all = ["envelope", "schema", "format", "tags"])]
    pub(crate) kind: Vec<String>,
    /// A member that was requested in addition to `kind` and `text` (repeatable)
    #[arg(long, value_name = "NAME", requires = "kind")]
    pub(crate) extra: Vec<String>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) checking: CheckingArgs,
}

/// Check that chunk boundaries make no difference
///
/// Each stream is read whole and then cut: in two at every byte, into single bytes, as it was
/// recorded, and at random. The events, with neighbouring deltas joined, and the answer must be the
/// same each time. For long inputs only some of the cuts in two are tried; the table shows how
/// many.
#[derive(Debug, Args)]
#[command(after_help = help::CHECK)]
pub(crate) struct CheckArgs {
    /// Model outputs [default: stdin]
    pub(crate) files: Vec<PathBuf>,
    /// Random cuttings per stream [default: 100, fewer for long inputs]
    #[arg(long, value_name = "N", value_parser = numbers::times, allow_negative_numbers = true)]
    pub(crate) random: Option<u32>,
    /// The first random seed; cutting i uses `--chunk-seed S+i`
    #[arg(long, value_name = "S", default_value = "0", value_parser = numbers::from_zero)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) form: FormArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// Count how well stored outputs follow a format and a schema
///
/// Each output is read as if it were live. The table counts how many have a value, were complete,
/// repaired or cut off, and which repairs were needed. Only structure is checked, not content. To
/// compare formats, ask the model in each format and rate the outputs separately.
#[derive(Debug, Args)]
#[command(after_help = help::RATE)]
pub(crate) struct RateArgs {
    /// Model outputs [default: stdin]
    pub(crate) files: Vec<PathBuf>,
    /// Group by [default: kind for recordings, provider for bodies, else one group]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) by: Option<GroupBy>,
    /// The files are tables (Parquet, JSON lines, CSV), whose column NAME has the outputs
    #[arg(long, value_name = "NAME", conflicts_with = "input", requires = "files")]
    pub(crate) column: Option<String>,
    /// Print one JSON object per group, with exact counts
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) form: FormArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// See an answer arrive as it is written: no setup, no model
#[derive(Debug, Args)]
#[command(after_help = help::DEMO)]
pub(crate) struct DemoArgs {
    /// The sample
    #[arg(value_parser = formats::sample(), default_value = "json", value_name = "FORMAT")]
    pub(crate) show: Sample,
    /// Print the events instead, one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
    /// Speed, as a multiple of 40 tokens a second; 0 for no pause. Only a terminal has pauses
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = speed)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) speed: f64,
    #[command(flatten)]
    pub(crate) values: ValuesArgs,
}

/// Print instructions that make a model write what you expect
///
/// They show the answer in its format, with the type, limits, need and description of each value in
/// its place. Put them at the end of your prompt, and read the answer with the same options.
#[derive(Debug, Args)]
#[command(after_help = help::PROMPT)]
// Tags can change the default format, but a prompt has no tags.
#[command(mut_arg("format", |arg| arg.help("What the model is to write [default: json]")))]
pub(crate) struct PromptArgs {
    /// Print only the skeleton
    #[arg(long)]
    pub(crate) skeleton: bool,
    /// A kind that the model may give its answer (repeatable): prints the prompt of kinds
    #[arg(long, value_name = "KIND", conflicts_with_all = ["skeleton", "schema", "format"])]
    pub(crate) kind: Vec<String>,
    /// A member to request in addition to `kind` and `text` (repeatable)
    #[arg(long, value_name = "NAME", requires = "kind")]
    pub(crate) extra: Vec<String>,
    #[command(flatten)]
    pub(crate) expected: ExpectedArgs,
}

/// Show what bytes become, chunk by chunk, and why some wait
///
/// For each chunk: its tokens, with the offset at which each ends; their events; and what is held
/// back at its end, by which layer, and what would decide it.
#[derive(Debug, Args)]
#[command(after_help = help::TRACE)]
pub(crate) struct TraceArgs {
    /// The model's output [default: stdin]
    pub(crate) file: Option<PathBuf>,
    /// Print one JSON object per line: chunks, tokens, events, held bytes
    #[arg(long)]
    pub(crate) json: bool,
    /// Print instead how the JSON may be read, what each reading costs, and which one is the answer
    #[arg(long)]
    pub(crate) repair: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = help::COMPLETIONS)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Print the manual page, or write one page for each command
#[derive(Debug, Args)]
#[command(after_help = help::MAN)]
pub(crate) struct ManArgs {
    /// The folder for all pages: `patchwire.1`, `patchwire-parse.1` and so on
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,
}

/// Print the help of a command
#[derive(Debug, Args)]
pub(crate) struct HelpArgs {
    /// The command [default: the list of all]
    pub(crate) command: Option<String>,
}

/// Watch an answer as a form that fills in, field by field
///
/// The form shows the schema's fields before anything is written, and reasoning, elements and
/// notices as they come. Files are shown as fast as a model writes, recordings with their own
/// times, stdin as it arrives. When you quit, the value is printed; if stdout is no terminal, only
/// that happens. Press `?` for the keys.
#[cfg(feature = "watch")]
#[derive(Debug, Args)]
#[command(after_help = help::WATCH)]
pub(crate) struct WatchArgs {
    /// The model's output [default: stdin; the demo if stdin is a terminal]
    pub(crate) file: Option<PathBuf>,
    /// Speed, as a multiple of the recorded times or of 40 chunks a second; `max` for no pause
    #[arg(long, value_name = "N|max", default_value = "1", value_parser = pace)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) speed: Pace,
    /// Leave when the stream ends
    #[arg(long)]
    pub(crate) exit: bool,
    /// Watch a built-in answer
    #[arg(long, value_parser = formats::sample(), value_name = "FORMAT", conflicts_with = "file")]
    pub(crate) demo: Option<Sample>,
    /// The line of the recording [default: the first]
    #[arg(long, value_name = "N", help_heading = "Input", value_parser = numbers::from_one)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) line: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) checking: CheckingArgs,
    #[command(flatten)]
    pub(crate) record: RecordArgs,
}

/// The form of the input, and how it is cut.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    #[command(flatten)]
    pub(crate) form: FormArgs,
    /// Cut the input into chunks of N bytes
    #[arg(long, value_name = "N", help_heading = "Input", value_parser = numbers::from_one)]
    #[arg(allow_negative_numbers = true)]
    chunk_bytes: Option<NonZeroUsize>,
    /// Cut the input at random, like tokens; with `--chunk-bytes`, into 1 to N bytes
    #[arg(long, value_name = "S", help_heading = "Input", value_parser = numbers::from_zero)]
    #[arg(allow_negative_numbers = true)]
    chunk_seed: Option<u64>,
}

impl InputArgs {
    pub(crate) fn sizes(&self) -> Option<ChunkSizes> {
        ChunkSizes::new(self.chunk_bytes, self.chunk_seed)
    }
}

#[derive(Debug, Args)]
pub(crate) struct FormArgs {
    /// The form of the input: text, a recording, or a provider's response body
    #[arg(long, value_enum, default_value_t, value_name = "FORM", help_heading = "Input")]
    pub(crate) input: InputForm,
}

#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// Add the stream, with its cuts and times, as a line to a file for `--input recording`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    record: Option<PathBuf>,
}

impl RecordArgs {
    pub(crate) const fn file(&self) -> Option<&PathBuf> {
        self.record.as_ref()
    }
}

#[derive(Debug, Args)]
pub(crate) struct ValuesArgs {
    /// Which events repeat the value of their field
    #[arg(long, value_enum, default_value_t, value_name = "WHICH", help_heading = "Output")]
    pub(crate) values: Values,
}

#[cfg(feature = "watch")]
fn pace(text: &str) -> Result<Pace, &'static str> {
    match text.parse() {
        _ if text == "max" => Ok(Pace::Live),
        Ok(speed) if (0.001..=1e6).contains(&speed) => Ok(Pace::Times(speed)),
        _ => Err("write a number from 0.001 to 1000000, such as 2 or 0.5, or max"),
    }
}

fn speed(text: &str) -> Result<f64, &'static str> {
    match text.parse() {
        Ok(speed) if (0.0..=1e6).contains(&speed) => Ok(speed),
        _ => Err("write a number from 0 to 1000000, such as 0.5"),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_sound() {
        super::Cli::command().debug_assert();
    }
}
