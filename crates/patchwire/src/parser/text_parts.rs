//! The texts that the finalizer may read again: the text outside elements, and the texts of elements that
//! closed.

use std::collections::{HashMap, HashSet};

use super::collected::Collected;
use super::reader::Reader;
use crate::document::{DocId, DocNode, NodeId, ValueKind, ValueRef};
use crate::element::ElementId;
use crate::finalize::{SlippedBody, TextPart};
use crate::fold::Fold;
use crate::format::FormatMachine;
use crate::format::body::Body;
use crate::format::json::Candidates;
use crate::span::Span;
use crate::tags::BodyFormat;
use crate::transcript::{ElementRecord, Route, TranscriptItem};

/// A body that was cut when its element closed, or an answer that was cut at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CutBody {
    /// The string that was open.
    pub(super) leaf: Option<NodeId>,
}

/// The body of an element that closed.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClosedBody {
    pub(super) element: u32,
    /// Where its text ended.
    pub(super) end: u64,
    pub(super) cut: Option<CutBody>,
}

impl Collected {
    /// Keeps the text of an element that closes, if the finalizer can use it.
    pub(super) fn keep_part(
        &mut self,
        ClosedBody { element, end, cut }: ClosedBody,
        body: &Body,
        fold: &Fold,
    ) {
        let Some(record) = self.transcript.element(element) else { return };
        // Without the raw text nothing can be read again, but values still become the types that their schema declares.
        let is_of_use = fold.documents.keeps_values();
        let Some(candidates) = body.candidates().filter(|_| is_of_use) else { return };
        self.parts.push(TextPart {
            element: Some(ElementId(element)),
            document: record.document,
            span: Span::new(record.inside.start, end),
            leaf: cut.and_then(|cut| cut.leaf).map(|node| in_current(fold, node)),
            is_truncated: cut.is_some(),
            ..part_of(&body.machine, candidates)
        });
    }

    /// All texts that may contain a payload. The text outside elements comes first.
    pub(super) fn take_parts(
        &mut self,
        format: &FormatMachine,
        fold: &Fold,
        cut: Option<CutBody>,
        end: u64,
    ) -> Vec<TextPart> {
        let candidates = format.candidates();
        let is_json = candidates.is_some();
        let mut parts = vec![TextPart {
            document: Some(DocId::ANSWER),
            span: Span::new(0, end),
            leaf: cut.and_then(|cut| cut.leaf).map(|node| in_current(fold, node)),
            is_truncated: cut.is_some(),
            ..part_of(format, candidates.unwrap_or_default())
        }];
        parts.append(&mut self.parts);
        if self.raw.is_some() {
            let runs = self.text_runs(&parts);
            let number = |part: &TextPart| part.element.map_or(0, ElementId::get);
            let own = |part: &&mut TextPart| is_json || part.element.is_some();
            for part in parts.iter_mut().filter(own) {
                let runs = runs.get(&number(part));
                part.first_text = runs.map(|runs| runs.first.start);
                part.alone = runs.filter(|runs| runs.count == 1).map(|runs| runs.first);
            }
        }
        parts
    }

    /// The runs of visible text by element, 0 for the text outside.
    fn text_runs(&self, parts: &[TextPart]) -> HashMap<u32, TextRuns> {
        let elements: HashSet<u32> =
            parts.iter().filter_map(|part| part.element).map(ElementId::get).collect();
        let mut runs: HashMap<u32, TextRuns> = HashMap::new();
        for item in &self.transcript.items {
            let TranscriptItem::Text { element, route, text, span } = item else { continue };
            let is_own = elements.contains(element);
            if (is_own || *route == Route::Text) && !self.transcript.slice(text).trim().is_empty() {
                let part = if is_own { *element } else { 0 };
                runs.entry(part).or_insert(TextRuns { first: *span, count: 0 }).count += 1;
            }
        }
        runs
    }
}

/// The runs of visible text of a part.
struct TextRuns {
    first: Span,
    count: usize,
}

