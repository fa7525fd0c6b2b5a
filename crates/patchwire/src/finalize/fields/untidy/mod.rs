//! A second look at an answer whose fields were not all read: headers in another style, tags without their
//! root, YAML with slips, or another format than the one that was asked for.
//!
//! The stream decides line by line and takes nothing back. Here the whole text is known, so each reader
//! may accept more than the machine of its format. A reading replaces the streamed one only if more
//! declared fields have a value of their type; if as many have, only if the reader is sure that the
//! streamed one holds text that is no content.

mod drafts;
mod header_lines;
mod header_names;
pub(super) mod layout;
mod names;
mod sections;
mod seen_names;
mod tags;
mod yaml;

pub(super) use header_names::without_key;
pub(super) use names::{DeclaredNames, letters};

use std::collections::HashMap;

use super::value::numbers;
use crate::check::fit;
use crate::codes::Code;
use crate::document::{Document, NodeKind, Placement, ValueKind, ValueRef};
use crate::format::row::UntidyReading;
use crate::leniency::Leniency;
use crate::lex::fence_line;
use crate::schema::{Schema, SchemaId};
use crate::spec::Settings;

/// A reading of the whole text.
pub(in crate::finalize) struct Untidy {
    pub(in crate::finalize) document: Document,
    pub(in crate::finalize) code: Code,
    /// Whether the reading is better than one that has as many fields.
    sure: Sure,
    /// Fields that have no value, although the stream read the beginning of their text as one.
    refuted: Vec<String>,
    /// Fields whose headers all stand in comments.
    hidden: Vec<String>,
    /// The texts of fields that have no value of their type.
    unread: Vec<(String, String)>,
}

impl Untidy {
    fn of(document: Document, code: Code, sure: Sure) -> Self {
        let (refuted, hidden, unread) = (Vec::new(), Vec::new(), Vec::new());
        Self { document, code, sure, refuted, hidden, unread }
    }

    /// Keeps the text of a field that the stream has as text, too, if all that is gone is layout.
    fn keep_texts(&mut self, current: ValueRef<'_>) {
        let Some(root) = self.document.root() else { return };
        for (name, text) in core::mem::take(&mut self.unread) {
            let old = current.get(&name).and_then(ValueRef::as_str);
            if old.is_some_and(|old| layout::is_inner(&text, old)) {
                let text = Document::string(&text);
                self.document.graft(Placement::Member(root, &name), text.value());
            }
        }
    }
}

/// Whether a reading is better than one that has as many fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sure {
    No,
    /// If all it does is to take layout from texts.
    OfCuts,
    Yes,
}

/// The text of a field, before it has its type.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RawField<'t> {
    name: String,
    text: std::borrow::Cow<'t, str>,
}

/// What a reader found.
struct RawFields<'t> {
    fields: Vec<RawField<'t>>,
    code: Code,
    sure: Sure,
    /// Fields whose headers all stand in comments.
    hidden: Vec<String>,
}

/// How many declared fields have a value of their type, how many have any value, and how many items their
/// lists have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct FieldScore {
    fitting: usize,
    present: usize,
    items: usize,
}

