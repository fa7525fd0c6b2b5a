//! `patchwire parse`: prints events as they come.

use std::path::PathBuf;

use super::nothing_read;
use crate::args::{ParseArgs, Values};
use crate::exit::{Failure, Status};
use crate::output;
use crate::protocol_output::ProtocolOutput;
use crate::read_stream;
use crate::settings::{Settings, SettingsError};
use crate::source::{self, Source};

pub(crate) fn run(args: &ParseArgs) -> Result<Status, Failure> {
    let settings = Settings::checking(&args.reading, &args.checking)?;
    let form = args.input.form.input;
    if form.protocol().is_some() && args.values.values != Values::default() {
        return Err(SettingsError::ValuesOfBody.into());
    }
    let mut events = ProtocolOutput::new(output::stdout(), &args.wire, args.values.values)?;
    let mut worst = Status::Complete;
    for file in source::inputs(&args.files) {
        // A file that cannot be read does not stop the others.
        worst = worst.max(match parse(file, args, &settings, &mut events) {
            Err(failure @ Failure::Source(_)) => failure.report(),
            status => status?,
        });
    }
    Ok(worst)
}

/// Prints the events of the streams in a file.
fn parse(
    file: Option<&PathBuf>,
    args: &ParseArgs,
    settings: &Settings,
    events: &mut ProtocolOutput<output::Out>,
) -> Result<Status, Failure> {
    let mut source = Source::open(file, args.input.form.input)?;
    let (mut worst, mut is_empty) = (Status::Complete, true);
    while let Some(stream) = source.next_stream()? {
        is_empty = false;
        let stream = stream.recut(args.input.sizes()).recorded(args.record.file())?;
        let ended = read_stream::read(settings, stream, events)?;
        events.end(ended.failure())?;
        worst = worst.max(ended.report(settings));
    }
    Ok(if is_empty { nothing_read::report(file) } else { worst })
}
