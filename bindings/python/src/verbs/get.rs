//! One field, when it is complete.

use patchwire::event::Completion;
use patchwire::{Patch as EnginePatch, PatchOp, ValueRef};
use pyo3::prelude::*;

use super::Ended;
use super::followed::Followed;
use crate::value::to_python;

/// One field, when it is complete.
pub(crate) struct Get {
    pub(super) followed: Followed,
    pub(super) item: Option<Py<PyAny>>,
    pub(super) closed: bool,
    pub(super) error: Option<PyErr>,
}

impl Get {
    pub(crate) const fn new(followed: Followed) -> Self {
        Self { followed, item: None, closed: false, error: None }
    }

    #[inline]
    pub(super) fn take(&mut self, py: Python<'_>, patch: &EnginePatch<'_>) -> PyResult<()> {
        if self.closed || !self.followed.is(patch) {
            return Ok(());
        }
        match patch.op {
            PatchOp::Done if patch.completion == Some(Completion::EndOfInput) => {}
            PatchOp::Done => self.close(py, patch.value)?,
            PatchOp::Replace if patch.completion.is_some() => self.close(py, patch.value)?,
            PatchOp::Remove => self.followed.let_go(),
            _ => {}
        }
        Ok(())
    }

    pub(super) fn close(&mut self, py: Python<'_>, value: ValueRef<'_>) -> PyResult<()> {
        self.item = Some(to_python(py, value)?.unbind());
        self.closed = true;
        Ok(())
    }

    pub(super) fn catch_up(
        &mut self,
        py: Python<'_>,
        value: ValueRef<'_>,
        ended: Option<&Ended<'_>>,
    ) -> PyResult<()> {
        match self.followed.find(value) {
            Some(found) if self.followed.is_whole(found, ended) => self.close(py, found),
            _ => Ok(()),
        }
    }

    pub(super) fn end(&mut self, py: Python<'_>, ended: &Ended<'_>) -> PyResult<()> {
        if self.closed {
            return Ok(());
        }
        let found = self.followed.find(ended.answer.value());
        match found.filter(|_| !ended.answer.is_cut_at(&self.followed.path)) {
            Some(found) => self.close(py, found),
            None => {
                self.closed = true;
                self.error = Some(self.followed.missing(py, ended));
                Ok(())
            }
        }
    }

    pub(super) fn reset(&mut self) {
        (self.item, self.closed, self.error) = (None, false, None);
        self.followed.let_go();
    }
}
