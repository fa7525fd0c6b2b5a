//! `patchwire trace`: bytes, tokens, events, and why a byte is held back.

use std::io;

use anstream::AutoStream;

use crate::args::TraceArgs;
use crate::exit::{Failure, Status};
use crate::output;
use crate::settings::{Settings, SettingsError};
use crate::source::Source;
use crate::trace::{JsonLines, ReadingsTable, TracePage, Tracer, read};

pub(crate) fn run(args: &TraceArgs) -> Result<Status, Failure> {
    if args.repair {
        return repair(args);
    }
    if args.json {
        return trace(args, JsonLines::new(output::stdout()));
    }
    let out = AutoStream::auto(io::stdout().lock());
    trace(args, TracePage::new(io::BufWriter::new(out), output::width()))
}

fn trace(args: &TraceArgs, mut tracer: impl Tracer) -> Result<Status, Failure> {
    let settings = Settings::new(&args.reading)?;
    let mut source = open(args)?;
    let mut worst = Status::Complete;
    while let Some(stream) = source.next_stream()? {
        let ended = read(&settings, stream.recut(args.input.sizes()), &mut tracer)?;
        worst = worst.max(ended.report(&settings));
    }
    Ok(worst)
}

fn open(args: &TraceArgs) -> Result<Source, Failure> {
    let form = args.input.form.input;
    if let Some(protocol) = form.protocol() {
        return Err(SettingsError::Body { command: "trace", protocol }.into());
    }
    Ok(Source::open(args.file.as_ref(), form)?)
}

/// Prints the readings that compete for each answer.
fn repair(args: &TraceArgs) -> Result<Status, Failure> {
    let settings = Settings::new(&args.reading)?;
    let mut source = open(args)?;
    let mut worst = Status::Complete;
    while let Some(stream) = source.next_stream()? {
        let (readings, ended) = ReadingsTable::read(&settings, stream.recut(args.input.sizes()))?;
        if args.json {
            readings.write_json(&mut output::stdout())?;
        } else {
            let out = AutoStream::auto(io::stdout().lock());
            readings.write(&mut io::BufWriter::new(out), output::width())?;
        }
        worst = worst.max(ended.report(&settings));
    }
    Ok(worst)
}
