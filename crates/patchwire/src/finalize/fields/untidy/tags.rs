//! Fields in tags: without a root or in another, closed by their names, elements named after fields.
//!
//! A field reaches from its opener to the last closer before the next opener. Text between them is no
//! content.

use std::borrow::Cow;
use std::collections::HashSet;

use super::drafts::Settled;
use super::names::DeclaredNames;
use super::{RawField, RawFields, Sure, drafts, layout, sections, without_layout};
use crate::codes::Code;
use crate::schema::Schema;
use crate::spec::Settings;
use crate::text::WHITESPACE;

/// The attributes that may hold the name of a field.
const NAMES: [&str; 4] = ["name", "key", "id", "field"];
/// The attributes that may hold the value of a field without content.
const VALUES: [&str; 3] = ["value", "content", "text"];
/// What begins text in which nothing is markup.
const CDATA: &str = "<![CDATA[";
/// Most bytes of a tag.
const LONGEST: usize = 256;

/// A tag in the text.
#[derive(Debug, Clone, Copy)]
struct Tag<'t> {
    start: usize,
    end: usize,
    /// The name and the attributes.
    name: &'t str,
    attributes: &'t str,
    is_closer: bool,
    is_empty: bool,
}

/// An opener of a field.
struct Opener<'t, 's> {
    tag: Tag<'t>,
    /// Whether an attribute names the field, and not the element.
    by_attribute: bool,
    /// The declared name; none for a field that is not declared.
    name: Option<&'s str>,
}

/// The content of a field.
#[derive(Debug, Clone, Copy)]
struct Content<'t> {
    text: &'t str,
    /// Where the tag begins that ends it.
    end: usize,
    /// Whether more text stands between it and the next field, or its tags are odd.
    has_stray: bool,
}

/// A field whose closer is searched for.
#[derive(Debug, Clone, Copy)]
struct Sought<'n> {
    name: &'n str,
    /// Where the next field begins.
    next: usize,
    /// Where the next declared field begins.
    next_declared: usize,
    /// Whether its type is no text.
    is_value: bool,
}

/// Reads the fields of a text.
pub(super) fn read<'t>(
    text: &'t str,
    settings: &Settings,
    schema: &Schema,
) -> Option<RawFields<'t>> {
    let names = DeclaredNames::of(schema);
    let tags = tags(text);
    let openers = openers(text, &tags, &names, schema);
    if let Some(fields) =
        elements_in_line(text, &tags, &names, schema).filter(|_| openers.is_empty())
    {
        let (code, sure, hidden) = (Code::UntidyFields, Sure::No, Vec::new());
        return Some(RawFields { fields, code, sure, hidden });
    }
    let first = openers.first().map_or(0, |opener| opener.tag.start);
    let before = tags.iter().take_while(|tag| tag.start < first && !tag.is_closer);
    let around: HashSet<&str> = before.map(|tag| tag.name).collect();
    let mut fields = Vec::new();
    let mut is_sure = false;
    for (at, opener) in openers.iter().enumerate() {
        let Some(name) = opener.name else { continue };
        let before = at.checked_sub(1).map(|at| &openers[at]);
        let next = openers.get(at + 1).map_or(text.len(), |next| next.tag.start);
        let tag = opener.tag;
        let id = schema.member(schema.root(), name);
        let is_value = id.is_some_and(|id| !schema.is_text(id));
        let declared = openers[at + 1..].iter().find(|next| next.name.is_some());
        let next_declared = declared.map_or(text.len(), |next| next.tag.start);
        let sought = Sought { name, next, next_declared, is_value };
        let content = content_of(text, &tags, tag, sought, &around);
        is_sure |= content.has_stray;
        let is_text = id.is_some_and(|id| schema.is_text(id));
        let content =
            if is_text { without_form(text, tag, content) } else { Cow::Borrowed(content.text) };
        is_sure |= matches!(content, Cow::Owned(_));
        let is_repeated = before.is_some_and(|it| it.name == opener.name);
        let is_list = id.is_some_and(|id| schema.item(id).is_some());
        let may_join = |text: &str| !opener.by_attribute || is_item(text) && is_item(&content);
        let last = fields.last_mut().filter(|last: &&mut RawField<'_>| may_join(&last.text));
        match last.filter(|_| is_repeated && is_list) {
            Some(RawField { text, .. }) => {
                is_sure |= opener.by_attribute;
                join(text.to_mut(), &content);
            }
            None => fields.push(RawField { name: name.to_owned(), text: content }),
        }
    }
    if fields.is_empty() {
        return escaped(text).and_then(|text| read_escaped(&text, settings, schema));
    }
    let (fields, settled) =
        drafts::settle(fields, |field| sections::quality(field, settings, schema));
    let is_first = settled == Settled::First;
    let code = if is_first { Code::UntidyFields } else { Code::LaterDraft };
    let sure = match (is_first, is_sure) {
        (false, _) => Sure::Yes,
        (true, true) => Sure::OfCuts,
        (true, false) => Sure::No,
    };
    Some(RawFields { fields, code, sure, hidden: Vec::new() })
}

