//! Timing several ways of doing the same side by side.
//!
//! All ways run in turn, round after round, so that what the machine does meanwhile meets them all
//! alike. What counts is the thread's own CPU time, and of all rounds the median.

use core::hint::black_box;
use core::time::Duration;

use cpu_time::ThreadTime;

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
    pub const FULL: Self = Self { rounds: 15, turn: Duration::from_millis(8) };
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
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Timing {
    /// Half of the rounds were faster.
    pub median: f64,
    /// A quarter of the rounds were faster.
    pub low: f64,
    /// A quarter of the rounds were slower.
    pub high: f64,
}

impl Timing {
    fn of(mut rounds: Vec<f64>) -> Self {
        rounds.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| rounds[((rounds.len() - 1) as f64 * share).round() as usize];
        Self { median: at(0.5), low: at(0.25), high: at(0.75) }
    }

    /// How far the quartiles lie apart, as a share of the median.
    #[must_use]
    pub fn spread(self) -> f64 {
        (self.high - self.low) / self.median
    }
}

/// Times all ways, in their order.
#[must_use]
pub fn race(ways: &[Way<'_>], plan: Plan) -> Vec<Timing> {
    let mut runners: Vec<Runner> = ways.iter().map(|way| Runner::new(way, plan)).collect();
    for round in 0..plan.rounds {
        // Nobody is always the one who runs after the slowest.
        for turn in 0..ways.len() {
            let at = (round + turn) % ways.len();
            runners[at].turn(&ways[at], round);
        }
    }
    runners.into_iter().map(|runner| Timing::of(runner.times)).collect()
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
    let start = ThreadTime::now();
    for _ in 0..repeats {
        black_box(way());
    }
    start.elapsed()
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::{Plan, Timing, Way, race};

    #[test]
    fn quartiles_of_few_rounds() {
        let timing = Timing::of(vec![5.0, 1.0, 4.0, 2.0, 3.0]);
        assert_eq!(timing, Timing { median: 3.0, low: 2.0, high: 4.0 });
        assert_eq!(Timing::of(vec![7.0]).spread(), 0.0);
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
        assert!(timings[0].median < timings[1].median);
    }
}
