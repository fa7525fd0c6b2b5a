//! How much of the processor's time a request may take.

use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::sync::Arc;
use std::time::Instant;

/// The most that counts of one piece of little work: what takes longer was not this work, but a thread that had to wait
/// for a processor.
const MOST_LIGHT: Duration = Duration::from_millis(10);

/// A request has taken more of the processor's time than it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the request took more than {} ms of the processor's time; send a smaller schema or a shorter text, or ask for a \
     shorter answer",
    most.as_millis()
)]
pub(crate) struct OverBudget {
    most: Duration,
}

impl OverBudget {
    /// The code, for programs.
    pub(crate) const CODE: &'static str = "work_limit";
}

/// The time of the processor that one request has taken: reading it, and making its events.
#[derive(Debug)]
pub(crate) struct Budget {
    /// In nanoseconds.
    spent: AtomicU64,
    most: Duration,
}

impl Budget {
    pub(crate) fn new(most: Duration) -> Arc<Self> {
        Arc::new(Self { spent: AtomicU64::new(0), most })
    }

    /// Does some work of the request on this thread, and counts its time.
    pub(crate) fn measure<T>(&self, work: impl FnOnce(&Meter<'_>) -> T) -> T {
        let meter = Meter { budget: self, begun: clock::now() };
        let done = work(&meter);
        self.add(meter.elapsed());
        done
    }

    /// Does work that takes microseconds, as most deltas do. It counts by the time on the wall: the time of a thread is
    /// read by a call of the system, which costs as much as the work.
    pub(crate) fn measure_light<T>(&self, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let done = work();
        self.add(begun.elapsed().min(MOST_LIGHT));
        done
    }

    fn add(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.spent.fetch_add(nanos, Ordering::AcqRel);
    }

    /// # Errors
    /// If the request has taken more time than it may.
    pub(crate) fn check(&self) -> Result<(), OverBudget> {
        self.check_with(Duration::ZERO)
    }

    fn check_with(&self, more: Duration) -> Result<(), OverBudget> {
        let spent = Duration::from_nanos(self.spent.load(Ordering::Acquire));
        if spent.saturating_add(more) <= self.most {
            return Ok(());
        }
        Err(OverBudget { most: self.most })
    }
}

/// The time of the work that runs on this thread now.
pub(crate) struct Meter<'b> {
    budget: &'b Budget,
    begun: Duration,
}

impl Meter<'_> {
    /// # Errors
    /// If the request, with the work so far, has taken more time than it may.
    pub(crate) fn check(&self) -> Result<(), OverBudget> {
        self.budget.check_with(self.elapsed())
    }

    fn elapsed(&self) -> Duration {
        clock::now().saturating_sub(self.begun)
    }
}

/// The time that this thread has used. Other programs do not count.
#[cfg(unix)]
mod clock {
    use core::time::Duration;

    use rustix::time::{ClockId, clock_gettime};

    pub(super) fn now() -> Duration {
        let now = clock_gettime(ClockId::ThreadCPUTime);
        let (seconds, nanos) = (u64::try_from(now.tv_sec), u32::try_from(now.tv_nsec));
        Duration::new(seconds.unwrap_or_default(), nanos.unwrap_or_default())
    }
}

/// The time on the wall, where a thread's own time cannot be had without unsafe code.
#[cfg(not(unix))]
mod clock {
    use core::time::Duration;
    use std::sync::LazyLock;
    use std::time::Instant;

    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);

    pub(super) fn now() -> Duration {
        BEGUN.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps the processor busy for this long.
    fn busy(time: Duration) -> u64 {
        let begun = clock::now();
        let mut sum = 0_u64;
        while clock::now().saturating_sub(begun) < time {
            sum = core::hint::black_box(sum.wrapping_mul(31).wrapping_add(7));
        }
        sum
    }

    #[test]
    fn work_is_counted_and_waiting_is_not() {
        let budget = Budget::new(Duration::from_millis(20));
        if cfg!(unix) {
            budget.measure(|_| std::thread::sleep(Duration::from_millis(40)));
            assert_eq!(budget.check(), Ok(()));
        }
        budget.measure(|_| busy(Duration::from_millis(12)));
        assert_eq!(budget.check(), Ok(()));
        budget.measure(|_| busy(Duration::from_millis(12)));
        assert_eq!(budget.check(), Err(OverBudget { most: Duration::from_millis(20) }));
    }

    #[test]
    fn little_work_is_counted_and_a_long_wait_in_it_is_not() {
        let budget = Budget::new(2 * MOST_LIGHT);
        for is_within in [true, true, false] {
            budget.measure_light(|| std::thread::sleep(MOST_LIGHT + Duration::from_millis(1)));
            assert_eq!(budget.check().is_ok(), is_within, "{budget:?}");
        }
    }

    #[test]
    fn a_meter_sees_the_time_before_the_work_ends() {
        let budget = Budget::new(Duration::from_millis(5));
        budget.measure(|meter| {
            assert_eq!(meter.check(), Ok(()));
            busy(Duration::from_millis(6));
            assert!(meter.check().is_err());
            assert_eq!(budget.check(), Ok(()));
        });
        assert!(budget.check().is_err());
    }
}