/// The content of a field; `around` are the elements that are open before all.
fn content_of<'t>(
    text: &'t str,
    tags: &[Tag<'t>],
    tag: Tag<'t>,
    sought: Sought<'_>,
    around: &HashSet<&str>,
) -> Content<'t> {
    closed(text, tags, tag, sought).unwrap_or_else(|| {
        // The opener of a field that is not declared may be content.
        let next = sought.next_declared;
        let sought = Sought { next, ..sought };
        let closed = closed(text, tags, tag, sought);
        let closed = closed.or_else(|| only_closer(text, tags, tag, sought));
        closed.unwrap_or_else(|| open(text, tags, tag, next, around))
    })
}

/// The content of a text field without the quotes of JSON, if the tag says that it is JSON, and without the
/// indent of its lines, if they are deeper than its tags, which begin lines of their own with one indent. CDATA
/// keeps its indent.
fn without_form<'t>(text: &str, tag: Tag<'_>, content: Content<'t>) -> Cow<'t, str> {
    let says_json = attribute(tag.attributes, &["type"]).is_some_and(|it| it.contains("json"));
    if let Some(inner) = layout::json_text(content.text).filter(|_| says_json) {
        return inner.into();
    }
    let indent_before = |at: usize| {
        // A line may be long and have many tags, so its start is not searched.
        let line = text[..at].trim_end_matches([' ', '\t']);
        (line.is_empty() || line.ends_with('\n')).then(|| &text[line.len()..at])
    };
    let behind = text[tag.end..].trim_start_matches([' ', '\t', '\r']);
    let is_raw = behind.trim_start().starts_with(CDATA) || !behind.starts_with('\n');
    let indent = indent_before(tag.start).filter(|it| !it.is_empty() && !is_raw);
    let indent = indent.filter(|it| indent_before(content.end) == Some(it));
    let plain = indent.and_then(|indent| layout::dedented(content.text, indent));
    plain.map_or(Cow::Borrowed(content.text), Cow::Owned)
}

/// Whether the text of a field may be one item of a list, and not all of it.
fn is_item(text: &str) -> bool {
    text.ends_with("</item>") || !(text.is_empty() || text.contains('\n') || text.starts_with('['))
}

/// Adds the text of another element of the same name: together they are the items of a list.
fn join(items: &mut String, text: &str) {
    if !items.ends_with("</item>") {
        *items = format!("<item>{items}</item>");
    }
    items.push_str("<item>");
    items.push_str(text);
    items.push_str("</item>");
}

/// All tags of a text.
fn tags(text: &str) -> Vec<Tag<'_>> {
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &text.as_bytes()[at..]) {
        let start = at + found;
        let tag = tag_at(text, start);
        at = tag.map_or(start + 1, |tag| tag.end);
        tags.extend(tag);
    }
    tags
}

fn tag_at(text: &str, start: usize) -> Option<Tag<'_>> {
    let rest = &text[start + 1..];
    let window = &rest.as_bytes()[..rest.len().min(LONGEST)];
    let mut quote = None;
    let len = window.iter().position(|&byte| {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            _ => {}
        }
        quote.is_none() && matches!(byte, b'<' | b'>')
    })?;
    if window[len] == b'<' {
        return None;
    }
    let inner = &rest[..len];
    let spaced = inner.trim_start_matches(' ');
    let is_closer = inner.starts_with('/') || spaced.starts_with("/field");
    let inner = if is_closer { spaced } else { inner };
    let inner = inner.trim_start_matches('/');
    // `< field >`
    let spaced = inner.trim_start_matches(' ');
    let inner = if starts_with_field(spaced) { spaced } else { inner };
    let is_empty = inner.ends_with('/');
    let inner = inner.trim_end_matches('/');
    let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | ':');
    let name = &inner[..inner.find(|char| !is_name(char)).unwrap_or(inner.len())];
    let attributes = &inner[name.len()..];
    let is_field_value = attributes.starts_with('=') && is_field(name);
    let is_spaced = attributes.is_empty() || attributes.starts_with(WHITESPACE);
    let is_tag = !name.is_empty() && (is_spaced || is_field_value);
    let end = start + len + 2;
    is_tag.then_some(Tag { start, end, name, attributes, is_closer, is_empty })
}

