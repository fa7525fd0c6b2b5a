//! `patchwire prompt`: prints instructions for a model.

use std::io::Write as _;

use patchwire_views::kinds::Kinds;

use crate::args::PromptArgs;
use crate::exit::{Failure, Status};
use crate::output;
use crate::settings::{Settings, SettingsError};

pub(crate) fn run(args: &PromptArgs) -> Result<Status, Failure> {
    let mut out = output::stdout();
    if !args.kind.is_empty() {
        let kinds = Kinds::builder(&args.kind).extras(&args.extra).build();
        writeln!(out, "{}", kinds.map_err(SettingsError::Kinds)?.prompt().trim_end())?;
        out.flush()?;
        return Ok(Status::Complete);
    }
    let prompt = Settings::expected(&args.expected)?.prompt();
    if args.skeleton {
        writeln!(out, "{}", prompt.skeleton())?;
    } else {
        write!(out, "{prompt}")?;
    }
    out.flush()?;
    Ok(Status::Complete)
}
