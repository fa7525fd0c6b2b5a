//! Eagerness of elements, with tag sets so small that every input of a few bytes can be tried.
//!
//! The oracle detects events that are emitted too early or wrongly: the engine must read each input, alone
//! and followed by a witness, like the oracle.

use std::collections::BTreeSet;

use patchwire::{Format, Spec, SpecBuilder, TagSet};

use super::walk::walk;
use super::witnesses::{TAG_WITNESSES, WITNESSES, XML_WITNESSES};
use super::{Alphabet, Explored};
use crate::event_log::{run, run_whole};
use crate::oracle::tags::Profile;
use crate::tag_agreement;

/// A small tag set, and continuations that distinguish its undecided states.
#[derive(Debug, Clone)]
pub struct TinySet {
    spec: Spec,
    /// The profile for the oracle, if it can read the set.
    profile: Option<Profile>,
    start_in: Option<String>,
    witnesses: BTreeSet<Vec<u8>>,
}

impl TinySet {
    /// A set in JSON, for texts. The witnesses are all suffixes of the samples: each ends a construct that
    /// may have begun.
    ///
    /// # Panics
    /// If the set is invalid.
    #[must_use]
    pub fn new(json: &str, samples: &[&str]) -> Self {
        Self { profile: Some(profile(json)), ..Self::unread(json, samples) }
    }

    /// A set whose text begins inside an element of a family.
    ///
    /// # Panics
    /// If the set is invalid, or has no such family.
    #[must_use]
    pub fn inside(json: &str, samples: &[&str], family: &str) -> Self {
        let build = |spec: SpecBuilder| spec.format(Format::Text).start_in(family);
        let start_in = Some(family.to_owned());
        Self { profile: Some(profile(json)), start_in, ..Self::built(json, samples, build) }
    }

    /// A set with a feature that the oracle does not know.
    ///
    /// # Panics
    /// If the set is invalid.
    #[must_use]
    pub fn unread(json: &str, samples: &[&str]) -> Self {
        Self::built(json, samples, |spec| spec.format(Format::Text))
    }

    /// A set with other settings of the spec.
    ///
    /// # Panics
    /// If the set is invalid.
    #[must_use]
    pub fn built(
        json: &str,
        samples: &[&str],
        build: impl FnOnce(SpecBuilder) -> SpecBuilder,
    ) -> Self {
        let tags = TagSet::from_json(json).unwrap_or_else(|error| panic!("{error}"));
        let spec = build(Spec::builder().tags(tags)).build().expect("the settings agree");
        let ends = samples.iter().flat_map(|it| (0..it.len()).map(|at| it.as_bytes()[at..].into()));
        let witnesses = ends.chain(TAG_WITNESSES.iter().map(|it| it.to_vec())).collect();
        Self { spec, profile: None, start_in: None, witnesses }
    }

    /// Adds the witnesses that distinguish states of JSON.
    #[must_use]
    pub fn with_json(mut self) -> Self {
        self.witnesses.extend(WITNESSES.iter().map(|it| it.to_vec()));
        self
    }

    /// Adds the witnesses that distinguish states of a tree.
    #[must_use]
    pub fn with_xml(mut self) -> Self {
        self.witnesses.extend(XML_WITNESSES.iter().map(|it| it.to_vec()));
        self
    }

    /// The most bytes that may be held.
    #[must_use]
    pub fn max_held(&self) -> usize {
        self.spec.parser().max_held()
    }

    /// Checks that the input and a witness after it are read like the oracle reads them.
    fn is_right(&self, input: &[u8], witness: &[u8]) -> Result<(), String> {
        let whole = &*[input, witness].concat();
        let Some(profile) = &self.profile else { return self.is_one(whole) };
        let mut chunkings = vec![vec![input, witness]];
        if witness.is_empty() {
            chunkings.push(whole.chunks(1).collect());
        }
        let text = String::from_utf8_lossy(whole);
        let start_in = self.start_in.as_deref();
        tag_agreement::against_oracle(profile, &self.spec, &text, start_in, chunkings)
    }

    /// Checks that the input gives equal events in one piece and byte by byte.
    fn is_one(&self, input: &[u8]) -> Result<(), String> {
        let found = run_whole(&self.spec, input).difference(&run(&self.spec, input.chunks(1)));
        found.map_or(Ok(()), Err)
    }
}

fn profile(json: &str) -> Profile {
    serde_json::from_str(json).expect("a set that the oracle can read")
}

/// Checks all inputs over an alphabet, each at its end and, if it leads to a new state, with each witness.
///
/// # Errors
/// The input after which something was late, too much was held, or an event differs from the oracle's.
pub fn check_tags(set: &TinySet, alphabet: Alphabet<'_>) -> Result<Explored, String> {
    let witnesses: Vec<_> = set.witnesses.iter().cloned().collect();
    let judge = |input: &[u8], new: bool| {
        if !new {
            return set.is_right(input, b"");
        }
        witnesses.iter().try_for_each(|witness| set.is_right(input, witness))
    };
    walk(&set.spec, alphabet, &witnesses, Some(&judge))
}
