//! What a client sends costs memory in proportion to its bytes, or is refused.

use testkit::hostile::settings;

/// Small enough for a build without optimisation.
const SIZE: usize = 40_000;
/// What settings take beside growing data.
const MORE: u64 = 1 << 20;
/// The most that a byte of settings and of the answer takes.
const A_BYTE: u64 = 1_500;

#[test]
fn settings_and_answers_take_memory_in_proportion_to_their_bytes() {
    let mut wrong = Vec::new();
    for shape in settings::all() {
        let peak = |size: usize| {
            let task = (shape.make)(size);
            let info = allocation_counter::measure(|| drop(task.run()));
            (info.bytes_max, task.len() as u64)
        };
        let ((once, bytes), (twice, _)) = (peak(SIZE), peak(2 * SIZE));
        if once > MORE + A_BYTE * bytes {
            wrong.push(format!("{}: {once} bytes for {bytes}", shape.name));
        }
        if 10 * twice > 23 * once + 10 * MORE {
            wrong.push(format!("{}: {once}, and {twice} for twice the bytes", shape.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
