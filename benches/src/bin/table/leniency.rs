//! What being ready to forgive costs where there is nothing to forgive.

use patchwire_benches::chunks::WHOLE;
use patchwire_benches::contender::{Contender as _, Patchwire};
use patchwire_benches::input::{KB, MB, Shape, size_name};
use patchwire_benches::markdown::Table;
use patchwire_benches::race::{Plan, Way};

use patchwire_benches::noise::Noise;

/// Time of lenient reading over that of strict reading, on valid JSON.
pub(crate) fn leniency(plan: Plan, noise: &mut Noise) -> String {
    let names = Shape::ALL.map(Shape::name);
    let mut table = Table::new([""].into_iter().chain(names));
    for (bytes, size, name) in
        [(10 * KB, 4, "4"), (MB, 4, "4"), (MB, 64, "64"), (MB, WHOLE, "whole")]
    {
        let ratios = Shape::ALL.map(|shape| ratio(&shape.build(bytes), size, plan, noise));
        let head = format!("{}, {name}", size_name(bytes));
        table.row([head].into_iter().chain(ratios));
    }
    format!("## Lenient over strict, on valid JSON\n\n{table}")
}

fn ratio(input: &str, size: usize, plan: Plan, noise: &mut Noise) -> String {
    let (lenient, strict) = (Patchwire::lenient(), Patchwire::strict());
    let ways: [Way<'_>; 2] = [
        Box::new(|| lenient.read(input, size).checksum()),
        Box::new(|| strict.read(input, size).checksum()),
    ];
    let timings = noise.race(&ways, plan);
    format!("{:.2}×", timings[0].over(&timings[1]))
}
