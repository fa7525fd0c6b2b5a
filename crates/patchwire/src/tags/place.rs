//! A place: what the innermost element says of the markers in it.

use super::family::{Anchor, BodyFormat, InReasoning, OnReopen, OnStray};
use super::guard::Rule;
use super::set::{TagSet, closer, opener};
use super::stack::Open;
use crate::lex::marker::Mask;

/// Elements that may stand in one another; openers further in are text.
const MOST_OPEN: usize = 256;

/// What counts in a place. Worked out when an element opens or closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The markers that count, by what code hides.
    rules: [Mask; 6],
    /// Openers of comments.
    comments: Mask,
    /// Openers that count only at the start of a line.
    lined: Mask,
    /// The closers that end something.
    pub(super) ends: Mask,
    /// Closers that are text, but noted.
    watched: Mask,
    /// Whether code hides markers here.
    pub(super) guarded: bool,
    /// Whether only closers of open elements count, by their own names and parameters.
    pub(super) closed: bool,
    /// Whether a closer counts only before what may follow it.
    pub(super) raw: bool,
}

impl Place {
    /// The markers that count by a rule, at the start of a line or within it.
    #[inline]
    pub(super) fn enabled(&self, rule: Rule, fresh: bool) -> Mask {
        let all = self.rules[rule as usize];
        if fresh { all } else { all.minus(self.lined) }
    }

    /// The same, and closers that are noted: what code or a payload hides is nothing to note.
    #[inline]
    pub(super) fn seen(&self, rule: Rule, fresh: bool) -> Mask {
        let enabled = self.enabled(rule, fresh);
        match rule {
            Rule::Open | Rule::Bare => enabled.union(self.watched),
            Rule::Hidden | Rule::FenceEnd | Rule::Ends | Rule::Openers => enabled,
        }
    }

    pub(super) fn of(tags: &TagSet, stack: &[Open]) -> Self {
        if stack.is_empty() {
            *tags.0.outermost.get_or_init(|| Self::work_out(tags, stack))
        } else {
            Self::work_out(tags, stack)
        }
    }

    fn work_out(tags: &TagSet, stack: &[Open]) -> Self {
        let inner = stack.last().map(|open| open.family);
        let body = inner.map_or(BodyFormat::Mixed, |inner| tags.family(inner).body);
        let comment = inner.is_some_and(|inner| tags.family(inner).comment);
        let mut place = Self {
            rules: [Mask::NONE; 6],
            comments: Mask::NONE,
            lined: Mask::NONE,
            ends: Mask::NONE,
            watched: Mask::NONE,
            guarded: !comment && !matches!(body, BodyFormat::Raw | BodyFormat::Json),
            closed: matches!(body, BodyFormat::Raw | BodyFormat::Json | BodyFormat::Fields),
            raw: body == BodyFormat::Raw,
        };
        if let (true, Some(inner)) = (comment, inner) {
            place.ends = Mask::NONE.with(closer(inner));
            place.rules = [place.ends; 6];
            return place;
        }
        let mut hidden = Mask::NONE;
        let mut ends = Mask::NONE;
        let mut openers = Mask::NONE;
        for family in tags.numbers() {
            if stack.len() < MOST_OPEN && opens_here(tags, family, stack.last(), body) {
                place.rules[0] = place.rules[0].with(opener(family));
                hidden = hidden.with(opener(family));
                // A fence is no wrapping of the answer because it begins with a comment.
                if tags.family(family).comment {
                    place.comments = place.comments.with(opener(family));
                } else {
                    openers = openers.with(opener(family));
                }
                if tags.family(family).at == Anchor::Line {
                    place.lined = place.lined.with(opener(family));
                }
            }
            if tags.family(family).is_void() {
                continue;
            }
            let closes = stack.iter().any(|open| {
                family == open.family || (!place.closed && tags.is_grouped(family, open.family))
            });
            if closes {
                ends = ends.with(closer(family));
            }
            match closer_here(tags, family, closes, body) {
                Counts::Yes => place.rules[0] = place.rules[0].with(closer(family)),
                Counts::Noted => place.watched = place.watched.with(closer(family)),
                Counts::No => {}
            }
            if !closes || tags.family(family).guards_closers() {
                hidden = hidden.with(closer(family));
            }
        }
        place.rules[1] = place.rules[0].minus(hidden);
        place.rules[2] = place.rules[1].union(ends);
        place.rules[3] = ends;
        place.rules[4] = place.rules[1].union(openers);
        place.rules[5] = place.rules[0].minus(place.comments);
        place.ends = ends;
        place
    }
}

fn opens_here(tags: &TagSet, number: u16, innermost: Option<&Open>, body: BodyFormat) -> bool {
    let family = tags.family(number);
    let inner = innermost.map(|open| open.family);
    let around = inner.map(|inner| tags.family(inner));
    let allowed = family.within.is_empty()
        || around.is_some_and(|around| family.within.contains(&around.name));
    let again = inner.is_some_and(|inner| tags.is_grouped(number, inner));
    let interrupts =
        family.inside == InReasoning::Interrupt && innermost.is_some_and(|open| open.reasoning);
    // A tree is one document: what stands in it is text, or of the tree.
    let fits = body != BodyFormat::Xml
        || (!family.comment
            && matches!(family.body, BodyFormat::Text | BodyFormat::Mixed | BodyFormat::Raw));
    match body {
        _ if !fits => false,
        BodyFormat::Mixed | BodyFormat::Xml => {
            allowed && !(again && family.same() == OnReopen::Literal)
                || again && inner == Some(number) && family.same() == OnReopen::Sibling
        }
        BodyFormat::Text | BodyFormat::Record => {
            (interrupts && family.within.is_empty())
                || (again && family.same() == OnReopen::Restart)
        }
        BodyFormat::Raw => inner == Some(number) && family.same() == OnReopen::Sibling,
        BodyFormat::Json | BodyFormat::Fields => false,
    }
}

enum Counts {
    Yes,
    Noted,
    No,
}

/// What a closer is here that can close something, or nothing.
fn closer_here(tags: &TagSet, family: u16, closes: bool, body: BodyFormat) -> Counts {
    let own = tags.family(family);
    let strays = matches!(body, BodyFormat::Mixed | BodyFormat::Xml)
        && !own.comment
        && own.named_by.is_none();
    match (closes, strays, tags.stray(family)) {
        (true, ..) => Counts::Yes,
        // In a tree a closer that is text is the tree's to read, and to note.
        (false, true, OnStray::Literal) if body == BodyFormat::Xml => Counts::No,
        (false, true, OnStray::Literal) => Counts::Noted,
        (false, true, _) => Counts::Yes,
        (false, false, _) => Counts::No,
    }
}