/// The score of an object, of the members that count.
fn score(
    value: ValueRef<'_>,
    schema: &Schema,
    counts: impl Fn(&str, ValueRef<'_>) -> bool,
) -> FieldScore {
    let mut score = FieldScore::default();
    for (key, member) in value.entries() {
        let Some(key) = key.filter(|key| counts(key, member)) else { continue };
        let Some(id) = schema.member(schema.root(), key) else { continue };
        score.present += 1;
        score.fitting += usize::from(fits(member, id, schema));
        score.items += if member.kind() == ValueKind::List { member.len() } else { 0 };
    }
    score
}

fn is_number(object: ValueRef<'_>, key: &str) -> bool {
    object.get(key).is_some_and(|value| value.kind() == ValueKind::Number)
}

fn is_blank(value: ValueRef<'_>) -> bool {
    value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// The scores of a reading and of the current one. A blank text of the reading counts only where the
/// current one is blank, too: an empty section is no find. What the reading refutes counts for nothing.
fn scores(new: &Untidy, current: ValueRef<'_>, schema: &Schema) -> (FieldScore, FieldScore) {
    let was_blank = |key: &str| current.get(key).is_some_and(is_blank);
    let is_refuted = |key: &str| {
        let is_in = |names: &[String]| names.iter().any(|it| it == key);
        is_in(&new.refuted) && is_number(current, key) || is_in(&new.hidden)
    };
    let is_kept = |key: &str, _: ValueRef<'_>| !is_refuted(key);
    let is_found = |key: &str, value: ValueRef<'_>| !is_blank(value) || was_blank(key);
    (score(new.document.value(), schema, is_found), score(current, schema, is_kept))
}

/// Whether a value is of its type, and the items of a list of theirs.
pub(super) fn fits(value: ValueRef<'_>, id: SchemaId, schema: &Schema) -> bool {
    let Some(id) = fit::alternative(schema, id, value) else { return false };
    match (value.kind(), schema.item(id)) {
        (ValueKind::List, Some(item)) => {
            let mut types = ItemTypes { schema, names: HashMap::new() };
            value.entries().all(|(_, value)| {
                let item = fit::alternative(schema, item, value);
                item.is_some_and(|item| !types.are_foreign_to(value, item))
            })
        }
        _ => true,
    }
}

/// The types of the items of a list, and the declared names of those that were looked at.
struct ItemTypes<'s> {
    schema: &'s Schema,
    names: HashMap<SchemaId, DeclaredNames<'s>>,
}

impl ItemTypes<'_> {
    /// Whether an object lacks members that its type requires, and has none of the declared ones.
    fn are_foreign_to(&mut self, value: ValueRef<'_>, id: SchemaId) -> bool {
        let Self { schema, names } = self;
        let is_complete = value.kind() != ValueKind::Object
            || value.is_empty()
            || !schema.declares_keys(id)
            || schema.has_required(id, value);
        if is_complete {
            return false;
        }
        let names = names.entry(id).or_insert_with(|| DeclaredNames::of_type(schema, id));
        !value.entries().any(|(key, _)| key.is_some_and(|key| names.find(key).is_some()))
    }
}

/// Whether every declared field is there with a value of its type.
pub(super) fn is_whole(value: ValueRef<'_>, schema: &Schema) -> bool {
    let is_there = |key: &str| {
        let member = schema.member(schema.root(), key).zip(value.get(key));
        member.is_some_and(|(id, member)| fits(member, id, schema))
    };
    schema.declared_keys(schema.root()).all(is_there)
}

/// What the stream knows about the text that it read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::finalize) enum StreamedText {
    /// There is no payload of the format.
    Nothing,
    /// The payload may be the value of one field.
    Value,
    /// Fields without their markers were found at the end. The flags: whether text in them was skipped, and whether
    /// they have slips.
    Bare { has_skipped: bool, is_doubtful: bool },
    /// The payload is cut.
    Cut,
    /// The payload ended. The flag: whether text in it was skipped.
    Ended { has_skipped: bool },
}

