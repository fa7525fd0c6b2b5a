//! Everything is accounted for: the spans of events tile the input, in order, once.

use patchwire::{Spec, spec::Roots};

/// Texts with everything that eats bytes: prose, fences, reasoning, strays, repeated keys, slips,
/// several roots, invalid bytes, ends in the middle.
const TEXTS: [&[u8]; 12] = [
    b"",
    b"just prose",
    b"  {\"a\": [1, 2.5, \"x\\n\\u00e9\", {}], \"b\": null}  ",
    b"Sure!\n```json\n{\"a\": 1}\n```\nBye {\"b\": 2}.",
    b"<think>hm {\"x\":1}</think> {\"a\": \"<think>\"} </think> end",
    b"{\"a\": 1, \"a\": {\"b\": [1, 2]}, \"c\": 3}}}",
    b"{'a': 'it's ok', b: True, \"c\": [1 2, \"d\": 0x1F, // x\n}",
    b"{\"a\": \"caf\xc3\xa9 \xff\xe2\x82 \xf0\x9f\x98\x80\", \"b\": \"\\ud83d\"",
    b"\xef\xbb\xbf{\"a\": 1}{\"a\": 2}\n[3]",
    b"{\"a\": \"x\n```\nmore",
    b"```json\n{\"a\": [1, \"x\"\n```\ntext",
    b"see {\"name\"} and <thi",
];

fn tiles(spec: &Spec, text: &[u8], size: usize) {
    let mut end = 0;
    let mut tile = |event: patchwire::Event<'_>| {
        if let Some(span) = event.span() {
            assert_eq!(
                span.start,
                end,
                "{} in {:?}",
                event.name(),
                text.escape_ascii().to_string()
            );
            assert!(span.end >= span.start);
            end = span.end;
        }
    };
    let mut parser = spec.parser();
    for chunk in text.chunks(size) {
        parser.feed(chunk, &mut tile).unwrap();
    }
    parser.finish(&mut tile).unwrap();
    assert_eq!(end, text.len() as u64, "{:?}", text.escape_ascii().to_string());
}

#[test]
fn spans_tile_the_input() {
    let several = Spec::builder().roots(Roots::Concatenated).build().unwrap();
    for spec in [Spec::json(), several] {
        for text in TEXTS {
            for size in [1, 2, 3, 7, text.len().max(1)] {
                tiles(&spec, text, size);
            }
        }
    }
}
