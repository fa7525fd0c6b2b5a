//! What is said about answers that do not have the shape of their schema, and about paths that are needed.

use patchwire::schema::{any, int, list, literal, map, number, object, one_of, str, union};
use patchwire::{Event, Schema, Spec, SpecBuilder};

fn failures(builder: SpecBuilder, text: &str) -> Vec<String> {
    let answer = builder.build().unwrap().parse(text).unwrap();
    answer.failures().iter().map(ToString::to_string).collect()
}

fn schema() -> Schema {
    object()
        .field("a", int("").required())
        .field("l", list(object().field("k", str("").required())))
        .field("m", map(number("")))
        .field("x", any(""))
        .into()
}

#[test]
fn members_that_are_not_declared_may_be_needed() {
    let spec = || Spec::builder().schema(object().others(str("").required()));
    assert_eq!(failures(spec(), r#"{"a": "x", "b": " "}"#), ["b is blank"]);
    assert_eq!(failures(spec(), r#"{"a": "x"}"#), [""; 0]);
}

/// Twelve choices are named; behind them stands whether there are more.
#[test]
fn the_first_choices_are_named() {
    let said = |count: usize| {
        let names: Vec<String> = (1..=count).map(|at| format!("c{at}")).collect();
        let schema = object().field("a", one_of(names));
        failures(Spec::builder().schema(schema).strict_shape(true), r#"{"a": "x"}"#).join("; ")
    };
    let twelve = (1..=12).map(|at| format!("\"c{at}\"")).collect::<Vec<_>>().join(", ");
    assert_eq!(said(12), format!("a should be one of {twelve}"));
    assert_eq!(said(13), format!("a should be one of {twelve}, …"));
}

/// A text with what is said under the exact shape, as a valid value, and without either.
type Row =
    (&'static str, &'static [&'static str], &'static [&'static str], &'static [&'static str]);

#[test]
fn shapes_are_checked_as_exactly_as_asked() {
    const ROWS: &[Row] = &[
        (r#"{"a": 1}"#, &["l is missing"], &["l is missing"], &["l is missing"]),
        (r#"{"a": 1, "l": [{"k": "x"}], "m": {"y": 2.5}, "x": {"any": []}}"#, &[], &[], &[]),
        (r#"{"a": 1, "l": [{"k": "x"}], "z": 2}"#, &["z is not in the schema"], &[], &[]),
        (
            r#"{"a": 1.5, "l": [{"k": "x"}]}"#,
            &["a should be a whole number"],
            &["a should be a whole number"],
            &[],
        ),
        (
            r#"{"a": 1, "l": [{"k": "x", "q": 1}, {}, {"k": "y"}]}"#,
            &["l[0].q is not in the schema", "l[1].k is missing"],
            &["l[1].k is missing"],
            &["l[1].k is missing"],
        ),
        (
            r#"{"a": 1, "l": [{"k": "x"}], "m": {"y": "x"}}"#,
            &["m.y should be a number"],
            &["m.y should be a number"],
            &[],
        ),
        (
            r#"{"a": 1, "l": {"k": "x"}}"#,
            &["l should be a list"],
            &["l should be a list"],
            &["l should be a list"],
        ),
    ];
    for (text, exact, valid, plain) in ROWS {
        let spec = || Spec::builder().schema(schema()).without_alignment();
        assert_eq!(failures(spec().strict_shape(true), text), *exact, "{text}");
        assert_eq!(failures(spec().valid(true), text), *valid, "{text}");
        assert_eq!(failures(spec(), text), *plain, "{text}");
    }
}

#[test]
fn an_alternative_is_judged_by_its_own_members() {
    let schema = || {
        object().field(
            "u",
            union([
                object().field("kind", literal("x")).field("n", int("").required()).into(),
                object().field("kind", literal("y")).field("s", str("")).into(),
                str(""),
            ]),
        )
    };
    for (text, said) in [
        (r#"{"u": {"kind": "x", "n": 1}}"#, &[][..]),
        (r#"{"u": "text"}"#, &[]),
        (r#"{"u": {"kind": "y", "s": "z"}}"#, &[]),
        (r#"{"u": {"kind": "y", "s": "z", "q": 1}}"#, &["u.q is not in the schema"]),
        (r#"{"u": {"kind": "x"}}"#, &["u.n is missing"]),
        (r#"{"u": [1]}"#, &["u should be an object or a string"]),
    ] {
        let spec = Spec::builder().schema(schema()).strict_shape(true).without_alignment();
        assert_eq!(failures(spec, text), said, "{text}");
    }
}

/// A verdict comes with the byte that closes what is wrong: here the offsets behind it.
#[test]
fn verdicts_come_while_the_answer_streams() {
    let spec = Spec::builder().schema(schema()).strict_shape(true).build().unwrap();
    let mut parser = spec.parser();
    let mut verdicts = Vec::new();
    let text = r#"{"a": 1, "l": [{"k": "x", "q": 1}, {}], "m": {"y": "x"}, "z": 1}"#;
    for (at, byte) in text.bytes().enumerate() {
        parser
            .feed([byte], |event| {
                if let Event::Verdict(failure) = event {
                    verdicts.push(format!("{} {failure}", &text[..=at][at - 1..]));
                }
            })
            .unwrap();
    }
    assert_eq!(
        verdicts,
        ["1} l[0].q is not in the schema", "{} l[1].k is missing", "1} z is not in the schema"]
    );
}

/// What a retry says about an answer in which nothing was found.
#[test]
fn an_answer_without_a_value_lacks_its_fields() {
    use patchwire::Format::{Hybrid, Json, Markdown, XmlField, YamlLiteral};
    let two = r#"{"title": "str", "tags": [["str"]]}"#;
    let long = format!(
        "{{{}}}",
        (10..60).map(|it| format!(r#""field_{it}": "str""#)).collect::<Vec<_>>().join(",")
    );
    let list = r#"{"type": "array", "items": {"type": "string"}}"#;
    for (format, schema, said) in [
        (Json, two, "no value could be read; its fields are `title`, `tags`"),
        (
            XmlField,
            two,
            "no value could be read, with no `<field name=\"…\">` in a root tag; its fields are `title`, `tags`",
        ),
        (
            Hybrid,
            two,
            "no value could be read, with no header such as `### name`; its fields are `title`, `tags`",
        ),
        (
            Markdown,
            r#"{"title": "str"}"#,
            "no value could be read, with no header such as `### name`; its field is `title`",
        ),
        (
            YamlLiteral,
            two,
            "no value could be read, with no `<<<BEGIN …>>>` of the document, and no YAML fence; its fields are `title`, `tags`",
        ),
        (Json, list, "no value could be read; it should be a list"),
        (Json, "{}", "no value could be read"),
    ] {
        let spec = Spec::builder().format(format).schema(Schema::from_text(schema).unwrap());
        assert_eq!(failures(spec, "I cannot do that."), [said], "{format} {schema}");
    }
    let spec = Spec::builder().schema(Schema::from_text(&long).unwrap());
    let said = failures(spec, "I cannot do that.").remove(0);
    assert!(said.ends_with("`field_29` and 30 more"), "{said}");
}

#[test]
fn needed_paths() {
    let spec = |path: &str| Spec::builder().ensure(path);
    for (path, text, said) in [
        ("title", r#"{"title": "x"}"#, &[][..]),
        ("title", r#"{"title": " "}"#, &["title is blank"]),
        ("title", r#"{"title": null}"#, &["title is null"]),
        ("title", "{}", &["title is missing"]),
        ("n", r#"{"n": 0}"#, &[]),
        ("n", r#"{"n": []}"#, &["n is empty"]),
        ("items[*].sku", r#"{"items": []}"#, &["items is empty"]),
        ("items[*].sku", r#"{"items": [{"sku": "a"}, {}]}"#, &["items[1].sku is missing"]),
        ("items[*].sku", r#"{"items": 3}"#, &["items should be a list or an object"]),
        ("m[*][*]", r#"{"m": {"x": [1, null]}}"#, &["m.x[1] is null"]),
        ("a", "no value here", &["no value could be read"]),
    ] {
        assert_eq!(failures(spec(path), text), said, "{path} of {text}");
    }
    let present = Spec::builder().ensure_present("a").ensure_present("l[*].x");
    assert_eq!(failures(present.clone(), r#"{"a": null, "l": []}"#), [""; 0]);
    assert_eq!(failures(present, r#"{"l": [{}]}"#), ["a is missing", "l[0].x is missing"]);
}

/// A string is held until it is one of its choices: then what is wrong with it is said at once, too.
#[test]
fn verdicts_about_choices_come_while_the_answer_streams() {
    use patchwire::schema::one_of_or;
    let named = || object().field("a", one_of(["red", "green", ""]).required());
    let granted = || object().field("a", one_of_or(["red"], "").required());
    for (schema, text, said) in [
        (named(), r#"{"a": "red"}"#, &[][..]),
        (named(), r#"{"a": "gre"}"#, &["a should be one of \"red\", \"green\", \"\""]),
        (named(), r#"{"a": ""}"#, &["a is blank"]),
        (granted(), r#"{"a": "red"}"#, &[]),
        (granted(), r#"{"a": "blue"}"#, &["a is blank"]),
        (granted(), r#"{"a": 7}"#, &["a is blank"]),
        (granted(), r#"{"a": [7]}"#, &["a is blank"]),
    ] {
        let spec = Spec::builder().schema(schema).valid(true).without_alignment().build().unwrap();
        let mut parser = spec.parser();
        let mut verdicts = Vec::new();
        let fed = parser.feed(text, |event| {
            if let Event::Verdict(failure) = event {
                verdicts.push(failure.to_string());
            }
        });
        fed.unwrap();
        assert_eq!(verdicts, said, "{text}");
    }
}
