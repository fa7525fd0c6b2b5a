//! `patchwire parse`: events as they come.

use crate::args::{ParseArgs, Values};
use crate::exit::{Failure, Status};
use crate::output;
use crate::reading;
use crate::settings::{Settings, SettingsError};
use crate::source::Source;
use crate::wired::Wired;

pub(crate) fn run(args: &ParseArgs) -> Result<Status, Failure> {
    let settings = Settings::checking(&args.reading, &args.checking)?;
    let form = args.input.form.input;
    if form.protocol().is_some() && args.values.values != Values::default() {
        return Err(SettingsError::ValuesOfBody.into());
    }
    let mut wired = Wired::new(output::stdout(), &args.wire, args.values.values)?;
    let mut source = Source::open(args.file.as_ref(), form)?;
    let mut worst = Status::Complete;
    while let Some(stream) = source.next_stream()? {
        let stream = stream.recut(args.input.sizes()).recorded(args.record.file())?;
        let ended = reading::read(&settings, stream, &mut wired)?;
        wired.end(ended.failure())?;
        worst = worst.max(ended.settle(&settings));
    }
    Ok(worst)
}
