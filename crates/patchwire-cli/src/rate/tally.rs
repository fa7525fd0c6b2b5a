//! The counts of one group.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use patchwire::{Code, Event, Outcome, OwnedEvent, check::FailureKind, notice::Severity};
use patchwire_async::ResponseEvent;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::outcome_order::OUTCOMES;
use crate::settings::Settings;
use crate::{sink::Sink, stream_result::StreamResult};

/// The notice codes of one answer, including those beyond the limit on notices.
#[derive(Default)]
pub(crate) struct Codes(BTreeSet<&'static str>);

impl Sink for Codes {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        if let Event::Notice(notice) = event {
            self.0.insert(notice.code.name());
        }
        Ok(())
    }

    fn owned(&mut self, event: &ResponseEvent) -> io::Result<()> {
        if let Some(OwnedEvent::Notice(notice)) = event.as_parsed() {
            self.0.insert(notice.code.name());
        }
        Ok(())
    }
}

/// Counts of outputs.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Tally {
    pub(crate) streams: u64,
    /// Outputs with a value, however they ended.
    pub(crate) parsed: u64,
    pub(crate) outcomes: Outcomes,
    /// Outputs with a notice of each code.
    pub(crate) notices: BTreeMap<&'static str, u64>,
    /// Outputs with everything that the schema requires, with content where it is needed; `None`
    /// without a schema.
    pub(crate) required_present: Option<u64>,
    /// Outputs whose values all have the schema's types at the end; `None` without a schema.
    pub(crate) types_right: Option<u64>,
}

impl Tally {
    /// A tally of no outputs.
    pub(crate) fn new(has_schema: bool) -> Self {
        let of_schema = has_schema.then_some(0);
        Self { required_present: of_schema, types_right: of_schema, ..Self::default() }
    }

    pub(crate) fn take(&mut self, ended: &StreamResult, codes: &Codes, settings: &Settings) {
        self.streams += 1;
        self.parsed += u64::from(ended.has_value(settings));
        self.outcomes.count(ended.outcome(settings));
        for code in &codes.0 {
            *self.notices.entry(code).or_default() += 1;
        }
        let (None, Ok(answer)) = (ended.fault(), &ended.result) else { return };
        let failures = || answer.failures().iter().map(|failure| &failure.kind);
        let is_right = |none: fn(&FailureKind) -> bool| u64::from(!failures().any(none));
        self.required_present = self.required_present.map(|count| count + is_right(is_needed));
        self.types_right = self.types_right.map(|count| count + is_right(is_of_another_type));
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.streams += other.streams;
        self.parsed += other.parsed;
        let sum = |one: Option<u64>, other: Option<u64>| Some(one? + other?);
        self.required_present = sum(self.required_present, other.required_present);
        self.types_right = sum(self.types_right, other.types_right);
        for (sum, count) in self.outcomes.0.iter_mut().zip(other.outcomes.0) {
            *sum += count;
        }
        for (code, count) in &other.notices {
            *self.notices.entry(code).or_default() += count;
        }
    }

    /// What was repaired or lost, and in how many outputs, the most frequent first.
    pub(crate) fn repairs(&self) -> Vec<(Code, u64)> {
        let codes = Code::ALL.iter().filter(|code| code.severity() != Severity::Info);
        let count = |code: &Code| Some((*code, *self.notices.get(code.name())?));
        let mut repairs: Vec<_> = codes.filter_map(count).collect();
        repairs.sort_by_key(|(_, count)| core::cmp::Reverse(*count));
        repairs
    }
}

/// Whether a required value is missing. Without any value, all are.
const fn is_needed(kind: &FailureKind) -> bool {
    !matches!(
        kind,
        FailureKind::WrongType { .. }
            | FailureKind::Undeclared
            | FailureKind::Invalid { .. }
            | FailureKind::Unchecked
    )
}

/// Whether a value has the wrong type, or there is no value.
const fn is_of_another_type(kind: &FailureKind) -> bool {
    matches!(kind, FailureKind::WrongType { .. } | FailureKind::NoValue)
}

/// How many outputs ended with which outcome. The last count is for errors.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outcomes([u64; OUTCOMES.len() + 1]);

impl Outcomes {
    /// `None` counts as an error.
    fn count(&mut self, outcome: Option<Outcome>) {
        let at = OUTCOMES.iter().position(|known| Some(*known) == outcome);
        self.0[at.unwrap_or(OUTCOMES.len())] += 1;
    }

    /// How many ended with this outcome.
    pub(crate) fn of(self, outcome: Outcome) -> u64 {
        self.0
            .iter()
            .zip(OUTCOMES)
            .find(|(_, known)| *known == outcome)
            .map_or(0, |(count, _)| *count)
    }

    /// How many ended with an error: of a limit, or of strict reading.
    pub(crate) const fn stopped(self) -> u64 {
        self.0[OUTCOMES.len()]
    }
}

impl Serialize for Outcomes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = OUTCOMES.iter().map(|outcome| outcome.name()).chain(["stopped"]);
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, count) in names.zip(self.0) {
            map.serialize_entry(name, &count)?;
        }
        map.end()
    }
}
