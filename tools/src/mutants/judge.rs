//! Whether the tests see a mutant.

use std::time::Duration;

use anyhow::Result;

use crate::process::{Ended, Run};
use crate::trace::{Traced, TracedTest};

/// Tests that are so short run in one process.
const SHORT: Duration = Duration::from_millis(400);

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// By this test of this package.
    Caught { package: &'static str, test: String },
    /// Its tests do not end.
    Hangs { package: &'static str },
    /// So many tests reach it, and all pass.
    Survived { tests: usize },
}

/// Judges mutants with the tests of a binary that reach them.
pub(crate) struct Judge<'a> {
    pub(crate) binary: &'a Traced,
    /// Most time that the tests of a mutant take without it.
    pub(crate) budget: Duration,
    pub(crate) nice: u8,
}

impl Judge<'_> {
    pub(crate) fn judge(&self, number: usize) -> Result<Verdict> {
        let tests = self.tests_of(number);
        let short = tests.partition_point(|test| test.takes <= SHORT);
        let mut runs = vec![&tests[..short]];
        runs.extend(tests[short..].chunks(1));
        for tests in runs.into_iter().filter(|tests| !tests.is_empty()) {
            if let Some(verdict) = self.run(tests, number)? {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Survived { tests: tests.len() })
    }

    /// The tests that reach a mutant, the short ones first, as far as there is time.
    fn tests_of(&self, number: usize) -> Vec<&TracedTest> {
        let mut time = Duration::ZERO;
        let fits = |test: &&TracedTest| {
            time += test.takes;
            time <= self.budget
        };
        self.binary
            .tests
            .iter()
            .filter(|it| it.reached.contains(&number))
            .take_while(fits)
            .collect()
    }

    /// Runs tests of a binary against a mutant. A test that fails without the mutant too says nothing.
    fn run(&self, tests: &[&TracedTest], number: usize) -> Result<Option<Verdict>> {
        let mut left: Vec<_> = tests.to_vec();
        let binary = self.binary;
        let package = binary.set.package;
        while !left.is_empty() {
            let takes: Duration = left.iter().map(|test| test.takes).sum();
            let mut run = Run {
                binary: &binary.binary,
                folder: &binary.folder,
                tests: left.iter().map(|test| test.name.as_str()).collect(),
                mutant: number.to_string().into(),
                limit: takes * 5 + Duration::from_secs(10),
                nice: self.nice,
            };
            let test = match run.run()? {
                Ended::Passed => return Ok(None),
                Ended::OutOfTime => return Ok(Some(Verdict::Hangs { package })),
                Ended::Failed(test) => test,
            };
            let name = test.split(' ').next().unwrap_or_default();
            run.tests = vec![name];
            run.mutant = String::new().into();
            if name.is_empty() || run.run()? == Ended::Passed {
                return Ok(Some(Verdict::Caught { package, test }));
            }
            left.retain(|it| it.name != name);
        }
        Ok(None)
    }
}
