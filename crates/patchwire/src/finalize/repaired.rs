//! The streamed root against the cheapest reading of its text.
//!
//! The stream decides on each slip at once. Where a slip had several meanings, the whole text is searched for
//! the reading that costs least, and the streamed one gives way if it is clearly dearer.

use std::borrow::Cow;

use super::reread::{self, Reread};
use super::text_part::PartText;
use crate::codes::Code;
use crate::document::{DocId, Document, ValueKind, ValueRef};
use crate::fold::Fold;
use crate::format::json::Roots;
use crate::limits::Limit;
use crate::repair::{self, FoundRoot, Interpretation, SearchOptions};
use crate::span::Span;
use crate::spec::Settings;

/// How much cheaper than the streamed root a reading must be to replace it.
const MARGIN: u32 = 20;
/// The highest cost of a root if nothing was streamed.
const MOST_COST: u32 = 120;
/// The highest cost of an empty root if nothing was streamed. Only closers may be missing.
const MOST_EMPTY_COST: u32 = 62;
/// How many brackets are tried if nothing was streamed.
const TRIES: usize = 4;
/// The most notices of slips that one repair emits.
const MOST_NOTICES: usize = 16;

/// A root that was read again by the search.
pub(super) struct Repair {
    pub(super) root: Reread,
    /// Its slips.
    pub(super) notices: Vec<(Code, Span)>,
}

fn options(settings: &Settings) -> SearchOptions {
    let depth = settings.json.limits.get(Limit::Depth);
    SearchOptions {
        leniencies: settings.json.rules,
        depth: u32::try_from(depth).unwrap_or(u32::MAX),
        ..SearchOptions::default()
    }
}

/// The text of the streamed root and what comes after it, and the offset at which it begins. None if the
/// streamed root is right in any case, or if the text is too long to be searched.
pub(super) fn doubtful<'t>(
    text: &PartText<'t>,
    settings: &Settings,
    is_ambiguous: bool,
) -> Option<(usize, &'t str)> {
    let taken = text.part.candidates.taken?;
    if settings.json.roots == Roots::Concatenated {
        return None;
    }
    let start = usize::try_from(taken.start).ok()?;
    let after = taken.end.and_then(|end| text.raw.get(usize::try_from(end).ok()?..));
    if after.is_some_and(|after| is_closed_by_fence(&text.raw[start..], after)) {
        return None;
    }
    let suspicious = |byte: &u8| matches!(byte, b'"' | b'}' | b']');
    let has_tail = after.is_some_and(|after| after.iter().any(suspicious));
    if !is_ambiguous && !has_tail {
        return None;
    }
    let start = list_around(text, start).unwrap_or(start);
    Some((start, within_limit(text.raw.get(start..)?, settings)?))
}

/// The reading that replaces the streamed root. None if one of the cheapest readings is the streamed root.
pub(super) fn better(
    (start, raw): (usize, &str),
    settings: &Settings,
    streamed: ValueRef<'_>,
) -> Option<Repair> {
    let found = repair::search(raw, 0, options(settings));
    let best = found.best()?;
    let is_streamed = |it: &Interpretation| it.roots[0].document.value() == streamed;
    let mut cheap = found.interpretations().take_while(|it| it.cost < best.cost + MARGIN);
    if cheap.any(|it| is_streamed(&it)) {
        return None;
    }
    of(best, start as u64, settings)
}

/// Whether the end of a fence closed the root. Before a line end or an info string, the fence may instead
/// open a value.
fn is_closed_by_fence(from_root: &[u8], after: &[u8]) -> bool {
    let root = &from_root[..from_root.len() - after.len()];
    let after = after.trim_ascii_start();
    let Some(rest) = after.strip_prefix(b"```").or_else(|| after.strip_prefix(b"~~~")) else {
        return false;
    };
    let opens =
        rest.first().is_none_or(|byte| byte.is_ascii_whitespace() || byte.is_ascii_alphanumeric());
    !matches!(root.last(), Some(b'}' | b']' | b')')) && !opens
}

/// The text, if it is short enough to be searched.
fn within_limit<'t>(raw: &'t [u8], settings: &Settings) -> Option<&'t str> {
    let most = settings.json.limits.size(Limit::Repair);
    core::str::from_utf8(raw).ok().filter(|text| text.len() <= most)
}

