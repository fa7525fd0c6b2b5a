//! Pairs (input, expected value) from the tests of libraries that repair JSON, and how often a reader gives the
//! expected value. `suites/extract.py` makes the pairs from clones of those libraries.

use std::collections::BTreeMap;
use std::io;

use serde::Deserialize;
use serde_json::Value;

/// The suite of json_repair, and the port of it.
pub const OF_JSON_REPAIR: [&str; 2] = ["json_repair", "fantasy"];

/// The suite of the npm package.
pub const OF_JSONREPAIR: [&str; 1] = ["jsonrepair"];

/// An input, and what the tests of a library expect of it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Pair {
    /// The library.
    pub suite: String,
    /// The text to read.
    pub input: String,
    /// The value that it is expected to mean.
    pub expected: Value,
}

impl Pair {
    /// Whether the expected value is an object or a list.
    #[must_use]
    pub fn is_container(&self) -> bool {
        self.expected.is_object() || self.expected.is_array()
    }
}

/// Reads pairs, one a line.
///
/// # Errors
/// A line that is no pair.
pub fn read(text: &str) -> io::Result<Vec<Pair>> {
    text.lines().map(|line| serde_json::from_str(line).map_err(io::Error::from)).collect()
}

/// How a value compares with the expected one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// The reader gives the expected value.
    Same,
    /// The reader gives another value.
    Other,
    /// The reader gives no value.
    Refused,
}

impl Likeness {
    /// The verdict about what a reader gives.
    #[must_use]
    pub fn of(given: Option<&Value>, expected: &Value) -> Self {
        match given {
            None => Self::Refused,
            Some(given) if same(given, expected) => Self::Same,
            Some(_) => Self::Other,
        }
    }
}

/// Whether two values mean the same: numbers by what they count, members in any order.
#[must_use]
pub fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            left == right || left.as_f64() == right.as_f64()
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let is_same = |(key, value): (&String, &Value)| {
                right.get(key).is_some_and(|other| same(value, other))
            };
            left.len() == right.len() && left.iter().all(is_same)
        }
        _ => left == right,
    }
}

/// The numbers of verdicts.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Times the reader gives the expected value.
    pub same: usize,
    /// Times it gives another one.
    pub other: usize,
    /// Times it gives none.
    pub refused: usize,
}

impl Tally {
    /// Counts a verdict.
    pub fn add(&mut self, verdict: Likeness) {
        match verdict {
            Likeness::Same => self.same += 1,
            Likeness::Other => self.other += 1,
            Likeness::Refused => self.refused += 1,
        }
    }

    /// How many verdicts there are.
    #[must_use]
    pub fn all(&self) -> usize {
        self.same + self.other + self.refused
    }
}

/// A pair, and what a reader gives for its input.
pub type Given<'a> = (&'a Pair, Option<&'a Value>);

/// Counts the verdicts of one reader about pairs.
#[must_use]
pub fn by_pair(pairs: &[Given<'_>]) -> Tally {
    let mut tally = Tally::default();
    pairs.iter().for_each(|(pair, given)| tally.add(Likeness::of(*given, &pair.expected)));
    tally
}

/// Counts the verdicts about inputs, each once. Where suites expect several values of one input, each of them
/// is right.
#[must_use]
pub fn by_input(pairs: &[Given<'_>]) -> Tally {
    let mut verdicts: BTreeMap<&str, Likeness> = BTreeMap::new();
    for (pair, given) in pairs {
        let verdict = Likeness::of(*given, &pair.expected);
        let kept = verdicts.entry(&pair.input).or_insert(verdict);
        if verdict == Likeness::Same {
            *kept = verdict;
        }
    }
    let mut tally = Tally::default();
    verdicts.into_values().for_each(|verdict| tally.add(verdict));
    tally
}
