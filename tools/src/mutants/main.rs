//! Changes the code at random places and says which changes no test sees.
//!
//! All mutants of a sample are compiled into one set of test binaries, each behind a number that an environment
//! variable names. A first run of every test finds which mutants it reaches, so that a mutant costs only the
//! tests that can see it.

mod candidates;
mod equivalents;
mod hunt;
mod judge;
mod modules;
mod mutant;
mod process;
mod render;
mod report;
mod sample;
mod subjects;
mod trace;
mod workspace;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Parser;

use hunt::{Hunt, Known};
use judge::{Judge, Verdict};
use mutant::Mutant;
use report::Judged;
use sample::Sample;
use subjects::{Pace, SUBJECTS, Subject, TestSet};
use trace::Traced;
use workspace::Workspace;

/// Mutants of patchwire's code, and those that no test sees.
#[derive(Parser)]
struct Options {
    /// Which sample is drawn.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many mutants are drawn, of all modules in proportion to their size.
    #[arg(long, default_value_t = 150)]
    count: usize,
    /// The crate whose code is changed; may be repeated.
    #[arg(long = "crate", default_value = "patchwire")]
    crates: Vec<String>,
    /// Most seconds that a binary's tests may take for one mutant, by what they take without one.
    #[arg(long, default_value_t = 15)]
    seconds: u64,
    /// Most seconds that the slow tests may take for a mutant that no quick one sees; 0 leaves them out.
    #[arg(long, default_value_t = 90)]
    slow_seconds: u64,
    /// Only mutants whose file ends with this, or with `FILE:LINE`; may be repeated. All of them are tried.
    #[arg(long)]
    at: Vec<String>,
    /// Only mutants in this list: names as they are printed for survivors, one a line.
    #[arg(long)]
    list: Option<PathBuf>,
    /// How many tests run at once.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// How much they give way to other work.
    #[arg(long, default_value_t = 10)]
    nice: u8,
    /// Prints the names of all mutants that may be drawn, and runs nothing.
    #[arg(long)]
    names: bool,
    /// Searches so many seconds for readings that see mutants of the engine, all or those that are named, and writes them to
    /// the corpus. Prints the mutants that none of them sees, and runs no tests.
    #[arg(long)]
    #[arg(conflicts_with = "crates")]
    hunt: Option<u64>,
    /// With --hunt: a folder of folders of fuzz inputs whose documents are read, too.
    #[arg(long)]
    hunt_texts: Option<PathBuf>,
    /// With --hunt: begins without the readings of the corpus.
    #[arg(long)]
    hunt_anew: bool,
    /// Tries the mutants of the list of equivalent ones, too.
    #[arg(long)]
    with_equivalents: bool,
}

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let tools = Path::new(env!("CARGO_MANIFEST_DIR"));
    let checkout = tools.parent().context("the tools lie in the checkout")?;
    let subjects = options.subjects()?;
    let mut files = Vec::new();
    let mut pool = Vec::new();
    for subject in &subjects {
        let found = modules::files_of_crate(checkout, Path::new(subject.root))?;
        pool.extend(found.iter().flat_map(|file| candidates::candidates(subject.package, file)));
        files.extend(found);
    }
    let listed = equivalents::read(&tools.join("equivalent.txt"))?;
    for key in equivalents::stale(&listed, &pool) {
        println!("the list of equivalent mutants names one that is no more: {key}");
    }
    let everything = pool.len();
    options.narrow(&mut pool)?;
    if options.names {
        pool.iter().for_each(|mutant| println!("{}", mutant.key()));
        return Ok(ExitCode::SUCCESS);
    }
    let is_sample = pool.len() == everything && options.hunt.is_none();
    let count = if is_sample { options.count } else { pool.len() };
    let workspace = Workspace::copy(checkout, subjects.clone(), files)?;
    let sample = Sample::draw(&pool, count, options.seed, &workspace)?;
    let is_listed = |mutant: &Mutant| listed.contains_key(&mutant.key());
    if let Some(seconds) = options.hunt {
        let hunt = options.hunt_of(seconds, checkout, pool.len() < everything);
        let open = hunt.run(&workspace, &sample.numbered())?;
        let open = open.into_iter().filter(|it| !is_listed(it));
        open.for_each(|mutant| println!("{}", mutant.place()));
        return Ok(ExitCode::SUCCESS);
    }
    let judged = judge_all(&options, &workspace, &subjects, &sample, &is_listed)?;
    println!("seed {}, {} mutants\n", options.seed, judged.len());
    println!("{}\n", report::table(&pool, &sample, &judged));
    let survivors = report::survivors(&judged);
    survivors.iter().for_each(|line| println!("{line}"));
    Ok(if survivors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Options {
    /// Most time that the tests of a binary take for a mutant.
    const fn budget(&self, pace: Pace) -> Duration {
        match pace {
            Pace::Quick => Duration::from_secs(self.seconds),
            Pace::Slow => Duration::from_secs(self.slow_seconds),
        }
    }

    fn hunt_of<'a>(&'a self, seconds: u64, checkout: &'a Path, is_narrowed: bool) -> Hunt<'a> {
        let known = match (self.hunt_anew, is_narrowed) {
            (true, _) => Known::Dropped,
            (false, true) => Known::Kept,
            (false, false) => Known::Tried,
        };
        Hunt { checkout, seconds, seed: self.seed, texts: self.hunt_texts.as_deref(), known }
    }

    fn subjects(&self) -> Result<Vec<&'static Subject>> {
        self.crates
            .iter()
            .map(|name| {
                SUBJECTS.iter().find(|it| it.package == *name).with_context(|| {
                    let names: Vec<_> = SUBJECTS.iter().map(|it| it.package).collect();
                    format!("`{name}` is none of: {}", names.join(", "))
                })
            })
            .collect()
    }

    /// Keeps the mutants that `--at` and `--list` name.
    fn narrow(&self, pool: &mut Vec<Mutant>) -> Result<()> {
        let listed = match &self.list {
            Some(path) => Some(std::fs::read_to_string(path)?),
            None => None,
        };
        if !self.at.is_empty() {
            pool.retain(|mutant| {
                let file = mutant.file.display().to_string();
                let place = format!("{file}:{}", mutant.line);
                self.at.iter().any(|at| file.ends_with(at) || place.ends_with(at))
            });
        }
        if let Some(listed) = listed {
            pool.retain(|mutant| {
                let (file, rest) = (mutant.file.display().to_string(), mutant);
                listed.lines().any(|line| {
                    line.starts_with(&file)
                        && line.contains(&format!(" | {} | {}", rest.function, rest.change))
                })
            });
        }
        if pool.is_empty() {
            bail!("there is no such mutant");
        }
        Ok(())
    }
}

