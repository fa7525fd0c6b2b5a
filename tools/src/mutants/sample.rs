//! A random sample of the candidates, with each module's share.

use std::collections::BTreeMap;

use anyhow::Result;

use crate::mutant::Mutant;
use crate::render::Numbered;
use crate::workspace::{Checked, Workspace};

/// Candidates of one module, in a random order.
struct Stratum<'a> {
    queue: std::vec::IntoIter<&'a Mutant>,
    /// How many are to be drawn of it.
    share: usize,
}

/// What was drawn.
pub(crate) struct Sample<'a> {
    /// By their numbers. Those that do not compile are in it, too.
    pub(crate) drawn: Vec<&'a Mutant>,
    pub(crate) compiles: Vec<bool>,
}

impl<'a> Sample<'a> {
    /// Draws `count` mutants that compile, or all that there are.
    pub(crate) fn draw(
        pool: &'a [Mutant],
        count: usize,
        seed: u64,
        workspace: &Workspace,
    ) -> Result<Self> {
        let mut strata = strata(pool, count, seed);
        let mut sample = Self { drawn: Vec::new(), compiles: Vec::new() };
        let mut missing: Vec<usize> = strata.iter().map(|stratum| stratum.share).collect();
        loop {
            for (stratum, missing) in strata.iter_mut().zip(&mut missing) {
                let more: Vec<_> = stratum.queue.by_ref().take(*missing).collect();
                sample.compiles.resize(sample.compiles.len() + more.len(), true);
                sample.drawn.extend(more);
                *missing = 0;
            }
            let numbered = sample.numbered();
            match workspace.check(&numbered)? {
                Checked::Compiles => return Ok(sample),
                Checked::Refused(numbers) => {
                    eprintln!("{} of {} do not compile", numbers.len(), numbered.len());
                    for number in numbers {
                        sample.compiles[number] = false;
                        let of = sample.drawn[number];
                        let at = strata_names(pool).iter().position(|it| *it == stratum_of(of));
                        missing[at.unwrap_or_default()] += 1;
                    }
                }
            }
        }
    }

    /// The mutants that compile, with their numbers.
    pub(crate) fn numbered(&self) -> Vec<Numbered<'a>> {
        let all = self.drawn.iter().enumerate();
        all.filter(|(number, _)| self.compiles[*number])
            .map(|(number, mutant)| Numbered { number, mutant })
            .collect()
    }
}

pub(crate) fn stratum_of(mutant: &Mutant) -> (&'static str, &str) {
    (mutant.package, &mutant.module)
}

fn strata_names(pool: &[Mutant]) -> Vec<(&'static str, &str)> {
    let sizes: BTreeMap<_, ()> = pool.iter().map(|mutant| (stratum_of(mutant), ())).collect();
    sizes.into_keys().collect()
}

fn strata(pool: &[Mutant], count: usize, seed: u64) -> Vec<Stratum<'_>> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut by_module: BTreeMap<_, Vec<&Mutant>> = BTreeMap::new();
    for mutant in pool {
        by_module.entry(stratum_of(mutant)).or_default().push(mutant);
    }
    let sizes: Vec<_> = by_module.values().map(Vec::len).collect();
    let shares = shares(&sizes, count);
    by_module
        .into_values()
        .zip(shares)
        .map(|(mut mutants, share)| {
            random.shuffle(&mut mutants);
            Stratum { queue: mutants.into_iter(), share }
        })
        .collect()
}

/// Splits `count` by sizes: each gets its share rounded down, and those with the largest remainders one more.
fn shares(sizes: &[usize], count: usize) -> Vec<usize> {
    let whole: usize = sizes.iter().sum();
    let count = count.min(whole);
    let mut shares: Vec<_> = sizes.iter().map(|size| size * count / whole.max(1)).collect();
    let mut order: Vec<_> = (0..sizes.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(sizes[*at] * count % whole.max(1)));
    let left = count - shares.iter().sum::<usize>();
    for at in order.into_iter().take(left) {
        shares[at] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn shares_are_those_of_the_sizes() {
        assert_eq!(shares(&[50, 30, 20], 10), [5, 3, 2]);
        assert_eq!(shares(&[1, 1, 1], 2), [1, 1, 0]);
        assert_eq!(shares(&[3, 2], 100), [3, 2]);
        assert_eq!(shares(&[], 5), [] as [usize; 0]);
    }
}
