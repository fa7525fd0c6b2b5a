//! Texts with slips and the values that they mean.

mod bounds;
mod minimal;
mod source;

use super::{SearchOptions, reading_of, search};
use crate::document::sample::document;

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

/// An odd number of quotes inside a string costs more than the next even one, however many there are.
#[test]
fn quotes_inside_a_string_of_an_escaped_document_are_counted_in_pairs() {
    let cost = |count: usize| {
        let text = format!("[\\\"{}\\\"]", "\\\"a".repeat(count));
        let value = document(&format!("[\"{}\"]", "\\\"a".repeat(count)));
        let read = reading_of(&text, value.value(), SearchOptions::default());
        read.expect("a reading of this value").cost
    };
    for count in 5..12 {
        assert_eq!(cost(count + 2), cost(count) + 2 * 28, "{count}");
    }
    assert_eq!(cost(7), cost(8) + 60 - 28);
}
