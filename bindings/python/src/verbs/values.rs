//! The value of one field so far.

use core::mem;

use patchwire::event::Completion;
use patchwire::{Patch as EnginePatch, PatchOp, Pattern, ValueRef};
use pyo3::prelude::*;

use super::followed::{Followed, missing};
use super::{Ended, Next, ended};
use crate::mirror::{self, Mirror};
use crate::paths::Step;

/// The value of one field so far, whenever it grew.
pub(crate) struct Values {
    pub(super) followed: Followed,
    pub(super) steps: Vec<Option<Step>>,
    /// The steps of the field that is followed.
    pub(super) place: Option<Vec<Step>>,
    pub(super) changed: bool,
    pub(super) closed: bool,
    pub(super) error: Option<PyErr>,
}

impl Values {
    pub(crate) fn new(pattern: Pattern) -> Self {
        let steps = crate::paths::steps(&pattern);
        let place = steps.iter().cloned().collect();
        Self {
            followed: Followed::new(pattern),
            steps,
            place,
            changed: false,
            closed: false,
            error: None,
        }
    }

    #[inline]
    pub(super) fn take(&mut self, patch: &EnginePatch<'_>) {
        if self.closed {
            return;
        }
        if !self.contains(patch) {
            self.changed |= self.followed.is_replaced_by(patch);
            return;
        }
        let is_field = patch.path.len() == self.steps.len();
        if self.place.is_none() {
            self.place =
                Some(patch.path.segments().take(self.steps.len()).map(Step::from).collect());
        }
        // An empty container has begun, and shows nothing yet.
        self.changed |= !(is_field && patch.op == PatchOp::Open);
        // The whole value waits for the corrections that only the end can show.
        if is_field
            && !self.steps.is_empty()
            && patch.op == PatchOp::Done
            && patch.completion != Some(Completion::EndOfInput)
        {
            (self.closed, self.changed) = (true, true);
        }
    }

    /// Whether the patch is at or below the field.
    #[inline]
    pub(super) fn contains(&self, patch: &EnginePatch<'_>) -> bool {
        if patch.path.len() < self.steps.len() {
            return false;
        }
        let mut segments = patch.path.segments();
        match &self.place {
            Some(place) => place.iter().all(|step| segments.next().is_some_and(|it| step.is(it))),
            None => self.steps.iter().all(|step| {
                let segment = segments.next();
                step.as_ref().is_none_or(|step| segment.is_some_and(|it| step.is(it)))
            }),
        }
    }

    pub(super) fn catch_up(&mut self, value: ValueRef<'_>) {
        let Some(found) = self.followed.find(value) else { return };
        self.changed = true;
        self.closed = found.is_complete() && !self.steps.is_empty();
    }

    pub(super) fn end(&mut self, py: Python<'_>, ended: &Ended<'_>) {
        if mem::replace(&mut self.closed, true) {
            return;
        }
        let path = self.path();
        let found = ended.answer.value().at(&path).filter(|found| found.exists());
        if found.is_none() || ended.answer.is_cut_at(&path) {
            self.error = Some(missing(py, &path, ended));
        } else {
            self.changed = true;
        }
    }

    pub(super) fn path(&self) -> String {
        self.followed.path.clone()
    }

    pub(super) fn reset(&mut self) {
        (self.changed, self.closed, self.followed.node, self.error) = (false, false, None, None);
        self.place = self.steps.iter().cloned().collect();
    }

    pub(super) fn pop(
        &mut self,
        py: Python<'_>,
        mirror: &mut Option<Mirror>,
        document: ValueRef<'_>,
        is_over: bool,
    ) -> Next {
        if mem::take(&mut self.changed) {
            let root = match look(py, mirror, document) {
                Ok(root) => root,
                Err(error) => return Next::Error(error),
            };
            let place = self.place.as_deref().unwrap_or_default();
            if let Some(object) = mirror::at(py, &root, place) {
                return Next::Item(object.unbind());
            }
        }
        ended(&mut self.error, self.closed || is_over)
    }
}

/// The live value, which begins to exist at the first look.
pub(crate) fn look<'py>(
    py: Python<'py>,
    mirror: &mut Option<Mirror>,
    document: ValueRef<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    match mirror {
        Some(mirror) => mirror.look(py, document),
        None => {
            let fresh = Mirror::new(py, document)?;
            mirror.insert(fresh).look(py, document)
        }
    }
}