/// Builds the tests and judges each mutant, with the tests of its own crate before those of others.
fn judge_all<'a>(
    options: &Options,
    workspace: &Workspace,
    subjects: &[&'static Subject],
    sample: &Sample<'a>,
    is_listed: &(dyn Fn(&Mutant) -> bool + Sync),
) -> Result<Vec<Judged<'a>>> {
    let mut sets: Vec<TestSet> = Vec::new();
    for set in subjects.iter().flat_map(|subject| subject.sets) {
        if !sets.contains(set) && !options.budget(set.pace).is_zero() {
            sets.push(*set);
        }
    }
    eprintln!("{} mutants compile; building the tests", sample.numbered().len());
    let binaries = workspace.build(&sets)?;
    let mut judged: Vec<Judged<'a>> = sample
        .numbered()
        .into_iter()
        .map(|it| Judged {
            number: it.number,
            mutant: it.mutant,
            verdict: Verdict::Survived { tests: 0 },
            is_listed: is_listed(it.mutant),
        })
        .collect();
    for (set, binary, folder) in binaries {
        let is_open = |it: &Judged<'_>| {
            let subject = subjects.iter().find(|subject| subject.package == it.mutant.package);
            let is_seen = subject.is_some_and(|subject| subject.sets.contains(&set));
            let is_open = matches!(it.verdict, Verdict::Survived { .. });
            is_seen && is_open && (options.with_equivalents || !it.is_listed)
        };
        let open: Vec<_> = judged.iter().filter(|it| is_open(it)).map(|it| it.number).collect();
        if open.is_empty() {
            continue;
        }
        let pace = if set.pace == Pace::Slow { "slow " } else { "" };
        eprintln!("{} mutants against the {pace}tests of {}", open.len(), set.package);
        let traced = Traced::new(set, binary, folder, (options.jobs, options.nice))?;
        let budget = options.budget(set.pace);
        let judge = Judge { binary: &traced, budget, nice: options.nice };
        let found = in_parallel(&open, &judge, options.jobs, sample)?;
        for one in &mut judged {
            let Some((_, verdict)) = found.iter().find(|(number, _)| *number == one.number) else {
                continue;
            };
            one.verdict = match (&one.verdict, verdict) {
                (Verdict::Survived { tests: a }, Verdict::Survived { tests: b }) => {
                    Verdict::Survived { tests: a + b }
                }
                (_, verdict) => verdict.clone(),
            };
        }
    }
    Ok(judged)
}

fn in_parallel(
    open: &[usize],
    judge: &Judge<'_>,
    jobs: usize,
    sample: &Sample<'_>,
) -> Result<Vec<(usize, Verdict)>> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let work = || -> Result<()> {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(number) = open.get(at) else { return Ok(()) };
                let verdict = judge.judge(*number)?;
                let mutant = sample.drawn[*number];
                let said = match &verdict {
                    Verdict::Caught { test, .. } => format!("caught by {test}"),
                    Verdict::Hangs { .. } => "hangs".to_owned(),
                    Verdict::Survived { tests } => format!("passes {tests} tests"),
                };
                let file = mutant.file.display();
                eprintln!("{file}:{} {}: {said}", mutant.line, mutant.change);
                found.lock().unwrap_or_else(|it| it.into_inner()).push((*number, verdict));
            }
        };
        #[expect(clippy::needless_collect, reason = "all workers start before one is awaited")]
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|it| it.join().expect("a worker does not panic"))
    })?;
    Ok(found.into_inner().unwrap_or_else(|it| it.into_inner()))
}
