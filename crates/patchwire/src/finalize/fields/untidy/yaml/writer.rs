//! Writes the lines of a mapping anew.

use std::collections::HashSet;

use super::super::names::DeclaredNames;
use super::quotes::mended;
use super::record_members::RecordMembers;
use super::{flow, indent, key, lines};
use crate::schema::{Schema, SchemaId};

/// The lines as YAML, and whether that changes the text of a scalar for certain. None if no line has a declared key.
pub(super) fn written<'s>(
    lines: &[&str],
    names: &DeclaredNames<'s>,
    schema: &'s Schema,
    is_well_formed: bool,
) -> Option<(String, bool)> {
    let (out, seen) = (String::new(), HashSet::new());
    let mut writer = Writer {
        names,
        schema,
        members: RecordMembers::new(schema),
        is_well_formed,
        has_capitals: schema
            .declared_keys(schema.root())
            .any(|key| key.starts_with(char::is_uppercase)),
        out,
        is_sure: false,
        open: None,
        has_items: false,
        seen,
        column: None,
        block: None,
        quoted: None,
        is_plain: false,
        takes_keys: false,
    };
    writer.write(lines);
    let is_sure = writer.takes_keys || writer.is_sure && !is_well_formed;
    (!writer.seen.is_empty()).then_some((writer.out, is_sure))
}

pub(super) struct Writer<'n, 's> {
    names: &'n DeclaredNames<'s>,
    schema: &'s Schema,
    members: RecordMembers<'s>,
    /// Whether all lines are YAML: then none without an indent is text of a block scalar.
    pub(super) is_well_formed: bool,
    /// Whether a declared key begins with a capital letter.
    pub(super) has_capitals: bool,
    out: String,
    pub(super) is_sure: bool,
    /// Whether lines that YAML reads as keys are text.
    pub(super) takes_keys: bool,
    /// The type of the open member, or of its items.
    open: Option<SchemaId>,
    has_items: bool,
    seen: HashSet<&'s str>,
    /// The column of the key of the last line, if its value is a plain text.
    column: Option<usize>,
    /// The column of the key or dash of an open block text in a list or record.
    block: Option<usize>,
    /// The column of the key or dash of a text that was put in quotes and may go on.
    quoted: Option<usize>,
    /// Whether the last member is a plain text on the line of its key.
    is_plain: bool,
}

