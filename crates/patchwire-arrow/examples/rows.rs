//! Rows a second of a column: `cargo run --release -p patchwire-arrow --example rows -- FILE [THREADS] [SCHEMA]`.
//!
//! FILE has one JSON string a line, the text of a row. The best of five runs counts; `--once` makes one, for profiles.

use std::time::Instant;

use arrow_array::StringArray;
use patchwire::{Schema, Spec};
use patchwire_arrow::BatchParser;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let given = args.len();
    args.retain(|arg| arg != "--once");
    let runs = if args.len() < given { 1 } else { 5 };
    let file = args.first().ok_or("give a file with one JSON string a line")?;
    let threads = args.get(1).map_or(Ok(1), |threads| threads.parse())?;
    let mut builder = Spec::builder();
    if let Some(schema) = args.get(2) {
        builder = builder.schema(Schema::from_text(&std::fs::read_to_string(schema)?)?);
    }
    let parser = BatchParser::new(&builder.build()?).with_threads(threads);
    let text = std::fs::read_to_string(file)?;
    let rows: Result<Vec<String>, serde_json::Error> =
        text.lines().map(serde_json::from_str).collect();
    let column = StringArray::from(rows?);
    let mut best = f64::MAX;
    for _ in 0..runs {
        let began = Instant::now();
        std::hint::black_box(parser.parse(&column)?);
        best = best.min(began.elapsed().as_secs_f64());
    }
    let rows = arrow_array::Array::len(&column);
    let rate = rows as f64 / best;
    let line = format!("{rows} rows, {threads} threads: {rate:.0} rows a second\n");
    std::io::Write::write_all(&mut std::io::stdout(), line.as_bytes())?;
    Ok(())
}
