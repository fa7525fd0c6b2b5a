//! What JSON Schema's verdict costs: patterns, formats, schemas that apply to one value several times.

use super::{JudgedBy, SettingsShape, Task, listed};

pub(super) const SHAPES: &[SettingsShape] = &[
    SettingsShape { name: "exact_wide_object", make: |n| wide(n).judged(JudgedBy::Exact) },
    SettingsShape { name: "valid_wide_object", make: |n| wide(n).judged(JudgedBy::Valid) },
    SettingsShape {
        name: "many_patterns",
        make: |n| {
            valid(
                members(n, |at| format!("{{\"pattern\":\"^[a-z]{{1,9}}{at}$\"}}")),
                "{\"m0\":\"a\"}",
            )
        },
    },
    SettingsShape {
        name: "one_large_pattern_many_times",
        make: |n| valid(members(n, |_| "{\"pattern\":\"^\\\\w{400}$\"}".into()), "{\"m0\":\"a\"}"),
    },
    SettingsShape {
        name: "patterns_of_names",
        make: |n| {
            let patterns = listed(n / 2, |at| format!("\"^x{at}$\":{{}}"));
            let answer = listed(n / 2, |at| format!("\"y{at}\":1"));
            let schema = format!("{{\"type\":\"object\",\"patternProperties\":{{{patterns}}}}}");
            Task::of(schema, format!("{{{answer}}}")).judged(JudgedBy::Exact)
        },
    },
    SettingsShape {
        name: "formats",
        make: |n| valid(members(n, |_| "{\"format\":\"email\"}".into()), "{\"m0\":\"a\"}"),
    },
    SettingsShape {
        name: "parts_twice_in_each_other",
        make: |n| {
            // As deep as the bytes allow, and at most 40 levels: two to the power of 40.
            let levels = (n / 64).clamp(4, 40);
            let two = |at: usize| format!("\"d{at}\":{{\"allOf\":[{0},{0}]}}", reference(at + 1));
            let defs: Vec<String> = (0..levels).map(two).collect();
            let rest = listed(n.saturating_sub(levels * 70), |at| format!("\"m{at}\":{{}}"));
            let schema = format!(
                "{{\"$defs\":{{{},\"d{levels}\":{{\"minimum\":1,\"properties\":{{{rest}}}}}}},\"$ref\":\"#/$defs/d0\"}}",
                defs.join(",")
            );
            valid(schema, "2")
        },
    },
    SettingsShape {
        name: "parts_twice_at_each_level",
        make: |n| {
            let part = "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/s\"}}}";
            let defs = format!("\"$defs\":{{\"s\":{{\"allOf\":[{part},{part}]}}}}");
            let levels = (n / 64).clamp(4, 40);
            let rest = listed(n, |at| at.to_string());
            let answer = format!("{}[{rest}]{}", "{\"a\":".repeat(levels), "}".repeat(levels));
            valid(format!("{{{defs},\"$ref\":\"#/$defs/s\"}}"), answer)
        },
    },
    SettingsShape {
        name: "one_of_many_for_many_items",
        make: |n| {
            let parts = listed(n / 2, |at| format!("{{\"const\":{at}}}"));
            let schema = format!("{{\"type\":\"array\",\"items\":{{\"oneOf\":[{parts}]}}}}");
            valid(schema, format!("[{}]", listed(n / 2, |at| at.to_string())))
        },
    },
    SettingsShape {
        name: "unique_items",
        make: |n| {
            valid(
                "{\"type\":\"array\",\"uniqueItems\":true}".into(),
                format!("[{}]", listed(n, |at| format!("[{at}]"))),
            )
        },
    },
    SettingsShape {
        name: "unique_objects",
        make: |n| {
            let items = listed(n, |at| format!("{{\"a\":{at}}}"));
            valid("{\"type\":\"array\",\"uniqueItems\":true}".into(), format!("[{items}]"))
        },
    },
    SettingsShape {
        name: "contains_for_many_items",
        make: |n| {
            valid(
                "{\"type\":\"array\",\"contains\":{\"const\":-1}}".into(),
                format!("[{}]", listed(n, |at| at.to_string())),
            )
        },
    },
    SettingsShape {
        name: "enum_for_many_items",
        make: |n| {
            let schema = format!(
                "{{\"type\":\"array\",\"items\":{{\"enum\":[{}]}}}}",
                listed(n / 2, |at| at.to_string())
            );
            valid(schema, format!("[{}]", listed(n / 2, |at| at.to_string())))
        },
    },
    SettingsShape {
        name: "anchors",
        make: |n| {
            let defs = listed(n / 2, |at| format!("\"d{at}\":{{\"$anchor\":\"a{at}\"}}"));
            let members = listed(n / 2, |at| format!("\"m{at}\":{{\"$ref\":\"#a{at}\"}}"));
            valid(
                format!(
                    "{{\"$defs\":{{{defs}}},\"type\":\"object\",\"properties\":{{{members}}}}}"
                ),
                "{}",
            )
        },
    },
    SettingsShape {
        name: "addresses",
        make: |n| {
            let defs = listed(n / 2, |at| format!("\"d{at}\":{{\"$id\":\"http://a/{at}\"}}"));
            let members = listed(n / 2, |at| format!("\"m{at}\":{{\"$ref\":\"http://a/{at}\"}}"));
            valid(
                format!(
                    "{{\"$defs\":{{{defs}}},\"type\":\"object\",\"properties\":{{{members}}}}}"
                ),
                "{}",
            )
        },
    },
    SettingsShape {
        name: "dependencies",
        make: |n| {
            let each = listed(n, |at| format!("\"m{at}\":[\"x{at}\"]"));
            valid(format!("{{\"type\":\"object\",\"dependentRequired\":{{{each}}}}}"), "{\"m0\":1}")
        },
    },
    SettingsShape {
        name: "wide_unevaluated",
        make: |n| {
            let schema = format!(
                "{{\"type\":\"object\",\"unevaluatedProperties\":false,\"allOf\":[{{\"properties\":{{{}}}}}]}}",
                listed(n / 2, |at| format!("\"m{at}\":{{}}"))
            );
            valid(schema, format!("{{{}}}", listed(n / 2, |at| format!("\"m{at}\":1"))))
        },
    },
];

fn reference(to: usize) -> String {
    format!("{{\"$ref\":\"#/$defs/d{to}\"}}")
}

fn valid(schema: String, answer: impl Into<String>) -> Task {
    Task::of(schema, answer).judged(JudgedBy::Valid)
}

fn members(n: usize, one: impl Fn(usize) -> String) -> String {
    let members = listed(n, |at| format!("\"m{at}\":{}", one(at)));
    format!("{{\"type\":\"object\",\"properties\":{{{members}}}}}")
}

/// A wide schema, and an answer with all that it declares.
fn wide(n: usize) -> Task {
    let members = listed(n / 2, |at| format!("\"m{at}\":{{\"type\":\"integer\"}}"));
    let names = listed(n / 4, |at| format!("\"m{at}\""));
    let schema =
        format!("{{\"type\":\"object\",\"required\":[{names}],\"properties\":{{{members}}}}}");
    Task::of(schema, format!("{{{}}}", listed(n / 4, |at| format!("\"m{at}\":1"))))
}
