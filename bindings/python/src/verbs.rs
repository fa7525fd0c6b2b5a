//! The verbs: each picks what it needs from the events, and keeps it until somebody takes it.

use core::mem;
use std::collections::VecDeque;

use patchwire::event::{Completion, Event};
use patchwire::{Answer, Parser, Patch as EnginePatch, PatchOp, Pattern, ValueKind, ValueRef};
use patchwire::{document::DocId, document::NodeId};
use patchwire_wire::{Failure, Message, Protocol, Sse};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::errors;
use crate::events::to_object;
use crate::mirror::{self, Mirror};
use crate::patch::{Patch, Place};
use crate::paths::{PathTable, Step};
use crate::value::to_python;

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

    /// Whether the patch is one of the answer, and not of a call or of another document.
    fn is_of_answer(&self, patch: &EnginePatch<'_>) -> bool {
        self.place.call.is_none() && patch.document == DocId::ANSWER
    }
}

/// What is known when the stream has ended.
pub(crate) struct Ended<'a> {
    pub(crate) answer: &'a Answer,
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
            (Self::Text(text), Event::Patch(patch)) if seen.is_of_answer(patch) => text.take(patch),
            (Self::Values(values), Event::Patch(patch)) if seen.is_of_answer(patch) => {
                values.take(patch)
            }
            (Self::Each(each), Event::Patch(patch)) if seen.is_of_answer(patch) => {
                each.take(seen.py, patch)?;
            }
            (Self::Get(get), Event::Patch(patch)) if seen.is_of_answer(patch) => {
                get.take(seen.py, patch)?
            }
            (Self::Reasoning { waiting }, Event::Reasoning(text)) => waiting.push_str(&text.delta),
            (Self::Wire(wire), event) => wire.take(seen.place, event),
            _ => {}
        }
        Ok(())
    }

    /// Picks from what was read before the verb began.
    pub(crate) fn catch_up(
        &mut self,
        py: Python<'_>,
        parser: &Parser,
        place: Place,
    ) -> PyResult<()> {
        let value = parser.value();
        match self {
            Self::Patches { queue, only: None } if value.exists() => {
                queue.push_back(Py::new(py, Patch::restart(py, Some(value), place)?)?.into_any());
            }
            Self::Events(queue) if value.exists() => {
                queue.push_back(Py::new(py, Patch::restart(py, Some(value), place)?)?.into_any());
            }
            Self::Text(text) => text.catch_up(value),
            Self::Values(values) => values.catch_up(value),
            Self::Each(each) => each.catch_up(py, value)?,
            Self::Get(get) => get.catch_up(py, value)?,
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

/// A path that is followed: the first field that matches.
pub(crate) struct Followed {
    pattern: Pattern,
    path: String,
    node: Option<NodeId>,
}

impl Followed {
    pub(crate) fn new(pattern: Pattern) -> Self {
        let path = pattern.to_string();
        Self { pattern, path, node: None }
    }

    /// Whether the patch is about the field. A field that matches becomes the one that is followed.
    #[inline]
    fn is(&mut self, patch: &EnginePatch<'_>) -> bool {
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
    fn is_replaced_by(&self, patch: &EnginePatch<'_>) -> bool {
        matches!(patch.op, PatchOp::Replace | PatchOp::Remove) && {
            let above = patch.path.to_string();
            let rest = self.path.strip_prefix(&*above);
            rest.is_some_and(|rest| {
                !rest.is_empty() && (above.is_empty() || rest.starts_with(['.', '[']))
            })
        }
    }

    fn find<'v>(&mut self, value: ValueRef<'v>) -> Option<ValueRef<'v>> {
        let found = value.at(&self.path).filter(|found| found.exists())?;
        self.node = found.node();
        Some(found)
    }

    /// Why there is no whole value at the end.
    fn missing(&self, py: Python<'_>, ended: &Ended<'_>) -> PyErr {
        missing(py, &self.path, ended.answer)
    }
}

/// The answer was cut inside a field, or has no such field.
fn missing(py: Python<'_>, path: &str, answer: &Answer) -> PyErr {
    if let Some(value) = answer.value().at(path).filter(|value| value.exists()) {
        return match to_python(py, value) {
            Ok(value) => cut(py, path, answer, value),
            Err(error) => error,
        };
    }
    if answer.is_cut_at("") && !answer.value().exists() {
        return cut(py, path, answer, py.None().into_bound(py));
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

fn cut(py: Python<'_>, path: &str, answer: &Answer, value: Bound<'_, PyAny>) -> PyErr {
    let before =
        if path.is_empty() { String::new() } else { format!(" before `{path}` was complete") };
    let what = format!("the answer was cut{before}; `value` has what arrived");
    errors::raised_with(py, "Truncated", what, |attributes| {
        attributes.set_item("value", value)?;
        attributes.set_item("path", path)?;
        attributes
            .set_item("answer", Bound::new(py, crate::answer::Answer::new(answer.clone(), None))?)
    })
}

/// The text of one field, delta by delta.
pub(crate) struct Text {
    followed: Followed,
    waiting: String,
    /// Whether the text begins again.
    restarts: bool,
    /// Whether a text was given that still counts.
    has_begun: bool,
    /// What the value is, if it is a list or an object.
    refused: Option<ValueKind>,
    closed: bool,
    error: Option<PyErr>,
}

impl Text {
    pub(crate) const fn new(followed: Followed) -> Self {
        Self {
            followed,
            waiting: String::new(),
            restarts: false,
            has_begun: false,
            refused: None,
            closed: false,
            error: None,
        }
    }

    #[inline]
    fn take(&mut self, patch: &EnginePatch<'_>) {
        if self.closed {
            return;
        }
        if !self.followed.is(patch) {
            if self.followed.is_replaced_by(patch)
                && let Some(value) = patch.root().at(&self.followed.path)
            {
                self.begin_again(value);
            }
            return;
        }
        match patch.op {
            PatchOp::Delta => self.waiting.push_str(&patch.delta),
            PatchOp::Open if matches!(patch.value.kind(), ValueKind::List | ValueKind::Object) => {
                (self.refused, self.closed) = (Some(patch.value.kind()), true);
            }
            PatchOp::Open => {}
            // Only the end knows whether the answer was cut here.
            PatchOp::Done if patch.completion == Some(Completion::EndOfInput) => {
                self.scalar(patch.value)
            }
            PatchOp::Done => {
                self.scalar(patch.value);
                self.closed = true;
            }
            PatchOp::Replace => {
                self.begin_again(patch.value);
                self.closed = patch.completion.is_some();
            }
            PatchOp::Remove => self.followed.node = None,
        }
    }

    /// A number or bool is one delta. The deltas of a string are its value.
    fn scalar(&mut self, value: ValueRef<'_>) {
        if matches!(value.kind(), ValueKind::Number | ValueKind::Bool) {
            self.waiting.push_str(&value.to_string());
        }
    }

    fn begin_again(&mut self, value: ValueRef<'_>) {
        self.restarts |= self.has_begun;
        self.waiting.clear();
        match value.as_str() {
            Some(text) => self.waiting.push_str(text),
            None => self.scalar(value),
        }
    }

    fn catch_up(&mut self, value: ValueRef<'_>) {
        let Some(found) = self.followed.find(value) else { return };
        if matches!(found.kind(), ValueKind::List | ValueKind::Object) {
            (self.refused, self.closed) = (Some(found.kind()), true);
            return;
        }
        self.begin_again(found);
        self.closed = found.is_complete();
    }

    fn end(&mut self, py: Python<'_>, ended: &Ended<'_>) {
        if mem::replace(&mut self.closed, true) {
            return;
        }
        let found = ended.answer.value().at(&self.followed.path).filter(|found| found.exists());
        if found.is_none() || ended.answer.is_cut_at(&self.followed.path) {
            self.error = Some(self.followed.missing(py, ended));
        }
    }

    fn reset(&mut self) {
        self.restarts |= self.has_begun;
        (self.has_begun, self.closed, self.followed.node) = (false, false, None);
        self.waiting.clear();
        (self.refused, self.error) = (None, None);
    }

    #[inline]
    fn pop(&mut self, py: Python<'_>, is_over: bool) -> Next {
        if !self.waiting.is_empty() || self.restarts {
            let text = PyString::new(py, &self.waiting);
            self.waiting.clear();
            self.has_begun = true;
            if mem::take(&mut self.restarts) {
                return restart(py, &text).map_or_else(Next::Error, Next::Item);
            }
            return Next::Item(text.into_any().unbind());
        }
        if let Some(kind) = self.refused.take() {
            let kind = match kind {
                ValueKind::List => "a list; `each` gives its items, `values` the list so far",
                _ => "an object; `values` gives the object so far",
            };
            return Next::Error(errors::raised(
                py,
                "PathError",
                format_args!("`{}` is {kind}", self.followed.path),
            ));
        }
        ended(&mut self.error, self.closed || is_over)
    }
}

/// A text that begins again.
fn restart(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<Py<PyAny>> {
    Ok(py.import("patchwire._values")?.getattr("Restart")?.call1((text,))?.unbind())
}

/// The value of one field so far, whenever it grew.
pub(crate) struct Values {
    followed: Followed,
    steps: Vec<Option<Step>>,
    /// The steps of the field that is followed.
    place: Option<Vec<Step>>,
    changed: bool,
    closed: bool,
    error: Option<PyErr>,
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
    fn take(&mut self, patch: &EnginePatch<'_>) {
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
    fn contains(&self, patch: &EnginePatch<'_>) -> bool {
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

    fn catch_up(&mut self, value: ValueRef<'_>) {
        let Some(found) = self.followed.find(value) else { return };
        self.changed = true;
        self.closed = found.is_complete() && !self.steps.is_empty();
    }

    fn end(&mut self, py: Python<'_>, ended: &Ended<'_>) {
        if mem::replace(&mut self.closed, true) {
            return;
        }
        let path = self.path();
        let found = ended.answer.value().at(&path).filter(|found| found.exists());
        if found.is_none() || ended.answer.is_cut_at(&path) {
            self.error = Some(missing(py, &path, ended.answer));
        } else {
            self.changed = true;
        }
    }

    fn path(&self) -> String {
        self.followed.path.clone()
    }

    fn reset(&mut self) {
        (self.changed, self.closed, self.followed.node, self.error) = (false, false, None, None);
        self.place = self.steps.iter().cloned().collect();
    }

    fn pop(
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

/// The items of a list as they close.
pub(crate) struct Each {
    /// The items of a list, or the members of a map.
    items: Pattern,
    /// The list, if it is only one.
    list: Option<Followed>,
    path: String,
    /// Whether each item comes with its index, and corrected items come again.
    indexed: bool,
    count: usize,
    queue: VecDeque<Py<PyAny>>,
    closed: bool,
    error: Option<PyErr>,
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
    fn take(&mut self, py: Python<'_>, patch: &EnginePatch<'_>) -> PyResult<()> {
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
            self.closed = true;
        }
        Ok(())
    }

    fn give(
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

    fn catch_up(&mut self, py: Python<'_>, value: ValueRef<'_>) -> PyResult<()> {
        let Some(list) = &mut self.list else { return Ok(()) };
        let Some(found) = list.find(value) else { return Ok(()) };
        for (_, item) in found.entries().filter(|(_, item)| item.is_complete()) {
            self.give(py, self.count, item, true)?;
        }
        self.closed = found.is_complete();
        Ok(())
    }

    fn end(&mut self, py: Python<'_>, ended: &Ended<'_>) {
        if mem::replace(&mut self.closed, true) || self.list.is_none() {
            return;
        }
        let found = ended.answer.value().at(&self.path).filter(|found| found.exists());
        let Some(found) = found.filter(|_| !ended.answer.is_cut_at(&self.path)) else {
            self.error = Some(missing(py, &self.path, ended.answer));
            return;
        };
        // What only the end could decide.
        let rest: Vec<_> = found.entries().skip(self.count).map(|(_, item)| item).collect();
        for item in rest {
            if let Err(error) = self.give(py, self.count, item, true) {
                self.error = Some(error);
            }
        }
    }

    fn reset(&mut self) {
        (self.count, self.closed, self.error) = (0, false, None);
        if let Some(list) = &mut self.list {
            list.node = None;
        }
    }
}

/// One field, when it is complete.
pub(crate) struct Get {
    followed: Followed,
    item: Option<Py<PyAny>>,
    closed: bool,
    error: Option<PyErr>,
}

impl Get {
    pub(crate) const fn new(followed: Followed) -> Self {
        Self { followed, item: None, closed: false, error: None }
    }

    #[inline]
    fn take(&mut self, py: Python<'_>, patch: &EnginePatch<'_>) -> PyResult<()> {
        if self.closed || !self.followed.is(patch) {
            return Ok(());
        }
        match patch.op {
            PatchOp::Done if patch.completion == Some(Completion::EndOfInput) => {}
            PatchOp::Done => self.close(py, patch.value)?,
            PatchOp::Replace if patch.completion.is_some() => self.close(py, patch.value)?,
            PatchOp::Remove => self.followed.node = None,
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, py: Python<'_>, value: ValueRef<'_>) -> PyResult<()> {
        self.item = Some(to_python(py, value)?.unbind());
        self.closed = true;
        Ok(())
    }

    fn catch_up(&mut self, py: Python<'_>, value: ValueRef<'_>) -> PyResult<()> {
        match self.followed.find(value) {
            Some(found) if found.is_complete() => self.close(py, found),
            _ => Ok(()),
        }
    }

    fn end(&mut self, py: Python<'_>, ended: &Ended<'_>) -> PyResult<()> {
        if self.closed {
            return Ok(());
        }
        let found = ended.answer.value().at(&self.followed.path).filter(|found| found.exists());
        match found.filter(|_| !ended.answer.is_cut_at(&self.followed.path)) {
            Some(found) => self.close(py, found),
            None => {
                self.closed = true;
                self.error = Some(self.followed.missing(py, ended));
                Ok(())
            }
        }
    }

    fn reset(&mut self) {
        (self.item, self.closed, self.error, self.followed.node) = (None, false, None, None);
    }
}

/// The events in the form of a protocol.
pub(crate) struct Wire {
    protocol: Box<dyn Protocol + Send + Sync>,
    frames: Option<Sse>,
    queue: VecDeque<String>,
}

impl Wire {
    pub(crate) fn new(protocol: Box<dyn Protocol + Send + Sync>, frames: Option<Sse>) -> Self {
        Self { protocol, frames, queue: VecDeque::new() }
    }

    fn take(&mut self, place: Place, event: &Event<'_>) {
        let Self { protocol, frames, queue } = self;
        let sink = &mut |message: Message| queue.push_back(framed(frames, &message));
        match event {
            Event::Patch(patch) => {
                let mut origin = *patch.origin;
                (origin.attempt, origin.call) = (place.attempt, place.call);
                let mut patch = *patch;
                patch.origin = &origin;
                patch.document = place.document.map_or(patch.document, DocId::from_number);
                protocol.feed(Event::Patch(patch).into(), sink);
            }
            // Of a call only the arguments are sent.
            _ if place.call.is_some() => {}
            event => protocol.feed(event.into(), sink),
        }
    }

    /// Sends an event that the engine does not have.
    pub(crate) fn send(&mut self, event: &patchwire_async::ResponseEvent) {
        let Self { protocol, frames, queue } = self;
        protocol.feed(event.into(), &mut |message| queue.push_back(framed(frames, &message)));
    }

    fn fail(&mut self, code: &str, message: &str) {
        let Self { protocol, frames, queue } = self;
        let failure = Failure::new(code, message);
        protocol.fail(&failure, &mut |message| queue.push_back(framed(frames, &message)));
    }

    fn reset(&mut self, attempt: u32) {
        self.send(&patchwire_async::ResponseEvent::Reset { attempt });
    }
}

fn framed(frames: &mut Option<Sse>, message: &Message) -> String {
    match frames {
        Some(frames) => frames.frame(message),
        None => format!("{message}\n"),
    }
}
