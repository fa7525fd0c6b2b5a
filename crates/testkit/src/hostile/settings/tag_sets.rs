//! Tag sets: many families, many markers, long ones, and long lists of names.

use super::{SettingsShape, Task, listed};

pub(super) const SHAPES: &[SettingsShape] = &[
    SettingsShape {
        name: "families",
        make: |n| {
            set(&listed(n / 2, |at| family(&format!("f{at}"), &format!("<f{at}>"), "")), n / 2)
        },
    },
    SettingsShape {
        name: "openers_of_one_family",
        make: |n| {
            let open = listed(n / 2, |at| format!("\"<o{at}>\""));
            set(
                &format!(
                    "{{\"name\":\"f\",\"open\":[{open}],\"close\":\"</o>\",\"channel\":\"c\"}}"
                ),
                n / 2,
            )
        },
    },
    SettingsShape {
        name: "long_marker",
        make: |n| set(&family("f", &format!("<{}>", "m".repeat(n / 2)), ""), n / 2),
    },
    SettingsShape {
        name: "markers_with_parameters",
        make: |n| {
            let open = listed(n / 2, |at| format!("\"<o{at} {{a}} {{b}}>\""));
            set(
                &format!(
                    "{{\"name\":\"f\",\"open\":[{open}],\"close\":\"</o>\",\"channel\":\"c\"}}"
                ),
                n / 2,
            )
        },
    },
    SettingsShape {
        name: "markers_in_any_case",
        make: |n| {
            set(
                &family(
                    "f",
                    &format!("<{}>", "aB".repeat(n / 4)),
                    ",\"case\":\"fold\",\"blanks\":true",
                ),
                n / 2,
            )
        },
    },
    SettingsShape {
        name: "names_within",
        make: |n| {
            let within = listed(n / 2, |_| "\"f\"".into());
            set(&family("f", "<f>", &format!(",\"within\":[{within}]")), n / 2)
        },
    },
    SettingsShape {
        name: "keys_of_a_family",
        make: |n| {
            let keys = listed(n / 2, |at| format!("\"k{at}\""));
            let family = family("f", "<f>", &format!(",\"body\":\"xml\",\"keys\":[{keys}]"));
            set(&family, n / 2)
        },
    },
    SettingsShape {
        name: "names_of_a_family",
        make: |n| {
            let names = listed(n / 2, |at| format!("\"n{at}\""));
            set(&family("f", "<f>", &format!(",\"named_by\":\"n\",\"names\":[{names}]")), n / 2)
        },
    },
    SettingsShape {
        name: "what_follows_an_opener",
        make: |n| {
            let then = listed(n / 2, |at| format!("\"t{at}\""));
            set(&family("f", "<f>", &format!(",\"then\":[{then}]")), n / 2)
        },
    },
    SettingsShape {
        name: "presets_again_and_again",
        make: |n| {
            let tags = format!("{{\"include\":[{}]}}", listed(n / 2, |_| "\"think\"".into()));
            Task { tags, answer: "<think>x</think>y ".repeat(n / 36), ..Task::default() }
        },
    },
    SettingsShape {
        name: "unknown_presets",
        make: |n| Task {
            tags: format!("{{\"include\":[\"{}\"]}}", "p".repeat(n)),
            ..Task::default()
        },
    },
];

fn family(name: &str, open: &str, more: &str) -> String {
    format!(
        "{{\"name\":\"{name}\",\"open\":\"{open}\",\"close\":\"</{name}>\",\"channel\":\"c\"{more}}}"
    )
}

/// A set of these families, and an answer with an element and near misses.
fn set(families: &str, answer: usize) -> Task {
    let tags = format!("{{\"family\":[{families}]}}");
    Task { tags, answer: "<f>x</f> <f y ".repeat(answer / 14), ..Task::default() }
}
