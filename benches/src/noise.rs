//! How steady the machine was.

use core::fmt;

use crate::race::{Plan, Timing, Way, race};

/// The spreads of all timings so far.
#[derive(Debug, Default)]
pub struct Noise(Vec<f64>);

impl Noise {
    /// Times the ways and takes note of how steady they were.
    pub fn race(&mut self, ways: &[Way<'_>], plan: Plan) -> Vec<Timing> {
        let timings = race(ways, plan);
        self.0.extend(timings.iter().map(Timing::spread));
        timings
    }
}

impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut spreads = self.0.clone();
        spreads.sort_unstable_by(f64::total_cmp);
        let Some(last) = spreads.len().checked_sub(1) else { return Ok(()) };
        let percent = |share: f64| spreads[(last as f64 * share).round() as usize] * 100.0;
        writeln!(f, "## Noise in this run\n")?;
        writeln!(
            f,
            "Of {} timings, half had their quartiles within {:.1} % of each other, nine in ten \
             within\n{:.1} %; the worst was {:.0} %.",
            spreads.len(),
            percent(0.5),
            percent(0.9),
            percent(1.0),
        )
    }
}
