//! Timing several ways of doing the same side by side.
//!
//! All ways run in turn, round after round, so that what the machine does meanwhile meets them all
//! alike. What counts is the thread's own CPU time, and of all rounds the median. Two ways are compared
//! round by round: a machine that changes its speed between rounds changes no ratio.

use core::hint::black_box;
use core::time::Duration;

use cpu_time::ThreadTime;

use crate::input::Random;

/// A request of this many bytes makes the allocator merge free pieces, and is not passed to the system.
const LARGE: usize = 100_000;

/// How long is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// How often each way gets its turn.
    pub rounds: usize,
    /// A turn repeats what is short until it lasts so long.
    pub turn: Duration,
}

impl Plan {
    /// Figures that are worth keeping.
    pub const FULL: Self = Self { rounds: 31, turn: Duration::from_millis(4) };
    /// A first look.
    pub const QUICK: Self = Self { rounds: 5, turn: Duration::from_millis(2) };

    /// What lasts this long by itself gets fewer rounds.
    const LONG: Duration = Duration::from_millis(400);
    const FEW: usize = 3;

    fn rounds_of(self, once: Duration) -> usize {
        if once > Self::LONG { self.rounds.min(Self::FEW) } else { self.rounds }
    }

    fn repeats_of(self, once: Duration) -> u32 {
        let fits = self.turn.as_nanos() / once.as_nanos().max(1) + 1;
        u32::try_from(fits).unwrap_or(u32::MAX)
    }
}

/// One way, as it is timed: it does all of it once and returns a checksum.
pub type Way<'a> = Box<dyn Fn() -> u64 + 'a>;

/// How long one run of a way takes, in nanoseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    /// One run of each round, in the order of the rounds.
    rounds: Vec<f64>,
}

impl Timing {
    /// Half of the rounds were faster.
    #[must_use]
    pub fn median(&self) -> f64 {
        self.at(0.5)
    }

    /// How many times the time of `base` this one took: the median of all rounds that both ran in.
    #[must_use]
    pub fn over(&self, base: &Self) -> f64 {
        self.paired(base, |own, base| own / base).median()
    }

    /// What is left of each round without what `part` took in it.
    #[must_use]
    pub fn without(&self, part: &Self) -> Self {
        self.paired(part, |own, part| own - part)
    }

    /// How far the quartiles lie apart, as a share of the median.
    #[must_use]
    pub fn spread(&self) -> f64 {
        (self.at(0.75) - self.at(0.25)) / self.median()
    }

    fn paired(&self, other: &Self, of: impl Fn(f64, f64) -> f64) -> Self {
        let pairs = self.rounds.iter().zip(&other.rounds);
        Self { rounds: pairs.map(|(own, other)| of(*own, *other)).collect() }
    }

    fn at(&self, share: f64) -> f64 {
        let mut sorted = self.rounds.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted[((sorted.len() - 1) as f64 * share).round() as usize]
    }
}

/// Times all ways, in their order.
#[must_use]
pub fn race(ways: &[Way<'_>], plan: Plan) -> Vec<Timing> {
    let mut runners: Vec<Runner> = ways.iter().map(|way| Runner::new(way, plan)).collect();
    let mut order: Vec<usize> = (0..ways.len()).collect();
    let mut random = Random::new(41);
    for round in 0..plan.rounds {
        // Another order each time, so that no way always finds the caches and the heap of the same one.
        shuffle(&mut order, &mut random);
        for &at in &order {
            runners[at].turn(&ways[at], round);
        }
    }
    runners.into_iter().map(|runner| Timing { rounds: runner.times }).collect()
}

fn shuffle(order: &mut [usize], random: &mut Random) {
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last + 1));
    }
}

struct Runner {
    rounds: usize,
    repeats: u32,
    times: Vec<f64>,
}

impl Runner {
    /// Runs the way once, cold, to see how often it fits into a turn.
    fn new(way: &Way<'_>, plan: Plan) -> Self {
        let once = time(way, 1);
        Self { rounds: plan.rounds_of(once), repeats: plan.repeats_of(once), times: Vec::new() }
    }

    fn turn(&mut self, way: &Way<'_>, round: usize) {
        if round < self.rounds {
            let took = time(way, self.repeats);
            self.times.push(took.as_nanos() as f64 / f64::from(self.repeats));
        }
    }
}

fn time(way: &Way<'_>, repeats: u32) -> Duration {
    settle_heap();
    let start = ThreadTime::now();
    for _ in 0..repeats {
        black_box(way());
    }
    start.elapsed()
}

/// Makes the allocator merge the free pieces that the way before left behind. glibc does that at the next large request,
/// which would otherwise be timed as part of the next way.
fn settle_heap() {
    drop(black_box(Vec::<u8>::with_capacity(LARGE)));
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::{Plan, Random, Timing, Way, race, shuffle};

    fn timing<const N: usize>(rounds: [f64; N]) -> Timing {
        Timing { rounds: rounds.to_vec() }
    }

    #[test]
    fn a_shuffled_order_has_everyone_once_and_changes() {
        let (mut random, mut order) = (Random::new(1), Vec::from_iter(0..9));
        let mut before: Vec<Vec<usize>> = Vec::new();
        for _ in 0..20 {
            shuffle(&mut order, &mut random);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.iter().copied().eq(0..9));
            before.push(order.clone());
        }
        before.sort();
        before.dedup();
        assert!(before.len() > 15);
    }

    #[test]
    fn median_and_quartiles_of_few_rounds() {
        let five = timing([5.0, 1.0, 4.0, 2.0, 3.0]);
        assert_eq!(five.median(), 3.0);
        assert_eq!(five.spread(), 2.0 / 3.0);
        assert_eq!(timing([7.0]).spread(), 0.0);
    }

    #[test]
    fn a_machine_that_slows_down_changes_no_ratio() {
        let (base, twice) = (timing([1.0, 1.0, 10.0, 10.0, 10.0]), timing([2.0, 2.0, 20.0]));
        assert_eq!(twice.over(&base), 2.0);
        assert_eq!(twice.without(&base), timing([1.0, 1.0, 10.0]));
    }

    #[test]
    fn the_slower_way_takes_longer() {
        let work = |steps: u64| (0..steps).fold(1, |sum: u64, step| sum.rotate_left(5) ^ step);
        let ways: [Way<'_>; 2] = [
            Box::new(|| work(core::hint::black_box(1_000))),
            Box::new(|| work(core::hint::black_box(100_000))),
        ];
        let plan = Plan { rounds: 3, turn: Duration::from_micros(200) };
        let timings = race(&ways, plan);
        assert!(timings[0].median() < timings[1].median());
    }
}