impl<'s> Writer<'_, 's> {
    fn write(&mut self, lines: &[&str]) {
        let mut at = 0;
        while at < lines.len() {
            let line = lines[at];
            at += 1;
            let Some((name, value)) = self.new_key(line) else {
                self.other(line);
                continue;
            };
            self.seen.insert(name);
            (self.column, self.block, self.quoted) = (None, None, None);
            self.is_plain = value.starts_with(char::is_alphanumeric);
            let rest = &lines[at..];
            let len = self.member_len(rest);
            at += self.member(name, value, rest, len);
        }
    }

    /// How many lines stand before the next declared key. Below a key that is not declared, deeper lines are its own.
    fn member_len(&mut self, lines: &[&str]) -> usize {
        for (len, line) in lines.iter().enumerate() {
            if self.ends(line) {
                return len;
            }
            // A line with an indent is no key.
            self.is_plain &= !is_other_key(line);
        }
        lines.len()
    }

    /// Writes the member of a key; `len` of the lines stand before the next key. Returns how many lines
    /// below the key are written.
    fn member(&mut self, name: &'s str, value: &str, lines: &[&str], len: usize) -> usize {
        let own = &lines[..len];
        let id = self.schema.member(self.schema.root(), name);
        let item = id.and_then(|id| self.schema.item(id));
        self.open = item.or(id);
        self.has_items = item.is_some();
        let key = quoted_key(name);
        if let Some(items) = item.and_then(|_| lines::items_from_key(value, own)) {
            self.is_sure = true;
            self.line(&format!("{key}:"));
            items.iter().for_each(|line| self.other(line));
            return len;
        }
        if self.is_written_whole(&key, value, own, self.is_text(id)) {
            return len;
        }
        if !value.is_empty() {
            self.value_line(&format!("{key}: "), value, id, 0);
            return 0;
        }
        let is_blank = own.iter().all(|line| line.trim().is_empty());
        if is_blank && lines[len..].iter().any(|line| self.is_key(line, name)) {
            // Without a value the next member of the name counts.
            self.seen.remove(name);
            return len;
        }
        self.line(&format!("{key}:"));
        if lines::is_flat_flow(own) {
            self.is_sure = true;
            let closers = missing_closers("", own);
            own.iter().for_each(|line| self.line(&format!("  {line}")));
            closers.iter().for_each(|closers| self.line(&format!("  {closers}")));
            return len;
        }
        if let Some(moved) = self.indented(own) {
            self.is_sure = true;
            let own: Vec<&str> = moved.iter().map(String::as_str).collect();
            if item.is_none() || self.bullets(&own) == 0 {
                own.iter().for_each(|line| self.other(line));
            }
            return len;
        }
        match item {
            Some(_) => self.bullets(own),
            None => 0,
        }
    }

    /// The lines of a list or record with the indent that some of them lack; none if none does.
    fn indented(&self, own: &[&str]) -> Option<Vec<String>> {
        let declares = |key: &str| self.open.is_some_and(|id| self.schema.declares(id, key));
        let dashed = self.has_items.then(|| lines::with_dashes(own, declares)).flatten();
        if self.is_well_formed {
            return dashed;
        }
        let even = dashed.or_else(|| lines::with_even_items(own));
        let own: Vec<&str> = match &even {
            Some(even) => even.iter().map(String::as_str).collect(),
            None => own.to_vec(),
        };
        let is_member = |key: &str| self.members.find(self.open, key.trim()).is_some();
        lines::with_deeper_texts(&own, is_member).or(even)
    }

    /// A value on one line, with the quotes that it lacks.
    fn value(&mut self, value: &str, id: Option<SchemaId>) -> String {
        let item = id.and_then(|id| self.schema.item(id));
        let list = self.is_text(item).then(|| flow::quoted_list(value)).flatten();
        let declares = |key: &str| id.is_some_and(|id| self.schema.declares(id, key));
        let Some(quoted) = list.or_else(|| flow::quoted_mapping(value, declares)) else {
            return self.scalar(value, self.is_text(id));
        };
        self.is_sure = true;
        quoted
    }

    /// Writes a member whose value and lines are one scalar, or a list or mapping without its closers. Whether it
    /// is one.
    fn is_written_whole(&mut self, key: &str, value: &str, own: &[&str], is_text: bool) -> bool {
        if is_block(value) {
            self.line(&format!("{key}: {value}"));
            self.block(own, indent_of_block(value));
            return true;
        }
        let has_more = own.iter().any(|line| indent(line) > 0 && !line.trim().is_empty());
        let header = text_behind_header(value).filter(|_| has_more && is_text);
        if let Some((header, first)) = header {
            self.line(&format!("{key}: {header}"));
            self.line(&format!("  {first}"));
            self.block(own, None);
            return true;
        }
        if let Some(text) = triple_quoted(value, own) {
            self.line(&format!("{key}: |-"));
            text.iter().for_each(|line| self.line(&format!("  {line}")));
            self.is_sure = true;
            return true;
        }
        let is_flow = value.starts_with(['[', '{']);
        if let Some(closers) = is_flow.then(|| missing_closers(value, own)).flatten() {
            self.is_sure = true;
            self.line(&format!("{key}: {value}"));
            own.iter().for_each(|line| self.line(line));
            self.line(&format!("  {closers}"));
            return true;
        }
        !value.is_empty()
            && is_text
            && (self.folded(key, value, own) || self.paragraphs(key, value, own))
    }

    /// The declared member of the open record that a key means, if only the letter case differs.
    fn member_name<'k>(&self, key: &'k str) -> &'k str
    where
        's: 'k,
    {
        self.members.find(self.open, key).unwrap_or(key)
    }

    fn is_text(&self, id: Option<SchemaId>) -> bool {
        id.is_some_and(|id| self.schema.is_text(id))
    }

    fn is_key(&self, line: &str, name: &str) -> bool {
        !line.starts_with([' ', '-']) && key(line, self.names).is_some_and(|(it, _)| it == name)
    }

    /// A declared key at the start of a line that did not come yet.
    fn new_key<'t>(&self, line: &'t str) -> Option<(&'s str, &'t str)> {
        // Nothing can stand below a text on the line of its key.
        let is_deep = self.is_plain && {
            let word = line.trim_start().split(": ").next().unwrap_or("");
            self.names.is_exact(word)
        };
        let may_be = !line.starts_with('-') && (is_deep || !line.starts_with(' '));
        let found = key(line, self.names).filter(|_| may_be);
        found.filter(|(name, _)| !self.seen.contains(name))
    }

    fn ends(&self, line: &str) -> bool {
        self.new_key(line).is_some()
    }

    pub(super) fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// Writes an item of a list of texts in quotes, if YAML would read a key in it. A block text below the key ends with its
    /// indent, and needs none. Whether it did.
    fn quoted_item(&mut self, lead: &str, body: &str) -> bool {
        let is_header = body.split_once(": ").is_some_and(|(_, value)| is_block(value.trim()));
        if is_header || !is_mapping(body) {
            return false;
        }
        self.quoted = Some(lead.trim_end().len() - 1);
        self.line(&format!("{lead}'{}'", body.trim().replace('\'', "''")));
        true
    }

    /// Writes a value behind its key or dash, which stands in this column. If a text gets quotes, deeper lines go on in them.
    fn value_line(&mut self, lead: &str, value: &str, id: Option<SchemaId>, column: usize) {
        let written = self.value(value, id);
        self.line(&format!("{lead}{written}"));
        let is_quoted = written != value && written.ends_with('\'') && self.is_text(id);
        self.quoted = is_quoted.then_some(column);
    }

    /// Adds a line to the text before it, if that was put in quotes and the line is part of it. Another `key: value` stays
    /// a line of its own.
    fn goes_on(&mut self, line: &str) -> bool {
        let (Some(column), text) = (self.quoted, line.trim()) else { return false };
        if text.is_empty() {
            return false;
        }
        if indent(line) <= column || text.starts_with('#') || bullet(line).is_some() {
            self.quoted = None;
            return false;
        }
        // Behind the closing quote are only line ends, and blanks on lines of their own.
        let end = self.out.trim_end().len();
        let breaks = self.out.split_off(end).matches('\n').count();
        self.out.pop();
        let breaks = "\n".repeat(breaks.max(1 + usize::from(is_mapping(text))));
        let pad = " ".repeat(column + 2);
        self.line(&format!("{breaks}{pad}{}'", text.replace('\'', "''")));
        true
    }

    /// The items of a list with bullets that YAML does not know. Returns how many lines they are.
    fn bullets(&mut self, lines: &[&str]) -> usize {
        let filled = || lines.iter().filter(|line| !line.trim().is_empty());
        let Some(first) = filled().next() else { return 0 };
        let Some((mark, _)) = bullet(first).or_else(|| tight(first)) else { return 0 };
        let is_tight = bullet(first).is_none();
        let is_tight =
            is_tight || filled().any(|line| indent(line) == indent(first) && tight(line).is_some());
        if mark == "-" && !is_tight {
            return 0;
        }
        let base = indent(first);
        let is_item = |line: &str| bullet(line).or_else(|| tight(line)).is_some();
        if is_tight && !filled().all(|line| indent(line) > base || is_item(line)) {
            return 0;
        }
        // Among items, a dash without its blank is no text.
        self.is_sure |= is_tight && filled().any(|line| bullet(line).is_some());
        let mut is_shifted = false;
        for line in lines {
            if line.trim().is_empty() {
                self.line("");
                continue;
            }
            let is_own = indent(line) == base;
            let found = bullet(line).or_else(|| tight(line).filter(|_| is_tight));
            match found.filter(|_| is_own) {
                // As wide as the mark, so that the lines below keep their indent.
                Some((mark, text)) => {
                    is_shifted = bullet(line).is_none();
                    let wide = " ".repeat(mark.chars().count());
                    self.other(&format!("{}-{wide}{text}", " ".repeat(base)));
                }
                // The members of an item whose dash got a blank.
                None if is_shifted => self.other(&format!(" {line}")),
                None => self.other(line),
            }
        }
        lines.len()
    }

    /// Any other line, with the quotes of its scalar mended.
    pub(super) fn other(&mut self, line: &str) {
        if self.block.is_some_and(|column| line.trim().is_empty() || indent(line) > column) {
            return self.line(line);
        }
        self.block = None;
        let dashed = with_dash(line);
        self.is_sure |= dashed.is_some();
        let line = dashed.as_deref().unwrap_or(line);
        let body = line.trim_start_matches([' ', '-']);
        let lead = &line[..line.len() - body.len()];
        let is_item = lead.trim_end().ends_with('-');
        let has_text_items = self.is_text(self.open);
        if self.goes_on(line) || is_item && has_text_items && self.quoted_item(lead, body) {
            return;
        }
        if let Some(members) = self.one_line(body).filter(|_| is_item) {
            self.is_sure = true;
            let pad = " ".repeat(lead.len());
            for (at, (key, value)) in members.into_iter().enumerate() {
                self.line(&format!("{}{key}: {value}", if at == 0 { lead } else { &pad }));
            }
            return;
        }
        let value = match body.split_once(": ") {
            Some((key, value)) if is_word(bare_key(key)) => Some((bare_key(key), value)),
            _ => None,
        };
        let may_be_block = value.is_some() || is_item;
        let dash = lead.trim_end().len().saturating_sub(1);
        if may_be_block && is_block(value.map_or(body, |(_, value)| value).trim()) {
            self.block = Some(if value.is_some() { lead.len() } else { dash });
        }
        let column = self.column.take();
        match value {
            Some((key, value)) => {
                // YAML would read this line as more of the text before it.
                let is_deep = !is_item && column.is_some_and(|column| lead.len() > column);
                let column = column.filter(|_| is_deep).unwrap_or(lead.len());
                self.is_sure |= is_deep;
                let is_plain = value.trim().starts_with(char::is_alphanumeric);
                self.column = is_plain.then_some(column);
                let key = self.member_name(key);
                let id = self.open.and_then(|id| self.schema.member(id, key));
                let lead = if is_deep { " ".repeat(column) } else { lead.to_owned() };
                self.value_line(&format!("{lead}{key}: "), value.trim(), id, lead.len());
            }
            None if body.trim_end().strip_suffix(':').is_some_and(|it| is_word(bare_key(it))) => {
                let key = self.member_name(bare_key(body.trim_end().trim_end_matches(':')));
                self.line(&format!("{lead}{key}:"));
            }
            None if is_item && (has_text_items || !has_quoted_key(body)) => {
                self.value_line(lead, body.trim_end(), self.open, dash);
            }
            None => self.line(line),
        }
    }

    /// The members of a record that stand on one line: `do: a, minutes: 5`.
    fn one_line<'t>(&self, text: &'t str) -> Option<Vec<(&'t str, &'t str)>> {
        let id = self.open.filter(|id| self.schema.declares_keys(*id))?;
        let (mut members, mut known) = (Vec::new(), HashSet::new());
        for part in text.trim().split(", ") {
            let (key, value) = part.split_once(": ")?;
            if !known.insert(key) || !self.schema.declares(id, key) || value.contains(": ") {
                return None;
            }
            members.push((key, value));
        }
        (members.len() > 1).then_some(members)
    }

    /// A scalar on one line. Quotes inside its quotes are escaped; quotes around a part of it are content. In a
    /// text, `#3` is no comment, and `!word` is no tag.
    fn scalar(&mut self, value: &str, is_text: bool) -> String {
        if is_text && is_marked(value) {
            return format!("'{}'", value.replace('\'', "''"));
        }
        let Some(mended) = mended(value) else { return value.to_owned() };
        self.is_sure = true;
        mended
    }
}

