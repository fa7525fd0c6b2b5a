//! Two readers of one JSON Schema: the walk that judges values while they stream, and the validator that judges
//! the finished value. And what hostile schemas and values cost them.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

use cpu_time::ThreadTime;
use patchwire::{Event, Schema, Spec, Strictness};
use testkit::generate::Rng;

/// How often a cost is measured that seems too high.
const TRIES: usize = 5;
const SEED: u64 = 20_261_123;
const NAMES: [&str; 4] = ["a", "b", "c", "d e"];

/// A schema of the keywords that both readers know. `unions`: with alternatives.
fn schema(rng: &mut Rng, depth: usize, unions: bool) -> String {
    let kinds = if depth == 0 { 6 } else { 9 };
    match rng.below(kinds + usize::from(unions && depth > 0)) {
        0 => r#"{"type":"string"}"#.to_owned(),
        1 => r#"{"type":"integer"}"#.to_owned(),
        2 => r#"{"type":["number","null"]}"#.to_owned(),
        3 => r#"{"type":"boolean"}"#.to_owned(),
        4 => r#"{"enum":["x",1,true,null]}"#.to_owned(),
        5 => rng.pick(&[r#"{"const":"y"}"#, r#"{"const":2}"#, "true"]).to_owned(),
        6 => format!(r#"{{"type":"array","items":{}}}"#, schema(rng, depth - 1, unions)),
        7 | 8 => object(rng, depth - 1, unions),
        _ => {
            let (one, other) = (object(rng, depth - 1, true), schema(rng, depth - 1, true));
            format!(r#"{{"anyOf":[{one},{other}]}}"#)
        }
    }
}

fn object(rng: &mut Rng, depth: usize, unions: bool) -> String {
    let names: Vec<&str> = NAMES.into_iter().filter(|_| rng.once_in(2)).collect();
    let properties: Vec<String> =
        names.iter().map(|name| format!("{name:?}:{}", schema(rng, depth, unions))).collect();
    let required: Vec<String> =
        names.iter().filter(|_| rng.once_in(2)).map(|name| format!("{name:?}")).collect();
    let others = match rng.below(3) {
        0 => String::new(),
        1 => r#","additionalProperties":false"#.to_owned(),
        _ => format!(r#","additionalProperties":{}"#, schema(rng, 0, unions)),
    };
    let (properties, required) = (properties.join(","), required.join(","));
    format!(r#"{{"type":"object","properties":{{{properties}}},"required":[{required}]{others}}}"#)
}

fn value(rng: &mut Rng, depth: usize) -> String {
    const SCALARS: [&str; 10] =
        ["\"x\"", "\"y\"", "\"\"", "1", "2", "1.0", "0.5", "true", "false", "null"];
    match rng.below(if depth == 0 { 1 } else { 3 }) {
        0 => rng.pick(&SCALARS).to_owned(),
        1 => {
            let items: Vec<String> = (0..rng.below(3)).map(|_| value(rng, depth - 1)).collect();
            format!("[{}]", items.join(","))
        }
        _ => {
            let names: Vec<&str> = NAMES.into_iter().filter(|_| rng.once_in(2)).collect();
            let members: Vec<String> =
                names.iter().map(|name| format!("{name:?}:{}", value(rng, depth - 1))).collect();
            format!("{{{}}}", members.join(","))
        }
    }
}

/// Place and kind of what is wrong: while it streams, and at the end.
fn judged(spec: &Spec, text: &str) -> [BTreeSet<String>; 2] {
    let mut streamed = BTreeSet::new();
    let mut parser = spec.parser();
    let emitted = |event: Event<'_>, streamed: &mut BTreeSet<String>| {
        if let Event::Verdict(failure) = event {
            streamed.insert(format!("{} {}", failure.path, failure.kind.name()));
        }
    };
    for chunk in text.as_bytes().chunks(3) {
        parser.feed(chunk, |event| emitted(event, &mut streamed)).unwrap();
    }
    let answer = parser.finish(|event| emitted(event, &mut streamed)).unwrap();
    let finished = answer.failures().iter();
    [streamed, finished.map(|it| format!("{} {}", it.path, it.kind.name())).collect()]
}

#[test]
fn the_walk_and_the_validator_agree() {
    let mut rng = Rng::new(SEED);
    let (mut valid, mut invalid) = (0, 0);
    for _ in 0..2_000 {
        let unions = rng.once_in(3);
        let schema = object(&mut rng, 3, unions);
        let read = Schema::from_json_schema_text(&schema).unwrap();
        assert!(read.unchecked().is_empty(), "{schema}");
        let spec = Spec::builder().strictness(Strictness::Strict).schema(read).valid(true);
        let spec = spec.build().unwrap();
        for _ in 0..4 {
            let text = format!("{{\"a\":{},\"b\":{}}}", value(&mut rng, 3), value(&mut rng, 2));
            let [streamed, finished] = judged(&spec, &text);
            if unions {
                // A stream does not know yet which alternative a value is.
                assert!(streamed.is_empty() || !finished.is_empty(), "{schema}\n{text}");
            } else {
                assert_eq!(streamed, finished, "{schema}\n{text}");
            }
            *if finished.is_empty() { &mut valid } else { &mut invalid } += 1;
        }
    }
    assert!(valid > 100 && invalid > 2_000, "{valid} valid, {invalid} invalid");
}

/// Reads a schema and judges a value by it, on a thread with the least usual stack. The time is that of its processor,
/// because a busy machine doubles any other.
fn costs(schema: String, text: String) -> (Duration, Result<usize, String>) {
    let run = move || {
        let began = ThreadTime::now();
        let result = Schema::from_json_schema_text(&schema)
            .map_err(|error| error.to_string())
            .and_then(|schema| {
                Spec::builder().schema(schema).valid(true).build().map_err(|it| it.to_string())
            })
            .and_then(|spec| spec.parse(&text).map_err(|error| error.to_string()))
            .map(|answer| answer.failures().len());
        (began.elapsed(), result)
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap();
    thread.join().expect("no panic, and no stack overflow")
}

fn many(count: usize, each: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for at in 0..count {
        let _ = write!(text, "{}{}", if at == 0 { "" } else { "," }, each(at));
    }
    text
}

/// Schemas and values that cost much: what is judged of each, and that time grows with size alone.
#[test]
fn hostile_schemas_and_values() {
    let definitions = |count: usize| {
        let each = many(count, |at| {
            format!(
                r##""d{at}":{{"type":"object","properties":{{"n":{{"$ref":"#/$defs/d{}"}}}}}}"##,
                at + 1
            )
        });
        (
            format!(r##"{{"$defs":{{{each},"d{count}":{{}}}},"$ref":"#/$defs/d0"}}"##),
            r#"{"n":{"n":1}}"#.to_owned(),
        )
    };
    let listed = |count: usize| {
        let each = many(count, |at| format!("\"v{at}\""));
        (format!(r#"{{"enum":[{each}]}}"#), format!("\"v{}\"", count - 1))
    };
    let unique = |count: usize| {
        (r#"{"uniqueItems":true}"#.to_owned(), format!("[{}]", many(count, |at| format!("[{at}]"))))
    };
    let wide = |count: usize| {
        let each = many(count, |at| format!("\"m{at}\":{{\"type\":\"integer\"}}"));
        let members = many(count, |at| format!("\"m{at}\":{at}"));
        (
            format!(r#"{{"properties":{{{each}}},"additionalProperties":false}}"#),
            format!("{{{members}}}"),
        )
    };
    let patterns = |count: usize| {
        let each = many(count, |at| format!(r#"{{"pattern":"(a|b){{1,60}}{at}"}}"#));
        (format!(r#"{{"anyOf":[{each}]}}"#), "\"x\"".to_owned())
    };
    type Shape<'s> = (&'s str, &'s dyn Fn(usize) -> (String, String), usize, usize);
    let shapes: [Shape<'_>; 5] = [
        ("definitions", &definitions, 5_000, 1),
        ("listed", &listed, 20_000, 0),
        ("unique", &unique, 20_000, 0),
        ("wide", &wide, 5_000, 0),
        ("patterns", &patterns, 200, 0),
    ];
    for (name, shape, count, failures) in shapes {
        let (once, twice) = (shape(count), shape(2 * count));
        // Twice the size, with much room; quadratic work would be far above in a few doublings. A busy machine can
        // slow down one of the two, so one pair of several is enough.
        let within = (0..TRIES).any(|_| {
            let (first, result) = costs(once.0.clone(), once.1.clone());
            let (second, _) = costs(twice.0.clone(), twice.1.clone());
            let found = result.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(found >= failures, "{name}: {found}");
            second < first * 4 + Duration::from_millis(500)
        });
        assert!(within, "{name}: twice the size costs more than four times as much");
    }
}

#[test]
fn what_is_too_deep_is_an_error_and_not_an_overflow() {
    let nested = |open: &str, count: usize, close: &str| {
        format!("{}true{}", open.repeat(count), close.repeat(count))
    };
    let chain = |count: usize| {
        let each = many(count, |at| format!(r##""d{at}":{{"$ref":"#/$defs/d{}"}}"##, at + 1));
        format!(r##"{{"$defs":{{{each},"d{count}":{{}}}},"$ref":"#/$defs/d0"}}"##)
    };
    for (name, schema) in [
        ("not", nested(r#"{"not":"#, 255, "}")),
        ("allOf", nested(r#"{"allOf":["#, 127, "]}")),
        ("properties", nested(r#"{"properties":{"a":"#, 127, "}}")),
        ("items", nested(r#"{"items":"#, 128, "}")),
        ("if", nested(r#"{"then":true,"if":"#, 255, "}")),
    ] {
        let (_, result) = costs(schema, "[1]".to_owned());
        assert!(result.is_ok(), "{name}: {result:?}");
    }
    for (name, schema) in [
        ("not", nested(r#"{"not":"#, 20_000, "}")),
        ("chain", chain(10_000)),
        ("itself", r##"{"$ref":"#"}"##.to_owned()),
        (
            "each other",
            r##"{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}"##
                .to_owned(),
        ),
    ] {
        let (time, result) = costs(schema, "1".to_owned());
        assert!(result.is_err() && time < Duration::from_secs(20), "{name}: {result:?} {time:?}");
    }
    let recursive = r##"{"items":{"$ref":"#"},"maxItems":1}"##;
    let (_, deep) = costs(recursive.to_owned(), nested("[", 250, "]"));
    assert_eq!(deep, Ok(0));
    let (_, within) = costs(
        r##"{"anyOf":[{"type":"number"},{"allOf":[{"items":{"$ref":"#"}}]}]}"##.to_owned(),
        nested("[", 250, "]"),
    );
    assert_eq!(within, Ok(1), "not checked, and so not valid");
}