/// The best reading that beats the streamed value.
pub(super) fn find(
    text: &str,
    streamed: ValueRef<'_>,
    state: StreamedText,
    settings: &Settings,
) -> Option<Untidy> {
    let schema = settings.json.schema.as_ref().filter(|it| it.declares_keys(it.root()))?;
    // Values that need a grant are only read where they are checked.
    if schema.guards() || !settings.json.rules.allow(Leniency::UntidyFields) {
        return None;
    }
    // A format of fields that names no reading knows best what its text means.
    if settings.row.fields().is_some() && settings.row.untidy_reading() == UntidyReading::default()
    {
        return None;
    }
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let quoted = unquoted(text);
    let text = quoted.as_deref().unwrap_or(text);
    let mut best: Option<Untidy> = None;
    for reader in readers(settings) {
        let current = best.as_ref().map_or(streamed, |best| best.document.value());
        if best.is_some() && is_whole(current, schema) {
            break;
        }
        // Lines `name: value` are YAML.
        let is_yaml = settings.row.untidy_reading() == UntidyReading::Yaml;
        if is_yaml && matches!(reader, Reader::Plain { .. }) {
            continue;
        }
        // What is cut has no last line to judge, and what was found without slips is right.
        let may_look = match state {
            StreamedText::Ended { .. } => true,
            StreamedText::Bare { is_doubtful, .. } => is_doubtful || has_odd_texts(text),
            StreamedText::Nothing | StreamedText::Value | StreamedText::Cut => streamed.is_empty(),
        };
        if reader == (Reader::Yaml { is_own: true }) && !may_look {
            continue;
        }
        let is_form = settings.row.untidy_reading() == UntidyReading::Tags && !reader.is_own();
        let text = if is_form { without_closer(text) } else { text };
        let mut read = reader.read(text, settings, schema, state);
        if let Some(new) = read.as_mut().filter(|_| reader.is_own()) {
            new.keep_texts(streamed);
        }
        let read = read.filter(|new| {
            let declared = schema.declared_keys(schema.root()).count();
            let found = score(new.document.value(), schema, |_, it| !is_blank(it)).fitting;
            let is_sure =
                reader != (Reader::Yaml { is_own: true }) || state != StreamedText::Nothing;
            let may_be_few = reader.is_own() && is_sure && !matches!(reader, Reader::Plain { .. });
            let is_around = state == StreamedText::Value && !matches!(reader, Reader::Plain { .. });
            may_be_few || is_around || 2 * found >= declared && (is_sure || found > 1)
        });
        best = read.filter(|new| reader.beats(new, current, state, schema)).or(best);
    }
    best
}

/// A text without a last line that only closes an element.
fn without_closer(text: &str) -> &str {
    let text = text.trim_end();
    let (before, last) = text.rsplit_once('\n').unwrap_or(("", text));
    let is_closer = last.trim_start().starts_with("</") && last.ends_with('>');
    if is_closer { before } else { text }
}

/// A text without the marks of a quotation that all its lines have.
fn unquoted(text: &str) -> Option<String> {
    let filled = || text.lines().filter(|line| !line.trim().is_empty());
    if filled().next().is_none() || !filled().all(|line| line.starts_with('>')) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.strip_prefix('>').unwrap_or(line);
        out.push_str(line.strip_prefix(' ').unwrap_or(line));
        out.push('\n');
    }
    Some(out)
}

fn beats(new: &Untidy, current: ValueRef<'_>, schema: &Schema) -> bool {
    let value = new.document.value();
    let (one, other) = scores(new, current, schema);
    let is_hidden = new.hidden.iter().any(|name| current.get(name).is_some());
    let is_refuted = is_hidden || new.refuted.iter().any(|name| is_number(current, name));
    let is_better = || match new.sure {
        _ if is_refuted => true,
        Sure::No => false,
        Sure::OfCuts => only_cuts(value, current),
        Sure::Yes => value != current,
    };
    one > other || (one == other && (one.present > 0 || is_refuted) && is_better())
}

/// Whether texts are the current ones without layout, and all else is equal.
fn only_cuts(new: ValueRef<'_>, current: ValueRef<'_>) -> bool {
    let mut any = false;
    let all = current.entries().all(|(key, old)| {
        let new = key.and_then(|key| new.get(key)).filter(|new| *new != old);
        any |= new.is_some();
        let texts = new.map(|new| (new.as_str(), old.as_str()));
        texts.is_none_or(
            |texts| matches!(texts, (Some(new), Some(old)) if layout::is_inner(new, old)),
        )
    });
    all && any
}

/// Whether texts have content that YAML takes for a comment or a tag, and all else is equal. Texts that were empty
/// may have any other content, too.
fn fills_blanks(new: ValueRef<'_>, current: ValueRef<'_>) -> bool {
    let mut any = false;
    let all = current.entries().all(|(key, old)| {
        let new = key.and_then(|key| new.get(key)).filter(|new| *new != old);
        any |= new.is_some();
        new.is_none_or(|new| is_refilled(new, old))
    });
    all && any
}

