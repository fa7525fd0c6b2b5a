//! The JSON in a field: its place and its value.

use std::collections::BTreeSet;

use serde_json::value::RawValue;

use super::lines::{Fence, Line, SPACES, is_blank, lines};
use super::{FieldsReading, Status, Type, Value};
use crate::oracle::{Json, foreign};

/// The content of a JSON field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Payload {
    /// The position in the text where the field ends.
    pub end: usize,
    /// The text that should be JSON; none if no JSON begins.
    pub extent: Option<String>,
    /// Whether the end of the text ended the field, instead of a closed fence or a header.
    pub open: bool,
    /// The text of the field, if no JSON begins in it.
    pub prose: String,
    /// The codes of the notices.
    pub notices: BTreeSet<&'static str>,
}

/// Reads the JSON in a text that begins with a field's content. The text ends with the field, or, if lines
/// may be headers, with the whole answer.
#[must_use]
pub fn take(text: &str, is_header: &dyn Fn(&str) -> bool) -> Payload {
    let lines = lines(text);
    let mut payload = Payload { end: text.len(), ..Payload::default() };
    for (at, line) in lines.iter().enumerate() {
        if is_header(line.text) {
            payload.end = line.start;
            return payload.prose(&text[..line.start]);
        }
        if let Some(fence) = Fence::opened_by(line.text) {
            fenced(&mut payload, (text, &lines[at + 1..]), (line.end, fence), is_header);
            return payload;
        }
        if let Some(start) = bare_start(line) {
            bare(&mut payload, (text, &lines[at + 1..]), start, is_header);
            return payload;
        }
        if !is_blank(line.text) {
            payload.notices.insert("stray_text");
        }
    }
    let last = lines.last().map_or("", |line| line.text.trim_start_matches(SPACES));
    let is_literal = ["true", "false", "null"].iter().any(|literal| literal.starts_with(last));
    let is_number = last.starts_with(|it: char| it == '-' || it.is_ascii_digit());
    let is_word = !last.is_empty() && !last.contains(SPACES) && !text.ends_with('\n');
    let is_cut = is_word && (is_literal || is_number);
    payload.open = is_cut || !payload.notices.contains("stray_text");
    payload.prose(text)
}

/// A text, and the lines of it that are not read yet.
type Rest<'t> = (&'t str, &'t [Line<'t>]);

fn fenced(
    payload: &mut Payload,
    (text, lines): Rest<'_>,
    (start, fence): (usize, Fence),
    is_header: &dyn Fn(&str) -> bool,
) {
    for (at, line) in lines.iter().enumerate() {
        if in_string(&text[start..line.start]) {
            continue;
        }
        if is_header(line.text) {
            payload.notices.insert("missing_fence_close");
            payload.end = line.start;
            return payload.extent(&text[start..line.start]);
        }
        if fence.is_closed_by(line.text) {
            payload.extent(&text[start..line.start]);
            return trailing(payload, &lines[at + 1..], is_header);
        }
    }
    payload.open = true;
    payload.extent(&text[start.min(text.len())..]);
}

fn bare(
    payload: &mut Payload,
    (text, lines): Rest<'_>,
    start: usize,
    is_header: &dyn Fn(&str) -> bool,
) {
    let header = lines
        .iter()
        .find(|line| is_header(line.text) && !in_string(&text[start..line.start]))
        .map(|line| line.start);
    payload.end = header.unwrap_or(text.len());
    payload.open = header.is_none();
    payload.extent(&text[start..payload.end]);
}

