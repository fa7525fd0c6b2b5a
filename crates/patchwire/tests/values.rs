//! Values, paths and patterns, as callers make, read and print them.

use std::collections::{BTreeMap, HashMap, HashSet};

use patchwire::document::DocId;
use patchwire::path::Segment;
use patchwire::schema::{any, object, one_of_or};
use patchwire::{Code, Event, PathBuf, Pattern, Spec, Value};
use serde::Deserialize;

fn value(text: &str) -> Value {
    Spec::json().parse(text).unwrap().value().to_value()
}

/// The paths of the scalars of a text, each by this function.
fn paths<T>(text: &str, of: impl Fn(patchwire::Path<'_>) -> T) -> Vec<T> {
    let mut found = Vec::new();
    let mut parser = Spec::json().parser();
    let events = |event: Event<'_>| {
        if let Event::Patch(patch) = event
            && patch.is_complete()
            && patch.value.entries().next().is_none()
            && !patch.path.is_empty()
        {
            found.push(of(patch.path));
        }
    };
    parser.feed(text, events).unwrap();
    found
}

/// Two names that need quotes, a list in a list, and a name with what each way of printing escapes.
const TEXT: &str = r#"{"a b": {"c": 1}, "l": [[2], 3], "~/'\"\\\n\t\r\b\f\u0001": 4}"#;

