//! Reads the text of a field as a value of its type, where the text is no JSON: words such as `yes`, numbers
//! with emphasis, bullets, words with commas, a value on each line, a table.

mod lists;
pub(super) mod numbers;
mod records;
mod words;

use core::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::untidy::{DeclaredNames, layout};
use crate::check::fit;
use crate::codes::Code;
use crate::document::{Document, NodeKind, Placement, ValueKind, ValueRef};
use crate::finalize::reread::{self, Reread};
use crate::finalize::{align, repaired};
use crate::leniency::Leniency;
use crate::lex::fence_line;
use crate::schema::{Schema, SchemaId};
use crate::spec::Settings;
use lists::{bullets, elements, lettered, table};
pub(in crate::finalize) use words::without_underscores;
use words::{without_marks, word};

/// How deep lists and objects of such texts may nest.
const DEPTH: u8 = 3;

/// The value of the text of a field, and the code of the notice about it; none if the text has no value of
/// the type.
pub(super) fn read(
    name: &str,
    text: &str,
    schema: &Schema,
    id: SchemaId,
    settings: &Settings,
) -> Option<(Option<Code>, Document)> {
    let inner = fence_line::inside(text).unwrap_or(text);
    // The first line keeps its place among the others.
    let plain = layout::dedented(inner, "");
    let text = without_ticks(plain.as_deref().unwrap_or(inner).trim());
    let free = settings.without_schema();
    let reader = ValueReader { schema, free: &free, names: RefCell::default() };
    if let Some(value) = reader.strict(text, id) {
        return Some((None, value));
    }
    if reader.is_text(id) || !settings.json.rules.allow(Leniency::UntidyFields) {
        return None;
    }
    if reader.denies(name, text, id) {
        return reader.items(core::iter::empty()).map(|value| (Some(Code::UntidyValue), value));
    }
    let text = reader.without_label(name, text, id);
    if let Some(value) = reader.leading(text, id).or_else(|| reader.enclosed(text, id)) {
        return Some((Some(Code::TrailingContent), value));
    }
    let items = reader.schema.item(id).map_or(text, |_| lists::without_closing(text));
    if items.len() < text.len()
        && let Some(value) = reader.value(items, id, DEPTH)
    {
        return Some((Some(Code::TrailingContent), value));
    }
    reader.value(text, id, DEPTH).map(|value| (Some(Code::UntidyValue), value))
}

/// The bool, number or null that a word means, if it is of the type.
pub(super) fn scalar(
    text: &str,
    schema: &Schema,
    id: SchemaId,
    settings: &Settings,
) -> Option<Document> {
    let free = settings.without_schema();
    let reader = ValueReader { schema, free: &free, names: RefCell::default() };
    let text = text.trim();
    if reader.is_text(id) { None } else { reader.scalar(text, id) }
}

/// A text without the marks of a code span around all of it.
fn without_ticks(text: &str) -> &str {
    let inner = text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    inner.filter(|inner| !inner.contains('`')).map_or(text, str::trim)
}

struct ValueReader<'s> {
    schema: &'s Schema,
    free: &'s Settings,
    /// The declared names of the types that were looked at.
    names: RefCell<HashMap<SchemaId, DeclaredNames<'s>>>,
}

impl<'s> ValueReader<'s> {
    fn is_text(&self, id: SchemaId) -> bool {
        self.schema.matches_kind(id, ValueKind::String)
    }

    fn is_scalar(&self, id: SchemaId) -> bool {
        !self.schema.may_be_list(id) && !self.schema.matches_kind(id, ValueKind::Object)
    }

    fn fits(&self, value: &Document, id: SchemaId) -> bool {
        super::untidy::fits(value.value(), id, self.schema)
    }

    /// Whether a text says that a list has no items by the name of its field: `No alerts.`
    fn denies(&self, name: &str, text: &str, id: SchemaId) -> bool {
        let letters = super::untidy::letters;
        let denied = text.get(..3).filter(|word| word.eq_ignore_ascii_case("no "));
        let rest = denied.map(|word| text[word.len()..].trim_end_matches(['.', '!']));
        let is_name = rest.is_some_and(|rest| letters(rest) == letters(name));
        is_name && !name.is_empty() && self.schema.item(id).is_some()
    }

