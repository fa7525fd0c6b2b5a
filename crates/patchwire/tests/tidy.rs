//! The house in order: dependencies inside the engine point one way, and the map names every room.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

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

/// The code of a file: no comments, nothing from its unit tests on.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]").next().unwrap();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    code.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

/// Which top-level modules each top-level module names.
fn imports() -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files {
        let inside = file.strip_prefix(&root).unwrap();
        let first = inside.iter().next().unwrap().to_str().unwrap();
        let module = first.trim_end_matches(".rs").to_owned();
        let is_test =
            inside.components().any(|part| part.as_os_str().to_string_lossy().contains("tests"))
                || inside.ends_with("sample.rs");
        if module == "lib" || is_test {
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

#[test]
fn modules_import_only_from_floors_below_them() {
    let mut graph = imports();
    assert!(graph.len() > 10, "the sources were not found");
    // Take away modules that import nothing that is left; what remains is a cycle.
    while let Some(floor) =
        graph.iter().find(|(_, named)| named.is_empty()).map(|(module, _)| module.clone())
    {
        graph.remove(&floor);
        for named in graph.values_mut() {
            named.remove(&floor);
        }
    }
    assert!(graph.is_empty(), "these modules import one another in a circle: {graph:#?}");
}

#[test]
fn the_map_names_every_module_and_no_other() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    let page = fs::read_to_string(page).unwrap();
    let named: BTreeSet<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .map(str::to_owned)
        .collect();
    let modules: BTreeSet<String> = imports().into_keys().collect();
    let missing: Vec<_> = modules.difference(&named).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md does not name {missing:?}");
    let crates = [
        "patchwire",
        "patchwire-async",
        "patchwire-chat",
        "patchwire-cli",
        "patchwire-sources",
        "patchwire-views",
        "patchwire-web",
        "patchwire-wire",
        "testkit",
    ];
    let gone: Vec<_> = named
        .iter()
        .filter(|name| !modules.contains(*name) && !crates.contains(&&***name))
        .collect();
    assert!(gone.is_empty(), "ARCHITECTURE.md names {gone:?}, which are not there");
}

#[test]
fn no_file_is_too_long_to_read() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    for file in files {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= 600, "{} has {lines} lines", file.display());
    }
}
