//! The streamed root against the cheapest reading of its text.
//!
//! The stream decides on each slip at once. Where a slip had several meanings, the whole text is searched for
//! the reading that costs least, and the streamed one gives way if it is clearly dearer.

use core::cmp::Reverse;
use std::borrow::Cow;

use super::locate::Locator;
use super::reread::{self, Reread};
use super::text_part::PartText;
use crate::codes::Code;
use crate::document::{DocId, DocNode, Document, NodeId, ValueKind, ValueRef};
use crate::fold::Fold;
use crate::format::json::Roots;
use crate::limits::Limit;
use crate::notice::RepairCost;
use crate::path::PathStack;
use crate::repair::{self, FoundRoot, Interpretation, SearchOptions, SearchResult};
use crate::schema::Schema;
use crate::span::Span;
use crate::spec::Settings;
#[cfg(feature = "_internals")]
use crate::{repair::Trial, spec::Spec};

/// How much cheaper than the streamed root a reading must be to replace it.
const MARGIN: u32 = 20;
/// The highest costs of readings in the searches that come before the whole one.
const CHEAP: [u32; 2] = [48, 120];
/// The highest cost of a reading that replaces a streamed root whose own cost is not known.
const MOST_UNKNOWN_COST: u32 = 320;
/// The highest cost of a root if nothing was streamed.
const MOST_COST: u32 = 120;
/// The highest cost of an empty root if nothing was streamed. Only closers may be missing.
const MOST_EMPTY_COST: u32 = 62;
/// How many brackets are tried if nothing was streamed.
const TRIES: usize = 4;
/// The longest path of a slip, in bytes.
const MOST_PATH: usize = 4 << 10;

/// A root that was read again by the search.
pub(super) struct Repair {
    pub(super) root: Reread,
    /// The path of the root: that of a field, or none.
    pub(super) path: PathStack,
    /// What its reading costs.
    pub(super) cost: RepairCost,
    /// Its slips.
    pub(super) notices: Vec<SlipNotice>,
}

impl Repair {
    /// The repair of a member of the answer.
    pub(super) fn under(mut self, name: &str) -> Self {
        self.path = self.path.under(name);
        for notice in &mut self.notices {
            notice.path = notice.path.under(name);
        }
        self
    }
}

/// One slip, with its place in the value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SlipNotice {
    pub(super) code: Code,
    pub(super) span: Span,
    /// The container that was open.
    pub(super) path: PathStack,
    pub(super) cost: RepairCost,
}

/// Whether a streamed root may have been meant in another way.
pub(super) enum Doubt<'t> {
    None,
    /// The text is too long to be searched.
    TooLong(Span),
    /// The text of the root and what comes after it, and the offset at which it begins.
    Text(usize, &'t str),
}

pub(super) fn options(settings: &Settings) -> SearchOptions {
    let depth = settings.json.limits.get(Limit::Depth);
    SearchOptions {
        leniencies: settings.json.rules,
        depth: u32::try_from(depth).unwrap_or(u32::MAX),
        ..SearchOptions::default()
    }
}

/// Whether the streamed root may have been meant in another way.
pub(super) fn doubt<'t>(text: &PartText<'t>, settings: &Settings, is_ambiguous: bool) -> Doubt<'t> {
    let found = doubtful(text, settings, is_ambiguous).and_then(|start| {
        let raw = core::str::from_utf8(text.raw.get(start..)?).ok()?;
        Some((start, raw))
    });
    let most = settings.json.limits.size(Limit::Repair);
    match found {
        None => Doubt::None,
        Some((start, raw)) if raw.len() <= most => Doubt::Text(start, raw),
        // The limit 0 switches the search off.
        Some(_) if most == 0 => Doubt::None,
        Some((start, raw)) => Doubt::TooLong(Span::new(start as u64, (start + raw.len()) as u64)),
    }
}

