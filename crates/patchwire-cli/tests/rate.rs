use serde_json::{Value, json};

use crate::run::{Scratch, lines, patchwire};

/// Answers as models give them: whole, with slips, cut off, and none.
const ANSWERS: [&str; 6] = [
    r#"{"title": "One", "count": 1, "tags": ["a"]}"#,
    "Sure!\n```json\n{\"title\": \"Two\", \"count\": 2, \"tags\": []}\n```",
    "{'title': 'Three', \"count\": 3, \"tags\": [\"a\",],}",
    r#"{"title": "Four", "count": 4, "tags": ["a", "b"#,
    "I cannot do that.",
    "",
];

fn recording(streams: &[(&str, &str, &str)]) -> String {
    let line = |(kind, provider, text): &(&str, &str, &str)| {
        let (start, end) = text.split_at(text.len() / 2);
        let line = json!({"kind": kind, "provider": provider, "source": "made up", "deltas": [start, end]});
        format!("{line}\n")
    };
    streams.iter().map(line).collect()
}

fn answers() -> Vec<Scratch> {
    let named = |(at, text): (usize, &&str)| Scratch::new(&format!("rate-{at}.txt"), text);
    ANSWERS.iter().enumerate().map(named).collect()
}

#[test]
fn answers_are_counted_by_how_they_ended() {
    let files = answers();
    let paths: Vec<&str> = files.iter().map(Scratch::path).collect();
    let out = patchwire(&[&["rate", "--json"], &*paths].concat(), "").ok();
    let expected = json!({
        "format": "json",
        "group": null,
        "streams": 6,
        "parsed": 4,
        "outcomes": {
            "complete": 2, "repaired": 1, "truncated": 1, "tool_calls": 0,
            "no_answer": 0, "empty": 1, "failed": 1, "stopped": 0,
        },
        "notices": {"single_quotes": 1, "trailing_comma": 1, "truncated": 1},
        "required_present": null,
        "types_right": null,
    });
    let out = lines(&out);
    assert_eq!(out, [expected]);
}

#[test]
fn the_table_is_for_people() {
    let files = answers();
    let paths: Vec<&str> = files.iter().map(Scratch::path).collect();
    let out = patchwire(&[&["rate"], &*paths].concat(), "").ok();
    let expected = "\
group  streams  parsed  complete  repaired  truncated
all          6     67%       33%       17%        17%

repaired or lost
  single_quotes   1   17%  a key or string in single quotes
  trailing_comma  1   17%  a comma before a closer
  truncated       1   17%  the input ended inside the payload

6 streams of 6 files, read as json
";
    assert_eq!(out, expected);
}

