//! What code makes of many inputs that a seed chooses, as numbers in files. The numbers say nothing about right and wrong. They
//! say that something is no longer what it was: a change that is meant writes them again with `BLESS=1`, and its commit shows
//! how many changed. `SHOW="passed/openai 12"` prints what stands behind the numbers of a line.
//!
//! The tests of several crates include this file.
#![allow(dead_code, reason = "each crate uses some of it")]

#[path = "../../patchwire/tests/fingerprints/damage.rs"]
mod damage;
#[path = "../../patchwire/tests/fingerprints/numbers.rs"]
mod numbers;

use std::fmt::Write as _;
use std::path::Path;

use numbers::{compare_readings, fnv};
use serde_json::{Value as Json, json};

/// The numbers of a seed.
pub(crate) struct Random(damage::Random);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(damage::Random::new(seed))
    }

    /// A number below a bound that is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    /// Whether one of so many cases is here.
    pub(crate) fn one_of(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        self.0.pick(from)
    }

    /// A copy of a text with slips.
    pub(crate) fn damaged(&mut self, text: &[u8]) -> Vec<u8> {
        damage::damaged(text, &mut self.0)
    }

    /// The text in pieces of up to so many characters.
    pub(crate) fn pieces(&mut self, text: &str, most: usize) -> Vec<String> {
        let mut rest: Vec<char> = text.chars().collect();
        let mut pieces = Vec::new();
        while !rest.is_empty() {
            let end = (1 + self.below(most)).min(rest.len());
            pieces.push(rest.drain(..end).collect());
        }
        pieces
    }

    /// The bytes in pieces of up to so many.
    pub(crate) fn chunks(&mut self, bytes: &[u8], most: usize) -> Vec<Vec<u8>> {
        let mut rest = bytes;
        let mut chunks = Vec::new();
        while !rest.is_empty() {
            let (chunk, behind) = rest.split_at((1 + self.below(most)).min(rest.len()));
            chunks.push(chunk.to_vec());
            rest = behind;
        }
        chunks
    }
}

/// How many numbers stand in a line.
const NUMBERS: u64 = 16;

/// Compares so many lines of what comes of a seed with the numbers in a file.
pub(crate) fn compare(file: &str, lines: u64, mut read: impl FnMut(&mut Random) -> String) {
    let seed = fnv(file.as_bytes());
    let mut line = |line: u64| {
        let cases = (line * NUMBERS..(line + 1) * NUMBERS)
            .map(|case| read(&mut Random::new(seed.wrapping_add(case.rotate_left(32)))));
        (format!("{file} {line}"), cases.collect())
    };
    compare_readings(file, (0..lines).map(&mut line).collect());
}

/// Compares one text with a text in a file, line by line: for texts of which one reads what changed.
pub(crate) fn compare_text(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fingerprints")
        .join(format!("{}.txt", file.replace(['/', ' '], "-")));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, text).unwrap();
        return;
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let known: Vec<&str> = known.lines().collect();
    let found: Vec<&str> = text.lines().collect();
    assert_eq!(found, known, "{file} is not what it was");
}

/// How JSON is written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Style {
    Compact,
    /// With blanks wherever they may be.
    Blanks,
    /// On several lines.
    Lines,
}

/// JSON in a style. In some styles a name is written with an escape, or a member comes twice.
pub(crate) fn written(value: &Json, style: Style, random: &mut Random) -> String {
    let mut out = String::new();
    write_value(value, style, random, &mut out);
    out
}

fn write_value(value: &Json, style: Style, random: &mut Random, out: &mut String) {
    let blank = match style {
        Style::Compact => "",
        Style::Blanks => " ",
        Style::Lines => "\n ",
    };
    match value {
        Json::Object(members) => {
            out.push('{');
            for (at, (name, value)) in members.iter().enumerate() {
                out.push_str(if at == 0 { blank } else { "," });
                if !matches!(style, Style::Compact) && random.one_of(24) {
                    write!(out, "{blank}\"{name}\":null,").unwrap();
                }
                let name = match name.chars().next() {
                    Some(first) if random.one_of(40) => {
                        format!("\\u{:04x}{}", u32::from(first), &name[first.len_utf8()..])
                    }
                    _ => name.clone(),
                };
                write!(out, "{blank}\"{name}\"{blank}:").unwrap();
                write_value(value, style, random, out);
            }
            write!(out, "{blank}}}").unwrap();
        }
        Json::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { blank } else { "," });
                write_value(item, style, random, out);
            }
            write!(out, "{blank}]").unwrap();
        }
        value => write!(out, "{blank}{value}").unwrap(),
    }
}

/// Changes JSON in one place: a member is missing, has another name or comes in addition, an item is missing or comes twice, a
/// value has another type.
pub(crate) fn slip(value: &mut Json, names: &[&str], random: &mut Random) {
    let mut at = random.below(count(value));
    change(value, &mut at, names, random);
}

fn count(value: &Json) -> usize {
    let inner: usize = match value {
        Json::Object(members) => members.values().map(count).sum(),
        Json::Array(items) => items.iter().map(count).sum(),
        _ => 0,
    };
    1 + inner
}

/// Changes the value at this place in the order of the text. Whether it is inside.
fn change(value: &mut Json, at: &mut usize, names: &[&str], random: &mut Random) -> bool {
    if *at == 0 {
        change_here(value, names, random);
        return true;
    }
    *at -= 1;
    match value {
        Json::Object(members) => members.values_mut().any(|it| change(it, at, names, random)),
        Json::Array(items) => items.iter_mut().any(|it| change(it, at, names, random)),
        _ => false,
    }
}

fn change_here(value: &mut Json, names: &[&str], random: &mut Random) {
    match value {
        Json::Object(members) if !members.is_empty() && !random.one_of(5) => {
            let name = members.keys().nth(random.below(members.len())).unwrap().clone();
            let other = random.pick(names).to_owned();
            match random.below(4) {
                0 => drop(members.remove(&name)),
                1 => {
                    let moved = members.remove(&name).unwrap();
                    members.insert(other, moved);
                }
                2 => drop(members.insert(other, foreign(random))),
                _ => drop(members.insert(name, foreign(random))),
            }
        }
        Json::Array(items) if !items.is_empty() && !random.one_of(5) => {
            let at = random.below(items.len());
            match random.below(4) {
                0 => drop(items.remove(at)),
                1 => items.insert(at, items[at].clone()),
                2 => items.swap(0, at),
                _ => items.push(foreign(random)),
            }
        }
        value => *value = foreign(random),
    }
}

fn foreign(random: &mut Random) -> Json {
    match random.below(16) {
        0 | 1 => Json::Null,
        2 => json!(true),
        3 => json!(false),
        4 => json!(0),
        5 => json!(1),
        6 => json!(-1),
        7 => json!(127 + random.below(3)),
        8 => json!(1.5),
        9 => json!(""),
        10 => json!("x"),
        11 => json!(" "),
        12 => json!([]),
        13 => json!({}),
        14 => json!([{}, "y"]),
        _ => json!({"type": "text", "text": "é"}),
    }
}