/// Whether the streamed value of a field may have been meant in another way. The span goes from its bracket to the
/// end of the field. A line that closes the fence of the field is no text of the value.
pub(super) fn doubt_of_field<'t>(
    raw: &'t [u8],
    span: Span,
    settings: &Settings,
    is_ambiguous: bool,
) -> Doubt<'t> {
    let (start, end) = (span.start as usize, span.end as usize);
    let Some(text) = raw.get(start..end).and_then(|it| core::str::from_utf8(it).ok()) else {
        return Doubt::None;
    };
    let inside = before_fence_end(text.as_bytes()).len();
    let is_last = text[inside..].trim_end_matches(['\n', '\r']).lines().count() <= 1;
    let text = if is_last { &text[..inside] } else { text };
    let most = settings.json.limits.size(Limit::Repair);
    match text.len() {
        _ if most == 0 || !(is_ambiguous || hides_end(text.as_bytes())) => Doubt::None,
        len if len <= most => Doubt::Text(start, text),
        _ => Doubt::TooLong(span),
    }
}

/// The offset from which the text is searched; none if the streamed root is right in any case.
fn doubtful(text: &PartText<'_>, settings: &Settings, is_ambiguous: bool) -> Option<usize> {
    let taken = text.part.candidates.taken?;
    if settings.json.roots == Roots::Concatenated {
        return None;
    }
    let start = usize::try_from(taken.start).ok()?;
    let after = taken.end.and_then(|end| text.raw.get(usize::try_from(end).ok()?..));
    if after.is_some_and(|after| is_closed_by_fence(&text.raw[start..], after)) {
        return None;
    }
    let has_tail = after.is_some_and(may_belong_to_root);
    let may_hide_end = text.part.leaf.is_some() && hides_end(&text.raw[start..]);
    let ends_closed =
        after.is_none() && text.part.leaf.is_none() && ends_in_closer(&text.raw[start..]);
    let is_in_quotes = after.is_none() && ends_in_other_quotes(&text.raw[start..]);
    if !is_ambiguous && !has_tail && !may_hide_end && !ends_closed && !is_in_quotes {
        return None;
    }
    Some(list_around(text, start).unwrap_or(start))
}

/// Whether the text after a root may belong to it: it has a quote, or a closer behind a sign that may follow a value.
/// Links, formulas and task lists have brackets, too, but begin otherwise.
fn may_belong_to_root(after: &[u8]) -> bool {
    let is_closer = |byte: &u8| matches!(byte, b'}' | b']');
    let goes_on = || matches!(after.trim_ascii_start().first(), Some(b',' | b':' | b'}' | b']'));
    after.contains(&b'"') || (goes_on() && after.iter().any(is_closer))
}

/// The readings that compete for a text, the cheapest first: the best, so many others, and the one that was
/// streamed.
#[cfg(feature = "_internals")]
#[must_use]
pub fn readings(spec: &Spec, text: &str, streamed: ValueRef<'_>, others: usize) -> Vec<Trial> {
    let options = options(&spec.0);
    let mut found = repair::trial_with(text, 0, others, options);
    let streamed = repair::reading_of(text, streamed, options).map(|it| Trial::of(&it));
    found.extend(streamed);
    let mut values = std::collections::HashSet::new();
    found.sort_by_key(|it| it.cost);
    found.retain(|it| values.insert(it.roots.first().cloned()));
    found
}

/// The reading that replaces the streamed root. None if the streamed root costs about as little, or if its cost is
/// not known and the reading is not cheap.
pub(super) fn better(
    start: usize,
    raw: &str,
    settings: &Settings,
    streamed: ValueRef<'_>,
) -> Option<Repair> {
    if is_cheapest(raw, settings, streamed) {
        return None;
    }
    cheaper(start, raw, settings, streamed)
}

/// The whole search for [`better`].
fn cheaper(start: usize, raw: &str, settings: &Settings, streamed: ValueRef<'_>) -> Option<Repair> {
    let (best, cost, among) = {
        let found = repair::search(raw, 0, options(settings));
        let best = found.best().filter(|it| it.roots[0].document.value() != streamed)?;
        let cost = best.cost;
        let among = cost_among(&found, streamed);
        (best_fit(&found, best, settings), cost, among)
    };
    let is_close = |known: Option<u32>| known.is_some_and(|known| known < cost + MARGIN);
    if is_close(among) {
        return None;
    }
    // The search for the best reading may have dropped a cheaper reading of the streamed value.
    let alone = repair::reading_of(raw, streamed, options(settings)).map(|it| it.cost);
    let known = among.into_iter().chain(alone).min();
    if is_close(known) || (known.is_none() && cost_inside(&best) > MOST_UNKNOWN_COST) {
        return None;
    }
    let mut repair = of(best, start as u64, settings)?;
    repair.cost.streamed = known;
    Some(repair)
}

