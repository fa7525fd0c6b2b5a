//! Every limit, at N and at N + 1: the one passes, the other is a typed error that stays.

use patchwire::internals::XmlBody;
use patchwire::schema::{SchemaErrorKind, list, object, str};
use patchwire::{
    Code, Error, ErrorKind, Event, Format, Limit, Limits, PatchOp, Schema, Spec, SpecError,
    Strictness,
};

fn spec(limit: Limit, n: u64) -> Spec {
    Spec::builder().limits(Limits::default().with(limit, n)).build().unwrap()
}

/// Byte by byte, in twos, in one piece, and cut in two at each place: the outcome must be the same.
fn outcome(spec: &Spec, text: &str) -> Result<String, Error> {
    let bytes = text.as_bytes();
    let mut ways: Vec<Vec<&[u8]>> = vec![bytes.chunks(1).collect(), bytes.chunks(2).collect()];
    ways.extend((0..bytes.len()).map(|cut| vec![&bytes[..cut], &bytes[cut..]]));
    let mut results = ways.into_iter().map(|chunks| {
        let mut parser = spec.parser();
        for chunk in chunks {
            if let Err(error) = parser.feed(chunk, |_| {}) {
                assert_eq!(parser.feed("x", |_| {}), Err(error), "the error stays");
                assert_eq!(parser.finish(|_| {}), Err(error), "the error stays");
                assert_eq!(parser.feed("", |_| {}), Err(error), "the error stays");
                return (Err(error), parser.value().to_string());
            }
        }
        let answer = parser.finish(|_| {});
        let value = parser.value().to_string();
        (answer.map(|_| value.clone()), value)
    });
    let one = results.next().expect("some ways");
    for other in results {
        assert_eq!(one, other);
    }
    one.0
}

/// `at` passes under the limit `n`, `over` is refused at `offset`.
fn check(limit: Limit, n: u64, at: &str, (over, offset): (&str, u64)) {
    let spec = spec(limit, n);
    let passes = outcome(&spec, at);
    assert!(passes.is_ok(), "{limit} {n}: {at:?} gave {passes:?}");
    let refused = outcome(&spec, over);
    let error = Err(Error { kind: ErrorKind::Limit(limit), offset });
    assert_eq!(refused.map(|_| ()), error, "{limit} {n}: {over:?}");
}

#[test]
fn limits_that_nobody_set() {
    let limits = Limits::default();
    let kibi = 1 << 10;
    for (limit, most) in [
        (Limit::Depth, 256),
        (Limit::Key, 4 * kibi),
        (Limit::Number, 4 * kibi),
        (Limit::Held, 64 * kibi),
        (Limit::Deferred, kibi * kibi),
        (Limit::Aliases, 10_000),
        (Limit::Total, 64 * kibi * kibi),
        (Limit::Nodes, 4_000_000),
        (Limit::Fields, 1_000_000),
        (Limit::Repair, kibi * kibi),
        (Limit::Notices, 1_000),
        (Limit::Paths, 100_000),
        (Limit::PathBytes, 4 * kibi * kibi),
    ] {
        assert_eq!(limits.get(limit), most, "{limit}");
    }
}

