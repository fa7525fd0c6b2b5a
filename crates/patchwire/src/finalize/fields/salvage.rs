//! Finds fields without a payload of the format: without the envelope, or as JSON.

use super::shares_key;
use crate::codes::Code;
use crate::document::ValueKind;
use crate::finalize::align;
use crate::finalize::reread::{self, OffsetText, Reread};
use crate::finalize::text_part::{PartText, TextPart};
use crate::format::FormatMachine;
use crate::format::json::JsonFormat;
use crate::spec::Settings;

const BOM: &str = "\u{FEFF}";

/// The fields, and the code of the notice about how they were found.
pub(super) fn find(text: &PartText<'_>, settings: &Settings) -> Option<(Code, Reread)> {
    let from = text.part.span.start;
    let part = String::from_utf8_lossy(text.raw.get(usize::try_from(from).ok()?..)?);
    let (code, mut found) = match bare(&part, from, settings) {
        Some(found) => (Code::MissingRoot, found),
        None => (Code::FormatFallback, json(&part, from, settings)?),
    };
    found.keep_within(text.part.span.end);
    Some((code, found))
}

/// A JSON object in place of the fields that an envelope should hold.
pub(super) fn json_of(raw: &[u8], part: &TextPart, settings: &Settings) -> Option<Reread> {
    let (start, end) = (part.span.start, part.span.end);
    let text = String::from_utf8_lossy(raw.get(start as usize..end as usize)?);
    let mut found = json(&text, start, settings)?;
    found.keep_within(end);
    Some(found)
}

/// Fields without their envelope.
fn bare(text: &str, base: u64, settings: &Settings) -> Option<Reread> {
    let declared = settings.json.schema.as_ref();
    // A byte order mark is no part of the first name.
    let (text, base) =
        text.strip_prefix(BOM).map_or((text, base), |it| (it, base + BOM.len() as u64));
    let found = settings.row.fields_without_envelope(text, &settings.format_options())?;
    let rest = &text[found.start..];
    let closed =
        (!found.end.is_empty()).then(|| format!("{}{}", rest.trim_end_matches('\n'), found.end));
    let start = base + found.start as u64;
    let text = OffsetText { text: closed.as_deref().unwrap_or(rest), start };
    let read = reread::root_of(found.machine.0, text, settings)?;
    let value = read.document.value();
    let known = declared.is_none_or(|schema| shares_key(value, schema));
    (known && !value.is_empty()).then_some(read)
}

/// A JSON object that has a key of the schema. Any other object is not the answer.
fn json(text: &str, base: u64, settings: &Settings) -> Option<Reread> {
    let schema = settings.json.schema.as_ref()?;
    let fits = |read: &Reread| {
        let value = read.document.value();
        let is_wrapped = || align::wrapped(schema, schema.root(), value).is_some();
        let is_own = shares_key(value, schema) || (read.is_complete && is_wrapped());
        value.kind() == ValueKind::Object && !read.is_lossy && is_own
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
