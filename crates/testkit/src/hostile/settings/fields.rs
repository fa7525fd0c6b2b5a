//! Wide schemas for the formats of fields: many declared names, and answers with some, all or none of them.

use patchwire::Format;

use super::{SettingsShape, Task, listed};

pub(super) const SHAPES: &[SettingsShape] = &[
    SettingsShape {
        name: "sections_all",
        make: |n| wide(n, Format::Hybrid, |at| format!("\n## m{at}\n\nx\n")),
    },
    SettingsShape {
        name: "sections_of_one_name",
        make: |n| wide(n, Format::Markdown, |_| "\n## m0\n\nx\n".into()),
    },
    SettingsShape {
        name: "sections_unknown",
        make: |n| wide(n, Format::Markdown, |at| format!("\n## other {at}\n\nx\n")),
    },
    SettingsShape {
        name: "fields_all",
        make: |n| wide(n, Format::XmlField, |at| format!("<field name=\"m{at}\">x</field>\n")),
    },
    SettingsShape {
        name: "fields_unknown",
        make: |n| wide(n, Format::XmlField, |at| format!("<field name=\"z{at}\">x</field>\n")),
    },
    SettingsShape {
        name: "fields_that_only_begin",
        make: |n| wide(n, Format::XmlField, |_| "<m <field <field n ".into()),
    },
    SettingsShape {
        name: "yaml_all",
        make: |n| wide(n, Format::YamlLiteral, |at| format!("m{at}: x\n")),
    },
    SettingsShape {
        name: "yaml_unknown",
        make: |n| wide(n, Format::YamlLiteral, |at| format!("z{at}: x\n")),
    },
    SettingsShape {
        name: "yaml_half_names",
        make: |n| wide(n, Format::YamlLiteral, |_| "m0: |\n  x\nm\n".into()),
    },
    SettingsShape {
        name: "yaml_with_slips",
        make: |n| wide(n, Format::YamlLiteral, |at| format!("m{at}: 'it's x'\n")),
    },
    SettingsShape {
        name: "yaml_quotes_left_open",
        make: |n| wide(n, Format::YamlLiteral, |at| format!("m{at}: \"x\n")),
    },
    SettingsShape {
        name: "yaml_lines_like_keys_in_quotes",
        make: |n| {
            wide(n, Format::YamlLiteral, |at| {
                if at == 0 { "m0: \"x\n".into() } else { format!("m{at}z x\n") }
            })
        },
    },
    SettingsShape {
        name: "yaml_record_with_slips",
        make: |n| Task {
            format: Format::YamlLiteral,
            answer: format!(
                "p:\n{}",
                lines(n, "", |at| format!("- M{at}: |\n  a: b: c\n  m{at}: x\n"))
            ),
            ..wide_items(n)
        },
    },
    SettingsShape {
        name: "members_in_lines",
        make: |n| wide_member(n, "\n", |at| format!("m{at}: x")),
    },
    SettingsShape {
        name: "members_in_one_line",
        make: |n| wide_member(n, ", ", |at| format!("m{at}: x")),
    },
    SettingsShape {
        name: "members_of_one_name",
        make: |n| wide_member(n, "\n", |_| "m0: x".into()),
    },
];

/// A schema with many texts, and an answer of these lines.
fn wide(n: usize, format: Format, line: impl Fn(usize) -> String) -> Task {
    let task = Task::of(format!("{{{}}}", texts(n)), lines(n, "", line));
    Task { format, ..task }
}

/// A schema with a list of objects of many texts.
fn wide_items(n: usize) -> Task {
    let items = format!("{{\"type\":\"array\",\"items\":{{{}}}}}", texts(n));
    Task::of(format!("{{\"type\":\"object\",\"properties\":{{\"p\":{items}}}}}"), "")
}

/// A schema with an object of many texts, and a section with these members of it.
fn wide_member(n: usize, between: &str, member: impl Fn(usize) -> String) -> Task {
    let schema = format!("{{\"type\":\"object\",\"properties\":{{\"p\":{{{}}}}}}}", texts(n));
    let answer = format!("## p\n\n{}\n", lines(n, between, member));
    Task { format: Format::Markdown, ..Task::of(schema, answer) }
}

/// The type and the members of an object of texts.
fn texts(n: usize) -> String {
    let members = listed(n / 2, |at| format!("\"m{at}\":{{\"type\":\"string\"}}"));
    format!("\"type\":\"object\",\"properties\":{{{members}}}")
}

/// About `n / 2` bytes of lines, with a text between them.
fn lines(n: usize, between: &str, line: impl Fn(usize) -> String) -> String {
    let mut all = line(0);
    for at in 1.. {
        if all.len() > n / 2 {
            break;
        }
        all.push_str(between);
        all.push_str(&line(at));
    }
    all
}
