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
];

/// A schema with many texts, and an answer of these lines.
fn wide(n: usize, format: Format, line: impl Fn(usize) -> String) -> Task {
    let members = listed(n / 2, |at| format!("\"m{at}\":{{\"type\":\"string\"}}"));
    let mut answer = String::new();
    for at in 0.. {
        if answer.len() > n / 2 {
            break;
        }
        answer.push_str(&line(at));
    }
    let task = Task::of(format!("{{\"type\":\"object\",\"properties\":{{{members}}}}}"), answer);
    Task { format, ..task }
}