/// Whether the streamed root is the cheapest reading, and cheap. A search that drops dear readings at once shows it in a
/// fraction of the time of the whole one.
fn is_cheapest(raw: &str, settings: &Settings, streamed: ValueRef<'_>) -> bool {
    let found = CHEAP.iter().find_map(|most| {
        repair::search(raw, 0, SearchOptions { most: *most, ..options(settings) }).best()
    });
    found.is_some_and(|it| it.roots[0].document.value() == streamed)
}

/// What a reading costs without the end of the text, where every reading has the same slips.
fn cost_inside(found: &Interpretation) -> u32 {
    let ends = found.slips.iter().filter(|it| it.slip.is_end());
    found.cost.saturating_sub(ends.map(|it| it.cost).sum())
}

/// The root that a text begins with: as the stream would read it, or the reading that costs clearly less.
pub(super) fn root_of(text: &str, settings: &Settings) -> Option<Reread> {
    let read = reread::root(text.as_bytes(), 0, settings);
    let is_clear = |read: &Reread| {
        let rest = text.get(read.span.end as usize..).unwrap_or_default();
        read.is_complete && !read.is_lossy && !read.is_ambiguous && rest.trim().is_empty()
    };
    if read.as_ref().is_some_and(is_clear)
        || !text.starts_with(['{', '[', '('])
        || within_limit(text.as_bytes(), settings).is_none()
    {
        return read;
    }
    let none = Document::default();
    let streamed = read.as_ref().map_or(&none, |read| &read.document).value();
    let found = better(0, text, settings, streamed).map(|found| found.root);
    // Text was lost, but no other reading is cheaper.
    let same = || read.map(|read| Reread { is_lossy: false, ..read });
    found.filter(|root| !root.document.value().is_empty()).or_else(same)
}

/// The cost of the cheapest reading that gives the streamed value, if the search kept one to the end. It may join
/// strings or repeat keys, which the search for the keys and scalars of a value does not find.
fn cost_among(found: &SearchResult<'_>, streamed: ValueRef<'_>) -> Option<u32> {
    let mut readings = found.interpretations();
    readings.find(|it| it.roots[0].document.value() == streamed).map(|it| it.cost)
}

/// Of the cheapest readings the one that fits the schema best.
fn best_fit(found: &SearchResult<'_>, best: Interpretation, settings: &Settings) -> Interpretation {
    let Some(schema) = &settings.json.schema else { return best };
    let fit = |it: &Interpretation| schema_fit(it.roots[0].document.value(), schema);
    let (most, mut fits) = (best.cost + MARGIN, fit(&best));
    let mut chosen = best;
    for next in found.interpretations().take_while(|it| it.cost < most).skip(1) {
        let next_fits = fit(&next);
        if next_fits > fits {
            (chosen, fits) = (next, next_fits);
        }
    }
    chosen
}

/// Members that the schema declares and whose type is right, and members that it does not declare. Of a
/// list, those of its items.
fn schema_fit(value: ValueRef<'_>, schema: &Schema) -> (usize, Reverse<usize>) {
    let item = schema.item(schema.root()).filter(|_| value.kind() == ValueKind::List);
    let id = item.unwrap_or_else(|| schema.root());
    let objects = value.entries().map(|(_, item)| item).filter(|_| item.is_some());
    let objects = objects.chain(core::iter::once(value).filter(|_| item.is_none()));
    let members = objects.filter(|it| it.kind() == ValueKind::Object).flat_map(ValueRef::entries);
    let (mut right, mut undeclared) = (0, 0);
    for (key, value) in members {
        let slot =
            key.filter(|key| schema.declares(id, key)).and_then(|key| schema.member(id, key));
        match slot {
            Some(slot) => right += usize::from(schema.matches_kind(slot, value.kind())),
            None => undeclared += 1,
        }
    }
    (right, Reverse(undeclared))
}

