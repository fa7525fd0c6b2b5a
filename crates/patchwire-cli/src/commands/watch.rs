//! `patchwire watch`: an answer as a form that fills in.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use patchwire_samples::tokens;

use super::final_value::Print;
use crate::args::{InputForm, WatchArgs};
use crate::chunk_sizes::ChunkSizes;
use crate::demo::Sample;
use crate::exit::{Failure, Status};
use crate::output;
use crate::pace::Pace;
use crate::partial_answer::PartialAnswer;
use crate::settings::Settings;
use crate::source::{Source, Stream};
use crate::watch::{self, ExitRule, Session, ViewExit};
use crate::{read_stream, stream_result::StreamResult};

pub(crate) fn run(args: &WatchArgs) -> Result<Status, Failure> {
    let (settings, stream, pace) = open(args)?;
    let stream = stream.recorded(args.record.file())?;
    if !watch::is_available() {
        let mut partial = PartialAnswer::default();
        let ended = read_stream::read(&settings, stream, &mut partial)?;
        print(&settings, &ended, &partial)?;
        return Ok(ended.report(&settings));
    }
    let mut stream = stream;
    let mut session = Session::new(&mut stream, &settings);
    let ending = if args.exit { ExitRule::AtStreamEnd } else { ExitRule::OnQuit };
    let feed = watch::spawn_reader(stream, pace);
    let way = watch::watch(feed, &mut session, ending).map_err(Failure::Screen)?;
    let left = session.leave()?;
    if way == ViewExit::BeforeEnd {
        output::note(&"left before the stream ended: this is the value so far");
    }
    print(&settings, &left.ended, &left.partial)?;
    match left.broken {
        Some(failure) => Err(failure),
        // A body that was left early has no end; that is not an error.
        None if way == ViewExit::BeforeEnd && left.ended.body().is_some() => {
            let has_value = left.ended.has_value(&settings);
            Ok(if has_value { Status::Complete } else { Status::NoValue })
        }
        None => Ok(left.ended.report(&settings)),
    }
}

/// The stream, how it is read, and how fast it is shown.
fn open(args: &WatchArgs) -> Result<(Settings, Stream, Pace), Failure> {
    if let Some(show) = demo(args) {
        let sample = Sample::of(&show)?;
        let stream = Stream::of("demo", tokens(sample.text).map(str::to_owned).collect());
        return Ok((sample.settings, stream, args.speed));
    }
    let settings = Settings::checking(&args.reading, &args.checking)?;
    let form = args.input.form.input;
    let mut source = Source::open(args.file.as_ref(), form)?;
    let stream = source.stream_on(args.line.map(std::num::NonZero::get))?;
    let is_live = is_stdin(args) && form != InputForm::Recording;
    let pace = if is_live { Pace::Live } else { args.speed };
    let stream = match args.input.sizes() {
        Some(sizes) => stream.recut(Some(sizes)),
        None if is_live || form == InputForm::Recording => stream,
        None if form == InputForm::Raw => stream.recut(Some(ChunkSizes::tokens(0))),
        None => stream.by_events(),
    };
    Ok((settings, stream, pace))
}

fn is_stdin(args: &WatchArgs) -> bool {
    args.file.as_deref().is_none_or(|file| file == Path::new("-"))
}

/// The sample of `--demo`. Without any input, the first sample.
fn demo(args: &WatchArgs) -> Option<patchwire_samples::Sample> {
    let is_idle = args.file.is_none() && io::stdin().is_terminal();
    args.demo.or_else(|| patchwire_samples::all().next().filter(|_| is_idle))
}

/// Prints the value, as `final` does.
fn print(
    settings: &Settings,
    ended: &StreamResult,
    partial: &PartialAnswer,
) -> Result<(), Failure> {
    let mut out = output::stdout();
    Print { out: &mut out, pretty: false }.values(ended, partial, settings)?;
    Ok(out.flush()?)
}
