//! The final value of a text with slips beside all readings of the text: every arm of the search is tried, nothing
//! is merged and nothing is dropped.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use patchwire::internals::{Explorer, Trial, Way, readings};
use patchwire::{Code, Completion, Event, Spec, Value};

use crate::generate::Rng;

/// Steps after which all readings of a text are too many.
const MOST_STEPS: usize = 60_000;

/// How much less than the streamed value a reading costs that replaces it.
pub const MARGIN: u32 = 20;

/// Characters of short texts that have many readings. The first one opens a root.
pub const ALPHABETS: [&str; 8] =
    ["{}\"a:,", "[]\"a, ", "{\"':1}", "[{a,}]", "{\"a:`\n", "[\"x\\,]", "{a=;1}", "(\"a,)1"];

/// A text of an alphabet: its first character, and at most `most` more.
pub fn text(rng: &mut Rng, alphabet: &str, most: usize) -> String {
    let chars: Vec<char> = alphabet.chars().collect();
    let len = 1 + rng.below(most);
    let rest = (0..len).map(|_| rng.pick(&chars));
    core::iter::once(chars[0]).chain(rest).collect()
}

/// All readings of a text that cost less than the cheapest and the margin, the cheapest first. None if there are too
/// many.
#[must_use]
pub fn cheapest(text: &str) -> Option<Vec<Trial>> {
    let mut explorer = Explorer::new(text);
    let mut ways: Vec<Way> = vec![explorer.start()];
    let mut open = BinaryHeap::from([Reverse((0, 0))]);
    let mut found: Vec<Trial> = Vec::new();
    // The cheapest way goes on, and slips only add to a cost.
    for _ in 0..MOST_STEPS {
        let best = found.iter().map(|it| it.cost).min();
        let next =
            open.pop().filter(|Reverse((cost, _))| best.is_none_or(|it| *cost < it + MARGIN));
        let Some(Reverse((_, at))) = next else {
            found.retain(|it| best.is_some_and(|best| it.cost < best + MARGIN));
            found.sort_by_key(|it| it.cost);
            return Some(found);
        };
        let way = ways[at];
        if way.position() >= text.len() {
            found.extend(explorer.read(way).filter(|it| !it.roots.is_empty()));
            continue;
        }
        for next in explorer.next(way) {
            open.push(Reverse((next.cost(), ways.len())));
            ways.push(next);
        }
    }
    None
}

/// A final value, judged by all readings of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FinalVerdict {
    /// The streamed value stayed, and costs less than the cheapest reading and the margin; or it costs more, and the
    /// cheapest reading replaced it. Or there is no value.
    Right,
    /// The text has too many readings.
    TooMany,
    /// The value has another correction than a search, with a rule of its own.
    OtherRule,
    /// A cheaper reading exists, but the streamed root is of a kind that is never searched.
    NotSearched(String),
    /// The search dropped the cheapest reading, or that of the streamed value.
    Dropped(String),
    /// Anything else.
    Wrong(String),
}

/// Judges the final value of a text: it is the streamed one, unless a reading exists that is cheaper by the margin.
///
/// # Panics
/// If the engine refuses the text, which lenient reading never does.
#[must_use]
pub fn verdict(text: &str) -> FinalVerdict {
    let Some(run) = Run::of(text) else { return FinalVerdict::Right };
    if run.has_other_correction {
        return FinalVerdict::OtherRule;
    }
    let text = &text[run.start..];
    let Some(all) = cheapest(text) else { return FinalVerdict::TooMany };
    let Some(best) = all.first().map(|it| it.cost) else { return FinalVerdict::Right };
    let streamed = run.streamed();
    let streamed = streamed.as_deref();
    let of_streamed = all
        .iter()
        .find(|it| streamed.is_some_and(|streamed| is_same(&it.roots[0], streamed)))
        .map(|it| it.cost);
    let is_close = of_streamed.is_some();
    let mut cheap = all.iter().take_while(|it| it.cost == best);
    let is_right = if run.is_replaced {
        !is_close && cheap.any(|it| is_same(&it.roots[0], &run.last))
    } else {
        is_close || streamed.is_none()
    };
    if is_right {
        return FinalVerdict::Right;
    }
    // What the search knows of the text.
    let kept = run.kept(text);
    let cost_of =
        |value: &str| kept.iter().find(|it| it.roots.first().is_some_and(|it| is_same(it, value)));
    let found = kept.first().map_or(u32::MAX, |it| it.cost);
    let known = streamed.and_then(cost_of).map(|it| it.cost);
    let shown = streamed.unwrap_or("nothing");
    let line =
        format!("{text:?}: {shown}, then {}; the cheapest reading: {}", run.last, all[0].roots[0]);
    match run.is_replaced {
        _ if found != best => FinalVerdict::Dropped(line),
        true if known.is_none_or(|known| of_streamed.is_some_and(|cost| cost < known)) => {
            FinalVerdict::Dropped(line)
        }
        false if known.is_none_or(|it| it >= found + MARGIN) => FinalVerdict::NotSearched(line),
        _ => FinalVerdict::Wrong(line),
    }
}

/// Whether two values are equal, written as JSON. The order of members does not count.
fn is_same(one: &str, other: &str) -> bool {
    let parsed = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    one == other || parsed(one).is_some_and(|one| Some(one) == parsed(other))
}

/// What the engine made of a text.
struct Run {
    /// Where the root begins.
    start: usize,
    /// The value before the search.
    before: Value,
    /// The value at the end.
    last: String,
    has_streamed: bool,
    is_replaced: bool,
    has_other_correction: bool,
}

impl Run {
    /// None if there is no value.
    fn of(text: &str) -> Option<Self> {
        let mut parser = Spec::json().parser();
        let (mut first, mut codes, mut searched) = (None, Vec::new(), None);
        let mut see = |event: &Event<'_>| match event {
            Event::Patch(it) if it.completion != Some(Completion::Reconciled) => {
                first.get_or_insert(it.span.start);
            }
            _ => {}
        };
        parser.feed(text, |event| see(&event)).expect("lenient reading");
        loop {
            match parser.next_final_event().expect("lenient reading") {
                None => break,
                // The notice comes before the patches.
                Some(Event::Notice(it)) if it.code == Code::ReadAgain && searched.is_none() => {
                    let start = it.span.start;
                    codes.push(it.code);
                    searched = Some((start, parser.snapshot()));
                }
                Some(Event::Notice(it)) => codes.push(it.code),
                Some(event) => see(&event),
            }
        }
        let last = parser.snapshot();
        let start = searched.as_ref().map(|it| it.0).or(first)? as usize;
        let is_replaced = searched.is_some();
        let before = searched.map_or_else(|| last.clone(), |it| it.1);
        Some(Self {
            start,
            before,
            last: last.as_ref().to_string(),
            has_streamed: first.is_some(),
            is_replaced,
            has_other_correction: codes.iter().any(|code| is_other_correction(*code)),
        })
    }

    /// The streamed value as JSON; none if nothing was streamed.
    fn streamed(&self) -> Option<String> {
        self.has_streamed.then(|| self.before.as_ref().to_string())
    }

    /// The readings that the search keeps to the end, with that of the streamed value.
    fn kept(&self, text: &str) -> Vec<Trial> {
        readings(&Spec::json(), text, self.before.as_ref(), 8)
    }
}

const fn is_other_correction(code: Code) -> bool {
    use Code::{BetterCandidate, ContinuedRoot, DuplicateKey, ScalarRoot};
    matches!(code, BetterCandidate | ContinuedRoot | DuplicateKey | ScalarRoot)
}