#[test]
fn paths_print_in_four_forms() {
    let printed = paths(TEXT, |path| path.to_string());
    assert_eq!(printed, [r#"["a b"].c"#, "l[0][0]", "l[1]", r#"["~/'\"\\\n\t\r\b\f\u0001"]"#]);
    let wildcards = paths(TEXT, |path| path.wildcard().to_string());
    assert_eq!(wildcards[1..3], ["l[*][*]", "l[*]"]);
    let pointers = paths(TEXT, |path| path.pointer().to_string());
    assert_eq!(pointers, ["/a b/c", "/l/0/0", "/l/1", "/~0~1'\"\\\n\t\r\u{8}\u{c}\u{1}"]);
    let json_paths = paths(TEXT, |path| path.json_path().to_string());
    assert_eq!(
        json_paths,
        ["$['a b']['c']", "$['l'][0][0]", "$['l'][1]", r#"$['~/\'"\\\n\t\r\b\f\u0001']"#]
    );
    let debug = paths(r#"{"a": 1}"#, |path| format!("{path:?} {:?}", path.to_path_buf()));
    assert_eq!(debug, ["Path(a) PathBuf(a)"]);
}

#[test]
fn paths_compare_with_what_they_print_and_with_each_other() {
    let same = paths(TEXT, |path| {
        let owned = path.to_path_buf();
        let printed = path.to_string();
        let again = path;
        let is_equal = path == *printed && owned == *printed && owned == path && path == again;
        let is_other = path == *"l[0]" || owned == *"l[0][0][0]" || owned == PathBuf::root();
        (is_equal, is_other, path.len() == path.segments().len())
    });
    assert_eq!(same, [(true, false, true); 4]);
    let set: HashSet<PathBuf> = paths(TEXT, |path| path.to_path_buf()).into_iter().collect();
    assert_eq!(set.len(), 4);
    assert!(set.contains(&PathBuf::root().child(Segment::Key("l")).child(Segment::Index(1))));
    let backwards = paths("[[5]]", |path| path.segments().rev().count());
    assert_eq!(backwards, [2]);
}

#[test]
fn patterns_match_paths_step_by_step() {
    for (pattern, printed, matches) in [
        ("l[*][*]", "l[*][*]", [false, true, false, false]),
        ("l[1]", "l[1]", [false, false, true, false]),
        ("*.c", "[*].c", [true, false, false, false]),
        (r#"["a b"].c"#, r#"["a b"].c"#, [true, false, false, false]),
        (r#"["a b"]"#, r#"["a b"]"#, [false; 4]),
        ("l.*", "l[*]", [false, false, true, false]),
        ("", "", [false; 4]),
    ] {
        let pattern: Pattern = pattern.parse().unwrap();
        assert_eq!(pattern.to_string(), printed);
        let found = paths(TEXT, |path| {
            assert_eq!(pattern.matches(path), pattern.matches_owned(&path.to_path_buf()));
            path.matches(&pattern)
        });
        assert_eq!(found, matches, "{printed}");
        assert_eq!(pattern.is_empty(), printed.is_empty());
    }
    assert_eq!("l[*].a".parse::<Pattern>().unwrap().len(), 3);
    for (wrong, offset) in
        [("a[", 1), ("a..b", 1), ("[\"x", 0), ("[x]", 0), ("a[\"\\x\"]", 1), (".", 0)]
    {
        assert_eq!(wrong.parse::<Pattern>().unwrap_err().offset, offset, "{wrong}");
    }
}

#[test]
fn scalars_are_read_as_what_they_are() {
    let numbers = value("[1, -2, 3.5, 18446744073709551615, \"4\", true, null]");
    let item = |at| numbers.as_ref().item(at).unwrap();
    let found = (item(0).as_u64(), item(1).as_u64(), item(1).as_i64(), item(2).as_f64());
    assert_eq!(found, (Some(1), None, Some(-2), Some(3.5)));
    let found = (item(3).as_u64(), item(3).as_i64(), item(4).as_i64(), item(4).as_f64());
    assert_eq!(found, (Some(u64::MAX), None, None, None));
    assert_eq!(
        (item(5).as_bool(), item(6).is_null(), item(0).is_null()),
        (Some(true), true, false)
    );
    assert_eq!(item(0).number_text(), Some("1"));
    assert!(numbers.as_ref().item(7).is_none() && item(0).item(0).is_none());
    let places = paths(TEXT, |path| value(TEXT).as_ref().at_path(path).unwrap().as_u64());
    assert_eq!(places, [Some(1), Some(2), Some(3), Some(4)]);
}

/// What follows the quote of a string decides whether it ends there.
#[test]
fn quotes_end_where_the_text_behind_them_says() {
    for (text, want) in [
        ("{\"a\": \"x\", # note\n \"b\": 1}", r#"{"a":"x","b":1}"#),
        ("{\"a\": \"x\", // note\n \"b\": 1}", r#"{"a":"x","b":1}"#),
        (r#"{""a"": "", ""b"": ""x""}"#, r#"{"a":"","b":"x"}"#),
        (r#"{""a"": ["", ""x""], ""b"": ""}"#, r#"{"a":["","x"],"b":""}"#),
    ] {
        let read = Spec::json().parse(text).unwrap();
        assert_eq!(read.value().to_string(), want, "{text}");
        // No second look was needed.
        let slips = [Code::Comment, Code::TripleQuotes];
        assert!(read.notices().iter().all(|it| slips.contains(&it.code)), "{text}");
        for cut in 1..text.len() {
            let mut parser = Spec::json().parser();
            parser.feed(&text[..cut], |_| {}).unwrap();
            parser.feed(&text[cut..], |_| {}).unwrap();
            let answer = parser.finish(|_| {}).unwrap();
            assert_eq!(answer.value().to_string(), want, "{text}, cut at {cut}");
        }
    }
}

#[test]
fn values_are_made_of_parts() {
    assert_eq!(Value::default().to_string(), "null");
    assert_eq!(
        (Value::from(true).to_string(), Value::from(false).to_string()),
        ("true".into(), "false".into())
    );
    assert_eq!(Value::from("a \"b\"").to_string(), r#""a \"b\"""#);
    let parts = value(r#"{"x": [1, {"y": null}], "z": "t"}"#);
    let part = |path: &str| parts.as_ref().at(path).unwrap();
    let made: Value =
        [("b", part("x")), ("a", part("z")), ("b", part("x[0]"))].into_iter().collect();
    assert_eq!(made.to_string(), r#"{"b":[1,{"y":null}],"a":"t","b":1}"#);
    assert!(made.as_ref().is_complete());
    assert_eq!(DocId::ANSWER, DocId::from_number(0));
}

#[test]
fn names_of_members_are_read_as_the_type_of_the_key() {
    #[derive(Deserialize, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
    #[serde(rename_all = "snake_case")]
    enum Colour {
        Red,
        Blue,
    }
    #[derive(Deserialize, PartialEq, Eq, Debug, PartialOrd, Ord)]
    struct Id(u8);

    let read = value(r#"{"1": "a", "-2": "b", "170141183460469231731687303715884105727": "c"}"#);
    let keys: BTreeMap<i128, String> = read.as_ref().read().unwrap();
    assert_eq!(keys.keys().copied().collect::<Vec<_>>(), [-2, 1, i128::MAX]);
    let keys: BTreeMap<i64, String> = value(r#"{"-2": "b", "7": "c"}"#).as_ref().read().unwrap();
    assert_eq!(keys.keys().copied().collect::<Vec<_>>(), [-2, 7]);
    let keys: BTreeMap<u128, u8> =
        value(r#"{"340282366920938463463374607431768211455": 1}"#).as_ref().read().unwrap();
    assert_eq!(keys.keys().next(), Some(&u128::MAX));
    let keys: HashMap<Colour, u8> = value(r#"{"red": 1, "blue": 2}"#).as_ref().read().unwrap();
    assert_eq!((keys[&Colour::Red], keys[&Colour::Blue]), (1, 2));
    let keys: BTreeMap<Id, u8> = value(r#"{"5": 1}"#).as_ref().read().unwrap();
    assert_eq!(keys[&Id(5)], 1);
    let keys: BTreeMap<bool, u8> = value(r#"{"true": 1, "false": 2}"#).as_ref().read().unwrap();
    assert_eq!((keys[&true], keys[&false]), (1, 2));
    let keys: BTreeMap<Option<u8>, u8> = value(r#"{"6": 1}"#).as_ref().read().unwrap();
    assert_eq!(keys[&Some(6)], 1);
    for wrong in [r#"{"x": 1}"#, r#"{"1.5": 1}"#, r#"{"300": 1}"#] {
        assert!(value(wrong).as_ref().read::<BTreeMap<u8, u8>>().is_err(), "{wrong}");
    }
    assert!(value(r#"{"green": 1}"#).as_ref().read::<HashMap<Colour, u8>>().is_err());
    assert!(value(r#"{"yes": 1}"#).as_ref().read::<BTreeMap<bool, u8>>().is_err());
}

#[test]
fn prose_in_place_of_a_value_is_quoted_from_its_beginning() {
    let long = "word ".repeat(40);
    let endless = "x".repeat(300);
    for (text, said) in [
        ("No  way\n\tout.", "which is “No way out.”".to_owned()),
        ("No.", "which is “No.”".to_owned()),
        (&*long, format!("which begins “{}…”", ["word"; 12].join(" "))),
        (&*endless, format!("which begins “{}…”", "x".repeat(60))),
    ] {
        let answer = Spec::json().parse(text).unwrap();
        let error = answer.data::<Vec<u8>>().unwrap_err().to_string();
        assert_eq!(error, format!("the answer has no value: the model wrote only text, {said}"));
    }
}

#[test]
fn an_owned_patch_is_complete_when_its_field_is() {
    let mut parser = Spec::json().parser();
    let mut seen = Vec::new();
    let mut take = |event: Event<'_>| {
        if let Event::Patch(patch) = event {
            let owned = patch.to_owned();
            assert_eq!(owned.is_complete(), patch.is_complete());
            seen.push((owned.op.name(), owned.is_complete()));
        }
    };
    parser.feed(r#"{"a": "x"}"#, &mut take).unwrap();
    parser.finish(&mut take).unwrap();
    let expected =
        [("open", false), ("open", false), ("delta", false), ("done", true), ("done", true)];
    assert_eq!(seen, expected);
}

/// Answers that were cut, and the innermost value that is not whole: of a container, if nothing in it was begun.
const CUTS: [(&str, &str); 15] = [
    ("{\"a", ""),
    ("{\"a\":", "a"),
    ("{\"a\":\"x", "a"),
    ("{\"a\":12", "a"),
    ("{\"a\":12,", ""),
    ("{\"a\":12,\"b", ""),
    ("{\"a\":12,\"b\":tr", "b"),
    ("{\"a\":{\"b\":1},", ""),
    ("{\"a\":{\"b\":1", "a.b"),
    ("{\"a\":{\"b\":1,", "a"),
    ("{\"a\":[{\"b\":1},{\"c", "a[1]"),
    ("[1", "[0]"),
    ("[1,", ""),
    ("[1,2", "[1]"),
    ("[1,\"x\",", ""),
];

#[test]
fn what_was_cut_is_the_innermost_value_that_is_not_whole() {
    for (text, path) in CUTS {
        for chunk in 1..=text.len() {
            let mut parser = Spec::json().parser();
            for part in text.as_bytes().chunks(chunk) {
                parser.feed(part, |_| {}).unwrap();
            }
            let answer = parser.finish(|_| {}).unwrap();
            let cut =
                answer.notices().iter().find(|notice| notice.code == Code::Truncated).unwrap();
            assert_eq!(cut.path, path, "{text}, {chunk}");
        }
    }
    let answer = Spec::json().parse("{\"a\":[1],\"b\":[2,").unwrap();
    assert!(!answer.is_cut_at("a") && answer.is_cut_at("b") && !answer.is_cut_at("b[0]"));
}

/// An object below a label is the value of the member that the label names, unless it has that member itself.
#[test]
fn an_object_below_a_label_is_the_answer_or_a_member_of_it() {
    let schema = object().field("a", any("").required());
    let spec = Spec::builder().schema(schema).build().unwrap();
    for (text, want) in [
        ("a:\n{\"a\": 1}\n", r#"{"a":1}"#),
        ("a:\n{\"b\": 1}\n", r#"{"a":{"b":1}}"#),
        ("## a\n\n{\"a\": 1}\n", r#"{"a":1}"#),
    ] {
        assert_eq!(spec.parse(text).unwrap().value().to_string(), want, "{text}");
    }
}

/// A member of a wide object that is read in another way at the end stands in the place of what was streamed.
#[test]
fn members_of_a_wide_object_are_found_after_one_was_replaced() {
    let schema = object().field("k00", any("")).field("my key", any(""));
    let spec = Spec::builder().schema(schema).build().unwrap();
    let members: Vec<String> = (1..19).map(|at| format!("\"z{at:02}\": {at}")).collect();
    let text = format!("{{\"k00\": 0, my key: 5, {}}}", members.join(", "));
    let mut parser = spec.parser();
    parser.feed(&text, |_| {}).unwrap();
    assert!(parser.value().get("my").is_some() && parser.value().get("my key").is_none());
    let answer = parser.finish(|_| {}).unwrap();
    let found = |key: &str| answer.value().get(key).map(|it| it.to_string());
    assert_eq!((found("my"), found("my key").as_deref()), (None, Some("5")));
    assert_eq!(found("z18").as_deref(), Some("18"));
}

/// What follows a string that became its fallback changes nothing, however it is cut.
#[test]
fn parsers_are_equal_behind_a_refused_choice() {
    let schema = object().field("a", one_of_or(["red"], "red"));
    let spec = Spec::builder().schema(schema).build().unwrap();
    let fed = |chunks: &[&str]| {
        let mut parser = spec.parser();
        for chunk in chunks {
            parser.feed(chunk, |_| {}).unwrap();
        }
        parser
    };
    assert!(fed(&["{\"a\": \"x", "r"]) == fed(&["{\"a\": \"xr"]));
}
