//! Counts of bytes and attributes in the repeating parts of markers.
//!
//! Several markers may be in such a part at once, and may have entered it at different bytes. Each
//! entry has counts of its own, in slots of its own.

/// The number of counts at once.
pub(super) const SLOTS: usize = 6;

/// The counts of a candidate. Unused slots are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counts([u16; SLOTS]);

/// The change of a count by the byte that leads to a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Tick {
    pub(super) slot: u8,
    /// Whether the count begins at 0.
    pub(super) fresh: bool,
    /// Whether the byte counts.
    pub(super) counts: bool,
}

impl Counts {
    pub(super) const NONE: Self = Self([0; SLOTS]);

    /// Counts one byte. Returns false if nothing is counted here.
    #[inline]
    pub(super) fn tick(&mut self, ticks: &[Tick]) -> bool {
        if ticks.is_empty() {
            *self = Self::NONE;
            return false;
        }
        for tick in ticks {
            let count = &mut self.0[usize::from(tick.slot)];
            let before = if tick.fresh { 0 } else { *count };
            *count = before.saturating_add(u16::from(tick.counts));
        }
        self.keep(ticks);
        true
    }

    /// Sets all other slots to 0.
    pub(super) fn keep(&mut self, ticks: &[Tick]) {
        for slot in 0..SLOTS {
            if !ticks.iter().any(|tick| usize::from(tick.slot) == slot) {
                self.0[slot] = 0;
            }
        }
    }

    pub(super) const fn of(&self, slot: u8) -> u16 {
        self.0[slot as usize]
    }
}
