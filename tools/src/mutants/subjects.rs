//! What can be mutated, and the tests that have to see it.

use std::time::Duration;

/// A crate whose code is mutated.
pub(crate) struct Subject {
    pub(crate) package: &'static str,
    /// The root of the crate, below the workspace.
    pub(crate) root: &'static str,
    /// The tests in the order in which they are tried.
    pub(crate) sets: &'static [TestSet],
}

/// Tests of one binary.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct TestSet {
    pub(crate) package: &'static str,
    pub(crate) target: Target,
    /// Beginnings of the names of tests that are run; all if there are none.
    pub(crate) only: &'static [&'static str],
    /// Beginnings of the names of tests that are not.
    pub(crate) skip: &'static [&'static str],
    pub(crate) pace: Pace,
}

/// How long the tests of a set take.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Slower ones are left out.
    Quick,
    /// All cuts, all slips, generated texts: tried last, on the mutants that the quick ones do not see.
    Slow,
}

impl Pace {
    /// A test that takes longer is left out.
    pub(crate) const fn longest(self) -> Duration {
        match self {
            Self::Quick => Duration::from_secs(4),
            Self::Slow => Duration::from_secs(120),
        }
    }
}

/// The binary of a package that has the tests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// The unit tests, which lie beside the code of a library or a command.
    Unit,
    /// `tests/main`.
    Main,
}

/// These read the sources as text, and mutants are text that they do not expect.
const ABOUT_SOURCES: &[&str] = &["tidy::", "book::"];

/// Modules of `testkit` that need seconds in all. The laws, and whatever walks all cuts, need minutes.
const QUICK: &[&str] = &[
    "checks::",
    "finals::",
    "findings::",
    "formats_oracle::",
    "incumbents::",
    "oracle::",
    "repair::",
    "sections::",
    "stray_closers::",
    "tags::",
    "tags_oracle::",
    "untidy::",
    "wrapped_documents::",
    "xml::",
    "xml_field::",
    "yaml::",
];

const fn set(package: &'static str, target: Target) -> TestSet {
    TestSet { package, target, only: &[], skip: ABOUT_SOURCES, pace: Pace::Quick }
}

/// Tests of `testkit` that need a download or recordings.
const OUTSIDE: &[&str] = &["public_suites::", "recordings::"];

pub(crate) const SUBJECTS: &[Subject] = &[
    Subject {
        package: "patchwire",
        root: "crates/patchwire/src/lib.rs",
        sets: &[
            set("patchwire", Target::Unit),
            set("patchwire", Target::Main),
            TestSet { only: QUICK, ..set("testkit", Target::Main) },
            TestSet { skip: OUTSIDE, pace: Pace::Slow, ..set("testkit", Target::Main) },
        ],
    },
    Subject {
        package: "patchwire-async",
        root: "crates/patchwire-async/src/lib.rs",
        sets: &[set("patchwire-async", Target::Unit), set("patchwire-async", Target::Main)],
    },
    Subject {
        package: "patchwire-arrow",
        root: "crates/patchwire-arrow/src/lib.rs",
        sets: &[set("patchwire-arrow", Target::Unit), set("patchwire-arrow", Target::Main)],
    },
    Subject {
        package: "patchwire-chat",
        root: "crates/patchwire-chat/src/lib.rs",
        sets: &[set("patchwire-chat", Target::Unit), set("patchwire-chat", Target::Main)],
    },
    Subject {
        package: "patchwire-cli",
        root: "crates/patchwire-cli/src/main.rs",
        sets: &[set("patchwire-cli", Target::Unit), set("patchwire-cli", Target::Main)],
    },
    Subject {
        package: "patchwire-sources",
        root: "crates/patchwire-sources/src/lib.rs",
        sets: &[set("patchwire-sources", Target::Unit), set("patchwire-sources", Target::Main)],
    },
    Subject {
        package: "patchwire-views",
        root: "crates/patchwire-views/src/lib.rs",
        sets: &[set("patchwire-views", Target::Unit), set("patchwire-views", Target::Main)],
    },
    Subject {
        package: "patchwire-web",
        root: "crates/patchwire-web/src/lib.rs",
        sets: &[set("patchwire-web", Target::Unit), set("patchwire-web", Target::Main)],
    },
    Subject {
        package: "patchwire-wire",
        root: "crates/patchwire-wire/src/lib.rs",
        sets: &[set("patchwire-wire", Target::Unit), set("patchwire-wire", Target::Main)],
    },
];

/// Features that have to be on for all code to be compiled.
pub(crate) const FEATURES: [(&str, &str); 2] = [
    ("patchwire", "patchwire/validate,patchwire/_internals"),
    ("patchwire-cli", "patchwire-cli/full"),
];
