//! Corrections for the formats that write the members of an object as fields.
//!
//! - Fields that an unclosed fence hid become fields of their own.
//! - Text becomes a value of the type that the schema declares.
//! - A value that is a single fenced block loses its fence.
//! - Without a payload of the format, the fields are searched for in another form.
//!
//! A field that cannot be corrected stays as it was streamed, with a notice. Other fields are not affected.

mod json_fields;
mod salvage;
mod swallowed;
mod typed;
pub(super) mod untidy;
mod value;

use std::borrow::Cow;

use super::difference;
use super::reread::Reread;
use super::text_part::{PartText, TextPart};
use super::{Correction, Corrections, EndedStream};
use crate::codes::Code;
use crate::document::{DocId, DocNode, Document, NodeId, Placement, ValueKind, ValueRef};
use crate::fold::Fold;
use crate::format::fields::Unwrap;
use crate::format::row::{FieldEnding, UntidyReading};
use crate::leniency::Leniency;
use crate::lex::fence_line;
use crate::order;
use crate::schema::{Schema, SchemaId};
use crate::span::Span;
use crate::spec::{Settings, Strictness};
use json_fields::FieldRepairs;
pub(super) use json_fields::settle;
use typed::TypedText;
use untidy::StreamedText;
pub(super) use value::without_underscores;

impl Corrections {
    /// Plans the corrections of one part. Whether the root that results is truncated.
    pub(super) fn plan_fields(
        &mut self,
        fold: &Fold,
        document: DocId,
        ended: &EndedStream<'_>,
        part: &TextPart,
    ) -> bool {
        let none = Document::default();
        let streamed = streamed(fold, part, &none);
        let lenient = ended.settings.strictness == Strictness::Lenient;
        let raw = ended.raw.filter(|_| lenient).map(|raw| visible(raw, ended, part));
        if !part.has_payload {
            return self.plan_without_payload(document, ended, part);
        }
        let repairs = json_fields::find(fold, document, ended, part);
        if let Some(is_truncated) = self.plan_untidy(fold, &repairs, ended, part) {
            return is_truncated;
        }
        // Nothing of what was asked for: an object without members is no answer.
        if let Some(node) = streamed.node().filter(|_| lacks_all(streamed, ended)) {
            let json = raw.as_deref().and_then(|raw| salvage::json_of(raw, part, ended.settings));
            let is_truncated = json.as_ref().map_or(part.is_truncated, |json| !json.is_complete);
            self.plan_instead(DocNode { document, node }, streamed, json);
            return is_truncated;
        }
        let is_whole = self.plan_field_repairs(fold, &repairs);
        let is_closed = || is_closed_by_root(streamed, &repairs, raw.as_deref(), ended, part);
        let mut is_truncated = part.is_truncated && !is_whole && !is_closed();
        let cut = raw.as_deref().and_then(|raw| {
            swallowed::find(&raw[..part.span.end as usize], part, streamed, ended.settings)
        });
        let mut retype = FieldRetyper {
            plan: self,
            document,
            settings: ended.settings,
            end: fold.outbox.last_end,
            are_fenced: are_all_fenced(streamed, ended.settings),
        };
        for (key, value) in streamed.entries() {
            let len = cut.as_ref().filter(|cut| Some(cut.node) == value.node()).map(|cut| cut.len);
            let text = value.as_str().map(|text| &text[..len.unwrap_or(text.len())]);
            if let (Some(len), Some(node)) = (len, value.node()) {
                let at = DocNode { document, node };
                retype.plan.queue.push_back(Correction::ValueNotice {
                    code: Code::SwallowedFields,
                    at,
                    span: Span::at(fold.outbox.last_end),
                });
                retype.plan.queue.push_back(Correction::Cut { at, len, is_silent: false });
            }
            if let (Some(key), Some(text), Some(node)) = (key, text, value.node()) {
                is_truncated |= retype.field(key, text, node);
            }
        }
        if let Some(mut cut) = cut {
            is_truncated |= retype.hidden_fields(&mut cut.more);
            self.queue.push_back(Correction::Continue(document, cut.more));
        }
        is_truncated
    }

