//! The cheapest of all readings of a text with slips: every arm of the search is tried, nothing is merged and
//! nothing is dropped.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use patchwire::internals::{Explorer, Way, readings};
use patchwire::{Code, Event, Spec};

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

/// The cost of the cheapest of all readings: always the cheapest goes on. None if there are too many.
#[must_use]
pub fn cheapest(text: &str) -> Option<Option<u32>> {
    let mut explorer = Explorer::new(text);
    let mut ways: Vec<Way> = vec![explorer.start()];
    let mut open = BinaryHeap::from([Reverse((0, 0))]);
    let mut best: Option<u32> = None;
    for _ in 0..MOST_STEPS {
        let Some(Reverse((cost, at))) = open.pop() else { return Some(best) };
        // Slips only add to a cost.
        if best.is_some_and(|best| cost >= best) {
            return Some(best);
        }
        let way = ways[at];
        if way.position() >= text.len() {
            best = best.into_iter().chain(explorer.finish(way)).min();
            continue;
        }
        for next in explorer.next(way) {
            open.push(Reverse((next.cost(), ways.len())));
            ways.push(next);
        }
    }
    None
}

/// What is wrong with the final value of a text: a reading replaced a streamed value that costs about as little.
///
/// # Panics
/// If the engine refuses the text, which lenient reading never does.
#[must_use]
pub fn wrong_replacement(text: &str) -> Option<String> {
    let spec = Spec::json();
    let mut parser = spec.parser();
    parser.feed(text, |_| {}).expect("lenient reading");
    let (start, after) = loop {
        match parser.next_final_event().expect("lenient reading")? {
            Event::Notice(notice) if notice.code == Code::ReadAgain => {
                break (notice.span.start as usize, notice.cost?.cost);
            }
            _ => {}
        }
    };
    // The notice comes before the patches.
    let streamed = parser.snapshot();
    let root = streamed.as_ref().to_string();
    let mut known = readings(&spec, &text[start..], streamed.as_ref(), 8).into_iter();
    let before = known.find(|it| it.roots.first() == Some(&root))?.cost;
    (before < after + MARGIN)
        .then(|| format!("{text:?}: {root} for {before} gave way to a reading for {after}"))
}
