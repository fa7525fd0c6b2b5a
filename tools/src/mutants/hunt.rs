//! Searches for readings that see mutants, in one process that switches mutants on and off.
//!
//! A reading is a text of the corpus, or one that a seed writes, with slips, and with settings that a seed chooses. The search
//! keeps readings that reach a mutant and changes them until one gives another result with the mutant.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::mutant::Mutant;
use crate::render::Numbered;
use crate::workspace::Workspace;

/// The search, a module of the engine's tests.
const SEARCH: &str = include_str!("hunt.rs.txt");

/// Memory that the search may address, in KiB.
const MEMORY: u32 = 12 << 20;

/// What a search does with the readings that the corpus has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// It begins without them.
    Dropped,
    /// They are tried again, and stay if they see something.
    Tried,
    /// They stay: the search is for some mutants only.
    Kept,
}

/// What to search, and for how long.
pub(crate) struct Hunt<'a> {
    pub(crate) checkout: &'a Path,
    pub(crate) seconds: u64,
    pub(crate) seed: u64,
    /// A folder of folders of inputs of the fuzz targets; their documents are texts, too.
    pub(crate) texts: Option<&'a Path>,
    /// What becomes of the readings that are known.
    pub(crate) known: Known,
}

impl Hunt<'_> {
    /// Searches, writes the list of the readings that see mutants, and gives the mutants that none of them sees.
    pub(crate) fn run<'m>(
        &self,
        workspace: &Workspace,
        mutants: &[Numbered<'m>],
    ) -> Result<Vec<&'m Mutant>> {
        let binary = workspace.build_search(SEARCH)?;
        let folder = self.checkout.join("target/mutants/hunt");
        let list = self.checkout.join("corpus/found.ndjson");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let numbers: String = mutants.iter().map(|it| format!("{}\n", it.number)).collect();
        fs::write(folder.join("mutants"), numbers)?;
        let known = fs::read_to_string(&list).unwrap_or_default();
        if self.known == Known::Tried {
            fs::write(folder.join("replay"), &known)?;
        }
        self.search(&binary, &folder)?;
        let found = fs::read_to_string(folder.join("found")).unwrap_or_default();
        let kept = if self.known == Known::Kept { known } else { String::new() };
        fs::write(&list, kept + &found)?;
        let seen = read_numbers(&folder.join("seen"));
        Ok(mutants.iter().filter(|it| !seen.contains(&it.number)).map(|it| it.mutant).collect())
    }

    /// Runs the search until its time is over. A mutant that ends the process is seen.
    fn search(&self, (binary, crate_folder): &(PathBuf, PathBuf), folder: &Path) -> Result<()> {
        let end = Instant::now() + Duration::from_secs(self.seconds);
        let mut seed = self.seed;
        let mut crashes = 0;
        loop {
            let left = end.saturating_duration_since(Instant::now()).as_secs();
            let mut command = Command::new("sh");
            let limits = format!("ulimit -v {MEMORY}; ulimit -c 0; exec nice \"$0\" \"$@\"");
            command
                .args(["-c", &limits])
                .arg(binary)
                .args(["--exact", "fingerprints::hunt::hunt", "--nocapture"])
                .current_dir(crate_folder)
                .env("PATCHWIRE_HUNT", folder)
                .env("PATCHWIRE_HUNT_SECONDS", left.max(1).to_string())
                .env("PATCHWIRE_HUNT_SEED", seed.to_string())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            if let Some(texts) = self.texts {
                command.env("PATCHWIRE_HUNT_TEXTS", texts);
            }
            let status = command.status().context("cannot start the search")?;
            if status.success() {
                return Ok(());
            }
            let current = fs::read_to_string(folder.join("current")).unwrap_or_default();
            let Ok(number) = current.trim().parse::<usize>() else {
                bail!("the search ends with {status} before it tries a mutant");
            };
            crashes += 1;
            eprintln!("mutant {number} ends the process ({crashes} so far)");
            append(&folder.join("seen"), &format!("{number}\n"))?;
            seed += 1;
            if left == 0 {
                return Ok(());
            }
        }
    }
}

fn append(path: &Path, text: &str) -> Result<()> {
    let known = fs::read_to_string(path).unwrap_or_default();
    Ok(fs::write(path, known + text)?)
}

fn read_numbers(path: &Path) -> BTreeSet<usize> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}
