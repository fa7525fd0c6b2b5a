//! Everything ends: with an answer or a typed error, in bounded memory, and at full size.

use patchwire::{Error, ErrorKind, Limit, Limits, Spec, Strictness};
use testkit::hostile::{self, Shape};
use testkit::{extent, reading_modes};

use crate::measure::cost;

fn made(name: &str, size: usize) -> Vec<u8> {
    (hostile::named(name).expect("a shape of that name").make)(size)
}

/// Payloads read in two ways, and texts with elements under every tag set that they are tried with.
fn default_limits() -> Vec<(&'static str, Spec, Vec<Shape>)> {
    let payloads = [("lenient", Spec::json()), ("strict", Spec::strict_json())];
    let payloads = payloads.map(|(name, spec)| (name, spec, hostile::all()));
    let tagged = reading_modes::tagged().into_iter();
    let tagged = tagged.map(|setup| (setup.name, setup.spec, hostile::tags::SHAPES.to_vec()));
    payloads.into_iter().chain(tagged).collect()
}

/// With the limits that a caller gets who sets none.
#[test]
fn every_shape_ends_under_the_default_limits() {
    let size = if extent::is_whole() { 200_000 } else { 50_000 };
    // A value takes 36 bytes, and may be two bytes of text; a vector grows by doubling.
    let most = 200 * size as u64;
    let mut wrong = Vec::new();
    for (name, spec, shapes) in default_limits() {
        for shape in shapes {
            let input = (shape.make)(size);
            let ended = cost(&spec, &input, 5);
            let behind = ended.outcome.is_err_and(|error| error.offset > input.len() as u64);
            if behind || ended.info.bytes_max > most {
                let peak = ended.info.bytes_max;
                wrong.push(format!("{}, {name}: {:?}, {peak} bytes", shape.name, ended.outcome));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn deep_input_meets_the_limit_on_depth_wherever_it_is_set() {
    for depth in [1, 2, 256, 100_000] {
        for strictness in [Strictness::Lenient, Strictness::Strict] {
            let limits = hostile::wide().with(Limit::Depth, depth);
            let builder = Spec::builder().strictness(strictness).limits(limits);
            let spec = builder.build().expect("the settings agree");
            for (name, level) in [("lists_open", 1), ("objects_open", 5)] {
                let ended = cost(&spec, &made(name, 1_000_000), 16);
                let offset = level * depth;
                let error = Error { kind: ErrorKind::Limit(Limit::Depth), offset };
                assert_eq!(ended.outcome, Err(error), "{name} at {depth}");
            }
        }
    }
}

/// Shapes at the size that is boasted of, and what a byte of theirs may take.
const FULL: [(&str, usize, u64); 9] = [
    ("lists_open", 300_000, 400),
    ("lists_closed", 600_000, 400),
    ("objects_open", 1_500_000, 120),
    ("objects_closed", 1_800_000, 120),
    ("mixed_open", 900_000, 250),
    ("mixed_closed", 1_200_000, 250),
    ("long_string", 50_000_000, 8),
    ("keys", 13_000_000, 40),
    ("duplicate_keys", 3_000_000, 200),
];

#[test]
fn hundreds_of_thousands_of_levels_and_keys_and_tens_of_megabytes() {
    for (name, size, each) in FULL {
        let input = made(name, size);
        for way in ["lenient", "strict"] {
            let ended = cost(&hostile::way(way).spec, &input, 48);
            let open = name.ends_with("_open") && way == "strict";
            let expected = if open { Err(ErrorKind::UnexpectedEnd) } else { Ok(()) };
            assert_eq!(ended.outcome.map_err(|error| error.kind), expected, "{name}, under {way}");
            let most = each * size as u64;
            assert!(ended.info.bytes_max < most, "{name}, under {way}: {:?}", ended.info);
        }
    }
}

/// The last of the members with one name counts. Those before it need a place until the end, and no more.
#[test]
fn members_with_one_name_take_64_bytes_each() {
    const MEMBERS: u64 = 900_000;
    let input = made("duplicate_keys", 6 * MEMBERS as usize);
    for way in ["lenient", "strict"] {
        let ended = cost(&hostile::way(way).spec, &input, 48);
        assert_eq!(ended.outcome, Ok(()), "{way}");
        // The raw text is kept, and a buffer that grows exists twice.
        let raw = 3 * input.len() as u64;
        assert!(ended.info.bytes_max < 64 * MEMBERS + raw, "{way}: {:?}", ended.info);
    }
}

/// A notice names its place: that must not cost a path of a megabyte for each of a thousand commas.
#[test]
fn notices_do_not_copy_deep_paths() {
    let level = format!("{{\"{}\":", "k".repeat(4_000));
    let input = format!("{}[{}", level.repeat(250), ",".repeat(1_100));
    let ended = cost(&Spec::json(), input.as_bytes(), 64);
    assert_eq!(ended.outcome, Ok(()));
    let most = 20 * input.len() as u64;
    assert!(ended.info.bytes_max < most, "{} bytes of input: {:?}", input.len(), ended.info);
}

#[test]
fn default_limits_are_what_the_docs_say() {
    let limits = Limits::default();
    let shown = Limit::ALL.map(|limit| limits.get(limit));
    let (deferred, aliases) = (1 << 20, 10_000);
    let kept = [64 << 10, deferred, aliases];
    let said = [
        [256, 4 << 10, 4 << 10].as_slice(),
        &kept,
        &[64 << 20, 4_000_000, 1_000_000, 1 << 20, 1_000],
        // Of settings, and of a response.
        &[1_000_000, 100_000, 4 << 20, 10_000, 64 << 20],
    ];
    assert_eq!(shown.to_vec(), said.concat());
}
