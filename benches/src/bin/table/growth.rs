//! What a chunk costs as the input grows, and as the nesting does.

use patchwire_benches::chunks::count;
use patchwire_benches::contender::{Contender as _, Patchwire};
use patchwire_benches::input::{MB, SIZES, Shape, levels, size_name};
use patchwire_benches::markdown::{Table, figure, grouped};
use patchwire_benches::race::{Plan, Way};

use patchwire_benches::noise::Noise;

const CHUNK: usize = 4;
/// The size that the others are compared with: 10 KB.
const BASE: usize = 1;

const DEPTHS: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];
/// Room for more than one tree of the greatest depth.
const DEEP_BYTES: usize = 8 * MB;

/// Time for a chunk of four bytes, from a kilobyte to ten megabytes.
pub(crate) fn growth(plan: Plan, noise: &mut Noise) -> String {
    let mut heads = vec![String::new()];
    let mut columns = Vec::new();
    for patchwire in contenders() {
        for shape in Shape::ALL {
            heads.push(format!("{}: {}", patchwire.name(), shape.name()));
            let inputs = SIZES.map(|bytes| shape.build(bytes));
            columns.push(column(&patchwire, &inputs, BASE, (plan, noise)));
        }
    }
    let table = table(heads, SIZES.map(size_name), &columns);
    format!(
        "## Growth with the input: ns a chunk of four bytes\n\nIn brackets: how many times what it \
         costs at {}. A kilobyte of report has more \
         structure for its\ntext than the longer ones.\n\n{table}",
        size_name(SIZES[BASE])
    )
}

/// Time for a chunk of four bytes, ten to a hundred thousand levels deep.
pub(crate) fn depth(plan: Plan, noise: &mut Noise) -> String {
    let inputs = DEPTHS.map(|depth| levels(depth, DEEP_BYTES));
    let mut heads = vec!["levels".to_owned()];
    let mut columns = Vec::new();
    for patchwire in contenders() {
        heads.push(patchwire.name().to_owned());
        columns.push(column(&patchwire, &inputs, 0, (plan, noise)));
    }
    let table = table(heads, DEPTHS.map(|depth| grouped(depth as u64)), &columns);
    format!(
        "## Growth with the depth: ns a chunk of four bytes\n\nTrees of so many levels, one after \
         another, {} in all. In brackets: how many times what it costs at\n{} levels.\n\n{table}",
        size_name(DEEP_BYTES),
        DEPTHS[0]
    )
}

fn contenders() -> [Patchwire; 2] {
    [Patchwire::lenient(), Patchwire::with_value()]
}

/// Time for a chunk of each input, and how many times that of the one at `base`.
fn column(
    patchwire: &Patchwire,
    inputs: &[String],
    base: usize,
    (plan, noise): (Plan, &mut Noise),
) -> Vec<String> {
    let mut ways: Vec<Way<'_>> = Vec::new();
    for input in inputs {
        ways.push(Box::new(|| patchwire.read(input, CHUNK).checksum()));
    }
    let timings = noise.race(&ways, plan);
    let chunks = inputs.iter().map(|input| count(input.len(), CHUNK));
    let base_chunks = count(inputs[base].len(), CHUNK);
    let cells = timings.iter().zip(chunks).map(|(timing, chunks)| {
        let ratio = timing.over(&timings[base]) * base_chunks / chunks;
        format!("{} ({ratio:.2}×)", figure(timing.median() / chunks))
    });
    cells.collect()
}

fn table<const N: usize>(heads: Vec<String>, names: [String; N], columns: &[Vec<String>]) -> Table {
    let mut table = Table::new(heads);
    for (at, name) in names.into_iter().enumerate() {
        table.row([name].into_iter().chain(columns.iter().map(|column| column[at].clone())));
    }
    table
}