/// The word in a line that looks like a key.
pub(super) fn other_key(line: &str) -> Option<&str> {
    let (word, rest) = line.split_once(':')?;
    (is_word(word) && (rest.is_empty() || rest.starts_with(' '))).then_some(word)
}

/// Whether a line looks like a key that is not declared.
pub(super) fn is_other_key(line: &str) -> bool {
    other_key(line).is_some()
}

/// Whether a value on one line may be a text that YAML reads otherwise: `#3`, `!word`, `bug #3`, `| word`.
pub(super) fn is_odd(value: &str) -> bool {
    is_marked(value) || text_behind_header(value).is_some()
}

/// Whether a value on one line is a text that YAML would cut: `#3`, `!word`, `bug #3`.
pub(super) fn is_marked(value: &str) -> bool {
    let is_plain = !value.starts_with(['"', '\'', '[', '{', '|', '>', '&', '*']);
    let is_digit =
        |(at, _): (usize, &str)| value[at + 2..].starts_with(|it: char| it.is_ascii_digit());
    is_plain && (is_word_mark(value) || value.match_indices(" #").any(is_digit))
}

/// Whether a value begins with `#word` or `!word`. `!!word` is a tag, and `# word` a comment.
pub(in super::super) fn is_word_mark(value: &str) -> bool {
    let behind = value.strip_prefix(['#', '!']);
    behind.is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
}