#[test]
fn depth_at_n_and_n_plus_1() {
    check(Limit::Depth, 3, r#"[[[1]]]"#, (r#"[[[[1]]]]"#, 3));
    check(Limit::Depth, 3, r#"{"a":{"b":[1]}}"#, (r#"{"a":{"b":[{"c":1}]}}"#, 11));
}

#[test]
fn key_at_n_and_n_plus_1() {
    check(Limit::Key, 4, r#"{"abcd":1}"#, (r#"{"abcde":1}"#, 6));
    check(Limit::Key, 4, r#"{abcd:1}"#, (r#"{"a": 1, abcde:1}"#, 13));
    check(Limit::Key, 2, "{\"é\":1}", ("{\"aé\":1}", 4));
}

#[test]
fn number_at_n_and_n_plus_1() {
    check(Limit::Number, 4, "[1234]", ("[12345]", 5));
    check(Limit::Number, 4, "[0,1234]", ("[0,12345]", 7));
    check(Limit::Number, 4, "[true]", ("[false]", 5));
    check(Limit::Number, 5, "[202.5// x\n]", ("[202.51// x\n]", 6));
    check(Limit::Number, 5, "[202.5]", ("[202.5/x]", 6));
    check(Limit::Number, 5, "[202.5/", ("[202.5/,1]", 6));
}

#[test]
fn text_without_quotes_is_no_number_however_long() {
    let spec = spec(Limit::Number, 4);
    assert_eq!(outcome(&spec, r#"{"a":greetings all}"#), Ok(r#"{"a":"greetings all"}"#.into()));
    // The limit may lie inside a character.
    for (n, text, wanted) in [
        (3, "[ééé]", r#"["ééé"]"#),
        (4, "[ééé]", r#"["ééé"]"#),
        (2, "[aéé]", r#"["aéé"]"#),
        (6, "[漢字漢]", r#"["漢字漢"]"#),
        (5, "[漢字漢]", r#"["漢字漢"]"#),
        (4, "[漢字漢]", r#"["漢字漢"]"#),
    ] {
        let spec = self::spec(Limit::Number, n);
        assert_eq!(outcome(&spec, text), Ok(wanted.into()), "{n} {text}");
    }
}

#[test]
fn total_at_n_and_n_plus_1() {
    check(Limit::Total, 6, "[1, 2]", ("[1, 2] ", 6));
    check(Limit::Total, 6, "[1, 2]", ("[1, 20]", 6));
}

#[test]
fn nodes_at_n_and_n_plus_1() {
    check(Limit::Nodes, 3, "[1,2]", ("[1,2,3]", 6));
    check(Limit::Nodes, 3, r#"{"a":"","b":{}}"#, (r#"{"a":"","b":{},"c":[]}"#, 20));
}

#[test]
fn fields_at_n_and_n_plus_1() {
    check(Limit::Fields, 2, r#"{"a":1,"b":{"c":1,"d":2}}"#, (r#"{"a":1,"b":2,"c":3}"#, 16));
}

#[test]
fn notices_past_the_limit_are_counted_and_no_error() {
    let spec = spec(Limit::Notices, 2);
    let text = "[True,True,True]";
    let answer = spec.parse(text).unwrap();
    assert_eq!((answer.notices().len(), answer.notice_count()), (2, 3));
    let answer = spec.parse("[True,True]").unwrap();
    assert_eq!((answer.notices().len(), answer.notice_count()), (2, 2));
}

#[test]
fn held_at_n_and_n_plus_1() {
    // Blanks inside text without quotes are held: they may be its end.
    let spec = spec(Limit::Held, 3);
    let emitted = |text: &str| spec.parse(text).unwrap();
    assert_eq!(emitted(r#"{"a":ab   }"#).value().to_string(), r#"{"a":"ab"}"#);
    let over = emitted(r#"{"a":ab    }"#);
    assert!(over.notices().iter().any(|notice| notice.code.name() == "hold_cap"), "{over:?}");
}

/// The closing ticks of a fenced value and the blanks behind them are held: a comma makes them its end.
#[test]
fn blanks_behind_a_fenced_value_at_n_and_n_plus_1() {
    let spec = spec(Limit::Held, 8);
    for (blanks, is_streamed) in [(5, true), (6, false)] {
        let text = format!("{{\"a\": ```x```{}, \"b\": 1}}", " ".repeat(blanks));
        let answer = spec.parse(&text).unwrap();
        assert_eq!(answer.value().to_string(), r#"{"a":"x","b":1}"#);
        let codes: Vec<_> = answer.notices().iter().map(|notice| notice.code.name()).collect();
        assert_eq!(codes == ["backtick_quotes"], is_streamed, "{blanks}: {codes:?}");
    }
}

#[test]
fn blanks_behind_text_are_held_again_after_too_many_were_content() {
    let emitted = yaml(Limit::Held, 3, "a: x     y   \nb: 1");
    assert_eq!(emitted, (r#"{"a":"x     y","b":1}"#.into(), vec!["hold_cap"]));
    let quoted = yaml(Limit::Held, 3, "a: \"x        \n y\"\nb: 1");
    assert_eq!(quoted, (r#"{"a":"x         y","b":1}"#.into(), vec!["hold_cap"]));
}

#[test]
fn blanks_that_are_text_stand_where_they_are_read() {
    let limits = Limits::default().with(Limit::Held, 3);
    let spec = Spec::builder().format(Format::YamlLiteral).limits(limits).build().unwrap();
    let mut deltas = Vec::new();
    let mut parser = spec.parser();
    parser
        .feed("```yaml\na: x       \nb: 1\n", |event| {
            if let Event::Patch(patch) = event
                && patch.op == PatchOp::Delta
            {
                deltas.push((patch.delta.to_string(), patch.span.start, patch.span.end));
            }
        })
        .unwrap();
    let delta = |text: &str, start, end| (text.to_owned(), start, end);
    assert_eq!(deltas, [delta("x    ", 11, 16), delta("   ", 16, 19)]);
}

#[test]
fn nodes_count_the_list_that_a_second_element_makes() {
    let read = |nodes| {
        let body = XmlBody::any().whole();
        let limits = Limits::default().with(Limit::Nodes, nodes);
        let spec = Spec::builder().limits(limits).machine(body.machine()).build().unwrap();
        spec.parse("<r><x>1</x><x>2</x></r>").map(|answer| answer.value().to_string())
    };
    assert_eq!(read(5).as_deref(), Ok(r#"{"r":{"x":["1","2"]}}"#));
    assert_eq!(read(4).map_err(|error| error.kind), Err(ErrorKind::Limit(Limit::Nodes)));
}

/// The value and the notices of a YAML document under a limit.
fn yaml(limit: Limit, n: u64, document: &str) -> (String, Vec<&'static str>) {
    let limits = Limits::default().with(limit, n);
    let spec = Spec::builder().format(Format::YamlLiteral).limits(limits).build().unwrap();
    let text = format!("<<<BEGIN AGENTLY_YAML>>>\n{document}\n<<<END AGENTLY_YAML>>>\n");
    let answer = spec.parse(&text).unwrap();
    let codes = answer.notices().iter().map(|notice| notice.code.name()).collect();
    (answer.value().to_string(), codes)
}

#[test]
fn deferred_at_n_and_n_plus_1() {
    let emitted = yaml(Limit::Deferred, 8, "a: [1, 2, 3]\nb: x");
    assert_eq!(emitted, (r#"{"b":"x"}"#.into(), vec!["deferred_too_long"]));
    let emitted = yaml(Limit::Deferred, 9, "a: [1, 2, 3]\nb: x");
    assert_eq!(emitted, (r#"{"a":[1,2,3],"b":"x"}"#.into(), vec!["deferred"]));
}

#[test]
fn aliases_at_n_and_n_plus_1() {
    let document = "a: &x\n  - 1\n  - 2\nb: *x";
    // A list, its two items, and its end.
    let emitted = yaml(Limit::Aliases, 4, document);
    assert_eq!(emitted, (r#"{"a":[1,2],"b":[1,2]}"#.into(), vec!["deferred", "deferred"]));
    let emitted = yaml(Limit::Aliases, 3, document);
    assert_eq!(emitted, (r#"{"a":[1,2],"b":null}"#.into(), vec!["deferred", "yaml_alias_budget"]));
}

/// The members of an object, and its two ends.
#[test]
fn aliases_of_merge_keys_at_n_and_n_plus_1() {
    for (document, least, merged, left_out) in [
        ("a: &x\n  k: 1\n<<: *x", 4, r#"{"a":{"k":1},"k":1}"#, r#"{"a":{"k":1}}"#),
        (
            "a: &x\n  k: 1\nb: &y\n  m: 2\n<<: [*x, *y]",
            8,
            r#"{"a":{"k":1},"b":{"m":2},"k":1,"m":2}"#,
            r#"{"a":{"k":1},"b":{"m":2},"k":1}"#,
        ),
    ] {
        let (value, codes) = yaml(Limit::Aliases, least, document);
        assert_eq!((&*value, codes.contains(&"yaml_alias_budget")), (merged, false), "{document}");
        let (value, codes) = yaml(Limit::Aliases, least - 1, document);
        assert_eq!((&*value, codes.contains(&"yaml_alias_budget")), (left_out, true), "{document}");
    }
}

/// Blanks before the text of a line are emitted before it, if they are too many to hold.
#[test]
fn blanks_before_the_text_of_a_line_at_n_and_n_plus_1() {
    for (blanks, codes) in [(3, &[][..]), (4, &["hold_cap"]), (9, &["hold_cap"])] {
        let pad = " ".repeat(blanks);
        let emitted = yaml(Limit::Held, 3, &format!("a: |\n  x\n  {pad}y\n  z\nb: 1"));
        let value = format!(r#"{{"a":"x\n{pad}y\nz\n","b":1}}"#);
        assert_eq!(emitted, (value, codes.to_vec()), "{blanks}");
        let emitted = yaml(Limit::Held, 3, &format!("a: >\n  x\n  {pad}y\n  z\nb: 1"));
        let value = format!(r#"{{"a":"x\n{pad}y\nz\n","b":1}}"#);
        assert_eq!(emitted, (value, codes.to_vec()), "{blanks}");
    }
}

#[test]
fn after_finish_a_chunk_is_refused_and_finish_repeats_itself() {
    let mut parser = Spec::json().parser();
    parser.feed("[1]", |_| {}).unwrap();
    let answer = parser.finish(|_| {}).unwrap();
    let error = Error { kind: ErrorKind::Finished, offset: 3 };
    assert_eq!(parser.feed("x", |_| {}), Err(error));
    let mut emitted = 0;
    assert_eq!(parser.finish(|_| emitted += 1).unwrap(), answer);
    assert_eq!(emitted, 0);
}

#[test]
fn the_value_stays_readable_after_an_error() {
    let spec = Spec::builder().strictness(Strictness::Strict).build().unwrap();
    let mut parser = spec.parser();
    assert!(parser.feed(r#"{"a": [1, 2], "b": x"#, |_| {}).is_err());
    assert_eq!(parser.value().to_string(), r#"{"a":[1,2]}"#);
}

/// The error of building a spec with these limits, schema and paths.
fn refused(limit: Limit, n: u64, schema: &str, paths: &[&str]) -> Option<SpecError> {
    let schema = Schema::from_text(schema).unwrap();
    let builder = Spec::builder().limits(Limits::default().with(limit, n)).schema(schema);
    paths.iter().fold(builder, |builder, path| builder.ensure(*path)).build().err()
}

#[test]
fn schema_at_n_and_n_plus_1() {
    // The object, and two members with their types.
    let schema = r#"{"type": "object", "properties": {"a": {}, "b": {}}}"#;
    assert_eq!(refused(Limit::Schema, 5, schema, &[]), None);
    let error = SpecError::TooMany { limit: Limit::Schema, found: 5, most: 4 };
    assert_eq!(
        error.to_string(),
        "5 members, alternatives, choices and types of the schema: at most 4 are allowed: leave some out, or raise \
         the limit `schema`"
    );
    assert_eq!(refused(Limit::Schema, 4, schema, &[]), Some(error));
}

#[test]
fn a_long_choice_counts_for_more_than_one_part_of_the_schema() {
    let schema = |len: usize| format!(r#"{{"enum": ["{}"]}}"#, "x".repeat(len));
    let parts = |len: usize| {
        let error = refused(Limit::Schema, 0, &schema(len), &[]);
        match error {
            Some(SpecError::TooMany { found, .. }) => found,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(parts(640) - parts(0), 10);
}

#[test]
fn paths_and_their_bytes_at_n_and_n_plus_1() {
    let paths = ["a", "b.c", "b.d"];
    let too_many = |limit, found, most| Some(SpecError::TooMany { limit, found, most });
    assert_eq!(refused(Limit::Paths, 3, "a: str", &paths), None);
    assert_eq!(refused(Limit::Paths, 2, "a: str", &paths), too_many(Limit::Paths, 3, 2));
    assert_eq!(refused(Limit::PathBytes, 7, "a: str", &paths), None);
    assert_eq!(refused(Limit::PathBytes, 6, "a: str", &paths), too_many(Limit::PathBytes, 7, 6));
    let spec = spec(Limit::Paths, 2).ensure("a").unwrap().ensure("b").unwrap();
    let error = spec.ensure("c").expect_err("one too many");
    assert_eq!(Some(error), too_many(Limit::Paths, 3, 2));
}

#[test]
fn wildcards_beside_names_at_6_and_7_steps() {
    let paths = |steps: usize| {
        let beside = |at: usize| [vec!["*"; at], vec!["a"]].concat().join(".");
        (0..=steps).map(move |at| if at < steps { beside(at) } else { vec!["*"; at].join(".") })
    };
    let built = |steps| {
        let builder = paths(steps).fold(Spec::builder(), |builder, path| builder.ensure(path));
        builder.build().err()
    };
    assert_eq!(built(6), None);
    assert_eq!(built(7), Some(SpecError::Wildcards { most: 6 }));
}

#[test]
fn a_schema_that_references_multiply_is_refused() {
    let of = |users: usize| {
        let members: Vec<String> = (0..1_000).map(|at| format!("\"m{at}\": {{}}")).collect();
        let merged = r##"{"allOf": [{"$ref": "#/$defs/d"}, {"required": ["m0"]}]}"##;
        let users: Vec<String> = (0..users).map(|at| format!("\"u{at}\": {merged}")).collect();
        let (members, users) = (members.join(","), users.join(","));
        let wide = format!("{{\"type\": \"object\", \"properties\": {{{members}}}}}");
        format!(
            "{{\"$defs\": {{\"d\": {wide}}}, \"type\": \"object\", \"properties\": {{{users}}}}}"
        )
    };
    assert!(Schema::from_text(&of(50)).is_ok());
    let error = Schema::from_text(&of(200)).expect_err("too large");
    assert_eq!(error.kind, SchemaErrorKind::TooLarge);
    assert_eq!(error.path, "/$defs/d");
}

#[test]
fn alternatives_at_4096_and_one_more() {
    let of = |count: usize| {
        let all: Vec<String> = (0..count).map(|at| format!("{{\"minimum\": {at}}}")).collect();
        Schema::from_json_schema_text(&format!("{{\"anyOf\": [{}]}}", all.join(",")))
    };
    assert!(of(4_095).is_ok());
    let error = of(4_096).expect_err("too many");
    assert_eq!(error.kind, SchemaErrorKind::TooManyAlternatives);
}

/// An object in place of fields may have slips without end.
#[test]
fn of_slips_in_another_format_256_are_told() {
    let schema = object().field("a", list(str("")).required()).field("b", str("").required());
    for format in [Format::Markdown, Format::XmlField, Format::Hybrid, Format::YamlLiteral] {
        let spec = Spec::builder().format(format).schema(schema.clone()).build().unwrap();
        for (slips, told) in [(3, 3), (256, 256), (257, 256), (300, 256)] {
            let items = vec!["'x'"; slips].join(", ");
            let answer = spec.parse(format!("{{\"a\": [{items}], \"b\": \"t\"}}")).unwrap();
            let codes = answer.notices().iter().map(|notice| notice.code);
            let found = codes.filter(|code| *code == Code::SingleQuotes).count();
            assert_eq!(found, told, "{} with {slips}", format.name());
            assert_eq!(answer.value().get("a").map(|it| it.len()), Some(slips));
        }
    }
}