/// `title` and `count` are needed, and `count` is a number.
#[test]
fn with_a_schema_what_it_asks_for_is_counted() {
    let schema =
        r#"{"title": ["str", "", true], "count": ["int", "", true], "tags": [["str", "one"]]}"#;
    let schema = Scratch::new("rate-schema.json", schema);
    let streams = [
        ("a", r#"{"title": "x", "count": 1, "tags": []}"#, (1, 1)),
        // What could be put right is right.
        ("b", r#"{"title": "x", "count": "1", "tags": []}"#, (1, 1)),
        ("c", r#"{"title": "x", "count": "many", "tags": []}"#, (1, 0)),
        ("d", r#"{"title": "x", "tags": []}"#, (0, 1)),
        ("e", r#"{"title": " ", "count": 1, "tags": [], "more": 2}"#, (0, 1)),
        ("f", r#"{"tags": [["x"]]}"#, (0, 0)),
        ("g", "I cannot.", (0, 0)),
        ("h", "", (0, 0)),
    ];
    let lines_of: Vec<_> = streams.iter().map(|(kind, text, _)| (*kind, "p", *text)).collect();
    let file = Scratch::new("rate-shape.ndjson", recording(&lines_of));
    let args = ["rate", "--input", "recording", "--schema", schema.path(), file.path()];
    let out = lines(&patchwire(&[&args[..], &["--json"]].concat(), "").ok());
    for (line, (kind, text, (required, types))) in out.iter().zip(streams) {
        assert_eq!(line["group"], kind);
        let found = (&line["required_present"], &line["types_right"]);
        assert_eq!(found, (&required.into(), &types.into()), "{text}: {line}");
    }
    let table = patchwire(&args, "").ok();
    let head = "group  streams  parsed  complete  repaired  truncated  required  types";
    assert_eq!(table.lines().next(), Some(head));
    let all = table.lines().find(|line| line.starts_with("all ")).expect("there is a sum");
    assert!(all.ends_with("     38%    50%"), "{all}");
    // An answer that stopped early is nothing of it.
    let stopped = [&args[..], &["--json", "--by", "file", "--limit", "total=5"]].concat();
    let out = lines(&patchwire(&stopped, "").ok());
    assert_eq!((&out[0]["required_present"], &out[0]["types_right"]), (&0.into(), &0.into()));
}

#[test]
fn groups_are_what_recordings_say() {
    let streams = [
        ("text", "one", ANSWERS[0]),
        ("tool_args", "one", ANSWERS[2]),
        ("text", "two", ANSWERS[4]),
        ("text", "two", ANSWERS[3]),
    ];
    let file =
        Scratch::new("rate.ndjson", recording(&streams) + "{\"deltas\":[\"[1]\"],\"kind\":7}\n");
    let by = |by: &[&str]| {
        let args = [&["rate", "--input", "recording", "--json", file.path()], by].concat();
        let out = lines(&patchwire(&args, "").ok());
        out.iter().map(|line| (line["group"].clone(), line["parsed"].clone())).collect::<Vec<_>>()
    };
    let pair = |name: &str, parsed: u64| (Value::from(name), Value::from(parsed));
    let none = |parsed: u64| (Value::Null, Value::from(parsed));
    assert_eq!(by(&[]), [none(1), pair("text", 2), pair("tool_args", 1)]);
    assert_eq!(by(&["--by", "kind"]), by(&[]));
    assert_eq!(by(&["--by", "provider"]), [none(1), pair("one", 2), pair("two", 1)]);
    assert_eq!(by(&["--by", "source"]), [none(1), pair("made up", 3)]);
    assert_eq!(by(&["--by", "file"]), [pair(file.path(), 4)]);
    let table = patchwire(&["rate", "--input", "recording", file.path()], "").ok();
    let rows: Vec<&str> = table.lines().map(|line| line.split(' ').next().unwrap_or("")).collect();
    assert_eq!(rows[..5], ["group", "(none)", "text", "tool_args", "all"], "{table}");
}

/// How the answers are cut makes no difference, and neither does who is asked for them first.
#[test]
fn counts_add_up() {
    let streams: Vec<(&str, &str, &str)> = ANSWERS
        .iter()
        .enumerate()
        .map(|(at, text)| (["text", "tool_args"][at % 2], ["a", "b", "c"][at % 3], *text))
        .collect();
    let file = Scratch::new("rate-sums.ndjson", recording(&streams));
    let sum = |by: &str| {
        let args = ["rate", "--input", "recording", "--json", "--by", by, file.path()];
        let out = lines(&patchwire(&args, "").ok());
        let mut sums: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
        for line in &out {
            for part in [line, &line["outcomes"], &line["notices"]] {
                let counts = part.as_object().expect("an object").iter();
                for (name, count) in
                    counts.filter_map(|(name, count)| Some((name, count.as_u64()?)))
                {
                    *sums.entry(name.clone()).or_default() += count;
                }
            }
        }
        sums
    };
    let all = sum("file");
    assert_eq!((all["streams"], all["parsed"]), (6, 4));
    for by in ["kind", "provider", "source"] {
        assert_eq!(sum(by), all);
    }
}

#[test]
fn a_file_that_cannot_be_read_is_said_and_the_others_count() {
    let good = Scratch::new("rate-good.txt", "[1]");
    let run = patchwire(&["rate", "no/such/file", good.path()], "");
    let (status, out, err) = run.failed();
    assert_eq!(status, Some(2));
    assert!(err.contains("cannot read no/such/file"), "{err}");
    assert!(out.contains("all          1    100%"), "{out}");
    let broken = Scratch::new("rate-broken.ndjson", "{\"deltas\":[\"{}\"]}\nnot a recording\n");
    let run = patchwire(&["rate", "--input", "recording", broken.path()], "");
    let (status, out, err) = run.failed();
    assert_eq!(status, Some(3));
    assert!(err.contains("line 2") && out.contains("(none)        1    100%"), "{err}{out}");
}

#[test]
fn rare_outcomes_are_in_the_last_line() {
    let out = patchwire(&["rate"], "[1, 2").ok();
    assert!(out.ends_with("\n1 stream of 1 file, read as json\n"), "{out}");
    let out = patchwire(&["rate", "--limit", "total=3"], "[1, 2]").ok();
    assert!(out.ends_with(", read as json; 1 stopped by an error\n"), "{out}");
    let call = "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>";
    let out = patchwire(&["rate", "--tags", "hermes-json"], call).ok();
    assert!(out.ends_with("; 1 only tool calls\n"), "{out}");
}

#[test]
fn long_names_and_many_notices_fit_on_80_columns() {
    let kind = "a kind of stream with quite a long name";
    let slips = "{a: 'b' // c\n, “d”: [1,,2 3], `e`: 0x1F, f: NaN, 'a': +1, \"g\": \"\\q\"}";
    let file =
        Scratch::new("rate-long.ndjson", recording(&[(kind, "p", slips), ("k", "p", "[1,]")]));
    let out = patchwire(&["rate", "--input", "recording", file.path()], "").ok();
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    assert!(out.contains("…") && out.contains("hex_number"), "{out}");
}

/// Over streams of real models, where there are some: every stream is in one row, and ends one way.
#[test]
fn recorded_streams_are_all_counted() {
    let Some(file) = std::env::var_os("PATCHWIRE_STREAMS") else { return };
    let file = file.to_str().expect("the file has a plain name");
    let streams = std::fs::read_to_string(file).expect("it can be read");
    let streams = streams.lines().filter(|line| !line.trim().is_empty()).count() as u64;
    let out = patchwire(&["rate", "--input", "recording", "--json", file], "").ok();
    let mut counted = 0;
    for line in lines(&out) {
        let of = line["streams"].as_u64().expect("it is a count");
        let ends = line["outcomes"].as_object().expect("an object").values();
        assert_eq!(ends.filter_map(Value::as_u64).sum::<u64>(), of, "{line}");
        counted += of;
    }
    assert_eq!(counted, streams);
}
