//! All contenders over a whole stream.

use allocation_counter::measure;
use patchwire_benches::chunks::count;
use patchwire_benches::contender::{Contender, Manner, all};
use patchwire_benches::input::{MB, Shape};
use patchwire_benches::markdown::{Table, figure};

const CHUNK: usize = 4;

/// Allocations a chunk, and the peak as a share of the input.
pub(crate) fn whole() -> String {
    let inputs = Shape::ALL.map(|shape| (shape.name(), shape.build(MB)));
    let heads = inputs.iter().flat_map(|(name, _)| [(*name).to_owned(), format!("{name}, peak")]);
    let mut table = Table::new([String::new()].into_iter().chain(heads));
    for contender in all().iter().filter(|contender| contender.manner() != Manner::Rereads) {
        let cells = inputs.iter().flat_map(|(_, input)| cells(&**contender, input));
        table.row([contender.name().to_owned()].into_iter().chain(cells));
    }
    format!(
        "### From start to end, 1 MB in chunks of four bytes\n\nAllocations a chunk, and the most \
         bytes held at a time over the bytes of the input.\n\n{table}"
    )
}

fn cells(contender: &dyn Contender, input: &str) -> [String; 2] {
    let info = measure(|| {
        contender.read(input, CHUNK).checksum();
    });
    let a_chunk = info.count_total as f64 / count(input.len(), CHUNK);
    [figure(a_chunk), format!("{}×", figure(info.bytes_max as f64 / input.len() as f64))]
}