    /// Removes the name of its field, and the colon or number after it, from the start of a text. Keeps it if the type has a
    /// member of that name.
    fn without_label<'t>(&self, name: &str, text: &'t str, id: SchemaId) -> &'t str {
        let has = |id| self.schema.member(id, name).is_some();
        if has(id) || self.schema.item(id).is_some_and(has) {
            return text;
        }
        let bare = text.trim_start_matches(['*', '_']);
        let is_number = |rest: &&str| rest.starts_with(|it: char| it.is_ascii_digit());
        let value = behind_name(bare, name).and_then(|rest| {
            // `Line 42`
            rest.strip_prefix([':', '=']).or_else(|| Some(rest).filter(is_number))
        });
        // `Grade 6` for `grade_level`
        let mut words = name.split(['_', '-', ' ']).filter(|word| word.len() > 2);
        let value = value.or_else(|| words.find_map(|it| behind_name(bare, it).filter(is_number)));
        value.map_or(text, |value| value.trim_start_matches(['*', '_']).trim())
    }

    /// The value that a text begins with, if an empty line or a bracket follows it.
    fn leading(&self, text: &str, id: SchemaId) -> Option<Document> {
        let goes_on = |rest: &str| {
            let visible = rest.trim_start();
            let is_apart = rest[..rest.len() - visible.len()].matches('\n').count() > 1;
            (is_apart || visible.starts_with('('))
                && !rest.trim_start().starts_with(['{', '[', ',', '"'])
        };
        if text.starts_with(['{', '[']) {
            let read = reread::root(text.as_bytes(), 0, self.free)?;
            let rest = text.get(read.span.end as usize..)?;
            // Behind a value without an end nothing is left.
            let is_own = !read.is_lossy && goes_on(rest);
            let fits = is_own && self.fits(&read.document, id);
            return fits.then_some(read.document).or_else(|| self.leading_items(text, id));
        }
        let leading = || {
            let len = text.find(['\n', '(', ' '])?;
            let value = word(&text[..len]).filter(|value| self.fits(value, id))?;
            goes_on(&text[len..]).then_some(value)
        };
        // A number or bool in words, before an empty line.
        let first = || {
            let len = text.find('\n').filter(|_| self.is_scalar(id))?;
            let value = self.scalar(text[..len].trim(), id)?;
            goes_on(&text[len..]).then_some(value)
        };
        leading().or_else(first)
    }

    /// The items of a list as JSON on lines of their own, before an empty line and words.
    fn leading_items(&self, text: &str, id: SchemaId) -> Option<Document> {
        let behind = text.rfind(['}', ']'])? + 1;
        let rest = text[behind..].trim_start_matches(',');
        let is_apart = rest.trim_start_matches([' ', '\r']).starts_with('\n')
            && rest.trim_start().starts_with(char::is_alphanumeric)
            && rest.split('\n').nth(1).is_some_and(|line| line.trim().is_empty());
        is_apart.then(|| self.joined(&text[..behind], id)).flatten()
    }

    /// The value in the only fenced block of a text, with words around it.
    fn enclosed(&self, text: &str, id: SchemaId) -> Option<Document> {
        let is_container = self.schema.item(id).is_some() || self.schema.only_object(id).is_some();
        let block = || self.value(lists::only_block(text)?, id, DEPTH);
        let (first, rest) = text.split_once('\n').filter(|_| is_container)?;
        // Words on a line before the value, or the language of a fence.
        let is_words =
            first.starts_with(char::is_alphabetic) && rest.trim_start().starts_with(['{', '[']);
        block().or_else(|| is_words.then(|| self.json(rest.trim(), id)).flatten())
    }

    fn strict(&self, text: &str, id: SchemaId) -> Option<Document> {
        let read = reread::strict(text, 0, self.free)?;
        self.fits(&read.document, id).then_some(read.document)
    }

    /// JSON, perhaps with slips, that is all of a text: a value of the type, or an object around one.
    fn json(&self, text: &str, id: SchemaId) -> Option<Document> {
        let strict = reread::strict(text, 0, self.free);
        let read = strict.or_else(|| {
            text.starts_with(['{', '[', '(']).then(|| repaired::root_of(text, self.free))?
        })?;
        let rest = text.get(read.span.end as usize..)?;
        // The end of the field is the end of a container that has no closer, if its last item is complete.
        let behind = text.trim_end_matches([',', ' ', '\n', '\r', '\t']);
        let is_complete = read.is_complete || behind.ends_with(['}', ']', '"']);
        if !is_complete || read.is_lossy || !rest.trim().is_empty() {
            return None;
        }
        let value = read.document.value();
        let scalar = || {
            let (_, inner) = value.entries().next()?;
            let is_wrapper = value.kind() == ValueKind::Object && value.len() == 1;
            (is_wrapper && !super::untidy::fits(value, id, self.schema)).then_some(inner)
        };
        let inner = align::wrapped(self.schema, id, value).or_else(scalar).map(Document::copy_of);
        let inner = inner.filter(|inner| self.fits(inner, id));
        let all = || self.fits(&read.document, id).then(|| Document::copy_of(value));
        inner.or_else(all).or_else(|| self.scalars(value, id))
    }

    /// A list whose items are of their type, or texts that mean one: `["High", "3"]`.
    fn scalars(&self, list: ValueRef<'_>, id: SchemaId) -> Option<Document> {
        let item = self.schema.item(id).filter(|_| list.kind() == ValueKind::List)?;
        self.items(list.entries().map(|(_, it)| {
            let own = Document::copy_of(it);
            let is_own = fit::alternative(self.schema, item, it).is_some();
            if is_own { Some(own) } else { self.value(it.as_str()?, item, 0) }
        }))
    }

    fn value(&self, text: &str, id: SchemaId, depth: u8) -> Option<Document> {
        let text = text.trim();
        if let Some(value) = self.json(text, id) {
            return Some(value);
        }
        if self.is_text(id) {
            let bare = without_marks(text);
            let value = Document::string(bare);
            let fits = !bare.is_empty() && self.fits(&value, id);
            return fits.then_some(value).or_else(|| align::chosen(self.schema, id, text));
        }
        if let Some(value) = self.scalar(text, id) {
            return Some(value);
        }
        if let Some(inner) = elements(text).filter(|it| it.len() == 1 && self.is_scalar(id)) {
            return self.scalar(inner[0].1, id);
        }
        let depth = depth.checked_sub(1)?;
        match self.schema.item(id) {
            Some(item) => self.list(text, id, item, depth),
            None => self.object(text, id, depth),
        }
    }

    fn scalar(&self, text: &str, id: SchemaId) -> Option<Document> {
        let is_bool = || self.schema.matches_kind(id, ValueKind::Bool);
        let answer = || words::answer(text).or_else(|| words::first_word(text));
        let scalar = word(text).or_else(|| answer().filter(|_| is_bool()));
        let scalar = scalar.filter(|value| self.fits(value, id));
        let is_whole = !self.schema.matches_number(id, "0.5");
        let number = || numbers::measured(text, is_whole).filter(|value| self.fits(value, id));
        scalar.or_else(number)
    }

    fn list(&self, text: &str, id: SchemaId, item: SchemaId, depth: u8) -> Option<Document> {
        if text.is_empty() {
            return None;
        }
        let is_denied = || !self.is_text(item) && words::is_denial(text, &[]);
        if words::is_nothing(text) || is_denied() {
            return self.items(core::iter::empty());
        }
        let blocks = lists::blocks(text);
        // `1) a` is an item, and no number before one.
        let is_numbered =
            text.starts_with(|it: char| it.is_ascii_digit()) && bullets(text).is_some();
        let joined = || self.joined(blocks.as_deref().unwrap_or(text), id);
        if let Some(list) = (!is_numbered).then(joined).flatten() {
            return Some(list);
        }
        if let Some(rows) = table(text) {
            return self.rows(&rows, item, depth);
        }
        if let Some(items) = elements(text) {
            if let Some(records) = self.element_records(&items, item, depth) {
                return Some(records);
            }
            let inner = elements(items[0].1).filter(|_| items.len() == 1);
            let has = |name: &str| self.member_name(item, name).is_some();
            // An element around all items, such as `<ul>`.
            if inner.is_some_and(|inner| !inner.iter().any(|(name, _)| has(name))) {
                return self.list(items[0].1, id, item, depth);
            }
            return self.items(items.iter().map(|(_, it)| self.value(it, item, depth)));
        }
        let items = lists::numbered_on_line(text).or_else(|| bullets(text));
        let has_flat_items =
            items.as_ref().is_none_or(|items| items.iter().all(|item| !item.contains('\n')));
        let headed = || self.headed(text, item, depth);
        let records = has_flat_items.then(|| self.records(text, item, depth)).flatten();
        if let Some(records) = records.or_else(headed) {
            return Some(records);
        }
        let marked = items.or_else(|| lettered(text));
        if marked.is_none()
            && let Some(rest) = lists::without_label(text)
        {
            return self.list(rest, id, item, depth);
        }
        let items = match marked {
            Some(items) => items,
            None if text.contains('\n') => lines(text)?,
            None if numbers::is_grouped(text) => vec![text.to_owned()],
            None if text.starts_with(['[', '{', '(']) => return None,
            None => lists::parts(text),
        };
        let values = self.items(items.iter().map(|it| self.value(it, item, depth)));
        values.or_else(|| self.pairs(&items, item, depth))
    }

    fn items(&self, items: impl Iterator<Item = Option<Document>>) -> Option<Document> {
        let mut list = Document::default();
        let root = list.open(Placement::Root, NodeKind::List);
        for item in items {
            list.graft(Placement::Item(root), item?.value());
        }
        list.complete(root);
        Some(list)
    }

    /// Several JSON values, one after the other. Several lists become one.
    fn joined(&self, text: &str, id: SchemaId) -> Option<Document> {
        let begins = |it: char| "{[\"".contains(it) || it.is_ascii_digit();
        // `1,000` is no two items.
        let is_grouped = |line: &str| numbers::is_grouped(line.trim_end().trim_end_matches(','));
        let has_groups =
            (text.contains('\n') || text.contains(",0")) && text.lines().any(is_grouped);
        if has_groups || !text.strip_prefix('-').unwrap_or(text).starts_with(begins) {
            return None;
        }
        let read = self.whole_list(format!("[{text}]")).or_else(|| {
            let has_closer = text.ends_with(']');
            has_closer.then(|| self.whole_list(format!("[{text}")))?
        })?;
        if self.fits(&read.document, id) {
            return Some(read.document);
        }
        let lists = read.document.value();
        let mut one = Document::default();
        let root = one.open(Placement::Root, NodeKind::List);
        for (_, list) in lists.entries() {
            if list.kind() != ValueKind::List {
                return None;
            }
            for (_, item) in list.entries() {
                one.graft(Placement::Item(root), item);
            }
        }
        one.complete(root);
        self.fits(&one, id).then_some(one)
    }

    /// A list that is all of a text, with nothing lost.
    fn whole_list(&self, text: String) -> Option<Reread> {
        let read = reread::root(text.as_bytes(), 0, self.free)?;
        let is_all = read.span.end as usize == text.len();
        (read.is_complete && !read.is_lossy && is_all).then_some(read)
    }

    /// The records of a table. Its head names the members.
    fn rows(&self, rows: &[Vec<String>], item: SchemaId, depth: u8) -> Option<Document> {
        let (head, rows) = rows.split_first()?;
        let names: Vec<Option<&str>> =
            head.iter().map(|cell| self.member_name(item, cell)).collect();
        if names.iter().all(Option::is_none) {
            let first = |row: &Vec<String>| self.value(row.first()?, item, depth);
            return if head.len() == 1 { self.items(rows.iter().map(first)) } else { None };
        }
        let record = |row: &Vec<String>| {
            let cells = names.iter().zip(row);
            let cells = cells.filter_map(|(name, cell)| Some(((*name)?, cell.clone())));
            self.members(cells, item, depth)
        };
        self.items(rows.iter().map(record))
    }

    /// The object that a table of one row says, or a table with a member in each row.
    fn row(&self, rows: &[Vec<String>], id: SchemaId, depth: u8) -> Option<Document> {
        let name = |cell: &String| self.member_name(id, cell);
        let is_row = rows.len() == 2 && rows[0].iter().all(|cell| name(cell).is_some());
        let pairs: Vec<(&String, &String)> = if is_row {
            rows[0].iter().zip(&rows[1]).collect()
        } else {
            let is_head = |row: &Vec<String>| row.first().is_some_and(|it| name(it).is_some());
            let from = usize::from(!is_head(&rows[0]));
            rows[from..].iter().filter_map(|row| Some((row.first()?, row.get(1)?))).collect()
        };
        let members: Option<Vec<_>> =
            pairs.iter().map(|(key, value)| Some((name(key)?, (*value).clone()))).collect();
        self.members(members?.into_iter(), id, depth)
    }

    fn member_name(&self, id: SchemaId, written: &str) -> Option<&'s str> {
        let mut names = self.names.borrow_mut();
        let names = names.entry(id).or_insert_with(|| DeclaredNames::of_type(self.schema, id));
        let written = without_marks(written);
        names.find(written).or_else(|| names.find(without_unit(written)?))
    }

    fn members<'n>(
        &self,
        members: impl Iterator<Item = (&'n str, String)>,
        id: SchemaId,
        depth: u8,
    ) -> Option<Document> {
        let mut object = Document::default();
        let root = object.open(Placement::Root, NodeKind::Object);
        for (name, text) in members {
            let member = self.schema.member(id, name)?;
            if text.trim().is_empty() {
                continue;
            }
            // `Day 1` for `day`
            let number = || self.value(self.without_label(name, &text, member), member, depth);
            let is_text = self.is_text(member);
            let value = self.value(&text, member, depth).or_else(|| number().filter(|_| !is_text));
            object.graft(Placement::Member(root, name), value?.value());
        }
        object.complete(root);
        (!object.value().is_empty()).then_some(object)
    }

    /// The members that are elements: `<do>a</do><minutes>5</minutes>`.
    fn member_elements(&self, text: &str, id: SchemaId) -> Option<Vec<(&str, String)>> {
        let elements = elements(text)?;
        let named =
            |(name, text): &(&str, &str)| Some((self.member_name(id, name)?, (*text).to_owned()));
        elements.iter().map(named).collect()
    }

    /// The members of a line `do: a, minutes: 5`. None if one of its parts is no member.
    fn one_line(&self, line: &str, id: SchemaId) -> Option<Vec<(&str, String)>> {
        let mut members: Vec<(&str, String)> = Vec::new();
        for part in line.split([',', ';', '|']) {
            let (key, value) = line_member(part.trim())?;
            members.push((self.member_name(id, key)?, value.to_owned()));
        }
        Some(members)
    }

    /// An object that is written as lines `key: value`.
    fn object(&self, text: &str, id: SchemaId, depth: u8) -> Option<Document> {
        let id = self.schema.only_object(id)?;
        if let Some(members) = self.member_elements(text, id) {
            return self.members(members.into_iter(), id, depth);
        }
        if let Some(rows) = table(text) {
            return self.row(&rows, id, depth);
        }
        let mut members: Vec<(&str, String)> = Vec::new();
        let mut seen: HashSet<&str> = HashSet::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let body = line.trim().trim_start_matches(['-', '*', '+', '•']).trim_start();
            let several = self.one_line(line.trim(), id).or_else(|| self.one_line(body, id));
            let several = several.filter(|it| it.iter().all(|(name, _)| !seen.contains(name)));
            if let Some(several) = several {
                seen.extend(several.iter().map(|(name, _)| *name));
                members.extend(several);
                continue;
            }
            let member = |line| {
                let (key, value) = line_member(line)?;
                Some((self.member_name(id, key)?, value))
            };
            // The value stands below.
            let head = || Some((self.member_name(id, records::heading(line.trim())?)?, ""));
            let named = member(line.trim()).or_else(|| member(body)).or_else(head);
            match (named.filter(|(name, _)| seen.insert(name)), members.last_mut()) {
                (Some((name, value)), _) => members.push((name, value.to_owned())),
                (_, Some((_, text))) => {
                    text.push('\n');
                    text.push_str(line.trim());
                }
                (_, None) => return None,
            }
        }
        self.members(members.into_iter(), id, depth)
    }
}