/// Skips the text after the fence.
fn trailing(payload: &mut Payload, lines: &[Line<'_>], is_header: &dyn Fn(&str) -> bool) {
    for line in lines {
        if is_header(line.text) {
            payload.end = line.start;
            return;
        }
        if !is_blank(line.text) {
            payload.notices.insert("trailing_content");
        }
    }
}

impl Payload {
    fn prose(self, text: &str) -> Self {
        Self { prose: text.trim_matches(SPACES).to_owned(), ..self }
    }

    fn extent(&mut self, text: &str) {
        self.extent = Some(text.trim_matches(SPACES).to_owned());
    }

    /// Whether the text is JSON, or certainly not JSON.
    #[must_use]
    pub fn is_sure(&self) -> bool {
        self.extent.as_deref().is_none_or(|text| text.is_empty() || first_value(text).is_some())
    }

    /// Adds the field to the results. `cut`: whether the end of the text ended it.
    pub fn add_to(self, reading: &mut FieldsReading, name: &str, kind: Type, cut: bool) {
        reading.notices.extend(self.notices);
        if kind == Type::Any && !self.prose.is_empty() {
            let literal = match &*self.prose {
                "True" => Some(Json::Bool(true)),
                "False" => Some(Json::Bool(false)),
                "None" => Some(Json::Null),
                _ => None,
            };
            reading.notice(if literal.is_some() { "foreign_literal" } else { "bad_json" });
            let value = Value::Known(literal.unwrap_or(Json::String(self.prose)));
            return reading.add(name, value, Status::Repaired, None);
        }
        let extent = self.extent.unwrap_or_default();
        let Some((value, rest)) = first_value(&extent) else {
            reading.notice(if cut { "truncated" } else { "bad_json" });
            if !extent.is_empty() {
                let status = if cut { Status::Truncated } else { Status::Repaired };
                reading.add(name, Value::NotJson(extent), status, None);
            }
            return;
        };
        if !is_blank(rest) {
            reading.notice("trailing_content");
        }
        let kind = Some(kind).filter(|kind| *kind != Type::Any);
        reading.add(name, Value::Known(value), Status::Complete, kind);
    }
}

/// The position in a line where bare JSON begins.
fn bare_start(line: &Line<'_>) -> Option<usize> {
    let rest = line.text.trim_start_matches(SPACES);
    let literal = ["true", "false", "null"].into_iter().any(|literal| {
        let behind = rest.strip_prefix(literal);
        behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(ends_scalar))
    });
    let begins = rest.starts_with(|char: char| "{[\"-".contains(char) || char.is_ascii_digit());
    (begins || literal).then_some(line.start + line.text.len() - rest.len())
}

fn ends_scalar(char: char) -> bool {
    SPACES.contains(&char) || ",}]".contains(char)
}

/// Whether a text that begins with a JSON value ends inside a string.
fn in_string(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut chars = text.trim_start_matches(SPACES).chars();
    while let Some(char) = chars.next() {
        match char {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            '"' if !to_end_of_string(&mut chars) => return true,
            '"' => {}
            _ if depth == 0 => return false,
            _ => {}
        }
        if depth == 0 {
            return false;
        }
    }
    false
}

/// Skips to after the closing quote. False if there is none.
fn to_end_of_string(chars: &mut core::str::Chars<'_>) -> bool {
    while let Some(char) = chars.next() {
        match char {
            '\\' => drop(chars.next()),
            '"' => return true,
            _ => {}
        }
    }
    false
}

/// The JSON value at the start of a text, and the text after it. Of members with one name the first counts.
/// A number or literal needs a delimiter.
fn first_value(text: &str) -> Option<(Json, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let raw = values.next()?.ok()?;
    let rest = &text[values.byte_offset()..];
    let ends = match raw.get().as_bytes().first() {
        Some(b'{' | b'[') => true,
        // Lenient reading needs the text after a string to know whether its quote was the last one.
        Some(b'"') => is_blank(rest),
        _ => rest.is_empty() || rest.starts_with(ends_scalar),
    };
    if !ends {
        return None;
    }
    Some((earliest(foreign::read(raw.get().as_bytes()).ok()?), rest))
}

fn earliest(value: Json) -> Json {
    match value {
        Json::List(items) => Json::List(items.into_iter().map(earliest).collect()),
        Json::Object(members) => {
            let mut kept: Vec<(String, Json)> = Vec::new();
            for (key, value) in members {
                if !kept.iter().any(|(known, _)| *known == key) {
                    kept.push((key, earliest(value)));
                }
            }
            Json::Object(kept)
        }
        scalar => scalar,
    }
}