/// The openers of fields: at the start of a line or behind another tag.
fn openers<'t, 's>(
    text: &'t str,
    tags: &[Tag<'t>],
    names: &DeclaredNames<'s>,
    schema: &Schema,
) -> Vec<Opener<'t, 's>> {
    let mut openers: Vec<Opener<'t, 's>> = Vec::new();
    let (mut closed, mut seen) = (0, HashSet::new());
    // How many fields inside the last one are open; less than none if it is closed itself.
    let mut inside = 0i64;
    for tag in tags {
        if tag.is_closer {
            closed = tag.end;
            inside -= i64::from(is_field(tag.name));
            continue;
        }
        let before = without_item_mark(text[..tag.start].trim_end_matches([' ', '\t']));
        if !(before.is_empty() || before.ends_with(['\n', '>'])) {
            continue;
        }
        let prefixed = tag.name.split_once([':', '_', '-']).filter(|(field, _)| is_field(field));
        let prefixed = prefixed.map(|(_, name)| name);
        let bare = tag.attributes.trim_matches(['=', ' ', '\t', '"', '\'', '“', '”']);
        let bare = Some(bare).filter(|_| is_field(tag.name));
        let named = attribute(tag.attributes, &NAMES).or(prefixed).or(bare);
        let named = named.and_then(|name| names.find(name));
        let is_bare = tag.attributes.trim().is_empty() || !tag.attributes.contains("name");
        let name = named.or_else(|| names.find(tag.name).filter(|_| is_bare));
        let is_named = attribute(tag.attributes, &NAMES).is_some();
        if name.is_none() && !(is_field(tag.name) && is_named) {
            continue;
        }
        // Inside an element of one name, further ones are content. So are the members of an object.
        let member = attribute(tag.attributes, &NAMES).filter(|_| inside >= 0);
        let member = member.filter(|_| name.is_none_or(|name| seen.contains(name)));
        let is_item = openers.last().is_some_and(|last| {
            let is_same = last.name == name && closed <= last.tag.start;
            let of = last.name.zip(member);
            is_same || of.is_some_and(|(field, member)| has_member(schema, field, member))
        });
        inside = if is_item { inside + 1 } else { 0 };
        seen.extend(name);
        if !is_item {
            openers.push(Opener { tag: *tag, by_attribute: named.is_some(), name });
        }
    }
    // Beside fields that an attribute names, other elements are content.
    let is_form = openers.iter().any(|opener| opener.by_attribute);
    openers.retain(|opener| opener.by_attribute || opener.name.is_none() || !is_form);
    openers
}

/// Whether a declared field is an object with a member of this name, or a list of such objects.
fn has_member(schema: &Schema, field: &str, member: &str) -> bool {
    schema.member(schema.root(), field).is_some_and(|id| {
        let id = schema.item(id).unwrap_or(id);
        schema.declares_keys(id) && schema.declares(id, member)
    })
}

/// The text before a tag without the mark of a list item at its end: `- ` or `1. `.
fn without_item_mark(before: &str) -> &str {
    let is_mark = |char: char| char.is_ascii_digit() || matches!(char, '-' | '*' | '.' | ')');
    let mark = &before[before.trim_end_matches(is_mark).len()..];
    let line = before[..before.len() - mark.len()]
        .trim_end_matches(|char: char| char != '\n' && char.is_whitespace());
    if !line.is_empty() && !line.ends_with('\n') {
        return before;
    }
    let number = mark.trim_end_matches(['.', ')']);
    let is_number = number.len() < mark.len() && number.bytes().all(|byte| byte.is_ascii_digit());
    if matches!(mark, "-" | "*") || is_number { line } else { before }
}

/// The value of the first of these attributes.
fn attribute<'a>(attributes: &'a str, keys: &[&str]) -> Option<&'a str> {
    for (at, _) in attributes.match_indices('=') {
        let key = attributes[..at].trim_end().rsplit(WHITESPACE).next().unwrap_or("");
        if !keys.iter().any(|name| name.eq_ignore_ascii_case(key)) {
            continue;
        }
        let value = attributes[at + 1..].trim_start().trim_start_matches('\\');
        return match value.chars().next()? {
            quote @ ('"' | '\'') => value[1..].split([quote, '\\']).next(),
            '“' | '”' => value.trim_start_matches(['“', '”']).split(['“', '”']).next(),
            _ => value.split(WHITESPACE).next(),
        };
    }
    None
}

