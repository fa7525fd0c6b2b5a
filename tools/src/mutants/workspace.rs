//! The copy of the workspace that is rewritten and built.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::modules::SourceFile;
use crate::mutant::Mutant;
use crate::render::{Numbered, Rendered};
use crate::subjects::{FEATURES, Pace, Subject, Target, TestSet};

/// Folders and files of the checkout that builds and tests read.
const COPIED: [&str; 8] = [
    "Cargo.toml",
    "Cargo.lock",
    "README.md",
    "CONTRIBUTING.md",
    "crates",
    "corpus",
    "docs",
    "fuzz",
];

/// Optimised as far as it pays for tests that run once a mutant.
const TESTING: &[&str] = &["profile.test.package.patchwire.opt-level=1"];

/// The search reads millions of times.
const SEARCHING: &[&str] =
    &["profile.test.package.patchwire.opt-level=2", "profile.test.opt-level=1"];

/// What makes the switch of a crate.
const SWITCH: &str = include_str!("switch.rs.txt");

/// The copy, with the files of the crates that are mutated.
pub(crate) struct Workspace {
    folder: PathBuf,
    target: PathBuf,
    subjects: Vec<&'static Subject>,
    files: Vec<SourceFile>,
}

/// What the compiler says against the mutants.
pub(crate) enum Checked {
    Compiles,
    /// The numbers of the mutants at whose places there are errors.
    Refused(Vec<usize>),
}

impl Workspace {
    /// Copies the checkout. Only files that differ are written, so that nothing else is built again.
    pub(crate) fn copy(
        checkout: &Path,
        subjects: Vec<&'static Subject>,
        files: Vec<SourceFile>,
    ) -> Result<Self> {
        let base = checkout.join("target/mutants");
        // Of each choice of crates, so that two runs may go on at once.
        let names: Vec<_> = subjects.iter().map(|subject| subject.package).collect();
        let folder = base.join(names.join("+"));
        let mut kept = Vec::new();
        // These are written with their mutants, once.
        let mutated: Vec<_> = files.iter().map(|file| folder.join(&file.path)).collect();
        for name in COPIED {
            let from = checkout.join(name);
            if from.exists() {
                copy_changed(&from, &folder.join(name), &mutated, &mut kept)?;
            }
        }
        kept.sort();
        remove_others(&folder, &kept)?;
        Ok(Self { folder, target: base.join("build"), subjects, files })
    }