    /// Replaces an object without fields by the JSON that stands in its place, or removes it.
    fn plan_instead(&mut self, at: DocNode, streamed: ValueRef<'_>, json: Option<Reread>) {
        let Some(json) = json else {
            self.queue.push_back(Correction::Remove(at));
            return;
        };
        let new = json.document.value();
        self.queue.push_back(Correction::Notice(Code::FormatFallback, json.span));
        self.queue.extend(difference::corrections(at.document, streamed, new));
    }

    /// Searches for the fields of a part that has none in its format. Whether the root that results is
    /// truncated.
    fn plan_without_payload(
        &mut self,
        document: DocId,
        ended: &EndedStream<'_>,
        part: &TextPart,
    ) -> bool {
        let lenient = ended.settings.strictness == Strictness::Lenient;
        let raw = ended.raw.filter(|_| lenient).map(|raw| visible(raw, ended, part));
        let is_yaml = ended.settings.row.untidy_reading() == UntidyReading::Yaml;
        let mut found = raw.as_deref().and_then(|raw| {
            let text = PartText { raw: &raw[..part.span.end as usize], part, thoughts: &[] };
            salvage::find(&text, ended.settings)
        });
        if let Some((_, found)) = found.as_mut().filter(|_| is_yaml) {
            let document = core::mem::take(&mut found.document);
            found.document = settled(document, true, ended.settings);
        }
        let none = Document::default();
        let current = found.as_ref().map_or(&none, |(_, found)| &found.document).value();
        let bare = found.as_ref().filter(|(code, _)| *code == Code::MissingRoot).map(|it| &it.1);
        let state = match bare.filter(|_| is_yaml) {
            Some(bare) => bare_state(bare),
            None => StreamedText::Nothing,
        };
        if let Some((untidy, span)) = untidy_in(ended, part, current, state) {
            self.begin_if_new(document, part);
            if bare.is_some() && untidy.code != Code::FormatFallback {
                self.queue.push_back(Correction::Notice(Code::MissingRoot, span));
            }
            self.queue.push_back(Correction::Notice(untidy.code, span));
            self.queue.push_back(Correction::Root(document, untidy.document));
            return false;
        }
        match found {
            Some((code, found)) => self.salvage(document, part, code, found),
            None => part.is_truncated,
        }
    }

    /// Plans another reading of an answer whose fields were not all read. Whether the root that results
    /// is truncated; none if the streamed root stays.
    fn plan_untidy(
        &mut self,
        fold: &Fold,
        repairs: &FieldRepairs,
        ended: &EndedStream<'_>,
        part: &TextPart,
    ) -> Option<bool> {
        let none = Document::default();
        let streamed = streamed(fold, part, &none);
        let schema = ended.settings.json.schema.as_ref()?;
        let is_yaml = ended.settings.row.untidy_reading() == UntidyReading::Yaml;
        let settled = settled(with_repairs(streamed, repairs), is_yaml, ended.settings);
        let is_noted = fold.outbox.is_lossy || fold.outbox.is_doubtful;
        let is_in_doubt = part.is_truncated
            || is_noted
            || has_layout(streamed)
            || has_slips_of_yaml(ended, part)
            || has_empty_text(streamed);
        if part.hidden.is_some() || !is_in_doubt && untidy::is_whole(settled.value(), schema) {
            return None;
        }
        let (untidy, span) = untidy_of(fold, ended, part, settled.value())?;
        self.queue.push_back(Correction::Notice(untidy.code, span));
        let new = untidy.document.value();
        if let Some(node) = streamed.node().filter(|_| new.is_empty()) {
            self.queue.push_back(Correction::Remove(DocNode { document: repairs.document, node }));
            return Some(part.is_truncated);
        }
        self.queue.extend(difference::corrections(repairs.document, streamed, new));
        let is_whole = untidy::is_whole(new, schema);
        Some(part.is_truncated && !is_whole)
    }

