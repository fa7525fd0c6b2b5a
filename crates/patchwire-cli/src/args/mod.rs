//! What can be said on the command line.

mod chat;
mod choices;
mod help;
mod reading;
mod tags;

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(crate) use chat::ChatArgs;
pub(crate) use choices::{
    DemoFormat, Documents, Format, GroupBy, InputForm, Roots, SchemaForm, Strictness, Values, View,
    Wire,
};
pub(crate) use reading::{CheckingArgs, Ensure, ExpectedArgs, ReadingArgs};
pub(crate) use tags::Tags;

use crate::chunk_sizes::ChunkSizes;
use crate::style;
use crate::watch::Pace;

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
    Rate(RateArgs),
    Demo(DemoArgs),
    Chat(Box<ChatArgs>),
    Watch(WatchArgs),
    Prompt(PromptArgs),
    Serve(ServeArgs),
    Trace(TraceArgs),
    Completions(CompletionsArgs),
}

/// Print the events as they come, one JSON object a line
///
/// The last is `final`, or an `error`.
/// What is read is fed at once, and its events are written at once: put it behind a model and see
/// the fields arrive. `--wire` prints them in other protocols.
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
    pub(crate) checking: CheckingArgs,
    #[command(flatten)]
    pub(crate) wire: WireArgs,
    #[command(flatten)]
    pub(crate) values: ValuesArgs,
    #[command(flatten)]
    pub(crate) record: RecordArgs,
}

/// What goes over the wire.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct WireArgs {
    /// What the events are printed as
    #[arg(long, value_enum, default_value_t, value_name = "PROTOCOL")]
    pub(crate) wire: Wire,
    /// Which documents `--wire` tells of, unless it is own or sse, which tell of all
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub(crate) documents: Documents,
}

/// Print only the final value, as JSON
///
/// Several streams, and several roots, are printed one a line. Where reading stops early the value
/// so far is printed, and the exit status tells. Of the body of a response that only calls tools the
/// calls are printed.
#[derive(Debug, Args)]
#[command(after_help = help::FINAL)]
pub(crate) struct FinalArgs {
    /// The model's output [default: stdin]
    pub(crate) file: Option<PathBuf>,
    /// Print outcome, value, reasoning, text, elements and notices, and of a body its calls and facts;
    /// also where there is no value
    #[arg(long)]
    pub(crate) envelope: bool,
    /// Indent by two spaces
    #[arg(long)]
    pub(crate) pretty: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) checking: CheckingArgs,
}

/// Check that it makes no difference where chunks end
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

/// Count how well stored outputs keep to a format and a schema
///
/// Each output is read as it would be live, and all of them are counted: how many have a value, came
/// whole, were repaired or cut off, and which slips there were. It looks at structure only, never at
/// what the words say. To compare formats, ask the model in each, and rate the outputs of each.
#[derive(Debug, Args)]
#[command(after_help = help::RATE)]
pub(crate) struct RateArgs {
    /// Model outputs [default: stdin]
    pub(crate) files: Vec<PathBuf>,
    /// What makes a group [default: kind for recordings, provider for bodies, else all outputs are one]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) by: Option<GroupBy>,
    /// Print one JSON object a group, with exact counts
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) form: FormArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// Watch an answer come in as it is written: no setup, no model
#[derive(Debug, Args)]
#[command(after_help = help::DEMO)]
pub(crate) struct DemoArgs {
    /// What the model writes
    #[arg(value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) show: DemoFormat,
    /// Print the events instead, one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
    /// Times as fast as 40 tokens a second; 0 for no pause. Only a terminal is made to wait
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = speed)]
    pub(crate) speed: f64,
    #[command(flatten)]
    pub(crate) values: ValuesArgs,
}