/// The bracket of a list whose first item was streamed as the root.
fn list_around(text: &PartText<'_>, start: usize) -> Option<usize> {
    let from = usize::try_from(text.part.span.start).ok()?;
    let before = text.raw.get(from..start)?.trim_ascii_end();
    let (last, before) = before.split_last()?;
    (*last == b'[' && may_open_list(before)).then_some(from + before.len())
}

/// Whether a bracket after this text may open a list that is the answer.
fn may_open_list(before: &[u8]) -> bool {
    let line = before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
    matches!(line, None | Some(b'\n' | b':' | b'=' | b'>'))
}

/// Reads the root of a reading again, with the schema.
fn of(found: Interpretation, start: u64, settings: &Settings) -> Option<Repair> {
    let Interpretation { roots, slips, .. } = found;
    let FoundRoot { document, span, is_complete } = roots.into_iter().next()?;
    let written = document.value().to_string();
    drop(document);
    let read = reread::strict(&written, 0, settings)?;
    let offset = |span: Span| Span::new(span.start + start, span.end + start);
    let slips = slips.iter().filter(|slip| slip.root == 0 && slip.cost > 0);
    let notices = slips.map(|slip| (slip.slip.code(), offset(slip.span))).take(MOST_NOTICES);
    let notices = notices.collect();
    let root = Reread { span: offset(span), is_complete, ..read };
    Some(Repair { root, notices })
}

/// Searches a text for a root if nothing was streamed.
pub(super) fn first(text: &PartText<'_>, settings: &Settings) -> Option<Repair> {
    let alone = text.part.alone.filter(|_| settings.json.roots != Roots::Concatenated)?;
    let (from, to) = (usize::try_from(alone.start).ok()?, usize::try_from(alone.end).ok()?);
    let raw = within_limit(text.raw.get(from..to)?, settings)?;
    let brackets = raw.bytes().enumerate().filter(|(_, byte)| matches!(byte, b'{' | b'[' | b'('));
    for (at, bracket) in brackets.take(TRIES) {
        if text.is_thought((from + at) as u64) || !may_be_root(raw, at, bracket) {
            continue;
        }
        let best = repair::search(raw, at, options(settings)).best();
        if let Some(best) = best.filter(|best| is_plausible(raw, at, best, settings)) {
            return of(best, from as u64, settings);
        }
    }
    None
}

/// Whether a bracket may open a root, judged by the text around it.
fn may_be_root(raw: &str, at: usize, bracket: u8) -> bool {
    let before = &raw.as_bytes()[..at];
    let next = raw[at + 1..].trim_start().chars().next();
    match bracket {
        b'{' => true,
        b'[' if is_first(raw, at) => true,
        b'[' => may_open_list(before) && matches!(next, Some('"' | '{')),
        _ => is_first(raw, at),
    }
}

/// Whether nothing comes before a position, apart from the opening line of a fence.
fn is_first(raw: &str, at: usize) -> bool {
    let before = raw[..at].trim();
    before.is_empty() || (before.starts_with("```") && !before.contains('\n'))
}

/// Whether a root that only the search found is probably meant as one, and is not prose.
fn is_plausible(raw: &str, at: usize, best: &Interpretation, settings: &Settings) -> bool {
    let root = &best.roots[0];
    let value = root.document.value();
    let tail = raw.get(root.span.end as usize..).unwrap_or_default().trim();
    let is_all = is_first(raw, at) && matches!(tail, "" | ";" | "```");
    let is_fenced = raw.starts_with("```");
    let wants_list =
        settings.json.schema.as_ref().is_some_and(|schema| schema.may_be_list(schema.root()));
    let count = value.len();
    match value.kind() {
        _ if value.is_empty() => is_all && best.cost <= MOST_EMPTY_COST,
        ValueKind::Object => best.cost <= MOST_COST || is_all,
        ValueKind::List if is_all => {
            count > 1
                || is_fenced
                || wants_list
                || best.cost == 0
                || raw[at + 1..].trim_start().starts_with(|it: char| !it.is_alphabetic())
        }
        _ => best.cost <= MOST_COST,
    }
}

/// A document with the removals and successors that the fold noted carried out.
pub(super) fn settled(fold: &Fold, id: DocId) -> Cow<'_, Document> {
    let mut document = Cow::Borrowed(&fold.documents.all[id.index()]);
    for node in fold.shadow.removals.iter().filter(|node| node.document == id) {
        document.to_mut().unlink(node.node);
    }
    for successor in fold.shadow.successors.iter().filter(|it| it.document == id) {
        document.to_mut().take_over(successor.target, successor.source);
    }
    document
}
