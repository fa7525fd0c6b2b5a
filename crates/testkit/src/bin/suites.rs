//! How often inputs of public tests mean what those tests expect, beside the libraries json_repair and
//! jsonrepair.
//!
//! ```text
//! python3 crates/testkit/suites/extract.py FOLDER > pairs.ndjson
//! cargo run -p testkit --bin suites -- pairs.ndjson [--show]
//! ```
//!
//! FOLDER contains clones of the libraries; `extract.py` says which. The peers' columns need the packages: `python3`
//! with `json_repair`, `node` with `jsonrepair` in `node_modules` or `NODE_PATH`. `--show` prints the pairs of
//! which patchwire gives another value or none.

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::Value;
use testkit::public_suites::{
    Given, Likeness, OF_JSON_REPAIR, OF_JSONREPAIR, Pair, Tally, by_input, by_pair, read,
};
use testkit::readers;

fn main() -> io::Result<ExitCode> {
    let (mut file, mut shows) = (None, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--show" => shows = true,
            _ => file = Some(argument),
        }
    }
    let mut out = io::stdout().lock();
    let Some(file) = file else {
        writeln!(out, "name a file of pairs; crates/testkit/suites/extract.py makes one")?;
        return Ok(ExitCode::FAILURE);
    };
    let pairs = read(&std::fs::read_to_string(file)?)?;
    let columns = columns(&pairs)?;
    if shows {
        show(&mut out, &pairs, &columns)?;
    }
    Table { pairs: &pairs, columns: &columns }.print(&mut out)?;
    Ok(ExitCode::SUCCESS)
}

/// What one reader gives for each pair.
struct Column {
    name: &'static str,
    /// The suites that are its own.
    own: &'static [&'static str],
    given: Vec<Option<Value>>,
}

impl Column {
    fn verdict(&self, at: usize, pair: &Pair) -> Likeness {
        Likeness::of(self.given[at].as_ref(), &pair.expected)
    }
}

/// Patchwire, and the peers that are installed.
fn columns(pairs: &[Pair]) -> io::Result<Vec<Column>> {
    let mut errors = io::stderr().lock();
    let texts: Vec<&str> = pairs.iter().map(|pair| pair.input.as_str()).collect();
    let given = texts.iter().map(|text| readers::patchwire(text)).collect();
    let mut columns = vec![Column { name: "patchwire", own: &[], given }];
    match readers::json_repair(&texts) {
        Some(given) => columns.push(Column { name: "json_repair", own: &OF_JSON_REPAIR, given }),
        None => writeln!(errors, "python3 does not have json_repair: its column is left out")?,
    }
    match readers::jsonrepair(&texts) {
        Some(given) => columns.push(Column { name: "jsonrepair", own: &OF_JSONREPAIR, given }),
        None => writeln!(errors, "node does not find jsonrepair: its column is left out")?,
    }
    Ok(columns)
}

fn show(out: &mut impl Write, pairs: &[Pair], columns: &[Column]) -> io::Result<()> {
    for (at, pair) in pairs.iter().enumerate() {
        if columns[0].verdict(at, pair) == Likeness::Same {
            continue;
        }
        let verdicts: Vec<String> = columns
            .iter()
            .map(|column| format!("{} {:?}", column.name, column.verdict(at, pair)))
            .collect();
        writeln!(out, "--- {}: {}", pair.suite, verdicts.join(", "))?;
        writeln!(out, "input    {}", Value::from(pair.input.as_str()))?;
        writeln!(out, "expected {}", pair.expected)?;
        match &columns[0].given[at] {
            Some(given) => writeln!(out, "got      {given}")?,
            None => writeln!(out, "got      nothing")?,
        }
    }
    Ok(())
}

/// Pairs, and what each reader gives for them.
struct Table<'a> {
    pairs: &'a [Pair],
    columns: &'a [Column],
}

impl Table<'_> {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "Same value / another value / none; * is the reader's own suite.\n")?;
        write!(out, "{:<44} {:>5}", "suite", "pairs")?;
        for column in self.columns {
            write!(out, "   {:>22}", column.name)?;
        }
        writeln!(out)?;
        let mut suites: Vec<&str> = self.pairs.iter().map(|pair| pair.suite.as_str()).collect();
        suites.dedup();
        for suite in suites {
            self.row(out, suite, by_pair, |pair| pair.suite == suite)?;
        }
        self.row(out, "all", by_pair, |_| true)?;
        writeln!(out, "\nEach input once, expected an object or a list:\n")?;
        let sets: [(&str, &[&str]); 4] = [
            ("all", &[]),
            ("outside json_repair and fantasy, its port", &OF_JSON_REPAIR),
            ("outside jsonrepair", &OF_JSONREPAIR),
            ("outside all three", &[OF_JSON_REPAIR[0], OF_JSON_REPAIR[1], OF_JSONREPAIR[0]]),
        ];
        for (name, left_out) in sets {
            let is_in =
                |pair: &Pair| pair.is_container() && !left_out.contains(&pair.suite.as_str());
            self.row(out, name, by_input, is_in)?;
        }
        Ok(())
    }

    /// Prints the counts of some pairs for each reader.
    fn row(
        &self,
        out: &mut impl Write,
        name: &str,
        count: fn(&[Given<'_>]) -> Tally,
        is_in: impl Fn(&Pair) -> bool,
    ) -> io::Result<()> {
        for (at, column) in self.columns.iter().enumerate() {
            let given = column.given.iter().map(Option::as_ref);
            let chosen = self.pairs.iter().zip(given).filter(|(pair, _)| is_in(pair));
            let tally = count(&chosen.collect::<Vec<_>>());
            if at == 0 {
                write!(out, "{name:<44} {:>5}", tally.all())?;
            }
            let mark = if column.own.contains(&name) { "*" } else { "" };
            write!(out, "   {:>22}", format!("{mark}{}", counts(tally)))?;
        }
        writeln!(out)
    }
}

fn counts(tally: Tally) -> String {
    let Tally { same, other, refused } = tally;
    let part = 100.0 * same as f64 / tally.all().max(1) as f64;
    format!("{same}/{other}/{refused} {part:5.1} %")
}