/// The header of a block scalar, and the text behind it on the same line.
fn text_behind_header(value: &str) -> Option<(&str, &str)> {
    let (header, text) = value.split_once(' ')?;
    let text = text.trim();
    let is_header = matches!(header, "|" | "|-" | "|+" | ">" | ">-" | ">+");
    (is_header && !text.is_empty() && !text.starts_with('#')).then_some((header, text))
}

/// Whether the text of an item is a key and a value.
fn is_mapping(text: &str) -> bool {
    let is_quoted = text.starts_with(['"', '\'', '[', '{', '|', '>', '&', '*', '!']);
    !is_quoted && (text.contains(": ") || text.trim_end().ends_with(':'))
}

/// The closers that a list or mapping in brackets lacks before the next key; none if it lacks none.
fn missing_closers(value: &str, lines: &[&str]) -> Option<String> {
    let mut closers = Vec::new();
    let mut quote = None;
    for char in core::iter::once(&value).chain(lines).flat_map(|line| line.chars()) {
        match (quote, char) {
            (Some(open), _) if open == char => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(char),
            (None, '[') => closers.push(']'),
            (None, '{') => closers.push('}'),
            (None, ']' | '}') => {
                closers.pop()?;
            }
            _ => {}
        }
    }
    (!closers.is_empty() && quote.is_none()).then(|| closers.iter().rev().collect())
}

