//! The house in order: imports point down, names are unique, the map names every room.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Comments that lean on the item above them: a reader of the generated pages does not see it.
const LEANING: [&str; 2] = ["The same", "As above"];

/// Most lines of a file that a person reads in one go.
const MOST_LINES: usize = 600;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// The Rust sources below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The sources of each crate of the workspace, by its name.
fn crate_sources() -> BTreeMap<String, Vec<PathBuf>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(crates()).unwrap() {
        let folder = entry.unwrap().path();
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        all.insert(folder.file_name().unwrap().to_string_lossy().into_owned(), files);
    }
    assert!(all.len() > 7, "the crates were not found");
    all
}

/// The code of a file: no comments, nothing from its unit tests on.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]").next().unwrap();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    code.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

fn is_test(inside: &Path) -> bool {
    let in_tests =
        |part: std::path::Component<'_>| part.as_os_str().to_string_lossy().contains("tests");
    inside.components().any(in_tests) || inside.ends_with("sample.rs")
}

/// The top-level modules of the engine that each of them imports.
fn imports() -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files {
        let inside = file.strip_prefix(&root).unwrap();
        let first = inside.iter().next().unwrap().to_str().unwrap();
        let module = first.trim_end_matches(".rs").to_owned();
        if module == "lib" || is_test(inside) {
            continue;
        }
        let named = graph.entry(module.clone()).or_default();
        for part in code(&file).split("crate::").skip(1) {
            let end = part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
            let name = &part[..end];
            if name != module && name.chars().next().is_some_and(char::is_lowercase) {
                named.insert(name.to_owned());
            }
        }
    }
    graph
}

/// The first cells of the tables of ARCHITECTURE.md, in order.
fn rows() -> Vec<String> {
    let page = fs::read_to_string(crates().join("../ARCHITECTURE.md")).unwrap();
    let cells = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    cells.map(str::to_owned).collect()
}

#[test]
fn modules_import_only_from_rows_above_their_own() {
    let graph = imports();
    assert!(graph.len() > 10, "the sources were not found");
    let rows = rows();
    let row = |name: &str| rows.iter().position(|row| row == name);
    for (module, named) in &graph {
        let own = row(module).unwrap_or_else(|| panic!("ARCHITECTURE.md does not name {module}"));
        for import in named {
            let above = row(import).is_some_and(|row| row < own);
            assert!(above, "{module} imports {import}, whose row is not above its own");
        }
    }
}

#[test]
fn the_map_names_every_module_and_crate_and_no_other() {
    let modules: BTreeSet<String> = imports().into_keys().collect();
    let crates: BTreeSet<String> = crate_sources().into_keys().collect();
    let named: BTreeSet<String> = rows().into_iter().collect();
    let missing: Vec<_> =
        modules.union(&crates).filter(|name| !named.contains(*name)).cloned().collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md does not name {missing:?}");
}

#[test]
fn no_file_is_too_long_to_read() {
    for file in crate_sources().into_values().flatten() {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", file.display());
    }
}

/// The name of a type that is visible outside its file and begins on this line.
fn visible_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub")?;
    let rest = match rest.strip_prefix('(') {
        Some(scope) => scope.split_once(')')?.1,
        None => rest,
    };
    let rest = rest.trim_start();
    let name =
        ["struct ", "enum ", "trait ", "type "].iter().find_map(|it| rest.strip_prefix(it))?;
    name.split(|c: char| !c.is_alphanumeric()).next()
}

#[test]
fn no_two_types_of_a_crate_have_one_name() {
    let mut clashes = Vec::new();
    for (name, files) in crate_sources() {
        let mut seen: BTreeMap<String, PathBuf> = BTreeMap::new();
        for file in files.into_iter().filter(|file| !is_test(file)) {
            for line in code(&file).lines() {
                let Some(visible) = visible_type(line) else { continue };
                if let Some(other) = seen.insert(visible.to_owned(), file.clone())
                    && other != file
                {
                    clashes.push(format!(
                        "{name}: {visible} in {} and {}",
                        other.display(),
                        file.display()
                    ));
                }
            }
        }
    }
    assert!(clashes.is_empty(), "{clashes:#?}");
}

#[test]
fn no_comment_leans_on_the_one_above_it() {
    let mut leaning = Vec::new();
    for file in crate_sources().into_values().flatten() {
        let text = fs::read_to_string(&file).unwrap();
        let mut before = "";
        for (number, line) in text.lines().enumerate() {
            let line = line.trim_start();
            let starts = !before.starts_with("//");
            before = line;
            let Some(comment) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
            else {
                continue;
            };
            if starts && LEANING.iter().any(|it| comment.trim_start().starts_with(it)) {
                leaning.push(format!("{}:{}: {line}", file.display(), number + 1));
            }
        }
    }
    assert!(leaning.is_empty(), "{} comments: {leaning:#?}", leaning.len());
}

#[test]
fn no_match_mirrors_the_names_of_formats() {
    for file in crate_sources().into_values().flatten() {
        let mirrored = code(&file).contains("_ => \"json\"");
        assert!(!mirrored, "{}: a format's name comes from its row", file.display());
    }
}
