//! Programs that the compiler refuses, and what it says about them: the messages are a part of the interface.

use std::fs;
use std::path::Path;
use std::process::Command;

/// For each program in `refused`, sentences of the compiler's message.
const PROGRAMS: [(&str, &[&str]); 6] = [
    (
        "wrong_item",
        &[
            "`Delta` is not text that patchwire can read",
            "the items of this stream are `Delta`",
            "`fields` reads streams of `&str`, `String`, `Bytes`",
            "`stream.fields_with(spec, |item, out| out.text(item.content))`",
            "`stream.infallible().fields_with(…)`",
        ],
    ),
    ("wrong_result", &["`u32` is not text that patchwire can read"]),
    ("wrong_split", &["`stream.infallible().fields_with(…)`"]),
    (
        "wrong_error",
        &[
            "the items of this stream are `Result<std::string::String, Broken>`",
            "the error of a `Result` has to implement `std::error::Error`",
            "`stream.map_err(|error| error.to_string())`",
        ],
    ),
    (
        "partial_field",
        &[
            "`Row` has no partial form",
            "derive `Partial` for it, or mark the field with `#[partial(whole)]`",
        ],
    ),
    (
        "partial_borrows",
        &[
            "a type that borrows has no partial form",
            "a type with parameters has no partial form",
            "expected `whole`",
            "unexpected token",
        ],
    ),
];

/// A package with the programs, in the target folder.
fn package(folder: &Path, programs: &Path) {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut manifest = format!(
        "[package]\nname = \"refused\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\npatchwire-async = {{ path = {own:?} }}\nfutures-core = \"0.3\"\nserde = \"1\"\n"
    );
    for (name, _) in PROGRAMS {
        let path = programs.join(name).with_extension("rs");
        manifest += &format!("[[bin]]\nname = {name:?}\npath = {path:?}\n");
    }
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::copy(own.join("../../Cargo.lock"), folder.join("Cargo.lock")).unwrap();
}

#[test]
fn what_the_compiler_says() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refused");
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refused");
    package(&folder, &programs);
    for (name, sentences) in PROGRAMS {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["check", "--offline", "--quiet", "--bin", name]).current_dir(&folder);
        let output = cargo.env("CARGO_TARGET_DIR", folder.join("target")).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        // The compiler breaks lines where it likes.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(!output.status.success(), "{name} is accepted");
        for sentence in sentences {
            assert!(words(&said).contains(&words(sentence)), "{name}: no {sentence:?} in\n{said}");
        }
    }
}