/// The text of an answer whose tags are escaped for HTML.
fn escaped(text: &str) -> Option<String> {
    let mut plain = text.to_owned();
    for (entity, char) in
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
    {
        plain = plain.replace(entity, char);
    }
    (plain.contains('<') && !text.contains('<')).then_some(plain)
}

/// Reads the fields of a text that lives no longer than this call.
fn read_escaped<'t>(text: &str, settings: &Settings, schema: &Schema) -> Option<RawFields<'t>> {
    let found = read(text, settings, schema)?;
    let own =
        |field: RawField<'_>| RawField { name: field.name, text: field.text.into_owned().into() };
    let RawFields { fields, code, sure, hidden } = found;
    let fields = fields.into_iter().map(own).collect();
    Some(RawFields { fields, code, sure, hidden })
}

/// The tags between the opener of a field and the next opener.
fn inside<'a, 't>(tags: &'a [Tag<'t>], opener: Tag<'t>, next: usize) -> &'a [Tag<'t>] {
    let first = tags.partition_point(|tag| tag.start < opener.end);
    &tags[first..tags.partition_point(|tag| tag.start < next).max(first)]
}

/// The content of a field up to its last closer. None if there is no closer that ends its line.
fn closed<'t>(
    text: &'t str,
    tags: &[Tag<'t>],
    opener: Tag<'t>,
    Sought { name, next, is_value, .. }: Sought<'_>,
) -> Option<Content<'t>> {
    if opener.is_empty {
        let text = attribute(opener.attributes, &VALUES).unwrap_or("");
        return Some(Content { text, end: opener.end, has_stray: false });
    }
    let ends_line = |it: &&Tag<'_>| {
        let behind = text[it.end..].trim_start_matches([' ', '\t', '\r']);
        it.is_closer && (behind.is_empty() || behind.starts_with(['\n', '<', '`']))
    };
    let is_own = |it: &&Tag<'_>| {
        it.name.eq_ignore_ascii_case(opener.name) || it.name.eq_ignore_ascii_case(name)
    };
    let inside = inside(tags, opener, next);
    let inside = &inside[..form_end(text, inside).unwrap_or(inside.len())];
    // Words behind the closer of a value are no part of it.
    let may_end = |it: &&Tag<'_>| ends_line(it) || (is_value && it.is_closer);
    let mut closers = inside.iter().rev().filter(may_end);
    let closer = closers.clone().find(is_own).or_else(|| closers.find(|it| is_field(it.name)));
    let is_odd = closer.is_none();
    let closer = closer.or_else(|| last_closer(text, inside, next))?;
    let stray = text[closer.end..next].trim();
    let is_known = stray.is_empty() || stray.starts_with("<!--");
    let content = unpacked(&text[opener.end..closer.start]);
    let content = if is_value { without_closers(content) } else { content };
    let value = attribute(opener.attributes, &VALUES).filter(|_| content.is_empty());
    let has_stray = is_odd || !is_known || value.is_some() || !closer.attributes.trim().is_empty();
    Some(Content { text: value.unwrap_or(content), end: closer.start, has_stray })
}

/// A closer of another name that has no opener, with nothing behind it: `</feild>`.
fn last_closer<'a, 't>(text: &str, inside: &'a [Tag<'t>], next: usize) -> Option<&'a Tag<'t>> {
    let (last, before) = inside.split_last().filter(|(last, _)| last.is_closer)?;
    let is_alone = before.iter().all(|tag| tag.name != last.name);
    (is_alone && text[last.end..next].trim().is_empty()).then_some(last)
}

/// A value without closers of fields at its end, if none is opened in it.
fn without_closers(text: &str) -> &str {
    let mut text = text;
    if text.contains("<field") {
        return text;
    }
    while let Some(before) = text.strip_suffix("</field>") {
        text = before.trim_end();
    }
    text
}

