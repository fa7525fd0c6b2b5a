//! Checks that the time to read a hostile input grows no faster than the input.
//!
//! ```text
//! cargo run -p testkit --release --bin growth -- [--shape NAME] [--way NAME] [--chunk BYTES] \
//!     [--least MILLISECONDS] [--from BYTES] [--settings]
//! ```
//!
//! With `--settings` the shapes are schemas, paths, tag sets and answers to them, as a client sends them.
//!
//! Each shape is read at a size N and at twice that size, in each reading mode, byte by byte, in chunks of
//! 4096 bytes (`--chunk` sets another size) and in one piece. N begins at 64 KiB (`--from`) and doubles, up
//! to 1 MiB, until one reading takes 5 milliseconds (`--least`). Faster readings are repeated. Times are
//! processor times, the least of several.
//!
//! The status is 1 if the time of a shape grows faster than its input: if T(2N) / T(N) is above 2.2 for N
//! and four sizes around it, and a byte costs more than fresh memory for it does. A single steep doubling
//! is not enough, because it may come from a cache that became too small.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use cpu_time::ThreadTime;
use testkit::hostile::settings::{self, SettingsShape};
use testkit::hostile::{self, Shape};
use testkit::reading_modes::ReadingMode;

/// What is printed where an option is wrong.
const USAGE: &str = "options: --shape NAME, --way NAME, --chunk BYTES, --least MILLISECONDS, --from BYTES, --settings";
/// The greatest allowed growth of the time when the input doubles.
const MOST: f64 = 2.2;
/// The number of readings of which the least time counts.
const RUNS: u32 = 7;
/// A growth and a duration that only superlinear work reaches: no more sizes are tried.
const HOPELESS: (f64, Duration) = (3.2, Duration::from_millis(250));
/// Seconds per byte below which the time is that of fresh memory pages.
const FLOOR: f64 = 2.5e-9;
/// Shapes whose cost only appears from a size on.
const LATE: [(&str, usize); 1] = [("wide_then_small_objects", 8 << 20)];
const LARGEST: usize = 1 << 20;

fn main() -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let options = match Options::read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(problem) => {
            writeln!(out, "{problem}\n{USAGE}")?;
            return Ok(ExitCode::from(2));
        }
    };
    write!(out, "{:<12} {:<30} {:>5} {:>9}", "way", "shape", "chunk", "N bytes")?;
    writeln!(out, " {:>9} {:>9} {:>8} {:>6}", "T(N) ms", "T(2N) ms", "ns/byte", "ratio")?;
    let chosen =
        |name: &str, wanted: &Option<String>| wanted.as_deref().is_none_or(|wanted| wanted == name);
    let (mut measured, mut failed) = (0, 0);
    let tried = hostile::tried();
    if options.settings {
        for shape in settings::all().iter().filter(|shape| chosen(shape.name, &options.shape)) {
            let growth = settle(&shape_work(*shape), &options, LARGEST);
            measured += 1;
            failed += u32::from(!growth.is_linear());
            growth.print(&mut out, ("settings", shape.name, 4096))?;
        }
        writeln!(out, "{measured} measured, {failed} grow faster than their input")?;
        return Ok(status(measured, failed));
    }
    for (way, shapes) in tried.iter().filter(|(way, _)| chosen(way.name, &options.way)) {
        for shape in shapes.iter().filter(|shape| chosen(shape.name, &options.shape)) {
            for &chunk in &options.chunks {
                let late = LATE.iter().find(|(name, _)| *name == shape.name);
                let options = options.from(late.map_or(0, |(_, from)| *from));
                let growth = settle(&reading(way, *shape, chunk), &options, LARGEST);
                measured += 1;
                failed += u32::from(!growth.is_linear());
                growth.print(&mut out, (way.name, shape.name, chunk))?;
            }
        }
    }
    writeln!(out, "{measured} measured, {failed} grow faster than their input")?;
    Ok(status(measured, failed))
}