/// The lines between two rows of three quotes.
fn triple_quoted<'t>(value: &'t str, lines: &[&'t str]) -> Option<Vec<&'t str>> {
    let first = value.strip_prefix("\"\"\"")?;
    let end = lines.iter().position(|line| line.trim_end().ends_with("\"\"\""))?;
    let last = lines[end].trim_end().strip_suffix("\"\"\"")?;
    let mut text: Vec<&str> = Vec::new();
    text.extend(Some(first).filter(|line| !line.is_empty()));
    text.extend(&lines[..end]);
    text.extend(Some(last).filter(|line| !line.trim().is_empty()));
    Some(text)
}

fn quoted_key(name: &str) -> String {
    if is_word(name) { name.to_owned() } else { format!("'{}'", name.replace('\'', "''")) }
}

/// A key without the quotes around it.
fn bare_key(key: &str) -> &str {
    let inner = |mark: char| key.strip_prefix(mark)?.strip_suffix(mark);
    ['"', '\''].into_iter().find_map(inner).unwrap_or(key)
}

/// Whether a line begins with a key in quotes.
fn has_quoted_key(line: &str) -> bool {
    let quote = line.chars().next().filter(|it| matches!(it, '"' | '\''));
    let behind = quote.and_then(|quote| line[1..].split_once(quote));
    behind.is_some_and(|(_, rest)| rest.starts_with(": ") || rest.trim_end() == ":")
}

pub(super) fn is_word(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-'))
}

/// Whether a value is the header of a block scalar (YAML 1.2, section 8.1.1).
pub(super) fn is_block(value: &str) -> bool {
    let header = value.split(" #").next().unwrap_or("").trim_end();
    let rest = header.strip_prefix(['|', '>']);
    rest.is_some_and(|rest| rest.chars().all(|char| matches!(char, '+' | '-' | '1'..='9')))
}

/// The indent that the header of a block scalar says.
fn indent_of_block(header: &str) -> Option<usize> {
    let mark = header.split(" #").next()?.chars().find_map(|char| char.to_digit(10))?;
    usize::try_from(mark).ok()
}

/// The bullet or number of a line and the text behind it.
fn bullet(line: &str) -> Option<(&str, &str)> {
    let body = line.trim();
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let len = match digits {
        0 => body.chars().next().filter(|mark| "-*+•–".contains(*mark))?.len_utf8(),
        1..=3 if body[digits..].starts_with(['.', ')']) => digits + 1,
        _ => return None,
    };
    let text = body[len..].strip_prefix([' ', '\t'])?;
    Some((&body[..len], text.trim()))
}

/// A line with a dash in place of another bullet before its text.
fn with_dash(line: &str) -> Option<String> {
    let body = line.trim_start();
    let text = body.strip_prefix(['*', '•'])?.strip_prefix(' ')?;
    Some(format!("{}- {text}", &line[..line.len() - body.len()]))
}

/// A dash or star right before a word, and the word.
fn tight(line: &str) -> Option<(&str, &str)> {
    let body = line.trim();
    let text =
        body.strip_prefix(['-', '*']).filter(|text| text.starts_with(char::is_alphabetic))?;
    Some((&body[..1], text))
}
