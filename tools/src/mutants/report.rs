//! The table of modules, and the survivors.

use std::collections::BTreeMap;

use crate::judge::Verdict;
use crate::mutant::Mutant;
use crate::sample::{Sample, stratum_of};

/// What is counted of a module.
#[derive(Clone, Copy, Default)]
struct Counts {
    candidates: usize,
    refused: usize,
    own: usize,
    other: usize,
    hangs: usize,
    equivalent: usize,
    survived: usize,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.candidates += other.candidates;
        self.refused += other.refused;
        self.own += other.own;
        self.other += other.other;
        self.hangs += other.hangs;
        self.equivalent += other.equivalent;
        self.survived += other.survived;
    }

    fn row(&self, name: &str) -> String {
        let caught = self.own + self.other + self.hangs;
        let judged = caught + self.survived;
        let share = if judged == 0 { 100.0 } else { 100.0 * caught as f64 / judged as f64 };
        format!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {share:.1} % |",
            self.candidates,
            judged + self.equivalent,
            self.refused,
            self.own,
            self.other,
            self.hangs,
            self.equivalent,
            self.survived,
        )
    }
}

/// A mutant of the sample with what became of it.
pub(crate) struct Judged<'a> {
    pub(crate) number: usize,
    pub(crate) mutant: &'a Mutant,
    pub(crate) verdict: Verdict,
    pub(crate) is_listed: bool,
}

/// The table by module.
pub(crate) fn table(pool: &[Mutant], sample: &Sample<'_>, judged: &[Judged<'_>]) -> String {
    let mut modules: BTreeMap<(&str, &str), Counts> = BTreeMap::new();
    for mutant in pool {
        modules.entry(stratum_of(mutant)).or_default().candidates += 1;
    }
    for (mutant, compiles) in sample.drawn.iter().zip(&sample.compiles) {
        modules.entry(stratum_of(mutant)).or_default().refused += usize::from(!compiles);
    }
    for one in judged {
        let counts = modules.entry(stratum_of(one.mutant)).or_default();
        match &one.verdict {
            Verdict::Hangs { .. } => counts.hangs += 1,
            Verdict::Caught { package, .. } if *package == one.mutant.package => counts.own += 1,
            Verdict::Caught { .. } => counts.other += 1,
            Verdict::Survived { .. } if one.is_listed => counts.equivalent += 1,
            Verdict::Survived { .. } => counts.survived += 1,
        }
    }
    let mut lines = vec![
        "| module | candidates | in the sample | do not compile | caught by its crate's tests | by other tests | hang | equivalent | survived | caught |".to_owned(),
        "|---|---|---|---|---|---|---|---|---|---|".to_owned(),
    ];
    let mut whole = Counts::default();
    for ((package, module), counts) in &modules {
        lines.push(counts.row(&format!("{package} `{module}`")));
        whole.add(*counts);
    }
    lines.push(whole.row("all"));
    lines.join("\n")
}

/// A line for each survivor.
pub(crate) fn survivors(judged: &[Judged<'_>]) -> Vec<String> {
    let mut found: Vec<_> = judged
        .iter()
        .filter(|it| !it.is_listed)
        .filter_map(|it| match it.verdict {
            Verdict::Survived { tests } => Some((it.mutant, tests)),
            _ => None,
        })
        .collect();
    found.sort_by_key(|(mutant, _)| (&mutant.file, mutant.line));
    found
        .into_iter()
        .map(|(mutant, tests)| format!("{} ({tests} tests reach it)", mutant.place()))
        .collect()
}
