//! Answers under a demanding schema: values that fail everywhere, repeatedly or deep down, and values that
//! all need another type.

use patchwire::{Schema, Spec, SpecBuilder};

use super::{Shape, around, finish, nested, numbered, wide};
use crate::reading_modes::ReadingMode;

/// A recursive type, lists and maps of required values, choices, unions, and more fields than a linear
/// search handles.
const SCHEMA: &str = r##"{
  "$ref": "#/$defs/node",
  "$defs": {
    "node": {
      "type": "object",
      "properties": {
        "t": {"type": "string"},
        "n": {"type": "integer"},
        "c": {"enum": ["low", "high", 3]},
        "l": {"type": "array", "items": {"type": "integer"}},
        "m": {"type": "object", "additionalProperties": {"type": "boolean"}},
        "u": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "string"}}, {"$ref": "#/$defs/leaf"}]},
        "r": {"type": "array", "items": {"$ref": "#/$defs/leaf"}},
        "a": {"$ref": "#/$defs/node"},
        "kids": {"type": "array", "items": {"$ref": "#/$defs/node"}}
      },
      "required": ["t", "n"]
    },
    "leaf": {
      "type": "object",
      "properties": {"k": {"type": "string"}, "v": {"type": "number"}},
      "required": ["k", "v"],
      "additionalProperties": false
    }
  }
}"##;

/// Shapes for answers with a schema.
pub const SHAPES: &[Shape] = &[
    Shape {
        name: "records_without_what_is_needed",
        make: |n| around("{\"r\":[", "{},", "{}]}", n),
    },
    Shape {
        name: "records_blank",
        make: |n| around("{\"r\":[", "{\"k\":\" \",\"v\":null},", "{}]}", n),
    },
    Shape {
        name: "records_whole",
        make: |n| around("{\"r\":[", "{\"k\":\"x\",\"v\":1},", "{\"k\":\"x\",\"v\":1}]}", n),
    },
    Shape { name: "levels_without_what_is_needed", make: |n| nested("{\"a\":", "{}", "}", n) },
    Shape { name: "levels_whole", make: |n| nested("{\"t\":\"x\",\"n\":1,\"a\":", "{}", "}", n) },
    Shape { name: "levels_open", make: |n| around("", "{\"t\":\"\",\"a\":", "", n) },
    Shape { name: "levels_in_lists", make: |n| nested("{\"kids\":[", "", "]}", n) },
    Shape {
        name: "blank_again_and_again_deep_down",
        make: |n| {
            let down = nested("{\"a\":", "", "", n / 2);
            let rest = n.saturating_sub(down.len());
            [down, around("{", "\"t\":\"\",", "\"t\":1}", rest)].concat()
        },
    },
    Shape { name: "records_again_and_again", make: |n| around("{", "\"r\":[{}],", "\"r\":[]}", n) },
    Shape {
        name: "undeclared_members",
        make: |n| numbered("{\"r\":[{", |at| format!("\"x{at}\":1,"), "\"k\":1}]}", n),
    },
    Shape { name: "numbers_as_texts", make: |n| around("{\"l\":[", "\"1\",", "\"2\"]}", n) },
    Shape { name: "numbers_as_words", make: |n| around("{\"l\":[", "\"one\",", "\"2\"]}", n) },
    Shape {
        name: "bools_as_texts",
        make: |n| numbered("{\"m\":{", |at| format!("\"b{at}\":\"True\","), "\"z\":\"no\"}}", n),
    },
    Shape {
        name: "list_as_text",
        make: |n| around("{\"t\":\"x\",\"n\":1,\"l\":\"[", "1,", "2]\"}", n),
    },
    Shape {
        name: "records_as_text",
        make: |n| {
            let unit = "{\\\"k\\\":\\\"x\\\",\\\"v\\\":\\\"1\\\"},";
            around("{\"t\":\"x\",\"n\":1,\"r\":\"[", unit, "{}]\"}", n)
        },
    },
    Shape {
        name: "levels_as_text",
        make: |n| {
            let text = nested("{\\\"a\\\":", "{}", "}", n - 32);
            [b"{\"t\":\"x\",\"n\":1,\"a\":\"".as_slice(), &text, b"\"}"].concat()
        },
    },
    Shape { name: "nothing_but_brackets_as_text", make: |n| around("{\"l\":\"", "[", "\"}", n) },
    Shape { name: "texts_for_lists", make: |n| around("{\"kids\":[", "{\"l\":\"5\"},", "{}]}", n) },
    Shape { name: "values_for_texts", make: |n| around("{\"kids\":[", "{\"t\":5},", "{}]}", n) },
    Shape {
        name: "choices_in_quotes",
        make: |n| around("{\"kids\":[", "{\"c\":\"3\"},", "{}]}", n),
    },
    Shape { name: "unions", make: |n| around("{\"kids\":[", "{\"u\":{\"k\":1}},", "{}]}", n) },
    Shape { name: "unions_of_texts", make: |n| around("{\"kids\":[", "{\"u\":\"7\"},", "{}]}", n) },
    Shape {
        name: "union_of_many_members",
        make: |n| numbered("{\"u\":{", |at| format!("\"x{at}\":1,"), "\"k\":\"x\"}}", n),
    },
    Shape { name: "wrappers", make: |n| nested("{\"data\":", "{\"t\":\"x\",\"n\":1}", "}", n) },
    Shape { name: "one_item_after_another", make: |n| around("{\"r\":", "[", "", n) },
];

/// The reading modes with the most checks.
///
/// # Panics
/// Never: the schema is valid.
#[must_use]
pub fn ways() -> Vec<ReadingMode> {
    let written = Spec::strict_json().parse(SCHEMA).expect("it is JSON");
    let schema = Schema::from_json_schema(written.value()).expect("it is a schema");
    let checked = move || Spec::builder().schema(schema.clone());
    let ensured = || -> SpecBuilder {
        ["t", "r[*].k", "kids[*].kids[*].t", "*.*", "a.a.a.t", "m.*"]
            .into_iter()
            .fold(checked(), |builder, path| builder.ensure(path))
    };
    let builders = [
        ("needed", checked()),
        ("exact", checked().strict_shape(true)),
        ("ensured", ensured()),
        ("ensured_exact", ensured().strict_shape(true)),
        ("exact_as_it_is", checked().strict_shape(true).without_alignment()),
    ];
    builders
        .map(|(name, builder)| ReadingMode { name, spec: finish(builder.limits(wide())) })
        .to_vec()
}
