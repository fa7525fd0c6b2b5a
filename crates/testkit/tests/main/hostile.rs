//! Hostile shapes under every law, and known errors of other parsers, by name.
//!
//! The memory cost of hostile input is tested in `tests/memory`, its time by `--bin growth`.

use std::collections::BTreeSet;

use patchwire::{Code, Error, ErrorKind, Limit, Limits, Schema, Spec, spec::Roots};
use testkit::{extent, hostile, laws, reading_modes};

/// So small that every cut can be tried, so large that each shape shows what it is.
const SMALL: usize = 56;

#[test]
fn shapes_have_names_of_their_own_and_the_size_that_was_asked_for() {
    let names: BTreeSet<&str> = hostile::all().iter().map(|shape| shape.name).collect();
    assert_eq!(names.len(), hostile::all().len());
    for shape in hostile::all() {
        for n in [50_000, 100_000] {
            let len = (shape.make)(n).len();
            assert!(len.abs_diff(n) <= n / 10, "{} of {n} has {len} bytes", shape.name);
        }
        assert!(hostile::named(shape.name).is_some());
    }
}

#[test]
fn small_hostile_inputs_obey_the_laws() {
    let setups = reading_modes::all();
    for (at, shape) in hostile::all().iter().enumerate() {
        let input = (shape.make)(SMALL);
        for setup in extent::modes(&setups, at) {
            if let Err(why) = laws::all(&setup.spec, &input) {
                panic!("{}, under {}: {why}", shape.name, setup.name);
            }
        }
    }
}

#[test]
fn small_hostile_elements_obey_the_laws() {
    let setups = reading_modes::tagged();
    for shape in hostile::tags::SHAPES {
        let input = (shape.make)(2 * SMALL);
        for setup in &setups {
            if let Err(why) = laws::all(&setup.spec, &input) {
                panic!("{}, under {}: {why}", shape.name, setup.name);
            }
        }
    }
}

#[test]
fn small_answers_that_fail_their_schema_everywhere_obey_the_laws() {
    let setups = hostile::checks::ways();
    for shape in hostile::checks::SHAPES {
        let input = (shape.make)(2 * SMALL);
        for setup in &setups {
            if let Err(why) = laws::all(&setup.spec, &input) {
                panic!("{}, under {}: {why}", shape.name, setup.name);
            }
        }
    }
}

fn limited(limit: Limit, n: u64, roots: Roots) -> Spec {
    let limits = Limits::default().with(limit, n);
    Spec::builder().limits(limits).roots(roots).build().expect("the settings agree")
}

/// RUSTSEC-2022-0004 and RUSTSEC-2024-0012: nesting overflowed the stack of two JSON parsers.
#[test]
fn nesting_without_end_is_an_error_and_not_a_crash() {
    for unit in ["[", "{\"a\":", "[{\"a\":", "{a:(", "[\n"] {
        for spec in [Spec::json(), Spec::strict_json()] {
            let error = spec.parse(unit.repeat(100_000)).expect_err("too deep");
            let strict_only = matches!(error.kind, ErrorKind::Syntax(_)) && unit == "{a:(";
            assert!(strict_only || error.kind == ErrorKind::Limit(Limit::Depth), "{error}");
            assert!(error.offset < 256 * unit.len() as u64 + 1, "{error}");
        }
    }
}

/// A cap on bytes let a hundred thousand entries without bytes pass. Here each counts as a node.
#[test]
fn values_without_bytes_count_too() {
    let items = ["\"\"", "[]", "{}", "null"];
    for item in items {
        let text = format!("[{}{item}]", format!("{item},").repeat(99));
        let spec = |n| limited(Limit::Nodes, n, Roots::Best);
        assert!(spec(101).parse(&text).is_ok(), "{item}");
        let kind = spec(100).parse(&text).map_err(|error| error.kind).map(drop);
        assert_eq!(kind, Err(ErrorKind::Limit(Limit::Nodes)), "{item}");
    }
    let roots = "{}\n".repeat(100);
    let spec = |n| limited(Limit::Nodes, n, Roots::Concatenated);
    assert!(spec(100).parse(&roots).is_ok());
    assert!(spec(99).parse(&roots).is_err());
}

