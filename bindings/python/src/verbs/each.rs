//! The items of a list as they close.

use core::mem;
use std::collections::VecDeque;

use patchwire::event::Completion;
use patchwire::{Patch as EnginePatch, PatchOp, PathBuf, Pattern, ValueKind, ValueRef};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::Ended;
use super::followed::{Followed, missing};
use super::matches::Matches;
use crate::errors;
use crate::paths;
use crate::value::to_python;

/// The items of a list as they close.
pub(crate) struct Each {
    /// The items of a list, or the members of a map.
    pub(super) items: Pattern,
    /// The list, if it is only one.
    pub(super) list: Option<Followed>,
    pub(super) path: String,
    /// Whether each item comes with its index, and corrected items come again.
    pub(super) indexed: bool,
    pub(super) count: usize,
    pub(super) queue: VecDeque<Py<PyAny>>,
    pub(super) closed: bool,
    pub(super) error: Option<PyErr>,
}

impl Each {
    pub(crate) fn new(items: Pattern, list: Pattern, indexed: bool) -> Self {
        let path = list.to_string();
        let list = (!path.contains("[*]")).then(|| Followed::new(list));
        Self {
            items,
            list,
            path,
            indexed,
            count: 0,
            queue: VecDeque::new(),
            closed: false,
            error: None,
        }
    }

    #[inline]
    pub(super) fn take(&mut self, py: Python<'_>, patch: &EnginePatch<'_>) -> PyResult<()> {
        if self.closed || patch.op == PatchOp::Delta || patch.op == PatchOp::Open {
            return Ok(());
        }
        if patch.path.matches(&self.items) {
            return match patch.op {
                // An item that the end of the input closed is not whole, or the end says so.
                PatchOp::Done if patch.completion == Some(Completion::EndOfInput) => Ok(()),
                PatchOp::Done => self.give(py, self.count, patch.value, true),
                PatchOp::Replace if self.indexed => {
                    let index = match patch.path.last() {
                        Some(patchwire::path::Segment::Index(index)) => index as usize,
                        _ => self.count,
                    };
                    self.give(py, index, patch.value, false)
                }
                _ => Ok(()),
            };
        }
        if let Some(list) = &mut self.list
            && patch.op == PatchOp::Done
            && patch.completion != Some(Completion::EndOfInput)
            && list.is(patch)
        {
            self.close(py, patch.value);
        }
        Ok(())
    }

    pub(super) fn give(
        &mut self,
        py: Python<'_>,
        index: usize,
        value: ValueRef<'_>,
        is_new: bool,
    ) -> PyResult<()> {
        let item = to_python(py, value)?;
        self.count += usize::from(is_new);
        let item = if self.indexed {
            PyTuple::new(py, [pyo3::types::PyInt::new(py, index).into_any(), item])?.into_any()
        } else {
            item
        };
        self.queue.push_back(item.unbind());
        Ok(())
    }

    pub(super) fn catch_up(
        &mut self,
        py: Python<'_>,
        value: ValueRef<'_>,
        ended: Option<&Ended<'_>>,
    ) -> PyResult<()> {
        self.give_from(py, value, ended)?;
        if let Some(list) = &mut self.list
            && let Some(found) = list.find(value)
            && list.is_whole(found, ended)
        {
            self.close(py, found);
        }
        Ok(())
    }

    /// Gives the items of a value that are whole, except those that were given before.
    fn give_from(
        &mut self,
        py: Python<'_>,
        value: ValueRef<'_>,
        ended: Option<&Ended<'_>>,
    ) -> PyResult<()> {
        let steps = paths::steps(&self.items);
        let cut = ended.filter(|ended| ended.answer.is_cut_at(""));
        let is_cut =
            |path: &PathBuf| cut.is_some_and(|cut| cut.answer.is_cut_at(&path.to_string()));
        let whole =
            Matches::new(&steps, value).filter(|(path, item)| item.is_complete() && !is_cut(path));
        let before = self.count;
        for (_, item) in whole.skip(before) {
            self.give(py, self.count, item, true)?;
        }
        Ok(())
    }

    /// The value at the path is complete.
    fn close(&mut self, py: Python<'_>, value: ValueRef<'_>) {
        self.closed = true;
        if let Some(kind) = scalar_name(value.kind()) {
            let what = format_args!("`{}` is {kind} and has no items; use `get`", self.path);
            self.error = Some(errors::raised(py, "PathError", what));
        }
    }

    pub(super) fn end(&mut self, py: Python<'_>, ended: &Ended<'_>) {
        if mem::replace(&mut self.closed, true) {
            return;
        }
        let value = ended.answer.value();
        if self.list.is_some() {
            let found = value.at(&self.path).filter(|found| found.exists());
            let Some(found) = found.filter(|_| !ended.answer.is_cut_at(&self.path)) else {
                self.error = Some(missing(py, &self.path, ended));
                return;
            };
            self.close(py, found);
        }
        // What only the end could decide.
        if let Err(error) = self.give_from(py, value, Some(ended)) {
            self.error = Some(error);
        }
    }

    pub(super) fn reset(&mut self) {
        (self.count, self.closed, self.error) = (0, false, None);
        if let Some(list) = &mut self.list {
            list.let_go();
        }
    }
}

/// The name of a kind of value that has no items. A list that is null has none either, and that is no mistake.
const fn scalar_name(kind: ValueKind) -> Option<&'static str> {
    match kind {
        ValueKind::String => Some("a text"),
        ValueKind::Bool => Some("a bool"),
        ValueKind::Number => Some("a number"),
        _ => None,
    }
}