/// Where the element around the fields is closed: the first closer without an opener that stands right
/// behind another closer and on a line of its own.
fn form_end(text: &str, inside: &[Tag<'_>]) -> Option<usize> {
    let mut opened: HashSet<&str> = HashSet::new();
    for (at, tag) in inside.iter().enumerate() {
        if !tag.is_closer {
            opened.insert(tag.name);
            continue;
        }
        let before = text[..tag.start].trim_end_matches([' ', '\t']);
        let is_behind = at > 0 && before.trim_end().len() == inside[at - 1].end;
        let is_behind = is_behind && inside[at - 1].is_closer && before.ends_with('\n');
        if is_behind && !opened.contains(tag.name) && !is_field(tag.name) {
            return Some(at);
        }
    }
    None
}

/// The content of a field before its only closer, which words follow, if another field does, too.
fn only_closer<'t>(
    text: &'t str,
    tags: &[Tag<'t>],
    opener: Tag<'t>,
    Sought { name, next, .. }: Sought<'_>,
) -> Option<Content<'t>> {
    let is_own = |it: &&Tag<'_>| {
        it.name.eq_ignore_ascii_case(opener.name) || it.name.eq_ignore_ascii_case(name)
    };
    let mut own = inside(tags, opener, next).iter().filter(is_own);
    let closer = own.next().filter(|it| it.is_closer && next < text.len())?;
    let content = unpacked(&text[opener.end..closer.start]);
    own.next().is_none().then_some(Content { text: content, end: closer.start, has_stray: true })
}

/// Fields as elements that stand among words: `Title: <title>A</title>, n: <n>3</n>`. Each declared field has one.
fn elements_in_line<'t>(
    text: &'t str,
    tags: &[Tag<'t>],
    names: &DeclaredNames<'_>,
    schema: &Schema,
) -> Option<Vec<RawField<'t>>> {
    let mut seen = HashSet::new();
    let mut fields = Vec::new();
    for pair in tags.windows(2) {
        let (opener, closer) = (pair[0], pair[1]);
        let is_element = !opener.is_closer && closer.is_closer && opener.name == closer.name;
        let name = names.find(opener.name).filter(|_| is_element && opener.attributes.is_empty());
        let Some(name) = name else { continue };
        if !seen.insert(name) {
            return None;
        }
        let content = unpacked(&text[opener.end..closer.start]);
        fields.push(RawField { name: name.to_owned(), text: content.into() });
    }
    let declared = schema.declared_keys(schema.root()).count();
    (fields.len() == declared && 2 * declared == tags.len()).then_some(fields)
}

/// The content of a field without a closer. The closer of an element around the field ends it, too.
fn open<'t>(
    text: &'t str,
    tags: &[Tag<'t>],
    opener: Tag<'t>,
    next: usize,
    around: &HashSet<&str>,
) -> Content<'t> {
    let inside = inside(tags, opener, next);
    let opened: HashSet<&str> =
        inside.iter().filter(|tag| !tag.is_closer).map(|tag| tag.name).collect();
    let around = inside.iter().find(|tag| {
        let begins_line = text[..tag.start].trim_end_matches([' ', '\t']).ends_with('\n');
        let behind = text[tag.end..].trim_start_matches([' ', '\t', '\r']);
        let ends_line = behind.is_empty() || behind.starts_with('\n');
        let is_known = begins_line || ends_line && around.contains(tag.name);
        tag.is_closer && !opened.contains(tag.name) && is_known
    });
    let end = around.map_or(next, |tag| tag.start);
    Content { text: unpacked(&text[opener.end..end]), end, has_stray: around.is_some() }
}

/// Whether the inside of a tag begins with the name of a field's element.
fn starts_with_field(inner: &str) -> bool {
    let name = inner.split([' ', '=', '/']).next().unwrap_or("");
    is_field(name.trim_end())
}

fn is_field(name: &str) -> bool {
    name.eq_ignore_ascii_case("field") || name.eq_ignore_ascii_case("fields")
}

/// A text without its layout and without a CDATA section around it.
fn unpacked(text: &str) -> &str {
    let text = without_layout(text, true);
    let inner = text.trim().strip_prefix(CDATA).and_then(|rest| rest.strip_suffix("]]>"));
    inner.map_or(text, |inner| without_layout(inner, true))
}

#[cfg(test)]
mod tests;
