//! Which tests reach which mutants, and how long they take.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::process::{Ended, Run, list};
use crate::subjects::TestSet;

/// A binary with its tests.
pub(crate) struct Traced {
    pub(crate) set: TestSet,
    pub(crate) binary: PathBuf,
    pub(crate) folder: PathBuf,
    pub(crate) tests: Vec<TracedTest>,
}

/// A test as it runs without a mutant.
pub(crate) struct TracedTest {
    pub(crate) name: String,
    pub(crate) takes: Duration,
    pub(crate) reached: BTreeSet<usize>,
}

impl Traced {
    /// Runs each test of a set alone.
    pub(crate) fn new(
        set: TestSet,
        binary: PathBuf,
        folder: PathBuf,
        (jobs, nice): (usize, u8),
    ) -> Result<Self> {
        let mut names = list(&binary, &folder)?;
        names.retain(|name| {
            let begins = |with: &&str| name.starts_with(*with);
            (set.only.is_empty() || set.only.iter().any(begins)) && !set.skip.iter().any(begins)
        });
        let next = AtomicUsize::new(0);
        let tests = Mutex::new(Vec::new());
        let scratch = binary.with_extension("traces");
        std::fs::create_dir_all(&scratch)?;
        std::thread::scope(|scope| {
            let work = || -> Result<()> {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(name) = names.get(at) else { return Ok(()) };
                    let file = scratch.join(at.to_string());
                    let run = Run {
                        binary: &binary,
                        folder: &folder,
                        tests: vec![name],
                        mutant: (&file).into(),
                        limit: set.pace.longest(),
                        nice,
                    };
                    if let Some(test) = trace(run, &file)? {
                        tests.lock().unwrap_or_else(|it| it.into_inner()).push(test);
                    }
                }
            };
            #[expect(clippy::needless_collect, reason = "all workers start before one is awaited")]
            let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|it| it.join().expect("a worker does not panic"))
        })?;
        std::fs::remove_dir_all(&scratch)?;
        let mut tests = tests.into_inner().unwrap_or_else(|it| it.into_inner());
        tests.sort_by_key(|test| test.takes);
        Ok(Self { set, binary, folder, tests })
    }
}

/// Runs a test alone; none if it fails or is slow. What it reaches comes to the file.
fn trace(run: Run<'_>, file: &Path) -> Result<Option<TracedTest>> {
    let name = run.tests[0];
    let _ = std::fs::remove_file(file);
    let start = Instant::now();
    let ended = run.run()?;
    let takes = start.elapsed();
    let reached = std::fs::read_to_string(file).unwrap_or_default();
    match ended {
        Ended::Passed => {
            let reached = reached.lines().filter_map(|line| line.parse().ok()).collect();
            Ok(Some(TracedTest { name: name.to_owned(), takes, reached }))
        }
        Ended::OutOfTime => {
            eprintln!("left out: {name} takes more than {} seconds", run.limit.as_secs());
            Ok(None)
        }
        Ended::Failed(_) => {
            eprintln!("left out: {name} fails without a mutant");
            Ok(None)
        }
    }
}
