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

/// The top-level modules that each top-level module of a crate imports.
fn imports(name: &str) -> BTreeMap<String, BTreeSet<String>> {
    let root = crates().join(name).join("src");
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
        let mut named = imported(&code(&file));
        named.remove(&module);
        graph.entry(module).or_default().append(&mut named);
    }
    graph
}

/// The modules that code names after `crate::`, alone or in braces.
fn imported(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in code.split("crate::").skip(1) {
        match path.strip_prefix('{') {
            None => found.extend(module_name(path)),
            Some(group) => {
                let mut depth = 0_usize;
                for part in group.split_inclusive([',', '{', '}']) {
                    if depth == 0 {
                        found.extend(module_name(part.trim_start()));
                    }
                    match part.chars().last() {
                        Some('{') => depth += 1,
                        Some('}') if depth == 0 => break,
                        Some('}') => depth -= 1,
                        _ => {}
                    }
                }
            }
        }
    }
    found
}

/// The module that a path begins with; none if it begins with a type or a constant.
fn module_name(path: &str) -> Option<String> {
    let end = path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
    let name = &path[..end];
    name.chars().next().is_some_and(char::is_lowercase).then(|| name.to_owned())
}

/// The modules that remain after all modules without imports are taken away, again and again: the
/// circles, and whatever imports one.
fn in_circles(mut graph: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    loop {
        let left: BTreeSet<String> = graph.keys().cloned().collect();
        graph.values_mut().for_each(|named| named.retain(|name| left.contains(name)));
        graph.retain(|_, named| !named.is_empty());
        if graph.len() == left.len() {
            return graph;
        }
    }
}

/// The first cells of the tables of ARCHITECTURE.md, in order.
fn rows() -> Vec<String> {
    let page = fs::read_to_string(crates().join("../ARCHITECTURE.md")).unwrap();
    let cells = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    cells.map(str::to_owned).collect()
}