/// JSON bodies with slips that have several meanings: the document of each, and the text of its element. Bodies
/// with several documents are left out.
pub(super) fn bodies_with_slips(reader: &Reader) -> Vec<SlippedBody> {
    let fold = &reader.fold;
    if !fold.documents.keeps_values() || fold.outbox.ambiguities.is_empty() {
        return Vec::new();
    }
    let mut documents: HashMap<ElementId, usize> = HashMap::new();
    for element in fold.documents.origins.iter().filter_map(|origin| origin.element) {
        *documents.entry(element).or_default() += 1;
    }
    let elements = reader.collected.transcript.elements.iter();
    let body = |record: &ElementRecord| {
        // A reading of a text that ran over markers would lose what is behind them.
        let is_json = reader.family(record.family)?.body() == BodyFormat::Json && !record.ran_over;
        let is_one = documents.get(&ElementId(record.id)) == Some(&1);
        let is_ambiguous = fold.outbox.ambiguities.touches(record.inside);
        let document = record.document.filter(|_| is_json && is_one && is_ambiguous)?;
        Some(SlippedBody { document, text: record.inside })
    };
    elements.filter_map(body).collect()
}

/// JSON bodies whose list of plain values is the beginning of a line of prose, as in `[1] started`, and those that begin
/// with words in brackets, as in `{INFO} started`: the document, the whole text, and its span. Such a body is text.
pub(super) fn lists_that_begin_prose(reader: &Reader) -> Vec<(DocId, String, Span)> {
    let Some(raw) =
        reader.collected.raw.as_deref().filter(|_| reader.fold.documents.keeps_values())
    else {
        return Vec::new();
    };
    let elements = reader.collected.transcript.elements.iter();
    elements.filter_map(|record| list_before_prose(reader, record, raw)).collect()
}

fn list_before_prose(
    reader: &Reader,
    record: &ElementRecord,
    raw: &[u8],
) -> Option<(DocId, String, Span)> {
    let is_json = reader.family(record.family)?.body() == BodyFormat::Json;
    let (document, documents) = (record.document.filter(|_| is_json)?, &reader.fold.documents);
    let value = documents.all.get(document.index())?.value();
    let is_plain = |item: ValueRef<'_>| !matches!(item.kind(), ValueKind::List | ValueKind::Object);
    let is_list = value.kind() == ValueKind::List && value.entries().all(|(_, it)| is_plain(it));
    let own = |item: &&TranscriptItem| match item {
        TranscriptItem::Text { element, .. } => *element == record.id,
        _ => false,
    };
    let items = reader.collected.transcript.items.get(record.items.clone())?;
    let Some(TranscriptItem::Text { span: rest, .. }) = items.iter().find(own) else {
        return None;
    };
    let Span { start, end } = record.inside;
    let text = |from: u64, to: u64| raw.get(usize::try_from(from).ok()?..usize::try_from(to).ok()?);
    let before = text(start, rest.start)?.utf8_chunks().last()?.valid();
    let after = text(rest.start, rest.end)?.utf8_chunks().next()?.valid();
    let gap_before = &before[before.trim_end().len()..];
    let gap_after = &after[..after.len() - after.trim_start().len()];
    let is_on_line = !gap_before.contains('\n') && !gap_after.contains('\n');
    let is_prose = is_list && is_on_line || is_in_words(before) && has_words(after);
    if !is_prose {
        return None;
    }
    let whole = String::from_utf8_lossy(text(start, end)?).trim_start().to_owned();
    Some((document, whole, Span::new(start, end)))
}

/// Whether brackets enclose words and nothing that JSON has there: no quotes, no colons, no numbers.
fn is_in_words(text: &str) -> bool {
    let inner = text.trim().get(1..).unwrap_or("");
    let is_json = |word: &str| {
        let is_literal = matches!(word, "true" | "false" | "null" | "True" | "False" | "None");
        is_literal || word.starts_with(|c: char| c.is_ascii_digit())
    };
    let mut words = inner.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
    let is_plain = !inner.contains(['"', '\'', '`', ':', '[', '{']);
    is_plain && words.next().is_some_and(|first| !is_json(first)) && !words.any(is_json)
}

fn has_words(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// A part whose machine read its text, without its place.
fn part_of(machine: &FormatMachine, candidates: Candidates) -> TextPart {
    TextPart {
        element: None,
        document: None,
        span: Span::at(0),
        first_text: None,
        alone: None,
        candidates,
        has_payload: machine.position().payloads.is_some_and(|payloads| payloads.begun > 0),
        hidden: machine.hidden_payload(),
        leaf: None,
        is_truncated: false,
    }
}

fn in_current(fold: &Fold, node: NodeId) -> DocNode {
    DocNode { document: fold.documents.current_id(), node }
}
