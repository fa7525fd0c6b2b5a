//! The value of one field so far.

use core::{iter, mem};

use patchwire::event::Completion;
use patchwire::{Patch as EnginePatch, PatchOp, Path, Pattern, ValueRef};
use pyo3::prelude::*;

use super::followed::Followed;
use super::{Ended, Next, ended};
use crate::mirror::{self, Mirror};
use crate::paths::{self, Step};

/// The value of one field so far, whenever it grew.
pub(crate) struct Values {
    pub(super) followed: Followed,
    /// The steps of the field that is followed.
    pub(super) place: Option<Vec<Step>>,
    pub(super) changed: bool,
    pub(super) closed: bool,
    pub(super) error: Option<PyErr>,
}

impl Values {
    pub(crate) fn new(pattern: Pattern) -> Self {
        let followed = Followed::new(pattern);
        let place = followed.steps.iter().cloned().collect();
        Self { followed, place, changed: false, closed: false, error: None }
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
        let is_field = patch.path.len() == self.followed.steps.len();
        if self.place.is_none() {
            self.follow(patch.path);
        }
        // An empty container has begun, and shows nothing yet.
        self.changed |= !(is_field && patch.op == PatchOp::Open);
        // The whole value waits for the corrections that only the end can show.
        if is_field
            && !self.followed.steps.is_empty()
            && patch.op == PatchOp::Done
            && patch.completion != Some(Completion::EndOfInput)
        {
            (self.closed, self.changed) = (true, true);
        }
    }

    /// Follows the field in which this path leads.
    fn follow(&mut self, path: Path<'_>) {
        let len = self.followed.steps.len();
        self.place = Some(path.segments().take(len).map(Step::from).collect());
        let mut above = iter::successors(Some(path), |path| path.parent());
        if let Some(own) = above.find(|path| path.len() == len) {
            self.followed.path = own.to_string();
        }
    }

    /// Whether the patch is at or below the field.
    #[inline]
    pub(super) fn contains(&self, patch: &EnginePatch<'_>) -> bool {
        if patch.path.len() < self.followed.steps.len() {
            return false;
        }
        let mut segments = patch.path.segments();
        match &self.place {
            Some(place) => place.iter().all(|step| segments.next().is_some_and(|it| step.is(it))),
            None => self.followed.steps.iter().all(|step| {
                let segment = segments.next();
                step.as_ref().is_none_or(|step| segment.is_some_and(|it| step.is(it)))
            }),
        }
    }

    pub(super) fn catch_up(&mut self, value: ValueRef<'_>, ended: Option<&Ended<'_>>) {
        let Some(found) = self.find(value) else { return };
        self.changed = true;
        self.closed = !self.followed.steps.is_empty() && self.followed.is_whole(found, ended);
    }

    fn find<'v>(&mut self, value: ValueRef<'v>) -> Option<ValueRef<'v>> {
        if self.place.is_some() {
            return value.at(&self.followed.path).filter(|found| found.exists());
        }
        let found = self.followed.find(value)?;
        // The path that was found has no wildcards.
        let place: Option<Pattern> = self.followed.path.parse().ok();
        self.place = place.and_then(|place| paths::steps(&place).into_iter().collect());
        Some(found)
    }

    pub(super) fn end(&mut self, py: Python<'_>, ended: &Ended<'_>) {
        if mem::replace(&mut self.closed, true) {
            return;
        }
        let found = self.find(ended.answer.value());
        if found.is_none() || ended.answer.is_cut_at(&self.followed.path) {
            self.error = Some(self.followed.missing(py, ended));
        } else {
            self.changed = true;
        }
    }

    pub(super) fn reset(&mut self) {
        (self.changed, self.closed, self.error) = (false, false, None);
        self.followed.path = self.followed.pattern.to_string();
        self.followed.node = None;
        self.place = self.followed.steps.iter().cloned().collect();
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
