//! Texts with slips and the values that they mean.

mod bounds;
mod minimal;
mod source;

use super::{SearchOptions, search};

/// The value of the first root, as JSON.
fn value(text: &str) -> String {
    let start = text.find(['{', '[', '(']).unwrap_or(0);
    let found = search(text, start, SearchOptions::default());
    found.best().map_or_else(String::new, |read| read.roots[0].document.value().to_string())
}

/// Checks a table of inputs and values, and names all rows that are wrong.
fn check(cases: &[(&str, &str)]) {
    let wrong = cases.iter().filter_map(|(input, wanted)| {
        let read = value(input);
        (read != *wanted).then(|| format!("{input}\n  wanted {wanted}\n  read   {read}\n"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