#[test]
fn modules_import_only_from_rows_above_their_own() {
    let graph = imports("patchwire");
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
fn no_crate_has_a_circle_of_modules() {
    let crates = crate_sources().into_iter().filter(|(_, files)| {
        files.iter().any(|file| file.ends_with("src/lib.rs") || file.ends_with("src/main.rs"))
    });
    let mut checked = 0;
    for (name, _) in crates {
        let circles = in_circles(imports(&name));
        assert!(circles.is_empty(), "{name} has modules that import each other: {circles:#?}");
        checked += 1;
    }
    assert!(checked > 8, "the crates were not found");
}

#[test]
fn a_circle_of_modules_is_found() {
    let graph = |edges: &[(&str, &str)]| {
        let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (module, code) in edges {
            graph.insert((*module).to_owned(), imported(code));
        }
        in_circles(graph)
    };
    let chain = [("a", "use crate::b::B;"), ("b", "use crate::{c::{C, d}, e};"), ("e", "")];
    assert!(graph(&chain).is_empty());
    let circle = [chain[0], chain[1], ("e", "use crate::{Top, a::A};")];
    assert_eq!(graph(&circle).len(), 3);
}

#[test]
fn the_map_names_every_module_and_crate_and_no_other() {
    let modules: BTreeSet<String> = imports("patchwire").into_keys().collect();
    let crates: BTreeSet<String> = crate_sources().into_keys().collect();
    let named: BTreeSet<String> = rows().into_iter().collect();
    let missing: Vec<_> =
        modules.union(&crates).filter(|name| !named.contains(*name)).cloned().collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md does not name {missing:?}");
}

/// A provider of TLS that compiles a large C library would cost every first build of the chat minutes.
#[test]
fn nothing_builds_the_large_c_library_of_tls() {
    let lock = fs::read_to_string(crates().join("../Cargo.lock")).unwrap();
    assert!(lock.contains("name = \"ring\"\n"), "the lock file was not read");
    for package in ["aws-lc-sys", "openssl-sys", "cmake"] {
        assert!(!lock.contains(&format!("name = \"{package}\"\n")), "{package} is built");
    }
}

#[test]
fn no_file_is_too_long_to_read() {
    for file in crate_sources().into_values().flatten() {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", file.display());
    }
}

/// Machines whose methods stand in one file for each area of a grammar. Their fields are parts with files of
/// their own.
const GRAMMARS: [&str; 2] = ["JsonLexer", "RepairMachine"];

/// Most files with methods of one type: in more, nobody sees who writes a field.
const MOST_IMPL_FILES: usize = 3;

/// The type of a line that begins a block of its own methods.
fn implemented_type(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("impl")?;
    let is_own = rest.ends_with('{') && !rest.contains(" for ");
    let rest = if rest.starts_with('<') { rest.split_once("> ")?.1 } else { rest };
    let name = rest.trim_start().split(['<', ' ']).next()?;
    (is_own && !name.is_empty()).then_some(name)
}

#[test]
fn no_type_of_the_engine_has_its_methods_in_many_files() {
    let root = crates().join("patchwire").join("src");
    let files = &crate_sources()["patchwire"];
    // Private types of two rooms may have one name.
    let mut found: BTreeMap<(&Path, String), BTreeSet<&Path>> = BTreeMap::new();
    for file in files {
        let room = file.strip_prefix(&root).unwrap().iter().next().unwrap();
        for line in code(file).lines() {
            if let Some(of) = implemented_type(line) {
                found.entry((Path::new(room), of.to_owned())).or_default().insert(file);
            }
        }
    }
    assert!(found.len() > 200, "no methods were found");
    for ((_, of), files) in found {
        let many = files.len() > MOST_IMPL_FILES && !GRAMMARS.contains(&of.as_str());
        assert!(!many, "the methods of {of} are in {files:#?}");
    }
}

#[test]
fn a_block_of_methods_is_found() {
    for (line, of) in [
        ("impl Parser {", Some("Parser")),
        ("impl<'a> ValueRef<'a> {", Some("ValueRef")),
        ("impl Reader<'_> {", Some("Reader")),
        ("impl<R: Flow, F> PatchSink<'_, F> {", Some("PatchSink")),
        ("impl Serialize for ValueRef<'_> {", None),
        ("    impl Parser {", None),
    ] {
        assert_eq!(implemented_type(line), of, "{line}");
    }
}

/// The text up to the bracket that closes the one before it.
fn up_to_closer(text: &str) -> &str {
    let mut depth = 1;
    let end = text.find(|char| {
        match char {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    &text[..end.unwrap_or(text.len())]
}

/// The functions that take a tuple as argument.
fn functions_with_tuples(code: &str) -> Vec<&str> {
    let starts = code.match_indices("fn ").map(|(at, _)| &code[at + 3..]);
    let functions = starts.filter_map(|text| {
        let is_name = |char: char| char.is_alphanumeric() || char == '_';
        let name = &text[..text.find(|char| !is_name(char))?];
        let arguments = up_to_closer(text.split_once('(')?.1);
        let has_tuple = [": (", ": &(", ": &mut ("].iter().any(|it| arguments.contains(it));
        (!name.is_empty() && has_tuple).then_some(name)
    });
    functions.collect()
}

#[test]
fn no_function_of_the_engine_takes_a_tuple() {
    for file in &crate_sources()["patchwire"] {
        let code = code(file);
        let found = functions_with_tuples(&code);
        assert!(found.is_empty(), "{}: {found:?} take a struct without a name", file.display());
    }
}

#[test]
fn a_tuple_as_argument_is_found() {
    let code = "fn one((a, b): (u8, u8)) {}\nfn two(a: u8, f: impl Fn(&str) -> (u8, u8)) {}\n\
                fn three(\n    a: &(u8, u8),\n) {\n    let b: (u8, u8) = *a;\n}\nfn four() {}";
    assert_eq!(functions_with_tuples(code), ["one", "three"]);
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
