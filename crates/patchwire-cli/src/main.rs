//! The `patchwire` command: field-level patches from model output.
//!
//! ```text
//! args               the command line
//! settings           builds a spec from the options
//! tag_sets           builds one tag set from `--tags`
//! request_setup      what can go wrong before a model is asked; keys from the environment
//! source             reads files, stdin and recordings, chunk by chunk
//! pace               how fast a stream is shown
//! progress           a line on the terminal while something takes long
//! chunk_sizes        where the input is cut
//! recording_writer   writes a stream to a recording while it is read
//! text               model text on a terminal: safe characters, columns, lines
//! output, style      stdout, stderr, colours
//! closed_stdout      a stdout that nobody opened
//! body               the response body of a provider
//! stream_reader      a parser, or a body with the parser inside
//! sink               the trait that receives events
//! read_stream        reads one stream to its end
//! stream_result      what one stream came to
//! report             its exit status, and what stderr says about it
//! repairs            what stderr says about answers that were repaired or cut off
//! partial_answer     a sink that collects an answer before its end is known
//! protocol_output    a sink that prints events in a protocol
//! envelope           everything known of an answer, as one JSON object
//! exit               exit status and failures of a run
//! gateway_model      the model behind the gateway
//! commands           one file for each command
//! batch, check, rate, demo, trace, watch   the parts of the command of that name
//! ```
#![forbid(unsafe_code)]

mod args;
#[cfg(feature = "batch")]
mod batch;
mod body;
mod check;
mod chunk_sizes;
mod closed_stdout;
mod commands;
mod demo;
mod envelope;
mod exit;
#[cfg(feature = "serve")]
mod gateway_model;
mod outcome_order;
mod output;
#[cfg(feature = "watch")]
mod pace;
mod partial_answer;
mod progress;
mod protocol_output;
mod rate;
mod read_stream;
mod recording_writer;
mod repairs;
mod report;
#[cfg(any(feature = "chat", feature = "serve"))]
mod request_setup;
mod settings;
mod sink;
mod source;
mod stream_reader;
mod stream_result;
mod style;
mod tag_sets;
mod text;
mod tool_schemas;
mod trace;
#[cfg(feature = "watch")]
mod watch;
mod whole_body;

use std::process::ExitCode;

#[cfg(feature = "serve")]
use exit::Failure;
use exit::Status;

/// The system's allocator keeps what a large answer took.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    // Before the parser runs, whose own messages have colours too.
    style::wanted(std::env::args_os()).write_global();
    if closed_stdout::may_be_closed() {
        output::note(&"stdout is closed or the null device: the output is dropped");
    }
    #[cfg(feature = "serve")]
    let parsed = match args::parse() {
        Ok(parsed) => parsed,
        Err(error) => return Failure::from(error).report().into(),
    };
    #[cfg(not(feature = "serve"))]
    let parsed = <args::Cli as clap::Parser>::try_parse();
    let cli = match parsed {
        Ok(cli) => cli,
        Err(refusal) => {
            // If the output is closed, nobody reads the help.
            let _ = style::print(&refusal);
            return if refusal.use_stderr() { Status::Usage } else { Status::Complete }.into();
        }
    };
    exit::report(commands::run(cli.command)).into()
}
