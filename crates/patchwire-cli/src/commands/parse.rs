//! `patchwire parse`: events as they come.

use std::io::{self, Write};

use patchwire::{Event, Values};

use crate::args::ParseArgs;
use crate::exit::{Failure, Status};
use crate::output;
use crate::reading::{self, Sink};
use crate::settings::Settings;
use crate::source::Source;

pub(crate) fn run(args: &ParseArgs) -> Result<Status, Failure> {
    let settings = Settings::checking(&args.reading, &args.checking)?;
    let mut source = Source::open(args.file.as_ref(), args.input.form.input)?;
    let mut lines = Lines { out: output::stdout(), values: args.values.values.into() };
    let mut worst = Status::Complete;
    while let Some(stream) = source.next_stream()? {
        let stream = stream.recut(args.input.sizes()).recorded(args.record.file())?;
        let ended = reading::read(&settings, stream, &mut lines)?;
        if let Err(error) = ended.result {
            writeln!(lines.out, "{}", error.wire())?;
        }
        lines.out.flush()?;
        worst = worst.max(ended.settle(&settings));
    }
    Ok(worst)
}

/// One event a line; those of a chunk are seen before the next chunk is read.
pub(crate) struct Lines<W> {
    pub(crate) out: W,
    pub(crate) values: Values,
}

impl<W: Write> Sink for Lines<W> {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        writeln!(self.out, "{}", event.wire(self.values))
    }

    fn chunk_done(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