    /// Writes the files with these mutants; asks the compiler.
    pub(crate) fn check(&self, mutants: &[Numbered<'_>]) -> Result<Checked> {
        let rendered = self.write(mutants)?;
        let mut command = self.cargo("check", TESTING);
        for subject in &self.subjects {
            command.args(["-p", subject.package]);
        }
        let output =
            command.args(["--lib", "--bins", "--tests"]).output().context("cannot start cargo")?;
        if output.status.success() {
            return Ok(Checked::Compiles);
        }
        let errors = errors(&output.stdout);
        let mut refused = Vec::new();
        for error in &errors {
            refused.extend(blamed(error, mutants, &rendered));
        }
        refused.sort_unstable();
        refused.dedup();
        if refused.is_empty() {
            let shown: Vec<_> = errors.iter().filter_map(|it| it["rendered"].as_str()).collect();
            let other = String::from_utf8_lossy(&output.stderr);
            bail!("no mutant is to blame for these errors:\n{}\n{other}", shown.join("\n"));
        }
        Ok(Checked::Refused(refused))
    }

    fn write(&self, mutants: &[Numbered<'_>]) -> Result<BTreeMap<&Path, Rendered>> {
        let mut all = BTreeMap::new();
        for file in &self.files {
            let own: Vec<_> =
                mutants.iter().filter(|it| it.mutant.file == file.path).copied().collect();
            let rendered = Rendered::new(&file.text, &own);
            let is_root = self.subjects.iter().any(|it| Path::new(it.root) == file.path);
            let mut text = rendered.text.clone();
            if is_root {
                text.push_str(SWITCH);
            }
            write_changed(&self.folder.join(&file.path), text.as_bytes())?;
            all.insert(file.path.as_path(), rendered);
        }
        Ok(all)
    }

    fn cargo(&self, what: &str, speed: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_INCREMENTAL", "1")
            .args([what, "--quiet", "--message-format=json"])
            .args(speed.iter().flat_map(|setting| ["--config", setting]))
            .stderr(Stdio::piped());
        let on: Vec<_> = FEATURES
            .iter()
            .filter(|(package, _)| self.subjects.iter().any(|it| it.package == *package))
            .map(|(_, features)| *features)
            .collect();
        command.args(["--features", &on.join(",")]);
        command
    }

    /// Builds the tests of the engine with a search among its fingerprints; the binary, and the folder in which it runs.
    pub(crate) fn build_search(&self, search: &str) -> Result<(PathBuf, PathBuf)> {
        let tests = self.folder.join("crates/patchwire/tests/fingerprints");
        fs::write(tests.join("hunt.rs"), search)?;
        let module = tests.join("mod.rs");
        let text = fs::read_to_string(&module)?;
        fs::write(module, text + "\nmod hunt;\n")?;
        let set = TestSet {
            package: "patchwire",
            target: Target::Main,
            only: &[],
            skip: &[],
            pace: Pace::Quick,
        };
        let built = self.build_with(&[set], SEARCHING)?.pop();
        let (_, binary, folder) = built.context("the tests of the engine are built")?;
        Ok((binary, folder))
    }

    /// Builds the tests; the binary of each set, with the folder in which it runs.
    pub(crate) fn build(&self, sets: &[TestSet]) -> Result<Vec<(TestSet, PathBuf, PathBuf)>> {
        self.build_with(sets, TESTING)
    }

    fn build_with(
        &self,
        sets: &[TestSet],
        speed: &[&str],
    ) -> Result<Vec<(TestSet, PathBuf, PathBuf)>> {
        let mut command = self.cargo("test", speed);
        let mut packages: Vec<_> = sets.iter().map(|set| set.package).collect();
        packages.dedup();
        for package in packages {
            command.args(["-p", package]);
        }
        if self.subjects.iter().any(|subject| subject.root.ends_with("main.rs")) {
            command.arg("--bins");
        }
        if sets.iter().any(|set| set.target == Target::Unit) {
            command.arg("--lib");
        }
        let output =
            command.args(["--no-run", "--test", "main"]).output().context("cannot start cargo")?;
        if !output.status.success() {
            let shown: Vec<_> = errors(&output.stdout)
                .iter()
                .filter_map(|it| it["rendered"].as_str().map(str::to_owned))
                .collect();
            bail!("{}\n{}", shown.join("\n"), String::from_utf8_lossy(&output.stderr));
        }
        let messages = String::from_utf8_lossy(&output.stdout).into_owned();
        sets.iter()
            .map(|set| {
                let folder = self.folder.join("crates").join(set.package);
                let binary = messages
                    .lines()
                    .filter_map(|line| serde_json::from_str::<Value>(line).ok())
                    .filter(|message| is_binary(message, *set, &folder))
                    .find_map(|message| message["executable"].as_str().map(PathBuf::from))
                    .with_context(|| format!("no tests were built of {}", set.package))?;
                Ok((*set, binary, folder))
            })
            .collect()
    }
}

fn is_binary(message: &Value, set: TestSet, folder: &Path) -> bool {
    let kind = message["target"]["kind"][0].as_str();
    let manifest = folder.join("Cargo.toml");
    let fits = match set.target {
        Target::Unit => matches!(kind, Some("lib" | "bin")),
        Target::Main => kind == Some("test") && message["target"]["name"] == "main",
    };
    fits && message["profile"]["test"] == true
        && message["manifest_path"].as_str().is_some_and(|it| Path::new(it) == manifest)
        && message["executable"].is_string()
}

/// The errors among the compiler's messages.
fn errors(messages: &[u8]) -> Vec<Value> {
    let lines = String::from_utf8_lossy(messages).into_owned();
    lines
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-message")
        .map(|message| message["message"].clone())
        .filter(|message| message["level"] == "error")
        .filter(|message| message["spans"].as_array().is_some_and(|spans| !spans.is_empty()))
        .collect()
}

/// The mutants that an error is about: those at its places, else those of the same functions, else those
/// whose function it names.
fn blamed(
    error: &Value,
    mutants: &[Numbered<'_>],
    rendered: &BTreeMap<&Path, Rendered>,
) -> Vec<usize> {
    let mut spans = Vec::new();
    spans_of(error, &mut spans);
    let places: Vec<_> = spans
        .iter()
        .filter_map(|span| {
            let name = Path::new(span["file_name"].as_str()?);
            let (path, rendered) = rendered.iter().find(|(path, _)| name.ends_with(path))?;
            let byte = |name: &str| span[name].as_u64().map(|it| it as usize);
            Some((*path, rendered.source_of(byte("byte_start")?..byte("byte_end")?)))
        })
        .collect();
    let meet = |of: fn(&Mutant) -> std::ops::Range<usize>| {
        let is_met = |it: &&Numbered<'_>| {
            places.iter().any(|(path, place)| {
                let range = of(it.mutant);
                it.mutant.file == *path && range.start < place.end && place.start < range.end
            })
        };
        mutants.iter().filter(is_met).map(|it| it.number).collect::<Vec<_>>()
    };
    let near = meet(|mutant| mutant.range.clone());
    if !near.is_empty() {
        return near;
    }
    let around = meet(|mutant| mutant.item.clone());
    if !around.is_empty() {
        return around;
    }
    let said = error["message"].as_str().unwrap_or_default();
    let is_named = |it: &&Numbered<'_>| {
        let name = it.mutant.function.rsplit("::").next().unwrap_or_default();
        it.mutant.const_keyword.is_some() && said.contains(&format!("{name}`"))
    };
    mutants.iter().filter(is_named).map(|it| it.number).collect()
}

fn spans_of(message: &Value, into: &mut Vec<Value>) {
    into.extend(message["spans"].as_array().into_iter().flatten().cloned());
    for child in message["children"].as_array().into_iter().flatten() {
        spans_of(child, into);
    }
}

fn write_changed(path: &Path, text: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn copy_changed(
    from: &Path,
    to: &Path,
    mutated: &[PathBuf],
    kept: &mut Vec<PathBuf>,
) -> Result<()> {
    kept.push(to.to_owned());
    if !from.is_dir() {
        if mutated.iter().any(|it| it == to) {
            return Ok(());
        }
        let text = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
        return write_changed(to, &text);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if name != "target" && name != "node_modules" && name != "artifacts" {
            copy_changed(&entry.path(), &to.join(name), mutated, kept)?;
        }
    }
    Ok(())
}

/// Removes what the checkout does not have any more.
fn remove_others(folder: &Path, kept: &[PathBuf]) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if kept.binary_search(&path).is_err() {
            if path.is_dir() {
                fs::remove_dir_all(&path)?;
            } else {
                fs::remove_file(&path)?;
            }
        } else if path.is_dir() {
            remove_others(&path, kept)?;
        }
    }
    Ok(())
}