    fn salvage(&mut self, document: DocId, part: &TextPart, code: Code, found: Reread) -> bool {
        self.begin_if_new(document, part);
        self.queue.push_back(Correction::Notice(code, found.span));
        let notices = found.notices.into_iter();
        self.queue.extend(notices.map(|it| Correction::PathNotice(Box::new(it))));
        self.queue.push_back(Correction::Root(document, found.document));
        !found.is_complete
    }
}

/// Gives fields that are text the type that the schema declares.
struct FieldRetyper<'p> {
    plan: &'p mut Corrections,
    document: DocId,
    settings: &'p Settings,
    end: u64,
    /// Whether the fences around all texts are layout.
    are_fenced: bool,
}

impl FieldRetyper<'_> {
    /// Plans the correction of a streamed field. Whether its value is truncated.
    fn field(&mut self, key: &str, text: &str, node: NodeId) -> bool {
        let at = DocNode { document: self.document, node };
        let span = Span::at(self.end);
        let typed = match self.unfenced(key, text) {
            Some(inner) => TypedText::text(Code::Unfenced, inner),
            None => retyped(key, text, self.settings),
        };
        let (code, value, is_complete) = match typed {
            TypedText::Same => return false,
            TypedText::Bad => (Some(Code::BadJson), None, true),
            TypedText::Value { code, value, is_complete } => (code, Some(value), is_complete),
        };
        if let Some(code) = code {
            self.plan.queue.push_back(Correction::ValueNotice { code, at, span });
        }
        if let Some(value) = value {
            self.plan.queue.push_back(Correction::Replace { at, value });
        }
        !is_complete
    }

    /// The inside of a text whose fence is layout.
    fn unfenced<'t>(&self, key: &str, text: &'t str) -> Option<&'t str> {
        let (schema, id) = declared(key, self.settings).filter(|_| self.are_fenced)?;
        fence_line::inside(text).filter(|_| schema.is_text(id))
    }

    /// Corrects the fields of a document that was not emitted yet. Whether one of them is truncated.
    fn hidden_fields(&self, document: &mut Document) -> bool {
        let texts: Vec<(String, String, NodeId)> = document
            .value()
            .entries()
            .filter_map(|(key, value)| {
                Some((key?.to_owned(), value.as_str()?.to_owned(), value.node()?))
            })
            .collect();
        let mut is_cut = false;
        for (key, text, node) in texts {
            let typed = retyped(&key, &text, self.settings);
            if let TypedText::Value { value, is_complete, .. } = typed {
                let source = document.graft(Placement::Detached, value.value());
                document.take_over(node, source);
                is_cut |= !is_complete;
            }
        }
        is_cut
    }
}

/// The streamed value of a part, or `none`.
fn streamed<'d>(fold: &'d Fold, part: &TextPart, none: &'d Document) -> ValueRef<'d> {
    part.document.map_or(none, |known| &fold.documents.all[known.index()]).value()
}

/// Whether all texts stand in fences of their own, in a format that keeps such fences.
fn are_all_fenced(streamed: ValueRef<'_>, settings: &Settings) -> bool {
    let allowed = settings.json.rules.allow(Leniency::UntidyFields)
        && settings.row.untidy_reading() != UntidyReading::Yaml;
    let Some(schema) = settings.json.schema.as_ref().filter(|_| allowed) else { return false };
    let texts = streamed.entries().filter_map(|(key, value)| Some((key?, value.as_str()?)));
    untidy::layout::are_all_fenced(untidy::texts_of(texts, schema))
}

/// Whether all fields of a part have values, and its last one was only closed by the element around the fields.
fn is_closed_by_root(
    streamed: ValueRef<'_>,
    repairs: &FieldRepairs,
    raw: Option<&[u8]>,
    ended: &EndedStream<'_>,
    part: &TextPart,
) -> bool {
    let schema = ended.settings.json.schema.as_ref();
    let Some(schema) = schema.filter(|_| closes_with_root(raw, part, ended.settings)) else {
        return false;
    };
    let settled = settled(with_repairs(streamed, repairs), false, ended.settings);
    untidy::is_whole(settled.value(), schema)
}

