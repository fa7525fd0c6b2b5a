//! The `patchwire` command: field-level patches from model output.
//!
//! ```text
//! args       what can be said on the command line
//! asking     what keeps a model from being asked
//! settings   from there to a spec
//! tag_sets   what `--tags` asks for, as one set
//! source     bytes: files, stdin, recordings
//! cutting    where they are cut
//! recording  a stream written down while it comes
//! reader     what reads it: a parser, or what is around one
//! body       the body of a provider's response, read as it is
//! reading    one stream through one reader
//! output_events      events in the protocol that was asked for
//! partial      what was told before the end is known
//! envelope   all that is known of an answer, as one JSON object
//! exit       how a run ends: status and message
//! upstream   the model behind the gateway
//! commands   one file each
//! check      what the command of that name compares
//! rate       what the command of that name counts
//! demo       what the command of that name shows
//! trace      the same, of bytes, tokens and events
//! watch      the same, of an answer as a form that fills in
//! ```
#![forbid(unsafe_code)]

mod args;
mod body;
mod check;
mod chunk_sizes;
mod commands;
mod demo;
mod envelope;
mod exit;
mod gateway_model;
mod output;
mod partial_answer;
mod protocol_output;
mod rate;
mod read_stream;
mod recording_writer;
mod report;
mod request_setup;
mod settings;
mod sink;
mod source;
mod stream_reader;
mod stream_result;
mod style;
mod tag_sets;
mod text;
mod trace;
mod watch;

use std::process::ExitCode;

use clap::Parser as _;

use args::Cli;
use exit::Status;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(refusal) => {
            // Where nobody reads the help, nobody misses it.
            let _ = refusal.print();
            return if refusal.use_stderr() { Status::Usage } else { Status::Complete }.into();
        }
    };
    exit::report(commands::run(cli.command)).into()
}
