//! Paths that have to exist, and names of tools.

use super::{SettingsShape, Task, listed};

pub(super) const SHAPES: &[SettingsShape] = &[
    SettingsShape {
        name: "paths_over_keys",
        make: |n| {
            let answer = listed(n / 2, |at| format!("\"k{at}\":1"));
            ensured(paths(n / 2, |at| format!("k{at}")), format!("{{{answer}}}"))
        },
    },
    SettingsShape {
        name: "paths_over_items",
        make: |n| {
            ensured(
                paths(n / 2, |at| format!("[*].x{at}")),
                format!("[{}]", listed(n / 2, |_| "{\"x0\":1}".into())),
            )
        },
    },
    SettingsShape {
        name: "indexes_over_items",
        make: |n| {
            ensured(
                paths(n / 2, |at| format!("[{at}]")),
                format!("[{}]", listed(n / 2, |_| "1".into())),
            )
        },
    },
    SettingsShape {
        name: "one_long_path",
        make: |n| {
            ensured(vec!["a.".repeat(n / 2) + "a"], "{\"a\":".repeat(200) + "1" + &"}".repeat(200))
        },
    },
    SettingsShape {
        name: "one_long_key",
        make: |n| ensured(vec![format!("[\"{}\"]", "k".repeat(n))], "{\"a\":1}"),
    },
    SettingsShape {
        name: "wildcards_beside_names",
        make: |n| {
            // All paths of so many steps, each a name or a wildcard.
            let steps = (n / 2 / 64).max(4).ilog2().min(17);
            let path = |bits: u32| {
                let step = |at: u32| if bits >> at & 1 == 0 { "a" } else { "*" };
                (0..steps).map(step).collect::<Vec<_>>().join(".") + ".b"
            };
            let (open, close) = ("{\"a\":".repeat(steps as usize), "}".repeat(steps as usize));
            let items = listed(n / 2, |_| "{\"b\":1}".into());
            ensured((0..1_u32 << steps).map(path).collect(), format!("{open}[{items}]{close}"))
        },
    },
    SettingsShape {
        name: "wildcards_in_nesting",
        make: |n| {
            ensured(vec!["[*]".repeat(n / 6)], format!("[{}]", listed(n / 2, |_| "[[1]]".into())))
        },
    },
    SettingsShape {
        name: "paths_that_are_missing",
        make: |n| ensured(paths(n, |at| format!("k{at}.a.b")), "{}"),
    },
    SettingsShape {
        name: "tools",
        make: |n| {
            let tools = paths(n / 2, |at| format!("tool{at}"));
            let call = |at: usize| {
                format!("<tool_call>{{\"name\":\"tool{at}\",\"arguments\":{{}}}}</tool_call>")
            };
            let answer = listed(n / 2, call);
            let tags = "{\"include\":[\"hermes\"]}".to_owned();
            Task { tools, tags, answer, ..Task::default() }
        },
    },
];

fn paths(n: usize, path: impl Fn(usize) -> String) -> Vec<String> {
    listed(n, path).split(',').map(str::to_owned).collect()
}

fn ensured(ensures: Vec<String>, answer: impl Into<String>) -> Task {
    Task { ensures, answer: answer.into(), ..Task::default() }
}
