use patchwire::TagSet;

use crate::run::{Scratch, patchwire};

/// Elements of all presets: cut short, reopened, strays, attributes, markers in code.
const TAGS: [&str; 3] = [
    "plan</scratch_pad>\n<output>Hi <think level=\"1>2\">hm</thinking>there<output>again `</output>` ok</output>!",
    "<scratch_pad>a <output of that <output>b</scratch_pad>\n```\n<output>\n```\nc</output> d <outp",
    "<<STEP_START>>x<<TOOL_STEP_START/search:c1>><<TOOL_STEP_INPUT_START>>{\"q\": \"<<STEP\"}<<TOOL_STEP_INPUT_END>><<thinking>>y<</thinking>><result><b>1</b></result>",
];

#[test]
fn cuts_make_no_difference() {
    let inputs: &[&[u8]] = &[
        b"",
        b"x",
        br#"{"a": [1, 2.50, "x\u00e9\ud83d\ude00", null], "b": {}}"#,
        "{\"caf\u{e9}\": \"\u{1F600} \u{4f60}\u{597d}\"}".as_bytes(),
        b"<think>a {\"b\"</thi</think>Here:\n```json\n{'a': tru, b: \"it said \"hi\" there\",}\n```\n.",
        b"[1, 2,, 3 4 {\"a\" 1} /* c */ NaN 0x1F +1 .5 'x' `y`",
        b"\xEF\xBB\xBF{\"a\": \"\xff\xfe\xe2\x82\", \"b\": \"\\ud83d\"}",
        b"{\"a\": 1, \"a\": {\"b\": [1, 2",
        b"Use {\"name\"} as a template.\n{\"title\": \"x\"} and {\"title\": \"y\"}",
        TAGS[0].as_bytes(),
        TAGS[1].as_bytes(),
        TAGS[2].as_bytes(),
        b"{\"a\": \"x\"} </think> {\"b\": \"\"\"y\"\"\" + 'z'}}}]",
    ];
    let files: Vec<Scratch> = inputs
        .iter()
        .enumerate()
        .map(|(number, input)| Scratch::new(&format!("check-{number}.txt"), input))
        .collect();
    let paths: Vec<&str> = files.iter().map(Scratch::path).collect();
    let others = [
        &[][..],
        &["--strictness", "strict"],
        &["--tags", "none"],
        &["--roots", "concatenated"],
        &["--format", "text"],
        &["--format", "json", "--tags", "scratchpad", "--start-in", "scratch_pad"],
    ];
    for options in others {
        check(options, &paths);
    }
    for preset in TagSet::PRESETS {
        check(&["--tags", preset], &paths[inputs.len() - 5..]);
    }
}

fn check(options: &[&str], paths: &[&str]) {
    let out = patchwire(&[&["check"], options, paths].concat(), "").ok();
    assert_eq!(out.matches(" same\n").count(), paths.len(), "{out}");
    let last = out.lines().last().expect("there is a table");
    let all = format!("{} streams, ", paths.len());
    assert!(last.starts_with(&all) && last.ends_with(": no difference"), "{last}");
}

#[test]
fn pieces_of_comments_and_of_bodies_are_joined_too() {
    let input = "a<!-- a comment -->b {\"q\": <!-- \"x y\" --> 1}<<T/search:7>>{\"q\": \"z\"}<<END>><answer>so";
    let out = patchwire(&["check", "--tags", "tests/tags.toml"], input).ok();
    assert!(out.contains(" same\n"), "{out}");
}

#[test]
fn the_table_says_what_was_tried() {
    let out = patchwire(&["check", "--random", "7"], r#"{"a": "bcd"}"#).ok();
    let expected = "\
stream                             bytes    cuts in two  random  outcome    result
stdin                                 12         all 11       7  complete   same
1 stream, 12 bytes, 19 cuttings, byte by byte among them: no difference
";
    assert_eq!(out, expected);
}

#[test]
fn of_long_inputs_not_every_cut_is_tried() {
    let input = format!("[\"{}\"]", "long ".repeat(20_000));
    let out = patchwire(&["check"], input).ok();
    assert!(out.contains(" 167 of 100003     100  complete   same\n"), "{out}");
}

#[test]
fn recordings_are_also_read_as_they_were_cut() {
    let recording =
        "{\"deltas\":[\"{\\\"a\\\":\",\" \\\"b\",\"c\\\"}\"]}\n{\"deltas\":[\"[1]\"]}\n";
    let file = Scratch::new("streams.ndjson", recording);
    let out = patchwire(&["check", "--input", "recording", "--random", "0", file.path()], "").ok();
    // Each byte by byte and in two everywhere; the first as recorded too.
    assert!(out.contains("2 streams, 14 bytes, 15 cuttings"), "{out}");
    assert!(out.contains(".ndjson:2 "), "{out}");
}

#[test]
fn a_stream_that_stops_has_to_stop_alike() {
    let out = patchwire(&["check", "--limit", "total=6"], r#"{"a": "bcd"}"#).ok();
    assert!(out.contains(" stopped    same\n"), "{out}");
}
