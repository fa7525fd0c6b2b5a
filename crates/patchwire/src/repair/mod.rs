//! Global repair of JSON: the cheapest reading of a text that begins with a root.
//!
//! A greedy reader decides at each slip and never returns. This search keeps several readings side by side,
//! each with its cost, and takes the one that is cheapest at the end of the text. The table of [`costs`]
//! says what each slip costs. Valid JSON costs nothing.
//!
//! ```text
//! {"name": "John, "city": "Paris"}
//!                ^ the string ends here: a quote inside, 71 so far
//!               ^ the string ended here, without its quote: 96
//!                                  ^ 96 for one member more, 350 for the quotes inside
//! ```
//!
//! Time and memory are linear: at most [`SearchOptions::width`] readings go on at a position, looks ahead are
//! at most 64 bytes, and readings share the trace of what they have in common.

mod arms;
mod beam;
mod build;
mod costs;
mod decode;
#[cfg(feature = "_internals")]
mod explore;
mod quote_judge;
mod source;
mod stack;
mod state;
mod target;
#[cfg(test)]
mod tests;
mod trace;
mod word;

use crate::document::ValueRef;
use crate::leniency::Leniencies;
use arms::RepairMachine;
use beam::Beam;
pub(crate) use build::{FoundRoot, Interpretation};
pub use costs::Slip;
#[cfg(feature = "_internals")]
pub(crate) use explore::trial_with;
#[cfg(feature = "_internals")]
pub use explore::{Explorer, Trial, Way, trial};
pub(crate) use quote_judge::JUDGE;
use state::Reading;
use target::Target;

/// What a search may do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchOptions {
    pub(crate) leniencies: Leniencies,
    /// Most levels of nesting.
    pub(crate) depth: u32,
    /// Most readings at a position.
    pub(crate) width: usize,
    /// A reading that is so much dearer than the cheapest ends.
    pub(crate) margin: u32,
    /// A reading that costs more than this ends.
    pub(crate) most: u32,
    /// Most roots that are kept. Later ones count only with what they cost.
    pub(crate) roots: u32,
    /// Most slips that are kept of a reading.
    pub(crate) slips: usize,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            leniencies: Leniencies::ALL,
            depth: 256,
            width: 8,
            margin: 160,
            most: u32::MAX,
            roots: 1,
            slips: 16,
        }
    }
}

/// The readings of a text, the cheapest first.
#[derive(Debug)]
pub(crate) struct SearchResult<'t> {
    machine: RepairMachine<'t>,
    ended: Vec<Reading>,
}

impl SearchResult<'_> {
    /// What the readings say. Each is built when it is asked for: a document takes more memory than its text.
    pub(crate) fn interpretations(&self) -> impl Iterator<Item = Interpretation> {
        self.ended.iter().filter_map(|reading| self.interpretation(reading))
    }

    /// The cheapest reading.
    pub(crate) fn best(&self) -> Option<Interpretation> {
        self.interpretations().next()
    }

    /// None if the reading has no root.
    fn interpretation(&self, reading: &Reading) -> Option<Interpretation> {
        let steps = self.machine.trace.steps_to(reading.trace);
        let RepairMachine { source, options, .. } = &self.machine;
        let read = build::build(*source, steps, reading.total(), options);
        (!read.roots.is_empty()).then_some(read)
    }
}

/// Searches for the readings of a text. Each begins with a root at `start` and goes to the end of the text.
/// None if no reading is allowed.
///
/// Offsets are 32 bits wide: a text of 4 GiB or more has no reading.
pub(crate) fn search(text: &str, start: usize, options: SearchOptions) -> SearchResult<'_> {
    let mut machine = RepairMachine::new(text, options);
    machine.at = start;
    let is_short = u32::try_from(text.len()).is_ok();
    let ended = if is_short { Beam::new(&mut machine).run() } else { Vec::new() };
    SearchResult { machine, ended }
}

/// The margin of a search for one value. The reading may be dear, but not much dearer than others with this
/// value.
const WIDE_MARGIN: u32 = 400;

/// The cheapest reading whose first root is this value.
pub(crate) fn reading_of(
    text: &str,
    value: ValueRef<'_>,
    options: SearchOptions,
) -> Option<Interpretation> {
    let target = Target::of(value, text.len(), options.leniencies);
    let mut machine = RepairMachine::new(text, SearchOptions { margin: WIDE_MARGIN, ..options });
    machine.target = Some(&target);
    let ended = Beam::new(&mut machine).run();
    let found = SearchResult { machine, ended };
    let mut readings = found.interpretations();
    readings.find(|it| it.roots[0].document.value() == value)
}
