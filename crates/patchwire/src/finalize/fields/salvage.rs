//! Finds fields without a payload of the format: without the envelope, or as JSON.

use super::shares_key;
use crate::codes::Code;
use crate::document::ValueKind;
use crate::finalize::reread::{self, OffsetText, Reread};
use crate::finalize::text_part::PartText;
use crate::format::json::JsonFormat;
use crate::format::xml_field::XmlFieldFormat;
use crate::format::yaml::YamlFormat;
use crate::format::{FormatMachine, Machine, MachineObject as _};
use crate::span::Span;
use crate::spec::{Format, Settings};
use crate::text::WHITESPACE;

/// The fields, and the code of the notice about how they were found.
pub(super) fn find(text: &PartText<'_>, settings: &Settings) -> Option<(Code, Reread)> {
    let from = text.part.span.start;
    let part = String::from_utf8_lossy(text.raw.get(usize::try_from(from).ok()?..)?);
    let (code, mut found) = match bare(&part, from, settings) {
        Some(found) => (Code::MissingRoot, found),
        None => (Code::FormatFallback, json(&part, from, settings)?),
    };
    // A U+FFFD may be longer than the bytes that it replaces.
    let within = |at: u64| at.min(text.part.span.end);
    found.span = Span::new(within(found.span.start), within(found.span.end));
    Some((code, found))
}

/// Fields without their envelope.
fn bare(text: &str, base: u64, settings: &Settings) -> Option<Reread> {
    let declared = settings.json.schema.as_ref();
    let (at, machine, text): (usize, Box<dyn Machine>, String) = match settings.format {
        Format::XmlField => {
            let at = XmlFieldFormat::first_field(text)?;
            let machine = XmlFieldFormat::in_root(&settings.fields, &settings.json);
            (at, machine.boxed(), text[at..].to_owned())
        }
        Format::YamlLiteral => {
            let at = first_key(text, settings)?;
            let machine = YamlFormat::in_document(&settings.fields, &settings.json);
            // The end of the text ends the document.
            (at, machine.boxed(), format!("{}\n...\n", text[at..].trim_end_matches('\n')))
        }
        _ => return None,
    };
    let text = OffsetText { text: &text, start: base + at as u64 };
    let read = reread::root_of(FormatMachine::Other(machine), text, settings)?;
    let value = read.document.value();
    let known = declared.is_none_or(|schema| shares_key(value, schema));
    (known && !value.is_empty()).then_some(read)
}

/// The first line that begins with a declared key and a colon. Without a schema, prose could look alike.
fn first_key(text: &str, settings: &Settings) -> Option<usize> {
    let schema = settings.json.schema.as_ref()?;
    let is_key = |line: &str| {
        schema.declared_keys(schema.root()).any(|key| {
            let rest = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(':'));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(WHITESPACE))
        })
    };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if is_key(line) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

/// A JSON object that has a key of the schema. Any other object is not the answer.
fn json(text: &str, base: u64, settings: &Settings) -> Option<Reread> {
    let schema = settings.json.schema.as_ref()?;
    let fits = |read: &Reread| {
        let value = read.document.value();
        value.kind() == ValueKind::Object && !read.is_lossy && shares_key(value, schema)
    };
    let machine = JsonFormat::new(&settings.json);
    let (first, marks) = reread::first_json(machine, OffsetText { text, start: base }, settings)?;
    if let Some(first) = first.filter(fits) {
        return Some(first);
    }
    // Candidates may be nested: the bytes of one that is rejected are read again for the next.
    let mut budget = 2 * text.len();
    for mark in marks {
        let at = usize::try_from(mark.start - base).ok()?;
        let rest = text.get(at..)?;
        budget = budget.checked_sub(rest.len())?;
        let machine = FormatMachine::Json(Box::new(JsonFormat::at_root(&settings.json)));
        let read = reread::root_of(machine, OffsetText { text: rest, start: mark.start }, settings);
        if let Some(read) = read.filter(fits) {
            return Some(read);
        }
    }
    None
}