/// Print what to tell a model, so that it writes what is expected
///
/// The wire form and its rules, the fields with types, descriptions and what is required, and a
/// skeleton in exactly that form. Put it at the end of your prompt, and read the answer with the
/// same options.
#[derive(Debug, Args)]
#[command(after_help = help::PROMPT)]
// Of tags, which may say what the format is, a prompt knows nothing.
#[command(mut_arg("format", |arg| arg.help("What the model is to write [default: json]")))]
pub(crate) struct PromptArgs {
    /// Print the skeleton alone
    #[arg(long)]
    pub(crate) skeleton: bool,
    /// A kind that the model may say its answer is (repeatable): the prompt of kinds
    #[arg(long, value_name = "KIND", conflicts_with_all = ["skeleton", "schema", "format"])]
    pub(crate) kind: Vec<String>,
    /// A member to ask for beside `kind` and `text` (repeatable)
    #[arg(long, value_name = "NAME", requires = "kind")]
    pub(crate) extra: Vec<String>,
    #[command(flatten)]
    pub(crate) expected: ExpectedArgs,
}

/// Serve a page that shows fields as they come, and a gateway
///
/// Its address is printed. The page plays answers that come along, at any speed and in any cuts, and asks
/// the model that `--upstream` names. The gateway takes chat requests for it, or for one of the answers
/// that come along, and tells the fields as server-sent events. Ctrl-C ends it.
#[derive(Debug, Args)]
#[command(after_help = help::SERVE)]
pub(crate) struct ServeArgs {
    /// Where to listen; port 0 takes any free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:3000")]
    pub(crate) listen: SocketAddr,
    /// A name this server goes by, beside localhost and addresses (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_host: Vec<String>,
    /// An origin whose pages may use this server, such as `https://app.example` (repeatable)
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,
    /// The model behind the gateway: a URL that speaks OpenAI's chat completions, such as
    /// http://localhost:11434/v1 [default: none; requests get the streams that come along]
    #[arg(long, value_name = "URL")]
    pub(crate) upstream: Option<String>,
    /// The model that is asked for where a request names none, and what the page's form begins with
    #[arg(long, value_name = "NAME", requires = "upstream")]
    pub(crate) upstream_model: Option<String>,
    /// The variable that holds the key for it, where a client brings none
    #[arg(long, value_name = "VARIABLE", requires = "upstream")]
    pub(crate) upstream_key_env: Option<String>,
    /// Streams at a time
    #[arg(long, value_name = "N", default_value = "256")]
    pub(crate) max_streams: NonZeroUsize,
}

/// DemoFormat what bytes become, chunk by chunk, and why one is held back
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

/// Watch an answer as a form that fills in, field by field
///
/// The fields of the schema stand there before anything is written; reasoning, elements and notices
/// beside them. Files are shown as fast as a model writes, recordings with their own times, stdin as
/// it comes. When the view is left, the value is printed. Where stdout is no terminal only that
/// happens. Press `?` for the keys.
#[derive(Debug, Args)]
#[command(after_help = help::WATCH)]
pub(crate) struct WatchArgs {
    /// The model's output [default: stdin; the demo if that is the terminal]
    pub(crate) file: Option<PathBuf>,
    /// Times as fast as recorded, or as 40 pieces a second; `max` for no pause
    #[arg(long, value_name = "N|max", default_value = "1", value_parser = pace)]
    pub(crate) speed: Pace,
    /// Leave when the stream ends
    #[arg(long)]
    pub(crate) exit: bool,
    /// Watch what comes with the command
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "file")]
    pub(crate) demo: Option<DemoFormat>,
    /// The line of the recording [default: the first]
    #[arg(long, value_name = "N", help_heading = "Input")]
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
    pub(crate) fn sizes(&self) -> Option<ChunkSizes> {
        ChunkSizes::new(self.chunk_bytes, self.chunk_seed)
    }
}

#[derive(Debug, Args)]
pub(crate) struct FormArgs {
    /// What the input is: text, a recording, or the body of a provider's response as it is
    #[arg(long, value_enum, default_value_t, value_name = "FORM", help_heading = "Input")]
    pub(crate) input: InputForm,
}

#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// Add the stream with its cuts and times to a file, as a line for `--input recording`
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
