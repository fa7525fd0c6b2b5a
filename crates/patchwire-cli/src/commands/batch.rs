//! `patchwire batch`: a column of outputs in, a table of typed answers out.

use std::fs;
use std::path::{Path, PathBuf};

use patchwire_arrow::BatchParser;

use crate::args::{BatchArgs, Tags};
use crate::batch::{
    Converted, Converter, Forms, Job, TableError, TableForm, expanded, grouped, jobs,
};
use crate::exit::{Failure, Status};
use crate::output;
use crate::progress::Progress;
use crate::settings::Settings;

pub(crate) fn run(args: &BatchArgs) -> Result<Status, Failure> {
    let settings = Settings::checking(&args.reading, &args.checking)?;
    let inputs = expanded(&args.inputs)?;
    let jobs = jobs(&inputs, &args.out, Forms { from: args.from, to: args.to })?;
    let threads = args.threads.map_or(0, Into::into);
    let mut converter = Converter {
        parser: BatchParser::new(&settings.spec).with_threads(threads),
        column: args.column.clone(),
        answer: args.answer.clone(),
        keep: (!args.keep.is_empty()).then(|| args.keep.clone()),
        part_rows: args.part_rows.into(),
        again: args.again,
        may_lack: false,
        settings: described(args, &settings),
        progress: Progress::new(),
    };
    Ok(convert(&mut converter, &jobs))
}

/// Converts all tables. One that cannot be read does not stop the others.
fn convert(converter: &mut Converter, jobs: &[Job]) -> Status {
    let (mut worst, mut lacking) = (Status::Complete, Vec::new());
    let mut is_known = false;
    for job in jobs {
        match converter.convert(job) {
            Ok(converted) => {
                report(&job.output, &converted);
                is_known = true;
            }
            Err(TableError::NoColumn { .. }) if job.from == TableForm::JsonLines => {
                lacking.push(job);
            }
            Err(error) => worst = worst.max(failed(converter, error)),
        }
    }
    // The rows of one of several tables may all lack a member. If no table has it, its name is wrong.
    converter.may_lack = is_known;
    for job in lacking {
        match converter.convert(job) {
            Ok(converted) => report(&job.output, &converted),
            Err(error) => worst = worst.max(failed(converter, error)),
        }
    }
    worst
}

fn failed(converter: &mut Converter, error: TableError) -> Status {
    converter.progress.clear();
    Failure::from(error).report()
}

/// The settings that change an answer, with what is in the files that they name.
fn described(args: &BatchArgs, settings: &Settings) -> String {
    let (reading, checking) = (&args.reading, &args.checking);
    let tags = reading.tags.iter().filter_map(|tags| match tags {
        Tags::File(file) => Some(file),
        _ => None,
    });
    let files = reading.expected.schema.iter().chain(tags).chain(&reading.tools);
    let texts: Vec<Option<String>> =
        files.map(|file: &PathBuf| fs::read_to_string(file).ok()).collect();
    let schema = settings.spec.schema().map(|schema| schema.to_json_schema().to_string());
    format!("{reading:?} {checking:?} {schema:?} {texts:?}")
}

/// Says what became of a file.
fn report(file: &Path, converted: &Converted) {
    let name = file.display();
    match converted {
        Converted::Found => {
            output::note(&format_args!("{name} is there and was left; `--again` makes it anew"));
        }
        Converted::Made { counts, found, time } => {
            let found = match found {
                0 => String::new(),
                found => format!("{} rows of an earlier run, and ", grouped(*found)),
            };
            let (rows, rate) = (grouped(counts.rows), counts.rate(*time));
            output::note(&format_args!("{name}: {found}{rows} rows, {rate}: {counts}"));
        }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        Self::Table(Box::new(error))
    }
}