/// The most bytes of a line of closers.
const LONGEST_CLOSERS: usize = 1 << 10;

/// Whether the text of a part in tags ends with the closer of an element around its fields.
fn closes_with_root(raw: Option<&[u8]>, part: &TextPart, settings: &Settings) -> bool {
    let is_tags = settings.row.untidy_reading() == UntidyReading::Tags;
    let end = part.span.end as usize;
    let Some(text) = raw.filter(|_| is_tags).and_then(|raw| raw.get(..end)) else { return false };
    let text = text.trim_ascii_end();
    // Longer lines hold more than closers, and may hold many parts.
    let text = &text[text.len().saturating_sub(LONGEST_CLOSERS)..];
    let line = text.rsplit(|byte| *byte == b'\n').next().unwrap_or(text).trim_ascii_start();
    line.starts_with(b"</") && line.ends_with(b">") && !line[2..].starts_with(b"field")
}

/// Whether an object has no member although the schema declares some.
fn lacks_all(streamed: ValueRef<'_>, ended: &EndedStream<'_>) -> bool {
    let schema = ended.settings.json.schema.as_ref();
    let allowed = ended.settings.json.rules.allow(Leniency::UntidyFields);
    allowed
        && streamed.is_empty()
        && schema.is_some_and(|it| it.declared_keys(it.root()).next().is_some())
}

/// A copy of the streamed object with the repaired values of its fields.
fn with_repairs(streamed: ValueRef<'_>, repairs: &FieldRepairs) -> Document {
    let mut document = Document::copy_of(streamed);
    let repaired =
        |value: ValueRef<'_>| repairs.found.iter().find(|it| Some(it.node) == value.node());
    let pairs: Vec<_> = streamed
        .entries()
        .zip(document.value().entries())
        .filter_map(|((_, old), (_, new))| Some((new.node()?, repaired(old)?)))
        .collect();
    for (node, found) in pairs {
        let source = document.graft(Placement::Detached, found.repair.root.document.value());
        document.take_over(node, source);
    }
    document
}

/// An object whose texts have the types of their fields.
fn settled(mut document: Document, is_yaml: bool, settings: &Settings) -> Document {
    let texts: Vec<(NodeId, TypedText)> = document
        .value()
        .entries()
        .filter_map(|(key, value)| {
            Some((value.node()?, typed_text(key?, value.as_str()?, is_yaml, settings)))
        })
        .collect();
    for (node, typed) in texts {
        if let TypedText::Value { value, .. } = typed {
            let source = document.graft(Placement::Detached, value.value());
            document.take_over(node, source);
        }
    }
    document
}

/// Whether a text of the stream may hold what is no content: a fence around the answer, a rule between
/// sections, or a closer.
fn has_layout(streamed: ValueRef<'_>) -> bool {
    let texts = || streamed.entries().filter_map(|(_, value)| value.as_str());
    let is_formed =
        |text: &str| text.starts_with([' ', '\t']) || untidy::layout::json_text(text).is_some();
    let last = texts().last();
    let closes = |text: &str| text.contains("\n```") || text.contains("\n~~~");
    last.is_some_and(closes)
        || texts().any(|text| {
            untidy::ends_in_rule(text)
                || text.ends_with("\n---")
                || text.contains("</")
                || text.contains("-->")
                || is_formed(text)
        })
}

/// Whether a text is empty: what was meant as its content may have been read as something else.
fn has_empty_text(streamed: ValueRef<'_>) -> bool {
    streamed.entries().any(|(_, value)| value.as_str() == Some(""))
}

/// What the stream knows about the text of a part.
fn state_of(fold: &Fold, part: &TextPart) -> StreamedText {
    match (part.has_payload, part.is_truncated) {
        (false, _) => StreamedText::Nothing,
        (true, true) => StreamedText::Cut,
        (true, false) => {
            let has_skipped = fold.outbox.has_skipped_text || fold.outbox.is_doubtful;
            StreamedText::Ended { has_skipped }
        }
    }
}

