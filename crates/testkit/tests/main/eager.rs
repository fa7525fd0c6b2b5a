//! L4: exhaustively over small alphabets, and byte by byte.

use testkit::eager::{Alphabet, check};
use testkit::reading_modes::{self, ReadingMode};

fn eager(setup: &str, start: &str, symbols: &[&str], most: usize) {
    let setups = reading_modes::all();
    let setup = setups.iter().find(|found| found.name == setup).expect("a setup of that name");
    walk(setup, start, symbols, most);
}

/// With look-ahead that ends after two, three and four bytes: at its cap everything is decided. With windows
/// over shorter inputs.
fn capped(start: &str, symbols: &[&str], most: usize) {
    for bytes in 2..=4 {
        walk(&reading_modes::capped_without_windows(bytes), start, symbols, most);
        walk(&reading_modes::capped(bytes), start, symbols, most.min(5));
    }
}

fn walk(setup: &ReadingMode, start: &str, symbols: &[&str], most: usize) {
    match check(&setup.spec, Alphabet { start, symbols, most }) {
        Ok(explored) => assert!(explored.inputs > symbols.len(), "{explored:?}"),
        Err(why) => panic!("{}, from {start:?}: {why}", setup.name),
    }
}

/// Without windows over all inputs up to a length, and with them over shorter ones.
fn quotes(start: &str, symbols: &[&str], (most, in_windows): (usize, usize)) {
    eager("without_windows", start, symbols, most);
    eager("lenient", start, symbols, in_windows);
}

#[test]
fn strings_and_what_may_follow_their_quote() {
    let symbols = ["\"", ",", ":", " ", "}", "x", "\\"];
    quotes("{\"a\":\"", &symbols, (8, 5));
    quotes("{\"a\":[\"", &symbols, (8, 5));
    quotes("[\"", &symbols, (8, 5));
    eager("schema", "{\"title\":\"", &symbols, 5);
    eager("few_slips", "{\"a\":\"", &symbols, 6);
    eager("strict", "{\"a\":\"", &symbols, 12);
}

#[test]
fn escapes() {
    let symbols = ["\\", "u", "d", "8", "3", "\"", "c"];
    quotes("{\"a\":\"", &symbols, (7, 5));
    quotes("{\"a\":\"\\ud8", &symbols, (7, 5));
    quotes("{\"a\":\"\\ud83d\\u", &symbols, (5, 5));
    eager("strict", "{\"a\":\"", &symbols, 12);
}

#[test]
fn other_quotes() {
    quotes("{\"a\":'", &["'", ",", ":", " ", "}", "x", "\\"], (6, 5));
    quotes("{\"a\":“", &["“", "”", "\"", " ", ",", "x"], (8, 5));
    quotes("{\"a\":\"\"\"", &["\"", ",", ":", " ", "}", "x", "\\"], (7, 5));
    quotes("{\"a\":\"", &["\"", "+", " ", "'", "x", "/", "#"], (6, 5));
    quotes("{\"a\":`", &["`", ",", ":", " ", "\"", "x"], (6, 5));
    quotes("{\"\"a\"\":\"", &["\"", ",", ":", " ", "}", "x"], (7, 5));
    quotes("{\"a\":```", &["`", "\n", ",", " ", "\"", "x"], (6, 5));
    quotes("{\"a\":```\nx", &["`", "\n", ",", " ", "}", "x"], (7, 5));
    capped("{\"a\":```", &["`", "\n", ",", " ", "x"], 7);
}

#[test]
fn text_without_quotes() {
    eager("lenient", "{\"a\":h", &[" ", ",", "x", "\"", "\n", "}", "/"], 7);
    eager("lenient", "[h", &[" ", ",", "x", "\"", "\n", "]", "1"], 6);
    eager("lenient", "{a", &["\"", ":", "b", " ", "}"], 8);
}

#[test]
fn markers() {
    let symbols = ["<", "t", ">", "/", "h", "N"];
    eager("tiny_tags", "", &symbols, 8);
    eager("tiny_tags", "<t>", &symbols, 8);
    eager("tiny_tags", "<<N", &symbols, 8);
    eager("lenient", "<think", &["<", "/", "think", ">", "x"], 12);
}

#[test]
fn brackets_in_prose() {
    let symbols = ["{", "\"", "a", ":", " ", "}", "["];
    eager("lenient", "", &symbols, 6);
    eager("lenient", "a", &symbols, 6);
    eager("schema", "a", &symbols, 5);
}

#[test]
fn fence_lines() {
    let symbols = ["`", "\n", " ", "x", "{", "}", "json"];
    for start in
        ["", "{\"a\":1}", "```\n", "```json\n{\"a\":1}", "```json\n{\"a\":1}\n", "~~~x\n", "```x "]
    {
        eager("lenient", start, &symbols, 6);
        eager("first", start, &symbols, 5);
    }
}

#[test]
fn look_ahead_at_its_caps() {
    let symbols = ["\"", ",", ":", " ", "}", "x", "\n"];
    capped("{\"a\":\"", &symbols, 7);
    capped("{\"a\":[\"", &symbols, 7);
    capped("[\"", &symbols, 6);
    capped("{\"", &symbols, 6);
    capped("{\"a\":1 ", &symbols, 6);
    capped("[1 ", &["\"", "t", "r", "u", "e", " ", ","], 7);
    capped("{\"a\":\"x", &["\"", "+", "/", "*", "#", " ", "'"], 7);
    capped("{\"a\":h", &[" ", ",", "x", "\"", "\n", "}", "/"], 6);
}

#[test]
fn brackets_and_fences_at_their_caps() {
    let symbols = ["{", "\"", "a", ":", " ", "}", "["];
    capped("", &symbols, 6);
    capped("a", &symbols, 6);
    capped("a\n", &symbols, 6);
    let symbols = ["`", "\n", " ", "x", "{", "}", "json"];
    for start in ["", "```", "{\"a\":1}", "```json\n{\"a\":1}"] {
        capped(start, &symbols, 6);
    }
}

#[test]
fn brackets_at_their_caps_with_a_schema() {
    let symbols = ["{", "\"", "a", ":", " ", "}", "["];
    for start in ["", "a", "a\n"] {
        eager("capped_schema", start, &symbols, 5);
    }
}
