//! patchwire in the middle of a stream, and what it holds beside the document.

use allocation_counter::measure;
use patchwire_benches::chunks::chunks;
use patchwire_benches::contender::{Contender as _, Patchwire};
use patchwire_benches::input::{KB, MB, SIZES, Shape, levels, size_name};
use patchwire_benches::markdown::{Table, figure, grouped};

/// Allocations a chunk in the second half of 1 MB.
pub(crate) fn steady() -> String {
    let sizes = [4, 64];
    let heads =
        Shape::ALL.iter().flat_map(|shape| sizes.map(|size| format!("{} {size}", shape.name())));
    let mut table = Table::new([String::new()].into_iter().chain(heads));
    for contender in
        [Patchwire::lenient(), Patchwire::strict(), Patchwire::with_value(), Patchwire::owned()]
    {
        let cell = |shape: &Shape| sizes.map(|size| figure(second_half(&contender, *shape, size)));
        let cells = Shape::ALL.iter().flat_map(cell);
        table.row([contender.name().to_owned()].into_iter().chain(cells));
    }
    format!("### In the middle of a stream: allocations a chunk, second half of 1 MB\n\n{table}")
}

/// Allocations a chunk while the second half is fed to a parser that has read the first.
fn second_half(contender: &Patchwire, shape: Shape, size: usize) -> f64 {
    let input = shape.build(MB);
    let (before, after) = input.as_bytes().split_at(input.len() / 2 / size * size);
    let mut reading = contender.start();
    reading.feed(chunks(before, size));
    let info = measure(|| {
        reading.feed(chunks(after, size)).checksum();
    });
    info.count_total as f64 / chunks(after, size).count() as f64
}

/// Peak bytes of a parser that keeps no document, so that all it holds is beside it.
pub(crate) fn beside() -> String {
    let mut table = Table::new(["", "peak bytes"]);
    for shape in Shape::ALL {
        for bytes in SIZES.into_iter().filter(|bytes| *bytes >= 10 * KB) {
            let name = format!("{}, {}", shape.name(), size_name(bytes));
            table.row([name, grouped(peak(&shape.build(bytes)))]);
        }
    }
    for depth in [10, 1_000, 100_000] {
        let name = format!("{} levels, 8 MB", grouped(depth as u64));
        table.row([name, grouped(peak(&levels(depth, 8 * MB)))]);
    }
    format!("### Beside the document: most bytes held at a time, in chunks of four\n\n{table}")
}

fn peak(input: &str) -> u64 {
    let contender = Patchwire::lenient();
    measure(|| {
        contender.read(input, 4).checksum();
    })
    .bytes_max
}
