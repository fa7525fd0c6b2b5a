//! Prints what patchwire and its peers cost, side by side, as Markdown.

mod formats;
mod growth;
mod leniency;
mod machine;

mod side_by_side;
mod tags;

use std::io::{self, Write};

use clap::{Parser, ValueEnum};
use patchwire_benches::race::Plan;

use patchwire_benches::noise::Noise;

/// Prints what patchwire and its peers cost, side by side, as Markdown.
#[derive(Debug, Parser)]
#[command(name = "table")]
struct Args {
    /// A first look: fewer and shorter rounds.
    #[arg(long)]
    quick: bool,
    /// Only this table, without the preface; may be given several times.
    #[arg(long, value_name = "GROUP")]
    only: Vec<Group>,
    /// A word about the machine, for the preface.
    #[arg(long)]
    note: Option<String>,
}

/// What is measured together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Group {
    /// Time for a chunk of four bytes.
    Chunks,
    /// Throughput in large chunks.
    Bulk,
    /// Time for an event.
    Events,
    /// Time for a chunk as the input grows.
    Growth,
    /// Time for a chunk as the nesting grows.
    Depth,
    /// Lenient reading beside strict.
    Leniency,
    /// Time for a chunk of text among tags.
    Tags,
    /// Time for a chunk of prose in fields.
    Formats,
}

fn main() -> io::Result<()> {
    let args = Args::parse();
    let plan = if args.quick { Plan::QUICK } else { Plan::FULL };
    let mut out = io::stdout().lock();
    let mut noise = Noise::default();
    if args.only.is_empty() {
        machine::preface(&mut out, plan, args.note.as_deref())?;
    }
    for group in Group::value_variants() {
        if args.only.is_empty() || args.only.contains(group) {
            writeln!(io::stderr(), "measuring: {group:?}")?;
            write!(out, "\n{}", measure(*group, plan, &mut noise))?;
        }
    }
    write!(out, "\n{noise}")
}

fn measure(group: Group, plan: Plan, noise: &mut Noise) -> String {
    match group {
        Group::Chunks => side_by_side::chunks(plan, noise),
        Group::Bulk => side_by_side::bulk(plan, noise),
        Group::Events => side_by_side::events(plan, noise),
        Group::Growth => growth::growth(plan, noise),
        Group::Depth => growth::depth(plan, noise),
        Group::Leniency => leniency::leniency(plan, noise),
        Group::Tags => tags::tags(plan, noise),
        Group::Formats => formats::formats(plan, noise),
    }
}
