//! Types that a value is compared with: enums, alternatives, needed members.

use super::{SettingsShape, Task, count, listed};

pub(super) const SHAPES: &[SettingsShape] = &[
    SettingsShape { name: "enum_of_texts", make: |n| choices(n, |at| format!("\"v{at:07}\"")) },
    SettingsShape { name: "enum_of_numbers", make: |n| choices(n, |at| format!("{at}.5")) },
    SettingsShape {
        name: "enum_of_one_spelling",
        make: |n| {
            let length = n.isqrt();
            choices(n, |at| format!("\"{}{at:07}\"", " -_".repeat(length / 3)))
        },
    },
    SettingsShape {
        name: "enum_of_long_texts",
        make: |n| {
            let values = ["a", "b"].map(|end| format!("\"{}{end}\"", "v ".repeat(n / 8)));
            Task::of(
                list_of(&format!("{{\"enum\":[{}]}}", values.join(","))),
                format!("[{}]", values[1]),
            )
        },
    },
    SettingsShape { name: "enum_of_lists", make: |n| choices(n, |at| format!("[{at}]")) },
    SettingsShape { name: "enum_in_many_alternatives", make: enum_in_many_alternatives },
    SettingsShape { name: "enum_in_many_members", make: enum_in_many_members },
    SettingsShape {
        name: "alternatives_of_constants",
        make: |n| {
            alternatives(n, |at| format!("{{\"const\":\"v{at:07}\"}}"), |_| "\"v0004000\"".into())
        },
    },
    SettingsShape {
        name: "alternatives_with_a_kind",
        make: |n| alternatives(n, with_kind, |at| format!("{{\"kind\":\"v{}\"}}", at % 2_000)),
    },
    SettingsShape {
        name: "alternatives_without_a_kind",
        make: |n| {
            let one =
                |at| format!("{{\"properties\":{{\"a\":{{\"type\":\"string\"}},\"b{at}\":{{}}}}}}");
            alternatives(n, one, |_| "{\"a\":1}".into())
        },
    },
    SettingsShape {
        name: "alternatives_for_nothing",
        make: |n| alternatives(n, with_kind, |_| "true".into()),
    },
    SettingsShape { name: "alternatives_around_alternatives", make: around_alternatives },
    SettingsShape { name: "alternatives_of_wide_objects", make: wide_alternatives },
    SettingsShape {
        name: "alternatives_beyond_the_limit",
        make: |n| {
            let parts = listed(n, |at| format!("{{\"const\":{at}}}"));
            Task::of(format!("{{\"type\":\"number\",\"anyOf\":[{parts}]}}"), "1")
        },
    },
    SettingsShape { name: "wide_items_empty", make: |n| wide_items(n, "{}") },
    SettingsShape { name: "wide_items_with_one_member", make: |n| wide_items(n, "{\"m0\":1}") },
    SettingsShape { name: "wide_items_in_wrappers", make: |n| wide_items(n, "{\"w\":{\"m0\":1}}") },
    SettingsShape { name: "needed_items_empty", make: |n| needed_items(n, "{}") },
    SettingsShape { name: "needed_items_null", make: |n| needed_items(n, "null") },
    SettingsShape {
        name: "members_of_a_shared_type",
        make: |n| {
            let shared = listed(n / 2, |at| format!("\"s{at}\":{{}}"));
            let members = listed(n / 2, |at| format!("\"m{at}\":{{\"$ref\":\"#/$defs/d\"}}"));
            let needed = "\"required\":[\"m0\"],\"type\":\"object\",\"properties\":{";
            let shared = format!("{{\"type\":\"object\",\"properties\":{{{shared}}}}}");
            Task::of(format!("{{\"$defs\":{{\"d\":{shared}}},{needed}{members}}}}}"), "{\"m0\":1}")
        },
    },
    SettingsShape {
        name: "roots_in_prose_under_a_wide_schema",
        make: |n| {
            let members = listed(n / 2, |at| format!("\"m{at}\":{{}}"));
            let names = listed(n / 4, |at| format!("\"m{at}\""));
            let schema = format!(
                "{{\"type\":\"object\",\"required\":[{names}],\"properties\":{{{members}}}}}"
            );
            Task::of(schema, "so {\"m0\":1} ".repeat(n / 4 / 12))
        },
    },
    SettingsShape {
        name: "one_kind_after_another",
        make: |n| {
            let members = listed(n / 2, |at| format!("\"m{at}\":{{\"type\":\"integer\"}}"));
            let schema = format!("{{\"type\":\"object\",\"properties\":{{{members}}}}}");
            Task::of(schema, format!("{{{}}}", listed(n / 2, |at| format!("\"m{at}\":\"7\""))))
        },
    },
];

