//! How often answers with slips are read as they were meant, kind by kind.
//!
//! ```text
//! cargo run -p testkit --bin repair -- [--seed N] [--count N] [--slips 1|2] [--cut] [--show KIND] [--text FILE] [--list]
//! ```
//!
//! The columns are the search alone, the stream without its finalizer, the parser with its finalizer, and the
//! Python package `json_repair` where it is installed. The last line has the bytes that the stream holds back on
//! average, in chunks of four bytes. `--cut` cuts each answer somewhere behind its slip: then a value is right if it is a
//! beginning of the truth. `--show KIND` prints what the search gets wrong (`all` for every kind). `--text`
//! reads one file and prints its cheapest readings. `--list` prints each answer as a line of JSON and measures
//! nothing: other readers can be run on these lines.

use std::collections::BTreeMap;
use std::io::{self, Write};

use patchwire::internals::{Trial, trial};
use patchwire::{Limit, Limits, Spec};
use serde_json::Value;
use testkit::generate::Rng;
use testkit::generate::broken::{self, Broken, KINDS};
use testkit::readers;

fn main() -> io::Result<()> {
    let options = Options::read(std::env::args().skip(1));
    let mut out = io::stdout().lock();
    if let Some(file) = &options.text {
        return show_text(&mut out, &std::fs::read_to_string(file)?);
    }
    let answers = answers(&options);
    if options.list {
        return list(&mut out, &answers);
    }
    let texts: Vec<&str> = answers.iter().map(|answer| answer.text.as_str()).collect();
    let peer = readers::json_repair(&texts);
    let mut rows: BTreeMap<String, [usize; 5]> = BTreeMap::new();
    let mut held = Held::default();
    for (at, answer) in answers.iter().enumerate() {
        let truth: Value = serde_json::from_str(&answer.truth).unwrap_or(Value::Null);
        let found = searched(&answer.text);
        let is_right = |value: &Option<Value>| {
            value.as_ref().is_some_and(|value| match options.cut {
                true => broken::is_beginning(value, &truth),
                false => *value == truth,
            })
        };
        let value = found.as_ref().and_then(|it| serde_json::from_str(&it.roots[0]).ok());
        let right = is_right(&value);
        let row = rows.entry(answer.kinds.clone()).or_default();
        row[0] += 1;
        row[1] += usize::from(right);
        row[2] += usize::from(is_right(&streamed(&answer.text, &mut held)));
        let given = readers::patchwire(&answer.text);
        let is_given = is_right(&given);
        row[3] += usize::from(is_given);
        row[4] += usize::from(peer.as_ref().is_some_and(|peer| is_right(&peer[at])));
        let shown = options.show.as_ref();
        if !(right && is_given)
            && shown.is_some_and(|it| it == "all" || answer.kinds.contains(it.as_str()))
        {
            show_failure(&mut out, answer, found.as_ref())?;
            writeln!(out, "given {}", given.unwrap_or_default())?;
        }
    }
    print_table(&mut out, &rows, options.slips, peer.is_some())?;
    writeln!(out, "held {:.1} bytes", held.bytes as f64 / held.chunks.max(1) as f64)
}

