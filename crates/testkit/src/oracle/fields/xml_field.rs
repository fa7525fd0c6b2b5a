//! Fields in tags: `<field name="a" type="text">` in a root tag.

use super::lines::{BLANKS, SPACES, is_blank, normal, trimmed};
use super::tag::{self, TagEnd};
use super::{FieldsReading, Schema, Status, Type, Value, json};
use crate::oracle::Json;

/// The name of the root tag.
pub const OPENERS: [&str; 2] = ["<answer_fields", "<agently_output"];
const CLOSERS: [&str; 2] = ["</answer_fields", "</agently_output"];

/// Whether a text begins with one of the tags of the root.
fn opens_root(text: &str) -> bool {
    OPENERS.into_iter().any(|root| tag::opens(text, root, &OPENER_ENDS))
}

/// Whether a text begins with a closer of the root.
fn closes_root(text: &str) -> bool {
    CLOSERS.into_iter().any(|end| tag::opens(text, end, &CLOSER_ENDS))
}

/// The longest tag of a field, in bytes.
const LONGEST_TAG: usize = 4096;
/// The longest tag that may close the field before it.
const LONGEST_IMPLICIT: usize = 256;

/// Types that make a field JSON if it is declared as `any`.
const JSON_KINDS: [&str; 13] = [
    "", "json", "list", "array", "object", "dict", "map", "number", "integer", "int", "float",
    "bool", "boolean",
];

/// The characters that may follow the name of an opening tag.
const OPENER_ENDS: [char; 6] = [' ', '\t', '\n', '\r', '/', '>'];
/// The characters that may follow the name of the root's closing tag.
const CLOSER_ENDS: [char; 5] = [' ', '\t', '\n', '\r', '>'];

/// Reads a whole text.
#[must_use]
pub fn read(text: &str, schema: Option<&Schema>) -> FieldsReading {
    let text = normal(text);
    let mut reader =
        Reader { text: &text, schema, came: Vec::new(), out: FieldsReading::default() };
    match reader.behind_root() {
        Some((at, true)) => reader.behind_end(&reader.text[at..]),
        Some((at, false)) => reader.fields(at),
        None => {}
    }
    let (came, mut reading) = (reader.came, reader.out);
    reading.missing(schema, &came);
    reading
}

struct Reader<'t> {
    text: &'t str,
    schema: Option<&'t Schema>,
    /// The names of the fields so far.
    came: Vec<String>,
    out: FieldsReading,
}

/// The end of a field.
struct Close {
    /// The position where the content ends.
    at: usize,
    /// The position where reading continues.
    next: usize,
    status: Status,
    notice: Option<&'static str>,
}

impl Close {
    /// The end of a field with an unclosed section in it.
    const fn of_unclosed_section(self) -> Self {
        match self.status {
            Status::Complete => {
                Self { status: Status::Repaired, notice: Some("unclosed_section"), ..self }
            }
            _ => self,
        }
    }
}