/// Whether an open string hides the end of the answer. It ends in closers that it did not open, or before the
/// closers stands a line end, which no valid string has, or a typographic quote that nothing opened. If the text is
/// only broken off, the closers must be those of its open containers.
fn hides_end(raw: &[u8]) -> bool {
    let text = before_fence_end(raw).trim_ascii_end();
    if !matches!(text.last(), Some(b'}' | b']')) {
        return false;
    }
    let is_closer = |byte: &u8| matches!(byte, b'}' | b']' | b',' | b' ' | b'\t' | b'\n' | b'\r');
    let start = text.iter().rposition(|byte| !is_closer(byte)).map_or(0, |at| at + 1);
    let closers = &text[start..];
    let string = &text[..start][last_quote(&text[..start])..];
    let smart =
        core::str::from_utf8(string).is_ok_and(|it| it.ends_with('”') && !it.contains(['“', '„']));
    let count = |text: &[u8], of: &[u8]| text.iter().filter(|byte| of.contains(byte)).count();
    let opened = count(string, b"{[").saturating_sub(count(string, b"}]"));
    let hides = smart || closers.contains(&b'\n') || opened < count(closers, b"}]");
    hides && open_around_string(text).is_none_or(|open| ends_with_closers(closers, &open))
}

/// Whether a text ends in a closer although its root is open: a closer may be missing further up, or a comment or a
/// backslash before the last quote hides the last ones.
fn ends_in_closer(raw: &[u8]) -> bool {
    let text = before_fence_end(raw).trim_ascii_end();
    if !matches!(text.last(), Some(b'}' | b']')) {
        return false;
    }
    let is_closer = |byte: &u8| matches!(byte, b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r');
    let len = text.iter().rposition(|byte| !is_closer(byte)).map_or(0, |at| at + 1);
    open_around_string(text)
        .is_none_or(|open| text[..len].ends_with(b"\\\"") && ends_with_closers(&text[len..], &open))
}

/// Whether the text ends in a closer, inside a string that single quotes or backticks opened: its closing quote is
/// missing or of another kind. The string has as many closers as containers are open around it.
fn ends_in_other_quotes(raw: &[u8]) -> bool {
    let text = before_fence_end(raw).trim_ascii_end();
    let (mut depth, mut opened, mut is_escaped) = (0, None, false);
    for (at, byte) in text.iter().enumerate() {
        match (byte, opened) {
            _ if is_escaped => is_escaped = false,
            (b'\\', Some(_)) => is_escaped = true,
            (b'"' | b'\'' | b'`', None) => opened = Some((*byte, at)),
            (quote, Some((opener, _))) if *quote == opener => opened = None,
            (b'{' | b'[', None) => depth += 1,
            (b'}' | b']', None) => depth -= 1,
            _ => {}
        }
    }
    let Some((_, start)) = opened.filter(|(quote, _)| *quote != b'"') else { return false };
    let balance = text[start..].iter().map(|byte| match byte {
        b'{' | b'[' => -1,
        b'}' | b']' => 1,
        _ => 0,
    });
    matches!(text.last(), Some(b'}' | b']')) && balance.sum::<i64>() >= depth
}

/// The containers around the string that is open at the end of a text, the outermost first. None if it is not open,
/// or if brackets outside strings do not match.
fn open_around_string(text: &[u8]) -> Option<Vec<u8>> {
    let (mut open, mut in_string, mut is_escaped) = (Vec::new(), false, false);
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => open.push(*byte),
            b'}' if open.pop() != Some(b'{') => return None,
            b']' if open.pop() != Some(b'[') => return None,
            _ => {}
        }
    }
    in_string.then_some(open)
}

/// Whether the last closers are those of all open containers.
fn ends_with_closers(closers: &[u8], open: &[u8]) -> bool {
    let mut found = closers.iter().rev().filter(|byte| matches!(byte, b'}' | b']'));
    let closer = |bracket: &u8| if *bracket == b'{' { b'}' } else { b']' };
    open.iter().all(|bracket| found.next() == Some(&closer(bracket)))
}

/// The text before the last closing line of a fence, or all of it.
fn before_fence_end(text: &[u8]) -> &[u8] {
    let ends = |at: &usize| {
        let rest = &text[*at..];
        let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
        line.strip_prefix(b"```").is_some_and(|rest| rest.trim_ascii_end().is_empty())
    };
    let mut lines = (0..text.len()).rev().filter(|at| *at > 0 && text[*at - 1] == b'\n');
    lines.find(ends).map_or(text, |at| &text[..at])
}

