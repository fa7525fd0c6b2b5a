//! Computes which markers count inside the innermost element.

use super::code_guard::MarkerRule;
use super::element_stack::OpenElement;
use super::family::{Anchor, BodyFormat, Channel, InReasoning, OnReopen, OnStray};
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
            rules: [Mask::NONE; 7],
            line_start_only: Mask::NONE,
            ends: Mask::NONE,
            noted: Mask::NONE,
            guarded: !comment && !matches!(body, BodyFormat::Raw | BodyFormat::Json),
            closed: matches!(body, BodyFormat::Raw | BodyFormat::Json | BodyFormat::Fields),
            begun: stack.last().is_some_and(|open| !open.by_marker),
            raw: body == BodyFormat::Raw,
        };
        if let (true, Some(inner)) = (comment, inner) {
            place.ends = Mask::NONE.with(closer(inner));
            place.rules = [place.ends; 7];
            return place;
        }
        let mut masks = MarkerMasks::default();
        for family in tags.numbers() {
            if stack.len() < MAX_OPEN && opens_here(tags, family, stack.last(), body) {
                masks.add_opener(tags, family);
                if tags.family(family).policy.at == Anchor::Line {
                    place.line_start_only = place.line_start_only.with(opener(family));
                }
            }
            if stack.last().is_some_and(|open| open.is_repeated_by(tags, family)) {
                masks.repeated = masks.repeated.with(opener(family));
            }
            if tags.family(family).is_void() {
                continue;
            }
            let closes = stack.iter().any(|open| {
                family == open.family || (!place.closed && tags.is_grouped(family, open.family))
            });
            let counts = closer_here(tags, family, closes, body);
            if matches!(counts, CloserCounts::Noted) {
                place.noted = place.noted.with(closer(family));
            }
            masks.add_closer(tags, family, closes, &counts);
        }
        place.rules = masks.rules();
        place.ends = masks.ends;
        if body == BodyFormat::Json {
            // Openers that end the element count wherever its closer does.
            let ends = &mut place.rules[MarkerRule::Ends as usize];
            *ends = ends.union(masks.all_openers);
        }
        place
    }
}

/// The markers of one place, by what they do there.
struct MarkerMasks {
    /// Those that count.
    counting: Mask,
    /// Those that do not count in code.
    hidden: Mask,
    /// The closers of open elements.
    ends: Mask,
    /// The openers of answers and reasoning.
    openers: Mask,
    /// The openers of comments.
    comments: Mask,
    /// The openers of the element that the stream began in.
    repeated: Mask,
    /// All openers that count.
    all_openers: Mask,
}

impl Default for MarkerMasks {
    fn default() -> Self {
        let none = Mask::NONE;
        Self {
            counting: none,
            hidden: none,
            ends: none,
            openers: none,
            comments: none,
            repeated: none,
            all_openers: none,
        }
    }
}

impl MarkerMasks {
    fn add_opener(&mut self, tags: &TagSet, family: u16) {
        let marker = opener(family);
        self.counting = self.counting.with(marker);
        self.hidden = self.hidden.with(marker);
        self.all_openers = self.all_openers.with(marker);
        let own = tags.family(family);
        if own.comment {
            self.comments = self.comments.with(marker);
        } else if own.is_answer() || own.is_envelope() || own.channel() == &Channel::Reasoning {
            // Only these make a fence the wrapper of the answer. A call in it is an example.
            self.openers = self.openers.with(marker);
        }
    }

    fn add_closer(&mut self, tags: &TagSet, family: u16, closes: bool, counts: &CloserCounts) {
        let marker = closer(family);
        if closes {
            self.ends = self.ends.with(marker);
        }
        if matches!(counts, CloserCounts::Yes) {
            self.counting = self.counting.with(marker);
        }
        if !closes || tags.family(family).guards_closers() {
            self.hidden = self.hidden.with(marker);
        }
    }

    fn rules(&self) -> [Mask; 7] {
        let unhidden = self.counting.minus(self.hidden);
        let mut rules = [Mask::NONE; 7];
        rules[MarkerRule::Open as usize] = self.counting;
        rules[MarkerRule::Hidden as usize] = unhidden;
        rules[MarkerRule::FenceEnd as usize] = unhidden.union(self.ends);
        rules[MarkerRule::Ends as usize] = self.ends;
        rules[MarkerRule::Openers as usize] = unhidden.union(self.openers);
        rules[MarkerRule::Bare as usize] = self.counting.minus(self.comments);
        rules[MarkerRule::Start as usize] = self.counting.union(self.repeated);
        rules
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
        BodyFormat::Raw => {
            let places = &family.policy.within;
            let stands = around.is_some_and(|around| *places == around.policy.within);
            let stands = inner == Some(number) || !places.is_empty() && stands;
            again && stands && family.same() == OnReopen::Sibling
        }
        BodyFormat::Json => {
            let same = inner == Some(number) || family.policy.within.is_empty();
            again && same && matches!(family.same(), OnReopen::Restart | OnReopen::Sibling)
        }
        BodyFormat::Fields => false,
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