const fn status(measured: u32, failed: u32) -> ExitCode {
    if failed == 0 && measured > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The times at a size and at twice that size.
#[derive(Debug, Clone, Copy)]
struct Growth {
    size: usize,
    once: Duration,
    twice: Duration,
}

impl Growth {
    fn ratio(&self) -> f64 {
        self.twice.as_secs_f64() / self.once.as_secs_f64()
    }

    fn is_linear(&self) -> bool {
        let each = self.twice.as_secs_f64() / (2 * self.size) as f64;
        self.ratio() <= MOST || each < FLOOR
    }

    fn is_hopeless(&self) -> bool {
        self.ratio() > HOPELESS.0 && self.twice > HOPELESS.1
    }

    fn print(&self, out: &mut impl Write, (way, shape, chunk): Named<'_>) -> io::Result<()> {
        let (once, twice) = (self.once.as_secs_f64() * 1e3, self.twice.as_secs_f64() * 1e3);
        let each = twice * 1e6 / (2 * self.size) as f64;
        let (size, ratio) = (self.size, self.ratio());
        let chunk = if chunk == usize::MAX { "all".to_owned() } else { chunk.to_string() };
        let mark = if self.is_linear() { "" } else { "  <<" };
        write!(out, "{way:<12} {shape:<30} {chunk:>5} {size:>9} {once:>9.2} {twice:>9.2}")?;
        writeln!(out, " {each:>8.1} {ratio:>6.2}{mark}")?;
        out.flush()
    }
}

/// The names of a mode and a shape, and the chunk size.
type Named<'a> = (&'a str, &'a str, usize);

/// Makes the work of a size.
type Work<'w> = Box<dyn Fn(usize) -> Box<dyn Fn() + 'w> + 'w>;

/// Reading a shape: all chunks, the end, and dropping the parser.
fn reading(way: &ReadingMode, shape: Shape, chunk: usize) -> Work<'_> {
    Box::new(move |size| {
        let input = (shape.make)(size);
        Box::new(move || {
            let mut parser = way.spec.parser();
            let read = input.chunks(chunk).try_for_each(|chunk| parser.feed(chunk, |_| {}));
            let answer = read.and_then(|()| parser.finish(|_| {}));
            drop((answer, parser));
        })
    })
}

/// Compiling settings, and reading an answer with them.
fn shape_work(shape: SettingsShape) -> Work<'static> {
    Box::new(move |size| {
        let task = (shape.make)(size);
        Box::new(move || drop(task.run()))
    })
}

/// Measures at more sizes until the growth is linear or all sizes were tried.
fn settle(work: &Work<'_>, options: &Options, largest: usize) -> Growth {
    let size = long_enough(work, options, largest);
    let first = measure(work, size, options);
    let mut found = first;
    for size in [2 * size, 4 * size, size / 2, size / 4] {
        if found.is_linear() {
            return found;
        }
        if found.is_hopeless() {
            break;
        }
        found = measure(work, size, options);
    }
    if found.is_linear() { found } else { first }
}

/// The size at which the work takes long enough to measure.
fn long_enough(work: &Work<'_>, options: &Options, largest: usize) -> usize {
    let mut size = options.from;
    while size < largest && time(&work(size), 1) < options.least {
        size *= 2;
    }
    size
}

fn measure(work: &Work<'_>, size: usize, options: &Options) -> Growth {
    let (short, long) = (work(size), work(2 * size));
    let first = time(&short, 1).as_secs_f64();
    let times = (options.least.as_secs_f64() / first).ceil().clamp(1.0, 1e4) as u32;
    let mut growth = Growth { size, once: Duration::MAX, twice: Duration::MAX };
    // Alternate both sizes, so that a slow machine slows both.
    for run in 0..RUNS {
        growth.once = growth.once.min(time(&short, times));
        growth.twice = growth.twice.min(time(&long, times));
        if growth.is_hopeless() || run > 1 && growth.is_linear() {
            break;
        }
    }
    growth
}

/// The mean time of the work.
fn time(work: &dyn Fn(), times: u32) -> Duration {
    let started = ThreadTime::now();
    for _ in 0..times {
        work();
    }
    started.elapsed() / times
}

struct Options {
    shape: Option<String>,
    way: Option<String>,
    chunks: Vec<usize>,
    least: Duration,
    from: usize,
    settings: bool,
}

impl Options {
    /// These options, beginning with at least this size.
    fn from(&self, size: usize) -> Self {
        let (shape, way, chunks) = (self.shape.clone(), self.way.clone(), self.chunks.clone());
        Self { shape, way, chunks, from: self.from.max(size), ..*self }
    }

    /// # Errors
    /// What is wrong with an option.
    fn read(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            shape: None,
            way: None,
            chunks: vec![1, 4096, usize::MAX],
            least: Duration::from_millis(5),
            from: 64 << 10,
            settings: false,
        };
        while let Some(name) = args.next() {
            if name == "--settings" {
                options.settings = true;
                continue;
            }
            let mut value = || args.next().ok_or_else(|| format!("`{name}` needs a value"));
            let mut number = || {
                let value = value()?;
                value
                    .parse::<usize>()
                    .map_err(|_| format!("`{name}` needs a number, not `{value}`"))
            };
            match &*name {
                "--chunk" => options.chunks = vec![number()?.max(1)],
                "--from" => options.from = number()?,
                "--least" => options.least = Duration::from_millis(number()? as u64),
                "--shape" => options.shape = Some(value()?),
                "--way" => options.way = Some(value()?),
                _ => return Err(format!("there is no option `{name}`")),
            }
        }
        Ok(options)
    }
}