/// What is known about a mapping that was found without its markers.
fn bare_state(found: &Reread) -> StreamedText {
    let has_notices = found.notices.iter().any(|it| it.code != Code::UnknownField);
    let is_doubtful = has_notices || found.has_skipped || has_empty_text(found.document.value());
    StreamedText::Bare { has_skipped: found.has_skipped, is_doubtful }
}

/// Whether a text in YAML has a second document behind the first, or words that YAML takes for something else.
fn has_slips_of_yaml(ended: &EndedStream<'_>, part: &TextPart) -> bool {
    let is_yaml = ended.settings.row.untidy_reading() == UntidyReading::Yaml;
    let (start, end) = (part.span.start as usize, part.span.end as usize);
    let raw = ended.raw.filter(|_| is_yaml).and_then(|raw| raw.get(start..end));
    raw.map(String::from_utf8_lossy)
        .is_some_and(|text| untidy::documents(&text).len() > 1 || untidy::has_odd_texts(&text))
}

/// What is no text of a part, in order: elements and reasoning, if the part is the text outside elements.
fn hidden(ended: &EndedStream<'_>, part: &TextPart) -> Vec<Span> {
    let mut hidden: Vec<Span> = match part.element {
        Some(_) => Vec::new(),
        None => ended.elements.iter().chain(ended.thoughts).copied().collect(),
    };
    order::sort_by_key(&mut hidden, |span| span.start);
    hidden
}

/// The stream with line ends in place of what is no text of a part, so that the places of all else stay.
fn visible<'r>(raw: &'r [u8], ended: &EndedStream<'_>, part: &TextPart) -> Cow<'r, [u8]> {
    let mut raw = Cow::Borrowed(raw);
    for span in hidden(ended, part) {
        let len = raw.len();
        let (start, end) = (span.start as usize, span.end as usize);
        raw.to_mut()[start.min(len)..end.min(len)].fill(b'\n');
    }
    raw
}

/// The reading of a part that beats the current one, and the bytes that it is about.
pub(super) fn untidy_of(
    fold: &Fold,
    ended: &EndedStream<'_>,
    part: &TextPart,
    current: ValueRef<'_>,
) -> Option<(untidy::Untidy, Span)> {
    untidy_in(ended, part, current, state_of(fold, part))
}

/// The reading of a part around the JSON that was streamed, which may be the value of one field.
pub(super) fn untidy_around(
    ended: &EndedStream<'_>,
    part: &TextPart,
    value: ValueRef<'_>,
) -> Option<(untidy::Untidy, Span)> {
    untidy_in(ended, part, value, StreamedText::Value)
}

fn untidy_in(
    ended: &EndedStream<'_>,
    part: &TextPart,
    current: ValueRef<'_>,
    state: StreamedText,
) -> Option<(untidy::Untidy, Span)> {
    let raw = ended.raw.filter(|_| ended.settings.strictness == Strictness::Lenient)?;
    let (mut own, mut start, mut from) = (Vec::new(), None, part.span.start);
    for span in hidden(ended, part).into_iter().chain([Span::at(part.span.end)]) {
        if span.start > from {
            own.extend_from_slice(raw.get(from as usize..span.start as usize)?);
            start = start.or(Some(from));
        }
        from = from.max(span.end);
    }
    let text = String::from_utf8_lossy(&own);
    let found = untidy::find(&text, current, state, ended.settings)?;
    Some((found, Span::new(start.unwrap_or(part.span.start), part.span.end)))
}

/// The value that the streamed text of a field should be.
fn retyped(key: &str, text: &str, settings: &Settings) -> TypedText {
    let is_yaml = settings.row.untidy_reading() == UntidyReading::Yaml;
    typed_text(key, text, is_yaml, settings)
}

