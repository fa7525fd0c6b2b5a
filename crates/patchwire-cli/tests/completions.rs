use crate::run::patchwire;

#[test]
fn each_shell_gets_all_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = patchwire(&["completions", shell], "").ok();
        for word in
            ["parse", "final", "check", "trace", "completions", "demo", "chunk-bytes", "start-in"]
        {
            assert!(script.contains(word), "the script for {shell} lacks {word}");
        }
    }
}

#[test]
fn names_of_tag_sets_are_completed() {
    for shell in ["bash", "zsh", "fish"] {
        let script = patchwire(&["completions", shell], "").ok();
        for name in ["scratchpad", "first_closed_else_last"] {
            assert!(script.contains(name), "the script for {shell} lacks {name}");
        }
    }
}

#[test]
fn a_shell_that_is_not_known_is_refused() {
    let run = patchwire(&["completions", "cmd"], "");
    assert_eq!((run.status, run.out.as_str()), (Some(2), ""));
    assert!(run.err.contains("bash") && run.err.contains("powershell"), "{}", run.err);
}
