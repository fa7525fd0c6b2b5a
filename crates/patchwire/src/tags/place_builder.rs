//! Computes which markers count inside the innermost element.

use super::code_guard::MarkerRule;
use super::element_stack::OpenElement;
use super::family::{Anchor, BodyFormat, InReasoning, OnReopen, OnStray};
use super::marker_place::MarkerPlace;
use super::tag_set::{TagSet, closer, opener};
use crate::lex::marker::Mask;

/// How deep elements may nest. Deeper openers are text.
const MAX_OPEN: usize = 256;

impl MarkerPlace {
    /// The place inside the open elements.
    pub(super) fn of(tags: &TagSet, stack: &[OpenElement]) -> Self {
        if stack.is_empty() {
            *tags.0.outermost.get_or_init(|| Self::compute(tags, stack))
        } else {
            Self::compute(tags, stack)
        }
    }

    fn compute(tags: &TagSet, stack: &[OpenElement]) -> Self {
        let inner = stack.last().map(|open| open.family);
        let body = inner.map_or(BodyFormat::Mixed, |inner| tags.family(inner).body());
        let comment = inner.is_some_and(|inner| tags.family(inner).comment);
        let mut place = Self {
            rules: [Mask::NONE; 6],
            line_start_only: Mask::NONE,
            ends: Mask::NONE,
            noted: Mask::NONE,
            guarded: !comment && !matches!(body, BodyFormat::Raw | BodyFormat::Json),
            closed: matches!(body, BodyFormat::Raw | BodyFormat::Json | BodyFormat::Fields),
            raw: body == BodyFormat::Raw,
        };
        if let (true, Some(inner)) = (comment, inner) {
            place.ends = Mask::NONE.with(closer(inner));
            place.rules = [place.ends; 6];
            return place;
        }
        let mut counting = Mask::NONE;
        let mut hidden = Mask::NONE;
        let mut ends = Mask::NONE;
        let mut openers = Mask::NONE;
        let mut comments = Mask::NONE;
        for family in tags.numbers() {
            if stack.len() < MAX_OPEN && opens_here(tags, family, stack.last(), body) {
                counting = counting.with(opener(family));
                hidden = hidden.with(opener(family));
                // A comment alone does not make a fence a wrapper of the answer.
                if tags.family(family).comment {
                    comments = comments.with(opener(family));
                } else {
                    openers = openers.with(opener(family));
                }
                if tags.family(family).policy.at == Anchor::Line {
                    place.line_start_only = place.line_start_only.with(opener(family));
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
                CloserCounts::Yes => counting = counting.with(closer(family)),
                CloserCounts::Noted => place.noted = place.noted.with(closer(family)),
                CloserCounts::No => {}
            }
            if !closes || tags.family(family).guards_closers() {
                hidden = hidden.with(closer(family));
            }
        }
        let unhidden = counting.minus(hidden);
        place.rules[MarkerRule::Open as usize] = counting;
        place.rules[MarkerRule::Hidden as usize] = unhidden;
        place.rules[MarkerRule::FenceEnd as usize] = unhidden.union(ends);
        place.rules[MarkerRule::Ends as usize] = ends;
        place.rules[MarkerRule::Openers as usize] = unhidden.union(openers);
        place.rules[MarkerRule::Bare as usize] = counting.minus(comments);
        place.ends = ends;
        place
    }
}

fn opens_here(
    tags: &TagSet,
    number: u16,
    innermost: Option<&OpenElement>,
    body: BodyFormat,
) -> bool {
    let family = tags.family(number);
    let inner = innermost.map(|open| open.family);
    let around = inner.map(|inner| tags.family(inner));
    let allowed = family.policy.within.is_empty()
        || around.is_some_and(|around| family.policy.within.contains(&around.name));
    let again = inner.is_some_and(|inner| tags.is_grouped(number, inner));
    let interrupts = family.policy.inside == InReasoning::Interrupt
        && innermost.is_some_and(|open| open.reasoning);
    // A tree is a single document, so elements with documents of their own are not allowed in it.
    let fits = body != BodyFormat::Xml
        || (!family.comment
            && matches!(family.body(), BodyFormat::Text | BodyFormat::Mixed | BodyFormat::Raw));
    match body {
        _ if !fits => false,
        BodyFormat::Mixed | BodyFormat::Xml => {
            allowed && !(again && family.same() == OnReopen::Literal)
                || again && inner == Some(number) && family.same() == OnReopen::Sibling
        }
        BodyFormat::Text | BodyFormat::Record => {
            (interrupts && family.policy.within.is_empty())
                || (again && family.same() == OnReopen::Restart)
        }
        BodyFormat::Raw => inner == Some(number) && family.same() == OnReopen::Sibling,
        BodyFormat::Json | BodyFormat::Fields => false,
    }
}

/// Whether a closer counts in a place.
enum CloserCounts {
    Yes,
    Noted,
    No,
}

/// Whether a closer counts. `closes`: an open element of its family or group exists.
fn closer_here(tags: &TagSet, family: u16, closes: bool, body: BodyFormat) -> CloserCounts {
    let own = tags.family(family);
    let strays = matches!(body, BodyFormat::Mixed | BodyFormat::Xml)
        && !own.comment
        && own.named_by.is_none();
    match (closes, strays, tags.stray(family)) {
        (true, ..) => CloserCounts::Yes,
        // The reader of the tree sees this closer and gives the notice.
        (false, true, OnStray::Literal) if body == BodyFormat::Xml => CloserCounts::No,
        (false, true, OnStray::Literal) => CloserCounts::Noted,
        (false, true, _) => CloserCounts::Yes,
        (false, false, _) => CloserCounts::No,
    }
}
