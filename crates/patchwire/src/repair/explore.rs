//! The arms of the machine one by one, for an oracle that tries all readings.

use super::arms::RepairMachine;
use super::beam::STANDSTILLS;
use super::costs::Slip;
use super::state::Reading;
use super::{Interpretation, SearchOptions};
use crate::leniency::Leniencies;
use crate::span::Span;

/// One way to read a text up to a position.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    reading: Reading,
    at: usize,
    standstills: usize,
}

impl Way {
    /// What its slips cost so far.
    #[must_use]
    pub const fn cost(&self) -> u32 {
        self.reading.total()
    }

    /// The position, in bytes.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }
}

/// Goes through the readings of one text step by step. Nothing is merged and nothing is dropped.
#[derive(Debug)]
pub struct Explorer<'t> {
    machine: RepairMachine<'t>,
}

impl<'t> Explorer<'t> {
    /// For a text.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let options = SearchOptions { leniencies: Leniencies::ALL, ..SearchOptions::default() };
        Self { machine: RepairMachine::new(text, options) }
    }

    /// The way that has read nothing.
    pub fn start(&mut self) -> Way {
        self.machine.at = 0;
        Way { reading: self.machine.start(), at: 0, standstills: 0 }
    }

    /// All ways that continue this one by one step.
    pub fn next(&mut self, way: Way) -> Vec<Way> {
        if way.standstills >= STANDSTILLS {
            return Vec::new();
        }
        self.machine.at = way.at;
        self.machine.step(way.reading);
        let out = core::mem::take(&mut self.machine.out);
        let next = |(ahead, reading): (usize, Reading)| {
            let standstills = if ahead == 0 { way.standstills + 1 } else { 0 };
            Way { reading, at: way.at + ahead, standstills }
        };
        out.into_iter().map(next).collect()
    }

    /// What a way that ends with the text reads; none if no reading ends so.
    pub fn read(&mut self, way: Way) -> Option<Trial> {
        self.machine.at = way.at;
        let reading = self.machine.finish(way.reading)?;
        let steps = self.machine.trace.steps_to(reading.trace);
        let RepairMachine { source, options, .. } = &self.machine;
        Some(Trial::of(&super::build::build(*source, steps, reading.total(), options)))
    }

    /// What the search finds: the cost of the cheapest reading.
    #[must_use]
    pub fn found(text: &str) -> Option<u32> {
        super::search(text, 0, SearchOptions::default()).best().map(|read| read.cost)
    }
}

/// One reading of a text, as text.
#[derive(Debug, Clone)]
pub struct Trial {
    /// What its slips cost.
    pub cost: u32,
    /// Its roots as JSON.
    pub roots: Vec<String>,
    /// Its slips, with the cost and the span of each.
    pub slips: Vec<(Slip, u32, Span)>,
}

/// The cheapest readings of a text that begins with a root at `start`: the best and so many others.
#[must_use]
pub fn trial(text: &str, start: usize, others: usize) -> Vec<Trial> {
    trial_with(text, start, others, SearchOptions::default())
}

/// [`trial`] with options.
pub(crate) fn trial_with(
    text: &str,
    start: usize,
    others: usize,
    options: SearchOptions,
) -> Vec<Trial> {
    let options = SearchOptions { roots: u32::MAX, slips: usize::MAX, ..options };
    let mut found: Vec<Trial> = Vec::new();
    for read in super::search(text, start, options).interpretations() {
        let read = Trial::of(&read);
        if found.len() <= others && found.iter().all(|it| it.roots != read.roots) {
            found.push(read);
        }
    }
    found
}

impl Trial {
    pub(crate) fn of(read: &Interpretation) -> Self {
        Self {
            cost: read.cost,
            roots: read.roots.iter().map(|root| root.document.value().to_string()).collect(),
            slips: read.slips.iter().map(|it| (it.slip, it.cost, it.span)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Explorer, STANDSTILLS};

    /// Steps that read nothing are bounded, and steps that read something are not.
    #[test]
    fn a_way_leads_through_a_text_that_is_longer_than_the_bound() {
        let text = "[12345678901234, 2]";
        assert!(text.len() > STANDSTILLS);
        let mut explorer = Explorer::new(text);
        let mut way = explorer.start();
        while way.position() < text.len() {
            let ways = explorer.next(way).into_iter();
            // Without a slip a reading costs nothing. A number that goes on is the longest way.
            let free = ways.filter(|way| way.cost() == 0);
            way = free.max_by_key(|way| way.position()).expect("a way without a slip");
        }
        let read = explorer.read(way).expect("a reading");
        assert_eq!(read.roots, ["[12345678901234,2]"]);
        let mut stuck = explorer.start();
        stuck.standstills = STANDSTILLS;
        assert!(explorer.next(stuck).is_empty());
        stuck.standstills -= 1;
        assert!(!explorer.next(stuck).is_empty());
    }
}