/// A repair dropped what followed: `[1, .123, 3]` became `[1]`, a blank in `[ ]` lost the rest.
#[test]
fn a_repair_loses_nothing_that_follows() {
    let read = [
        ("[1, .123, 3]", "[1,0.123,3]"),
        ("{\"a\": [ ], \"b\": [\n], \"c\": { }, \"d\": 1}", r#"{"a":[],"b":[],"c":{},"d":1}"#),
        ("[1, tru, 2, nul, 3]", r#"[1,"tru",2,"nul",3]"#),
        ("{\"a\": \"x\" \"b\": 1}", r#"{"a":"x","b":1}"#),
        ("[\"a\", \"b\" \"c\"]", r#"["a","b","c"]"#),
    ];
    for (text, value) in read {
        let answer = Spec::json().parse(text).expect("lenient");
        assert_eq!(answer.value().to_string(), value, "{text}");
    }
}

/// Every loss has a notice with its place.
#[test]
fn what_is_dropped_is_noted() {
    let dropped = [
        ("[5 apples, 1]", "[5,1]", Code::TrailingAfterValue),
        ("{\"a\": 1, ; \"b\": 2}", r#"{"a":1,"b":2}"#, Code::UnexpectedBytes),
        ("{\"a\": 1, \"a\": 2}", r#"{"a":2}"#, Code::DuplicateKey),
        ("[1] ] }", "[1]", Code::SurplusClose),
        ("[1, tru", "[1]", Code::TruncatedScalar),
    ];
    for (text, value, code) in dropped {
        let answer = Spec::json().parse(text).expect("lenient");
        assert_eq!(answer.value().to_string(), value, "{text}");
        let found = answer.notices().iter().any(|notice| notice.code == code);
        assert!(found, "{text}: {:?}", answer.notices());
    }
}

/// CVE-2025-9141: the text of a model was evaluated. Here code is text.
#[test]
fn code_in_an_answer_is_text() {
    let codes = ["__import__('os').system('id')", "{{7*7}}", "${7*7}", "(function(){})()", "`id`"];
    for code in codes {
        let quoted = serde_json::to_string(code).expect("text");
        let answer = Spec::json().parse(format!("{{\"a\": {quoted}}}")).expect("JSON");
        let value = answer.value().get("a").and_then(|value| value.as_str().map(str::to_owned));
        assert_eq!(value.as_deref(), Some(code));
        let bare = Spec::json().parse(format!("{{\"a\": {code}}}")).expect("lenient");
        assert!(!bare.value().to_string().contains("49"), "{code}");
    }
}

/// CVE-2025-48944, CVE-2026-55574: patterns and types of a schema reached a compiler that died of
/// them. Here a pattern is never compiled, and a keyword that cannot be is a typed error.
#[test]
fn a_schema_is_data() {
    let patterns = ["(((((", "(a+)+$", "[", "\\", "(?P<n>", "a{99999}{99999}"];
    for pattern in patterns {
        let text = serde_json::json!({"type": "object", "properties": {
            "a": {"type": "string", "pattern": pattern, "format": pattern}}});
        let schema = Schema::from_json_schema_text(&text.to_string()).expect("a schema");
        let spec = Spec::builder().schema(schema).build().expect("the settings agree");
        let answer = spec.parse(format!("{{\"a\": \"{}!\"}}", "a".repeat(50_000))).expect("JSON");
        assert_eq!(
            answer.value().get("a").and_then(|value| value.as_str()).map(str::len),
            Some(50_001)
        );
    }
    for text in ["{\"type\": 7}", "{\"type\": \"somthing\"}", "{\"properties\": []}", "7", "{"] {
        assert!(Schema::from_json_schema_text(text).is_err(), "{text}");
    }
}

/// After an error nothing more is read, whatever comes.
#[test]
fn an_error_costs_nothing_more() {
    let mut parser = Spec::json().parser();
    let error = parser.feed("[".repeat(1_000), |_| {}).expect_err("too deep");
    let mut emitted = 0;
    for _ in 0..10 {
        let again: Result<(), Error> = parser.feed("]".repeat(100_000), |_| emitted += 1);
        assert_eq!((again, emitted), (Err(error), 0));
    }
    assert_eq!(parser.value().len(), 1);
}

/// References that double at each step are followed, not copied.
#[test]
fn references_of_a_schema_do_not_multiply() {
    let mut definitions = String::new();
    for at in 0..60 {
        let next = format!("{{\"$ref\": \"#/$defs/d{}\"}}", at + 1);
        definitions.push_str(&format!(
            "\"d{at}\": {{\"type\": \"object\", \"properties\": {{\"x\": {next}, \"y\": {next}}}}},"
        ));
    }
    let text = format!("{{\"$ref\": \"#/$defs/d0\", \"$defs\": {{{definitions} \"d60\": {{}}}}}}");
    let schema = Schema::from_json_schema_text(&text).expect("a schema");
    let spec = Spec::builder().schema(schema).build().expect("the settings agree");
    let answer = spec.parse("{\"y\": {\"x\": {\"y\": 1}}}").expect("JSON");
    assert_eq!(answer.value().to_string(), r#"{"y":{"x":{"y":1}}}"#);
}
