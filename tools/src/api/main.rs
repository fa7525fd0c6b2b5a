//! Compares the public names of the published crates with those that were written down, so that no name changes unseen.

mod items;
mod types;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use serde_json::Value;

/// Compares the public names of the published crates with `tools/api`.
#[derive(Debug, Parser)]
#[command(name = "api")]
struct Args {
    /// Write the names down instead.
    #[arg(long)]
    write: bool,
}

/// The form of rustdoc's JSON that this program reads. It changes with the compiler.
const FORMAT: u64 = 57;

/// The libraries that are published.
const CRATES: [&str; 11] = [
    "patchwire",
    "patchwire_arrow",
    "patchwire_async",
    "patchwire_chat",
    "patchwire_derive",
    "patchwire_redis",
    "patchwire_samples",
    "patchwire_sources",
    "patchwire_views",
    "patchwire_web",
    "patchwire_wire",
];

fn main() -> Result<()> {
    let args = Args::parse();
    let tools = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let root = tools.parent().context("the tools lie in the project")?;
    let docs = document(root)?;
    let mut changed = 0;
    for name in CRATES {
        let docs: Value = read(&docs.join(format!("{name}.json")))?;
        if docs["format_version"] != FORMAT {
            eprintln!(
                "left out: the public names, which need a compiler whose rustdoc writes form {FORMAT} of its JSON"
            );
            return Ok(());
        }
        let found = names(&docs);
        ensure!(!found.is_empty(), "no public name in {name}");
        let file = tools.join("api").join(format!("{name}.txt"));
        if args.write {
            fs::write(&file, found.join("\n") + "\n")?;
            continue;
        }
        let known = fs::read_to_string(&file).unwrap_or_default();
        changed += compare(name, &known.lines().collect::<Vec<_>>(), &found);
    }
    ensure!(
        changed == 0,
        "{changed} public names differ from `tools/api`. If that is meant, run this command with `--write`."
    );
    Ok(())
}

/// Documents the workspace as JSON, an output that rustdoc has only for those who ask for unstable options.
fn document(root: &Path) -> Result<PathBuf> {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let status = Command::new("cargo")
        .current_dir(root)
        .args([
            "doc",
            "--workspace",
            "--features",
            "full",
            "--no-deps",
            "--lib",
            "--locked",
            "--quiet",
        ])
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTDOCFLAGS", "-Z unstable-options --output-format json")
        .status()?;
    if !status.success() {
        bail!("rustdoc failed");
    }
    Ok(target.join("doc"))
}

fn read(file: &Path) -> Result<Value> {
    let text = fs::read_to_string(file).with_context(|| format!("no {}", file.display()))?;
    Ok(serde_json::from_str(&text)?)
}

/// The public names of a crate, sorted.
fn names(docs: &Value) -> Vec<String> {
    let mut names = items::names(docs);
    names.sort();
    names.dedup();
    names
}

/// Prints what is new and what is gone. Returns how many lines that are.
fn compare(name: &str, known: &[&str], found: &[String]) -> usize {
    let gone = known.iter().filter(|line| !found.iter().any(|it| it == *line));
    let new = found.iter().filter(|line| !known.contains(&line.as_str()));
    let lines: Vec<String> =
        gone.map(|line| format!("- {line}")).chain(new.map(|line| format!("+ {line}"))).collect();
    for line in &lines {
        println!("{name}: {line}");
    }
    lines.len()
}
