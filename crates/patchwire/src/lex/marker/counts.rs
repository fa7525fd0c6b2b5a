//! What is counted in the parts of markers that go round: bytes, and attributes.
//!
//! Several markers may be in such a part at once, and may have come into it at different places. Each
//! of those counts for itself, in a slot of its own.

/// Counts that there may be at once.
pub(super) const SLOTS: usize = 6;

/// The counts of a candidate. Slots that count nothing are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counts([u16; SLOTS]);

/// What the byte that leads to a position does to a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Tick {
    pub(super) slot: u8,
    /// It begins.
    pub(super) fresh: bool,
    /// It is counted.
    pub(super) counts: bool,
}

impl Counts {
    pub(super) const NONE: Self = Self([0; SLOTS]);

    /// Counts one byte. False where there is nothing to count.
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

    /// Forgets all but those.
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