/// A name without the unit in brackets behind it: `Price ($)`.
fn without_unit(written: &str) -> Option<&str> {
    let (name, _) = written.trim_end().strip_suffix([')', ']'])?.rsplit_once(['(', '['])?;
    Some(name.trim_end()).filter(|name| !name.is_empty())
}

/// The text behind a name in any letter case, with blanks for its underscores, and behind marks.
fn behind_name<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let same = |(one, other): (u8, u8)| match one {
        b'_' | b'-' | b' ' => matches!(other, b'_' | b'-' | b' '),
        _ => one.eq_ignore_ascii_case(&other),
    };
    let label = text.get(..name.len())?;
    let rest = text[label.len()..].trim_start_matches(['*', '_', ' ']);
    name.bytes().zip(label.bytes()).all(same).then_some(rest)
}

/// The lines of a text that have something to say. None if one of them is code.
fn lines(text: &str) -> Option<Vec<String>> {
    let is_code = |line: &str| {
        let line = line.trim_start();
        line.starts_with("```") || line.starts_with(['~', '{', '['])
    };
    if text.lines().any(is_code) {
        return None;
    }
    let filled = text.lines().map(str::trim);
    let filled = filled.filter(|line| !line.is_empty() && !lists::is_rule(line));
    Some(filled.map(str::to_owned).collect())
}

/// The key and the value of a line `key: value`, without emphasis around the key.
fn line_member(line: &str) -> Option<(&str, &str)> {
    let assigned = line.split_once(" = ").filter(|(key, _)| !key.contains(':'));
    let (key, value) = assigned.or_else(|| line.split_once(':'))?;
    let value =
        if key.starts_with(['*', '_']) { value.trim_start_matches(['*', '_']) } else { value };
    Some((key.trim_matches(['*', '_', ' ']), value.trim()))
}

#[cfg(test)]
mod tests;
