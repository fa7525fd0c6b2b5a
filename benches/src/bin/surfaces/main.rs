//! Prints what the events of one stream cost in each form, as Markdown; and draws it.

mod picture;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Parser;
use patchwire_benches::input::{KB, MB, report};
use patchwire_benches::markdown::{Table, figure};
use patchwire_benches::noise::Noise;
use patchwire_benches::race::{Plan, Way};
use patchwire_benches::surface::{Document, Surface};

/// Prints what the events of one stream cost in each form, as Markdown; and draws it.
#[derive(Debug, Parser)]
#[command(name = "surfaces")]
struct Args {
    /// A first look: fewer and shorter rounds.
    #[arg(long)]
    quick: bool,
    /// The folder that the pictures are written to.
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
}

const SIZES: [(usize, &str); 4] =
    [(KB / 2, "500 B"), (2 * KB, "2 KB"), (10 * KB, "10 KB"), (MB, "1 MB")];
const CHUNK: usize = 4;

fn main() -> io::Result<()> {
    let args = Args::parse();
    let plan = if args.quick { Plan::QUICK } else { Plan::FULL };
    let mut noise = Noise::default();
    let costs = SIZES.map(|(bytes, name)| {
        let _ = writeln!(io::stderr(), "measuring: {name}");
        costs(&Document::new(&report(bytes), CHUNK), plan, &mut noise)
    });
    write!(io::stdout().lock(), "\n{}\n\n{}\n{noise}", PREFACE, table(&costs))?;
    if let Some(folder) = args.pictures {
        fs::create_dir_all(&folder)?;
        let names: Vec<&str> = Surface::ALL.iter().map(|surface| surface.name).collect();
        let costs = costs.map(|column| column.iter().map(|cost| cost.time).collect::<Vec<f64>>());
        fs::write(folder.join("surfaces.svg"), picture::bars(&names, &costs[2]))?;
        let sizes = SIZES.map(|(_, name)| name);
        fs::write(folder.join("surfaces-growth.svg"), picture::growth(&names, &sizes, &costs))?;
    }
    Ok(())
}

const PREFACE: &str = "\
## Surfaces: ns a chunk of four bytes

A report, read with the settings of `Spec::json()`: the value and the text are kept. In brackets: how many times the time of
borrowed events. What a response costs is counted beyond the stream that it reads. `text(path)` reads up to the end of the last
text. AG-UI and JSON Patch repeat a growing string each time its length has doubled.";

/// The cost of one form.
struct Cost {
    /// Nanoseconds a chunk.
    time: f64,
    /// How many times the time of borrowed events.
    ratio: f64,
}

/// The costs of all forms on a document.
fn costs(document: &Document, plan: Plan, noise: &mut Noise) -> Vec<Cost> {
    let surfaces = [&[Surface::SOURCE], Surface::ALL].concat();
    let way = |surface: &Surface| -> Way<'_> {
        let run = surface.run;
        Box::new(move || run(document))
    };
    let ways: Vec<Way<'_>> = surfaces.iter().map(way).collect();
    let timings = noise.race(&ways, plan);
    let (source, timings) = (&timings[0], &timings[1..]);
    let of_surfaces = Surface::ALL.iter().zip(timings).map(|(surface, timing)| {
        let own = if surface.over_source { timing.without(source) } else { timing.clone() };
        Cost { time: own.median() / document.count() as f64, ratio: own.over(&timings[0]) }
    });
    of_surfaces.collect()
}

fn table(costs: &[Vec<Cost>; SIZES.len()]) -> Table {
    let mut table = Table::new([""].into_iter().chain(SIZES.map(|(_, name)| name)));
    for (row, surface) in Surface::ALL.iter().enumerate() {
        let cells = costs
            .iter()
            .map(|column| format!("{} ({}×)", figure(column[row].time), figure(column[row].ratio)));
        table.row([surface.name.to_owned()].into_iter().chain(cells));
    }
    table
}
