//! `patchwire rate`: counts how well outputs follow what was asked for.

use std::path::PathBuf;

use crate::args::{CheckingArgs, GroupBy, InputForm, RateArgs};
use crate::body::Body;
use crate::exit::{Failure, Status};
use crate::output;
use crate::progress::Progress;
use crate::rate::{Codes, Groups, RateTable};
use crate::read_stream;
use crate::settings::Settings;
use crate::source::{self, Source};

pub(crate) fn run(args: &RateArgs) -> Result<Status, Failure> {
    let has_schema = args.reading.expected.schema.is_some();
    let checking = CheckingArgs { exact: has_schema, ..CheckingArgs::default() };
    let settings = Settings::checking(&args.reading, &checking)?;
    let files = files(args)?;
    let files: Vec<Option<&PathBuf>> = source::inputs(&files);
    let mut groups = Groups::new(args.by.or_else(|| usual(args.form.input)), has_schema);
    let (mut read, mut worst, mut is_empty) = (0, Status::Complete, true);
    let mut progress = Progress::new();
    let mut lacking = Vec::new();
    for file in files {
        // A file that cannot be read does not stop the others.
        let opened = open(file, args);
        match opened.and_then(|opened| take(opened, &settings, &mut groups, &mut progress)) {
            Ok(has_any) => (read, is_empty) = (read + 1, is_empty && !has_any),
            Err(failure) if lacks_column(file, &failure) => lacking.push(failure),
            Err(failure) => {
                progress.clear();
                worst = worst.max(failure.report());
            }
        }
    }
    drop(progress);
    // The rows of one of several tables may all lack a member. If no table has it, its name is wrong.
    match read {
        0 => lacking.into_iter().for_each(|failure| worst = worst.max(failure.report())),
        _ => read += lacking.len(),
    }
    if read > 0 && is_empty {
        output::error(&"nothing to rate: the input holds no text of an answer");
        worst = worst.max(Status::NoValue);
    }
    let format = settings.format.name();
    if args.json {
        groups.write_json(&mut output::stdout(), format)?;
    } else if !groups.tallies.is_empty() {
        let out = anstream::AutoStream::auto(std::io::stdout().lock());
        RateTable::new(out, &groups).print(read, format)?;
    }
    Ok(worst)
}

/// The files: of tables, also those that patterns mean.
fn files(args: &RateArgs) -> Result<Vec<PathBuf>, Failure> {
    #[cfg(feature = "batch")]
    if args.column.is_some() {
        return Ok(crate::batch::expanded(&args.files)?);
    }
    Ok(args.files.clone())
}

/// Whether no line of JSON lines has the column.
#[cfg(feature = "batch")]
fn lacks_column(file: Option<&PathBuf>, failure: &Failure) -> bool {
    use crate::batch::{TableError, TableForm};

    let is_lines = |file| matches!(TableForm::of(file), Ok(TableForm::JsonLines));
    let lacks = |error: &TableError| matches!(error, TableError::NoColumn { .. });
    matches!(failure, Failure::Table(error) if lacks(error))
        && file.is_some_and(|file| is_lines(file))
}

#[cfg(not(feature = "batch"))]
const fn lacks_column(_: Option<&PathBuf>, _: &Failure) -> bool {
    false
}

fn open(file: Option<&PathBuf>, args: &RateArgs) -> Result<Source, Failure> {
    match &args.column {
        #[cfg(feature = "batch")]
        Some(column) => {
            let file = file.cloned().unwrap_or_else(|| "stdin".into());
            Ok(Source::of_column(&file, column)?)
        }
        #[cfg(not(feature = "batch"))]
        Some(_) => Err(Failure::NotBuiltIn("rate --column")),
        None => Ok(Source::open(file, args.form.input)?),
    }
}

/// The default grouping.
const fn usual(form: InputForm) -> Option<GroupBy> {
    match form {
        InputForm::Raw => None,
        InputForm::Recording => Some(GroupBy::Kind),
        _ => Some(GroupBy::Provider),
    }
}

fn has_text(raw: &[u8]) -> bool {
    raw.iter().any(|byte| !byte.is_ascii_whitespace())
}

/// Counts the streams of a file. Returns whether one of them has any text.
fn take(
    mut source: Source,
    settings: &Settings,
    groups: &mut Groups,
    progress: &mut Progress,
) -> Result<bool, Failure> {
    let mut has_any = false;
    while let Some(stream) = source.next_stream()? {
        let (name, mut origin) = (stream.name.clone(), stream.origin.clone());
        let mut codes = Codes::default();
        let ended = read_stream::read(settings, stream, &mut codes)?;
        origin.source = origin.source.or_else(|| ended.body().and_then(Body::model));
        // An answer that stopped early had text.
        has_any |= ended.result.as_ref().map_or(true, |answer| answer.raw().is_none_or(has_text));
        groups.of(&name, &origin).take(&ended, &codes, settings);
        progress.at(|| format!("rating {name}"));
    }
    Ok(has_any)
}
