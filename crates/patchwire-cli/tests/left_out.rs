//! Commands that a build leaves out: they are listed, and say how to get them.

use crate::run::patchwire;

/// The commands whose features are off in this build.
fn left_out() -> Vec<&'static str> {
    let features = [
        ("batch", cfg!(feature = "batch")),
        ("chat", cfg!(feature = "chat")),
        ("serve", cfg!(feature = "serve")),
        ("watch", cfg!(feature = "watch")),
    ];
    features.into_iter().filter(|(_, on)| !on).map(|(name, _)| name).collect()
}

#[test]
fn a_command_that_is_left_out_says_how_to_get_it() {
    for name in left_out() {
        let run = patchwire(&[name, "--any-option", "x"], "");
        assert_eq!(run.status, Some(2), "{name}");
        let hint = "cargo install patchwire-cli --features full";
        assert!(run.err.contains(hint), "{name}: {}", run.err);
    }
}

#[test]
fn the_help_lists_every_command() {
    let help = patchwire(&["--help"], "").out;
    for name in ["batch", "chat", "serve", "watch"] {
        let line = help.lines().find(|line| line.trim_start().starts_with(name));
        let line = line.unwrap_or_else(|| panic!("{name} is not in\n{help}"));
        let marked = line.contains("not in this build");
        assert_eq!(marked, left_out().contains(&name), "{line}");
    }
}
