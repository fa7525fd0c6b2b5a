//! Runs the tests of a crate and prints which of its lines they run, by module.
//!
//! It needs the tools of LLVM that fit the compiler: `rustup component add llvm-tools`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Parser;
use serde_json::Value;

/// The lines of a crate that its own tests run, by module.
#[derive(Parser)]
struct Options {
    /// The crate.
    #[arg(long = "crate", default_value = "patchwire")]
    package: String,
    /// Prints the lines that are never run, of the files whose path contains this.
    #[arg(long)]
    show: Option<String>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let checkout =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the tools lie in the checkout")?;
    let target = checkout.join("target/coverage");
    let profiles = target.join("profiles");
    if profiles.exists() {
        fs::remove_dir_all(&profiles)?;
    }
    let binaries = build(checkout, &target, &options.package)?;
    let folder = checkout.join("crates").join(&options.package);
    for binary in &binaries {
        let status = Command::new(binary)
            .current_dir(&folder)
            .arg("--quiet")
            .env("LLVM_PROFILE_FILE", profiles.join("%p-%m.profraw"))
            .status()?;
        if !status.success() {
            eprintln!("tests fail: the lines that only they run may be missing");
        }
    }
    let lines = lines(&target, &profiles, &binaries)?;
    let files = code_of(&lines, &folder.join("src"))?;
    println!("{}", table(&files));
    if let Some(show) = &options.show {
        for (file, lines) in files.iter().filter(|(file, _)| file.contains(show.as_str())) {
            let missed: Vec<_> = lines.iter().filter(|(_, hits)| **hits == 0).collect();
            for (line, text) in
                missed.iter().map(|(line, _)| (*line, source(&folder, file, **line)))
            {
                println!("{file}:{line}: {text}");
            }
        }
    }
    Ok(())
}

fn source(folder: &Path, file: &str, line: usize) -> String {
    let text = fs::read_to_string(folder.join("src").join(file)).unwrap_or_default();
    text.lines().nth(line - 1).unwrap_or_default().to_owned()
}

/// Builds the unit tests and `tests/main` so that they count.
fn build(checkout: &Path, target: &Path, package: &str) -> Result<Vec<PathBuf>> {
    let output = Command::new("cargo")
        .current_dir(checkout)
        .args(["test", "--no-run", "--quiet", "--message-format=json", "-p", package])
        .args(["--lib", "--bins", "--test", "main"])
        // Optimised, code is merged that was written apart; unoptimised, deep recursion needs a larger stack.
        .args(["--config", &format!("profile.test.package.{package}.opt-level=1")])
        .env("CARGO_TARGET_DIR", target)
        .env("RUSTFLAGS", "-C instrument-coverage")
        // Build scripts write profiles, too.
        .env("LLVM_PROFILE_FILE", target.join("build/%p-%m.profraw"))
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        bail!("the tests of {package} do not compile");
    }
    let manifest = checkout.join("crates").join(package).join("Cargo.toml");
    let messages = String::from_utf8_lossy(&output.stdout).into_owned();
    let binaries: Vec<_> = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["profile"]["test"] == true)
        .filter(|message| message["manifest_path"].as_str().map(Path::new) == Some(&manifest))
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .collect();
    if binaries.is_empty() {
        bail!("{package} has no tests");
    }
    Ok(binaries)
}

/// The tool of LLVM that came with the compiler.
fn llvm(name: &str) -> Result<PathBuf> {
    let output = Command::new("rustc").args(["--print", "target-libdir"]).output()?;
    let libraries = String::from_utf8(output.stdout)?;
    let tool = Path::new(libraries.trim()).with_file_name("bin").join(name);
    if !tool.exists() {
        bail!("{} is not there: run `rustup component add llvm-tools`", tool.display());
    }
    Ok(tool)
}

/// How often each line of each file was run.
type Lines = BTreeMap<PathBuf, BTreeMap<usize, u64>>;

fn lines(target: &Path, profiles: &Path, binaries: &[PathBuf]) -> Result<Lines> {
    let merged = target.join("merged.profdata");
    let raw: Result<Vec<_>, _> =
        fs::read_dir(profiles)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let status = Command::new(llvm("llvm-profdata")?)
        .args(["merge", "--sparse", "-o"])
        .arg(&merged)
        .args(raw?)
        .status()?;
    if !status.success() {
        bail!("the profiles cannot be merged");
    }
    let mut command = Command::new(llvm("llvm-cov")?);
    command.args(["export", "--format=lcov", "--instr-profile"]).arg(&merged);
    for binary in binaries {
        command.arg("--object").arg(binary);
    }
    let output = command.output()?;
    if !output.status.success() {
        bail!("the coverage cannot be read: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(parse(&String::from_utf8(output.stdout)?))
}

/// Reads the lines of LCOV's form that tell of files and their lines.
fn parse(report: &str) -> Lines {
    let mut all = Lines::new();
    let mut file = PathBuf::new();
    for line in report.lines() {
        if let Some(name) = line.strip_prefix("SF:") {
            file = name.into();
        } else if let Some((line, hits)) =
            line.strip_prefix("DA:").and_then(|rest| rest.split_once(','))
            && let (Ok(line), Ok(hits)) = (line.parse(), hits.parse::<u64>())
        {
            *all.entry(file.clone()).or_default().entry(line).or_default() += hits;
        }
    }
    all
}

/// The lines of the code: nothing of the unit tests, which stand at the end of a file or in one of their own.
fn code_of(lines: &Lines, sources: &Path) -> Result<BTreeMap<String, BTreeMap<usize, u64>>> {
    let mut files = BTreeMap::new();
    for (path, lines) in lines {
        let Ok(inside) = path.strip_prefix(sources) else { continue };
        let is_test = |part: std::path::Component<'_>| {
            matches!(part.as_os_str().to_str(), Some("tests" | "tests.rs" | "sample.rs"))
        };
        if inside.components().any(is_test) {
            continue;
        }
        let text = fs::read_to_string(path)?;
        let end =
            text.find("#[cfg(test)]\nmod ").map_or(usize::MAX, |at| text[..at].lines().count());
        let code = lines.range(..=end).map(|(line, hits)| (*line, *hits)).collect();
        files.insert(inside.display().to_string(), code);
    }
    Ok(files)
}

fn table(files: &BTreeMap<String, BTreeMap<usize, u64>>) -> String {
    let mut modules: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut whole = [0, 0];
    for (file, lines) in files {
        let module = file.split('/').next().unwrap_or_default().trim_end_matches(".rs");
        let run = lines.values().filter(|hits| **hits > 0).count();
        for counts in [modules.entry(module).or_default(), &mut whole] {
            counts[0] += lines.len();
            counts[1] += run;
        }
    }
    let row = |name: &str, [lines, run]: [usize; 2]| {
        format!(
            "| {name} | {lines} | {} | {:.1} % |",
            lines - run,
            100.0 * run as f64 / lines as f64
        )
    };
    let mut table =
        vec!["| module | lines | never run | run |".to_owned(), "|---|---|---|---|".to_owned()];
    table.extend(modules.iter().map(|(name, counts)| row(&format!("`{name}`"), *counts)));
    table.push(row("all", whole));
    table.join("\n")
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn hits_of_one_line_are_added() {
        let lines = parse("SF:/a.rs\nFN:1,f\nDA:1,2\nDA:3,0\nend_of_record\nSF:/a.rs\nDA:3,1\n");
        let all: Vec<_> = lines.values().next().unwrap().iter().collect();
        assert_eq!(all, [(&1, &2), (&3, &1)]);
    }
}
