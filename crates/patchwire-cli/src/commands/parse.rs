//! `patchwire parse`: prints events as they come.

use crate::args::{ParseArgs, Values};
use crate::exit::{Failure, Status};
use crate::output;
use crate::protocol_output::ProtocolOutput;
use crate::read_stream;
use crate::settings::{Settings, SettingsError};
use crate::source::Source;

pub(crate) fn run(args: &ParseArgs) -> Result<Status, Failure> {
    let settings = Settings::checking(&args.reading, &args.checking)?;
    let form = args.input.form.input;
    if form.protocol().is_some() && args.values.values != Values::default() {
        return Err(SettingsError::ValuesOfBody.into());
    }
    let mut output_events = ProtocolOutput::new(output::stdout(), &args.wire, args.values.values)?;
    let mut source = Source::open(args.file.as_ref(), form)?;
    let mut worst = Status::Complete;
    while let Some(stream) = source.next_stream()? {
        let stream = stream.recut(args.input.sizes()).recorded(args.record.file())?;
        let ended = read_stream::read(&settings, stream, &mut output_events)?;
        output_events.end(ended.failure())?;
        worst = worst.max(ended.report(&settings));
    }
    Ok(worst)
}