/// The position behind the last quote that no backslash stands before; 0 if there is none.
fn last_quote(text: &[u8]) -> usize {
    let is_quote = |at: &usize| text[*at] == b'"' && (*at == 0 || text[at - 1] != b'\\');
    (0..text.len()).rev().find(is_quote).map_or(0, |at| at + 1)
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
pub(super) fn within_limit<'t>(raw: &'t [u8], settings: &Settings) -> Option<&'t str> {
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
pub(super) fn of(found: Interpretation, start: u64, settings: &Settings) -> Option<Repair> {
    let Interpretation { roots, slips, cost } = found;
    let FoundRoot { document, span, is_complete } = roots.into_iter().next()?;
    let offset = |span: Span| Span::new(span.start + start, span.end + start);
    let shown = slips.iter().filter(|slip| slip.root == 0);
    let documents = [document];
    let notices = shown.map(|slip| SlipNotice {
        code: slip.slip.code(),
        span: offset(slip.span),
        path: path_of(&documents, slip.node),
        cost: RepairCost { cost: slip.cost, streamed: None },
    });
    let notices = notices.collect();
    let written = documents[0].value().to_string();
    drop(documents);
    let read = reread::strict(&written, 0, settings)?;
    let root = Reread { span: offset(span), is_complete, ..read };
    let cost = RepairCost { cost, streamed: None };
    Some(Repair { root, path: PathStack::default(), cost, notices })
}

/// The path of a node; the root if the path is too long to be copied for each slip.
fn path_of(documents: &[Document; 1], node: Option<NodeId>) -> PathStack {
    let mut path = PathStack::default();
    if let Some(node) = node {
        Locator::default().locate(documents, DocNode { document: DocId::ANSWER, node }, &mut path);
    }
    if path.size() <= MOST_PATH { path } else { PathStack::default() }
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
        b'[' if is_first(raw, at) || is_argument(raw, at) => true,
        b'[' => may_open_list(before) && matches!(next, Some('"' | '{')),
        _ => is_first(raw, at),
    }
}

/// Whether nothing comes before a position, apart from the opening line of a fence.
fn is_first(raw: &str, at: usize) -> bool {
    let before = raw[..at].trim();
    before.is_empty() || (before.starts_with("```") && !before.contains('\n'))
}

/// Whether only the name of a function and its bracket come before a position.
fn is_argument(raw: &str, at: usize) -> bool {
    let name = raw[..at].trim().strip_suffix('(').unwrap_or_default();
    let of_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$' | '.');
    !name.is_empty() && name.chars().all(of_name)
}

/// Whether a root that only the search found is probably meant as one, and is not prose.
fn is_plausible(raw: &str, at: usize, best: &Interpretation, settings: &Settings) -> bool {
    let root = &best.roots[0];
    let value = root.document.value();
    let tail = raw.get(root.span.end as usize..).unwrap_or_default().trim();
    let is_all = is_first(raw, at) && matches!(tail, "" | ";" | "```")
        || is_argument(raw, at) && matches!(tail, ")" | ");");
    let is_fenced = raw.starts_with("```");
    let wants_list =
        settings.json.schema.as_ref().is_some_and(|schema| schema.may_be_list(schema.root()));
    let count = value.len();
    match value.kind() {
        _ if value.is_empty() => is_all && best.cost <= MOST_EMPTY_COST,
        ValueKind::Object => best.cost <= MOST_COST || is_all,
        ValueKind::List if is_all => {
            count > 1
                || is_label(value, root.is_complete)
                || is_fenced
                || wants_list
                || raw[at + 1..].trim_start().starts_with(|it: char| !it.is_alphabetic())
        }
        _ => best.cost <= MOST_COST,
    }
}

/// Whether a list has one word, or a few words and its closer. Longer text in brackets is a remark.
fn is_label(list: ValueRef<'_>, is_complete: bool) -> bool {
    const MOST: usize = 80;
    let text = list.item(0).and_then(|item| item.as_str()).unwrap_or("");
    text.len() <= MOST && (is_complete || !text.contains(' ')) && !text.contains('\n')
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

#[cfg(test)]
mod tests;
