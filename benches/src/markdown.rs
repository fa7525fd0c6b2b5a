//! Tables of Markdown that also read well as they are.

use core::fmt;

/// A table; the first column is words, the others are figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    #[must_use]
    pub fn new<S: Into<String>>(head: impl IntoIterator<Item = S>) -> Self {
        Self { head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row. Cells that are missing are empty.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let mut row: Vec<String> = cells.into_iter().map(Into::into).collect();
        row.resize(self.head.len(), String::new());
        self.rows.push(row);
    }

    fn widths(&self) -> Vec<usize> {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| &row[column]);
            cells.chain([&self.head[column]]).map(|cell| cell.chars().count()).max()
        };
        (0..self.head.len()).map(|column| width(column).unwrap_or(0).max(3)).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        line(f, &self.head, &widths)?;
        for (column, width) in widths.iter().enumerate() {
            if column == 0 {
                write!(f, "|{:-<1$}", "", width + 2)?;
            } else {
                write!(f, "|{:-<1$}:", "", width + 1)?;
            }
        }
        writeln!(f, "|")?;
        self.rows.iter().try_for_each(|row| line(f, row, &widths))
    }
}

fn line(f: &mut fmt::Formatter<'_>, cells: &[String], widths: &[usize]) -> fmt::Result {
    for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
        if column == 0 {
            write!(f, "| {cell:<width$} ")?;
        } else {
            write!(f, "| {cell:>width$} ")?;
        }
    }
    writeln!(f, "|")
}

/// A figure with three digits that matter: `0.123`, `4.57`, `31.4`, `286`, `15,300`.
#[must_use]
pub fn figure(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        value if value < 0.0005 => "< 0.001".to_owned(),
        value if value < 1.0 => format!("{value:.3}"),
        value if value < 9.995 => format!("{value:.2}"),
        value if value < 99.95 => format!("{value:.1}"),
        value => grouped(value.round() as u64),
    }
}

/// A whole number with a comma after each three digits.
#[must_use]
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Table, figure, grouped};

    #[test]
    fn a_table_is_aligned() {
        let mut table = Table::new(["reader", "ns"]);
        table.row(["one", "1.00"]);
        table.row(["another", "–"]);
        let lines = [
            "| reader  |   ns |",
            "|---------|-----:|",
            "| one     | 1.00 |",
            "| another |    – |",
            "",
        ];
        assert_eq!(table.to_string(), lines.join("\n"));
    }

    #[test]
    fn figures_have_three_digits() {
        let shown = [0.0, 1e-5, 0.1234, 4.567, 9.999, 31.44, 99.96, 285.6, 15_300.2].map(figure);
        assert_eq!(
            shown,
            ["0", "< 0.001", "0.123", "4.57", "10.0", "31.4", "100", "286", "15,300"]
        );
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
