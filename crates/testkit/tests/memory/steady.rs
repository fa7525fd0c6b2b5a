//! Once its buffers have their size, reading allocates nothing.

use patchwire::{Spec, SpecBuilder, Strictness, spec::Roots};
use testkit::reading_modes::schema;

/// How often a unit is fed before counting, and how often after.
const WARM: usize = 300;
const COUNTED: usize = 200;

fn bare() -> SpecBuilder {
    Spec::builder().without_value().without_raw()
}

fn specs() -> [(&'static str, Spec); 4] {
    [
        ("lenient", bare()),
        ("strict", bare().strictness(Strictness::Strict)),
        ("schema", bare().schema(schema())),
        ("concatenated", bare().roots(Roots::Concatenated)),
    ]
    .map(|(name, builder)| (name, builder.build().expect("the settings agree")))
}

/// Allocations of a stream that has come to its steady state.
fn allocations(spec: &Spec, head: &str, unit: &[u8], chunk: usize) -> u64 {
    let mut parser = spec.parser();
    let mut feed = |bytes: &[u8]| {
        for chunk in bytes.chunks(chunk) {
            parser.feed(chunk, |_| {}).expect("well-formed text");
        }
    };
    feed(head.as_bytes());
    feed(&unit.repeat(WARM));
    let rest = unit.repeat(COUNTED);
    allocation_counter::measure(|| feed(&rest)).count_total
}

/// Typical outputs of models: a beginning, and a unit that repeats.
const INPUTS: [(&str, &str, &str); 7] = [
    (
        "a report",
        "{\"report\":{\"text\":\"",
        "Sales grew by 3 \\u20ac\\n\\\"net\\\", \\ud83d\\ude00 \u{e9}\u{4e2d}. ",
    ),
    (
        "records",
        "{\"items\":[",
        "{\"sku\":\"A-1\",\"n\":-12.5e3,\"ok\":true,\"tags\":[\"x\",\"y\"],\"z\":null},",
    ),
    ("nested input", "{\"rows\":[", "{\"a\":{\"b\":[{\"c\":[1,[2,{\"d\":\"e\"}]]}]}},\n  "),
    (
        "spread over lines",
        "{\n  \"items\": [\n",
        "    { \"a\" : [ 1 , 2 ] ,\r\n\t\"b\" : \"c\" } ,\n",
    ),
    (
        "long keys",
        "{\"items\":[",
        "{\"a key of more bytes than most have\": {\"and another one in it\": 0}},",
    ),
    ("numbers", "{\"items\":[", "12345678901234567890, 0.1, -1E+400, "),
    ("quotes that look like an end", "{\"b\":[\"", "he said, \\\"no\\\", \\\\ and left: "),
];

#[test]
fn reading_allocates_nothing_in_the_steady_state() {
    let mut wrong = Vec::new();
    for (name, head, unit) in INPUTS {
        for (way, spec) in specs() {
            for chunk in [1, 3, 17, 61] {
                let count = allocations(&spec, head, unit.as_bytes(), chunk);
                if count > 0 {
                    wrong.push(format!("{name}, under {way}, by {chunk}: {count}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An object of more than a few keys has a table of them: it is used again.
#[test]
fn records_of_many_keys_allocate_nothing_either() {
    let keys: String = (0..40).map(|key| format!("\"field{key}\":{key},")).collect();
    let unit = format!("{{{keys}\"last\":0}},");
    for (way, spec) in specs() {
        let count = allocations(&spec, "{\"items\":[", unit.as_bytes(), 7);
        assert_eq!(count, 0, "under {way}");
    }
}

/// A slip is noted, and past the limit on notices only counted. Where text has to be put right it
/// takes a few allocations of its own, however much was read before.
#[test]
fn repairs_cost_the_same_however_long_the_stream() {
    let head = format!("[{}", "True,".repeat(1_000));
    let spec = bare().build().expect("the settings agree");
    let free = [
        "None,",
        "'it',",
        "/* a */1,",
        "{e:1},",
        "f,",
        "1 2,",
        "5 apples,",
        "{\"a\":},",
        "(1,),",
        "[1},",
        "\"\t\",",
        "\"x\"+'y',",
    ];
    for unit in free {
        assert!(allocations(&spec, &head, unit.as_bytes(), 5) <= 4, "{unit}");
    }
    let rewritten = [
        ("\"a \"b\" c\",", 3),
        (".5,", 4),
        ("007,", 4),
        ("so it,", 1),
        ("\"\\ud83d\",", 1),
        ("\"\\d\",", 1),
        ("{\"a\" 1},", 1),
    ];
    for (unit, most) in rewritten {
        let count = allocations(&spec, &head, unit.as_bytes(), 5);
        assert!(count <= most * COUNTED as u64, "{unit}: {count}");
    }
}

/// With a value and the raw text nothing is allocated but their growth: a few doublings.
#[test]
fn a_kept_value_costs_its_growth_alone() {
    let counts = INPUTS
        .map(|(name, head, unit)| (name, allocations(&Spec::json(), head, unit.as_bytes(), 3)));
    assert!(counts.iter().all(|(_, count)| *count <= 12), "{counts:?}");
}

/// At every position of a text in which everything occurs, an empty chunk does nothing.
#[test]
fn empty_chunks_are_free() {
    let text = "\u{feff}Sure <think>hm \u{1f600}</think>!\n```json\n{'title': \"It's \\ud83d\\ude00\", tone: Calm,\n \
        \"a\": [1 2.5, tru, \"x\" + 'y',], // ok\n \"b\": {\"c\" None}\n}\n```\nbye <thi {\"k\"";
    for (way, spec) in specs() {
        let mut parser = spec.parser();
        for (at, byte) in text.as_bytes().iter().enumerate() {
            let before = parser.clone();
            let mut emitted = 0;
            let info = allocation_counter::measure(|| {
                for _ in 0..3 {
                    let fed = parser.feed([], |_| emitted += 1);
                    let shared = parser.feed_bytes(bytes::Bytes::new(), |_| emitted += 1);
                    if fed.and(shared).is_err() {
                        return;
                    }
                }
            });
            assert_eq!((info.count_total, emitted), (0, 0), "under {way}, at {at}");
            assert!(parser == before, "under {way}, at {at}");
            if parser.feed([*byte], |_| {}).is_err() {
                break;
            }
        }
    }
}
