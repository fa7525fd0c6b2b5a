//! `patchwire completions`: completion scripts for shells.

use std::io::Write as _;

use clap::CommandFactory as _;

use crate::args::{Cli, CompletionsArgs};
use crate::exit::{Failure, Status};
use crate::output;

pub(crate) fn run(args: &CompletionsArgs) -> Result<Status, Failure> {
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    // The script is built in memory: the generator panics if the output is closed.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    let mut out = output::stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Status::Complete)
}
