//! `patchwire man`: the manual, from the definitions of the help.

use std::io::Write as _;

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use crate::args::{Cli, ManArgs};
use crate::exit::{Failure, Status};
use crate::output;

pub(crate) fn run(args: &ManArgs) -> Result<Status, Failure> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = &args.dir else {
        let mut out = output::stdout();
        out.write_all(&page(&command)?)?;
        out.flush()?;
        return Ok(Status::Complete);
    };
    let written = |error| Failure::WriteFile { name: folder.display().to_string(), error };
    std::fs::create_dir_all(folder).map_err(written)?;
    for command in all(&command) {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        std::fs::write(folder.join(format!("{name}.1")), page(command)?).map_err(written)?;
    }
    Ok(Status::Complete)
}

/// The command, and its commands except the help.
fn all(command: &Command) -> impl Iterator<Item = &Command> {
    let each = command.get_subcommands().filter(|command| command.get_name() != "help");
    [command].into_iter().chain(each)
}

/// A page, in memory: a part of it may fail to be written.
fn page(command: &Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}
