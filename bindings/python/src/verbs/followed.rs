//! The field that a verb follows, and why it has no whole value at the end.

use patchwire::document::NodeId;
use patchwire::{Patch as EnginePatch, PatchOp, Pattern, ValueRef};
use pyo3::prelude::*;

use super::Ended;
use super::matches::Matches;
use crate::errors;
use crate::paths::{self, Step};
use crate::value::to_python;

/// A path that is followed: the first field that matches.
pub(crate) struct Followed {
    pub(super) pattern: Pattern,
    pub(super) steps: Vec<Option<Step>>,
    /// The path of the field; that of the pattern before a field matches.
    pub(super) path: String,
    pub(super) node: Option<NodeId>,
}

impl Followed {
    pub(crate) fn new(pattern: Pattern) -> Self {
        let (path, steps) = (pattern.to_string(), paths::steps(&pattern));
        Self { pattern, steps, path, node: None }
    }

    /// Follows no field any more. The next one that matches is followed.
    pub(super) fn let_go(&mut self) {
        if self.node.take().is_some() {
            self.path = self.pattern.to_string();
        }
    }

    /// Whether the patch is about the field. A field that matches becomes the one that is followed.
    #[inline]
    pub(super) fn is(&mut self, patch: &EnginePatch<'_>) -> bool {
        match self.node {
            Some(node) => node == patch.node,
            None if patch.op == PatchOp::Delta => false,
            None => {
                let matches = patch.path.matches(&self.pattern);
                if matches {
                    self.node = Some(patch.node);
                    self.path = patch.path.to_string();
                }
                matches
            }
        }
    }

    /// Whether the patch replaces a value that contains the field.
    pub(super) fn is_replaced_by(&self, patch: &EnginePatch<'_>) -> bool {
        matches!(patch.op, PatchOp::Replace | PatchOp::Remove) && {
            let above = patch.path.to_string();
            let rest = self.path.strip_prefix(&*above);
            rest.is_some_and(|rest| {
                !rest.is_empty() && (above.is_empty() || rest.starts_with(['.', '[']))
            })
        }
    }

    /// The field in a value that was read: the one that is followed, or the first that matches.
    pub(super) fn find<'v>(&mut self, value: ValueRef<'v>) -> Option<ValueRef<'v>> {
        let is_one = self.node.is_some() || self.steps.iter().all(Option::is_some);
        let found = if is_one {
            value.at(&self.path).filter(|found| found.exists())?
        } else {
            let (path, found) = Matches::new(&self.steps, value).next()?;
            self.path = path.to_string();
            found
        };
        self.node = found.node();
        Some(found)
    }

    /// Whether the field that was found is there to its end. The end of the input completes all values, and cuts some.
    pub(super) fn is_whole(&self, found: ValueRef<'_>, ended: Option<&Ended<'_>>) -> bool {
        found.is_complete() && ended.is_none_or(|ended| !ended.answer.is_cut_at(&self.path))
    }

    /// Why there is no whole value at the end.
    pub(super) fn missing(&self, py: Python<'_>, ended: &Ended<'_>) -> PyErr {
        missing(py, &self.path, ended)
    }
}

/// The answer was cut inside a field, or has no such field.
pub(super) fn missing(py: Python<'_>, path: &str, ended: &Ended<'_>) -> PyErr {
    let answer = ended.answer;
    if let Some(value) = answer.value().at(path).filter(|value| value.exists()) {
        return match to_python(py, value) {
            Ok(value) => cut(py, path, ended, value),
            Err(error) => error,
        };
    }
    if answer.is_cut_at("") && !answer.value().exists() {
        return cut(py, path, ended, py.None().into_bound(py));
    }
    let above = path.rfind(['.', '[']).map_or("", |end| &path[..end]);
    let beside = answer.value().at(above);
    let names: Vec<&str> =
        beside.into_iter().flat_map(ValueRef::entries).filter_map(|(name, _)| name).collect();
    let has = match names.len() {
        0 => String::new(),
        _ => format!(
            "; it has {}",
            names.iter().take(8).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        ),
    };
    errors::raised(py, "MissingError", format_args!("the answer has no `{path}`{has}"))
}

fn cut(py: Python<'_>, path: &str, ended: &Ended<'_>, value: Bound<'_, PyAny>) -> PyErr {
    let before =
        if path.is_empty() { String::new() } else { format!(" before `{path}` was complete") };
    let what = format!("the answer was cut{before}; `value` has what arrived");
    errors::raised_with(py, "Truncated", what, |attributes| {
        attributes.set_item("value", value)?;
        attributes.set_item("path", path)?;
        attributes.set_item("answer", Bound::new(py, ended.object(py))?)
    })
}
