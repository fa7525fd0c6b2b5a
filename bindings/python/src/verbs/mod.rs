//! The verbs: each picks what it needs from the events, and keeps it until somebody takes it.

mod each;
mod followed;
mod get;
mod matches;
mod text;
mod values;
mod wire;

use std::collections::VecDeque;

use patchwire::event::Event;
use patchwire::{Answer, Patch as EnginePatch, Pattern, ValueRef};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::answer::{Answer as AnswerObject, Beside};
use crate::events::to_object;
use crate::mirror::Mirror;
use crate::patch::{Patch, Place};
use crate::paths::{self, PathTable};
use crate::spec::Settings;
pub(crate) use each::Each;
pub(crate) use followed::Followed;
pub(crate) use get::Get;
use matches::Matches;
pub(crate) use text::Text;
pub(crate) use values::{Values, look};
pub(crate) use wire::Wire;

/// What a verb gives next.
pub(crate) enum Next {
    Item(Py<PyAny>),
    /// Nothing yet: more has to be read.
    Wait,
    End,
    Error(PyErr),
}

/// What a verb sees beside an event.
pub(crate) struct Seen<'a, 'py> {
    pub(crate) py: Python<'py>,
    pub(crate) place: Place,
    pub(crate) paths: &'a mut PathTable,
    /// The event as an object, which all verbs share.
    pub(crate) object: Option<Py<PyAny>>,
}

impl Seen<'_, '_> {
    fn patch(&mut self, patch: &EnginePatch<'_>) -> PyResult<Py<PyAny>> {
        if let Some(object) = &self.object {
            return Ok(object.clone_ref(self.py));
        }
        let patch = Patch::of(self.py, patch, self.place, self.paths)?;
        let object = Py::new(self.py, patch)?.into_any();
        self.object = Some(object.clone_ref(self.py));
        Ok(object)
    }
}

/// What is known when the stream has ended.
pub(crate) struct Ended<'a> {
    pub(crate) answer: &'a Answer,
    pub(crate) settings: &'a Py<Settings>,
    pub(crate) beside: &'a Beside,
}

impl Ended<'_> {
    /// The answer as an object, which can be pickled.
    pub(crate) fn object(&self, py: Python<'_>) -> AnswerObject {
        AnswerObject::new(self.answer.clone(), self.settings.clone_ref(py))
            .with_beside(self.beside.clone())
    }
}

pub(crate) enum Verb {
    Patches { queue: VecDeque<Py<PyAny>>, only: Option<Pattern> },
    Events(VecDeque<Py<PyAny>>),
    Text(Text),
    Values(Values),
    Each(Each),
    Get(Get),
    Reasoning { waiting: String },
    Calls(VecDeque<Py<PyAny>>),
    Wire(Wire),
}

/// A verb in its place; none where one was dropped.
pub(crate) type Slot = Option<Verb>;

impl Verb {
    /// Picks from an event.
    #[inline]
    pub(crate) fn take(&mut self, seen: &mut Seen<'_, '_>, event: &Event<'_>) -> PyResult<()> {
        match (self, event) {
            (Self::Patches { queue, only }, Event::Patch(patch))
                if only.as_ref().is_none_or(|only| patch.path.matches(only)) =>
            {
                queue.push_back(seen.patch(patch)?);
            }
            (Self::Events(queue), Event::Patch(patch)) => queue.push_back(seen.patch(patch)?),
            (Self::Events(queue), event) if seen.place.call.is_none() => {
                queue.push_back(to_object(seen.py, event)?);
            }
            (Self::Each(each), Event::Patch(patch)) if seen.place.is_of_answer(patch) => {
                each.take(seen.py, patch)?;
            }
            (Self::Get(get), Event::Patch(patch)) if seen.place.is_of_answer(patch) => {
                get.take(seen.py, patch)?
            }
            (verb, event) => verb.take_text(seen.place, event),
        }
        Ok(())
    }

    /// Picks from an event what is no object of Python: that needs no lock of the interpreter.
    #[inline]
    pub(crate) fn take_text(&mut self, place: Place, event: &Event<'_>) {
        match (self, event) {
            (Self::Text(text), Event::Patch(patch)) if place.is_of_answer(patch) => {
                text.take(patch)
            }
            (Self::Values(values), Event::Patch(patch)) if place.is_of_answer(patch) => {
                values.take(patch)
            }
            (Self::Reasoning { waiting }, Event::Reasoning(text)) => waiting.push_str(&text.delta),
            (Self::Wire(wire), event) => wire.take(place, event),
            _ => {}
        }
    }

