//! What reading fields costs beside reading their text alone.

use patchwire_benches::chunks::{WHOLE, count};
use patchwire_benches::contender::{Contender as _, Patchwire};
use patchwire_benches::input::{MB, fields, size_name};
use patchwire_benches::markdown::{Table, figure};
use patchwire_benches::race::{Plan, Way};

use patchwire_benches::noise::Noise;

const CHUNKS: [(usize, &str); 3] = [(4, "4"), (64, "64"), (WHOLE, "whole")];

/// Time for a chunk of prose in fields, by the format.
pub(crate) fn formats(plan: Plan, noise: &mut Noise) -> String {
    let readers = Patchwire::of_fields().map(|(reader, layout)| (reader, fields(MB, layout)));
    let heads = CHUNKS.map(|(_, name)| match name {
        "whole" => "whole: MB/s".to_owned(),
        size => format!("{size}: ns a chunk"),
    });
    let mut table = Table::new(["format".to_owned()].into_iter().chain(heads));
    let columns = CHUNKS.map(|(size, _)| {
        let way = |(reader, input): &'_ (Patchwire, String)| -> Way<'_> {
            let (reader, input) = (reader.clone(), input.clone());
            Box::new(move || reader.read(&input, size).checksum())
        };
        let ways: Vec<Way<'_>> = readers.iter().map(way).collect();
        let timings = noise.race(&ways, plan);
        let cost = |nanoseconds: f64, len: usize| match size {
            WHOLE => len as f64 / nanoseconds * 1e3,
            size => nanoseconds / count(len, size),
        };
        let costs = timings.iter().zip(&readers);
        costs
            .map(|(timing, (_, input))| figure(cost(timing.median(), input.len())))
            .collect::<Vec<_>>()
    });
    for (at, (reader, _)) in readers.iter().enumerate() {
        let row = columns.iter().map(|column| column[at].clone());
        table.row([reader.name().to_owned()].into_iter().chain(row));
    }
    format!("## Prose in fields, by the format: {}\n\n{table}", size_name(MB))
}
