//! How rows ended, and the line that shows it.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, StructArray};
use patchwire_arrow::STOPPED;

use crate::outcome_order::OUTCOMES;

/// Counts of rows by how they ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RowCounts {
    pub(crate) rows: u64,
    nulls: u64,
    /// Rows with at least one failed check.
    failures: u64,
    outcomes: BTreeMap<String, u64>,
}

impl RowCounts {
    /// Counts the rows of a result.
    pub(crate) fn add(&mut self, answers: &StructArray) {
        self.rows += answers.len() as u64;
        self.nulls += answers.null_count() as u64;
        if let Some(outcomes) = answers.column_by_name("outcome") {
            for outcome in outcomes.as_string::<i32>().iter().flatten() {
                match self.outcomes.get_mut(outcome) {
                    Some(count) => *count += 1,
                    None => _ = self.outcomes.insert(outcome.to_owned(), 1),
                }
            }
        }
        if let Some(failures) = answers.column_by_name("failures") {
            let lengths = failures.as_list::<i32>().offsets().lengths();
            self.failures += lengths.filter(|length| *length > 0).count() as u64;
        }
    }

    /// How many rows are read in a second, in words.
    pub(crate) fn rate(&self, time: Duration) -> String {
        format!(
            "{} rows a second",
            grouped((self.rows as f64 / time.as_secs_f64().max(1e-6)) as u64)
        )
    }
}

/// `9 complete, 2 repaired; 1 null; 3 with failures`
impl fmt::Display for RowCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = OUTCOMES.iter().map(|outcome| outcome.name()).chain([STOPPED]);
        let mut before = "";
        for outcome in known {
            if let Some(count) = self.outcomes.get(outcome) {
                write!(f, "{before}{} {}", grouped(*count), outcome.replace('_', " "))?;
                before = ", ";
            }
        }
        for (count, what) in [(self.nulls, "null"), (self.failures, "with failures")] {
            if count > 0 {
                let before = if before.is_empty() { "" } else { "; " };
                write!(f, "{before}{} {what}", grouped(count))?;
            }
        }
        Ok(())
    }
}

/// A number with commas between thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The width of the bar.
const BAR: usize = 16;

/// A bar that is filled up to a share from 0 to 1.
pub(crate) fn bar(share: f64) -> String {
    let filled = ((share.clamp(0.0, 1.0) * BAR as f64) as usize).min(BAR);
    format!("{}{}", "━".repeat(filled), "·".repeat(BAR - filled))
}

#[cfg(test)]
mod tests {
    use super::{bar, grouped};

    #[test]
    fn numbers_have_commas() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (12_345_678, "12,345,678")]
        {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn a_bar_fills() {
        assert_eq!(bar(0.0), "·".repeat(16));
        assert_eq!(bar(0.5), format!("{}{}", "━".repeat(8), "·".repeat(8)));
        assert_eq!(bar(7.0), "━".repeat(16));
    }
}
