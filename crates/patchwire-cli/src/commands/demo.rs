//! `patchwire demo`: shows a built-in answer, with no setup.

use std::io::{self, IsTerminal as _};
use std::thread;
use std::time::Duration;

use anstream::AutoStream;
use patchwire::{Event, Format};
use patchwire_samples as samples;

use crate::args::{DemoArgs, WireArgs};
use crate::demo::{DemoPage, ElementLines, FieldLines, Sample};
use crate::exit::{Failure, Status};
use crate::output;
use crate::protocol_output::ProtocolOutput;
use crate::settings::Settings;
use crate::source::Stream;
use crate::{read_stream, sink::Sink};

/// Seconds between two tokens.
const PAUSE: f64 = 1.0 / 40.0;

pub(crate) fn run(args: &DemoArgs) -> Result<Status, Failure> {
    let sample = Sample::of(&args.show)?;
    let tokens: Vec<_> = samples::tokens(sample.text).map(str::to_owned).collect();
    let count = tokens.len();
    let stream = Stream::of("demo", tokens);
    let pause = pause(args.speed);
    if args.json {
        let lines =
            ProtocolOutput::new(output::stdout(), &WireArgs::default(), args.values.values)?;
        return show(&sample.settings, stream, Paced { sink: lines, pause });
    }
    let page = DemoPage::new(AutoStream::auto(io::stdout().lock()), output::width());
    if sample.settings.format == Format::Text {
        let sink = ElementLines::begin(page, &sample, count)?;
        return show(&sample.settings, stream, Paced { sink, pause });
    }
    let sink = FieldLines::begin(page, &sample, count)?;
    show(&sample.settings, stream, Paced { sink, pause })
}

fn show(
    settings: &Settings,
    stream: Stream,
    mut sink: Paced<impl Sink>,
) -> Result<Status, Failure> {
    let ended = read_stream::read(settings, stream, &mut sink)?;
    Ok(ended.report(settings))
}

/// The pause between two tokens. Only a terminal has one.
fn pause(speed: f64) -> Duration {
    if speed > 0.0 && io::stdout().is_terminal() {
        Duration::from_secs_f64(PAUSE / speed)
    } else {
        Duration::ZERO
    }
}

/// A sink that pauses after each chunk, to be as fast as a model writes.
struct Paced<S> {
    sink: S,
    pause: Duration,
}

impl<S: Sink> Sink for Paced<S> {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        self.sink.event(event)
    }

    fn chunk_done(&mut self) -> io::Result<()> {
        self.sink.chunk_done()?;
        thread::sleep(self.pause);
        Ok(())
    }
}
