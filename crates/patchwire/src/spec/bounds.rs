//! How large settings may be.

use std::collections::HashMap;

use super::SpecError;
use crate::check::{Checks, MOST_FORKS};
use crate::limits::{Limit, Limits};
use crate::schema::{Presence, Schema};

/// A path that has to exist.
pub(super) struct NeededPath<'p> {
    pub(super) path: &'p str,
    pub(super) presence: Presence,
}

/// The checks of these paths.
pub(super) fn ensured<'p>(
    mut checks: Checks,
    paths: impl Iterator<Item = NeededPath<'p>>,
    limits: &Limits,
) -> Result<Checks, SpecError> {
    for NeededPath { path, presence } in paths {
        checks.ensure(path, presence).map_err(|source| {
            let path = path.to_owned();
            SpecError::Path { path, source }
        })?;
        within(limits, Limit::Paths, checks.paths().count)?;
        within(limits, Limit::PathBytes, checks.paths().bytes)?;
    }
    if checks.forks() > MOST_FORKS {
        return Err(SpecError::Wildcards { most: MOST_FORKS });
    }
    Ok(checks)
}

/// Fails if a schema is larger than its limit.
pub(super) fn schema(schema: Option<&Schema>, limits: &Limits) -> Result<(), SpecError> {
    schema.map_or(Ok(()), |schema| within(limits, Limit::Schema, schema.parts()))
}

fn within(limits: &Limits, limit: Limit, found: usize) -> Result<(), SpecError> {
    let (found, most) = (found as u64, limits.get(limit));
    if found > most { Err(SpecError::TooMany { limit, found, most }) } else { Ok(()) }
}

/// Tools and the schemas of their arguments. Of one name the first counts.
pub(super) fn by_name(tools: Vec<(String, Schema)>) -> HashMap<String, Schema> {
    let mut all = HashMap::with_capacity(tools.len());
    for (name, schema) in tools {
        all.entry(name).or_insert(schema);
    }
    all
}
