//! Short texts that are easily misread: marks in random order, and lines of YAML in random order.

use super::Rng;
use super::spoilt::{starts, tokens};
use crate::oracle::fields::Format;

/// A few marks and tokens, inside the delimiters of the format.
pub fn text(rng: &mut Rng, format: Format) -> String {
    let mut text = rng.pick(starts(format)).to_owned();
    for _ in 0..1 + rng.below(12) {
        let from = if rng.once_in(5) { tokens(format) } else { alphabet(format) };
        text.push_str(rng.pick(from));
    }
    if rng.once_in(2) {
        text.push_str(end(format));
    }
    text
}

/// The marks of a format.
#[must_use]
pub const fn alphabet(format: Format) -> &'static [&'static str] {
    match format {
        Format::YamlLiteral => &YAML,
        _ => &OTHER,
    }
}

const fn end(format: Format) -> &'static str {
    match format {
        Format::XmlField => "</field></answer_fields>",
        Format::Hybrid | Format::Markdown => "\n```\n### ab\nx\n",
        Format::YamlLiteral => "\n<<<END ANSWER_YAML>>>\n",
    }
}

const OTHER: [&str; 24] = [
    " ", "\n", "\r\n", "\r", "\t", "x", "\"", "'", "<", ">", "/", "#", "`", "~", "{", "}", "[",
    "]", ":", ",", "1", "é", "\u{feff}", "\u{2028}",
];

const YAML: [&str; 56] = [
    " ", " ", "  ", "    ", "\n", "\n", "\n", "\n\n", "\n ", "\n  ", "\n   ", "\r", "\r\n", "\t",
    "-", "- ", "-\n", ":", ": ", ":\n", "#", " #", "\"", "\"", "'", "'", "\\", "\\\n", "|", ">",
    "|-", ">+", "|2", ">1-", "? ", "&a ", "*a", "!", "!!str ", "[", "]", "{", "}", ",", "x", "y",
    "a", "1", "---", "...", "<<<", "%", "@", "é", "\u{feff}", "\u{85}",
];

/// A document of lines whose indents, beginnings and contents fit only by chance.
pub fn lines(rng: &mut Rng) -> String {
    let eol = rng.pick(&["\n", "\n", "\n", "\n", "\r\n", "\r"]);
    let mut text = String::from("<<<BEGIN ANSWER_YAML>>>");
    text.push_str(eol);
    let mut indent = 0;
    for _ in 0..1 + rng.below(8) {
        let deeper = rng.pick(&[0, 0, 0, 1, 2, 2, 4]);
        indent = if rng.once_in(3) { deeper } else { (indent + deeper).min(8) };
        if rng.once_in(6) {
            indent = 0;
        }
        text.push_str(&" ".repeat(indent));
        if rng.once_in(16) {
            text.push('\t');
        }
        line(rng, &mut text);
        text.push_str(eol);
        if rng.once_in(5) {
            text.push_str(rng.pick(&["", " ", "   ", "\t", "      "]));
            text.push_str(eol);
        }
    }
    if rng.once_in(8) {
        text.pop();
    } else {
        text.push_str("<<<END ANSWER_YAML>>>");
    }
    text
}

/// A line: beginnings, a value, and a tail.
fn line(rng: &mut Rng, text: &mut String) {
    for _ in 0..rng.pick(&[0, 1, 1, 1, 2, 3]) {
        text.push_str(rng.pick(&BEGINNINGS));
    }
    text.push_str(rng.pick(&VALUES));
    if rng.once_in(8) {
        text.push_str(rng.pick(&BEHIND));
    }
}

const BEGINNINGS: [&str; 27] = [
    "a: ", "ab: ", "j: ", "n: ", "k: ", "a: ", "ab: ", "j:", "- ", "- ", "- ", "-   ", "-",
    "k:   ", "\"q\": ", "'q' : ", "k : ", "x y: ", "? ", "- - ", "a:\t", "-\t", "&a ", "&b ", "! ",
    "!t ", "!!str ",
];

const VALUES: [&str; 63] = [
    "",
    "",
    "x",
    "x",
    "y z",
    "1",
    "1.50",
    "-",
    "--",
    "---",
    "...",
    "-x",
    ":x",
    "x:y",
    "?x",
    "?",
    "x#y",
    "#",
    "# c",
    "null",
    "~",
    "true",
    "0x1F",
    ".inf",
    "|",
    ">",
    "|-",
    "|+",
    ">-",
    ">+",
    "|1",
    ">2",
    "|2-",
    "> # c",
    "\"x\"",
    "\"x",
    "x\"",
    "\"x\\",
    "\"\\u00e9\\n\"",
    "'x'",
    "'x",
    "x'",
    "'it''s'",
    "\"\"",
    "''",
    "\"a: b\"",
    "[]",
    "[x, y]",
    "{k: v}",
    "[",
    "]",
    "{",
    "*b",
    "&a",
    "&b",
    "!",
    "!!str",
    "*a",
    "é",
    "\u{2028}x",
    "x\u{feff}",
    "http://x",
    "`x",
];

const BEHIND: [&str; 12] =
    [" ", "  ", "\t", " # c", "# c", ":", ": ", ": x", "\"", "'", " - x", "\\"];
