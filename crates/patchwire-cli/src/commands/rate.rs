//! `patchwire rate`: counts how well outputs follow what was asked for.

use std::path::PathBuf;

use crate::args::{CheckingArgs, GroupBy, InputForm, RateArgs};
use crate::body::Body;
use crate::exit::{Failure, Status};
use crate::output;
use crate::rate::{Codes, Groups, RateTable};
use crate::read_stream;
use crate::settings::Settings;
use crate::source::Source;

pub(crate) fn run(args: &RateArgs) -> Result<Status, Failure> {
    let has_schema = args.reading.expected.schema.is_some();
    let checking = CheckingArgs { strict: has_schema, ..CheckingArgs::default() };
    let settings = Settings::checking(&args.reading, &checking)?;
    let files: Vec<Option<&PathBuf>> =
        if args.files.is_empty() { vec![None] } else { args.files.iter().map(Some).collect() };
    let mut groups = Groups::new(args.by.or_else(|| usual(args.form.input)), has_schema);
    let (mut read, mut worst) = (0, Status::Complete);
    for file in files {
        // A file that cannot be read does not stop the others.
        match take(file, args.form.input, &settings, &mut groups) {
            Ok(()) => read += 1,
            Err(failure) => worst = worst.max(failure.report()),
        }
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

/// The default grouping.
const fn usual(form: InputForm) -> Option<GroupBy> {
    match form {
        InputForm::Raw => None,
        InputForm::Recording => Some(GroupBy::Kind),
        _ => Some(GroupBy::Provider),
    }
}

/// Counts the streams of a file.
fn take(
    file: Option<&PathBuf>,
    form: InputForm,
    settings: &Settings,
    groups: &mut Groups,
) -> Result<(), Failure> {
    let mut source = Source::open(file, form)?;
    while let Some(stream) = source.next_stream()? {
        let (name, mut origin) = (stream.name.clone(), stream.origin.clone());
        let mut codes = Codes::default();
        let ended = read_stream::read(settings, stream, &mut codes)?;
        origin.source = origin.source.or_else(|| ended.body().and_then(Body::model));
        groups.of(&name, &origin).take(&ended, &codes, settings);
    }
    Ok(())
}
