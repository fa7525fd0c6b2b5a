//! Other parts of the text that could be the payload, compared with the one that was streamed.

use super::part::Text;
use super::reread::{self, Reread};
use crate::document::{ValueKind, ValueRef};
use crate::format::json::Roots;
use crate::schema::{Presence, Schema};
use crate::span::Span;
use crate::spec::Settings;

/// How many times the text's length is read again at most.
const MOST_READ: u64 = 2;

/// The candidate that fits better than the streamed root, if there is one; where nothing was
/// streamed, the best there is.
pub(super) fn best(
    text: &Text<'_>,
    settings: &Settings,
    (root, taken, truncated): (ValueRef<'_>, Span, bool),
) -> Option<Reread> {
    if matches!(settings.json.roots, Roots::First | Roots::Concatenated) && root.exists() {
        return None;
    }
    let raw = text.raw;
    let streamed = text.part.candidates.taken.filter(|_| root.exists());
    let mut leader: Option<Reread> = None;
    let fenced = streamed.is_some_and(|taken| taken.fenced);
    let mut score = streamed.map(|_| Score::of(root, settings, (fenced, !truncated)));
    let mut from = 0;
    // Candidates may lie in one another, and each that is read in vain is read again.
    let mut budget = MOST_READ * text.part.span.len();
    for mark in &text.part.candidates.marks {
        let is_taken = taken.start <= mark.start && mark.start < taken.end;
        if mark.start < from || is_taken || budget == 0 || text.is_thought(mark.start) {
            continue;
        }
        let read = reread::root(raw, mark.start, settings);
        let rest = raw.len() as u64 - mark.start;
        budget = budget.saturating_sub(read.as_ref().map_or(rest, |read| read.span.len()).max(1));
        let Some(read) = read.filter(is_worth_comparing) else { continue };
        from = read.span.end;
        let mut next = Score::of(read.document.value(), settings, (mark.fenced, read.complete));
        next.meant = !text.is_thought(mark.start);
        next.last = settings.json.roots == Roots::Last;
        let before = streamed.is_some_and(|taken| taken.end.is_none_or(|end| mark.start < end));
        let wins = |score: &Score| match settings.json.roots {
            // Of equals the first wins.
            Roots::FirstFit => next > *score || (next == *score && before && leader.is_none()),
            // Of equals the last wins.
            _ => next >= *score,
        };
        if score.as_ref().is_none_or(wins) {
            score = Some(next);
            leader = Some(read);
        }
    }
    if leader.is_none() && !root.exists() {
        return scalar(raw, text.part.alone?, settings);
    }
    leader
}

/// Whether a candidate was read without loss, and is not empty.
fn is_worth_comparing(read: &Reread) -> bool {
    let value = read.document.value();
    value.exists() && !value.is_empty() && !read.lossy
}

/// How well a value fits: compared field by field, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    /// It is no part of what turned out to be reasoning.
    meant: bool,
    /// How many of the members that have to say something are of the right kind: where the first that
    /// fits is wanted.
    essential: usize,
    complete: bool,
    last: bool,
    root_kind: bool,
    required: usize,
    declared: usize,
    undeclared: core::cmp::Reverse<usize>,
    fenced: bool,
    filled: bool,
}

impl Score {
    fn of(value: ValueRef<'_>, settings: &Settings, (fenced, complete): (bool, bool)) -> Self {
        let none = Self {
            meant: true,
            essential: 0,
            complete,
            last: false,
            root_kind: true,
            required: 0,
            declared: 0,
            undeclared: core::cmp::Reverse(0),
            fenced,
            filled: !value.is_empty(),
        };
        let Some(schema) = &settings.json.schema else { return none };
        let score = none.with_schema(value, schema);
        if settings.json.roots == Roots::FirstFit { score.fitting(value, schema) } else { score }
    }

    fn with_schema(self, value: ValueRef<'_>, schema: &Schema) -> Self {
        let root = schema.root();
        let keys = || value.entries().filter_map(|(key, _)| key);
        let declared = keys().filter(|key| schema.declares(root, key)).count();
        Self {
            root_kind: schema.matches_kind(root, value.kind()),
            required: schema.required_keys(root).filter(|key| value.get(key).is_some()).count(),
            declared,
            undeclared: core::cmp::Reverse(keys().count() - declared),
            // The schema decides before the fence does.
            fenced: self.fenced,
            ..self
        }
    }
}

impl Score {
    /// What is required counts only if its value is of the right kind. Of those that have it all, none
    /// is better.
    fn fitting(self, value: ValueRef<'_>, schema: &Schema) -> Self {
        let root = schema.root();
        let slot = |key: &str| schema.member_slot(root, key);
        let fits = |key: &&str| {
            let found = value.get(key).zip(slot(key));
            found.is_some_and(|(value, slot)| schema.matches_kind(slot.schema, value.kind()))
        };
        let says = |key: &&str| slot(key).is_some_and(|it| it.presence == Presence::Meaningful);
        let required = schema.required_keys(root).filter(fits).count();
        let essential = schema.required_keys(root).filter(fits).filter(says).count();
        let all = self.root_kind && required == schema.required_keys(root).count();
        if !all {
            return Self { essential, required, ..self };
        }
        let undeclared = core::cmp::Reverse(0);
        Self {
            essential,
            required,
            declared: usize::MAX,
            undeclared,
            fenced: true,
            filled: true,
            ..self
        }
    }
}

/// A scalar with nothing but blanks, or a fence, round it.
fn scalar(raw: &[u8], alone: Span, settings: &Settings) -> Option<Reread> {
    let text = core::str::from_utf8(&raw[alone.start as usize..alone.end as usize]).ok()?;
    let inner = unfenced(text.trim());
    let start = alone.start + text.find(inner)? as u64;
    let read = reread::strict(inner, start, settings)?;
    let scalar = !matches!(read.document.value().kind(), ValueKind::List | ValueKind::Object);
    scalar.then_some(Reread { scalar, ..read })
}

/// The text inside a fence that is all there is, or the text.
fn unfenced(text: &str) -> &str {
    let inner = || {
        let (opener, rest) = text.split_once('\n')?;
        let info = opener.strip_prefix("```")?;
        matches!(info.trim(), "" | "json").then_some(())?;
        Some(rest.trim_end().strip_suffix("```")?.trim())
    };
    inner().unwrap_or(text)
}
