//! The output DSL, case by case.

use crate::document::sample;
use crate::schema::{
    Node, Schema, SchemaErrorKind, any, bool, int, list, null, number, object, str, union,
};

fn read(text: &str) -> Result<Schema, (SchemaErrorKind, String)> {
    Schema::from_output_dsl(sample::document(text).value())
        .map_err(|error| (error.kind, error.path))
}

/// Texts, and the same schema written in Rust.
fn understood() -> Vec<(&'static str, Node)> {
    vec![
        (r#""str""#, str("")),
        (r#"["str"]"#, str("")),
        (r#"["str","one line"]"#, str("one line")),
        (r#"["str",null,true]"#, str("").required()),
        (r#"["str","",false]"#, str("")),
        (r#"["str","d","not_null"]"#, str("d").required()),
        (r#"["str","d",null]"#, str("d")),
        (r#"{"$type":"str"}"#, str("")),
        (r#"{"$ensure":"not_null","$desc":"d","$type":"int"}"#, int("d").required()),
        (r#""integer""#, int("")),
        (r#""float""#, number("")),
        (r#""boolean""#, bool("")),
        (r#""None""#, null()),
        (r#""any""#, any("")),
        (r#""list""#, list(any(""))),
        (r#""dict""#, object().into()),
        ("[]", list(any(""))),
        ("{}", object().into()),
        (r#"["str|null","d",true]"#, str("d").required().nullable()),
        (r#""int | str | null""#, union([int(""), str(""), null()])),
        (r#""list|null""#, list(any("")).nullable()),
        (r#"[["str"]]"#, list(str(""))),
        (r#"[["str","a risk",true]]"#, list(str("a risk").required())),
        (r#"[{"$type":"str"}]"#, list(str(""))),
        (r#"[[["int"]]]"#, list(list(int("")))),
        (r#"[["str"],"tags",true]"#, list(str("")).describe("tags").required()),
        (r#"{"$type":["str"],"$desc":"tags"}"#, list(str("")).describe("tags")),
        (r#"{"$type":[["str","tag"]]}"#, list(str("tag"))),
        (
            r#"[{"sku":["str"],"amount":["float"]}]"#,
            list(object().field("sku", str("")).field("amount", number(""))),
        ),
        (
            r#"[{"a":"int"},"an object",true]"#,
            object().field("a", int("")).describe("an object").required().into(),
        ),
        (
            r#"{"$type":{"$type":"str","$desc":"inner","$ensure":true},"$desc":"outer"}"#,
            str("outer").required(),
        ),
        (
            r#"{"z":["str","last letter",true],"a":{"b":[["bool"]],"c":"any"},"m":"int"}"#,
            object()
                .field("z", str("last letter").required())
                .field("a", object().field("b", list(bool(""))).field("c", any("")))
                .field("m", int(""))
                .into(),
        ),
        (
            r#"{"type":"str","desc":"str"}"#,
            object().field("type", str("")).field("desc", str("")).into(),
        ),
    ]
}

#[test]
fn understood_texts_give_the_tree() {
    for (text, node) in understood() {
        let schema = read(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(schema, Schema::from(node), "{text}");
        assert_eq!(schema.unsupported(), []);
    }
}

#[test]
fn fields_keep_their_order() {
    let schema = read(r#"{"z":"int","b":["str"],"a":"str","y":[["str"]]}"#).expect("a schema");
    let names: Vec<&str> = schema.declared_keys(schema.root()).collect();
    assert_eq!(names, ["z", "b", "a", "y"]);
}

#[test]
fn flaws_say_what_and_where() {
    use SchemaErrorKind as Kind;
    for (text, kind, path) in [
        ("1", Kind::NotAType, ""),
        ("null", Kind::NotAType, ""),
        (r#"{"a":true}"#, Kind::NotAType, "/a"),
        (r#"["strr","d"]"#, Kind::UnknownType, "/0"),
        (r#"{"a":[{"b~/c":"list[str]"}]}"#, Kind::UnknownType, "/a/0/b~0~1c"),
        (r#"{"a":"str|"}"#, Kind::UnknownType, "/a"),
        (r#"{"a":["str","int","d","e"]}"#, Kind::InvalidEnsure, "/a/2"),
        (r#"{"a":["str","d",true,1]}"#, Kind::SurplusPart, "/a/3"),
        (r#"{"a":["str","d","present"]}"#, Kind::InvalidEnsure, "/a/2"),
        (r#"{"a":["str","d",1]}"#, Kind::InvalidEnsure, "/a/2"),
        (r#"["str",true]"#, Kind::SeveralPrototypes, ""),
        (r#"{"a":[{"b":"int"},{"c":"int"}]}"#, Kind::SeveralPrototypes, "/a"),
        (r#"{"a":{"$desc":"d"}}"#, Kind::MissingType, "/a"),
        (r#"{"a":{"$type":"str","$desc":1}}"#, Kind::InvalidDescription, "/a/$desc"),
        (r#"{"a":{"$type":"str","enum":[]}}"#, Kind::UnknownDirective, "/a/enum"),
        (r#"{"a":{"$typ":"str"}}"#, Kind::UnknownDirective, "/a/$typ"),
        (r#"{"a":"int","b":1,"c":2}"#, Kind::NotAType, "/b"),
    ] {
        assert_eq!(read(text), Err((kind, path.to_owned())), "{text}");
    }
}

#[test]
fn depth_has_a_bound() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(read(&nested(129)).is_ok());
    let (kind, path) = read(&nested(130)).expect_err("too deep");
    assert_eq!((kind, path.len()), (SchemaErrorKind::TooDeep, 2 * 129));
    let named = format!("{}\"str\"{}", r#"{"$type":"#.repeat(200), "}".repeat(200));
    assert_eq!(read(&named).map_err(|(kind, _)| kind), Err(SchemaErrorKind::TooDeep));
}
