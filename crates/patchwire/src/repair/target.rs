//! A value that a reading must have. It finds the cost of the reading that was streamed.

use core::cell::Cell;

use super::decode::decode;
use super::source::Source;
use super::stack::Container;
use super::state::Matched;
use super::trace::{Range, RepairEvent};
use super::word::{self, Word};
use crate::document::{ValueKind, ValueRef};
use crate::leniency::Leniencies;
use crate::lex::Scalar;

/// The keys, scalars and containers of a value, in the order of its text. With their depths they are the value.
#[derive(Debug)]
pub(super) struct Target<'v> {
    atoms: Vec<Atom<'v>>,
    /// Bytes of text that may still be compared: a text may end at each of many quotes.
    budget: Cell<usize>,
    rules: Leniencies,
}

/// How often each byte may be compared, on average.
const COMPARISONS: usize = 32;

#[derive(Debug, Clone, Copy)]
struct Atom<'v> {
    /// The containers that are open around it.
    depth: u32,
    part: Part<'v>,
}

#[derive(Debug, Clone, Copy)]
enum Part<'v> {
    Key(&'v str),
    Scalar(ValueRef<'v>),
    Object,
    List,
}

impl<'v> Target<'v> {
    /// For a text of `len` bytes.
    pub(super) fn of(value: ValueRef<'v>, len: usize, rules: Leniencies) -> Self {
        let budget = Cell::new(COMPARISONS * len);
        let mut atoms = Vec::new();
        let mut open = Vec::new();
        let mut next = Some((None, value));
        loop {
            let Some((key, value)) = next else {
                open.pop();
                let Some(entries) = open.last_mut() else { return Self { atoms, budget, rules } };
                next = Iterator::next(entries);
                continue;
            };
            let depth = open.len() as u32;
            atoms.extend(key.map(|key| Atom { depth, part: Part::Key(key) }));
            let part = match value.kind() {
                ValueKind::Object => Part::Object,
                ValueKind::List => Part::List,
                _ => Part::Scalar(value),
            };
            atoms.push(Atom { depth, part });
            if matches!(part, Part::Object | Part::List) {
                open.push(value.entries());
            }
            next = open.last_mut().and_then(Iterator::next);
            if open.is_empty() {
                return Self { atoms, budget, rules };
            }
        }
    }

    /// What is read of the value after an event; none if the event is not the next one. A key that gets no value is
    /// no part of the value: it may be another one. `top` is the container that is open.
    pub(super) fn matched(
        &self,
        before: Matched,
        source: Source<'_>,
        event: RepairEvent,
        top: Option<Container>,
    ) -> Option<Matched> {
        let atom = self.atoms.get(before.count as usize).filter(|it| it.depth == before.depth);
        let part = atom.map(|it| it.part);
        let next = Matched { count: before.count + 1, is_astray: false, ..before };
        let back = Matched { count: before.count.saturating_sub(1), ..before };
        let next_if = |fits: bool| (fits && !before.is_astray).then_some(next);
        match event {
            RepairEvent::Key(range, quote) => {
                let fits = |key| self.may_mean(range, key) && decode(source, range, quote) == key;
                let is_next = matches!(part, Some(Part::Key(key)) if fits(key));
                Some(if is_next { next } else { Matched { is_astray: true, ..before } })
            }
            RepairEvent::NoValue if before.is_astray => {
                Some(Matched { is_astray: false, ..before })
            }
            RepairEvent::NoValue => Some(back),
            RepairEvent::Text(range, quote) => {
                let fits =
                    |text| self.may_mean(range, text) && decode(source, range, quote) == text;
                next_if(part.and_then(Part::text).is_some_and(fits))
            }
            RepairEvent::Bare(range) => {
                let text = source.slice(range.start, range.end);
                let fits = |value| is_bare(value, text, self.rules);
                next_if(matches!(part, Some(Part::Scalar(value)) if fits(value)))
            }
            RepairEvent::Open(container) => {
                let fits = match part {
                    Some(Part::Object) => container.has_members(),
                    Some(Part::List) => !container.has_members(),
                    _ => false,
                };
                next_if(fits).map(Matched::inside)
            }
            // The object is the one inside.
            RepairEvent::Unwrap => Some(back.outside()),
            RepairEvent::Close if top == Some(Container::Wrapper) => Some(before),
            RepairEvent::Close => (!before.is_astray).then_some(before.outside()),
            RepairEvent::RootEnd { .. } => {
                (before.count as usize == self.atoms.len()).then_some(before)
            }
            _ => Some(before),
        }
    }
}

impl Target<'_> {
    /// Whether a text may mean this one, judged by its length. An escape takes at most twelve bytes.
    fn may_mean(&self, range: Range, text: &str) -> bool {
        let len = (range.end - range.start) as usize;
        let fits = len <= 12 * text.len() && text.len() <= 3 * len;
        let left = self.budget.get().checked_sub(len).filter(|_| fits);
        self.budget.set(left.unwrap_or_else(|| self.budget.get()));
        left.is_some()
    }
}

impl<'v> Part<'v> {
    fn text(self) -> Option<&'v str> {
        match self {
            Self::Scalar(value) => value.as_str(),
            _ => None,
        }
    }
}

/// Whether a text without quotes means this value.
fn is_bare(value: ValueRef<'_>, text: &str, rules: Leniencies) -> bool {
    let is_number = |text: &str| value.kind() == ValueKind::Number && value.to_string() == text;
    match word::classify(text, rules) {
        Some(Word::Standard(Scalar::Number)) => is_number(text),
        Some(Word::Standard(scalar) | Word::Foreign(scalar, _)) => match scalar {
            Scalar::True => value.as_bool() == Some(true),
            Scalar::False => value.as_bool() == Some(false),
            Scalar::Null => value.kind() == ValueKind::Null,
            Scalar::Number => value.kind() == ValueKind::Number,
        },
        Some(Word::ForeignNumber(number)) => is_number(&number),
        None => value.as_str() == Some(text),
    }
}
