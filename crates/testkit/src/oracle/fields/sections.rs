//! Fields under headers: `### name`.

use super::header::{self, Header};
use super::lines::{BLANKS, Fence, Line, is_blank, lines, normal, trimmed};
use super::{FieldsReading, Schema, Status, Type, Value, json};
use crate::oracle::Json;

/// The longest line that is dropped as an echo of the prompt, in bytes.
const LONGEST_ECHO: usize = 1024;

/// The notation of the fields in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SectionFormat {
    /// Strings as text, all other values as JSON.
    Hybrid,
    /// Everything as text.
    Markdown,
}

/// Reads a whole text.
#[must_use]
pub fn read(text: &str, schema: Option<&Schema>, kind: SectionFormat) -> FieldsReading {
    let text = normal(text);
    let mut reader = Reader {
        text: &text,
        lines: lines(&text),
        kind,
        schema,
        level: None,
        came: Vec::new(),
        out: FieldsReading::default(),
    };
    reader.sections();
    let (came, mut reading) = (reader.came, reader.out);
    reading.missing(schema, &came);
    reading
}

struct Reader<'t> {
    text: &'t str,
    lines: Vec<Line<'t>>,
    kind: SectionFormat,
    schema: Option<&'t Schema>,
    /// The level of the headers, once it is known.
    level: Option<usize>,
    /// The names of the sections so far.
    came: Vec<String>,
    out: FieldsReading,
}

impl Reader<'_> {
    fn sections(&mut self) {
        let Some(first) = self.lines.iter().position(|line| self.header(line.text).is_some())
        else {
            return;
        };
        let mut at = first;
        while let Some(header) = self.lines.get(at).and_then(|line| self.header(line.text)) {
            self.level = Some(header.level);
            at = self.section(&header, at + 1);
        }
    }

    /// The header in a line, if it has the level of the first one.
    fn header(&self, line: &str) -> Option<Header> {
        let header = header::read(line, self.schema)?;
        self.level.is_none_or(|level| level == header.level).then_some(header)
    }

    /// Reads the section whose first line is given. Returns the line after its last.
    fn section(&mut self, header: &Header, first: usize) -> usize {
        let name = &*header.name;
        let first = self.behind_echoes(name, first);
        let twice = self.came.iter().any(|came| came == name);
        if twice {
            self.out.notice("duplicate_field");
        } else {
            self.came.push(name.to_owned());
        }
        let said = if header.json { Type::Any } else { Type::Str };
        let declared = self.schema.and_then(|schema| schema.kind(name)).unwrap_or(said);
        let payload = self.kind == SectionFormat::Hybrid && declared != Type::Str;
        if payload {
            self.payload(name, declared, first, twice)
        } else {
            self.prose(name, first, twice)
        }
    }

    /// The first line that is neither blank nor an echo of the prompt: the header again, or a placeholder.
    fn behind_echoes(&mut self, name: &str, first: usize) -> usize {
        for (at, line) in self.lines.iter().enumerate().skip(first) {
            let again = self.header(line.text).is_some_and(|header| header.name == name);
            if again || is_placeholder(line.text) {
                self.out.notices.insert("scaffold_echo");
            } else if !is_blank(line.text) {
                return at;
            }
        }
        self.lines.len()
    }

    fn prose(&mut self, name: &str, first: usize, twice: bool) -> usize {
        let mut fence: Option<(Fence, usize)> = None;
        let mut end = self.lines.len();
        for (at, line) in self.lines.iter().enumerate().skip(first) {
            fence = match fence {
                Some((open, _)) if open.is_closed_by(line.text) => None,
                Some(open) => Some(open),
                None if self.header(line.text).is_some() => {
                    end = at;
                    break;
                }
                None => Fence::opened_by(line.text).map(|fence| (fence, at)),
            };
        }
        if let Some((_, from)) = fence {
            self.swallowed(from);
        }
        if !twice {
            let content = &self.text[self.start_of(first)..self.start_of(end)];
            let value = Value::Known(Json::String(trimmed(content, false).to_owned()));
            self.out.add(name, value, Status::Complete, None);
        }
        end
    }

    /// Adds a notice if the fence in this line never ends and hides a field.
    fn swallowed(&mut self, from: usize) {
        let mut headers = self.lines[from..].iter().filter_map(|line| self.header(line.text));
        if headers.any(|header| !self.came.contains(&header.name)) {
            self.out.notice("unclosed_fence_swallowed_header");
        }
    }

    fn payload(&mut self, name: &str, kind: Type, first: usize, twice: bool) -> usize {
        let start = self.start_of(first);
        let payload = json::take(&self.text[start..], &|line| self.header(line).is_some());
        let end = start + payload.end;
        if !twice {
            let cut = payload.open;
            payload.add_to(&mut self.out, name, kind, cut);
        } else if !payload.is_sure() {
            self.out.passed.get_or_insert(self.out.fields.len());
        }
        self.lines.iter().position(|line| line.start >= end).unwrap_or(self.lines.len())
    }

    /// The position of a line in the text.
    fn start_of(&self, line: usize) -> usize {
        self.lines.get(line).map_or(self.text.len(), |line| line.start)
    }
}

/// Whether a line is `<!-- (text) … -->`, `<!-- (json) … -->` or `(your content here)`.
fn is_placeholder(line: &str) -> bool {
    let text = line.trim_matches(BLANKS);
    let comment = text.strip_prefix("<!--").and_then(|inner| inner.strip_suffix("-->"));
    let comment = comment.is_some_and(|inner| {
        let inner = inner.trim_start_matches(BLANKS);
        (inner.starts_with("(text)") || inner.starts_with("(json)")) && !inner.contains("-->")
    });
    line.len() <= LONGEST_ECHO && (comment || text == "(your content here)")
}
