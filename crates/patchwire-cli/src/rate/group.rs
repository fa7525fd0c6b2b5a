//! Groups of outputs that are counted together.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::tally::Tally;
use crate::args::GroupBy;
use crate::source::{Name, Origin};

/// A tally for each group, ordered by name. Recordings without the grouping member form a group of
/// their own.
pub(crate) struct Groups {
    by: Option<GroupBy>,
    /// A schema says what is required and of which type.
    has_schema: bool,
    pub(crate) tallies: BTreeMap<Option<String>, Tally>,
}

impl Groups {
    /// Without `by`, all outputs form one group.
    pub(crate) const fn new(by: Option<GroupBy>, has_schema: bool) -> Self {
        Self { by, has_schema, tallies: BTreeMap::new() }
    }

    /// The tally that counts a stream.
    pub(crate) fn of(&mut self, name: &Name, origin: &Origin) -> &mut Tally {
        let group = match self.by {
            None => None,
            Some(GroupBy::Kind) => origin.kind.clone(),
            Some(GroupBy::Provider) => origin.provider.clone(),
            Some(GroupBy::Source) => origin.source.clone(),
            Some(GroupBy::File) => Some(name.file.clone()),
        };
        self.tallies.entry(group).or_insert_with(|| Tally::new(self.has_schema))
    }

    /// Whether groups have names.
    pub(crate) const fn are_named(&self) -> bool {
        self.by.is_some()
    }

    /// The sum of all groups.
    pub(crate) fn all(&self) -> Tally {
        let mut all = Tally::new(self.has_schema);
        self.tallies.values().for_each(|tally| all.add(tally));
        all
    }

    /// Prints one JSON object for each group.
    pub(crate) fn write_json(&self, out: &mut impl Write, format: &str) -> io::Result<()> {
        for (group, tally) in &self.tallies {
            serde_json::to_writer(
                &mut *out,
                &GroupLine { format, group: group.as_deref(), tally },
            )?;
            writeln!(out)?;
        }
        Ok(())
    }
}

/// The JSON form of a group.
#[derive(Serialize)]
struct GroupLine<'a> {
    format: &'a str,
    group: Option<&'a str>,
    #[serde(flatten)]
    tally: &'a Tally,
}
