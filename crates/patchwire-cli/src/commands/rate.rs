//! `patchwire rate`: how well the answers of a model keep to what was asked for.

use std::path::PathBuf;

use clap::ValueEnum as _;

use crate::args::{By, CheckingArgs, Format, InputForm, RateArgs};
use crate::exit::{Failure, Status};
use crate::output;
use crate::rate::{Codes, Groups, Table};
use crate::reading;
use crate::settings::Settings;
use crate::source::Source;

pub(crate) fn run(args: &RateArgs) -> Result<Status, Failure> {
    let has_schema = args.reading.expected.schema.is_some();
    let checking = CheckingArgs { strict: has_schema, ..CheckingArgs::default() };
    let settings = Settings::checking(&args.reading, &checking)?;
    let files: Vec<Option<&PathBuf>> =
        if args.files.is_empty() { vec![None] } else { args.files.iter().map(Some).collect() };
    let kinds = (args.form.input == InputForm::Recording).then_some(By::Kind);
    let mut groups = Groups::new(args.by.or(kinds), has_schema);
    let (mut read, mut worst) = (0, Status::Complete);
    for file in files {
        // One file that cannot be read says nothing of the others.
        match take(file, args.form.input, &settings, &mut groups) {
            Ok(()) => read += 1,
            Err(failure) => worst = worst.max(failure.settle()),
        }
    }
    let format = name_of(settings.format);
    if args.json {
        groups.write_json(&mut output::stdout(), &format)?;
    } else if !groups.tallies.is_empty() {
        let out = anstream::AutoStream::auto(std::io::stdout().lock());
        Table::new(out, &groups).print(read, &format)?;
    }
    Ok(worst)
}

/// Counts the streams of a file, one after the other.
fn take(
    file: Option<&PathBuf>,
    form: InputForm,
    settings: &Settings,
    groups: &mut Groups,
) -> Result<(), Failure> {
    let mut source = Source::open(file, form)?;
    while let Some(stream) = source.next_stream()? {
        let (name, origin) = (stream.name.clone(), stream.origin.clone());
        let mut codes = Codes::default();
        let ended = reading::read(settings, stream, &mut codes)?;
        groups.of(&name, &origin).take(&ended, &codes, settings);
    }
    Ok(())
}

fn name_of(format: Format) -> String {
    format.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}