fn list_of(item: &str) -> String {
    format!("{{\"type\":\"array\",\"items\":{item}}}")
}

/// A list of values of an enum, the last of them again and again.
fn choices(n: usize, value: impl Fn(usize) -> String) -> Task {
    let last = value(count(n / 2, &value) - 1);
    let schema = list_of(&format!("{{\"enum\":[{}]}}", listed(n / 2, &value)));
    Task::of(schema, format!("[{}]", listed(n / 2, |_| last.clone())))
}

fn enum_in_many_alternatives(n: usize) -> Task {
    let values = listed(n / 2, |at| format!("\"v{at}\""));
    let parts = listed(n / 2, |_| "{\"$ref\":\"#/$defs/e\"}".to_owned());
    let defs = format!("\"$defs\":{{\"e\":{{\"enum\":[{values}]}}}}");
    Task::of(format!("{{{defs},\"type\":\"string\",\"anyOf\":[{parts}]}}"), "\"v1\"")
}

/// Each member is one of the values of a shared enum, or a number.
fn enum_in_many_members(n: usize) -> Task {
    let values = listed(n / 2, |at| format!("\"v{at}\""));
    let one = |at| {
        format!("\"m{at}\":{{\"anyOf\":[{{\"$ref\":\"#/$defs/e\"}},{{\"const\":\"x{at}\"}}]}}")
    };
    let defs = format!("\"$defs\":{{\"e\":{{\"enum\":[{values}]}}}}");
    let members = listed(n / 2, one);
    Task::of(format!("{{{defs},\"type\":\"object\",\"properties\":{{{members}}}}}"), "{}")
}

fn with_kind(at: usize) -> String {
    format!("{{\"properties\":{{\"kind\":{{\"const\":\"v{at}\"}}}},\"required\":[\"kind\"]}}")
}

/// A list of items with at most 4,000 alternatives.
fn alternatives(n: usize, one: impl Fn(usize) -> String, item: impl Fn(usize) -> String) -> Task {
    let many = count(n / 2, &one).min(4_000);
    let parts: Vec<String> = (0..many).map(one).collect();
    let schema = list_of(&format!("{{\"anyOf\":[{}]}}", parts.join(",")));
    let left = n.saturating_sub(schema.len());
    Task::of(schema, format!("[{}]", listed(left, item)))
}

/// Many unions, each of which has a large one inside.
fn around_alternatives(n: usize) -> Task {
    let many = count(n / 2, |at| format!("{{\"const\":{at}}}")).min(4_000);
    let parts: Vec<String> = (0..many).map(|at| format!("{{\"const\":{at}}}")).collect();
    let one = |at| format!("\"m{at}\":{{\"anyOf\":[{{\"$ref\":\"#/$defs/u\"}},{{}}]}}");
    let defs = format!("\"$defs\":{{\"u\":{{\"anyOf\":[{}]}}}}", parts.join(","));
    let members = listed(n.saturating_sub(defs.len()), one);
    Task::of(format!("{{{defs},\"type\":\"object\",\"properties\":{{{members}}}}}"), "{}")
}

/// Many unions of the same two wide objects.
fn wide_alternatives(n: usize) -> Task {
    let wide = |name: &str| {
        let members = listed(n / 4, |at| format!("\"{name}{at}\":{{}}"));
        format!("\"{name}\":{{\"type\":\"object\",\"properties\":{{{members}}}}}")
    };
    let one = |at| {
        let parts = "{\"$ref\":\"#/$defs/a\"},{\"$ref\":\"#/$defs/b\"}";
        format!("\"m{at}\":{{\"anyOf\":[{parts},{{\"const\":{at}}}]}}")
    };
    let defs = format!("\"$defs\":{{{},{}}}", wide("a"), wide("b"));
    Task::of(
        format!("{{{defs},\"type\":\"object\",\"properties\":{{{}}}}}", listed(n / 2, one)),
        "{}",
    )
}

/// A list of objects with many members that may be absent, and one that must be there.
fn wide_items(n: usize, item: &str) -> Task {
    let members = listed(n / 2, |at| format!("\"m{at}\":{{}}"));
    let schema =
        format!("{{\"type\":\"object\",\"required\":[\"m0\"],\"properties\":{{{members}}}}}");
    Task::of(list_of(&schema), format!("[{}]", listed(n / 2, |_| item.to_owned())))
}

/// A list of objects with members below members that must not be empty.
fn needed_items(n: usize, item: &str) -> Task {
    let members = listed(n / 2, |at| format!("\"m{at}\":{{\"a\":[\"str\",\"\",true]}}"));
    Task::of(format!("[{{{members}}}]"), format!("[{}]", listed(n / 2, |_| item.to_owned())))
}
