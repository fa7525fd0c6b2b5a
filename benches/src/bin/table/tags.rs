//! What looking for elements costs in text that has none.

use patchwire_benches::chunks::{WHOLE, count};
use patchwire_benches::contender::{Contender as _, Patchwire};
use patchwire_benches::input::{MB, answer, size_name};
use patchwire_benches::markdown::{Table, figure};
use patchwire_benches::race::{Plan, Way};

use patchwire_benches::noise::Noise;

/// Time for a chunk of Markdown prose, by the elements that are looked for.
pub(crate) fn tags(plan: Plan, noise: &mut Noise) -> String {
    let input = answer(MB);
    // As many bytes in which no marker begins.
    let free = input.replace('<', "(");
    let readers = Patchwire::among_tags();
    let shown = [
        (4, &input, "4: ns a chunk"),
        (64, &input, "64: ns a chunk"),
        (WHOLE, &input, "whole: MB/s"),
        (WHOLE, &free, "whole, without `<`: MB/s"),
    ];
    let heads = shown.map(|(_, _, head)| head);
    let mut table = Table::new(["elements looked for"].into_iter().chain(heads));
    let columns = shown.map(|(size, input, _)| {
        let way = |reader: &'_ Patchwire| -> Way<'_> {
            let (reader, input) = (reader.clone(), input.as_str());
            Box::new(move || reader.read(input, size).checksum())
        };
        let ways: Vec<Way<'_>> = readers.iter().map(way).collect();
        let timings = noise.race(&ways, plan);
        let cost = |nanoseconds: f64| match size {
            WHOLE => input.len() as f64 / nanoseconds * 1e3,
            size => nanoseconds / count(input.len(), size),
        };
        timings.iter().map(|timing| figure(cost(timing.median()))).collect::<Vec<String>>()
    });
    for (at, reader) in readers.iter().enumerate() {
        let row = columns.iter().map(|column| column[at].clone());
        table.row([reader.name().to_owned()].into_iter().chain(row));
    }
    format!(
        "## Text, and the elements looked for in it: {}\n\nMarkdown with a `<` now and then, which begins none of \
         them.\n\n{table}",
        size_name(MB)
    )
}
