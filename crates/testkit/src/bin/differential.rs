//! Reads generated texts with the engine and with an oracle until stopped, and prints the differences.
//!
//! ```text
//! cargo run -p testkit --release --bin differential -- [--format NAME] [--seed N] \
//!     [--seconds N] [--texts N] [--most N] [--flagged]
//! ```
//!
//! The format is `yaml_literal` by default; the others are `xml_field`, `hybrid` and `markdown`. The texts
//! depend on the seed alone (default 1). The program ends after a number of seconds (60), texts, or
//! differences (20). Each text is read whole, byte by byte and at random cuts. A text with a difference is
//! reduced before it is printed. If the engine has a notice of a repair or a loss, the difference is
//! flagged: flagged ones are counted, and printed with `--flagged`. The status is 1 if there is a
//! difference without a flag.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use testkit::differential::reduce::reduced;
use testkit::differential::texts::Texts;
use testkit::differential::{Difference, DifferentialCase, difference};
use testkit::oracle::fields::Format;

fn main() -> io::Result<ExitCode> {
    let options = Options::read(std::env::args().skip(1));
    // A panic is reported as a difference. Without this hook each step of a reduction would print it again.
    std::panic::set_hook(Box::new(|_| {}));
    let mut out = io::stdout().lock();
    let started = Instant::now();
    let mut found = Found::default();
    for case in Texts::new(options.format, options.seed) {
        let over = started.elapsed() >= options.time || Some(found.texts) == options.texts;
        if over || found.printed.len() >= options.most {
            break;
        }
        found.texts += 1;
        if let Some(difference) = difference(&case) {
            found.add(&mut out, &case, &difference, options.flagged)?;
        }
        if found.texts.is_multiple_of(1 << 20) {
            found.tell(&mut out, started)?;
        }
    }
    found.tell(&mut out, started)?;
    Ok(if found.silent == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The results so far.
#[derive(Default)]
struct Found {
    texts: u64,
    silent: u64,
    flagged: u64,
    printed: BTreeSet<String>,
}

impl Found {
    fn add(
        &mut self,
        out: &mut impl Write,
        case: &DifferentialCase,
        found: &Difference,
        flagged: bool,
    ) -> io::Result<()> {
        let counted = if found.is_flagged { &mut self.flagged } else { &mut self.silent };
        *counted += 1;
        if found.is_flagged && !flagged {
            return Ok(());
        }
        let (small, found) = reduced(case, found);
        if !self.printed.insert(small.text.clone()) {
            return Ok(());
        }
        let flag = if found.is_flagged { "flagged" } else { "silent" };
        let valid = if found.is_valid { "valid" } else { "not valid" };
        writeln!(out, "text {}, {flag}, {valid}: {:?}", self.texts, small.text)?;
        match &small.schema {
            None => writeln!(out, "  nothing declared")?,
            Some(schema) => writeln!(out, "  {schema:?}")?,
        }
        writeln!(out, "  {}", found.why)?;
        out.flush()
    }

    fn tell(&self, out: &mut impl Write, started: Instant) -> io::Result<()> {
        let Self { texts, silent, flagged, .. } = self;
        let seconds = started.elapsed().as_secs_f64();
        let rate = *texts as f64 / seconds;
        writeln!(
            out,
            "{texts} texts in {seconds:.0} s ({rate:.0} a second): {silent} silent differences, \
             {flagged} flagged"
        )?;
        out.flush()
    }
}

struct Options {
    format: Format,
    seed: u64,
    time: Duration,
    texts: Option<u64>,
    most: usize,
    flagged: bool,
}

impl Options {
    fn read(mut args: impl Iterator<Item = String>) -> Self {
        let mut options = Self {
            format: Format::YamlLiteral,
            seed: 1,
            time: Duration::from_secs(60),
            texts: None,
            most: 20,
            flagged: false,
        };
        while let Some(arg) = args.next() {
            if arg == "--flagged" {
                options.flagged = true;
                continue;
            }
            let value = args.next().unwrap_or_default();
            let number = || value.parse().expect("a number behind the option");
            match &*arg {
                "--format" => options.format = Format::of(&value).expect("a format of that name"),
                "--seed" => options.seed = number(),
                "--seconds" => options.time = Duration::from_secs(number()),
                "--texts" => options.texts = Some(number()),
                "--most" => options.most = value.parse().expect("a number behind --most"),
                other => panic!("no option {other}"),
            }
        }
        options
    }
}
