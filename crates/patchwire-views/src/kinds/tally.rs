//! Counts how often models keep a contract.

use core::sync::atomic::{AtomicU64, Ordering};

use patchwire::Code;

use super::{Reply, Tier};

/// Counts replies by tier. A large share of wrapped texts shows that the prompt or the model needs
/// changing.
///
/// Any number of threads may count at once.
///
/// ```
/// use patchwire_views::kinds::{Kinds, Tally, Tier};
///
/// let kinds = Kinds::builder(["agent.spoke"]).build()?;
/// let tally = Tally::default();
/// for text in [r#"{"kind": "agent.spoke", "text": "Ah."}"#, "Ah."] {
///     tally.count(&kinds.parse(text));
/// }
/// assert_eq!((tally.replies(), tally.of(Tier::Raw), tally.not_granted()), (2, 1, 0));
/// # Ok::<(), patchwire_views::kinds::KindsError>(())
/// ```
#[derive(Debug, Default)]
pub struct Tally {
    tiers: [AtomicU64; 3],
    not_granted: AtomicU64,
}

impl Tally {
    /// Counts one reply.
    pub fn count(&self, reply: &Reply) {
        self.tiers[reply.tier() as usize].fetch_add(1, Ordering::Relaxed);
        if reply.notices().iter().any(|notice| notice.code == Code::KindNotGranted) {
            self.not_granted.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// All replies.
    #[must_use]
    pub fn replies(&self) -> u64 {
        [Tier::Strict, Tier::Embedded, Tier::Raw].map(|tier| self.of(tier)).iter().sum()
    }

    /// The replies of one tier.
    #[must_use]
    pub fn of(&self, tier: Tier) -> u64 {
        self.tiers[tier as usize].load(Ordering::Relaxed)
    }

    /// The replies whose text was wrapped.
    #[must_use]
    pub fn raw_fallbacks(&self) -> u64 {
        self.of(Tier::Raw)
    }

    /// The replies with a kind that was not granted.
    #[must_use]
    pub fn not_granted(&self) -> u64 {
        self.not_granted.load(Ordering::Relaxed)
    }
}
