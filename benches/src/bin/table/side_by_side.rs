//! All contenders on the same inputs.

use patchwire_benches::chunks::{WHOLE, count};
use patchwire_benches::contender::{Contender, Manner, all};
use patchwire_benches::input::{KB, MB, Shape, size_name};
use patchwire_benches::markdown::{Table, figure};
use patchwire_benches::race::{Plan, Way};

use patchwire_benches::noise::Noise;

/// The largest input for readers that read everything again after each chunk.
const REREAD: usize = 10 * KB;

/// One input in chunks of one size.
struct Column {
    head: String,
    input: String,
    size: usize,
    unit: Unit,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Nanoseconds for a chunk.
    Chunk,
    /// Megabytes in a second.
    Throughput,
    /// Nanoseconds for an event.
    Event,
}

/// Time for a chunk of four bytes.
pub(crate) fn chunks(plan: Plan, noise: &mut Noise) -> String {
    let mut columns = Vec::new();
    for shape in Shape::ALL {
        for bytes in [10 * KB, MB] {
            let head = format!("{} {}", shape.name(), size_name(bytes));
            columns.push(Column { head, input: shape.build(bytes), size: 4, unit: Unit::Chunk });
        }
    }
    let table = table(&columns, &all(), plan, noise);
    format!("## Chunks of four bytes: ns a chunk\n\n{table}")
}

/// Throughput where chunks are large or there is but one.
pub(crate) fn bulk(plan: Plan, noise: &mut Noise) -> String {
    let mut columns = Vec::new();
    for shape in Shape::ALL {
        for (size, name) in [(4096, "4096"), (WHOLE, "whole")] {
            let head = format!("{} {name}", shape.name());
            columns.push(Column { head, input: shape.build(MB), size, unit: Unit::Throughput });
        }
    }
    let table = table(&columns, &of(&[Manner::Streams, Manner::Waits]), plan, noise);
    format!("## Chunks of 4096 bytes, and whole: MB/s of 1 MB\n\n{table}")
}

/// Time for an event, which readers count differently: some tell a string once, some once a chunk.
pub(crate) fn events(plan: Plan, noise: &mut Noise) -> String {
    let mut columns = Vec::new();
    for shape in Shape::ALL {
        for (size, name) in [(4, "4"), (WHOLE, "whole")] {
            let head = format!("{} {name}", shape.name());
            columns.push(Column { head, input: shape.build(MB), size, unit: Unit::Event });
        }
    }
    let table = table(&columns, &of(&[Manner::Streams]), plan, noise);
    format!(
        "## Events: ns an event of 1 MB\n\nThose that tell a string when it closes have fewer and \
         longer events than those\nthat tell it as it comes.\n\n{table}"
    )
}

/// The contenders that go about it in one of these manners.
fn of(manners: &[Manner]) -> Vec<Box<dyn Contender>> {
    all().into_iter().filter(|contender| manners.contains(&contender.manner())).collect()
}

fn table(
    columns: &[Column],
    contenders: &[Box<dyn Contender>],
    plan: Plan,
    noise: &mut Noise,
) -> Table {
    let mut cells: Vec<Vec<String>> = contenders.iter().map(|c| vec![label(&**c)]).collect();
    for column in columns {
        for (row, cell) in cells.iter_mut().zip(column.cells(contenders, plan, noise)) {
            row.push(cell);
        }
    }
    for (row, contender) in cells.iter_mut().zip(contenders) {
        row.push(contender.gives().to_owned());
    }
    let heads = columns.iter().map(|column| column.head.as_str());
    let mut table = Table::new([""].into_iter().chain(heads).chain(["gives"]));
    cells.into_iter().for_each(|row| table.row(row));
    table
}

fn label(contender: &dyn Contender) -> String {
    match contender.manner() {
        Manner::Waits => format!("*at the end:* {}", contender.name()),
        _ => contender.name().to_owned(),
    }
}

impl Column {
    /// A figure for each contender, and how many times the first one's time it stands for.
    fn cells(
        &self,
        contenders: &[Box<dyn Contender>],
        plan: Plan,
        noise: &mut Noise,
    ) -> Vec<String> {
        let taking_part = contenders.iter().filter(|contender| self.admits(&***contender));
        let ways: Vec<Way<'_>> = taking_part.map(|contender| self.way(&**contender)).collect();
        let timings = noise.race(&ways, plan);
        let mut left = timings.iter();
        let mut cells = Vec::new();
        for contender in contenders {
            let timing = if self.admits(&**contender) { left.next() } else { None };
            cells.push(timing.map_or_else(
                || "–".to_owned(),
                |timing| {
                    let shown = figure(self.in_unit(timing.median(), &**contender));
                    format!("{shown} ({}×)", figure(timing.over(&timings[0])))
                },
            ));
        }
        cells
    }

    fn admits(&self, contender: &dyn Contender) -> bool {
        contender.manner() != Manner::Rereads || self.input.len() <= REREAD
    }

    fn way<'a>(&'a self, contender: &'a dyn Contender) -> Way<'a> {
        Box::new(move || contender.read(&self.input, self.size).checksum())
    }

    fn in_unit(&self, nanoseconds: f64, contender: &dyn Contender) -> f64 {
        let bytes = self.input.len();
        match self.unit {
            Unit::Chunk => nanoseconds / count(bytes, self.size),
            Unit::Throughput => bytes as f64 * 1e3 / nanoseconds,
            Unit::Event => nanoseconds / contender.read(&self.input, self.size).events as f64,
        }
    }
}
