//! What the figures were measured on.

use std::fs;
use std::io::{self, Write};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use patchwire_benches::race::Plan;

/// The top of the page: date, machine, compiler, commands, and how to read it.
pub(crate) fn preface(out: &mut impl Write, plan: Plan, note: Option<&str>) -> io::Result<()> {
    writeln!(out, "# Results\n")?;
    writeln!(out, "- Date: {}", today())?;
    write!(out, "- Machine: {}, {} cores", processor(), cores())?;
    match note {
        Some(note) => writeln!(out, "; {note}")?,
        None => writeln!(out)?,
    }
    writeln!(
        out,
        "- Compiler: {}; fat LTO, one codegen unit, base target",
        said_by("rustc", &["-V"])
    )?;
    let commit = said_by("git", &["describe", "--always", "--dirty", "--exclude", "*"]);
    writeln!(out, "- Source: {commit}")?;
    writeln!(out, "\nRun from the root of the repository, to make this page:\n")?;
    writeln!(out, "```sh\n{RUN} --bin table{} > benches/RESULTS.md", arguments())?;
    writeln!(out, "{RUN} --bin allocations >> benches/RESULTS.md")?;
    writeln!(out, "{RUN} --bin surfaces -- --pictures docs/media >> benches/RESULTS.md")?;
    writeln!(
        out,
        "python3 benches/gateway/bench.py target/release/patchwire >> benches/RESULTS.md\n```\n"
    )?;
    let (rounds, turn) = (plan.rounds, plan.turn.as_millis());
    writeln!(
        out,
        "All readers run in one process, in turn, for {rounds} rounds. A turn is as many runs as \
         fit\ninto {turn} ms, or one; what runs long gets fewer rounds. What counts is the CPU time \
         of"
    )?;
    writeln!(out, "{HOW_TO_READ}")
}

const RUN: &str = "cargo run --release --manifest-path benches/Cargo.toml";

const HOW_TO_READ: &str = "\
the thread; a figure is the median of its rounds. In brackets: how many times the time of
patchwire's first row, which is divided round by round; the median of these ratios is shown.

Ratios hold better than figures: a machine that changes its speed between two rounds changes the
figures, and no ratio. So the ratio in a cell may differ a little from that of the two figures. A
difference of a tenth is none.

Each time is that of a whole stream: a new parser, every chunk, the end. Readers that want the whole
text collect the chunks first. *value so far* is read at every event, as its length. Readers that read
everything again after each chunk are measured at 10 KB only: they grow with the square.";

/// What this program was given, as a shell takes it; nothing if that was nothing.
fn arguments() -> String {
    let all: Vec<String> = std::env::args().skip(1).collect();
    let quoted = all.iter().map(|argument| {
        if argument.contains(' ') { format!("'{argument}'") } else { argument.clone() }
    });
    let joined = quoted.collect::<Vec<_>>().join(" ");
    if joined.is_empty() { joined } else { format!(" -- {joined}") }
}

fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (year, month, day) = date(since.as_secs() / 86_400);
    format!("{year}-{month:02}-{day:02}")
}

/// The date of a day since 1970, by counting years and months off.
fn date(mut days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

fn processor() -> String {
    let all = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = all.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What a command prints; a question mark if it does not run.
fn said_by(command: &str, args: &[&str]) -> String {
    let output = Command::new(command).args(args).output().ok();
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok());
    text.map_or_else(|| "?".to_owned(), |text| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_are_dates() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(59), (1970, 3, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_454), (2026, 1, 1));
        assert_eq!(date(20_453), (2025, 12, 31));
    }
}
