//! Options that name a format or a sample: their values come from the engine's table of formats.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use patchwire::Format;
use patchwire_samples::Sample;

/// Parses the name of a format.
pub(super) fn format() -> impl TypedValueParser<Value = Format> {
    let values =
        Format::ALL.map(|format| spelled(format.name(), format.aliases()).help(format.about()));
    PossibleValuesParser::new(values).map(|name| Format::from_name(&name).unwrap_or_default())
}

/// Parses the name of a sample. A sample of a format has all names of the format.
pub(super) fn sample() -> impl TypedValueParser<Value = Sample> {
    let values = patchwire_samples::all().map(|sample| {
        let format = Format::from_name(sample.name);
        spelled(sample.name, format.map_or(&[], Format::aliases)).help(sample.about)
    });
    PossibleValuesParser::new(values).map(|name| {
        let format = Format::from_name(&name).map(Format::name);
        patchwire_samples::by_name(format.unwrap_or(&name)).unwrap_or(patchwire_samples::TAGS)
    })
}

/// A value with its other spellings.
fn spelled(name: &'static str, aliases: &'static [&'static str]) -> PossibleValue {
    PossibleValue::new(name).aliases(aliases)
}
