use crate::run::patchwire;

const INPUT: [&str; 3] = ["--input", "--chunk-bytes", "--chunk-seed"];
const EXPECTED: [&str; 5] =
    ["--format", "--schema", "--schema-form", "--root-tag", "--document-name"];
const READING: [&str; 12] = [
    "--format",
    "--schema",
    "--schema-form",
    "--root-tag",
    "--document-name",
    "--tags",
    "--start-in",
    "--view",
    "--strictness",
    "--forbid",
    "--roots",
    "--limit",
];

#[test]
fn help_mentions_every_option() {
    for (command, own, shared) in [
        (
            "parse",
            &["--values", "--wire", "--documents", "--record", "--ensure", "--exact"][..],
            &[&INPUT[..], &READING][..],
        ),
        ("final", &["--envelope", "--pretty"], &[&INPUT, &READING]),
        ("check", &["--random", "--seed", "--input"], &[&READING]),
        ("rate", &["--by", "--json", "--input", "--column"], &[&READING]),
        (
            "batch",
            &[
                "--column",
                "--out",
                "--as",
                "--keep",
                "--from",
                "--to",
                "--part-rows",
                "--again",
                "--threads",
                "--ensure",
            ],
            &[&READING],
        ),
        (
            "chat",
            &[
                "--endpoint",
                "--model",
                "--protocol",
                "--key-env",
                "--set",
                "--max-retries",
                "--plain",
                "--watch",
                "--exit",
                "--record",
            ],
            &[&READING],
        ),
        ("watch", &["--speed", "--exit", "--demo", "--line", "--record"], &[&INPUT, &READING]),
        (
            "serve",
            &[
                "--listen",
                "--allow-host",
                "--allow-origin",
                "--max-streams",
                "--per-address",
                "--trusted-proxy",
                "--store",
                "--store-prefix",
                "--store-keep",
                "--store-lease",
                "--upstream",
                "--upstream-model",
                "--upstream-key-env",
            ],
            &[],
        ),
        ("trace", &["--json"], &[&INPUT, &READING]),
        ("prompt", &["--skeleton"], &[&EXPECTED]),
        ("completions", &["<SHELL>", "bash", "elvish"], &[]),
        ("demo", &["--json", "--speed", "--values", "[FORMAT]"], &[]),
    ] {
        for help in ["-h", "--help"] {
            let out = patchwire(&[command, help], "").ok();
            let options = own.iter().chain(shared.iter().copied().flatten());
            for option in options {
                assert!(out.contains(option), "{command} {help} says nothing of {option}:\n{out}");
            }
            assert!(
                out.contains(&format!("Examples:\n  patchwire {command}"))
                    || out.contains("Examples:\n  my-model | patchwire"),
                "{out}"
            );
        }
    }
}

#[test]
fn the_first_page_leads_on() {
    let out = patchwire(&["--help"], "").ok();
    for word in [
        "parse",
        "final",
        "check",
        "rate",
        "batch",
        "chat",
        "demo",
        "serve",
        "trace",
        "completions",
        "Try it:",
        "Exit status:",
        "--version",
    ] {
        assert!(out.contains(word), "{out}");
    }
    assert_eq!(patchwire(&["-h"], "").ok(), out);
    let out = at_80_columns(&["--help"]);
    assert!(out.lines().count() <= 24, "it fits on a small terminal:\n{out}");
    assert!(out.contains("\nExit status: 0 complete"), "{out}");
}

#[test]
fn the_long_help_lists_what_can_be_forbidden() {
    let out = patchwire(&["parse", "--help"], "").ok();
    assert!(out.contains("inner_quotes") && out.contains("mismatched_closers"), "{out}");
}

#[test]
fn a_prompt_knows_nothing_of_tags() {
    for help in ["-h", "--help"] {
        let out = patchwire(&["prompt", help], "").ok();
        assert!(out.contains("What the model is to write [default: json]"), "{out}");
        assert!(!out.contains("tags mark the answer"), "{out}");
    }
}

#[test]
fn the_long_help_lists_the_tag_sets() {
    let out = patchwire(&["parse", "--help"], "").ok();
    for name in patchwire::TagSet::PRESETS.iter().chain(&["none", ".toml", ".json"]) {
        assert!(out.contains(name), "{name}:\n{out}");
    }
}

fn at_80_columns(args: &[&str]) -> String {
    let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_patchwire"));
    let out = run.args(args).env("COLUMNS", "80").output();
    String::from_utf8(out.expect("the command was built").stdout).expect("help is UTF-8")
}

#[test]
fn help_fits_on_a_small_terminal() {
    for command in [
        "parse",
        "final",
        "check",
        "rate",
        "batch",
        "demo",
        "prompt",
        "watch",
        "trace",
        "completions",
    ] {
        for help in ["-h", "--help"] {
            let out = at_80_columns(&[command, help]);
            let (options, examples) = out.split_once("Examples:").expect("there are examples");
            assert!(options.lines().all(|line| line.chars().count() <= 80), "{out}");
            // What is wrapped cannot be copied: a shell ends a command at the end of its line.
            assert!(examples.lines().skip(1).all(|line| line.starts_with("  ")), "{out}");
        }
    }
}

#[test]
fn the_version_is_that_of_the_crate() {
    let expected = concat!("patchwire ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(patchwire(&["--version"], "").ok(), expected);
}
