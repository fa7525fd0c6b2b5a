//! The documentation in order: every page is in the book, every link leads somewhere, every code block is
//! tested.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Links to files of the repository are absolute in the book, which holds `docs/` alone.
const REPOSITORY: &str = "https://github.com/patchwire/patchwire/blob/main/";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every Markdown page: those at the root, those of the book, the README of each crate.
fn pages() -> Vec<PathBuf> {
    let in_folder = |folder: PathBuf| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.extension().is_some_and(|it| it == "md")).collect()
    };
    let mut pages = in_folder(root());
    pages.extend(in_folder(root().join("docs")));
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        pages.extend(in_folder(entry.unwrap().path()));
    }
    pages.push(root().join("benches/RESULTS.md"));
    pages.sort();
    pages
}

/// The lines of a page that are no code, and its code blocks with their languages.
fn split(page: &Path) -> (Vec<String>, Vec<(String, String)>) {
    let (mut prose, mut blocks) = (Vec::new(), Vec::new());
    let mut fence: Option<(String, String, String)> = None;
    for line in fs::read_to_string(page).unwrap().lines() {
        let ticks: String = line.trim_start().chars().take_while(|&it| it == '`').collect();
        match &mut fence {
            Some((open, ..)) if ticks.len() >= open.len() && line.trim() == ticks => {
                let (_, language, code) = fence.take().unwrap();
                blocks.push((language, code));
            }
            Some((_, _, code)) => {
                code.push_str(line);
                code.push('\n');
            }
            None if ticks.len() >= 3 => {
                let language = line.trim_start()[ticks.len()..].trim().to_owned();
                fence = Some((ticks, language, String::new()));
            }
            None => prose.push(line.to_owned()),
        }
    }
    assert!(fence.is_none(), "{}: a code block is not closed", page.display());
    (prose, blocks)
}

/// The anchors of a page, as GitHub and mdBook make them from headings.
fn anchors(page: &Path) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for line in split(page).0 {
        let Some(title) = line.trim_start_matches('#').strip_prefix(' ') else { continue };
        if !line.starts_with('#') {
            continue;
        }
        let kept = title.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let slug = kept.collect::<String>().to_lowercase().replace(' ', "-");
        let times = seen.entry(slug.clone()).or_default();
        anchors.insert(if *times == 0 { slug } else { format!("{slug}-{times}") });
        *times += 1;
    }
    anchors
}

/// The targets of the links in a line; code spans hold none.
fn links(line: &str) -> Vec<String> {
    let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("code");
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.map(str::to_owned).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut checked = 0;
    for page in pages() {
        for (target, line) in
            split(&page).0.iter().flat_map(|line| links(line).into_iter().map(move |it| (it, line)))
        {
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let file = match path.strip_prefix(REPOSITORY) {
                Some(path) => root().join(path),
                None if path.starts_with("http") => continue,
                None if path.is_empty() => page.clone(),
                None => page.parent().unwrap().join(path),
            };
            let place = format!("{}: {line}", page.display());
            assert!(file.exists(), "{place}\n{} is not there", file.display());
            let inside = file.canonicalize().unwrap().starts_with(root().join("docs"));
            let from_book = page.starts_with(root().join("docs"));
            let absolute = path.starts_with(REPOSITORY);
            assert!(
                !from_book || inside || absolute,
                "{place}\na link out of the book begins with {REPOSITORY}"
            );
            let known = anchor.is_empty() || anchors(&file).contains(anchor);
            assert!(known, "{place}\n{} has no heading #{anchor}", file.display());
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked} links were found");
}

#[test]
fn the_book_has_every_page_once() {
    let docs = root().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let mut listed: Vec<String> = summary.lines().flat_map(links).collect();
    listed.sort();
    let mut there: Vec<String> = fs::read_dir(&docs)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".md") && name != "SUMMARY.md")
        .collect();
    there.sort();
    assert_eq!(listed, there);
}

/// The pages that some crate includes as doctests.
fn doctested_pages() -> BTreeSet<String> {
    let mut folders = vec![root().join("crates")];
    let mut pages = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let included = text.split("#[doc = include_str!(\"").skip(1);
                let files = included.filter_map(|rest| rest.split('"').next());
                pages.extend(files.filter_map(|file| Some(file.rsplit_once('/')?.1.to_owned())));
            }
        }
    }
    pages
}

/// The tests that run what the console blocks of pages show.
fn tests_of_pages() -> String {
    let tests = ["crates/patchwire-cli/tests/docs.rs", "crates/patchwire-web/tests/docs.rs"];
    tests.map(|test| fs::read_to_string(root().join(test)).unwrap()).concat()
}

#[test]
fn every_code_block_of_the_book_is_tested() {
    let run = tests_of_pages();
    let compiled = doctested_pages();
    for page in pages().into_iter().filter(|page| page.starts_with(root().join("docs"))) {
        let name = page.file_name().unwrap().to_str().unwrap();
        for (language, code) in split(&page).1 {
            let tested = match &*language {
                "rust" => compiled.contains(name),
                "console" => run.contains(name),
                // Inputs and outputs: data that no tool runs.
                "text" | "json" | "ndjson" | "yaml" | "toml" | "markdown" | "xml" | "js" | "sh"
                | "html" | "python" | "http" => true,
                _ => panic!("{name}: no language, or an unknown one: {language:?}\n{code}"),
            };
            assert!(tested, "{name}: nothing tests this {language} block:\n{code}");
        }
    }
}
