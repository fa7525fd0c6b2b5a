//! Counts what arrives. Callers pass the time: this file has no clock.

use std::collections::VecDeque;
use std::time::Duration;

/// How much arrived, how fast, and when the first field began.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counters {
    pub(crate) chunks: u64,
    pub(crate) bytes: u64,
    /// The time from the beginning of the attempt to its first field.
    pub(crate) first_field: Option<Duration>,
    /// When the attempt began.
    attempt_at: Duration,
    /// When the first chunk arrived.
    began: Option<Duration>,
    at: Duration,
    now: Duration,
    is_over: bool,
    /// How many times as fast as the stream the view plays it; 0 for once.
    played: f64,
    /// Counts at several moments of the last seconds.
    marks: VecDeque<Mark>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    at: Duration,
    chunks: u64,
    bytes: u64,
}

/// The window over which the speed is measured, and the distance between two marks.
const WINDOW: Duration = Duration::from_secs(3);
const MARK: Duration = Duration::from_millis(200);

impl Counters {
    pub(super) fn chunk(&mut self, bytes: usize, at: Duration) {
        let before = Mark { at, chunks: self.chunks, bytes: self.bytes };
        self.began.get_or_insert(at);
        if self.marks.back().is_none_or(|last| last.at + MARK <= at) {
            self.marks.push_back(before);
        }
        while self.marks.len() > 1 && self.marks[1].at + WINDOW <= at {
            self.marks.pop_front();
        }
        self.chunks += 1;
        self.bytes += bytes as u64;
        self.at = at;
        self.now = self.now.max(at);
    }

    /// Adds bytes to the last chunk.
    pub(crate) const fn more(&mut self, bytes: u64) {
        self.bytes += bytes;
    }

    /// Moves the time forward, whether or not something arrived.
    pub(crate) fn tick(&mut self, now: Duration) {
        if !self.is_over {
            self.now = self.now.max(now);
        }
    }

    /// Sets how many times as fast as the stream the view plays it.
    pub(crate) const fn play(&mut self, times: f64) {
        self.played = times;
    }

    /// Ends counting: from now on the speed is the average of the whole stream.
    pub(super) const fn close(&mut self) {
        self.is_over = true;
    }

    /// Begins another attempt. Counts continue; the time to the first field starts again.
    pub(super) fn of_another_attempt(self) -> Self {
        Self { first_field: None, attempt_at: self.now, ..self }
    }

    /// A field began.
    pub(super) fn field(&mut self) {
        if self.first_field.is_none() {
            self.first_field = Some(self.at.saturating_sub(self.attempt_at));
        }
    }

    /// Bytes and chunks per second, as they are played: over the last seconds while reading, over the whole stream
    /// afterwards. `None` if there is nothing to compare yet.
    pub(crate) fn speed(&self) -> Option<(f64, f64)> {
        let began = self.began?;
        let start = self.now.saturating_sub(WINDOW);
        let (from, span) = if self.is_over {
            (Mark { at: began, ..Mark::default() }, self.at.checked_sub(began)?)
        } else {
            let nothing = Mark { at: self.now, chunks: self.chunks, bytes: self.bytes };
            let from = self.marks.iter().find(|mark| mark.at >= start).copied();
            let from = from.unwrap_or(nothing);
            // Marks are apart, so what arrived just before a mark is not counted, and neither is
            // its time.
            let is_near = from.at <= start + MARK || start <= began;
            (from, if is_near { self.now - from.at } else { WINDOW })
        };
        let seconds = span.as_secs_f64();
        if seconds < MARK.as_secs_f64() {
            return None;
        }
        let times = if self.played > 0.0 { self.played } else { 1.0 };
        let per_second = |now: u64, then: u64| (now - then) as f64 / seconds * times;
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
    fn the_speed_is_that_of_what_is_played() {
        let mut counters = Counters::default();
        counters.play(2.0);
        for chunk in 0..=400_u64 {
            counters.chunk(4, Duration::from_millis(25 * chunk));
        }
        let (_, chunks) = counters.speed().expect("it ran for ten seconds");
        assert!((78.0..82.0).contains(&chunks), "{chunks}");
        counters.close();
        let (_, chunks) = counters.speed().expect("it is over");
        assert!((78.0..82.0).contains(&chunks), "{chunks}");
    }

    #[test]
    fn what_comes_at_once_has_no_speed() {
        let mut counters = Counters::default();
        (0..1000).for_each(|_| counters.chunk(8, Duration::ZERO));
        assert_eq!(counters.speed(), None);
    }

    #[test]
    fn the_speed_falls_while_nothing_comes() {
        let mut counters = Counters::default();
        for chunk in 0..=400_u64 {
            counters.chunk(4, Duration::from_millis(25 * chunk));
        }
        let mut chunks = |at: u64| {
            counters.tick(Duration::from_millis(at));
            counters.speed().expect("there is something to compare").1
        };
        let seen = [10_000, 10_500, 11_500, 12_500, 13_500].map(&mut chunks);
        assert!(seen.windows(2).all(|pair| pair[1] < pair[0]), "{seen:?}");
        assert!((18.0..22.0).contains(&seen[2]) && seen[4] == 0.0, "{seen:?}");
        // After a stall, only the last seconds count.
        for chunk in 0..40_u64 {
            counters.chunk(4, Duration::from_millis(20_000 + 25 * chunk));
        }
        let (_, chunks) = counters.speed().expect("it goes on");
        assert!((12.0..14.0).contains(&chunks), "{chunks}");
        counters.close();
        counters.tick(Duration::from_secs(100));
        let (_, chunks) = counters.speed().expect("it ran for 21 seconds");
        assert!((20.0..22.0).contains(&chunks), "{chunks}");
    }
}