/// Whether a value is another with the content that a comment or a tag was.
fn is_refilled(new: ValueRef<'_>, old: ValueRef<'_>) -> bool {
    if let (ValueKind::List, ValueKind::List) | (ValueKind::Object, ValueKind::Object) =
        (new.kind(), old.kind())
    {
        let mut both = new.entries().zip(old.entries());
        return new.len() == old.len()
            && both.all(|((key, new), (other, old))| {
                key == other && (new == old || is_refilled(new, old))
            });
    }
    let old_text = if old.is_null() { Some("") } else { old.as_str() };
    let (Some(new), Some(text)) = (new.as_str(), old_text) else { return false };
    if old.is_null() {
        return yaml::is_word_mark(new);
    }
    let old = text;
    let is_number = |rest: &str| rest.starts_with(|it: char| it.is_ascii_digit());
    let number = new.strip_prefix(old).and_then(|rest| rest.strip_prefix(" #"));
    let is_comment = new.trim_start().starts_with('#') && !yaml::is_word_mark(new);
    number.is_some_and(is_number)
        || (new.starts_with('!') && new.ends_with(old))
        || (old.starts_with(['|', '>']) && !new.starts_with(['|', '>']))
        || (old.is_empty() && !is_comment)
}

/// A reader of the whole text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    Sections {
        is_own: bool,
    },
    /// Sections whose headers are plain names.
    Plain {
        is_own: bool,
    },
    Tags {
        is_own: bool,
    },
    Yaml {
        is_own: bool,
    },
}

/// The readers in the order in which they are asked: that of the format first.
fn readers(settings: &Settings) -> [Reader; 4] {
    let own = settings.row.untidy_reading();
    let is = |reading| own == reading;
    let sections = Reader::Sections { is_own: is(UntidyReading::Sections) };
    let plain = Reader::Plain { is_own: is(UntidyReading::Sections) };
    let tags = Reader::Tags { is_own: is(UntidyReading::Tags) };
    let yaml = Reader::Yaml { is_own: is(UntidyReading::Yaml) };
    match own {
        UntidyReading::Tags => [tags, sections, plain, yaml],
        UntidyReading::Yaml => [yaml, sections, tags, plain],
        _ => [sections, plain, tags, yaml],
    }
}

/// The leniencies about headers. Other headers are only looked for if all of them are forgiven.
const HEADERS: [Leniency; 4] = [
    Leniency::HeaderNames,
    Leniency::HeaderLevels,
    Leniency::HeaderEchoes,
    Leniency::ScaffoldLines,
];

impl Reader {
    /// Whether a reading beats the current one. That a list has more items is a reason only if text was
    /// skipped, and never in YAML.
    fn beats(
        self,
        new: &Untidy,
        current: ValueRef<'_>,
        state: StreamedText,
        schema: &Schema,
    ) -> bool {
        let (one, other) = scores(new, current, schema);
        let has_more = || (one.fitting, one.present) > (other.fitting, other.present);
        let has_skipped = state == (StreamedText::Ended { has_skipped: true });
        let counts_items = has_skipped && !matches!(self, Self::Yaml { .. });
        if matches!(self, Self::Yaml { is_own: true })
            && fills_blanks(new.document.value(), current)
        {
            return true;
        }
        let is_refuted = || !new.refuted.is_empty() || !new.hidden.is_empty();
        beats(new, current, schema)
            && (counts_items || new.sure != Sure::No || is_refuted() || has_more())
    }

    const fn is_own(self) -> bool {
        match self {
            Self::Sections { is_own }
            | Self::Plain { is_own }
            | Self::Tags { is_own }
            | Self::Yaml { is_own } => is_own,
        }
    }

    fn read(
        self,
        text: &str,
        settings: &Settings,
        schema: &Schema,
        state: StreamedText,
    ) -> Option<Untidy> {
        match self {
            Self::Sections { is_own } => {
                if !HEADERS.into_iter().all(|it| settings.json.rules.allow(it)) {
                    return None;
                }
                let found = sections::read(text, settings, schema, is_own)?;
                Some(typed(found, settings, schema, is_own))
            }
            Self::Plain { is_own } => {
                let found = sections::read_plain(text, settings, schema)?;
                let new = typed(found, settings, schema, is_own);
                Some(Untidy { sure: Sure::No, ..new })
            }
            Self::Tags { is_own } => {
                let found = tags::read(text, settings, schema)?;
                Some(typed(found, settings, schema, is_own))
            }
            Self::Yaml { is_own } => {
                let is_well_formed = matches!(
                    state,
                    StreamedText::Ended { has_skipped: false }
                        | StreamedText::Bare { has_skipped: false, .. }
                );
                let well_formed = is_own && is_well_formed;
                if let Some(document) = yaml::last(text, settings, schema).filter(|_| is_own) {
                    return Some(Untidy::of(document, Code::LaterDraft, Sure::Yes));
                }
                let (document, is_sure) = yaml::read(text, settings, schema, well_formed)?;
                let document = super::settled(document, true, settings);
                let code = if is_own { Code::UntidyFields } else { Code::FormatFallback };
                let sure = if is_sure && is_own { Sure::Yes } else { Sure::No };
                Some(Untidy::of(document, code, sure))
            }
        }
    }
}