impl Reader<'_> {
    /// The position after the first root tag, and whether the root is empty.
    fn behind_root(&self) -> Option<(usize, bool)> {
        for (at, _) in self.text.match_indices('<') {
            let rest = &self.text[at..];
            if !opens_root(rest) {
                continue;
            }
            match tag::end(rest, LONGEST_TAG) {
                TagEnd::At(len) => return Some((at + len, tag::is_empty(&rest[..len]))),
                TagEnd::Open => return None,
                TagEnd::Beyond => {}
            }
        }
        None
    }

    fn fields(&mut self, mut at: usize) {
        loop {
            let rest = &self.text[at..];
            let Some(found) = structure(rest) else {
                return self.stray(without_end(rest));
            };
            self.stray(&rest[..found]);
            let rest = &rest[found..];
            at += found;
            if rest.starts_with("</") {
                return self.behind_end(rest);
            }
            match tag::end(rest, LONGEST_TAG) {
                TagEnd::At(len) => at = self.field(at, at + len),
                TagEnd::Open => return self.out.notice("truncated"),
                TagEnd::Beyond => {
                    self.out.notice("hold_cap");
                    self.out.notice("stray_text");
                    at += "<field".len();
                }
            }
        }
    }

    /// Adds a notice for text between fields, apart from comments and whitespace.
    fn stray(&mut self, text: &str) {
        let mut rest = text;
        while let Some(at) = rest.find("<!--") {
            if !is_blank(&rest[..at]) {
                return self.out.notice("stray_text");
            }
            rest = rest[at..].split_once("-->").map_or("", |(_, behind)| behind);
        }
        if !is_blank(rest) {
            self.out.notice("stray_text");
        }
    }

    fn behind_end(&mut self, text: &str) {
        if text.match_indices('<').any(|(at, _)| opens_root(&text[at..])) {
            self.out.notice("second_root");
        }
    }

    /// Reads the field whose tag lies between `start` and `content`. Returns its end.
    fn field(&mut self, start: usize, content: usize) -> usize {
        let tag = &self.text[start..content];
        let name = tag::attribute(tag, "name").map(|name| name.value).unwrap_or_default();
        let kind = self.kind(&name, tag);
        let twice = self.came.contains(&name);
        if kind.is_some() && !twice {
            self.came.push(name.clone());
        }
        let empty = tag::is_empty(tag);
        let (content, cdata) = if empty { (content, false) } else { self.cdata(content) };
        let close = if empty {
            Close { at: content, next: content, status: Status::Complete, notice: None }
        } else {
            self.close(content, cdata)
        };
        self.out.notices.extend(close.notice);
        match kind {
            None => self.out.notice("unknown_field"),
            Some(_) if twice => self.out.notice("duplicate_field"),
            Some(kind) => self.add(&name, kind, &self.text[content..close.at], close.status),
        }
        close.next
    }

    /// The type of a field; none if it is not declared.
    fn kind(&mut self, name: &str, tag: &str) -> Option<Type> {
        let said = tag::attribute(tag, "type").map(|kind| kind.value.to_ascii_lowercase());
        let said = said.as_deref();
        let of_tag = if said == Some("json") { Type::Any } else { Type::Str };
        let Some(schema) = self.schema else {
            return (!name.is_empty()).then_some(of_tag);
        };
        let kind = schema.kind(name)?;
        match (kind, said) {
            (Type::Any, Some(said)) if !JSON_KINDS.contains(&said) => return Some(Type::Str),
            (Type::Str, Some("json")) => self.out.notice("type_mismatch"),
            (Type::Str | Type::Any, _) => {}
            (_, Some("text")) => self.out.notice("type_mismatch"),
            _ => {}
        }
        Some(kind)
    }

    fn add(&mut self, name: &str, kind: Type, content: &str, status: Status) {
        if kind == Type::Str {
            let value = Value::Known(Json::String(trimmed(content, true).to_owned()));
            return self.out.add(name, value, status, None);
        }
        // A carriage return at the end of a field is the end of its last line.
        let last = content.strip_suffix('\r').map(|before| format!("{before}\n"));
        let content = last.as_deref().unwrap_or(content);
        let mut payload = json::take(content, &|_| false);
        if status == Status::Truncated {
            payload.prose.clear();
        }
        let before = self.out.fields.len();
        payload.add_to(&mut self.out, name, kind, status == Status::Truncated);
        if let Some(field) = self.out.fields.get_mut(before)
            && status != Status::Complete
        {
            field.status = status;
        }
    }

    /// The position where the content begins, and whether it is in a CDATA section.
    fn cdata(&self, content: usize) -> (usize, bool) {
        let rest = self.text[content..].trim_start_matches(SPACES);
        match rest.strip_prefix(CDATA) {
            Some(inner) => (self.text.len() - inner.len(), true),
            None => (content, false),
        }
    }

    fn close(&self, content: usize, cdata: bool) -> Close {
        for (at, char) in self.text[content..].char_indices() {
            let at = content + at;
            let found = match char {
                ']' if cdata => self.section_close(at),
                '<' if cdata => self.closer(at).map(Close::of_unclosed_section),
                '<' => self
                    .closer(at)
                    .or_else(|| self.implicit(content, at))
                    .or_else(|| self.begins_section(content, at)),
                _ => None,
            };
            if let Some(close) = found {
                return close;
            }
        }
        self.cut(self.text.len())
    }

    /// The end of a field at the end of the text, with content up to `at`.
    fn cut(&self, at: usize) -> Close {
        Close { at, next: self.text.len(), status: Status::Truncated, notice: Some("truncated") }
    }

    /// The end at `</field>`, if the text after it shows a closer, or may still do so.
    fn closer(&self, at: usize) -> Option<Close> {
        let rest = &self.text[at..];
        if tag::begins(rest, "</field") {
            return Some(self.cut(at));
        }
        let behind = tag::starts_with(rest, "</field").then(|| &rest["</field".len()..])?;
        let behind = behind.trim_start_matches(SPACES);
        if behind.is_empty() {
            return Some(self.cut(at));
        }
        let behind = behind.strip_prefix('>')?.trim_start_matches(SPACES);
        let next = self.text.len() - behind.len();
        let close = Close { at, next, status: Status::Complete, notice: None };
        follows_field(behind).then_some(close)
    }

    /// The end at a field that begins on a line of its own.
    fn implicit(&self, content: usize, at: usize) -> Option<Close> {
        let line = self.text[content..at].rfind('\n').map(|found| content + found + 1)?;
        let indent = self.text[line..at].trim_matches(BLANKS);
        let rest = &self.text[at..];
        if !indent.is_empty() || !self.may_come(|_| true) {
            return None;
        }
        if tag::begins(rest, "<field") || rest.eq_ignore_ascii_case("<field") {
            return Some(self.cut(at));
        }
        if !tag::opens(rest, "<field", &OPENER_ENDS) {
            return None;
        }
        match tag::end(rest, LONGEST_IMPLICIT) {
            TagEnd::Beyond => None,
            TagEnd::At(len) => {
                let name = tag::attribute(&rest[..len], "name")?.value;
                let notice = Some("missing_close");
                let close = Close { at, next: at, status: Status::Repaired, notice };
                self.may_come(|known| known == name).then_some(close)
            }
            TagEnd::Open => {
                let viable = match tag::attribute(rest, "name") {
                    None => true,
                    Some(name) if name.whole => self.may_come(|known| known == name.value),
                    Some(name) => self.may_come(|known| known.starts_with(&name.value)),
                };
                viable.then(|| self.cut(at))
            }
        }
    }

    /// Whether a declared field with such a name is still missing.
    fn may_come(&self, is_it: impl Fn(&str) -> bool) -> bool {
        let mut names = self.schema.iter().flat_map(|schema| schema.names());
        names.any(|name| is_it(name) && !self.came.iter().any(|came| came == name))
    }

    /// The end of the text inside the possible start of a section.
    fn begins_section(&self, content: usize, at: usize) -> Option<Close> {
        let begins = is_blank(&self.text[content..at]) && CDATA.starts_with(&self.text[at..]);
        begins.then(|| self.cut(at))
    }

    /// The end at `]]>`, whitespace and the closer, or at a possible beginning of these.
    fn section_close(&self, at: usize) -> Option<Close> {
        let rest = &self.text[at..];
        if rest.len() < 3 && "]]>".starts_with(rest) {
            return Some(self.cut(at));
        }
        let behind = rest.strip_prefix("]]>")?.trim_start_matches(SPACES);
        if behind.is_empty() {
            return Some(self.cut(at));
        }
        self.closer(self.text.len() - behind.len()).map(|close| Close { at, ..close })
    }
}

