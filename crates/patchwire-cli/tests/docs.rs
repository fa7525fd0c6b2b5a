//! What the pages show is what the command prints.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGES: [&str; 14] = [
    "batch.md",
    "checks.md",
    "choosing-a-format.md",
    "input.md",
    "prompts.md",
    "rating.md",
    "repair.md",
    "schemas.md",
    "sections.md",
    "text.md",
    "watch.md",
    "wire.md",
    "xml-field.md",
    "yaml.md",
];

/// To bless: `BLESS=1 cargo test -p patchwire-cli docs`.
#[test]
fn the_pages_show_what_the_command_prints() {
    let left_out = [("batch.md", cfg!(feature = "batch")), ("watch.md", cfg!(feature = "watch"))];
    let is_built = |page: &&str| !left_out.contains(&(*page, false));
    for page in PAGES.into_iter().filter(is_built) {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
        let text = fs::read_to_string(&file).expect("the page is there").replace("\r\n", "\n");
        let now = with_outputs(&text, page);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&file, &now).expect("the page can be written");
        }
        assert!(text.contains("```console\n$ cat "), "{page} has an example");
        assert_eq!(text, now, "{page}");
    }
}

/// The page with the outputs of the commands in its console blocks.
fn with_outputs(text: &str, page: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("```console\n") {
        let (block, after) = after.split_once("```").expect("fences are closed");
        out += before;
        out += "```console\n";
        out += &session(block, page);
        out += "```";
        rest = after;
    }
    out + rest
}

/// `cat` shows a file, which is written; the command is run beside it.
fn session(block: &str, page: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("docs-{page}"));
    fs::create_dir_all(&folder).expect("the scratch directory can be written to");
    let mut out = String::new();
    for step in format!("\n{block}").split("\n$ ").skip(1) {
        let (line, shown) = step.split_once('\n').unwrap_or((step, ""));
        out += &format!("$ {line}\n");
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["cat", file] => {
                let shown = format!("{}\n", shown.trim_end_matches('\n'));
                fs::write(folder.join(file), &shown).expect("the file can be written");
                out += &shown;
            }
            ["patchwire", ref args @ ..] => out += &run(args, &folder),
            _ => panic!("{page}: a session has `cat FILE` and `patchwire …`: {line}"),
        }
    }
    out
}

/// What the command prints; the last event as far as its value.
fn run(args: &[&str], folder: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_patchwire"));
    command.args(args).current_dir(folder).env_remove("CLICOLOR_FORCE");
    let output = command.output().expect("the command was built");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).expect("the command prints UTF-8");
    let shortened = |line: &str| match line.split_once(",\"reasoning\"") {
        Some((value, _)) if line.starts_with("{\"event\":\"final\"") => format!("{value},…\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(shortened).collect()
}