/// The fields with values of their types. A field without a value of its type is left out.
fn typed(found: RawFields<'_>, settings: &Settings, schema: &Schema, is_own: bool) -> Untidy {
    let mut document = Document::default();
    let (mut refuted, mut unread) = (Vec::new(), Vec::new());
    let root = document.open(Placement::Root, NodeKind::Object);
    let texts = texts_of(found.fields.iter().map(|it| (&*it.name, &*it.text)), schema);
    let are_fenced = layout::are_all_fenced(texts);
    for field in &found.fields {
        let Some(id) = schema.member(schema.root(), &field.name) else { continue };
        let value = if schema.is_text(id) {
            let fenced = fence_line::inside(&field.text).filter(|_| are_fenced);
            let inner = fenced.map(str::to_owned).or_else(|| layout::escaped_text(&field.text));
            let text = inner.unwrap_or_else(|| field.text.replace("\r\n", "\n"));
            Some(Document::string(&text))
        } else {
            super::value::read(&field.name, &field.text, schema, id, settings)
                .map(|(_, value)| value)
        };
        let is_misread = match value {
            Some(_) => numbers::has_groups(&field.text),
            None => numbers::is_ambiguous(&field.text),
        };
        let is_number = |id| schema.matches_kind(id, ValueKind::Number);
        if is_misread && (is_number(id) || schema.item(id).is_some_and(is_number)) {
            refuted.push(field.name.clone());
        }
        match value {
            Some(value) => {
                document.graft(Placement::Member(root, &field.name), value.value());
            }
            None => unread.push((field.name.clone(), field.text.clone().into_owned())),
        }
    }
    document.complete(root);
    let code = if is_own { found.code } else { Code::FormatFallback };
    let sure = if is_own { found.sure } else { Sure::No };
    let hidden = if is_own { found.hidden } else { Vec::new() };
    Untidy { document, code, sure, refuted, hidden, unread }
}

/// The fields that are declared as text.
pub(super) fn texts_of<'f>(
    fields: impl Iterator<Item = (&'f str, &'f str)>,
    schema: &Schema,
) -> impl Iterator<Item = &'f str> {
    let is_text =
        |name: &str| schema.member(schema.root(), name).is_some_and(|id| schema.is_text(id));
    fields.filter(move |(name, _)| is_text(name)).map(|(_, text)| text)
}

/// A text without the layout around it: empty lines before it, and whitespace after it. The indent of its
/// first line stays unless the text begins on the line of its tag.
fn without_layout(text: &str, is_on_line: bool) -> &str {
    let text = text.trim_end_matches(crate::text::WHITESPACE);
    let visible = text.trim_start_matches(crate::text::WHITESPACE);
    match text[..text.len() - visible.len()].rfind('\n') {
        Some(at) => &text[at + 1..],
        None if is_on_line => visible,
        None => text,
    }
}

/// The documents in YAML that a text holds in markers or fences, and what follows each.
pub(super) fn documents(text: &str) -> Vec<&str> {
    yaml::documents(text)
}

/// Whether a document in YAML may hold a text that YAML takes for a tag, a comment or a header: `!word`, `#3`.
pub(super) fn has_odd_texts(text: &str) -> bool {
    text.lines().any(yaml::has_odd_text)
}

/// Whether a text ends in a rule that may stand between two sections.
pub(super) fn ends_in_rule(text: &str) -> bool {
    sections::before_rule(text).is_some()
}
