//! Which answers are counted together.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::tally::Tally;
use crate::args::GroupBy;
use crate::source::{Name, Origin};

/// A tally for each group, in the order of their names. What a recording does not say is no name.
pub(crate) struct Groups {
    by: Option<GroupBy>,
    /// Something says what is required, and of what type.
    has_schema: bool,
    pub(crate) tallies: BTreeMap<Option<String>, Tally>,
}

impl Groups {
    /// All together where nothing says what makes a group.
    pub(crate) const fn new(by: Option<GroupBy>, has_schema: bool) -> Self {
        Self { by, has_schema, tallies: BTreeMap::new() }
    }

    /// The tally that a stream is counted in.
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

    /// All groups as one.
    pub(crate) fn all(&self) -> Tally {
        let mut all = Tally::new(self.has_schema);
        self.tallies.values().for_each(|tally| all.add(tally));
        all
    }

    /// One JSON object a group.
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

/// A group on the wire.
#[derive(Serialize)]
struct GroupLine<'a> {
    format: &'a str,
    group: Option<&'a str>,
    #[serde(flatten)]
    tally: &'a Tally,
}
