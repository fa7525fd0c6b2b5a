//! `patchwire final`: the final value, or all that is known of the answer.

use std::io::Write;

use patchwire::ValueRef;

use crate::args::FinalArgs;
use crate::envelope::{Envelope, Heard};
use crate::exit::{Failure, Status};
use crate::output;
use crate::reading::{self, Ended, Silence};
use crate::settings::Settings;
use crate::source::{Source, Stream};

pub(crate) fn run(args: &FinalArgs) -> Result<Status, Failure> {
    let settings = Settings::new(&args.reading)?;
    let mut source = Source::open(args.file.as_ref(), args.input.form.input)?;
    let mut out = output::stdout();
    let mut worst = Status::Complete;
    while let Some(stream) = source.next_stream()? {
        let stream = stream.recut(args.input.sizes());
        let ended = if args.envelope {
            print_envelope(&settings, stream, &mut out, args.pretty)?
        } else {
            print_values(&settings, stream, &mut out, args.pretty)?
        };
        out.flush()?;
        worst = worst.max(ended.settle(&settings));
    }
    Ok(worst)
}

fn print_envelope(
    settings: &Settings,
    stream: Stream,
    out: &mut impl Write,
    pretty: bool,
) -> Result<Ended, Failure> {
    let mut heard = Heard::default();
    let ended = reading::read(settings, stream, &mut heard)?;
    let envelope = Envelope::new(&ended, &heard);
    if pretty {
        writeln!(out, "{envelope:#}")?
    } else {
        writeln!(out, "{envelope}")?
    }
    Ok(ended)
}

/// Every root there is, one after the other; nothing where there is none.
fn print_values(
    settings: &Settings,
    stream: Stream,
    out: &mut impl Write,
    pretty: bool,
) -> Result<Ended, Failure> {
    let ended = reading::read(settings, stream, &mut Silence)?;
    match &ended.result {
        Ok(answer) => answer.roots().try_for_each(|value| print_value(value, out, pretty))?,
        Err(_) if ended.value().exists() => print_value(ended.value(), out, pretty)?,
        Err(_) => {}
    }
    Ok(ended)
}

fn print_value(value: ValueRef<'_>, out: &mut impl Write, pretty: bool) -> std::io::Result<()> {
    if pretty { writeln!(out, "{value:#}") } else { writeln!(out, "{value}") }
}
