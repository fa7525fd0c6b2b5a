//! `patchwire help`: the help of a command.

use clap::CommandFactory as _;

use crate::args::{Cli, HelpArgs};
use crate::exit::{Failure, Status};
use crate::style;

pub(crate) fn run(args: &HelpArgs) -> Result<Status, Failure> {
    let name = args.command.as_deref();
    if let Some(name) = name.filter(|name| !is_known(name)) {
        return Err(Failure::UnknownCommand(name.to_owned()));
    }
    // The parser makes its own help, with the names that it puts into it.
    let words = ["patchwire"].into_iter().chain(name).chain(["--help"]);
    if let Err(help) = Cli::command().try_get_matches_from(words) {
        style::print(&help)?;
    }
    Ok(Status::Complete)
}

fn is_known(name: &str) -> bool {
    Cli::command().get_subcommands().any(|command| command.get_name() == name)
}
