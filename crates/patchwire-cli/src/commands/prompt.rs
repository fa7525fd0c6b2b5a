//! `patchwire prompt`: what to tell a model.

use std::io::Write as _;

use crate::args::PromptArgs;
use crate::exit::{Failure, Status};
use crate::output;
use crate::settings::Settings;

pub(crate) fn run(args: &PromptArgs) -> Result<Status, Failure> {
    let prompt = Settings::expected(&args.expected)?.prompt();
    let mut out = output::stdout();
    if args.skeleton {
        writeln!(out, "{}", prompt.skeleton())?;
    } else {
        write!(out, "{prompt}")?;
    }
    out.flush()?;
    Ok(Status::Complete)
}
