//! JSON Schema, case by case.

use super::{left_out, read};
use crate::document::{Document, NodeKind, Placement};
use crate::schema::tree::Shape;
use crate::schema::{
    Literal, Node, Schema, SchemaErrorKind, any, bool, int, list, literal, map, null, number,
    object, one_of, str, union,
};

/// Texts, and equal schemas written in Rust. Every keyword of these texts is supported.
fn understood() -> Vec<(&'static str, Node)> {
    vec![
        (r#"{"type":"string"}"#, str("")),
        (r#"{"type":"string","title":"T","description":"d","default":"x"}"#, str("d")),
        (r#"{"type":"integer"}"#, int("")),
        (r#"{"type":"number"}"#, number("")),
        (r#"{"type":"boolean"}"#, bool("")),
        (r#"{"type":"null"}"#, null()),
        ("{}", any("")),
        (r#"{"description":"whatever"}"#, any("whatever")),
        ("true", any("")),
        ("false", one_of::<&str>([])),
        (r#"{"type":["string"]}"#, str("")),
        (r#"{"type":["string","null"],"description":"d"}"#, str("d").nullable()),
        (r#"{"type":"string","nullable":true}"#, str("").nullable()),
        (r#"{"type":["string","null"],"nullable":true}"#, str("").nullable()),
        (r#"{"type":"string","nullable":false}"#, str("")),
        (r#"{"enum":["a",1,2.5,true,null]}"#, mixed()),
        (r#"{"type":"string","enum":["a","b",null,3]}"#, one_of(["a", "b"])),
        (r#"{"type":["integer"],"enum":[1,"1"]}"#, literal(1)),
        (r#"{"type":"integer","enum":[1.0,1.5,1e1]}"#, literal(Literal::number("1.0"))),
        (r#"{"const":"a"}"#, literal("a")),
        (r#"{"type":"array","items":{"type":"integer"}}"#, list(int(""))),
        (r#"{"type":"array"}"#, list(any(""))),
        (r#"{"items":{"type":"string"}}"#, list(str(""))),
        (
            r#"{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer"}},"required":["a"]}"#,
            object().field("z", str("")).field("a", int("").present()).into(),
        ),
        (
            r#"{"properties":{"a":true},"additionalProperties":false,"required":["b"]}"#,
            object().field("a", any("")).closed().field("b", any("").present()).into(),
        ),
        (r#"{"type":"object","additionalProperties":{"type":"number"}}"#, map(number(""))),
        (r#"{"type":"object","additionalProperties":true}"#, object().into()),
        (r#"{"anyOf":[{"type":"string"},{"type":"integer"}]}"#, union([str(""), int("")])),
        (r#"{"oneOf":[{"type":"string"},{"type":"null"}]}"#, str("").nullable()),
        (r#"{"anyOf":[{"type":"string"}],"description":"d"}"#, str("d")),
        (r#"{"allOf":[{"type":"string","description":"inner"}]}"#, str("inner")),
        (
            r#"{"type":"string","oneOf":[{"const":"a"},{"const":"b"}]}"#,
            union([literal("a"), literal("b")]),
        ),
        (
            r##"{"type":"object","anyOf":[{"$ref":"#/$defs/A"}],"$defs":{"A":{"properties":{"x":true}}}}"##,
            object().field("x", any("")).into(),
        ),
        (
            r##"{"$ref":"#/$defs/A%20b~1c","definitions":{},"$defs":{"A b/c":{"type":"string","description":"old"}},"description":"new"}"##,
            str("new"),
        ),
        (
            r##"{"properties":{"a":{"type":"string"},"b":{"$ref":"#/properties/a"},"c":{"$ref":"#/properties/b","description":"d"},"e":{"$ref":"#/properties/c","nullable":true}}}"##,
            object()
                .field("a", str(""))
                .field("b", str(""))
                .field("c", str("d"))
                .field("e", union([str("d"), null()]))
                .into(),
        ),
    ]
}

fn mixed() -> Node {
    one_of(["a".into(), Literal::from(1), Literal::number("2.5"), true.into(), Literal::NULL])
}

#[test]
fn understood_texts_give_the_tree() {
    for (text, node) in understood() {
        let schema = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(schema, Schema::from(node), "{text}");
        assert_eq!(left_out(&schema), [""; 0], "{text}");
    }
}

#[test]
fn what_is_not_understood_is_listed() {
    let cases: &[(&str, Node, &[&str])] = &[
        (r#"{"type":"string","format":"date","minLength":1}"#, str(""), &[" format", " minLength"]),
        (r#"{"type":"array","prefixItems":[true]}"#, list(any("")), &[" prefixItems"]),
        (r#"{"type":"array","items":[{"type":"string"}]}"#, list(any("")), &[" items"]),
        (
            r#"{"type":"array","prefixItems":[true],"items":false}"#,
            list(any("")),
            &[" prefixItems", " items"],
        ),
        (r#"{"type":"object","enum":[{"a":1},2]}"#, object().into(), &[" enum"]),
        (r#"{"const":[1],"enum":[1]}"#, any(""), &[" const", " enum"]),
        (r#"{"const":1,"enum":[1]}"#, literal(1), &[" enum"]),
        (r#"{"allOf":[{"type":"string"},{"minLength":2}]}"#, str(""), &["/allOf/1 minLength"]),
        (
            r#"{"type":"string","anyOf":[{"format":"date"},{"format":"time"}]}"#,
            str(""),
            &[" anyOf"],
        ),
        (
            r#"{"properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]}]}"#,
            object().field("a", str("")).into(),
            &[" anyOf"],
        ),
        (r#"{"anyOf":[{"type":"string"}],"oneOf":[{"type":"string"}]}"#, str(""), &[" oneOf"]),
        (r#"{"$ref":"other.json#/a","type":"string"}"#, str(""), &[" $ref"]),
        (r##"{"$ref":"#anchor"}"##, any(""), &[" $ref"]),
        (
            r##"{"$ref":"#/$defs/a","type":"number","properties":{},"$defs":{"a":{"type":"string"}}}"##,
            one_of::<&str>([]),
            &[],
        ),
        (
            r#"{"properties":{"a/b":{"type":"string","required":true,"pattern":"x"},"l":{"items":{"if":true}}},"not":{}}"#,
            object().field("a/b", str("")).field("l", list(any(""))).into(),
            &[
                " not",
                "/properties/a~1b required",
                "/properties/a~1b pattern",
                "/properties/l/items if",
            ],
        ),
        (r#"{"required":true}"#, any(""), &[" required"]),
        (r#"{"$id":"x","$defs":{"unused":{"format":"date"}}}"#, any(""), &[]),
        (r#"{"items":{"$id":"x"}}"#, list(any("")), &["/items $id"]),
    ];
    for (text, node, listed) in cases {
        let schema = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(left_out(&schema), *listed, "{text}");
        assert_eq!(schema, Schema::from(node.clone()), "{text}");
    }
}

#[test]
fn parts_that_hold_together_are_merged() {
    let ab = || object().field("a", str("").present()).field("b", number("").present());
    for (text, node) in [
        (
            r#"{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},
                {"type":"object","properties":{"b":{"type":"number"}},"required":["b"]}]}"#,
            ab().into(),
        ),
        (
            r##"{"$ref":"#/$defs/base","properties":{"b":{"type":"number"}},"required":["b","a"],
                "$defs":{"base":{"allOf":[{"type":"object"},{"properties":{"a":{"type":"string"}}}]}}}"##,
            object().field("b", number("").present()).field("a", str("").present()).into(),
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"string"}},"allOf":[{"required":["a"]}]}"#,
            object().field("a", str("").present()).into(),
        ),
        (r#"{"allOf":[{"type":["string","integer"]},{"type":["number","null"]}]}"#, int("")),
        (r#"{"allOf":[{"items":{"type":"string"}},{"type":"array","maxItems":3}]}"#, list(str(""))),
        (r#"{"allOf":[{"type":"string"},{"enum":["x",1]}]}"#, literal("x")),
        (r#"{"allOf":[{"type":"string"},{"type":"null"}]}"#, one_of::<&str>([])),
        (r#"{"allOf":[{"type":"string"},false]}"#, one_of::<&str>([])),
        (
            r#"{"allOf":[{"description":"x"},{"anyOf":[{"type":"null"},{"type":"string"}]}]}"#,
            union([null(), str("")]),
        ),
        (r#"{"allOf":[true,{"title":"x"}]}"#, any("")),
        // Parts that contain themselves.
        (
            r##"{"type":"object","allOf":[{"$ref":"#"},{"properties":{"a":{"type":"string"}}}]}"##,
            object().field("a", str("")).into(),
        ),
    ] {
        let schema = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(schema, Schema::from(node), "{text}");
    }
}

#[test]
fn recursive_references_are_cycles() {
    let tree = read(
        r##"{"$ref":"#/$defs/tree","$defs":{"tree":{"type":"object","properties":{
        "name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/tree"}},
        "parent":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}}}}"##,
    )
    .expect("a tree");
    let root = tree.root();
    let children = tree.member(root, "children").expect("declared");
    assert_eq!(tree.item(children), Some(root));
    let parent = tree.member(root, "parent").expect("declared");
    assert!(tree.matches_kind(parent, crate::ValueKind::Null));
    assert_eq!(tree.member(parent, "parent"), Some(parent));
    assert!(format!("{tree:?}").contains("children"));
}

#[test]
fn cycles_are_equal_however_far_they_are_written_out() {
    let short = r##"{"properties":{"next":{"$ref":"#"}}}"##;
    let long = r##"{"properties":{"next":{"properties":{"next":{"$ref":"#"}}}}}"##;
    let other =
        r##"{"properties":{"next":{"properties":{"next":{"$ref":"#"}},"required":["next"]}}}"##;
    assert_eq!(read(short).expect("valid"), read(long).expect("valid"));
    assert_ne!(read(short).expect("valid"), read(other).expect("valid"));
}

#[test]
fn a_union_inside_itself_adds_nothing() {
    let schema = read(
        r##"{"anyOf":[{"$ref":"#"},{"type":"string"},{"anyOf":[{"$ref":"#"},{"items":{"$ref":"#"}}]}]}"##,
    )
    .expect("it says string or list");
    let Shape::Union(union) = &schema.node(schema.root()).shape else { panic!("{schema:?}") };
    assert_eq!((union.alternatives.len(), union.leaves.len()), (3, 2));
    assert_eq!(schema.item(schema.root()), Some(schema.root()));
}

#[test]
fn references_share_what_they_refer_to() {
    let schema = read(
        r##"{"properties":{"a":{"$ref":"#/$defs/x"},"b":{"$ref":"#/$defs/x"}},
        "$defs":{"x":{"type":"string"}}}"##,
    )
    .expect("valid");
    let root = schema.root();
    assert_eq!(schema.member(root, "a"), schema.member(root, "b"));
}

#[test]
fn documented_enums_are_choices() {
    let schema = read(
        r#"{"oneOf":[{"const":"a","description":"first"},{"enum":["b","c"]},{"type":"null"}]}"#,
    )
    .expect("valid");
    let choices = schema.choices(schema.root()).expect("strings and null");
    assert_eq!(choices.resolve_spelling("B"), Some(("b", false)));
}

#[test]
fn what_cannot_be_used_is_an_error_with_its_place() {
    use SchemaErrorKind::{EndlessRef, InvalidKeyword, NotASchema, UnresolvedRef};
    let cases = [
        (r#""string""#, NotASchema, ""),
        (r#"{"items":3}"#, NotASchema, "/items"),
        (r#"{"properties":{"a":null}}"#, NotASchema, "/properties/a"),
        (r#"{"type":"text"}"#, InvalidKeyword, "/type"),
        (r#"{"type":[]}"#, InvalidKeyword, "/type"),
        (r#"{"properties":{"a~b":{"enum":3}}}"#, InvalidKeyword, "/properties/a~0b/enum"),
        (r#"{"properties":[]}"#, InvalidKeyword, "/properties"),
        (r#"{"type":"object","required":[3]}"#, InvalidKeyword, "/required"),
        (r#"{"type":"object","required":"a"}"#, InvalidKeyword, "/required"),
        (r#"{"anyOf":[]}"#, InvalidKeyword, "/anyOf"),
        (r#"{"anyOf":{}}"#, InvalidKeyword, "/anyOf"),
        (r#"{"nullable":"yes"}"#, InvalidKeyword, "/nullable"),
        (r#"{"description":1}"#, InvalidKeyword, "/description"),
        (r#"{"$ref":1}"#, InvalidKeyword, "/$ref"),
        (r##"{"items":{"$ref":"#/$defs/a"}}"##, UnresolvedRef, "/items/$ref"),
        (r##"{"$ref":"#/%zz"}"##, UnresolvedRef, "/$ref"),
        (r##"{"$ref":"#"}"##, EndlessRef, ""),
        (r##"{"$ref":"#","description":"d"}"##, EndlessRef, ""),
        (r##"{"anyOf":[{"$ref":"#"}]}"##, EndlessRef, ""),
        (r##"{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}"##, EndlessRef, ""),
        (
            r##"{"items":{"$ref":"#/$defs/a"},"$defs":{"a":{"$ref":"#/$defs/b","description":"x"},"b":{"$ref":"#/$defs/a"}}}"##,
            EndlessRef,
            "/$defs/a",
        ),
    ];
    for (text, kind, path) in cases {
        let error = read(text).expect_err(text);
        assert_eq!((error.kind, error.path.as_str()), (kind, path), "{text}");
    }
    let message = read(r#"{"type":"text"}"#).expect_err("no such type").to_string();
    assert_eq!(message, "a keyword with an invalid value at `#/type` of the schema");
}

#[test]
fn text_is_strict_json_and_keeps_the_order_of_fields() {
    let schema = Schema::from_json_schema_text(r#"{"properties": {"z": true, "a": true}}"#);
    assert_eq!(schema, Ok(object().field("z", any("")).field("a", any("")).into()));
    for text in ["", "{", "{'type': 'string'}", "{} and more"] {
        let error = Schema::from_json_schema_text(text).expect_err(text);
        assert!(matches!(error.kind, SchemaErrorKind::NotJson(_)), "{error}");
    }
}

#[test]
fn no_value_is_no_schema() {
    let nothing = Document::default();
    let error = Schema::from_json_schema(nothing.value()).expect_err("nothing there");
    assert_eq!(error.kind, SchemaErrorKind::NotASchema);
}

#[test]
fn depth_is_bounded() {
    let nested = |levels: usize| {
        let mut doc = Document::default();
        let mut at = doc.open(Placement::Root, NodeKind::Object);
        for _ in 0..levels {
            at = doc.open(Placement::Member(at, "items"), NodeKind::Object);
        }
        Schema::from_json_schema(doc.value())
    };
    assert!(nested(128).is_ok());
    let error = nested(100_000).expect_err("too deep");
    assert_eq!(error.kind, SchemaErrorKind::TooDeep);
}

#[test]
fn long_chains_of_references_need_no_stack() {
    let mut text = r##"{"$ref":"#/$defs/d0","$defs":{"end":{"type":"string"}"##.to_owned();
    for at in 0..2_000 {
        text += &format!(r##","d{at}":{{"$ref":"#/$defs/d{}"}}"##, at + 1);
    }
    text += r##","d2000":{"$ref":"#/$defs/end"}}}"##;
    assert_eq!(read(&text).expect("a chain"), Schema::from(str("")));
}

#[test]
fn alternatives_are_bounded() {
    let wide = |count: usize| {
        let parts = vec![r#"{"type":"string"}"#; count].join(",");
        read(&format!(r#"{{"anyOf":[{parts}]}}"#))
    };
    assert!(wide(4_000).is_ok());
    let error = wide(4_100).expect_err("too many");
    assert_eq!(error.kind, SchemaErrorKind::TooManyAlternatives);
}

/// A type that a described reference names is written once, also where nothing else leads to it.
#[test]
fn a_long_type_behind_a_described_reference_is_written_apart() {
    let long = "x".repeat(2_000);
    let text = format!(
        r##"{{"properties": {{"a": {{"$ref": "#/$defs/b", "description": "d"}}}}, "$defs": {{"b": {{"enum": ["{long}", "y"]}}}}}}"##
    );
    let written = read(&text).expect("a schema").to_json_schema().to_string();
    let written = crate::document::sample::document(&written);
    let at = |path: &str| written.value().at(path).map(|it| it.to_string());
    assert_eq!(at("properties.a.$ref").as_deref(), Some(r##""#/$defs/type1""##), "{:?}", at(""));
    assert_eq!(at("$defs.type1.enum[1]").as_deref(), Some(r#""y""#));
}