fn list(out: &mut impl Write, answers: &[Broken]) -> io::Result<()> {
    for Broken { kinds, text, truth } in answers {
        let truth: Value = serde_json::from_str(truth).unwrap_or(Value::Null);
        let line = serde_json::json!({"kinds": kinds, "input": text, "expected": truth});
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn show_failure(out: &mut impl Write, answer: &Broken, found: Option<&Trial>) -> io::Result<()> {
    writeln!(out, "--- {}\n{}\ntruth {}", answer.kinds, answer.text, answer.truth)?;
    if let Some(found) = found {
        writeln!(out, "read  {}", found.roots.join("  "))?;
        writeln!(out, "cost  {} {:?}", found.cost, found.slips)?;
    }
    Ok(())
}

fn show_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    for found in trial(text, start(text), 4) {
        writeln!(out, "cost {}\n{}\n{:?}", found.cost, found.roots.join("\n"), found.slips)?;
    }
    Ok(())
}

fn start(text: &str) -> usize {
    text.find(['{', '[', '(']).unwrap_or(0)
}

fn searched(text: &str) -> Option<Trial> {
    trial(text, start(text), 0).into_iter().next()
}

/// The bytes that were held back after chunks.
#[derive(Default)]
struct Held {
    chunks: usize,
    bytes: usize,
}

/// The value that the stream gives, without its finalizer.
fn streamed(text: &str, held: &mut Held) -> Option<Value> {
    let spec = Spec::builder().limits(Limits::default().with(Limit::Repair, 0)).build().ok()?;
    let mut parser = spec.parser();
    for chunk in text.as_bytes().chunks(4) {
        parser.feed(chunk, |_| {}).ok()?;
        held.chunks += 1;
        held.bytes += parser.held().iter().map(|held| held.bytes.len()).sum::<usize>();
    }
    let answer = parser.finish(|_| {}).ok()?;
    serde_json::from_str(&answer.value().to_string()).ok()
}

fn answers(options: &Options) -> Vec<Broken> {
    let mut rng = Rng::new(options.seed);
    let mut answers = Vec::new();
    while answers.len() < options.count {
        let first = KINDS[answers.len() % KINDS.len()];
        let second = (options.slips == 2).then(|| rng.pick(KINDS));
        let kinds: Vec<_> = [Some(first), second].into_iter().flatten().collect();
        let Some(mut answer) = broken::answer(&mut rng, &kinds) else { continue };
        if options.cut {
            let from = start(&answer.text) + 1;
            let mut end = from + rng.below(answer.text.len() - from + 1);
            while !answer.text.is_char_boundary(end) {
                end += 1;
            }
            answer.text.truncate(end);
        }
        answers.push(answer);
    }
    answers
}

fn print_table(
    out: &mut impl Write,
    rows: &BTreeMap<String, [usize; 5]>,
    slips: usize,
    has_peer: bool,
) -> io::Result<()> {
    let mut all = [0; 5];
    writeln!(
        out,
        "{:<26} {:>5} {:>7} {:>7} {:>7} {:>11}",
        "kind", "n", "search", "stream", "parser", "json_repair"
    )?;
    let peer = |right: usize| if has_peer { right.to_string() } else { "–".to_owned() };
    for (kind, row) in rows {
        all = core::array::from_fn(|at| all[at] + row[at]);
        if slips == 1 {
            let [n, search, stream, parser, other] = row;
            writeln!(
                out,
                "{kind:<26} {n:>5} {search:>7} {stream:>7} {parser:>7} {:>11}",
                peer(*other)
            )?;
        }
    }
    let [n, search, stream, parser, other] = all;
    writeln!(out, "{:<26} {n:>5} {search:>7} {stream:>7} {parser:>7} {:>11}", "all", peer(other))?;
    writeln!(out, "search {:.1} %", 100.0 * search as f64 / n.max(1) as f64)
}

#[derive(Default)]
struct Options {
    seed: u64,
    count: usize,
    slips: usize,
    cut: bool,
    show: Option<String>,
    text: Option<String>,
    list: bool,
}

impl Options {
    fn read(mut args: impl Iterator<Item = String>) -> Self {
        let mut options = Self { seed: 1, count: 40 * KINDS.len(), slips: 1, ..Self::default() };
        while let Some(name) = args.next() {
            let mut number = || args.next().and_then(|value| value.parse().ok());
            match name.as_str() {
                "--seed" => options.seed = number().unwrap_or(options.seed),
                "--count" => options.count = number().unwrap_or(0) as usize,
                "--slips" => options.slips = number().unwrap_or(1) as usize,
                "--cut" => options.cut = true,
                "--show" => options.show = args.next(),
                "--list" => options.list = true,
                "--text" => options.text = args.next(),
                _ => {}
            }
        }
        options
    }
}
