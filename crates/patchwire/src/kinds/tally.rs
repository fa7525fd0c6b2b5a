//! How often models do what they are told.

use core::sync::atomic::{AtomicU64, Ordering};

use super::{Kinded, Tier};
use crate::codes::Code;

/// Counts answers: how many were wrapped says whether a prompt or a model needs changing.
///
/// Any number of threads may count at once.
///
/// ```
/// use patchwire::kinds::{Kinds, Tally, Tier};
///
/// let kinds = Kinds::builder(["agent.spoke"]).build()?;
/// let tally = Tally::default();
/// for text in [r#"{"kind": "agent.spoke", "text": "Ah."}"#, "Ah."] {
///     tally.count(&kinds.parse(text));
/// }
/// assert_eq!((tally.answers(), tally.of(Tier::Raw), tally.not_granted()), (2, 1, 0));
/// # Ok::<(), patchwire::kinds::KindsError>(())
/// ```
#[derive(Debug, Default)]
pub struct Tally {
    tiers: [AtomicU64; 3],
    not_granted: AtomicU64,
}

impl Tally {
    /// Counts one answer.
    pub fn count(&self, answer: &Kinded) {
        self.tiers[answer.tier() as usize].fetch_add(1, Ordering::Relaxed);
        let not_granted = |code: Code| code == Code::KindNotGranted;
        if answer.notices().iter().any(|notice| not_granted(notice.code)) {
            self.not_granted.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// All of them.
    #[must_use]
    pub fn answers(&self) -> u64 {
        [Tier::Strict, Tier::Embedded, Tier::Raw].map(|tier| self.of(tier)).iter().sum()
    }

    /// Those of one tier.
    #[must_use]
    pub fn of(&self, tier: Tier) -> u64 {
        self.tiers[tier as usize].load(Ordering::Relaxed)
    }

    /// Those that were wrapped.
    #[must_use]
    pub fn raw_fallbacks(&self) -> u64 {
        self.of(Tier::Raw)
    }

    /// Those with a kind that was not granted.
    #[must_use]
    pub fn not_granted(&self) -> u64 {
        self.not_granted.load(Ordering::Relaxed)
    }
}