    /// Whether the verb makes objects of Python from what only the event has.
    pub(crate) const fn makes_objects(&self) -> bool {
        match self {
            Self::Events(_) | Self::Each(_) | Self::Get(_) => true,
            // Patches can be made from copies.
            Self::Patches { .. } => false,
            Self::Text(_)
            | Self::Values(_)
            | Self::Reasoning { .. }
            | Self::Calls(_)
            | Self::Wire(_) => false,
        }
    }

    /// Picks from what was read before the verb began.
    pub(crate) fn catch_up(
        &mut self,
        py: Python<'_>,
        value: ValueRef<'_>,
        place: Place,
        ended: Option<&Ended<'_>>,
    ) -> PyResult<()> {
        match self {
            Self::Patches { queue, only: Some(only) } => {
                for (path, value) in Matches::new(&paths::steps(only), value) {
                    let patch = Patch::so_far(py, &path.to_string(), value, place)?;
                    queue.push_back(Py::new(py, patch)?.into_any());
                }
            }
            Self::Patches { queue, only: None } if value.exists() => {
                queue.push_back(Py::new(py, Patch::restart(py, Some(value), place)?)?.into_any());
            }
            Self::Events(queue) if value.exists() => {
                queue.push_back(Py::new(py, Patch::restart(py, Some(value), place)?)?.into_any());
            }
            Self::Text(text) => text.catch_up(value, ended),
            Self::Values(values) => values.catch_up(value, ended),
            Self::Each(each) => each.catch_up(py, value, ended)?,
            Self::Get(get) => get.catch_up(py, value, ended)?,
            _ => {}
        }
        Ok(())
    }

    /// The stream ended, and the answer stands.
    pub(crate) fn end(&mut self, py: Python<'_>, ended: &Ended<'_>) -> PyResult<()> {
        match self {
            Self::Text(text) => text.end(py, ended),
            Self::Values(values) => values.end(py, ended),
            Self::Each(each) => each.end(py, ended),
            Self::Get(get) => get.end(py, ended)?,
            _ => {}
        }
        Ok(())
    }

    /// The stream failed.
    pub(crate) fn fail(&mut self, code: &str, message: &str) {
        if let Self::Wire(wire) = self {
            wire.fail(code, message);
        }
    }

    /// Everything that was read is void: another attempt begins.
    pub(crate) fn reset(&mut self, py: Python<'_>, place: Place) -> PyResult<()> {
        match self {
            Self::Patches { queue, .. } | Self::Events(queue) => {
                queue.push_back(Py::new(py, Patch::restart(py, None, place)?)?.into_any());
            }
            Self::Text(text) => text.reset(),
            Self::Values(values) => values.reset(),
            Self::Each(each) => each.reset(),
            Self::Get(get) => get.reset(),
            Self::Wire(wire) => wire.reset(place.attempt),
            Self::Reasoning { .. } | Self::Calls(_) => {}
        }
        Ok(())
    }

    /// The next item. `is_over` says that nothing more will be read.
    #[inline]
    pub(crate) fn pop(
        &mut self,
        py: Python<'_>,
        mirror: &mut Option<Mirror>,
        document: ValueRef<'_>,
        is_over: bool,
    ) -> Next {
        let (item, closed) = match self {
            Self::Patches { queue, .. } | Self::Events(queue) | Self::Calls(queue) => {
                (queue.pop_front(), is_over)
            }
            Self::Text(text) => return text.pop(py, is_over),
            Self::Values(values) => return values.pop(py, mirror, document, is_over),
            Self::Each(each) => match each.queue.pop_front() {
                Some(item) => (Some(item), false),
                None => return ended(&mut each.error, each.closed || is_over),
            },
            Self::Get(get) => match get.item.take() {
                Some(item) => (Some(item), false),
                None => return ended(&mut get.error, get.closed || is_over),
            },
            Self::Reasoning { waiting } if waiting.is_empty() => (None, is_over),
            Self::Reasoning { waiting } => {
                let text = PyString::new(py, waiting).into_any().unbind();
                waiting.clear();
                (Some(text), false)
            }
            Self::Wire(wire) => {
                let item = wire.queue.pop_front();
                (item.map(|text| PyString::new(py, &text).into_any().unbind()), is_over)
            }
        };
        match item {
            Some(item) => Next::Item(item),
            None if closed => Next::End,
            None => Next::Wait,
        }
    }
}

fn ended(error: &mut Option<PyErr>, closed: bool) -> Next {
    match error.take() {
        Some(error) => Next::Error(error),
        None if closed => Next::End,
        None => Next::Wait,
    }
}
