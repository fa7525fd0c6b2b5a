//! `patchwire trace`: bytes, tokens, events, and why a byte is held back.

use std::io;

use anstream::AutoStream;

use crate::args::TraceArgs;
use crate::exit::{Failure, Status};
use crate::output;
use crate::settings::{Settings, SettingsError};
use crate::source::Source;
use crate::trace::{JsonLines, TracePage, Tracer, read};

pub(crate) fn run(args: &TraceArgs) -> Result<Status, Failure> {
    if args.json {
        return trace(args, JsonLines::new(output::stdout()));
    }
    let out = AutoStream::auto(io::stdout().lock());
    trace(args, TracePage::new(io::BufWriter::new(out), output::width()))
}

fn trace(args: &TraceArgs, mut tracer: impl Tracer) -> Result<Status, Failure> {
    let settings = Settings::new(&args.reading)?;
    let form = args.input.form.input;
    if let Some(protocol) = form.protocol() {
        return Err(SettingsError::Body { command: "trace", protocol }.into());
    }
    let mut source = Source::open(args.file.as_ref(), form)?;
    let mut worst = Status::Complete;
    while let Some(stream) = source.next_stream()? {
        let ended = read(&settings, stream.recut(args.input.sizes()), &mut tracer)?;
        worst = worst.max(ended.report(&settings));
    }
    Ok(worst)
}
