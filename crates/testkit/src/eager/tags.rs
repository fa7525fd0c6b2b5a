//! Eagerness of elements: tag sets so small that every input of a few bytes can be tried.
//!
//! The oracle detects events that are emitted too early or wrongly: the engine must read each input,
//! and each input with a witness after it, as the oracle does.

use std::collections::BTreeSet;

use patchwire::{Format, Spec, SpecBuilder, TagSet};

use super::walk::walk;
use super::witnesses::{TAG_WITNESSES, WITNESSES, XML_WITNESSES};
use super::{Alphabet, Explored};
use crate::event_log::{run, run_whole};
use crate::oracle::tags::Profile;
use crate::tag_agreement;

/// A small tag set, and continuations that tell its undecided states apart.
#[derive(Debug, Clone)]
pub struct TinySet {
    spec: Spec,
    /// As the oracle reads it, if it can.
    profile: Option<Profile>,
    start_in: Option<String>,
    witnesses: BTreeSet<Vec<u8>>,
}

impl TinySet {
    /// A set, as JSON, over text. Witnesses are all ends of the samples: texts that end something
    /// which may have begun.
    ///
    /// # Panics
    /// If it is none.
    #[must_use]
    pub fn new(json: &str, samples: &[&str]) -> Self {
        Self { profile: Some(profile(json)), ..Self::unread(json, samples) }
    }

    /// A walk whose text begins inside an element of that family.
    ///
    /// # Panics
    /// If it is none, or has no such family.
    #[must_use]
    pub fn inside(json: &str, samples: &[&str], family: &str) -> Self {
        let build = |spec: SpecBuilder| spec.format(Format::Text).start_in(family);
        let start_in = Some(family.to_owned());
        Self { profile: Some(profile(json)), start_in, ..Self::built(json, samples, build) }
    }

    /// A set with something in it that the oracle does not know.
    ///
    /// # Panics
    /// If it is none.
    #[must_use]
    pub fn unread(json: &str, samples: &[&str]) -> Self {
        Self::built(json, samples, |spec| spec.format(Format::Text))
    }

    /// A walk under the other settings of a spec.
    ///
    /// # Panics
    /// If it is none.
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

    /// With those witnesses, too, that tell apart what may be JSON.
    #[must_use]
    pub fn with_json(mut self) -> Self {
        self.witnesses.extend(WITNESSES.iter().map(|it| it.to_vec()));
        self
    }

    /// With those that tell apart what may be a tree.
    #[must_use]
    pub fn with_xml(mut self) -> Self {
        self.witnesses.extend(XML_WITNESSES.iter().map(|it| it.to_vec()));
        self
    }

    /// The most that may be held.
    #[must_use]
    pub fn max_held(&self) -> usize {
        self.spec.parser().max_held()
    }

    /// The input and what follows are told as the oracle reads them.
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

    /// The input is told alike in one piece and byte by byte.
    fn is_one(&self, input: &[u8]) -> Result<(), String> {
        let found = run_whole(&self.spec, input).difference(&run(&self.spec, input.chunks(1)));
        found.map_or(Ok(()), Err)
    }
}

fn profile(json: &str) -> Profile {
    serde_json::from_str(json).expect("a set that the oracle can read")
}

/// Checks all inputs of an alphabet, each at the end of the input and, if no other was like it, with
/// each witness.
///
/// # Errors
/// The input after which something was late, more was held than the set says, or something is told
/// that the oracle does not read.
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