/// The value that a text should be, which was read as the text of a field.
fn typed_text(key: &str, text: &str, is_yaml: bool, settings: &Settings) -> TypedText {
    let Some((schema, id)) = declared(key, settings) else { return TypedText::Same };
    if schema.is_text(id) {
        return match (unwrapped(key, text, settings), unquoted(text, settings)) {
            (Some(inner), _) => TypedText::text(Code::Unfenced, inner),
            (None, Some(inner)) => TypedText::text(Code::UntidyValue, &inner),
            (None, None) => TypedText::Same,
        };
    }
    if ending(settings).types_text {
        return typed::read(key, text, schema, id, settings);
    }
    // A text where the type has none is a value that the machine could not read. One item alone becomes
    // a list later.
    let may_be_list = schema.may_be_list(id);
    if schema.matches_kind(id, ValueKind::String) || may_be_list && !is_yaml {
        return TypedText::Same;
    }
    let found = value::read(key, text, schema, id, settings);
    match found.filter(|(_, value)| !may_be_list || value.value().len() != 1) {
        Some((code, value)) => {
            TypedText::Value { code: code.or(Some(Code::TextAsValue)), value, is_complete: true }
        }
        None => TypedText::Same,
    }
}

/// The bool, number or null that a scalar of YAML means, where the schema has one of them: quotes are optional there.
pub(super) fn plain_scalar(text: &str, id: SchemaId, settings: &Settings) -> Option<Document> {
    let is_yaml = settings.row.untidy_reading() == UntidyReading::Yaml;
    let schema = settings.json.schema.as_ref().filter(|_| is_yaml)?;
    let is_scalar = [ValueKind::Bool, ValueKind::Number, ValueKind::Null]
        .into_iter()
        .any(|kind| schema.matches_kind(id, kind));
    is_scalar.then(|| value::scalar(text, schema, id, settings)).flatten()
}

/// The list of scalars that a text of YAML means, if it has several items or says that there are none.
pub(super) fn plain_list(text: &str, id: SchemaId, settings: &Settings) -> Option<Document> {
    let is_yaml = settings.row.untidy_reading() == UntidyReading::Yaml;
    let schema = settings.json.schema.as_ref().filter(|_| is_yaml)?;
    let is_flat = schema.item(id).is_some_and(|item| {
        !schema.matches_kind(item, ValueKind::Object) && !schema.matches_kind(item, ValueKind::List)
    });
    let found = value::read("", text, schema, id, settings).filter(|_| is_flat)?.1;
    (found.value().len() != 1).then_some(found)
}

/// The text inside the fence, if the fence is all of the text and the settings remove it.
fn unwrapped<'t>(key: &str, text: &'t str, settings: &Settings) -> Option<&'t str> {
    let wanted = match settings.fields.unwraps.of(key) {
        Unwrap::Auto => true,
        Unwrap::Always => ending(settings).unwraps_text,
        _ => false,
    };
    if wanted { fence_line::inside(text) } else { None }
}

/// The text that a string of JSON means, if its escapes show that it is one. YAML has read them already.
fn unquoted(text: &str, settings: &Settings) -> Option<String> {
    let allowed = settings.json.rules.allow(Leniency::UntidyFields);
    let is_raw = settings.row.untidy_reading() != UntidyReading::Yaml;
    (allowed && is_raw).then(|| untidy::layout::escaped_text(text)).flatten()
}

fn ending(settings: &Settings) -> FieldEnding {
    settings.row.fields().unwrap_or_default()
}

fn declared<'s>(key: &str, settings: &'s Settings) -> Option<(&'s Schema, SchemaId)> {
    let schema = settings.json.schema.as_ref()?;
    Some((schema, schema.member(schema.root(), key)?))
}

/// Whether an object has a member that the schema declares.
fn shares_key(value: ValueRef<'_>, schema: &Schema) -> bool {
    let root = schema.root();
    value.entries().any(|(key, _)| key.is_some_and(|key| schema.declares(root, key)))
}

#[cfg(test)]
mod tests;
