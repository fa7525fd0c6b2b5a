//! `patchwire final`: the final value, or all that is known of the answer.

use core::fmt::Display;
use std::io::Write;

use crate::args::{FinalArgs, Format};
use crate::envelope::Envelope;
use crate::exit::{Failure, Status};
use crate::heard::Heard;
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
    let envelope = Envelope::new(&ended, &heard, settings.format);
    print(envelope, out, pretty)?;
    Ok(ended)
}

/// Every root there is, one after the other; nothing where there is none.
fn print_values(
    settings: &Settings,
    stream: Stream,
    out: &mut impl Write,
    pretty: bool,
) -> Result<Ended, Failure> {
    if settings.format == Format::Text {
        return print_text(settings, stream, out, pretty);
    }
    let ended = reading::read(settings, stream, &mut Silence)?;
    match &ended.result {
        Ok(answer) => answer.roots().try_for_each(|value| print(value, out, pretty))?,
        Err(_) if ended.value().exists() => print(ended.value(), out, pretty)?,
        Err(_) => {}
    }
    Ok(ended)
}

/// The value where there is one, else the text as a JSON string; nothing where that is blank.
fn print_text(
    settings: &Settings,
    stream: Stream,
    out: &mut impl Write,
    pretty: bool,
) -> Result<Ended, Failure> {
    let mut heard = Heard::default();
    let ended = reading::read(settings, stream, &mut heard)?;
    if ended.value().exists() {
        print(ended.value(), out, pretty)?;
        return Ok(ended);
    }
    let text = ended.result.as_ref().map_or_else(|_| heard.text(), |answer| answer.text());
    if !text.trim().is_empty() {
        print(serde_json::Value::from(text), out, pretty)?;
    }
    Ok(ended)
}

fn print(json: impl Display, out: &mut impl Write, pretty: bool) -> std::io::Result<()> {
    if pretty { writeln!(out, "{json:#}") } else { writeln!(out, "{json}") }
}