const CDATA: &str = "<![CDATA[";

/// The text without the end of a fence around everything, and without a possible beginning of a tag or
/// comment at its end.
fn without_end(text: &str) -> &str {
    let last = text.rfind("-->").map_or(0, |at| at + "-->".len());
    let fence = text[last..].trim_matches(SPACES);
    if !fence.is_empty() && "```".starts_with(fence) {
        return &text[..last];
    }
    match text.rfind('<') {
        Some(at)
            if ["<field", "<!--"]
                .into_iter()
                .chain(CLOSERS)
                .any(|it| may_become(&text[at..], it)) =>
        {
            &text[..at]
        }
        _ => text,
    }
}

/// Whether a text is a beginning of an ASCII text, or all of it, in any letter case.
fn may_become(text: &str, whole: &str) -> bool {
    tag::begins(text, whole) || text.eq_ignore_ascii_case(whole)
}

/// The position of the next tag that counts between fields.
fn structure(text: &str) -> Option<usize> {
    let counts = |at: usize| {
        let rest = &text[at..];
        tag::opens(rest, "<field", &OPENER_ENDS) || closes_root(rest)
    };
    text.match_indices('<').map(|(at, _)| at).find(|at| counts(*at))
}

/// Whether the text after `</field>` shows that it closes the field.
fn follows_field(text: &str) -> bool {
    let fence = text.strip_prefix("```").is_some_and(is_blank);
    let mut cut = ["<field", "<!--", "```"].into_iter().chain(CLOSERS);
    let cut = cut.any(|whole| may_become(text, whole));
    text.is_empty()
        || fence
        || cut
        || text.starts_with("<!--")
        || tag::opens(text, "<field", &OPENER_ENDS)
        || closes_root(text)
}
