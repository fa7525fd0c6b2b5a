//! Allocations grow as the input does. Time is measured by `--bin growth`.

use testkit::{extent, hostile};

use crate::measure::{Cost, cost};

/// So large that what grows with the input outweighs what does not.
const SIZE: usize = 12_000;
/// The memory that a reading may need in addition to growing data: initial capacities, mostly.
const ALLOCATIONS: u64 = 64;
const BYTES: u64 = 32 << 10;
/// A candidate in prose is held and emitted in one piece.
const HELD: u64 = 4 << 10;
/// The most events per byte that are acceptable.
const EVENTS_A_BYTE: u64 = 5;

#[test]
fn allocations_and_events_grow_no_faster_than_the_input() {
    let mut wrong = Vec::new();
    for (at, (way, shapes)) in hostile::tried().into_iter().enumerate() {
        for (number, shape) in shapes.iter().enumerate() {
            for chunk in chunks(at + number) {
                let at = |size: usize| cost(&way.spec, &(shape.make)(size), chunk);
                let twice = at(2 * SIZE);
                // One step may take a vector across two doublings. The next step then takes it across none.
                let grows = compare(&at(SIZE), &twice).or_else(|_| compare(&twice, &at(4 * SIZE)));
                if twice.events > EVENTS_A_BYTE * 2 * SIZE as u64 {
                    wrong.push(format!(
                        "{}, under {}: {} events",
                        shape.name, way.name, twice.events
                    ));
                }
                if let Err(why) = grows {
                    wrong.push(format!("{}, under {}, by {chunk}: {why}", shape.name, way.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The sizes of chunks in which a shape is fed. In a sample, by turns: one, the other, none.
fn chunks(turn: usize) -> impl Iterator<Item = usize> {
    let both = [1, 4096].into_iter().enumerate();
    both.filter(move |(at, _)| extent::is_whole() || *at == turn % 3).map(|(_, chunk)| chunk)
}

fn compare(once: &Cost, twice: &Cost) -> Result<(), String> {
    let within = |what: &str, once: u64, twice: u64, more: u64| {
        let fits = 10 * twice <= 22 * once + 10 * more;
        fits.then_some(()).ok_or_else(|| format!("{what}: {once}, and {twice} for twice the input"))
    };
    within("allocations", once.info.count_total, twice.info.count_total, ALLOCATIONS)?;
    within("bytes", once.info.bytes_total, twice.info.bytes_total, BYTES)?;
    within("peak", once.info.bytes_max, twice.info.bytes_max, BYTES)?;
    within("events", once.events, twice.events, HELD)?;
    Ok(())
}

/// However an input ends a stream, everything is given back.
#[test]
fn nothing_is_left_behind() {
    for (way, shapes) in hostile::tried() {
        for shape in shapes {
            let input = (shape.make)(5_000);
            // Shared constants are made now.
            cost(&way.spec, &input, 7);
            let info = cost(&way.spec, &input, 7).info;
            let left = (info.count_current, info.bytes_current);
            assert_eq!(left, (0, 0), "{}, under {}", shape.name, way.name);
        }
    }
}
