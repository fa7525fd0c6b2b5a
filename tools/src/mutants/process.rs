//! Test binaries as processes with limits.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// Memory that a test may address, in KiB: a mutant that takes memory without end is stopped.
const MEMORY: u32 = 8 << 20;

/// How much longer than its limit a run may take by the clock: a deadlock takes no time on a processor.
const PATIENCE: u32 = 4;

/// A run of tests of one binary.
pub(crate) struct Run<'a> {
    pub(crate) binary: &'a PathBuf,
    pub(crate) folder: &'a PathBuf,
    pub(crate) tests: Vec<&'a str>,
    /// A mutant's number, a file for the trace, or nothing.
    pub(crate) mutant: OsString,
    /// Most time on a processor, so that other work on the machine does not look like a hang.
    pub(crate) limit: Duration,
    pub(crate) nice: u8,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Passed,
    /// The first test that failed, or the last one that began before the process died.
    Failed(String),
    OutOfTime,
}

impl Run<'_> {
    /// Runs the tests until the first one fails.
    pub(crate) fn run(&self) -> Result<Ended> {
        let mut child = self.start()?;
        let group = rustix::process::Pid::from_child(&child);
        let kill = || {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        };
        let is_over = AtomicBool::new(false);
        let ended = std::thread::scope(|scope| {
            let clock = scope.spawn(|| {
                let start = Instant::now();
                while !is_over.load(Ordering::Relaxed) {
                    if start.elapsed() > self.limit * PATIENCE {
                        kill();
                        return true;
                    }
                    std::thread::park_timeout(Duration::from_millis(200));
                }
                false
            });
            let failed = first_failure(&mut child);
            kill();
            is_over.store(true, Ordering::Relaxed);
            clock.thread().unpark();
            (failed, clock.join().unwrap_or(false))
        });
        let status = child.wait().context("cannot wait for a test")?;
        Ok(match ended {
            ((_, Some(failed)), _) => Ended::Failed(failed),
            (_, true) => Ended::OutOfTime,
            ((Progress { is_whole: true, .. }, None), false) => Ended::Passed,
            ((Progress { last, .. }, None), false) => match status.signal() {
                Some(signal) if signal == rustix::process::Signal::XCPU.as_raw() => {
                    Ended::OutOfTime
                }
                Some(_) => Ended::Failed(format!("{last} (crashed)")),
                None => Ended::Failed(format!("{last} (died)")),
            },
        })
    }

    fn start(&self) -> Result<Child> {
        let mut command = Command::new("sh");
        command
            .args([
                "-c",
                &format!(
                    "ulimit -v {MEMORY}; ulimit -c 0; ulimit -S -t {}; exec nice -n {} \"$0\" \"$@\"",
                    self.limit.as_secs().max(1),
                    self.nice
                ),
            ])
            .arg(self.binary)
            .args(["--exact", "--test-threads", "1"])
            .args(&self.tests)
            .current_dir(self.folder)
            .env("PATCHWIRE_MUTANT", &self.mutant)
            .env("RUST_BACKTRACE", "0")
            .env_remove("PATCHWIRE_STREAMS")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0);
        command.spawn().with_context(|| format!("cannot start {}", self.binary.display()))
    }
}

/// How far a binary came.
#[derive(Default)]
struct Progress {
    last: String,
    is_whole: bool,
}

/// Reads what a test binary prints, up to the first failure.
fn first_failure(child: &mut Child) -> (Progress, Option<String>) {
    let mut progress = Progress::default();
    let Some(output) = child.stdout.take() else { return (progress, None) };
    for line in BufReader::new(output).split(b'\n') {
        let Ok(line) = line else { break };
        let line = String::from_utf8_lossy(&line).into_owned();
        if let Some(rest) = line.strip_prefix("test result: ") {
            progress.is_whole = rest.starts_with("ok");
            break;
        }
        if let Some((name, _)) = line.strip_prefix("test ").and_then(|it| it.split_once(" ... ")) {
            name.clone_into(&mut progress.last);
        }
        if line.ends_with("FAILED") {
            let failed = progress.last.clone();
            return (progress, Some(failed));
        }
    }
    (progress, None)
}

/// The names of the tests of a binary.
pub(crate) fn list(binary: &PathBuf, folder: &PathBuf) -> Result<Vec<String>> {
    let output = Command::new(binary)
        .args(["--list", "--format", "terse"])
        .current_dir(folder)
        .output()
        .with_context(|| format!("cannot start {}", binary.display()))?;
    let text = String::from_utf8(output.stdout).context("the list of tests is no text")?;
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}
