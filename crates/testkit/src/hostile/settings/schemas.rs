//! Schemas that are large: references, members, names, keywords, in JSON Schema, the output DSL and YAML.

use super::{SettingsShape, Task, count, listed};

pub(super) const SHAPES: &[SettingsShape] = &[
    SettingsShape { name: "chain_of_references", make: |n| chain(n, reference) },
    SettingsShape {
        name: "chain_of_objects",
        make: |n| chain(n, |next| format!("{{\"properties\":{{\"a\":{}}}}}", reference(next))),
    },
    SettingsShape {
        name: "chain_of_alternatives",
        make: |n| chain(n, |next| format!("{{\"anyOf\":[{},{{}}]}}", reference(next))),
    },
    SettingsShape {
        name: "chain_of_parts",
        make: |n| {
            let part = |next| format!("{{\"allOf\":[{},{{\"minimum\":1}}]}}", reference(next));
            chain(n, part)
        },
    },
    SettingsShape {
        name: "references_to_one_definition",
        make: |n| {
            let members = listed(n, |at| format!("\"m{at}\":{{\"$ref\":\"#/$defs/d\"}}"));
            let schema =
                format!("{{\"$defs\":{{\"d\":{{\"type\":\"string\"}}}},{}", object(&members));
            Task::of(schema, "{}")
        },
    },
    SettingsShape { name: "references_to_many_definitions", make: to_many },
    SettingsShape { name: "references_into_a_list", make: into_a_list },
    SettingsShape { name: "described_references_to_long_limits", make: long_limits },
    SettingsShape {
        name: "parts_with_limits",
        make: |n| {
            let parts = listed(n, |at| format!("{{\"minimum\":{at}.5}}"));
            Task::of(format!("{{\"type\":\"number\",\"allOf\":[{parts}]}}"), "1")
        },
    },
    SettingsShape { name: "parts_merged_again_and_again", make: merged },
    SettingsShape {
        name: "members_in_falling_order",
        make: |n| {
            let members = listed(n, |at| format!("\"m{:07}\":{{}}", 9_999_999 - at));
            Task::of(format!("{{{}", object(&members)), "{}")
        },
    },
    SettingsShape { name: "members_below_long_names", make: |n| long_names(n, "{}") },
    SettingsShape {
        name: "unknown_keywords_below_long_names",
        make: |n| long_names(n, "{\"x\":1,\"y\":2}"),
    },
    SettingsShape {
        name: "unknown_keywords",
        make: |n| Task::of(format!("{{{}}}", listed(n, |at| format!("\"x{at}\":1"))), "1"),
    },
    SettingsShape {
        name: "required_names",
        make: |n| {
            let names = listed(n, |at| format!("\"{:07}\"", 9_999_999 - at));
            Task::of(format!("{{\"type\":\"object\",\"required\":[{names}]}}"), "{}")
        },
    },
    SettingsShape {
        name: "long_description",
        make: |n| Task::of(format!("{{\"description\":\"{}\"}}", "word ".repeat(n / 5)), "1"),
    },
    SettingsShape {
        name: "output_dsl_members",
        make: |n| {
            let members =
                listed(n, |at| format!("\"m{:07}\":[\"str\",\"d\",true]", 9_999_999 - at));
            Task::of(format!("{{{members}}}"), "{}")
        },
    },
    SettingsShape {
        name: "output_dsl_alternatives",
        make: |n| Task::of(format!("{{\"a\":\"{}str\"}}", "int|".repeat(n / 4)), "{\"a\":1}"),
    },
    SettingsShape { name: "output_dsl_below_long_names", make: dsl_long_names },
    SettingsShape {
        name: "yaml_members",
        make: |n| {
            let lines = listed(n, |at| format!("m{at}: [str, words, true]"));
            Task::of(lines.replace("],m", "]\nm"), "{}")
        },
    },
    SettingsShape {
        name: "yaml_in_brackets",
        make: |n| Task::of(format!("a: {{ {} }}", listed(n, |at| format!("m{at}: str"))), "{}"),
    },
    SettingsShape {
        name: "yaml_nesting",
        make: |n| Task::of(format!("a: {}", "[".repeat(n)), "{}"),
    },
];

