//! What is counted while a stream is read. It has no clock: who feeds says when.

use std::collections::VecDeque;
use std::time::Duration;

/// How much came, how fast, and since when there was something to see.
#[derive(Debug, Clone, Default)]
pub(in crate::watch) struct Counters {
    pub(in crate::watch) chunks: u64,
    pub(in crate::watch) bytes: u64,
    /// When the first field began.
    pub(in crate::watch) first_field: Option<Duration>,
    /// When the last chunk came.
    pub(in crate::watch) at: Duration,
    /// Chunks and bytes that had come by then: over the last seconds.
    marks: VecDeque<Mark>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    at: Duration,
    chunks: u64,
    bytes: u64,
}

/// How far back the speed looks, and how often it is noted how much there was.
const WINDOW: Duration = Duration::from_secs(3);
const MARK: Duration = Duration::from_millis(200);

impl Counters {
    pub(super) fn chunk(&mut self, bytes: usize, at: Duration) {
        let before = Mark { at, chunks: self.chunks, bytes: self.bytes };
        if self.marks.back().is_none_or(|last| last.at + MARK <= at) {
            self.marks.push_back(before);
        }
        while self.marks.len() > 1 && self.marks[1].at + WINDOW <= at {
            self.marks.pop_front();
        }
        self.chunks += 1;
        self.bytes += bytes as u64;
        self.at = at;
    }

    /// Bytes and chunks a second, of late. None before there is anything to compare.
    pub(in crate::watch) fn speed(&self) -> Option<(f64, f64)> {
        let from = self.marks.front()?;
        let seconds = (self.at.checked_sub(from.at)?).as_secs_f64();
        if seconds < MARK.as_secs_f64() {
            return None;
        }
        let per_second = |now: u64, then: u64| (now - then) as f64 / seconds;
        Some((per_second(self.bytes, from.bytes), per_second(self.chunks, from.chunks)))
    }
}

#[cfg(test)]
mod tests {
    use super::Counters;
    use std::time::Duration;

    #[test]
    fn the_speed_is_that_of_the_last_seconds() {
        let mut counters = Counters::default();
        assert_eq!(counters.speed(), None);
        for chunk in 0..=400_u64 {
            counters.chunk(4, Duration::from_millis(25 * chunk));
        }
        let (bytes, chunks) = counters.speed().expect("it ran for ten seconds");
        assert!((38.0..42.0).contains(&chunks) && (152.0..168.0).contains(&bytes), "{chunks}");
        // Ten times as fast for three seconds.
        for chunk in 0..=300_u64 {
            counters.chunk(16, Duration::from_millis(10_000 + 10 * chunk));
        }
        let (_, chunks) = counters.speed().expect("it goes on");
        assert!((95.0..105.0).contains(&chunks), "{chunks}");
        assert_eq!((counters.chunks, counters.bytes), (702, 401 * 4 + 301 * 16));
        assert!(counters.marks.len() < 20);
    }

    #[test]
    fn what_comes_at_once_has_no_speed() {
        let mut counters = Counters::default();
        (0..1000).for_each(|_| counters.chunk(8, Duration::ZERO));
        assert_eq!(counters.speed(), None);
    }
}