/// The members of an object, and the end of its schema.
fn object(members: &str) -> String {
    format!("\"type\":\"object\",\"properties\":{{{members}}}}}")
}

fn reference(to: usize) -> String {
    format!("{{\"$ref\":\"#/$defs/d{to}\"}}")
}

fn chain(n: usize, link: impl Fn(usize) -> String) -> Task {
    let defs = listed(n, |at| format!("\"d{at}\":{}", link(at + 1)));
    let last = count(n, |at| format!("\"d{at}\":{}", link(at + 1)));
    let first = "\"$ref\":\"#/$defs/d0\"";
    Task::of(format!("{{\"$defs\":{{{defs},\"d{last}\":{{\"type\":\"string\"}}}},{first}}}"), "{}")
}

fn to_many(n: usize) -> Task {
    let member = |at: usize| format!("\"m{at}\":{}", reference(at));
    let members = listed(n * 2 / 3, member);
    let many = count(n * 2 / 3, member);
    let defs: Vec<String> = (0..many).map(|at| format!("\"d{at}\":{{}}")).collect();
    Task::of(format!("{{\"$defs\":{{{}}},{}", defs.join(","), object(&members)), "{}")
}

fn into_a_list(n: usize) -> Task {
    let items = listed(n / 2, |_| "{}".to_owned());
    let last = count(n / 2, |_| "{}".to_owned()) - 1;
    let members = listed(n / 2, |at| format!("\"m{at}\":{{\"$ref\":\"#/x/{last}\"}}"));
    Task::of(format!("{{\"x\":[{items}],{}", object(&members)), "{}")
}

fn long_limits(n: usize) -> Task {
    let values = listed(n / 2, |at| format!("[{at}]"));
    let described =
        |at: usize| format!("\"m{at}\":{{\"description\":\"x\",\"$ref\":\"#/$defs/d\"}}");
    let members = listed(n / 2, described);
    Task::of(format!("{{\"$defs\":{{\"d\":{{\"enum\":[{values}]}}}},{}", object(&members)), "{}")
}

/// Each member merges a wide object with itself.
fn merged(n: usize) -> Task {
    let wide = listed(n / 2, |at| format!("\"m{at}\":{{}}"));
    let part = "{\"allOf\":[{\"$ref\":\"#/$defs/d\"},{\"required\":[\"a\"]}]}";
    let members = listed(n / 2, |at| format!("\"m{at}\":{part}"));
    Task::of(format!("{{\"$defs\":{{\"d\":{{{}}},{}", object(&wide), object(&members)), "{}")
}

/// Names of 4,000 bytes in each other, up to half of the size, and then many members.
fn long_names(n: usize, member: &str) -> Task {
    let levels = (n / 2 / 4_040).clamp(1, 60);
    let level = format!("{{\"properties\":{{\"{}\":", "k".repeat(4_000));
    let members =
        listed(n.saturating_sub(levels * level.len()), |at| format!("\"m{at}\":{member}"));
    let inner = format!("{{\"properties\":{{{members}}}}}");
    Task::of(format!("{}{inner}{}", level.repeat(levels), "}}".repeat(levels)), "{}")
}

fn dsl_long_names(n: usize) -> Task {
    let levels = (n / 2 / 4_010).clamp(1, 60);
    let level = format!("{{\"{}\":", "k".repeat(4_000));
    let members = listed(n.saturating_sub(levels * level.len()), |at| format!("\"m{at}\":\"str\""));
    Task::of(format!("{}{{{members}}}{}", level.repeat(levels), "}".repeat(levels)), "{}")
}
